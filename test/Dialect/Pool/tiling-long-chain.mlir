// A tile of the batch has all channels and columns, whose extents are unknown.
// Each operation of a chain gets them from the tile of the next one. They are
// recognised, however long the chain is that the extents come from.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %python %S/Inputs/unpool_chain.py | pool-opt --transform-interpreter | FileCheck %s

// CHECK-LABEL:    func.func @chain(
// CHECK:          scf.for
// CHECK-COUNT-20: pool.max_unpool
// CHECK:          scf.yield
