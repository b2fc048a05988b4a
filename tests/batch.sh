#!/bin/sh
# batch.sh - 40 incidents one after the other, under GNU parallel, and as a job
# array of a real Slurm on this machine: merged, they answer alike.
set -u
. "$(dirname "$0")/lib.sh"
slurm=$srcdir/samples/slurm
SLOTRACE=$slotrace
export SLOTRACE
cd "$work"

mkdir incidents
for i in 01 02 03 04 05 06 07 08 09 10 11 12 13; do
	for sample in genuine spurious corruption; do
		cp -r "$srcdir/samples/$sample" incidents/$i-$sample
		chmod -R u+w incidents/$i-$sample
		# Some with their capture; those without are quick.
		[ $i -le 04 ] || rm incidents/$i-$sample/capture.pcap.xz
	done
done
# One of the forty is an archive.
tar -czf incidents/14-spurious.tar.gz -C "$srcdir/samples" spurious
is 'forty incidents' 40 "$(ls incidents | wc -l | tr -d ' ')"

"$slotrace" ingest -q --batch serial.db incidents && "$slotrace" analyze serial.db
ok 'one after the other' $?
surface serial.db >serial
is 'the summary has a row for each' 40 "$(sql serial.db 'SELECT count(*) FROM summary')"

# same NAME DB
same()
{
	surface "$2" | diff serial - >difference
	ok "$1" $?
	cut -c1-200 difference | sed 's/^/# /' | head -n 20
}

if ! parallel --version 2>/dev/null | grep -q GNU; then
	skip 'under GNU parallel' 'no GNU parallel'
else
	mkdir shards
	parallel -j 2 --joblog jobs \
	    "'$slotrace' investigate -q --summary-json --incident {/} shards/{/}.db {}" \
	    ::: incidents/* >json 2>err
	is 'under GNU parallel: all end well' '0' "$(awk 'NR > 1 && $7 != 0 && $7 != 3' jobs |
	    wc -l | tr -d ' ')"
	is 'a line of JSON each' 40 "$(sed 's/.*"incident":"\([^"]*\)".*/\1/' json | sort -u |
	    wc -l | tr -d ' ')"
	is 'nothing is said beside it' '' "$(cat err)"
	"$slotrace" merge parallel.db shards/*.db
	same 'merged, they answer as one after the other' parallel.db
fi

for tool in slurmctld slurmd munged sbatch; do
	command -v $tool >/dev/null 2>&1 || PATH=$PATH:/usr/sbin
	command -v $tool >/dev/null 2>&1 || missing="${missing-}$tool "
done
if [ -n "${missing-}" ]; then
	skip 'under Slurm' "no $missing(Debian: slurm-wlm, munge)"
	done_testing
	exit
fi

# A cluster of one machine, all of it in this folder.
host=$(hostname -s 2>/dev/null || uname -n)
me=$(id -un)
port=$((20000 + $$ % 20000))
mkdir state spool
chmod 755 "$work"
head -c 128 /dev/urandom >munge.key && chmod 400 munge.key
cat >slurm.conf <<CONF
ClusterName=slotrace
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CredType=cred/munge
SlurmUser=$me
SlurmdUser=$me
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
MpiDefault=none
SwitchType=switch/none
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 RealMemory=8192 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
SLURM_CONF=$work/slurm.conf
export SLURM_CONF

# The daemons that were started, by their ids.
stop()
{
	for daemon in slurmd slurmctld munge; do
		[ -s "$work/$daemon.pid" ] || continue
		pid=$(cat "$work/$daemon.pid")
		kill "$pid" 2>/dev/null
		for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
			kill -0 "$pid" 2>/dev/null || break
			sleep 0.2
		done
	done
}
trap 'stop; rm -rf "$work"' EXIT

# await SECONDS COMMAND...: until it succeeds
await()
{
	left=$(($1 * 4))
	shift
	until "$@"; do
		left=$((left - 1))
		[ $left -gt 0 ] || return 1
		sleep 0.25
	done
}

is_idle()
{
	[ "$(sinfo -h -o %T 2>/dev/null)" = idle ]
}

is_done()
{
	! squeue -h -j "$1" 2>/dev/null | grep -q .
}

munged --force --key-file="$work/munge.key" --socket="$work/munge.socket" \
    --pid-file="$work/munge.pid" --log-file="$work/munge.log" \
    --seed-file="$work/munge.seed" >daemons.log 2>&1 &&
    slurmctld -c -f "$SLURM_CONF" >>daemons.log 2>&1 &&
    slurmd -f "$SLURM_CONF" -N "$host" >>daemons.log 2>&1 && await 60 is_idle
ok 'a Slurm of one node is up' $?

sh "$slurm/submit.sh" incidents slurm.db >ids 2>err
ok 'the jobs are submitted' $?
await 300 is_done "$(sed -n 's/^merge //p' ids)"
ok 'they end' $?
is 'each task leaves a timeline, a report and a line' '40 40 40' \
    "$(ls slurm.db.d/*.db | wc -l) $(ls slurm.db.d/*.txt | wc -l) $(cat slurm.db.d/*.json | wc -l)"
is 'the merge has nothing to say' '' "$(cat slurm.db.d/merge.log)"
same 'the array, merged, answers as one after the other' slurm.db

# One task fails, and is submitted again: only that one is done.
mkdir few && cp -r incidents/01-spurious incidents/01-corruption few && echo nothing >few/03
sh "$slurm/submit.sh" few few.db >ids 2>>err
await 120 is_done "$(sed -n 's/^merge //p' ids)"
is 'a task that fails is told by the merge' 'no timeline of few/03: see its log in few.db.d' \
    "$(cat few.db.d/merge.log)"
is 'and keeps no other out' 2 "$(sql few.db 'SELECT count(*) FROM summary')"
rm few/03 && cp -r incidents/02-spurious few/03
sh "$slurm/submit.sh" few few.db >ids 2>>err
await 120 is_done "$(sed -n 's/^merge //p' ids)"
is 'submitted again: what is missing is done' few/03 "$(cat few.db.d/list)"
is 'and the whole is there' '01-corruption 01-spurious 03' "$(sql few.db "SELECT
    group_concat(incident, ' ') FROM (SELECT incident FROM summary ORDER BY 1)")"
[ "$(wc -c <err)" = 0 ] || sed 's/^/# /' err daemons.log
done_testing
