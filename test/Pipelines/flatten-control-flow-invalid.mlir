// pool-flatten-control-flow turns loops and branches with regions into blocks.
// It must reject operations for which there is no such form, with an error that
// names the operation.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(pool-flatten-control-flow))'

func.func @tensors(%n: index, %x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{'scf.forall' has no form without regions}}
  %y = scf.forall (%i) in (%n) shared_outs(%o = %x) -> tensor<?xf32> {
    scf.forall.in_parallel {
    }
  }
  return %y : tensor<?xf32>
}
