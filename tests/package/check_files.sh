#!/usr/bin/env bash
# What is in the .deb satisfies the tools that judge it. Usage: check_files.sh FOLDER_OF_PACKAGES
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"
need dpkg-deb lintian appstreamcli desktop-file-validate update-mime-database man zsh fish

package=$(newest "$1"/headscope_*.deb)
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
dpkg-deb --extract "$package" "$files"
share=$files/usr/share
id=org.headscope.HeadScope

must lintian --fail-on error "$package"
must appstreamcli validate --no-net "$share/metainfo/$id.metainfo.xml"
must desktop-file-validate "$share/applications/$id.desktop"

must update-mime-database "$share/mime"
grep -q '<glob pattern="\*.headscope"/>' "$share/mime/application/x-headscope-session.xml" ||
    fail "no file type for sessions"
for size in 16 24 32 48 64 128 256 512; do
    [[ -s $share/icons/hicolor/${size}x${size}/apps/$id.png ]] || fail "no icon of $size pixels"
done
[[ -s $share/icons/hicolor/scalable/apps/$id.svg ]] || fail "no scalable icon"

warnings=$(LC_ALL=C.UTF-8 MANWIDTH=100 man --warnings --local-file "$share/man/man1/headscope.1.gz" 2>&1 >/dev/null)
[[ -z $warnings ]] || fail "man says: $warnings"

must bash -n "$share/bash-completion/completions/headscope"
must zsh -n "$share/zsh/vendor-completions/_headscope"
offers=$(fish --no-config -c "source $share/fish/vendor_completions.d/headscope.fish; complete -C 'headscope run --gate '")
[[ $(cut -f 1 <<<"$offers" | sort | tr '\n' ' ') == 'auto off score ' ]] ||
    fail "fish offers for headscope run --gate: $offers"

dependencies=$(dpkg-deb --field "$package" Depends)
for wanted in libopenblas0 libtorch libqt6widgets6 libqcustomplot libqt6svg6 fonts-; do
    [[ $dependencies == *$wanted* ]] || fail "the package does not depend on $wanted: $dependencies"
done
printf '%s is in order\n' "$(basename "$package")"
