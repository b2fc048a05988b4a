#!/bin/sh
# archives.sh - the same incident gives the same rows however it is packed, and
# hostile packing costs a problem, not the rest.
set -u
. "$(dirname "$0")/lib.sh"
cd "$work"

mkdir plain
for node in 1 2 3; do
	for i in 1 2 3 4 5; do
		echo "# 176446089${i}000 n$node"
		for k in 1 2 3; do
			me=
			[ $k = $node ] && me=myself,
			printf '%040d 10.0.0.%d:6379@16379 %smaster - 0 0 %d connected %d-%d\n' \
			    $k $k "$me" $k $(((k - 1) * 5000)) $((k * 5000 - 1))
		done
	done >plain/n$node.txt
done
touch -d 2026-01-02T03:04:05Z plain/*

# rows DB: everything that was found, without names of sources
rows()
{
	sql "$1" "SELECT s.status, s.kind, s.bytes, s.xxh3, v.position,
	    v.last_position, v.first_at, v.last_at, v.samples, o.name
	    FROM source s LEFT JOIN view v USING (source_id)
	    LEFT JOIN observer o USING (observer_id) ORDER BY 4, 5"
}

"$slotrace" ingest -q plain.db plain
ok 'a folder is read' $?
rows plain.db >expected
is 'it has three sources' 3 "$(sql plain.db 'SELECT count(*) FROM source WHERE status = '"'read'")"

# same NAME PATH: ingested alone it gives the same
same()
{
	rm -f t.db
	if "$slotrace" ingest -q t.db "$2" 2>err; then
		rows t.db >got
		is "$1" "$(cat expected)" "$(cat got)"
	else
		ok "$1" 1
		sed 's/^/# /' err
	fi
}

# packed NAME TOOL FILE COMMAND: if the tool is there, pack and compare
packed()
{
	if ! command -v "$2" >/dev/null 2>&1; then
		skip "$1" "no $2"
		return
	fi
	eval "$4" >/dev/null 2>&1
	same "$1" "$3"
}

packed 'tar' tar a.tar 'tar -cf a.tar plain'
packed 'tar.gz' gzip a.tar.gz 'tar -czf a.tar.gz plain'
packed 'tar.bz2' bzip2 a.tar.bz2 'tar -cjf a.tar.bz2 plain'
packed 'tar.xz' xz a.tar.xz 'tar -cf - plain | xz >a.tar.xz'
packed 'tar.lzma' xz a.tar.lzma 'tar -cf - plain | xz --format=lzma >a.tar.lzma'
packed 'tar.zst' zstd a.tar.zst 'tar -cf - plain | zstd -q >a.tar.zst'
packed 'tar.lz4' lz4 a.tar.lz4 'tar -cf - plain | lz4 -q >a.tar.lz4'
packed 'cpio (newc)' cpio a.cpio 'find plain | sort | cpio -o -H newc >a.cpio'
packed 'cpio (odc)' cpio b.cpio 'find plain | sort | cpio -o -H odc >b.cpio'
packed 'zip' zip a.zip 'zip -r a.zip plain'
packed '7z' 7z a.7z '7z a a.7z plain'
packed 'zip in tar.gz' zip nested.tar.gz 'tar -czf nested.tar.gz a.zip'
packed '7z in tar' 7z nested7.tar 'tar -cf nested7.tar a.7z'
mkdir members
for f in plain/*; do
	gzip -c "$f" >members/"$(basename "$f")".gz
done
packed 'tar.zst of gzipped members' zstd gz.tar.zst 'tar -cf - members | zstd -q >gz.tar.zst'
same 'a folder of gzipped files' members
cp a.tar.gz named-as-a.log
same 'the content decides, not the name' named-as-a.log

rm -f t.db
cat a.tar | "$slotrace" ingest -q t.db - && rows t.db >got
is 'an archive on standard input' "$(cat expected)" "$(cat got)"
is 'members are named after archive and path' '-:plain/n1.txt' \
    "$(sql t.db 'SELECT name FROM source ORDER BY source_id LIMIT 1')"

# The same content is one source, under any name.
"$slotrace" ingest -q plain.db a.tar.gz members plain
is 'nothing is read twice' "$(cat expected)" "$(rows plain.db | grep -v '^duplicate')"
sql plain.db .dump >once
"$slotrace" ingest -q plain.db a.tar.gz members plain
sql plain.db .dump >twice
cmp -s once twice
ok 'a second time changes nothing at all' $?

# Texts that libarchive would take for something else.
printf 'begin 644 app.log\n2026-01-02 03:04:05,000 ERROR MOVED 1 10.0.0.1:6379\n' >uu.log
printf '#mtree\n. type=dir\n    app.log type=file size=12\n' >mtree.log
"$slotrace" inspect uu.log mtree.log >got 2>&1 || true
is 'a begin line and a listing stay texts' 2 "$(grep -cE '(uu|mtree)\.log  \(' got)"

# problem NAME CODE: the timeline tells it
problem()
{
	is "$1" "$2" "$(sql t.db 'SELECT DISTINCT code FROM problem ORDER BY 1' | tr '\n' ' ' | sed 's/ $//')"
}

# Hostile and damaged.
rm -f t.db
mkdir tricks && ln -s /etc/passwd tricks/link && ln tricks/link tricks/again 2>/dev/null || true
cp plain/n1.txt tricks/n1.txt
tar -cf tricks.tar tricks
"$slotrace" ingest -q t.db tricks.tar
is 'links in archives do not count as damage' 0 $?
problem 'they are told' link
is 'and not followed' 1 "$(sql t.db "SELECT count(*) FROM source WHERE status = 'read'")"
rm -f t.db
"$slotrace" ingest -q t.db tricks && problem 'links in folders are told' link

rm -f t.db
tar -cf up.tar --transform 's|plain/|../../|' -P plain/n1.txt
"$slotrace" ingest -q t.db up.tar
problem 'a path out of the archive is told' name

# Members that are no files, an archive that is empty, one that is encrypted, no
# place for what must be spooled.
rm -f t.db
mkfifo pipe && tar -cf pipe.tar pipe plain/n1.txt
"$slotrace" ingest -q t.db pipe.tar
is 'a pipe in an archive' '0 unsupported pipe.tar:pipe' "$? $(sql t.db "SELECT code || ' ' || name FROM problem JOIN source USING (source_id)")"
rm -f t.db
printf 'PK\005\006\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000' >none.zip
"$slotrace" ingest -q t.db none.zip plain/n1.txt 2>/dev/null
is 'an empty zip: the rest is read' 1 "$(sql t.db "SELECT count(*) FROM source WHERE status = 'read'")"
if command -v zip >/dev/null 2>&1; then
	rm -f t.db
	zip -q -P secret secret.zip plain/n1.txt
	"$slotrace" ingest -q t.db secret.zip plain/n2.txt 2>/dev/null
	is 'an encrypted member is told' 'encrypted' "$(sql t.db 'SELECT code FROM problem')"
else
	skip 'an encrypted member is told' 'no zip'
fi
for bad in depth=0 depth=x depth members=-1 nothing=1 ratio=99999999999999999999; do
	"$slotrace" ingest -q --limit $bad t.db plain >out 2>&1
	is "--limit $bad: is refused" 2 $?
done

# A member's path: 4,096 bytes, of one that is longer its end.
for n in 4096 4097; do
	rm -f t.db
	long=$(head -c $((n - 7)) /dev/zero | tr '\0' y | sed 's/......../&\//g' | head -c $((n - 7)))
	tar -cf long.tar --transform "s|.*|$long/n1.txt|" plain/n1.txt
	"$slotrace" ingest -q t.db long.tar
	is "a path of $n bytes" "$n 4105" "$n $(sql t.db "SELECT length(name) FROM source WHERE status = 'read'")"
	is "a path of $n bytes: is told" $((n - 4096)) "$(sql t.db "SELECT count(*) FROM problem WHERE code = 'name'")"
done

rm -f t.db
status=0
head -c 300 a.tar.gz >cut.tar.gz
"$slotrace" ingest -q t.db cut.tar.gz plain/n1.txt 2>/dev/null || status=$?
is 'a cut archive: exit status 3' 3 "$status"
is 'the rest is read' 1 "$(sql t.db "SELECT count(*) FROM source WHERE status = 'read'")"

rm -f t.db
status=0
tar -cf one.tar plain/n1.txt
head -c 512 one.tar >stump.tar
"$slotrace" ingest -q t.db stump.tar plain/n1.txt 2>/dev/null || status=$?
is 'a member cut before its first byte: exit status' 3 "$status"
is 'it is no empty file' 'truncated stump.tar:plain/n1.txt' "$(sql t.db "SELECT code || ' ' || name
    FROM problem JOIN source USING (source_id) WHERE code <> 'archive'")"

# Each limit at its edge: so much is read, one more is told.
# edge NAME LIMIT ENOUGH PATH
edge()
{
	rm -f t.db
	"$slotrace" ingest -q --limit "$2=$3" t.db "$4" 2>/dev/null
	is "$1: enough" 0 $?
	is "$1: nothing is told" 0 "$(sql t.db 'SELECT count(*) FROM problem')"
	rm -f t.db
	status=0
	"$slotrace" ingest -q --limit "$2=$(($3 - 1))" t.db "$4" plain/n2.txt 2>/dev/null ||
	    status=$?
	is "$1: one less: exit status" 3 "$status"
	is "$1: one less: it is told" 1 "$(sql t.db "SELECT count(*) FROM problem WHERE
	    reason LIKE '%limit $2)%'")"
	is "$1: one less: the rest is read" 1 \
	    "$(sql t.db "SELECT count(*) FROM source WHERE name = 'plain/n2.txt' AND status = 'read'")"
}
size=$(wc -c <plain/n1.txt)
edge 'bytes unpacked' bytes "$size" one.tar
tar -cf two.tar plain/n1.txt plain/n3.txt
edge 'members' members 2 two.tar
cp plain/n1.txt deep
for i in 1 2 3 4 5 6 7 8; do
	gzip -c deep >deeper && mv deeper deep
done
edge 'layers of packing' depth 8 deep
rm -f t.db
"$slotrace" ingest -q t.db deep
is 'eight layers are the default' 0 $?
gzip -c deep >deeper && status=0
"$slotrace" ingest -q t.db deeper 2>/dev/null || status=$?
is 'nine are not' 1 "$status"
if command -v zip >/dev/null 2>&1; then
	# A zip in a tar cannot be read in one direction: it is spooled.
	zip -q one.zip plain/n1.txt && tar -cf spooled.tar one.zip
	edge 'temporary space' spool "$(wc -c <one.zip)" spooled.tar
else
	skip 'temporary space' 'no zip'
fi
# Folders: 64 below the one that is named.
at=folders
for i in $(seq 64); do
	at=$at/d
done
mkdir -p $at && cp plain/n1.txt $at
rm -f t.db && "$slotrace" ingest -q t.db folders
is '64 folders in each other' 0 $?
mkdir $at/d && cp plain/n2.txt $at/d
rm -f t.db && "$slotrace" ingest -q t.db folders 2>/dev/null
is '65: it is told' 'folders are nested too deep 1' "$(sql t.db "SELECT reason || ' ' ||
    (SELECT count(*) FROM source WHERE status = 'read') FROM problem")"

rm -f t.db
status=0
"$slotrace" ingest -q --limit members=3 t.db a.tar 2>/dev/null || status=$?
is 'too many members: exit status' 3 "$status"
is 'those up to the limit are read (the folder counts)' 2 \
    "$(sql t.db "SELECT count(*) FROM source WHERE status = 'read'")"

# A file of log rules: 4 MiB.
head -c 4194304 /dev/zero | tr '\0' '\n' >rules.tsv
"$slotrace" ingest -q --rules rules.tsv r.db plain 2>err
is 'log rules of 4 MiB' 0 $?
echo >>rules.tsv
status=0
"$slotrace" ingest -q --rules rules.tsv r.db plain 2>err || status=$?
is 'a byte more: refused' '1 1' "$status $(grep -c 'too long' err)"

# Unpacked to packed, once past 256 MiB, rounded up.  So small a file is read in
# one piece, and its size known from the first byte.
{ cat plain/n1.txt; head -c 270000000 /dev/zero | tr '\0' '\n'; } | gzip -1 | gzip -9 >blown.gz
edge 'unpacked to packed' ratio $(((270000000 + size - 1) / $(wc -c <blown.gz) + 1)) blown.gz
rm -f blown.gz

rm -f t.db
status=0
head -c 280000000 /dev/zero | gzip -1 | gzip -9 >bomb.gz
"$slotrace" ingest -q t.db bomb.gz plain 2>/dev/null || status=$?
is 'a bomb: exit status 3' 3 "$status"
is 'beside it all is read' 3 "$(sql t.db "SELECT count(*) FROM source WHERE status = 'read'")"
done_testing
