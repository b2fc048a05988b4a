#!/bin/bash
# lab.sh - a real cluster with faults, and whether slotrace finds what was done.
#
# lab.sh [-s] [-o FOLDER] [-n TIMES] [-k] [SCENARIO...]
#	-s	the short list (as .ci/run does)	-l	list the scenarios
#	-o	where the bundles go (default lab-bundles)
#	-n	each scenario so many times
#	-k	keep the bundles of scenarios in which nothing is wrong
# Environment: SLOTRACE, LAB_HELPER (the programs), LAB_SERVER (redis-server or
# valkey-server), LAB_PORT (loopback), CI=true: a missing right is a failure.
#
# Each scenario runs in network, mount and process namespaces of its own: six
# nodes, two client hosts and a sampler's on one bridge.  Where these are
# refused the scenarios that need no packet drops run on loopback ports.
export LC_ALL=C TZ=UTC
here=$(cd "$(dirname "$0")" && pwd)
slotrace=${SLOTRACE:-$PWD/slotrace}
helper=${LAB_HELPER:-$PWD/lab_helper}
out=lab-bundles times=1 short= keep=
limit=120		# seconds a scenario may take, set up and all
. "$here/scenario.sh"
. "$here/libraries.sh"

die()
{
	echo "lab: $*" >&2
	exit 1
}

while getopts slo:n:k option; do
	case $option in
	s) short=1 ;;
	l) echo $scenarios; exit 0 ;;
	o) out=$OPTARG ;;
	n) times=$OPTARG ;;
	k) keep=1 ;;
	*) sed -n '4,12s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ -z "$short" ] || scenarios=$short_scenarios
for s in "$@"; do
	case " $(echo $scenarios) " in
	*" $s "*) ;;
	*) die "no scenario $s; there are: $(echo $scenarios)" ;;
	esac
done
[ $# -eq 0 ] || scenarios=$*

for program in "$slotrace" "$helper"; do
	[ -x "$program" ] || die "no $program: run make lab, or set SLOTRACE and LAB_HELPER"
done
command -v sqlite3 >/dev/null || die "no sqlite3 (Debian sqlite3)"
server=${LAB_SERVER:-$(command -v redis-server || command -v valkey-server)} ||
    die "no redis-server and no valkey-server (Debian redis-server); or set LAB_SERVER"
"$server" --version >/dev/null 2>&1 || die "$server does not run"

# What is needed for namespaces with packet drops, tried, not guessed.
namespaces="--net --mount --pid --fork --kill-child --mount-proc"	# with their first process all others end
[ "$(id -u)" = 0 ] || namespaces="--user --map-root-user $namespaces"
missing=$(
	for program in unshare ip nft tcpdump; do
		command -v $program >/dev/null || { echo "the program $program"; exit; }
	done
	unshare $namespaces true 2>/dev/null ||
	    { echo "the right to make namespaces (CAP_SYS_ADMIN, or user namespaces)"; exit; }
	unshare $namespaces sh -c 'mount -t tmpfs tmpfs /run && mkdir -p /run/netns && ip netns add a &&
	    ip -n a link add br0 type bridge' 2>/dev/null ||
	    { echo "the right to make bridges (CAP_NET_ADMIN)"; exit; }
	unshare $namespaces sh -c 'echo "table inet a { chain b { type filter hook input priority 0; }
	}" | nft -f -' 2>/dev/null || { echo "packet drops (nf_tables)"; exit; }
)
mode=namespaces
if [ -n "$missing" ]; then
	[ "${CI-}" != true ] || die "missing, and CI=true: $missing"
	mode=loopback
	echo "lab: missing: $missing; on loopback ports, without packet drops" >&2
fi

mkdir -p "$out" || die "cannot write to $out"
out=$(cd "$out" && pwd)
mkdir "$out/.running" 2>/dev/null ||
    die "$out is in use by another run, or left by one that was killed: rmdir $out/.running"
