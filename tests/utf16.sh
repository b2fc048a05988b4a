#!/bin/sh
# utf16.sh - what PowerShell's > writes (UTF-16 with a byte order mark), and
# UTF-8 with one, is read as the text that it is: every kind of text input gives
# what it gave, at the same lines.  What is no UTF-16 is counted, and costs
# itself only.
set -eu
. "$(dirname "$0")/lib.sh"
if ! command -v iconv >/dev/null 2>&1; then
	skip 'UTF-16' 'iconv is not installed'
	done_testing
	exit
fi
cd "$work"
from=$srcdir/samples/genuine
mkdir plain
cp "$from/server/n4.log" "$from/clients/php.log" plain
for name in clients/refclient.log clients/ioredis.ndjson views/n4.txt; do
	gzip -dcf "$from/$name.gz" 2>/dev/null >"plain/$(basename "$name")" ||
	    cp "$from/$name" plain
done
printf 'cluster-enabled yes\ncluster-node-timeout 5000\nport 6379\n' >plain/redis.conf

# evidence FOLDER: all that was read in it, with lines, under the names of plain.
evidence()
{
	rm -f e.db
	"$slotrace" ingest -q --incident x e.db "$1" >/dev/null 2>&1 || true
	"$slotrace" analyze e.db
	sql e.db "SELECT name, kind, status, records, problems FROM source ORDER BY 1;
	    SELECT s.name, v.position, v.last_position, v.first_at, v.samples FROM view v JOIN source s USING (source_id) ORDER BY 1, 2, 3, 4;
	    SELECT s.name, v.position, event, v.detail FROM server_event v JOIN source s USING (source_id) ORDER BY 1, 2, 3, 4;
	    SELECT s.name, r.position, r.code, r.slot FROM redirect r JOIN source s USING (source_id) ORDER BY 1, 2, 3, 4;
	    SELECT s.name, c.position, message FROM client_error c JOIN source s USING (source_id) ORDER BY 1, 2, 3;
	    SELECT name, value, position FROM setting ORDER BY 1, 2, 3" | sed "s|^$1/|plain/|"
}
evidence plain >expected
for kind in server-log client-log topology-dump config; do
	grep -q "|$kind|read|" expected && r=0 || r=1
	ok "$kind is among them" $r
done

# recoded NAME MARK ENCODING
recoded()
{
	mkdir "$1"
	for f in plain/*; do
		{
			printf "$2"
			iconv -f UTF-8 -t "$3" "$f"
		} >"$1/${f#plain/}"
	done
	evidence "$1" >got
	diff expected got >difference && r=0 || r=1
	ok "$1: the same" $r
	[ $r = 0 ] || head -n 20 difference | cut -c1-200 | sed 's/^/# /'
}
recoded le '\377\376' UTF-16LE
recoded be '\376\377' UTF-16BE
recoded le-without-mark '' UTF-16LE
recoded utf8-mark '\357\273\277' UTF-8

# damaged NAME: the file says so once, at a line, and gives the rest.
damaged()
{
	rm -f d.db
	"$slotrace" ingest -q d.db "damaged/$1" >/dev/null 2>&1 || true
	is "$2: told" "encoding|$3" "$(sql d.db 'SELECT code, position FROM problem')"
	is "$2: the rest is read" "$4" "$(sql d.db 'SELECT (SELECT count(*) FROM view) + (SELECT count(*) FROM server_event) + (SELECT count(*) FROM client_error) + (SELECT count(*) FROM setting)')"
}
mkdir damaged
for name in n4.log php.log n4.txt redis.conf; do
	rm -f d.db
	"$slotrace" ingest -q d.db "plain/$name"
	n=$(sql d.db 'SELECT (SELECT count(*) FROM view) + (SELECT count(*) FROM server_event) + (SELECT count(*) FROM client_error) + (SELECT count(*) FROM setting)')
	# Half a character behind the last line.
	{ cat "le/$name"; printf '#'; } >"damaged/$name"
	damaged "$name" "$name, an odd number of bytes" "$(($(wc -l <"plain/$name") + 1))" "$n"
	# Two lone surrogates, in a line of their own in front.
	{ printf '\377\376#\0\000\330\000\334x\0\000\334\n\0'; tail -c +3 "le/$name"; } >"damaged/$name"
	rm -f d.db
	"$slotrace" ingest -q d.db "damaged/$name" >/dev/null 2>&1 || true
	is "$name, a lone surrogate: told once, the rest is read" "1 $n" "$(sql d.db "SELECT (SELECT count(*) FROM problem WHERE code = 'encoding') || ' ' ||
	    ((SELECT count(*) FROM view) + (SELECT count(*) FROM server_event) + (SELECT count(*) FROM client_error) + (SELECT count(*) FROM setting))")"
done
done_testing
