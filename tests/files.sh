#!/bin/sh
# files.sh - what a folder may hold besides files: links, pipes, sockets, devices,
# loops, names of any bytes, what may not be read, and very many of them.
set -u
. "$(dirname "$0")/lib.sh"
cd "$work"
nl='
'
esc=$(printf '\033')
line='2026-11-30T02:09:17.862Z ERROR shop MOVED 2381 10.0.0.2:6379'

# told CODE: the names of sources with such a problem
told()
{
	sql t.db "SELECT group_concat(name, ' ') FROM (SELECT DISTINCT name FROM problem
	    JOIN source USING (source_id) WHERE code = '$1' ORDER BY 1)"
}

read_names()
{
	sql t.db "SELECT group_concat(name, ' ') FROM (SELECT name FROM source WHERE status = 'read' ORDER BY 1)"
}

# --- no files ---
mkdir in && echo "$line" >in/app.log
mkfifo in/pipe
ln -s /dev/zero in/zero
ln -s . in/here && ln -s ../in in/again && ln -s nowhere in/dangling && ln -s loop in/loop
python=$(command -v python3 || command -v python || true)
[ -z "$python" ] || $python -c 'import socket; socket.socket(socket.AF_UNIX).bind("in/socket")'
mknod in/null c 1 3 2>/dev/null || true
timeout 20 "$slotrace" ingest -q t.db in </dev/null
is 'pipes, devices, loops: none stops it' 0 $?
is 'the file is read, once' in/app.log "$(read_names)"
is 'links are told, those that loop and dangle too' 'in/again in/dangling in/here in/loop in/zero' "$(told link)"
other=$(find in -type p -o -type s -o -type c -o -type b | sort | tr '\n' ' ' | sed 's/ $//')
is 'what is no file is told, and was not opened' "$other" "$(told unsupported)"
# Named, a pipe is read to its end.
rm -f t.db
echo "$line" >in/pipe &
timeout 20 "$slotrace" ingest -q t.db in/pipe
is 'a pipe that was named' '0 in/pipe' "$? $(read_names)"
wait
# A device that was named does not end, whatever its name is; /dev/null is empty.
for path in /dev/zero /dev/urandom in/zero /dev/stdin -; do
	rm -f t.db
	timeout 20 "$slotrace" ingest -q t.db "$path" in/app.log </dev/zero 2>err
	is "$path: refused, the rest is read" "3 in/app.log $path" "$? $(read_names) $(told unreadable)"
	is "$path: says why" 'is a device, which does not end' "$(sql t.db 'SELECT reason FROM problem')"
done
rm -f t.db
timeout 20 "$slotrace" ingest -q t.db /dev/null in/app.log 2>err
is '/dev/null is empty' '3 /dev/null' "$? $(told empty)"
# A pipe that does not end: of none of the formats, its beginning tells; else it is
# read up to the limit of bytes, and what was read counts.
for what in 'cat /dev/zero' yes 'yes 0123456789 | tr -d "\n"'; do
	rm -f t.db
	timeout 20 sh -c "$what | \"$slotrace\" ingest -q t.db - in/app.log" 2>err
	is "$what: is left" '3 - in/app.log' "$? $(told unrecognised) $(read_names)"
done
endless()
{
	rm -f t.db
	timeout 60 sh -c "{ cat in/app.log; $1; } | \"$slotrace\" ingest -q --limit bytes=${2:-9000000} t.db - 2>err"
	echo "$? $(told truncated) $(sql t.db "SELECT bytes || ' ' || (SELECT count(*) > 0 FROM redirect) FROM source")"
}
is 'a log that does not end' '3 - 9000000 1' "$(endless "yes '$line'")"
is 'one whose last line does not end' '3 - 9000000 1' "$(endless 'cat /dev/zero')"
size=$(wc -c <in/app.log)
is 'bytes of a pipe: enough' "0  $size 1" "$(endless : "$size")"
is 'one less: it is told' "3 - $((size - 1)) 1" "$(endless : $((size - 1)))"
rm -f t.db
timeout 20 "$slotrace" ingest -q t.db in/loop in/dangling in/app.log 2>err
is 'links to nowhere, named' '3 in/app.log' "$? $(read_names)"
is 'they are told' 'in/dangling in/loop' "$(told unreadable)"
# A folder that holds itself: only a bind mount can.
if unshare -rm true 2>/dev/null; then
	mkdir -p round/deeper && echo "$line" >round/app.log
	unshare -rm sh -c 'mount --bind round round/deeper && exec "$0" ingest -q t.db round' "$slotrace"
	is 'a folder inside of itself' 0 $?
fi

# --- names ---
rm -rf in t.db && mkdir in
for name in "a${nl}b" "c	d" "e${esc}[31mf" ' g ' '-h' '*' "i'j\"k" '%s%n' '$(l)' "$(printf 'm\377\376n')" \
    ';DROP TABLE source;--' "'); DELETE FROM view; --" '#o?p=q&r' 'CON' "$(head -c 240 /dev/zero | tr '\0' s)"; do
	echo "$line $name" >"in/$name.log"
