#!/usr/bin/env bash
# A Slurm cluster of one node on the loopback network, without systemd: slurm.sh start|stop FOLDER
# Afterwards SLURM_CONF=FOLDER/slurm.conf is all that sbatch and squeue need. FOLDER has to be a short path, since it
# holds sockets; nothing is written outside of it. Needs root, and the packages slurmctld, slurmd, slurm-client and
# munge. HS_SLURM_PORT and the next are its ports.
set -euo pipefail

port=${HS_SLURM_PORT:-16917} slots=8

wait_for() { # SECONDS COMMAND...: until it succeeds
    local tries=$(($1 * 10))
    shift
    until "$@" >/dev/null 2>&1; do
        ((tries-- > 0)) || return 1
        sleep 0.1
    done
}

write_config() {
    local host
    host=$(hostname -s)
    cat >"$folder/slurm.conf" <<CONF
ClusterName=loopback
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/run/munge.socket
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmctldPidFile=$folder/run/slurmctld.pid
SlurmdPidFile=$folder/run/slurmd.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd.log
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=2,bf_interval=2
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
SlurmdParameters=config_overrides
KillWait=5
NodeName=$host NodeAddr=127.0.0.1 CPUs=$slots RealMemory=1000 State=UNKNOWN
PartitionName=loop Nodes=$host Default=YES MaxTime=60 State=UP
CONF
    # Slurm 22.05 must have a cgroup plugin and is content with v1 where nothing is mounted.
    case $(slurmd -V) in
    *" 2"[0-2].*) printf 'CgroupPlugin=cgroup/v1\n' ;;
    *) printf 'CgroupPlugin=disabled\n' ;;
    esac >"$folder/cgroup.conf"
}

start() {
    mkdir -p "$folder"/{run,log,state,spool}
    chmod 755 "$folder" "$folder/run"
    write_config
    (umask 077 && head -c 1024 /dev/urandom >"$folder/munge.key")
    # --force: as root, and below a folder that others may write to, such as /tmp
    munged --force --key-file="$folder/munge.key" --socket="$folder/run/munge.socket" \
        --pid-file="$folder/run/munged.pid" --log-file="$folder/log/munged.log" \
        --seed-file="$folder/munge.seed" --num-threads=2 2>>"$folder/log/munged.err"
    wait_for 5 test -S "$folder/run/munge.socket"
    slurmctld -i -f "$SLURM_CONF"
    wait_for 10 scontrol ping
    slurmd -f "$SLURM_CONF" -N "$(hostname -s)"
    wait_for 20 sh -c 'sinfo -h -o %t | grep -q "^idle\|^mix\|^alloc"'
}

stop() {
    local name pid
    scancel --partition=loop 2>/dev/null || true
    wait_for 15 sh -c 'test -z "$(squeue -h)"' || true
    for name in slurmd slurmctld munged; do
        pid=$(cat "$folder/run/$name.pid" 2>/dev/null) || continue
        kill "$pid" 2>/dev/null || continue
        wait_for 10 sh -c "! kill -0 $pid"
    done
}

[[ ${1:-} =~ ^(start|stop)$ && -n ${2:-} ]] || { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
folder=$(mkdir -p "$2" && cd "$2" && pwd)
export PATH=$PATH:/usr/sbin:/sbin SLURM_CONF=$folder/slurm.conf
$1
