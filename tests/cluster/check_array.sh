#!/usr/bin/env bash
# A Slurm array of eight parts gives the bytes of a single run: with one task killed on the way, which is resumed by
# hand, and once more where what joins the parts submits it again. On a real slurmctld and slurmd on the loopback.
# Usage: check_array.sh HEADSCOPE
set -euo pipefail

skip() {
    printf 'skipped: a Slurm array on a real cluster: %s\n' "$*"
    exit 77
}

[[ $(id -u) == 0 ]] || skip "slurmd needs root."
PATH=$PATH:/usr/sbin:/sbin
for program in munged slurmctld slurmd sbatch pgrep; do
    command -v "$program" >/dev/null || skip "$program is not installed."
done

headscope=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d /tmp/hs-slurm-XXXX)
trap '"$here/slurm.sh" stop "$folder/cluster"; rm -rf --one-file-system "$folder"' EXIT
"$here/slurm.sh" start "$folder/cluster"
export SLURM_CONF=$folder/cluster/slurm.conf
cd "$folder"

until_idle() {
    for ((tries = 0; tries < 1200; ++tries)); do
        [[ -n $(squeue -h) ]] || return 0
        sleep 0.1
    done
    squeue
    return 1
}

# Kills the task of part 6 as soon as it runs, and says so.
kill_part_6() {
    local process
    for ((tries = 0; tries < 6000; ++tries)); do
        if process=$(pgrep --oldest --full "array --folder $folder/$1 --part 6\$"); then
            kill -9 "$process"
            printf 'killed part 6, process %s\n' "$process"
            return
        fi
        sleep 0.01
    done
    printf 'part 6 was never seen\n'
    return 1
}

require_same() {
    cmp single.json "$1.json"
    cmp single.csv "$1.csv"
    printf '%s: %s\n' "$1" "$(sha256sum <"$1.json")"
}

"$headscope" demo --pairs 16 --json pairs.jsonl
sed 's/"clean"/"text"/' pairs.jsonl >prompts.jsonl
sweep=(sweep --model demo:sparse --prompts prompts.jsonl)
OMP_NUM_THREADS=1 "$headscope" "${sweep[@]}" --json single.json --csv single.csv
printf 'single: %s\n' "$(sha256sum <single.json)"

"$headscope" array --folder resumed --parts 8 --jobs 2 --retries 0 --sbatch="--time=10" \
    -- "${sweep[@]}" --json resumed.json --csv resumed.csv
kill_part_6 resumed
until_idle
"$headscope" array --status --folder resumed
[[ ! -e resumed.json ]]
grep -h 'Missing: part 6 of 8' resumed/logs/merge_*.out
(cd / && "$headscope" array --resume --folder "$folder/resumed")
until_idle
require_same resumed

"$headscope" array --folder again --parts 8 --jobs 2 -- "${sweep[@]}" --json again.json --csv again.csv
kill_part_6 again
until_idle
grep -h 'Submitted part 6 of 8' again/logs/merge_*.out
require_same again
printf 'all parts of both arrays are the single run\n'
