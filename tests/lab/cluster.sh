# cluster.sh - six nodes, their network, capture, sampler, truth and clients.
# Sourced by inside.sh, which sets: helper server mode(namespaces|loopback)
# folder(the bundle) run(short path: sockets) node_timeout full_coverage.
# Everything started is in pids and stopped by pid.

nodes="n1 n2 n3 n4 n5 n6"
port=6379
base_port=${LAB_PORT:-27100}
pids=
declare -A addr id pid_of

say_error()
{
	echo "lab: $*" >&2
}

fail()
{
	say_error "$@"
	exit 1
}

utc_now()
{
	local clock=$EPOCHREALTIME
	printf -v "$1" '%(%Y-%m-%dT%H:%M:%S)T.%sZ' "${clock%.*}" "${clock:11:3}"
}

# utc_plus VARIABLE TIME MS: a time some milliseconds later (or earlier)
utc_plus()
{
	local epoch_ms
	epoch_ms=$(($(date -u -d "$2" +%s%3N) + $3))
	printf -v "$1" '%(%Y-%m-%dT%H:%M:%S)T.%03dZ' $((epoch_ms / 1000)) $((epoch_ms % 1000))
}

# event TIME KIND MEMBERS: one line of truth.json's events
event()
{
	local done_at
	utc_now done_at
	printf '{"t":"%s","t_done":"%s","kind":"%s"%s}\n' "$1" "$done_at" "$2" "${3:+,$3}" \
	    >>"$run/events"
}

note()
{
	printf '%s\n' "$*" >>"$run/notes"
}

# in_host HOST COMMAND...: on that host's own network; as a child, pid in $!
in_host()
{
	local host=$1
	shift
	if [ $mode = namespaces ]; then
		exec ip netns exec $host "$@"
	fi
	exec "$@"
}

add_host()
{
	ip netns add $1 || fail "cannot make the network namespace $1" \
	    "(a leftover one? look at ip netns list)"
	ip -n $1 link add eth0 type veth peer name $1 netns bridge &&
	ip -n bridge link set $1 master br0 up &&
	ip -n $1 addr add $2/24 dev eth0 &&
	ip -n $1 link set eth0 up && ip -n $1 link set lo up ||
	    fail "cannot connect the namespace $1 to the bridge"
}

network_up()
{
	local n p i=0
	for n in $nodes; do
		i=$((i + 1))
		if [ $mode = namespaces ]; then
			addr[$n]=10.77.0.1$i:$port
		else
			addr[$n]=127.0.0.1:$((base_port + i))
			for p in $((base_port + i)) $((base_port + i + 10000)); do
				! (: <>/dev/tcp/127.0.0.1/$p) 2>/dev/null ||
				    fail "port $p is taken: the six after LAB_PORT, and those 10000 above, must be free"
			done
		fi
	done
	[ $mode = namespaces ] || return 0
	# A run folder of our own for ip netns: nothing outlives this namespace.
	mount -t tmpfs tmpfs /run && mkdir -p /run/netns || fail "cannot mount a private /run"
	ip netns add bridge && ip -n bridge link add br0 type bridge mcast_snooping 0 &&
	    ip -n bridge link set br0 up && ip -n bridge link set lo up ||
	    fail "cannot make the bridge"
	for n in $nodes; do
		add_host $n ${addr[$n]%:*}
	done
	add_host c1 10.77.0.100
	add_host mon 10.77.0.101
	add_host c2 10.77.0.102
}

# The cluster is made by writing each node's nodes.conf: it is up in a second,
# and epochs are known: n1 to n3 masters at 1 to 3, n4 to n6 their replicas.
node_line()
{
	local n=$1 i=${1#n} range
	case $n in
	n1) range=' 0-5460' ;;
	n2) range=' 5461-10922' ;;
	n3) range=' 10923-16383' ;;
	esac
	if [ -n "$range" ]; then
		echo "${id[$n]} ${addr[$n]}@$((${addr[$n]#*:} + 10000)) $2master - 0 0 $i connected$range"
	else
		echo "${id[$n]} ${addr[$n]}@$((${addr[$n]#*:} + 10000)) $2slave ${id[n$((i - 3))]} 0 0 $((i - 3)) connected"
	fi
}

