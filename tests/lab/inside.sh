#!/bin/bash
# inside.sh HELPER SERVER MODE FOLDER SCENARIO RUN - one scenario, one bundle.
# In namespaces mode this is the first process of namespaces of its own
# (network, mounts, processes), so that whatever happens nothing is left.
export LC_ALL=C TZ=UTC
here=$(cd "$(dirname "$0")" && pwd)
helper=$1 server=$2 mode=$3 folder=$4 scenario=$5 run=$6
. "$here/cluster.sh"
. "$here/scenario.sh"
. "$here/libraries.sh"

# truth.json: what the poller saw, what was done, what it makes of errors.
list()
{
	printf '"%s":[' $1
	[ ! -f "$2" ] || sed '$!s/$/,/' "$2"
	echo '],'
}

write_truth()
{
	local version
	version=$($server --version | sed 's/.*v=\([^ ]*\).*/\1/')
	{
		echo "{\"scenario\":\"$scenario\",\"server\":\"${server##*/} $version\","
		echo "\"node_timeout_ms\":$node_timeout,\"require_full_coverage\":\"$full_coverage\","
		echo '"times":"UTC; events: t before, t_done after the action; transitions and windows from a 5 ms poll over unix sockets: opened in (start_before, start], closed in (end_before, end]",'
		echo '"hosts":{"c1":"10.77.0.100","c2":"10.77.0.102","mon":"10.77.0.101 (view sampler)"},'
		list clients "$run/clients"
		list events "$run/events"
		awk -F '\t' '{ printf "{\"from\":\"%s\",\"to\":\"%s\",\"verdict\":\"%s\",\"slots\":\"%s\",\"clients\":\"%s\",\"why\":\"%s\"}\n", $1, $2, $3, $4, $5, $6 }' \
		    "$run/expected" >"$run/expected.json"
		list expected "$run/expected.json"
		[ ! -f "$run/notes" ] || sed 's/["\\]/\\&/g; s/.*/"&"/' "$run/notes" >"$run/notes.json"
		list notes "$run/notes.json"
		cat "$run/truth.part"
		echo '}'
	} >"$folder/truth.json"
}

write_labels()
{
	local name
	(cd "$folder/clients" && find . -name '*.log' | sed 's,^\./,,' | sort |
	    while read -r log; do
		case " $raised " in
		*" ${log%.log} "*) continue ;;
		esac
		awk -v path="$log" -v expected="$run/expected" -f "$here/label.awk" "$log"
	    done) >"$folder/labels.ndjson"
	for name in $raised; do
		cut -f 4 "$run/raised/$name" | "$helper" slot | paste "$run/raised/$name" - |
		    awk -v path=$name.log -v expected="$run/expected" \
			-v precision=$(library_precision $name) -f "$here/label.awk"
	done >>"$folder/labels.ndjson"
}

clients= extra= sampler= truth= capture= programs= raised=
library_hosts=c1 library_map=
trap cluster_down EXIT
trap 'exit 1' HUP INT TERM
: >"$run/expected"
function=${scenario//-/_}
settings_$function
cluster_up
utc_now started
watchers_up
run_$function
cluster_down
utc_now ended_at
[ -s "$run/truth.part" ] || fail "the truth poller left nothing"
cp "$run/edges.tsv" "$folder/edges.tsv"
expect_$function
write_truth
write_labels
rm "$folder/edges.tsv"
gzip -f "$folder"/capture.pcap "$folder"/views/*.txt 2>/dev/null
exit 0
