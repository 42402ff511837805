#!/bin/sh
# For pool-reduce: a module is interesting (exit code 1, as mlir-reduce wants
# it) while its lowering fails with the error that is looked for.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

if pool-opt --convert-pool-to-linalg "$1" 2>&1 | grep -q 'cannot be lowered'; then
  exit 1
fi
exit 0