run= running=
clean()
{
	[ -z "$running" ] || {
		kill $running 2>/dev/null
		wait $running
	}
	[ -z "$run" ] || rm -rf "$run"
	rmdir "$out/.running"
}
trap clean EXIT
trap 'echo "lab: stopped" >&2; exit 1' HUP INT TERM
# What a run leaves outside of its namespaces is in this folder and the bundle.
run=$(mktemp -d "${TMPDIR:-/tmp}/lab-XXXXXX") || die "no folder for sockets in ${TMPDIR:-/tmp}"
[ ${#run} -le 90 ] || die "TMPDIR is too long a path for unix sockets: ${TMPDIR:-/tmp}"

record()
{
	local wrapper= status
	rm -rf "$2" "$run"
	mkdir -p "$2" "$run"
	[ $mode = loopback ] || wrapper="unshare $namespaces"
	# in the background: a signal to this script is not kept waiting
	timeout -k 20 $limit $wrapper \
	    bash "$here/inside.sh" "$helper" "$server" $mode "$2" $1 "$run" &
	running=$!
	wait $running
	status=$?
	running=
	rm -rf "$run"
	[ $status != 124 ] && [ $status != 137 ] || echo "lab: $1 took more than $limit s" >&2
	return $status
}

# What a library logged of redirects and unreachable nodes and nothing was read of:
# each form of a record is a file of its own.
unread()
{
	local name
	rm -rf "$1.forms" "$1.forms.db"
	mkdir "$1.forms"
	for name in $LAB_LIBRARIES; do
		for log in "$1/clients/$name.log" "$1/clients/c2/$name.log"; do
			[ ! -f "$log" ] || awk -v folder="$1.forms" -v name=$name -f "$here/forms.awk" "$log"
		done
	done
	[ -n "$(ls "$1.forms")" ] || return 0
	"$slotrace" investigate -q "$1.forms.db" "$1.forms" >"$1.forms.txt" 2>&1
	sqlite3 "$1.forms.db" 'SELECT name FROM source WHERE name NOT IN (SELECT source FROM timeline)' |
	    while read -r name; do
		printf 'unread\t%s\t%s\n' "$name" "$(sed 1d "$1.forms/${name##*/}" | head -n 1 | cut -c 1-300)"
	    done
}

# One row; what is wrong goes below it, marked.
score()
{
	local bundle=$2 rows
	rm -f "$bundle.db"
	set -- $1 "$bundle"/clients "$bundle"/views "$bundle"/server
	[ ! -f "$bundle/capture.pcap.gz" ] || set -- "$@" "$bundle/capture.pcap.gz"
	name=$1
	shift
	"$slotrace" investigate "$bundle.db" "$@" >"$bundle.txt" 2>&1
	case $? in
	0 | 3) ;;
	*) tail -n 3 "$bundle.txt" >&2; return 1 ;;
	esac
	rows=$(cd "$bundle" && sqlite3 -bail "$bundle.db" <"$here/compare.sql") || return 1
	rows="$rows
$(unread "$bundle")"
	printf '%s\n' "$rows" | awk -F '\t' -v name=$name '
		NR == 1 {
			printf "%-20s %7s %7d %6d %6d %6d %6d %7.1f  %s\n", name, $1 "/" $2, $3, $4,
			    $5 + $9, $6, $7, $8, $10
			bad = $5 + $7 + $9 > 0 || $1 != $2 || $8 > 0
			next
		}
		/./ { print "    " $0 }
		/^unread/ { bad = 1 }
		END { exit bad }'
}

gate_line()
{
	local log
	[ -f "$1/clients/gated.log" ] || return 0
	for log in refclient gated; do
		printf '    %s: %s raises\n' $log \
		    $(grep -c 'ERROR.*\(RedisClusterFailoverError\|SlotMapCorruptionError\)' "$1/clients/$log.log")
	done
}

echo "$("$server" --version | sed 's/ sha=.*//'), $mode, $(date -u +%F)"
find_libraries "$out"
printf '%-20s %7s %7s %6s %6s %6s %6s %7s  %s\n' scenario windows errors right wrong undet. lost edge-ms verdicts
bad=0 skipped=
for time in $(seq $times); do
	for s in $scenarios; do
		case " $(echo $needs_namespaces) " in
		*" $s "*) [ $mode = namespaces ] || { skipped="$skipped $s"; continue; } ;;
		esac
		bundle=$out/$s
		[ $times = 1 ] || bundle=$out/$s-$time
		record $s "$bundle" && score $s "$bundle"
		status=$?
		gate_line "$bundle"
		if [ $status = 0 ]; then
			[ -n "$keep" ] || rm -rf "$bundle" "$bundle.db" "$bundle.txt" "$bundle".forms*
		else
			bad=$((bad + 1))
			echo "    not as it should be: $bundle"
		fi
	done
done
[ -z "$skipped" ] || echo "skipped (they need $missing):$skipped"
[ $bad = 0 ] || die "$bad scenario(s) not as they should be"
