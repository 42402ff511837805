// convert-linalg-to-pool follows a divisor's arithmetic to a depth of 256
// operations, so that compile time is bounded. The input adds 0 many times to a
// sum, which has three more operations. So the divisor with 252 additions is
// raised, and the one with 253 stays, with a remark.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %python %S/Inputs/deep_divisor.py 252 | pool-opt --convert-linalg-to-pool | FileCheck %s
// RUN: %python %S/Inputs/deep_divisor.py 253 | pool-opt --convert-linalg-to-pool --remarks-filter=convert-linalg-to-pool -o %t 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK:         pool.avg_pool %{{.+}} kernel [3] :
// CHECK-NOT:     arith.divf
// REMARK:        its divisor is too large an expression
