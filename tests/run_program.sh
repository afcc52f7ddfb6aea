#!/usr/bin/env bash
# One entry of ctest: tests/run_program.sh PROGRAM SECONDS SPEC [OPTION...]
# Runs the cases of a test program that Catch2 selects by SPEC; where HS_TEST_PATTERN is set, those with it
# in their names. A program that takes longer is ended by a signal at which Catch2 names the case.
set -euo pipefail

program=$1 seconds=$2 spec=$3
shift 3
if [[ -n ${HS_TEST_PATTERN:-} ]]; then
    spec="\"*$(sed 's/[],["\\]/\\&/g' <<<"$HS_TEST_PATTERN")*\"$spec"
fi
# Several programs share the cores: threads that have nothing to do sleep instead of spinning.
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}
exec timeout --kill-after=20 "$seconds" "$program" --filenames-as-tags "$spec" "$@"
