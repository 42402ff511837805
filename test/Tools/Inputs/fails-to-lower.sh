#!/bin/sh
# For pool-reduce: a module is interesting if its lowering fails with the given error. The
# exit code is then 1, as mlir-reduce requires.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

if pool-opt --convert-pool-to-linalg "$1" 2>&1 | grep -q 'cannot be lowered'; then
  exit 1
fi
exit 0
