// Fusion of 20 max_unpool, one after the other, into a loop over the batch. A
// tile has all channels and columns, whose extents are unknown. The code that
// compares tiles with the whole must recognise this, however long the chain is
// from which the extents come.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %python %S/Inputs/unpool_chain.py | pool-opt --transform-interpreter | FileCheck %s

// CHECK-LABEL:    func.func @chain(
// CHECK:          scf.for
// CHECK-COUNT-20: pool.max_unpool
// CHECK:          scf.yield
