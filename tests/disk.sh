#!/bin/sh
# disk.sh - the file under the timeline: a disk that fills up, other programs
# that have it open, what users keep in it, links in the way of what is written.
set -u
. "$(dirname "$0")/lib.sh"
incident=$srcdir/samples/genuine
cd "$work"

"$slotrace" ingest -q --incident x whole.db "$incident"
sql whole.db .dump >whole

# A disk of its own, in a namespace of its own: it goes when the shell ends.
cat >full.sh <<'EOT'
size=$1
mkdir disk && mount -t tmpfs -o size="$size"k none disk || exit 99
"$slotrace" ingest -q --incident x disk/t.db "$incident" 2>err
echo "status $?"
sed 's/^/said /' err
sqlite3 disk/t.db 'PRAGMA integrity_check' 2>&1 | sed 's/^/file /'
# A disk for not even the empty tables has no source at all.
halves=$(sqlite3 disk/t.db 'SELECT count(*) FROM source WHERE xxh3 IS NULL' 2>/dev/null)
echo "halves ${halves:-0}"
mount -o remount,size=50m none disk
"$slotrace" ingest -q --incident x disk/t.db "$incident" && echo again 0
sqlite3 disk/t.db .dump | cmp -s - whole && echo equal
ls disk | tr '\n' ' ' | sed 's/^/left /'
EOT
export slotrace incident
if ! unshare -rm true 2>/dev/null || ! unshare -rm sh -c 'mkdir -p probe &&
    mount -t tmpfs none probe' 2>/dev/null; then
	skip 'a full disk' 'no namespace to mount a small disk in (util-linux, root)'
else
	for size in 100 400 900 1500; do
		unshare -rm sh full.sh $size >out 2>&1
		rm -rf disk
		is "full after $size KiB: exit status" 'status 1' "$(grep ^status out)"
		# In the middle of a source it names that too.
		is "full after $size KiB: it says so" \
		    'said slotrace: ingest: disk/t.db: database or disk is full' \
		    "$(sed -n "s|^\(said slotrace: ingest: \)$incident/.*: disk/|\1disk/|; /^said/p" out)"
		is "full after $size KiB: the file is whole, and so is each source" \
		    'file ok halves 0 ' "$(grep -E '^(file|halves)' out | tr '\n' ' ')"
		is "full after $size KiB: with room again it is finished" 'again 0 equal left t.db ' \
		    "$(grep -E '^(again|equal|left)' out | tr '\n' ' ' | sed 's/  *$/ /')"
	done
	cat >spool.sh <<'EOT'
mkdir disk && mount -t tmpfs -o size=8k none disk || exit 99
tar -czf in.tar.gz -C "$incident/.." genuine
TMPDIR=disk "$slotrace" ingest -q spool.db in.tar.gz
echo "status $?"
EOT
	unshare -rm sh spool.sh >out 2>&1
	rm -rf disk
	is 'no room for temporary files: exit status' 'status 3' "$(cat out)"
	is 'it costs what needed room, and says so' 'temporary file: No space left on device' \
	    "$(sql spool.db "SELECT reason FROM problem WHERE code = 'archive'")"
	is 'the rest is read' 20 "$(sql spool.db "SELECT count(*) FROM source WHERE status = 'read'")"
fi
if [ -e /dev/full ]; then
	"$slotrace" analyze whole.db
	status=0
	"$slotrace" report whole.db >/dev/full 2>err || status=$?
	is 'no room for the report' '1 1' "$status $(grep -c 'No space left' err)"
	"$slotrace" report -o /dev/full whole.db 2>err || status=$?
	is 'no room for the report file' '1 1' "$status $(grep -c 'No space left' err)"
fi

# Another writer: waited for; for twenty seconds, then it is told.
cp whole.db t.db && cp whole.db busy.db
hold()
{
	{ echo 'BEGIN IMMEDIATE;'; sleep "$2"; echo 'COMMIT;'; } | sqlite3 "$1" &
	sleep 0.5
}
hold busy.db 25
{ status=0; "$slotrace" set busy.db episode_us=1 2>busy.err || status=$?; echo $status >busy.status; } &
busy=$!
hold t.db 2
"$slotrace" set t.db episode_us=300000
is 'another writer is waited for' '0 300000' \
    "$? $(sql t.db "SELECT value FROM parameter WHERE name = 'episode_us'")"

