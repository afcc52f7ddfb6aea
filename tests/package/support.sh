# What the checks of packages share; each names the folder that ./dev package fills.
set -euo pipefail

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

# ctest counts this exit code as "not run".
skip() {
    printf 'Skipped: %s\n' "$*" >&2
    exit 77
}

# The newest file of a pattern.
newest() {
    local file found=
    for file in "$@"; do
        if [[ -f $file && (-z $found || $file -nt $found) ]]; then found=$file; fi
    done
    [[ -n $found ]] || fail "There is no $1; run ./dev package first."
    printf '%s\n' "$found"
}

need() {
    local tool
    for tool in "$@"; do
        command -v "$tool" >/dev/null ||
            skip "$tool is missing; ./dev test --all installs packaging/debian-packages-release.txt."
    done
}

# Runs a command and fails with what it said.
must() {
    local said
    said=$("$@" 2>&1) || fail "$* says: $said"
}

# The demo pair answers, a figure and the window are drawn; given is how to call headscope, then a folder
# that it may write to, as the program and as this script see it.
must_work() {
    local as_seen=$1 folder=$2 model said
    shift 2
    for model in demo:dense demo:sparse; do
        said=$("$@" run --model $model --generate 1 \
            --text "When Mary and John went to the store , John gave a drink to" 2>&1) || fail "run says: $said"
        [[ $said == *'"continuation": "Mary"'* ]] || fail "$model does not answer Mary: $said"
        [[ $said != *BLAS* ]] || fail "the package brings a slow BLAS: $said"
    done
    must "$@" figure --preset head-grid --out "$as_seen/heads.pdf"
    [[ $(head -c 5 "$folder/heads.pdf") == %PDF- ]] || fail "heads.pdf is no PDF"
    must "$@" screenshots --only matrix-light --out "$as_seen"
    [[ $(head -c 4 "$folder/matrix-light.png") == $'\x89PNG' ]] || fail "the window's picture is no PNG"
}
