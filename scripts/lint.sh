#!/bin/sh
# Checks the sources: format, house rules, shell scripts, clang-tidy. Runs all
# of them and fails if one fails.
#
# usage: lint.sh BUILD-DIRECTORY (built, for compile_commands.json and the
# generated headers)
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

set -eu
cd "$(dirname "$0")/.."
build=${1:?usage: lint.sh BUILD-DIRECTORY}
status=0

echo "format"
scripts/format.sh --check || status=1

echo "house rules"
python3 scripts/check-style.py || status=1

echo "shell scripts"
find scripts .ci benchmarks examples -type f 2>/dev/null |
  while read -r file; do
    case $(head -n 1 "$file") in
    '#!/bin/sh'* | '#!/bin/bash'* | '#!/usr/bin/env bash'*) echo "$file" ;;
    esac
  done | xargs shellcheck || status=1

echo "clang-tidy"
# Generated headers that a source includes have to exist.
cmake --build "$build"
# The Python module is not built everywhere.
python=
if grep -q python/src "$build/compile_commands.json"; then
  python='python/*.cpp'
fi
# The build with POOL_STATIC_LLVM has a few more.
git ls-files -z 'lib/*.cpp' 'tools/*.cpp' ${python:+"$python"} ':!lib/StaticLLVM' |
  xargs -0 -n 1 -P "$(nproc)" clang-tidy-22 --quiet -p "$build" || status=1

exit $status
