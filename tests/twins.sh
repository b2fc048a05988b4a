#!/bin/sh
# twins.sh - answers of different nodes that are the same bytes are views of their
# own; copies of one are copies.
set -u
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1

# slots: CLUSTER SLOTS of a healthy cluster, as every node gives it
slots()
{
	cat <<'EOF'
1) 1) (integer) 0
   2) (integer) 5460
   3) 1) "10.0.0.1"
      2) (integer) 6379
      3) "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      4) 1) "hostname"
         2) "redis-a.example"
2) 1) (integer) 5461
   2) (integer) 16383
   3) 1) "10.0.0.2"
      2) (integer) 6379
      3) "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
      4) 1) "hostname"
         2) "redis-b.example"
EOF
}

# read_as DB PATH...: which of the files are read, which are copies of what
read_as()
{
	db=$1
	shift
	"$slotrace" ingest -i x "$db" "$@" |
	    sed -n 's/^topology-dump  read  *[0-9]*  //p; s/^unknown  *duplicate  *0  \(.*\)  (the same as \(.*\))/\1=\2/p' |
	    tr '\n' ' '
}

mkdir views n1 n2 backup
slots >views/n1.txt
cp views/n1.txt views/n2.txt
cp views/n1.txt views/n3.txt
is 'a file a node' 'views/n1.txt views/n2.txt views/n3.txt ' "$(read_as a.db views)"
is 'three observers' 3 "$(sql a.db "SELECT count(DISTINCT observer_id) FROM view")"
is 'once' '' "$(read_as a.db views)"
cp views/n2.txt backup/n2.txt
cp views/n1.txt views/n1-copy.txt
tar cf all.tar views/n3.txt
is 'copies are copies, of what is called so' \
    'backup/n2.txt=views/n2.txt views/n1-copy.txt=views/n1.txt all.tar:views/n3.txt=views/n3.txt ' \
    "$(read_as a.db backup views/n1-copy.txt all.tar)"
"$slotrace" analyze a.db
"$slotrace" report a.db >report.txt
grep -q '^  backup/n2.txt: unknown, duplicate of views/n2.txt, 0 records' report.txt
ok 'and the report says so' $?

slots >n1/slots.txt
cp n1/slots.txt n2/slots.txt
is 'a folder a node' 'n1/slots.txt n2/slots.txt ' "$(read_as b.db n1 n2)"
mkdir named
slots >named/redis-a.txt
cp named/redis-a.txt named/redis-b.txt
cp named/redis-a.txt named/redis-c.txt
is 'called after nodes that the answer lists' \
    'named/redis-a.txt named/redis-b.txt named/redis-c.txt=named/redis-a.txt ' "$(read_as c.db named)"

# An answer that says who gives it is of that node, whatever it is called.
mkdir nodes
cat >nodes/n1.txt <<'EOF'
aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa 10.0.0.1:6379@16379 myself,master - 0 0 1 connected 0-5460
bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb 10.0.0.2:6379@16379 master - 0 1796032800000 2 connected 5461-16383
EOF
cp nodes/n1.txt nodes/n2.txt
is 'one that names itself' 'nodes/n1.txt nodes/n2.txt=nodes/n1.txt ' "$(read_as d.db nodes)"

# In timelines that are merged, and where one of them grows.
"$slotrace" ingest -q -i x e.db views/n1.txt
"$slotrace" ingest -q -i x f.db views/n2.txt backup/n2.txt
"$slotrace" merge e.db f.db >/dev/null
"$slotrace" merge e.db f.db >/dev/null
is 'merged' 'views/n1.txt views/n2.txt' "$(sql e.db "SELECT group_concat(name, ' ') FROM (SELECT
    name FROM source WHERE status = 'read' ORDER BY name)")"
slots >>views/n2.txt
"$slotrace" ingest -q -i x a.db views/n2.txt
is 'the others stay when one grows' 'views/n1.txt views/n2.txt views/n3.txt' "$(sql a.db "SELECT
    group_concat(name, ' ') FROM (SELECT name FROM source WHERE status <> 'duplicate' ORDER BY
    name)")"
is 'and keep their observers' 'n1 n2 n3' "$(sql a.db "SELECT group_concat(name, ' ') FROM (SELECT
    DISTINCT o.name FROM view JOIN observer o USING (observer_id) ORDER BY 1)")"
done_testing
