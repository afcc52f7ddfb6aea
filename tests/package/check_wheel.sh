#!/usr/bin/env bash
# The wheel works in an empty environment, with pip's torch, and wherever that is moved; the bundle works by itself.
# Usage: check_wheel.sh FOLDER, which ./dev wheel and ./dev bundle fill. PIP_INDEX_OF_TORCH may name another index.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"

ls "$1"/headscope-*.whl "$1"/headscope-*.tar.xz >/dev/null 2>&1 || skip "there is no wheel or no bundle; run ./dev wheel and ./dev bundle."
wheel=$(newest "$1"/headscope-*.whl)
bundle=$(newest "$1"/headscope-*.tar.xz)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
question='When Mary and John went to the store , John gave a drink to'

# works NAME COMMAND...: the demo answers, a figure is drawn, and a window stays open without a display of its own.
works() {
    local name=$1 said status=0
    shift
    said=$("$@" run --model demo:sparse --generate 1 --text "$question" 2>&1) || fail "$name says: $said"
    [[ $said == *'"continuation": "Mary"'* ]] || fail "$name does not answer Mary: $said"
    must "$@" figure --preset head-grid --out "$folder/heads.pdf"
    timeout 10 "$@" >"$folder/said" 2>&1 || status=$?
    [[ $status -eq 124 ]] || fail "$name's window ended with $status: $(cat "$folder/said")"
}

program_of='import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read("headscope/_program/bin/headscope"))'
python3 -c "$program_of" "$wheel" >"$folder/program"
needed=$(readelf --dynamic "$folder/program")
if [[ $needed != *libcudart* && $needed == *cuda* ]]; then
    fail "the wheel for processors needs a torch for CUDA"
fi
size=$(stat --format=%s "$wheel")
((size <= 60 * 1000000)) || fail "the wheel has $size bytes, more than 60 MB"
python3 -m venv "$folder/tools"
"$folder/tools/bin/pip" install --quiet twine check-wheel-contents
must "$folder/tools/bin/twine" check --strict "$wheel"
must "$folder/tools/bin/check-wheel-contents" --config packaging/python/pyproject.toml "$wheel"

alone=(env -i HOME="$folder" QT_QPA_PLATFORM=offscreen)
clean=("${alone[@]}" PATH="$folder/env/bin:/usr/bin:/bin")
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet "$wheel"
if said=$("${clean[@]}" headscope --version 2>&1); then fail "the program starts without torch"; fi
[[ $said == *"pip install 'torch=="* ]] || fail "without torch it says: $said"
torch=$(sed "s/.*'\(torch==[^']*\)'.*/\1/" <<<"$said")
"$folder/env/bin/pip" install --quiet "$torch" --index-url "${PIP_INDEX_OF_TORCH:-https://download.pytorch.org/whl/cpu}"
works "the wheel" "${clean[@]}" headscope
must "${clean[@]}" python -c "import headscope; assert headscope.load('demo:dense').run('Mary').attention.shape[0] == 8"
mv "$folder/env" "$folder/moved"
works "the moved wheel" "${alone[@]}" "$folder/moved/bin/python" -m headscope

tar -xJf "$bundle" -C "$folder"
works "the bundle" "${alone[@]}" "$folder/$(basename "$bundle" .tar.xz)/headscope"
printf '%s and %s work\n' "$(basename "$wheel")" "$(basename "$bundle")"
