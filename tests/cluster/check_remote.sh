#!/usr/bin/env bash
# Commands over a real ssh do what they do here, byte for byte: also when ssh or the daemon is killed on the way; and
# whatever is wrong over there is one sentence. The other machine is this one, behind an sshd on the loopback.
# Usage: check_remote.sh HEADSCOPE [SSH_CONFIG HOST], with a way to this machine that exists already, such as a slow one
set -euo pipefail

skip() {
    printf 'skipped: another machine by ssh: %s\n' "$*"
    exit 77
}

PATH=$PATH:/usr/sbin:/sbin
for program in sshd ssh ssh-keygen; do
    command -v "$program" >/dev/null || skip "$program is not installed."
done

headscope=$(realpath "$1")
folder=$(mktemp -d /tmp/hs-ssh-XXXX)
state=$folder/state
far_command="exec env OMP_NUM_THREADS=1 HEADSCOPE_STATE=$state $headscope-serve --stdio"

end() {
    local each
    for each in "$state" "$folder/full/state"; do
        HEADSCOPE_STATE=$each "$headscope-serve" --stop 2>/dev/null || true
    done
    [[ ! -e $folder/sshd.pid ]] || kill "$(<"$folder/sshd.pid")" || true
    for ((tries = 0; tries < 50; ++tries)); do  # a daemon that was stopped may not have ended quite
        if ! mountpoint -q "$folder/full" || umount "$folder/full" 2>/dev/null; then break; fi
        sleep 0.1
    done
    rm -rf --one-file-system "$folder"
}
trap end EXIT

# An sshd as this user, which needs neither an account of its own nor the system's settings.
start_sshd() {
    local port=$((20000 + RANDOM % 20000)) key
    for key in host user wrong; do
        ssh-keygen -q -t ed25519 -N '' -f "$folder/$key"
    done
    cp "$folder/user.pub" "$folder/authorized"
    printf '[127.0.0.1]:%s %s\n' "$port" "$(cut -d' ' -f1,2 "$folder/host.pub")" >"$folder/known"
    mkdir "$folder/bin"
    ln -s "$headscope" "$headscope-serve" "$folder/bin"
    cat >"$folder/sshd_config" <<CONFIG
Port $port
ListenAddress 127.0.0.1
HostKey $folder/host
AuthorizedKeysFile $folder/authorized
PidFile $folder/sshd.pid
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PrintMotd no
SetEnv HEADSCOPE_STATE=$state PATH=$folder/bin:/usr/bin:/bin
CONFIG
    cat >"$folder/ssh_config" <<CONFIG
Host far locked
    HostName 127.0.0.1
    Port $port
    IdentitiesOnly yes
    UserKnownHostsFile $folder/known
    GlobalKnownHostsFile /dev/null
Host far
    IdentityFile $folder/user
Host locked
    IdentityFile $folder/wrong
CONFIG
    [[ $(id -u) != 0 || -d /run/sshd ]] || mkdir -m 755 /run/sshd
    "$(command -v sshd)" -f "$folder/sshd_config" -E "$folder/sshd.log"
    for ((tries = 0; tries < 100; ++tries)); do
        [[ ! -e $folder/sshd.pid ]] || return 0
        sleep 0.05
    done
    cat "$folder/sshd.log"
    return 1
}

