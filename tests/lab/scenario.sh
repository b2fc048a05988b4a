# scenario.sh - what happens to the cluster, and what it makes of the errors.
#
# A scenario is three functions: settings_X (node_timeout, full_coverage; for
# libraries.sh also library_hosts and library_map),
# run_X, and expect_X, which says after the run, from what was done and from
# the truth's edges, which verdict an error of which time and slots deserves.
# The first row that fits an error counts.
#
# expect FROM TO VERDICT SLOTS CLIENTS WHY: * is all slots; CLIENTS is a
# pattern of the log's path below clients/.

shard1=0-5460
probe_slots="2381 2890 3022 3434 3640 3772"	# of the client's keys probe:1:*

scenarios="manual-40 stretched-420 claimant-kill corrupt-map"
short_scenarios=$scenarios
scenarios="$scenarios claimant-refuse claimant-drop claimant-stop automatic partitioned
	partitioned-client split-clients crossed-setslot resharding partial-coverage
	swapped-addresses epoch-collision stopped-resumed storm gate"
needs_namespaces="stretched-420 claimant-kill claimant-refuse claimant-drop claimant-stop
	partitioned partitioned-client split-clients epoch-collision swapped-addresses gate"

expect()
{
	printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$@" >>"$run/expected"
}

# edge FIELD KIND SLOT [last]: of the first (last) window of that kind on the slot
edge()
{
	awk -F '\t' -v field=$1 -v kind=$2 -v slot=$3 -v last="$4" '
		$1 != kind { next }
		{
			n = split($6, range, ",")
			for (i = 1; i <= n; i++) {
				split(range[i], e, "-")
				if (slot >= e[1] && slot <= (e[2] == "" ? e[1] : e[2])) {
					found = $field
					if (last == "") { print found; exit }
				}
			}
		}
		END { if (last != "" && found != "") print found }' "$run/edges.tsv"
}
opened() { edge 2 view-divergence $1 $2; }
ended() { edge 5 view-divergence $1 $2; }

two_clients()
{
	client c1 refclient -r 60 -k $shard1
	client c1 refclient2 -r 50 -k $shard1 -q
}

# The cycle recipe.  OLD and THIRD lose the bus; NEW takes over, which OLD and
# THIRD do not learn; OLD gives the probe slots to THIRD, which still holds OLD
# for their owner: MOVED OLD -> THIRD -> OLD.  All other slots of the shard are
# claimed by OLD and NEW.  NEW, the highest epoch, is reachable throughout.
cycle()
{
	local old=$1 new=$2 third=$3 s
	block $old bus
	block $third bus
	say $new "CLUSTER FAILOVER TAKEOVER"
	set --
	for s in $probe_slots; do
		set -- "$@" "CLUSTER SETSLOT $s NODE ${id[$third]}"
	done
	say $old "$@"
	note "cycle: $old and $third without bus, $new took over, $old gave the probe slots to $third"
}

heal()
{
	unblock $1
	unblock $2
}

settings_default() { node_timeout=15000 full_coverage=yes; }

settings_manual_40() { node_timeout=1000 full_coverage=yes; }
run_manual_40()
{
	local i n end
	two_clients
	sleep 1.5
	set -- n4 n5 n6 n1 n2 n3
	for i in $(seq 40); do
		n=$1
		shift
		set -- "$@" $n
		end=$((${EPOCHREALTIME/./} + 720000))
		say $n "CLUSTER FAILOVER"
		while [ ${EPOCHREALTIME/./} -lt $end ]; do
			sleep 0.05
		done
	done
	sleep 1
}
expect_manual_40()
{
	expect "$started" "$ended_at" spurious '*' '.*' "planned handovers, the new owner always reachable"
}

