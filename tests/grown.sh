#!/bin/sh
# grown.sh - inputs that have grown since they were read: one source, and the
# same answers as if they had been read once, as they are now.
set -u
. "$(dirname "$0")/lib.sh"
incident=$srcdir/samples/genuine
cd "$work"

# The incident as plain files.
mkdir full
(cd "$incident" && find . -type f) | while read -r file; do
	mkdir -p "full/$(dirname "$file")"
	case $file in
	*.gz) gzip -dc "$incident/$file" >"full/${file%.gz}" ;;
	*.xz) xz -dc "$incident/$file" >"full/${file%.xz}" ;;
	*) cp "$incident/$file" "full/$file" ;;
	esac
done
find full -type f | sort >files
is 'an incident of many kinds' '21' "$(wc -l <files | tr -d ' ')"

# cut PERCENT DIR: all of it as it was when it had so much
cut_to()
{
	rm -rf "$2"
	while read -r file; do
		to=$2/${file#full/}
		mkdir -p "$(dirname "$to")"
		head -c $(($(wc -c <"$file") * $1 / 100)) "$file" >"$to"
		touch -r "$file" "$to"
	done <files
}

# ingest DB PATH...: and analyze
ingest()
{
	"$slotrace" ingest -q --incident x "$@" || [ $? = 3 ] || return 1
	"$slotrace" analyze "$1"
}

# like NAME DB: the rows of each kind and every answer are those of once.db
like()
{
	counts "$2" | diff once.counts - >difference &&
	    surface "$2" | diff once.out - >>difference
	ok "$1" $?
	cut -c1-200 difference | sed 's/^/# /' | head -n 20
	is "$1: nothing hangs in the air" '' "$(sql "$2" 'PRAGMA foreign_key_check')"
}

counts()
{
	for t in source view view_node view_slots redirect contact client_error \
	    server_event command_rate setting problem node endpoint observer; do
		sql "$1" "SELECT '$t', count(*) FROM $t"
	done
}

rm -rf in && cp -pr full in
ingest once.db in
surface once.db >once.out
counts once.db >once.counts
is 'there is something to compare' yes "$([ "$(wc -l <once.out)" -gt 500 ] && echo yes)"

# Cut anywhere: in lines, in packets, in the middle of a failover.
for percent in 1 37 90; do
	rm -f t.db
	cut_to $percent in
	ingest t.db in
	rm -rf in && cp -pr full in
	ingest t.db in
	like "grown from $percent percent" t.db
done

# Step by step, in one timeline; what was read once is not read again.
rm -f t.db
for percent in 25 60 100; do
	cut_to $percent in
	ingest t.db in
done
like 'grown in three steps' t.db
sql t.db .dump >before
"$slotrace" ingest -q --incident x t.db in
sql t.db .dump >after
cmp -s before after
ok 'again: nothing changes' $?
cut_to 60 in
"$slotrace" ingest -q --incident x t.db in
sql t.db .dump >after
cmp -s before after
ok 'an earlier state again: it is known, nothing changes' $?

# Packed, and in an archive: the bytes count, not the packing.
rm -f t.db
cut_to 50 in
tar -czf in.tar.gz in && ingest t.db in.tar.gz
find in -type f -exec gzip {} +
rm -rf in && cp -pr full in && find in -name '*.log' -exec gzip -n {} +
ingest t.db in
sql t.db "SELECT count(*) FROM source WHERE status = 'read'" >got
is 'grown out of an archive, compressed: one source each' \
    "$(sql once.db "SELECT count(*) FROM source WHERE status = 'read'")" "$(cat got)"
is 'the same verdicts' "$(sql once.db 'SELECT count(*), verdict FROM failover_error GROUP BY 2')" \
    "$(sql t.db 'SELECT count(*), verdict FROM failover_error GROUP BY 2')"

# Rotation: what was app.log is app.log.1 now, with a little more; app.log is new.
log=full/server/n1.log
rm -rf in t.db && mkdir in
head -n 12 $log >in/app.log
ingest t.db in
head -n 25 $log >in/app.log.1 && tail -n +26 $log >in/app.log
rm -f once.db && ingest once.db in
surface once.db >once.out && counts once.db >once.counts
ingest t.db in
like 'rotated: the old name goes on under the new one' t.db
cp -p t.db before.db
mv in/app.log.1 in/app.log.2 && mv in/app.log in/app.log.1
"$slotrace" ingest -q --incident x t.db in
is 'rotated once more: the same content' "$(sql before.db 'SELECT count(*) FROM server_event')" \
    "$(sql t.db 'SELECT count(*) FROM server_event')"
is 'no source is read again' 2 "$(sql t.db "SELECT count(*) FROM source WHERE status = 'read'")"

# A copy of an earlier state beside it: the shorter one adds nothing.
for names in 'a b' 'b a'; do
	rm -rf in t.db && mkdir in
	# shellcheck disable=SC2086
	set -- $names
	head -n 20 $log >in/$1 && cp $log in/$2
	ingest t.db in
	sql t.db 'SELECT replace(source, "in/", ""), status FROM input ORDER BY 1' >"got.$1"
	is "two states in one folder ($names): events once" "$(sql once.db \
	    'SELECT count(*) FROM server_event')" "$(sql t.db 'SELECT count(*) FROM server_event')"
	is "two states in one folder ($names): one is a copy" "$1|duplicate" \
	    "$(sql t.db "SELECT replace(source, 'in/', '') || '|' || status FROM input
	    WHERE status <> 'read'")"
done

# What was declared stays; a source that could not be read before is not told of
# any more when it can.
rm -rf in t.db && mkdir in
: >in/n1.log
"$slotrace" ingest -q --incident x t.db in 2>/dev/null
is 'empty at first: told' empty "$(sql t.db 'SELECT code FROM problem')"
head -n 20 $log >in/n1.log && "$slotrace" ingest -q --incident x t.db in
is 'then it is read, and no longer told' '0 1' "$(sql t.db "SELECT (SELECT count(*)
    FROM problem) || ' ' || (SELECT count(*) FROM source)")"
"$slotrace" clock t.db in/n1.log 1700ms >/dev/null
cp $log in/n1.log && "$slotrace" ingest -q --incident x t.db in
is 'the clock that was declared goes on' '1700000 in/n1.log' "$(sql t.db "SELECT offset_us
    || ' ' || name FROM clock_declared JOIN source USING (source_id)")"
"$slotrace" forget t.db in/n1.log >/dev/null
is 'forgotten, nothing of it is left' 0 "$(sql t.db 'SELECT (SELECT count(*) FROM source)
    + (SELECT count(*) FROM source_prefix) + (SELECT count(*) FROM server_event)
    + (SELECT count(*) FROM node) + (SELECT count(*) FROM observer)')"

# Compressed, and cut in the middle: what could be read is there, and goes when the
# whole file comes.
rm -rf in t.db && mkdir in
i=0
while [ $i -lt 4000 ]; do
	i=$((i + 1))
	echo "2026-11-30 01:$((10 + i / 100 % 50)):$((10 + i % 50)),$((100 + i % 900)) ERROR [t$i] MOVED $((i * 7 % 16384)) 10.0.0.$((i % 6)):6379"
done >app.log
gzip -c app.log >whole.gz
head -c $(($(wc -c <whole.gz) / 2)) whole.gz >in/app.log.gz
status=0
"$slotrace" ingest -q --incident x t.db in || status=$?
is 'cut in the middle: exit status' 3 "$status"
is 'it is read as far as it goes' 'partial truncated 1' "$(sql t.db "SELECT s.status || ' ' ||
    p.code || ' ' || ((SELECT count(*) FROM redirect) > 500) FROM source s JOIN problem p USING (source_id)")"
cp whole.gz in/app.log.gz
"$slotrace" ingest -q --incident x t.db in
is 'the whole file takes its place' '0 read 1 0 4000' "$? $(sql t.db "SELECT status || ' ' ||
    (SELECT count(*) FROM source) || ' ' || (SELECT count(*) FROM problem) || ' ' ||
    (SELECT count(*) FROM redirect) FROM source")"

# A set of captures that gets one more file, while its last one had grown: read
# whole, as flows span files.
rm -rf in once.db t.db && mkdir in
capture=full/capture.pcap
size=$(wc -c <$capture)
# Whole packets a file: their lengths are in the little-endian headers.
od -An -v -tu1 -w1 $capture | awk -v size="$size" '
	{ b[NR - 1] = $1 }
	END {
		at = 24
		while (at < size) {
			if (at > size * ++part / 3)
				print at
			else
				part--
			at += 16 + b[at + 8] + 256 * b[at + 9] + 65536 * b[at + 10]
		}
	}' >at
is 'a capture in three files' 2 "$(wc -l <at | tr -d ' ')"
one=$(sed -n 1p at) two=$(sed -n 2p at)
# part NAME FROM TO: a capture of these bytes
part()
{
	{ head -c 24 $capture; head -c "$3" $capture | tail -c +$(($2 + 1)); } >"in/$1"
}
part t.pcap0 24 "$one" && part t.pcap1 "$one" $((one + (two - one) / 2))
ingest t.db in
part t.pcap1 "$one" "$two" && part t.pcap2 "$two" "$size"
ingest t.db in
ingest once.db in
surface once.db >once.out && counts once.db >once.counts
like 'a set that grew' t.db
sql t.db .dump >before
"$slotrace" ingest -q --incident x t.db in
sql t.db .dump >after
cmp -s before after
ok 'a set that did not grow: nothing changes' $?
# The ring goes round: the oldest file is gone and must not be lost here.
rm in/t.pcap0 && part t.pcap3 24 "$one"
"$slotrace" ingest -q --incident x t.db in
is 'a file of the set that is gone now stays read' 3 "$(sql t.db "SELECT count(*) FROM source
    WHERE status IN ('read', 'partial')")"

# Shards: one has the log as it was, one as it is.
rm -rf in && mkdir in
head -n 20 $log >in/n1.log
"$slotrace" ingest -q --incident x a.db in && cp a.db b.db
cp $log in/n1.log && "$slotrace" ingest -q --incident x b.db in
"$slotrace" merge ab.db a.db b.db && "$slotrace" merge ba.db b.db a.db
surface ab.db >ab && surface ba.db | cmp -s ab -
ok 'merged: the longer one, in any order' $?
is 'merged: once' "$(sql b.db 'SELECT count(*) FROM server_event')" \
    "$(sql ab.db 'SELECT count(*) FROM server_event')"

# Killed while it replaces: the old rows or the new ones, whole.
rm -f once.db t.db
cut_to 50 in && ingest t.db in && cp t.db half.db
rm -rf in && cp -pr full in && ingest once.db in
surface once.db >once.out && counts once.db >once.counts
for delay in 0.02 0.06; do
	rm -f t.db* && cp half.db t.db
	timeout -s KILL $delay "$slotrace" ingest -q --incident x t.db in 2>/dev/null
	is "killed after $delay s: the file is whole" ok "$(sqlite3 -cmd '.timeout 5000' t.db 'PRAGMA integrity_check')"
	is "killed after $delay s: each file once" 21 "$(sqlite3 t.db 'SELECT count(*) FROM source')"
	ingest t.db in
	like "killed after $delay s: finished, it equals the whole" t.db
done

# A timeline of before sources could grow is brought up to date.
cp half.db old.db
sqlite3 old.db 'DROP TABLE source_prefix; DROP INDEX source_head; DROP INDEX source_short;
    DROP INDEX source_name; DROP INDEX setting_name; DROP INDEX server_event_epoch;
    PRAGMA user_version = 1'
cp old.db t.db
"$slotrace" report t.db >/dev/null
ok 'a timeline of version 1 can be read' $?
status=0
"$slotrace" merge ab.db old.db 2>err || status=$?
is 'one of version 1 is not merged' '1 1' "$status $(grep -c 'older slotrace' err)"
ingest t.db in
like 'and goes on when it is written to' t.db
done_testing
