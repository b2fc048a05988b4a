#!/bin/sh
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
# merge.sh - after the array: DIR/*.db into OUT.db, and what is missing.
set -eu
dir=$1 out=$2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# Merging is associative: xargs may split a very long list.
find "$dir" -name '[!.]*.db' -print0 | sort -z |
    xargs -0 "${SLOTRACE:-slotrace}" merge "$tmp/t.db"
cp "$tmp/t.db" "$out.new" && mv "$out.new" "$out"
missing=0
while read -r path; do
	[ -e "$dir/$(basename "$path").db" ] && continue
	echo "no timeline of $path: see its log in $dir" >&2
	missing=1
done <"$dir/list"
exit $missing
