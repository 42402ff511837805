#!/bin/sh
# For pool-reduce: a module is interesting (exit code 1, as mlir-reduce wants
# it) while it holds an average with divisor kernel.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

if grep -q 'pool.avg_pool.*divisor kernel' "$1"; then
  exit 1
fi
exit 0
