#!/usr/bin/env bash
# Adds up what test programs said: tests/summary.sh LOG, where LOG is ctest's LastTest.log.
# Fails where no case ran.
set -euo pipefail

read -r programs cases assertions < <(awk '
    # "All tests passed (12 assertions in 3 test cases)", or "test cases: 3 | 2 passed | 1 failed" and the like
    /^All tests passed \(/ { ++programs; assertions += substr($4, 2); cases += $7 }
    /^test cases: / { ++programs; cases += $3 }
    /^assertions: / { assertions += $2 }
    END { print programs + 0, cases + 0, assertions + 0 }' "$1")
skipped=$(grep '^skipped: ' "$1" | sort -u || true)
printf '\nTest programs and parts: %s, cases: %s, assertions: %s, skipped: %s\n' \
    "$programs" "$cases" "$assertions" "$(grep -c . <<<"$skipped" || true)"
if [[ -n $skipped ]]; then printf '%s\n' "$skipped"; fi
if ((cases == 0)); then
    printf 'No test case has that name; tests are named by what they hold, see tests/.\n' >&2
    exit 1
fi