write_config()
{
	local n=$1 m
	mkdir -p "$run/$n"
	for m in $nodes; do
		node_line $m "$([ $m = $n ] && echo myself,)"
	done >"$run/$n/nodes.conf"
	echo "vars currentEpoch 6 lastVoteEpoch 0" >>"$run/$n/nodes.conf"
	cat >"$run/$n/conf" <<-END
	port ${addr[$n]#*:}
	bind ${addr[$n]%:*}
	protected-mode no
	dir $run/$n
	logfile $folder/server/$n.log
	unixsocket $run/$n.sock
	save ""
	cluster-enabled yes
	cluster-config-file nodes.conf
	cluster-node-timeout $node_timeout
	cluster-require-full-coverage $full_coverage
	repl-diskless-sync-delay 0
	END
}

start_node()
{
	(in_host $1 $server "$run/$1/conf" >"$run/$1/out" 2>&1) &
	pid_of[$1]=$!
	pids="$pids $!"
}

# say NODE COMMAND...: recorded as events; all replies must be +OK or the like
say()
{
	local n=$1 t reply
	shift
	utc_now t
	reply=$("$helper" say "$run/$n.sock" "$@" 2>&1) || say_error "$n: $*: $reply"
	for c in "$@"; do
		event "$t" command "\"node\":\"$n\",\"command\":\"$c\""
	done
}

# wait_for SECONDS WHAT COMMAND...: until the command succeeds
wait_for()
{
	local end=$((SECONDS + $1)) what=$2 n
	shift 2
	until "$@"; do
		for n in $nodes; do
			[ -z "${pid_of[$n]}" ] || kill -0 ${pid_of[$n]} 2>/dev/null || {
				tail -n 3 "$folder/server/$n.log" "$run/$n/out" >&2 2>/dev/null
				fail "$n died while waiting for: $what"
			}
		done
		[ $SECONDS -le $end ] || fail "gave up waiting for: $what"
		sleep 0.02
	done
}

cluster_ready()
{
	local n
	for n in $nodes; do
		"$helper" say "$run/$n.sock" "CLUSTER INFO" 2>/dev/null |
		    grep -q '^cluster_state:ok' || return 1
		"$helper" say "$run/$n.sock" "CLUSTER NODES" | grep -q 'fail\|disconnected\|handshake' &&
		    return 1
	done
	for n in n4 n5 n6; do
		"$helper" say "$run/$n.sock" "INFO replication" |
		    grep -q '^master_link_status:up' || return 1
	done
}

cluster_up()
{
	local n
	mkdir -p "$folder/server" "$folder/views" "$folder/clients"
	for n in $nodes; do
		id[$n]=$(od -An -N20 -tx1 /dev/urandom | tr -d ' \n')
	done
	network_up
	for n in $nodes; do
		write_config $n
		start_node $n
	done
	wait_for 15 "the cluster to be up" cluster_ready
}

# role NODE: master or slave, and lines of its view
nodes_of()
{
	"$helper" say "$run/$1.sock" "CLUSTER NODES" 2>/dev/null
}

is_master()
{
	nodes_of $1 | grep -q 'myself,master'
}

is_replica()
{
	nodes_of $1 | grep -q 'myself,slave'
}

# owns OBSERVER NODE SLOT-RANGE-START: the observer names the node as owner
names_owner()
{
	nodes_of $1 | grep "^${id[$2]} " | grep -q " $3\(-\| \|.\$\)"
}

# everybody names NODE as the owner of shard 1
all_name()
{
	local n
	for n in $nodes; do
		kill -0 ${pid_of[$n]} 2>/dev/null || continue
		nodes_of $n | grep "^${id[$1]} " | grep -q ' 0-5460' || return 1
	done
}

capture_up()
{
	local filter="tcp portrange $((base_port + 1))-$((base_port + 6)) or tcp portrange $((base_port + 10001))-$((base_port + 10006))"
	if [ $mode = namespaces ] && [ "$(cat /proc/self/setgroups)" = deny ]; then
		(exec ip netns exec bridge "$helper" capture br0 "$folder/capture.pcap" 2>"$run/tcpdump") &
	elif [ $mode = namespaces ]; then
		(exec ip netns exec bridge tcpdump -Z root -i br0 -s 0 -B 8192 -U \
		    -w "$folder/capture.pcap" >"$run/tcpdump" 2>&1) &
	else
		(exec tcpdump -i lo -s 0 -U -w "$folder/capture.pcap" "$filter" >"$run/tcpdump" 2>&1) &
	fi
	capture=$!
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		grep -q 'listening on' "$run/tcpdump" 2>/dev/null && return 0
		sleep 0.1
	done
	kill -0 $capture 2>/dev/null && return 0
	[ $mode = loopback ] || fail "tcpdump: $(head -n 1 "$run/tcpdump")"
	note "no capture: $(head -n 1 "$run/tcpdump")"
	capture=
}

watchers_up()
{
	local n views= socks=
	for n in $nodes; do
		views="$views $n=${addr[$n]}"
		socks="$socks $n=$run/$n.sock"
	done
	capture_up
	libraries_up
	(in_host mon "$helper" sampler "$folder/views" $views) &
	sampler=$!
	"$helper" truth "$run" $socks &
	truth=$!
	sleep 0.3
}

# client HOST NAME OPTIONS...: the reference client; log clients/[HOST/]NAME.log
client()
{
	local host=$1 name=$2 log n all= t
	shift 2
	log=clients/$name.log
	[ $host = c1 ] || log=clients/$host/$name.log
	[ $host = c1 ] || mkdir -p "$folder/clients/$host"
	for n in $nodes; do
		all="$all ${addr[$n]}"
	done
	utc_now t
	(in_host $host "$helper" client -n refclient "$@" $all >"$folder/$log") &
	clients="$clients $!"
	printf '{"name":"%s","host":"%s","lib":"reference client of the lab","log":"%s","started":"%s","options":"%s"}\n' \
	    "$name" $host "$log" "$t" "$*" >>"$run/clients"
}

# block HOST WHAT: its own firewall, so that what it sends is in no capture
#	bus		the cluster bus, both ways
#	client		its client port, both ways, dropped
#	refuse		connections to its client port are refused
#	to:ADDRESS	what this host sends to that client port is refused
block()
{
	local host=$1 what=$2 t rules
	utc_now t
	case $what in
	bus) rules="
		chain in { type filter hook input priority 0; tcp dport 16379 drop; tcp sport 16379 drop; }
		chain out { type filter hook output priority 0; tcp dport 16379 drop; tcp sport 16379 drop; }" ;;
	client) rules="
		chain in { type filter hook input priority 0; tcp dport 6379 drop; }
		chain out { type filter hook output priority 0; tcp sport 6379 drop; }" ;;
	refuse) rules="
		chain in { type filter hook input priority 0; tcp dport 6379 reject with tcp reset; }" ;;
	to:*) rules="
		chain out { type filter hook output priority 0; ip daddr { ${what#to:} } tcp dport 6379 reject with tcp reset; }" ;;
	esac
	printf "table inet lab { %s\n}\n" "$rules" | ip netns exec $host nft -f - ||
	    fail "nft refuses a rule on $host"
	event "$t" block "\"node\":\"$host\",\"how\":\"$what\""
}

unblock()
{
	local t
	utc_now t
	ip netns exec $1 nft delete table inet lab
	event "$t" unblock "\"node\":\"$1\""
}

signal()
{
	local t
	utc_now t
	kill -$2 ${pid_of[$1]}
	event "$t" signal "\"node\":\"$1\",\"signal\":\"SIG$2\""
	[ $2 != KILL ] || {
		wait ${pid_of[$1]} 2>/dev/null
		pid_of[$1]=
	}
}

# stop PID...: by pid, and waits for each
stop()
{
	local p
	for p in "$@"; do
		kill -TERM $p 2>/dev/null
	done
	for p in "$@"; do
		wait $p 2>/dev/null
	done
}

cluster_down()
{
	stop $clients $extra
	libraries_down
	[ -z "$sampler" ] || stop $sampler
	[ -z "$truth" ] || stop $truth
	[ -z "$capture" ] || {
		sleep 0.2
		stop $capture
	}
	for p in $pids; do
		kill -CONT $p 2>/dev/null
	done
	stop $pids
	clients= extra= sampler= truth= capture= pids=
}