done
files=$(find in -type f -print0 | tr -dc '\0' | wc -c | tr -d ' ')
is 'names of all kinds' 15 "$files"
"$slotrace" ingest t.db in >said 2>&1
is 'each is a source' "0 15" "$? $(sql t.db "SELECT count(*) FROM source WHERE status = 'read'")"
is 'under its own name, byte for byte where it is UTF-8' "$(find in -type f -print0 | sort -z | tr '\0\n' '\n?' |
    sed "s/$(printf 'm\377\376n')/$(printf 'm\357\277\275\357\277\275n')/")" \
    "$(sql t.db "SELECT replace(name, char(10), '?') FROM source WHERE status = 'read' ORDER BY CAST(name AS BLOB)")"
is 'shown without control bytes' 0 "$(tr -d '\n\t\040-\176\200-\377' <said | wc -c | tr -d ' ')"
is 'a line each' 15 "$(grep -c 'log$' said)"
"$slotrace" analyze t.db && "$slotrace" check t.db >/dev/null
is 'SQL in names is a name' 0 $?
for f in in/*; do
	"$slotrace" forget t.db "$f" >out 2>&1 || echo "$f"
done >kept
is 'each can be named again, to be forgotten' '' "$(cat kept)"
is 'none is left' 0 "$(sql t.db 'SELECT count(*) FROM source')"

# --- what may not be read ---
# As somebody else than root, who may read anything.
rm -rf in t.db && mkdir in in/closed in/listed && echo "$line 1" >in/app.log && echo "$line 2" >in/closed/x.log
echo "$line 3" >in/secret.log && echo "$line 4" >in/listed/y.log
as=
[ "$(id -u)" != 0 ] || as='setpriv --reuid 65534 --regid 65534 --clear-groups'
if [ -z "$as" ] || $as true 2>/dev/null; then
	chmod 755 "$work" && chmod 000 in/closed in/secret.log && chmod 444 in/listed
	mkdir db && chmod 777 db
	$as "$slotrace" ingest -q db/t.db in
	is 'what may not be read costs only itself' 3 $?
	mv db/t.db t.db
	is 'the rest is read' in/app.log "$(read_names)"
	is 'it is told, folders too' 'in/closed in/listed/y.log in/secret.log' "$(told unreadable)"
	is 'why' 'Permission denied' "$(sql t.db "SELECT DISTINCT reason FROM problem")"
	mkdir shelf && chmod 555 shelf
	$as "$slotrace" ingest -q shelf/t.db in/app.log 2>err
	is 'a folder that may not be written' '1 1' "$? $(grep -c 'shelf/t.db: Permission denied' err)"
	"$slotrace" analyze t.db && chmod 444 t.db
	$as "$slotrace" report -o shelf/r.txt t.db 2>err
	is 'nor a report into it' '1 1 0' "$? $(grep -c 'shelf/r.txt: Permission denied' err) $(ls shelf | wc -l | tr -d ' ')"
	$as "$slotrace" report t.db >out 2>&1
	is 'a timeline that may only be read is reported' 0 $?
	$as "$slotrace" analyze t.db 2>err
	is 'and not analyzed' '1 1' "$? $(grep -c 't.db: ' err)"
	chmod -R u+rwX . 
else
	skip 'what may not be read' 'no setpriv (util-linux)'
fi

# --- very many ---
rm -rf in t.db && mkdir in
awk -v line="$line" 'BEGIN {
	for (i = 0; i < 10000; i++) {
		f = sprintf("in/%05d.log", i)
		print line, i >f
		close(f)
	}
}'
(ulimit -n 40; "$slotrace" ingest -q t.db in)
is '10,000 files, with 40 open at most' '0 10000' "$? $(sql t.db "SELECT count(*) FROM source WHERE status = 'read'")"
is 'each is there once' 10000 "$(sql t.db 'SELECT count(DISTINCT xxh3) FROM source')"
tar -cf in.tar in
rm -f t.db
(ulimit -n 40; "$slotrace" ingest -q t.db in.tar)
is 'in an archive' '0 10000' "$? $(sql t.db "SELECT count(*) FROM source WHERE status = 'read'")"
if command -v zip >/dev/null 2>&1; then
	zip -q -r in.zip in && rm -f t.db
	(ulimit -n 40; "$slotrace" ingest -q t.db in.zip)
	is 'in one with a directory of its own' '0 10000' "$? $(sql t.db "SELECT count(*) FROM source WHERE status = 'read'")"
else
	skip 'in one with a directory of its own' 'no zip'
fi

# An archive in an archive needs room; without it the rest is read.  (Not in
# archives.sh: valgrind, which runs that, needs the room itself.)
if command -v zip >/dev/null 2>&1; then
	rm -rf t.db room && mkdir room && echo "$line 1" >room/a.log && echo "$line 2" >room/b.log
	zip -q room.zip room/a.log && tar -cf room.tar room.zip
	TMPDIR=$work/nowhere "$slotrace" ingest -q t.db room.tar room/b.log 2>/dev/null
	is 'no folder for temporary files: the rest is read' '3 1' "$? $(sql t.db "SELECT count(*) FROM source WHERE status = 'read'")"
	is 'it is told' 1 "$(sql t.db "SELECT count(*) FROM problem WHERE reason LIKE 'temporary file %nowhere%'")"
else
	skip 'no folder for temporary files: the rest is read' 'no zip'
fi
done_testing
