#!/bin/sh
# lab.sh - the lab where something is missing, taken, left over or dies: it says
# what, and leaves no process, no folder and no namespace.
. "${srcdir:=$(dirname "$0")/..}/tests/lib.sh"

for tool in bash sqlite3 redis-server; do
	if ! command -v $tool >/dev/null; then
		skip 'the lab where things fail' "$tool (Debian $tool)"
		done_testing
		exit
	fi
done
helper=$(pwd)/lab_helper
port=$((21000 + $$ % 8000))
script=$srcdir/tests/lab/lab.sh
mkdir "$work/tmp" "$work/bin" "$work/fake" "$work/server"

# lab NAME=VALUE... -- ARGUMENTS: its output and status
lab()
{
	variables=
	while [ "$1" != -- ]; do
		variables="$variables $1"
		shift
	done
	shift
	# shellcheck disable=SC2086
	env TMPDIR="$work/tmp" SLOTRACE="$slotrace" LAB_HELPER="$helper" LAB_LIBRARIES= LAB_PORT=$port \
	    CI= $variables "$bash" "$script" -o "$work/out" "$@" >"$work/said" 2>&1
	status=$?
}
bash=$(command -v bash)

# Servers stand in folders of their own, whatever they call themselves.
processes()
{
	for p in /proc/[0-9]*; do
		case $(readlink "$p/cwd") in
		"$work"/tmp*) echo "${p#/proc/}: $(tr '\0' ' ' <"$p/cmdline")" ;;
		esac
	done 2>/dev/null
}

# said NAME TEXT: with that text, as a failure, and nothing is left
said()
{
	grep -q "^lab: .*$2" "$work/said" && [ $status = 1 ]
	ok "$1" $?
	grep -q "^lab: .*$2" "$work/said" || sed 's/^/# /' "$work/said"
	is "$1: nothing is left" '' "$(processes; ls -A "$work/tmp"; ls -A "$work/out" 2>/dev/null | grep '^\.running')"
}

for tool in bash dirname env grep sed; do
	ln -s "$(command -v $tool)" "$work/bin/$tool"
done
lab PATH="$work/bin" --
said 'no sqlite3' 'no sqlite3'
ln -s "$(command -v sqlite3)" "$work/bin/sqlite3"
lab PATH="$work/bin" --
said 'no server' 'no redis-server and no valkey-server'
lab LAB_SERVER="$work/none" --
said 'a server that does not run' 'does not run'
lab -- no-such-thing
said 'no such scenario' 'no scenario no-such-thing; there are: manual-40'

# The right to make namespaces is tried, not guessed.
printf '#!/bin/sh\nexit 1\n' >"$work/fake/unshare"
chmod +x "$work/fake/unshare"
lab PATH="$work/fake:$PATH" CI=true -- stretched-420
if command -v ip >/dev/null && command -v nft >/dev/null && command -v tcpdump >/dev/null; then
	said 'no right, in CI' 'missing, and CI=true: the right to make namespaces (CAP_SYS_ADMIN'
else
	said 'no tools, in CI' 'missing, and CI=true: the program'
fi
lab PATH="$work/fake:$PATH" -- stretched-420
is 'no right elsewhere: skipped by name' '0 1' "$status $(grep -c '^skipped.*: stretched-420$' "$work/said")"

mkdir -p "$work/out/.running"
lab -- manual-40
rmdir "$work/out/.running"
said 'a folder in use' 'is in use by another run'

long=$work/tmp/$(printf '%080d' 0)
mkdir -p "$long"
lab TMPDIR="$long" -- manual-40
rmdir "$long"
said 'a path too long for sockets' 'TMPDIR is too long'

redis-server --port $((port + 3)) --bind 127.0.0.1 --save '' --dir "$work/server" >/dev/null 2>&1 &
server=$!
until (redis-cli -p $((port + 3)) ping 2>/dev/null || ! kill -0 $server 2>/dev/null && echo PONG) | grep -q PONG; do
	sleep 0.05
done
lab PATH="$work/fake:$PATH" -- manual-40
kill $server
wait $server
said 'ports taken' "port $((port + 3)) is taken"

# The sixth node dies as soon as it is started; where namespaces can be made, one
# of the lab's own names is there already.
cat >"$work/server/dying" <<'END'
#!/bin/sh
case $1 in
*/n6/conf) echo 'this server has a bad day' >&2; exit 1 ;;
esac
exec redis-server "$@"
END
chmod +x "$work/server/dying"
lab LAB_SERVER="$work/server/dying" -- manual-40
said 'a node that dies early' 'n6 died while waiting for: the cluster to be up'
grep -q 'this server has a bad day' "$work/said"
ok 'its last words are shown' $?
if unshare --mount sh -c 'mount -t tmpfs tmpfs /run && mkdir /run/netns && ip netns add n1' 2>/dev/null; then
	cat >"$work/fake/leftover" <<-'END'
	#!/bin/sh
	mount -t tmpfs tmpfs /run && mkdir /run/netns && ip netns add n1 && exec bash "$@"
	END
	cat >"$work/fake/leaving" <<-END
	#!/bin/sh
	exec unshare --mount sh $work/fake/leftover "\$@"
	END
	chmod +x "$work/fake/leaving"
	bash=$work/fake/leaving
	lab LAB_SERVER="$work/server/dying" -- manual-40
	said 'a leftover namespace is in nobodys way' 'n6 died while waiting'
	bash=$(command -v bash)
fi

# Stopped in the middle.
env TMPDIR="$work/tmp" SLOTRACE="$slotrace" LAB_HELPER="$helper" LAB_LIBRARIES= LAB_PORT=$port CI= \
    bash "$script" -o "$work/out" manual-40 >"$work/said" 2>&1 &
lab=$!
i=0
until ls "$work"/tmp/lab-*/n6.sock >/dev/null 2>&1 || [ $i -gt 200 ]; do
	i=$((i + 1))
	sleep 0.05
done
kill -TERM $lab
wait $lab
status=$?
said 'stopped in the middle' 'stopped'

done_testing