# Readers go on while a source is read: here standard input, which does not end.
rm -f t.db && mkfifo pipe
"$slotrace" ingest -q --incident x t.db "$incident/server" - <pipe &
ingest=$!
exec 3>pipe
gzip -dc "$incident/views/n1.txt.gz" >&3
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	got=$(sqlite3 -readonly t.db 'SELECT count(*) FROM source' 2>/dev/null)
	[ "${got:-0}" -lt 6 ] || break
	sleep 0.2
done
is 'read while it is written: what is done is there' 6 "$got"
# A reader that stays to the end keeps it from becoming one file; it is whole.
{ echo 'BEGIN; SELECT count(*) FROM source;'; sleep 3; } | sqlite3 t.db >seen &
reader=$!
exec 3>&-
wait $ingest
is 'and it is finished' '0 7' "$? $(sqlite3 -readonly t.db 'SELECT count(*) FROM source')"
wait $reader
is 'the reader saw one state' 6 "$(cat seen)"
"$slotrace" analyze t.db
is 'the next command leaves one file' t.db "$(ls t.db*)"
is 'its journal is that of a plain file' delete "$(sql t.db 'PRAGMA journal_mode')"
chmod 444 t.db
mkdir shelf && cp t.db shelf && chmod 555 shelf
is 'it can be read where nothing can be written' 1 \
    "$(sqlite3 -readonly shelf/t.db 'SELECT count(*) FROM summary')"
chmod 755 shelf && chmod 644 t.db

# What a user keeps in it stays.
sqlite3 t.db "CREATE TABLE note (error TEXT, text TEXT); INSERT INTO note VALUES ('E-1', 'mine');
    CREATE VIEW mine AS SELECT count(*) AS n FROM failover_error;
    UPDATE parameter SET value = 123456 WHERE name = 'episode_us';
    INSERT INTO parameter VALUES ('mine', 1, 'times', 'a limit of my own')"
"$slotrace" analyze t.db && "$slotrace" ingest -q --incident x t.db "$incident/clients" &&
    "$slotrace" analyze t.db
is 'a table of the user stays' 'E-1|mine' "$(sql t.db 'SELECT * FROM note')"
is 'a view of the user stays' 1 "$(sql t.db 'SELECT count(*) FROM mine')"
is 'limits that were changed stay' '123456 1' "$(sql t.db "SELECT group_concat(value, ' ') FROM
    (SELECT value FROM parameter WHERE name IN ('episode_us', 'mine') ORDER BY name)")"

# Links in the way of what is written are not followed; pipes are written to.
echo precious >target && ln -s target report.txt
"$slotrace" report -o report.txt whole.db
is 'a link in place of the report is replaced' 'precious no' \
    "$(cat target) $([ -L report.txt ] && echo yes || echo no)"
cat pipe >piped &
"$slotrace" report -o pipe whole.db && wait $!
cmp -s report.txt piped
ok 'a pipe in its place is written to' $?
[ -p pipe ]
ok 'and stays a pipe' $?
# Found in a folder, a link is not followed out of it; named, it is.
mkdir away && cp "$incident"/server/n1.log away && mkdir in && cp "$incident"/server/n2.log in
ln -s ../away in/away && ln -s ../away/n1.log in/n1.log
rm -f t.db && "$slotrace" ingest -q t.db in
is 'links in a folder do not lead out of it' in/n2.log \
    "$(sql t.db "SELECT name FROM source WHERE status = 'read'")"
is 'they are told' 'in/away in/n1.log' "$(sql t.db "SELECT group_concat(name, ' ') FROM
    (SELECT name FROM problem JOIN source USING (source_id) WHERE code = 'link' ORDER BY 1)")"
"$slotrace" ingest -q t.db in/n1.log in/away
is 'named, they are followed' 2 "$(sql t.db "SELECT count(*) FROM source WHERE status = 'read'")"

wait $busy
is 'a writer that does not end: told' '1 slotrace: set: busy.db: another process is writing to it' \
    "$(cat busy.status) $(cat busy.err)"
done_testing
