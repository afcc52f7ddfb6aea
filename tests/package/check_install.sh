#!/usr/bin/env bash
# The .deb installs on a clean Debian, works there for an ordinary user, and leaves nothing behind.
# Usage: check_install.sh FOLDER_OF_PACKAGES. HS_DEBIAN_MIRROR is where Debian comes from.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"
[[ $(id -u) == 0 ]] || skip "making a clean system needs root."
need debootstrap unshare dpkg-deb
unshare --mount --pid --fork true 2>/dev/null || skip "there are no mount namespaces here."

package=$(newest "$1"/headscope_*.deb)
system=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")
root=$(mktemp -d "${TMPDIR:-/var/tmp}/headscope-package-XXXXXX")
trap 'rm -rf --one-file-system "$root"' EXIT
chmod 755 "$root"  # users other than root look into it, too

# Mounts and processes of a call end with it.
in_root() {
    unshare --mount --pid --fork --kill-child sh -c \
        'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$root" "$@"
}
as_administrator() {
    in_root env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"
}
as_user() {
    in_root setpriv --reuid 1000 --regid 1000 --clear-groups \
        env -i HOME=/tmp/user PATH=/usr/bin:/bin "$@"
}
all_files() {
    in_root find / -path /proc -prune -o -path /tmp -prune -o -print | sort
}

must debootstrap --variant=minbase "$system" "$root" "${HS_DEBIAN_MIRROR:-http://deb.debian.org/debian}"
cp "$package" "$root/tmp/headscope.deb"
install --directory --owner 1000 --group 1000 "$root/tmp/user"
must as_administrator apt-get -q update
# Dependencies first: what they leave behind is not the package's.
must as_administrator apt-get -q satisfy --yes --no-install-recommends \
    "$(dpkg-deb --field "$package" Depends)"
all_files >"$root/tmp/before"

must as_administrator apt-get -q install --yes --no-install-recommends /tmp/headscope.deb
version=$(dpkg-deb --field "$package" Version)
said=$(as_user headscope --version)
[[ $said == "headscope ${version%-*}" ]] || fail "headscope --version says: $said"
must_work /tmp/user "$root/tmp/user" as_user headscope

must as_administrator apt-get -q purge --yes headscope
all_files >"$root/tmp/after"
left=$(comm -13 "$root/tmp/before" "$root/tmp/after")
[[ -z $left ]] || fail "left behind: $left"
printf '%s works on a clean %s and leaves nothing behind\n' "$(basename "$package")" "$system"
