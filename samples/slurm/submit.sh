#!/bin/sh
# submit.sh - investigate many incidents under Slurm, and merge the timelines.
#
#	samples/slurm/submit.sh INCIDENTS OUT.db [sbatch options...]
#
# INCIDENTS is a folder with an entry (folder or archive) an incident.  Each is a
# task of a job array that leaves OUT.db.d/NAME.db, its report and its line of
# JSON; a job that waits for the array merges them into OUT.db.  Run again after
# a failure, it takes up what is missing.  The ids of both jobs are printed.
set -eu
[ $# -ge 2 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
incidents=$1 out=$2
shift 2
mkdir -p "$out.d"
# What has a timeline already is not done again.
for path in "$incidents"/*; do
	[ -e "$out.d/$(basename "$path").db" ] || printf '%s\n' "$path"
done >"$out.d/list"
n=$(wc -l <"$out.d/list")
after=
if [ "$n" -gt 0 ]; then
	array=$(sbatch --parsable --array="1-$n" --job-name=slotrace \
	    --output="$out.d/%a.log" "$@" "$here/incident.sh" "$out.d")
	after=--dependency=afterany:$array
	echo "array $array"
fi
# afterany: one incident that fails is told by the merge and keeps no other out.
# shellcheck disable=SC2086
merge=$(sbatch --parsable --job-name=slotrace-merge --output="$out.d/merge.log" \
    $after "$@" "$here/merge.sh" "$out.d" "$out")
echo "merge $merge"
