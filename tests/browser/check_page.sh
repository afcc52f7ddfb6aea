#!/usr/bin/env bash
# Uses pages to share in headless Chromium and Firefox: hover, zoom, keys, pins, and that nothing leaves them.
# Usage: check_page.sh FIGURES_TESTS [--bench | --pictures FOLDER]; on Debian: chromium chromium-driver firefox-esr python3
# --bench prints how long frames take while 1,024 + 1,024 tiles of 64 × 64 are dragged, --pictures keeps what it looks like.
set -euo pipefail

command -v python3 >/dev/null || {
    printf 'skipped: pages in browsers: python3 is not installed.\n'
    exit 77
}
program=$1
shift
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d "${TMPDIR:-/tmp}/hs-pages-XXXX")
trap 'rm -rf --one-file-system "$folder"' EXIT
HS_PAGE_FOLDER=$folder QT_QPA_PLATFORM=offscreen "$program" "pages for browsers" >/dev/null
PYTHONDONTWRITEBYTECODE=1 python3 "$here/check_page.py" "$folder" "$@"
