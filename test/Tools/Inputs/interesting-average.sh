#!/bin/sh
# For pool-reduce: a module is interesting if it has an average with divisor kernel. The
# exit code is then 1, as mlir-reduce requires.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

if grep -q 'pool.avg_pool.*divisor kernel' "$1"; then
  exit 1
fi
exit 0