settings_stretched_420() { settings_default; }
run_stretched_420()
{
	two_clients
	sleep 2.5
	cycle n1 n4 n2
	sleep 0.42
	heal n1 n2
	wait_for 10 "all to name n4" all_name n4
	sleep 2
}
expect_stretched_420()
{
	local to
	utc_plus to "$(ended 0 last)" 300
	expect "$(opened 0)" "$to" spurious $shard1 '.*' "two owners at different epochs, n4 reachable throughout"
}

settings_claimant() { node_timeout=5000 full_coverage=yes; }
run_claimant()
{
	two_clients
	client c1 gated -r 50 -k $shard1 -g 5000
	sleep 2.5
	cycle n1 n4 n2
	sleep 0.4
	utc_now cut
	case $1 in
	kill) signal n4 KILL ;;
	stop) signal n4 STOP ;;
	refuse) block n4 refuse ;;
	drop) block n4 client ;;
	esac
	utc_now cut_done
	sleep 1.4
	heal n1 n2
	sleep 2
}
expect_claimant()
{
	local before after
	utc_plus before "$cut" -20
	utc_plus after "$cut_done" 30
	expect "$(opened 0)" "$before" spurious $shard1 '.*' "double claim, n4 still reachable"
	expect "$before" "$after" ambiguous $shard1 '.*' "n4 goes away in this instant"
	expect "$after" "$ended_at" genuine $shard1 '.*' "the highest-epoch claimant n4 is unreachable"
}
for v in kill stop refuse drop; do
	eval "settings_claimant_$v() { settings_claimant; }
	run_claimant_$v() { run_claimant $v; }
	expect_claimant_$v() { expect_claimant; }"
done

settings_corrupt_map() { settings_default; library_map=n1=n2; }
run_corrupt_map()
{
	client c1 refclient -r 30 -k $shard1 -m ${addr[n1]}=${addr[n2]}
	client c1 refclient2 -r 50 -k $shard1 -q
	note "refclient dials n2 where n1 is announced; views agree all the time"
	sleep 6
}
expect_corrupt_map()
{
	expect "$started" "$ended_at" corruption $shard1 '(refclient|ioredis|iovalkey|noderedis).log' \
	    "views agree, these clients dial n2 for n1"
}

settings_automatic() { node_timeout=2000 full_coverage=yes; }
run_automatic()
{
	two_clients
	sleep 2.5
	utc_now cut
	signal n1 KILL
	wait_for 15 "n4 to be elected" is_master n4
	sleep 2.5
	start_node n1
	wait_for 10 "n1 to be a replica" is_replica n1
	sleep 1.5
}
expect_automatic()
{
	local promoted after
	promoted=$(edge 2 view-divergence 0)
	utc_plus after "$promoted" 500
	expect "$cut" "$promoted" genuine $shard1 '.*' "the owner n1 is dead, nobody else yet"
	expect "$promoted" "$after" either $shard1 '.*' "n4 promoted, clients still hold dead connections"
	expect "$after" "$ended_at" spurious $shard1 '.*' "n4 reachable; n1 returns with an old view"
}

settings_partitioned() { node_timeout=2000 full_coverage=yes; }
run_partitioned()
{
	two_clients
	sleep 2.5
	utc_now cut
	block n1 bus
	wait_for 15 "n4 to be elected" is_master n4
	sleep 2.5
	unblock n1
	wait_for 10 "n1 to be a replica" is_replica n1
	sleep 1.5
}
expect_partitioned()
{
	local promoted
	utc_plus promoted "$(edge 2 view-divergence 0)" 300
	expect "$cut" "$promoted" either '*' '.*' "n1 lost the majority and refuses, and some count that among redirects"
	expect "$started" "$ended_at" spurious $shard1 '.*' "every node's client port is reachable throughout"
}

