#!/bin/sh
# Formats the C++ sources with clang-format-22. With --check it changes nothing and fails
# if anything would change.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

set -eu
cd "$(dirname "$0")/.."

if ! command -v clang-format-22 >/dev/null; then
  echo "clang-format-22 is needed: scripts/install-toolchain.sh" >&2
  exit 1
fi
case ${1-} in
'') mode=-i ;;
--check) mode='--dry-run -Werror' ;;
*)
  echo "usage: $0 [--check]" >&2
  exit 2
  ;;
esac

# $mode is unquoted, because it may be two words.
# shellcheck disable=SC2086
find include lib python tools unittests test examples benchmarks \
  \( -name '*.h' -o -name '*.cpp' \) -print0 2>/dev/null |
  xargs -0 clang-format-22 --style=file $mode
