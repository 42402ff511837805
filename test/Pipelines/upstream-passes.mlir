// Some upstream passes crash or miscompile (docs/Internals/upstream/passes.md).
// Our pipelines must not contain these passes, and must lower modules that
// provoke the faults.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-to-llvm=runtime-checks --dump-pass-pipeline 2>&1 | FileCheck %s --implicit-check-not=remove-dead-values --implicit-check-not=inline{{[,{)]}} --implicit-check-not=int-range-optimizations --implicit-check-not=must-infer-memory-space=true --implicit-check-not=ub.poison
// RUN: pool-opt %s --pool-to-llvm="path=linalg threads=omp" --dump-pass-pipeline 2>&1 | FileCheck %s --implicit-check-not=remove-dead-values --implicit-check-not=inline{{[,{)]}} --implicit-check-not=int-range-optimizations --implicit-check-not=must-infer-memory-space=true --implicit-check-not=ub.poison
// RUN: pool-opt %s --pool-to-llvm=path=affine --dump-pass-pipeline 2>&1 | FileCheck %s --implicit-check-not=remove-dead-values --implicit-check-not=inline{{[,{)]}} --implicit-check-not=int-range-optimizations --implicit-check-not=must-infer-memory-space=true --implicit-check-not=ub.poison

// CHECK: pool-bufferize
// CHECK: llvm.func @carried(
func.func @carried(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %0 = scf.forall (%i) in (2) shared_outs(%o = %e) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
    }
  }
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0) -> tensor<4xf32> {
    scf.yield %a : tensor<4xf32>
  }
  return %l : tensor<4xf32>
}

// CHECK: llvm.func @bounds(
func.func @bounds(%m: memref<?xindex>, %n: index) {
  affine.for %i = 0 to %n {
    affine.store %i, %m[%i] : memref<?xindex>
  }
  return
}