settings_partitioned_client() { settings_partitioned; library_hosts="c1 c2"; }
run_partitioned_client()
{
	two_clients
	client c2 refclient -r 40 -k $shard1
	sleep 2.5
	block n1 bus
	utc_now cut
	block c2 "to:10.77.0.12,10.77.0.13,10.77.0.14,10.77.0.15,10.77.0.16"
	utc_now cut_done
	wait_for 15 "n4 to be elected" is_master n4
	sleep 2
	utc_now cut_end
	unblock c2
	unblock n1
	wait_for 10 "n1 to be a replica" is_replica n1
	sleep 1.5
}
expect_partitioned_client()
{
	local before after promoted
	utc_plus before "$cut_done" 30
	utc_plus after "$cut_end" 500
	utc_plus promoted "$(edge 2 view-divergence 0)" 300
	expect "$before" "$cut_end" genuine '*' 'c2/.*' "c2 reaches n1 only"
	expect "$cut" "$promoted" either '*' '[^/]*' "n1 lost the majority and refuses, and some count that among redirects"
	expect "$cut" "$after" either '*' 'c2/.*' "c2 is being cut off or joined again"
	expect "$started" "$ended_at" spurious $shard1 '.*' "c1 reaches every node"
}

settings_split_clients() { settings_default; library_hosts="c1 c2"; }
run_split_clients()
{
	two_clients
	client c2 refclient -r 50 -k $shard1
	sleep 2.5
	utc_now cut
	block c2 "to:10.77.0.14"
	sleep 0.1
	cycle n1 n4 n2
	sleep 2
	heal n1 n2
	wait_for 10 "all to name n4" all_name n4
	sleep 1
	utc_now cut_end
	unblock c2
	sleep 1.5
}
expect_split_clients()
{
	local after to
	utc_plus after "$cut_end" 500
	utc_plus to "$(ended 0 last)" 300
	expect "$cut" "$cut_end" genuine $shard1 'c2/.*' "the claimant n4 refuses c2 alone"
	expect "$cut_end" "$after" either '*' 'c2/.*' "n4 has just become reachable for c2"
	expect "$after" "$ended_at" corruption '*' 'c2/.*' "all name n4 and it is reachable: who is sent on has a wrong map"
	expect "$(opened 0)" "$to" spurious $shard1 '[^/]*' "n4 is reachable for c1"
}

settings_crossed_setslot() { settings_default; }
run_crossed_setslot()
{
	local s
	two_clients
	sleep 2
	utc_now cut
	for s in 2381 2890 3022; do
		say n1 "CLUSTER SETSLOT $s NODE ${id[n2]}"
		say n2 "CLUSTER SETSLOT $s NODE ${id[n1]}"
	done
	sleep 4
	utc_now mended
	for s in 2381 2890 3022; do
		say n1 "CLUSTER SETSLOT $s NODE ${id[n1]}"
	done
	utc_now cut_end
	sleep 1.5
}
expect_crossed_setslot()
{
	local to
	utc_plus to "$cut_end" 300
	expect "$cut" "$mended" genuine 2381,2890,3022 '.*' "nobody serves the slot, and it cannot converge by itself"
	expect "$mended" "$to" either 2381,2890,3022 '.*' "the slots are given back in this instant"
}

settings_resharding() { settings_default; }
run_resharding()
{
	local s
	two_clients
	sleep 1.5
	for s in $(seq 0 149) $probe_slots; do
		say n2 "CLUSTER SETSLOT $s IMPORTING ${id[n1]}"
		say n1 "CLUSTER SETSLOT $s MIGRATING ${id[n2]}"
		say n2 "CLUSTER SETSLOT $s NODE ${id[n2]}"
		say n1 "CLUSTER SETSLOT $s NODE ${id[n2]}"
	done
	sleep 1.5
}
expect_resharding()
{
	expect "$started" "$ended_at" spurious $shard1 '.*' "slots on the move, every node reachable"
}

settings_partial_coverage() { node_timeout=15000 full_coverage=no; }
run_partial_coverage()
{
	two_clients
	sleep 1.5
	utc_now cut
	say n1 "CLUSTER DELSLOTS 2381 2890"
	sleep 3
	say n1 "CLUSTER ADDSLOTS 2381 2890"
	utc_now cut_end
	sleep 1
}
expect_partial_coverage()
{
	# the reference client gives up at the refusal; some count it among redirects
	expect "$cut" "$cut_end" genuine 2381,2890 '.*' "nobody owns the slot"
	expect "$started" "$ended_at" none '*' '.*' "a slot without owner is refused, no redirect leads on"
}

