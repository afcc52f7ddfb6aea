#!/usr/bin/env bash
# Runs the fuzzers of the preset `fuzz` one after the other and prints a Markdown table of what they did.
# Findings are left in BUILD/fuzz-findings/TARGET; once fixed, they belong in tests/fuzz/corpus/TARGET.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

usage() {
    cat <<'TEXT'
Usage: tests/fuzz/run_all.sh [--build DIR] [--inputs N] [--seconds S] [TARGET...]

  --build DIR   where the programs were built; without it the preset is built first
  --inputs N    inputs for each target (5000000)
  --seconds S   most time for each target (3600)
TEXT
}

build='' inputs=5000000 seconds=3600 targets=()
while [[ $# -gt 0 ]]; do
    case $1 in
    --build) build=$2; shift 2 ;;
    --inputs) inputs=$2; shift 2 ;;
    --seconds) seconds=$2; shift 2 ;;
    -h | --help) usage; exit 0 ;;
    -*) usage >&2; exit 2 ;;
    *) targets+=("$1"); shift ;;
    esac
done

if [[ -z $build ]]; then
    build=$root/build/fuzz
    (cd "$root" && cmake --preset fuzz >&2 && cmake --build --preset fuzz >&2)
fi
if [[ ${#targets[@]} -eq 0 ]]; then
    for program in "$build"/bin/fuzz_*; do
        targets+=("${program##*/fuzz_}")
    done
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

statistic() { sed -n "s/^stat::$1: *//p" "$2"; }

# What a run may take: an input of a few kB never needs 100 MB at once, nor a second; the minute is for a
# busy machine.
fuzz() {
    local target=$1 log=$2 findings=$3 grown=$4 options=()
    if [[ -f $here/dictionaries/$target.dict ]]; then
        options+=("-dict=$here/dictionaries/$target.dict")
    fi
    "$build/bin/fuzz_$target" "${options[@]}" -runs="$inputs" -max_total_time="$seconds" -max_len=4096 \
        -timeout=60 -rss_limit_mb=2048 -malloc_limit_mb=100 -print_final_stats=1 -verbosity=0 \
        -artifact_prefix="$findings/" "$grown" "$here/corpus/$target" >"$log" 2>&1
}

failed=0
printf '| target | inputs | seconds | new in corpus | verdict |\n| --- | ---: | ---: | ---: | --- |\n'
for target in "${targets[@]}"; do
    log=$scratch/$target.log findings=$build/fuzz-findings/$target grown=$scratch/$target
    mkdir -p "$findings" "$grown"
    started=$SECONDS verdict=clean
    if ! fuzz "$target" "$log" "$findings" "$grown"; then
        verdict="broken, see $findings"
        failed=1
        tail -n 60 "$log" >&2
    fi
    printf '| %s | %s | %s | %s | %s |\n' "$target" "$(statistic number_of_executed_units "$log")" \
        $((SECONDS - started)) "$(statistic new_units_added "$log")" "$verdict"
done
exit $failed
