// convert-linalg-to-pool compares positions as polynomials, and must give up if
// these get too many terms. This position has a million terms, which once took
// minutes to multiply.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %python %S/Inputs/large_position.py | pool-opt --convert-linalg-to-pool --remarks-filter=convert-linalg-to-pool -o %t 2>&1 | FileCheck %s

// CHECK: Reason="its indices are not the positions of elements in their plane"
