#!/bin/sh
# Makes the root directory of a bare Debian, and runs commands in it. They see none of this
# machine's files, but share its network, processes and devices.
#
# usage: bare-root.sh make ROOT SUITE [PACKAGE...]
#        bare-root.sh run ROOT DIRECTORY COMMAND...
#   ROOT       the directory of the system
#   SUITE      bookworm or trixie, which debootstrap installs
#   DIRECTORY  where COMMAND starts, as named inside ROOT; also its HOME
#
# COMMAND gets no variables of the caller's environment except for pip's index. The exit
# code is COMMAND's, or 2 for a wrong command line.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

set -eu

usage() {
  sed -n '2,/SPDX/s/^# \{0,1\}//p' "$0" | sed '/SPDX/d' >&2
  exit 2
}

make_root() {
  root=$1
  suite=$2
  shift 2
  include=ca-certificates
  for package; do
    include=$include,$package
  done
  debootstrap --variant=minbase --include="$include" "$suite" "$root"
  # Add the security archive, as Debian's container images do.
  mirror=$(sed -n 's|^deb \([^ ]*[^ /]\)/* .*|\1|p' "$root/etc/apt/sources.list")
  for archive in "$mirror $suite" "$mirror $suite-updates" "$mirror-security $suite-security"; do
    echo "deb $archive main"
  done >"$root/etc/apt/sources.list"
}

run() {
  root=$1
  directory=$2
  shift 2
  cp /etc/resolv.conf /etc/hosts "$root/etc"
  certificates=/tmp/certificates.pem
  cp "${PIP_CERT:-/etc/ssl/certs/ca-certificates.crt}" "$root$certificates"
  # clang needs /proc to find its own files. The mounts end with the command.
  # Single quotes: the inner shell expands its own arguments.
  # shellcheck disable=SC2016
  exec unshare --mount sh -c '
    root=$1 && shift
    mount --rbind /proc "$root/proc" && mount --rbind /dev "$root/dev" &&
      exec chroot "$root" "$@"' sh "$root" \
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    HOME="$directory" PIP_CERT="$certificates" PIP_INDEX_URL="${PIP_INDEX_URL:-}" \
    sh -c 'cd "$HOME" && exec "$@"' sh "$@"
}

[ $# -ge 3 ] || usage
action=$1
shift
case $action in
make) make_root "$@" ;;
run)
  [ $# -ge 3 ] || usage
  run "$@"
  ;;
*) usage ;;
esac
