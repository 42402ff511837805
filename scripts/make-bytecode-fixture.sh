#!/bin/sh
# Makes the bytecode fixture of a release, which every later version must read. It writes
# test/Bytecode/Inputs/NAME.mlirbc from test/Bytecode/ops.mlir, and beside it NAME.mlir,
# the same module in generic form with all defaults. Fixtures never change, so NAME must
# be new.
#
# usage: make-bytecode-fixture.sh POOL-OPT NAME
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

set -eu

if [ $# -ne 2 ]; then
  sed -n 's/^# usage: /usage: /p' "$0" >&2
  exit 2
fi
pool_opt=$1
directory=$(cd "$(dirname "$0")/../test/Bytecode" && pwd)
fixture=$directory/Inputs/$2
if [ -e "$fixture.mlirbc" ] || [ -e "$fixture.mlir" ]; then
  echo "$0: $fixture.mlirbc or .mlir is there, and fixtures are not changed" >&2
  exit 1
fi

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
"$pool_opt" --strip-debuginfo --emit-bytecode "$directory/ops.mlir" \
  -o "$temporary/fixture.mlirbc"
"$pool_opt" --strip-debuginfo --mlir-print-op-generic "$directory/ops.mlir" \
  -o "$temporary/fixture.mlir"
mkdir -p "$directory/Inputs"
cp "$temporary/fixture.mlirbc" "$fixture.mlirbc"
cp "$temporary/fixture.mlir" "$fixture.mlir"
