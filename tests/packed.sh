#!/bin/sh
# packed.sh - each recorded incident, packed: the timeline is the one that its
# folder gives, row by row, names of sources aside.
#
#	TIMES=1 packed.sh	also the seconds: read packed; unpacked, then read
set -u
. "$(dirname "$0")/lib.sh"
cd "$work"

# rows DB: all of a timeline; sources by what they are called in the folder
rows()
{
	sql "$1" .dump | sed "s/'in\.[a-z.]*:in\//'in\//; s/\.[gx]z',/',/g"
}

# pack FORM: in, packed, as in.FORM
pack()
{
	case $1 in
	tar.gz) tar --sort=name -cf - in | gzip -1 >in.tar.gz ;;
	zip) find in | LC_ALL=C sort | zip -1 -q -X -@ in.zip ;;
	tar.zst)
		cp -pr in members
		find members -type f ! -name '*.[gx]z' -exec gzip -1 {} +
		tar --sort=name --transform 's/^members/in/' -cf - members |
		    zstd -q -1 >in.tar.zst
		rm -r members
		;;
	esac
}

# seconds COMMAND...
seconds()
{
	began=$(date +%s%N)
	"$@" >/dev/null 2>&1
	echo $((($(date +%s%N) - began) / 1000000))
}

# What one does without: unpack, read, remove.
unpack_and_read()
{
	mkdir out && case $1 in
	zip) unzip -q -d out in.zip ;;
	*) tar -C out -xf "in.$1" ;;
	esac && "$slotrace" ingest -q --incident x out.db out/in
	rm -r out out.db
}

for path in "$srcdir"/tests/incidents/*/; do
	name=$(basename "$path")
	rm -rf in in.* ./*.db && mkdir in
	cp -pr "$path"capture.* "$path"clients "$path"server "$path"views in
	chmod -R u+w in
	# Zip keeps even seconds.
	find in -exec touch -d 2026-11-30T03:04:06Z {} +
	"$slotrace" ingest -q --incident x folder.db in
	rows folder.db >expected
	is "$name: there is something to compare" yes \
	    "$([ "$(wc -l <expected)" -gt 500 ] && echo yes)"
	for form in tar.gz zip tar.zst; do
		case $form in
		zip) tool=zip ;;
		tar.zst) tool=zstd ;;
		*) tool=gzip ;;
		esac
		if ! command -v $tool >/dev/null 2>&1; then
			skip "$name: $form" "no $tool"
			continue
		fi
		pack $form
		"$slotrace" ingest -q --incident x packed.db in.$form
		rows packed.db | diff expected - >difference
		ok "$name: $form" $?
		cut -c1-200 difference | sed 's/^/# /' | head -n 10
		rm packed.db
		[ -z "${TIMES-}" ] || echo "# $name: $form: $(seconds "$slotrace" ingest -q \
		    --incident x packed.db in.$form) ms packed, $(seconds unpack_and_read $form)" \
		    "ms unpacked first"
		rm -f packed.db
	done
done
done_testing
