// The conversion follows a divisor's arithmetic to a depth of 256 operations.
// The input adds 0 many times to a sum, below which there are three more
// operations. So 252 additions are followed, and 253 are too many.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %python %S/Inputs/deep_divisor.py 252 | pool-opt --convert-linalg-to-pool | FileCheck %s
// RUN: %python %S/Inputs/deep_divisor.py 253 | pool-opt --convert-linalg-to-pool --remarks-filter=convert-linalg-to-pool -o %t 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK:         pool.avg_pool %{{.+}} kernel [3] :
// CHECK-NOT:     arith.divf
// REMARK:        its divisor is too large an expression
