#!/bin/sh
#SBATCH --cpus-per-task=1
#SBATCH --mem=512M
#SBATCH --time=60
# incident.sh - one task of the array: the incident on line SLURM_ARRAY_TASK_ID of
# DIR/list becomes DIR/NAME.db, DIR/NAME.txt and a line of JSON.
#
# The timeline is made on the node's own disk and moved when it is whole: SQLite
# does not like network file systems, and half a timeline must not be merged.
set -eu
dir=$1
path=$(sed -n "${SLURM_ARRAY_TASK_ID}p" "$dir/list")
name=$(basename "$path")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
status=0
"${SLOTRACE:-slotrace}" investigate --quiet --summary-json --incident "$name" \
    "$tmp/t.db" "$path" >"$tmp/json" || status=$?
# 3: some input was damaged; the summary says how much.
[ $status = 0 ] || [ $status = 3 ] || exit $status
"${SLOTRACE:-slotrace}" report "$tmp/t.db" >"$tmp/txt"
for kind in txt json db; do
	cp "$tmp/$([ $kind = db ] && echo t.db || echo $kind)" "$dir/.$name.$kind"
	mv "$dir/.$name.$kind" "$dir/$name.$kind"
done