if (($# == 3)); then
    config=$2 host=$3
else
    start_sshd
    config=$folder/ssh_config host=far
fi
export HEADSCOPE_SSH="ssh -F $config" HEADSCOPE_FAR_COMMAND=$far_command
export OMP_NUM_THREADS=1 QT_QPA_PLATFORM=offscreen
cd "$folder"

seconds() { printf '%d.%03d s' $((($2 - $1) / 1000)) $((($2 - $1) % 1000)); }
now() { date +%s%3N; }

timeless() { sed '/_ms":/d' "$1"; }  # what a run prints about its own speed is no result

# The same command here and there: what it prints and the file it writes.
same() { # NAME SUFFIX COMMAND...: the file is its last argument
    local name=$1 suffix=$2 begin middle
    shift 2
    begin=$(now)
    "$headscope" "$@" "$name-here.$suffix" >"$name-here.out" 2>"$name-here.err"
    middle=$(now)
    "$headscope" "$1" --host "$host" "${@:2}" "$name-there.$suffix" >"$name-there.out" 2>"$name-there.err"
    printf '%s: here %s, there %s, ' "$name" "$(seconds "$begin" "$middle")" "$(seconds "$middle" "$(now)")"
    cmp <(timeless "$name-here.out") <(timeless "$name-there.out")
    cmp "$name-here.$suffix" "$name-there.$suffix"
    diff <(sed "s/$name-here/$name-there/g" "$name-here.err") "$name-there.err"
    printf 'the same %s bytes\n' "$(stat -c %s "$name-there.$suffix")"
}

# One sentence, and exit code 1.
refused() { # WORDS COMMAND...
    local words=$1 code=0
    shift
    timeout 30 "$@" >refused.out 2>refused.err || code=$?
    if [[ $code != 1 || -s refused.out || $(grep -c '^headscope: ' refused.err) != 1 ]] ||
        ! grep -q -- "$words" refused.err; then
        printf 'exit %s instead of one sentence with "%s":\n' "$code" "$words"
        cat refused.err
        return 1
    fi
    cat refused.err
}

daemon_of() { HEADSCOPE_STATE=$1 "$headscope-serve" --status | sed -n 's/.*process \([0-9]*\).*/\1/p'; }

# Waits until a command of the far machine is at work: it has set aside the signal of Ctrl-C.
wait_for_job() {
    local job
    for ((tries = 0; tries < 600; ++tries)); do
        job=$(pgrep -P "$(daemon_of "$state")" 2>/dev/null || true)
        if [[ -n $job ]] && (($(sed -n 's/^SigBlk:\s*/0x/p' "/proc/$job/status") & 2)); then return 0; fi
        sleep 0.05
    done
    return 1
}

text="When Mary and John went to the store , John gave a drink to"
"$headscope" demo --pairs 6 --json pairs.jsonl
sed 's/"clean"/"text"/' pairs.jsonl >prompts.jsonl
same run npz run --model demo:sparse --text "$text" --npz
same sweep json sweep --model demo:sparse --prompts prompts.jsonl --json
same circuit json circuit --model demo:sparse --pairs pairs.jsonl --json
if "$headscope" figure --presets >/dev/null 2>&1; then
    same figure pdf figure --preset head-grid --text "$text" --out
fi

for ((copy = 0; copy < 3; ++copy)); do cat prompts.jsonl; done >many.jsonl
sweep=(--model demo:sparse --prompts many.jsonl --units heads --json)
"$headscope" sweep "${sweep[@]}" many-here.json >/dev/null

"$headscope" sweep --host "$host" "${sweep[@]}" cut.json >/dev/null 2>cut.err &
client=$!
wait_for_job
pkill -KILL -P "$client" ssh
wait "$client"
grep 'Connection lost' cut.err
cmp many-here.json cut.json
printf 'ssh killed in the middle of a sweep: the same bytes\n'

"$headscope" sweep --host "$host" "${sweep[@]}" anew.json >/dev/null 2>anew.err &
client=$!
wait_for_job
kill -KILL "$(daemon_of "$state")"
wait "$client"
cat anew.err
cmp many-here.json anew.json
printf 'daemon killed in the middle of a sweep: the same bytes\n'

"$headscope" sweep --host "$host" "${sweep[@]}" stopped.json >/dev/null 2>stopped.err &
client=$!
wait_for_job
kill -INT "$client"
code=0
wait "$client" || code=$?
printf 'interrupted in the middle of a sweep: exit %s, %s\n' "$code" "$(tail -n 1 stopped.err)"
for ((tries = 0; tries < 100; ++tries)); do
    [[ -n $(pgrep -P "$(daemon_of "$state")" || true) ]] || break
    sleep 0.05
done
[[ -z $(pgrep -P "$(daemon_of "$state")" || true) && -z $(ls -A "$state/jobs") ]]

run=(--model demo:sparse --text hello)
refused 'no machine called' "$headscope" run --host nowhere.invalid "${run[@]}"
HEADSCOPE_FAR_COMMAND="exec no-such-headscope serve --stdio" \
    refused 'HEADSCOPE_FAR_COMMAND' "$headscope" run --host "$host" "${run[@]}"
# What a HeadScope of another protocol says first.
printf '\x89HSC\r\n\x1a\n\x29\0\0\0\x01\x02\0\0\0\0\0\0\x29\0\0\0\x25\0\0\0\xa2\x68protocol\xa2\x65major\x09\x65minor\0\x67version\x639.0' >newer
HEADSCOPE_FAR_COMMAND="cat $folder/newer; sleep 5" \
    refused '9.0.*update HeadScope here' "$headscope" run --host "$host" "${run[@]}"
refused 'is not the name of a machine' "$headscope" run --host=-oProxyCommand=true "${run[@]}"
mkdir -m 755 open
HEADSCOPE_FAR_COMMAND="exec env HEADSCOPE_STATE=$folder/open $headscope-serve --stdio" \
    refused 'open to other users' "$headscope" run --host "$host" "${run[@]}"
if (($# == 1)); then
    refused 'ssh-copy-id' "$headscope" run --host locked "${run[@]}"
    # Without a setting: the small program is found in PATH, else the large one.
    (
        unset HEADSCOPE_FAR_COMMAND
        tokens=(tokenize --model demo:sparse --text hello)
        "$headscope" "${tokens[@]}" --host far | cmp - <("$headscope" "${tokens[@]}")
        rm bin/headscope-serve
        "$headscope" "${tokens[@]}" --host far | cmp - <("$headscope" "${tokens[@]}")
        rm bin/headscope
        refused 'has no program for "headscope serve --stdio"' "$headscope" run --host far "${run[@]}"
    )
fi
mkdir full
if mount -t tmpfs -o size=64k none full 2>/dev/null; then
    export HEADSCOPE_FAR_COMMAND="exec env HEADSCOPE_STATE=$folder/full/state $headscope-serve --stdio"
    # The command itself says that the file does not fit, and HeadScope here on which disk.
    code=0
    "$headscope" run --host "$host" --model demo:sparse --text "$text" --npz full.npz 2>full.err || code=$?
    cat full.err
    [[ $code == 1 && ! -e full.npz ]] && grep -q 'The disk of .* is full' full.err
    head -c 1000000 /dev/zero >zeros
    refused 'free some space' "$headscope" run --host "$host" --model demo:sparse --text-file zeros
else
    printf 'a full disk was not tried: mount is not allowed\n'
fi
printf 'everything is the same over ssh\n'
