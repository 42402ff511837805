// Upstream's shard passes split a batch of pooling, and the sum after it, over
// two ranks, and lower communication to MPI. The ranks together must give the
// result of one rank.
//
// For Open MPI, sed corrects two faults of LLVM 22.1
// (docs/Internals/upstream/shard.md). The handle of a split communicator loses
// its upper half, and the sum has a name that the library does not know.
//
// RUN: pool-opt %s --pass-pipeline="builtin.module(func.func(sharding-propagation{traversal=forward},shard-partition))" \
// RUN:   | FileCheck %s
// RUN: pool-opt %s --pass-pipeline="builtin.module(func.func(sharding-propagation{traversal=forward},shard-partition),convert-shard-to-mpi)" \
// RUN:   | sed "s/= mpi.comm_split(.*)/= mpi.comm_world/" > %t.mlir
// RUN: pool-opt %t.mlir --pass-pipeline="builtin.module(convert-pool-to-vector,one-shot-bufferize{bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map},convert-linalg-to-loops,convert-vector-to-scf,convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-vector-to-llvm,convert-to-llvm,reconcile-unrealized-casts,symbol-dce)" \
// RUN:   | mlir-translate --mlir-to-llvmir | sed s/@ompi_mpi_sum/@ompi_mpi_op_sum/ > %t.ll
// RUN: env OMPI_CC=%host_cc mpicc -Wno-override-module %t.ll %S/Inputs/shard.c -o %t.exe -lm
// RUN: %mpirun -n 2 %t.exe | FileCheck %s --check-prefix=SUMS

// SUMS: 2 ranks: 0 of 48 sums are wrong on any

#each = affine_map<(n, c, h, w) -> (n, c, h, w)>
#summed = affine_map<(n, c, h, w) -> (c, h, w)>

module attributes {dlti.map = #dlti.map<"MPI:Implementation" = "OpenMPI">} {
  shard.grid @grid(shape = 2) {sym_visibility = "private"}

  // CHECK-LABEL: func.func @sum_of_maxima
  // CHECK-SAME:    (%[[X:.*]]: tensor<2x3x8x8xf32>, %{{.*}}: tensor<3x4x4xf32>)
  // CHECK:         %[[MAXIMA:.*]] = pool.max_pool %[[X]] kernel [2, 2] strides [2, 2]
  // CHECK-SAME:      tensor<2x3x8x8xf32> -> tensor<2x3x4x4xf32>
  // CHECK:         %[[SUM:.*]] = linalg.generic
  // CHECK-SAME:      ins(%[[MAXIMA]]
  // CHECK:         shard.all_reduce %[[SUM]] on @grid grid_axes = [0]
  func.func @sum_of_maxima(%x: tensor<4x3x8x8xf32>, %zero: tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
      attributes {llvm.emit_c_interface} {
    %batch = shard.sharding @grid split_axes = [[0]] : !shard.sharding
    %whole = shard.sharding @grid split_axes = [[]] : !shard.sharding
    %own = shard.shard %x to %batch : tensor<4x3x8x8xf32>
    %none = shard.shard %zero to %whole : tensor<3x4x4xf32>
    %maxima = pool.max_pool %own kernel [2, 2] strides [2, 2]
        : tensor<4x3x8x8xf32> -> tensor<4x3x4x4xf32>
    %sum = linalg.generic {
        indexing_maps = [#each, #summed],
        iterator_types = ["reduction", "parallel", "parallel", "parallel"]}
        ins(%maxima : tensor<4x3x4x4xf32>) outs(%none : tensor<3x4x4xf32>) {
    ^bb0(%maximum: f32, %before: f32):
      %after = arith.addf %maximum, %before : f32
      linalg.yield %after : f32
    } -> tensor<3x4x4xf32>
    return %sum : tensor<3x4x4xf32>
  }
}
