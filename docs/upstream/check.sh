#!/bin/sh
# Says of each reproducer in this directory whether the fault is there.
#
# usage: check.sh [DIRECTORY OF llc AND opt]     (default: /usr/lib/llvm-22/bin)
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

set -u
llvm=${1:-/usr/lib/llvm-22/bin}
here=$(cd "$(dirname "$0")" && pwd)
for tool in llc opt; do
  [ -x "$llvm/$tool" ] || {
    echo "$0: no $tool in $llvm" >&2
    exit 1
  }
done

# say FAULT STATUS: 0 says that the fault is gone.
say() {
  if [ "$2" = 0 ]; then echo "gone     $1"; else echo "present  $1"; fi
}

LLVM_DISABLE_CRASH_REPORT=1 "$llvm/llc" --disable-symbolication -O3 \
  "$here/two-address.ll" -o /dev/null 2>/dev/null
say two-address $?

"$llvm/llc" -O2 "$here/one-lane-store.ll" -o - |
  grep -Eq '(vmovss|vmovd|vmovlps|vmovq|movl|movq)[[:space:]]+%[a-z0-9]+, \(%rdi\)'
[ $? = 1 ]
say one-lane-store $?

timeout 10 "$llvm/opt" -passes='loop(loop-idiom)' "$here/selection-chain.ll" \
  -o /dev/null
say selection-chain $?
