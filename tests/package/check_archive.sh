#!/usr/bin/env bash
# The .tar.gz works from wherever it is unpacked. Usage: check_archive.sh FOLDER_OF_PACKAGES
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"

archive=$(newest "$1"/headscope-*.tar.gz)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tar -xzf "$archive" -C "$folder"
unpacked=$folder/$(basename "$archive" .tar.gz)
[[ -s $unpacked/LICENSE ]] || fail "no licence in $archive"

# Where the sources are that it was built from must not matter: it looks at its own models.
rm -r "$unpacked/share/headscope/models/demo-sparse"
if env -i HOME="$folder" "$unpacked/bin/headscope" tokenize --model demo:sparse --text Mary 2>/dev/null; then
    fail "the program does not use the models beside it"
fi
tar -xzf "$archive" -C "$folder"
must_work "$folder" "$folder" env -i HOME="$folder" "$unpacked/bin/headscope"
printf '%s works\n' "$(basename "$archive")"
