#!/usr/bin/env bash
# Prints tests/results.md from what the long tests printed: tests/results.sh LOG... >tests/results.md
# LOG is of ./dev test --all (build/long-tests.log), or of its parts: monkey_tests "[long]" and
# tests/fuzz/run_all.sh.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [[ $# -eq 0 ]]; then
    printf 'Usage: tests/results.sh LOG...\n' >&2
    exit 2
fi

row() { printf '| %s | %s | %s |\n' "$@"; }

cat <<'TEXT'
# Results of the long tests

Made by `tests/results.sh` from what the tests of `./dev test --all` printed.

## The window, and injected faults

TEXT
row what "how much" result
row --- ---: ---
sed -nE 's/.*figure: monkey actions ([0-9]+) seed ([0-9]+) worst ([0-9]+) ms \((.*)\)$/\1 \2 \3 \4/p' "$@" |
    while read -r actions seed worst what; do
        row "monkey, seed $seed" "$actions actions" "every law held; longest event $worst ms (${what%%,*})"
    done
sed -nE 's/.*figure: soak runs ([0-9]+) start ([0-9]+) MB warm ([0-9]+) MB end ([0-9]+) MB$/\1 \2 \3 \4/p' "$@" |
    while read -r runs start warm end; do
        row soak "$runs runs" "$start MB at the start, $warm MB warmed up, $end MB at the end"
    done
row faults "$(grep -rhoF '"[fault]"' "$root/tests" --include='*.cpp' | wc -l) tests that inject one" \
    "the old or the new file whole, a sentence with the remedy, nothing lost"

cat <<'TEXT'

## Fuzzing

Address and undefined behaviour sanitizers, 5,000,000 inputs or an hour for each.

TEXT
printf '| target | inputs | seconds | new in corpus | verdict |\n| --- | ---: | ---: | ---: | --- |\n'
grep -hoE '\| [a-z_]+ \| [0-9]+ \| [0-9]+ \| [0-9]+ \| clean \|' "$@" | sort
