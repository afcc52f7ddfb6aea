#!/usr/bin/env bash
# The end-to-end tests with every command computed by a daemon: through_host.sh HEADSCOPE COMMAND...
# Runs the command, a test program, with "localhost" as the other machine, and a few lines in place of ssh. One daemon
# serves all of it; afterwards nothing of it is left.
set -euo pipefail

headscope=$1
shift
folder=$(mktemp -d /tmp/hs-host-XXXX)
trap '"$headscope-serve" --stop 2>/dev/null || true; rm -rf --one-file-system "$folder"' EXIT
cat >"$folder/ssh" <<'SSH'
#!/bin/sh
# ssh [OPTION...] -- HOST COMMAND, on this machine
while [ "$1" != -- ]; do shift; done
shift 2
HOME=${HEADSCOPE_STATE%/*}
export HOME
exec sh -c "$*"
SSH
chmod +x "$folder/ssh"
export HS_TEST_HOST=localhost HEADSCOPE_SSH=$folder/ssh HEADSCOPE_STATE=$folder/state
export HEADSCOPE_FAR_COMMAND="exec $headscope-serve --stdio"
"$@"
"$headscope-serve" --stop
left=$(find "$folder/state/jobs" -mindepth 1 | head -n 5)
[[ -z $left ]] || { printf 'the daemon has left files of commands:\n%s\n' "$left"; exit 1; }