settings_swapped_addresses() { settings_default; }
run_swapped_addresses()
{
	client c1 refclient -r 40 -k 5461-10922
	client c1 refclient2 -r 40 -q
	sleep 2
	utc_now cut
	say n2 "CONFIG SET cluster-announce-ip ${addr[n3]%:*}"
	say n3 "CONFIG SET cluster-announce-ip ${addr[n2]%:*}"
	note "n2 and n3 announce each other's address: all name the right node ids"
	sleep 4
	utc_now cut_end
	say n2 "CONFIG SET cluster-announce-ip ${addr[n2]%:*}"
	say n3 "CONFIG SET cluster-announce-ip ${addr[n3]%:*}"
	sleep 2
}
expect_swapped_addresses()
{
	local from
	utc_plus from "$cut" 1500
	expect "$cut" "$from" either 5461-16383 '.*' "the addresses change hands"
	expect "$from" "$cut_end" corruption 5461-16383 '.*' "the announced address leads to another node"
	expect "$cut_end" "$ended_at" either 5461-16383 '.*' "the addresses change back"
}

settings_epoch_collision() { settings_default; }
run_epoch_collision()
{
	two_clients
	sleep 2
	block n1 bus
	block n4 bus
	say n4 "CLUSTER FAILOVER TAKEOVER"
	say n1 "CLUSTER BUMPEPOCH"
	sleep 1.5
	heal n1 n4
	sleep 4
}
expect_epoch_collision()
{
	expect "$started" "$ended_at" collision $shard1 '.*' "n1 and n4 claim the shard at one epoch"
}

settings_stopped_resumed() { node_timeout=1500 full_coverage=yes; }
run_stopped_resumed()
{
	two_clients
	sleep 2
	utc_now cut
	signal n1 STOP
	wait_for 15 "n4 to be elected" is_master n4
	sleep 2
	signal n1 CONT
	wait_for 10 "n1 to be a replica" is_replica n1
	sleep 1.5
}
expect_stopped_resumed()
{
	local promoted after
	promoted=$(edge 2 view-divergence 0)
	utc_plus after "$promoted" 800
	expect "$cut" "$promoted" genuine $shard1 '.*' "the owner n1 is stopped, nobody else yet"
	expect "$promoted" "$after" either $shard1 '.*' "n4 promoted, clients still wait for n1"
	expect "$after" "$ended_at" spurious $shard1 '.*' "n4 reachable; n1 resumes with an old view"
}

settings_storm() { settings_default; }
run_storm()
{
	two_clients
	sleep 1.5
	say n4 "CLUSTER FAILOVER"
	wait_for 5 "n4 to be master" is_master n4
	(in_host c1 "$helper" storm ${addr[n4]} 150 2 >"$folder/clients/storm.log") &
	extra=$!
	sleep 3.5
}
expect_storm()
{
	expect "$started" "$ended_at" spurious '*' '.*' "one planned handover, all reachable"
}

# Forty promotions, each with a cycle, one client that raises and one that
# asks first.  The shard goes to and fro between n1 and n4.
settings_gate() { settings_default; }
run_gate()
{
	local i old=n1 new=n4
	client c1 refclient -r 60 -k $shard1
	client c1 gated -r 60 -k $shard1 -g $node_timeout
	sleep 1.5
	for i in $(seq ${LAB_PROMOTIONS:-40}); do
		cycle $old $new n2
		sleep 0.2
		heal $old n2
		wait_for 10 "all to name $new" all_name $new
		set -- $old $new
		old=$2 new=$1
	done
	sleep 1
}
expect_gate()
{
	expect "$started" "$ended_at" spurious $shard1 '.*' "the claimant is reachable throughout"
}
