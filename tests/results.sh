#!/usr/bin/env bash
# Prints the rows of tests/results.md that tell of the window's long tests and of injected faults.
#
#   tests/results.sh BUILD        runs the monkey and the soak of build/release or another build (an hour)
#   tests/results.sh BUILD LOG    takes their figures from what they printed before, ctest -L long -V included
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${1:-$root/build/release}
log=${2:-}

if [[ -z $log ]]; then
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    # Rows are of what holds: a test that fails ends this.
    "$build/bin/monkey_tests" "[long]" | tee "$log" >&2
fi

row() { printf '| %s | %s | %s |\n' "$@"; }

row "what" "how much" "result"
row "---" "---" "---"
sed -nE 's/.*figure: monkey actions ([0-9]+) seed ([0-9]+) worst ([0-9]+) ms \((.*)\)$/\1 \2 \3 \4/p' "$log" |
    while read -r actions seed worst what; do
        row "monkey, seed $seed" "$actions actions" "every law held; longest event $worst ms (${what%%,*})"
    done
sed -nE 's/.*figure: soak runs ([0-9]+) start ([0-9]+) MB warm ([0-9]+) MB end ([0-9]+) MB$/\1 \2 \3 \4/p' "$log" |
    while read -r runs start warm end; do
        row "soak" "$runs runs" "$start MB at the start, $warm MB warmed up, $end MB at the end"
    done
row "faults" "$(grep -rhoF '"[fault]"' "$root/tests" --include='*.cpp' | wc -l) tests that inject one" \
    "the old or the new file whole, a sentence with the remedy, nothing lost"
