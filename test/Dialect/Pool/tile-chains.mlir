// pool-tile-chains cuts a chain of pooling and elementwise operations into
// tiles. One loop must contain the whole chain, without a buffer for a whole
// intermediate result. Options that cannot be met must be errors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --split-input-file --pool-tile-chains=grid=1,4,3 | FileCheck %s --check-prefix=GRID
// RUN: not pool-opt %s --split-input-file --pool-tile-chains=bytes=12000 2>%t | FileCheck %s --check-prefix=BYTES
// RUN: FileCheck %s --check-prefix=UNKNOWN --input-file %t
// RUN: not pool-opt %s --pool-tile-chains 2>&1 | FileCheck %s --check-prefix=NEITHER
// RUN: not pool-opt %s --pool-tile-chains='grid=1 bytes=1' 2>&1 | FileCheck %s --check-prefix=NEITHER
// RUN: not pool-opt %s --pool-tile-chains=grid=1,0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not pool-opt %s --pool-tile-chains=grid=1,1,1,1,2 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not pool-opt %s --pool-tile-chains=bytes=10 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not pool-opt %s --split-input-file --pool-tile-chains=bytes=10 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not pool-opt %s --pool-tile-chains=bytes=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEITHER: error: pool-tile-chains needs grid or bytes, and not both
// ZERO: error: grid must have at least 1 part in dimension 1, but has 0
// RANK: error: 'pool.max_pool' op cannot be cut: the grid has 5 dimensions, the result has 4
// SMALL: error: 'pool.max_pool' op cannot be cut: its smallest tile needs 596 bytes, more than 10
// NEGATIVE: error: bytes must be at least 0, but is -1

// The loop contains the whole chain, and no destination has the extents of a
// whole intermediate result.
// GRID-LABEL: func.func @chain
// GRID-NOT: pool.
// GRID: %[[E:.*]] = tensor.empty() : tensor<1x8x34x17xf32>
// GRID: scf.forall (%[[C:.*]], %[[H:.*]]) = (0, 0) to (8, 34) step (2, 12) shared_outs(%[[O:.*]] = %[[E]])
// GRID-DAG: %[[X:.*]] = tensor.extract_slice %arg0[0, %[[C]], %[[H]], 0] [1, 2, %{{.*}}, 39]
// GRID-DAG: %[[A:.*]] = pool.window_reduce <max> ins(%[[X]] : tensor<1x2x?x39xf32>)
// GRID: %[[N:.*]] = linalg.negf ins(%[[A]] : tensor<1x2x?x37xf32>)
// GRID: %[[S:.*]] = pool.window_reduce <sum> ins(%[[N]] :
// GRID: %[[M:.*]] = linalg.generic {{.*}} ins(%[[S]] :
// GRID: %[[R:.*]] = pool.window_reduce <max> ins(%[[M]] :
// GRID: tensor.parallel_insert_slice %[[R]] into %[[O]][0, %[[C]], %[[H]], 0] [1, 2, %{{.*}}, 17]
// GRID-NOT: pool.
// First the chain is cut along channels, which need no halo, and then along
// rows.
// BYTES-LABEL: func.func @chain
// BYTES: scf.forall ({{.*}}) = (0, 0) to (8, 34) step (1, 9)
func.func @chain(%x: tensor<1x8x40x39xf32>) -> tensor<1x8x34x17xf32> {
  %0 = pool.max_pool %x kernel [3, 3]
     : tensor<1x8x40x39xf32> -> tensor<1x8x38x37xf32>
  %e = tensor.empty() : tensor<1x8x38x37xf32>
  %n = linalg.negf ins(%0 : tensor<1x8x38x37xf32>)
                   outs(%e : tensor<1x8x38x37xf32>) -> tensor<1x8x38x37xf32>
  %1 = pool.avg_pool %n kernel [3, 3] pads_begin [0, 1] pads_end [0, 1]
     : tensor<1x8x38x37xf32> -> tensor<1x8x36x37xf32>
  %2 = pool.max_pool %1 kernel [3, 5] strides [1, 2]
     : tensor<1x8x36x37xf32> -> tensor<1x8x34x17xf32>
  return %2 : tensor<1x8x34x17xf32>
}

// -----

// A value with two uses ends a chain. So does a value with a use in another
// block.
// GRID-LABEL: func.func @uses
// GRID: %[[A:.*]] = scf.forall
// GRID: window_reduce <max> ins(%{{.*}} : tensor<2x2x?x12xf32>)
// GRID: scf.forall
// GRID-NOT: <max>
// GRID: window_reduce <min>
// GRID: scf.if
// GRID: scf.forall
// GRID: window_reduce <min>
// GRID: return %[[A]],
func.func @uses(%x: tensor<2x8x12x12xf32>, %c: i1)
    -> (tensor<2x8x10x10xf32>, tensor<2x8x8x8xf32>) {
  %0 = pool.max_pool %x kernel [3, 3]
     : tensor<2x8x12x12xf32> -> tensor<2x8x10x10xf32>
  %1 = pool.min_pool %0 kernel [3, 3]
     : tensor<2x8x10x10xf32> -> tensor<2x8x8x8xf32>
  %2 = scf.if %c -> tensor<2x8x8x8xf32> {
    %3 = pool.min_pool %1 kernel [1, 1]
       : tensor<2x8x8x8xf32> -> tensor<2x8x8x8xf32>
    scf.yield %3 : tensor<2x8x8x8xf32>
  } else {
    scf.yield %1 : tensor<2x8x8x8xf32>
  }
  return %0, %2 : tensor<2x8x10x10xf32>, tensor<2x8x8x8xf32>
}

// -----

// Both results are tiled. With unknown extents, the code ensures that a step is
// at least one.
// GRID-LABEL: func.func @unknown
// GRID: affine.max
// GRID: scf.forall
// GRID: window_reduce
// GRID: tensor.parallel_insert_slice
// GRID: tensor.parallel_insert_slice
// UNKNOWN: error: 'pool.max_pool' op cannot be cut by bytes: all extents must be known, but there is a 'tensor<1x8x?x?xf32>'
func.func @unknown(%x: tensor<1x8x?x?xf32>)
    -> (tensor<1x8x?x?xf32>, tensor<1x8x?x?xi64>) {
  %0, %i = pool.max_pool %x kernel [3, 3] axis 2
     : tensor<1x8x?x?xf32> -> tensor<1x8x?x?xf32>, tensor<1x8x?x?xi64>
  return %0, %i : tensor<1x8x?x?xf32>, tensor<1x8x?x?xi64>
}

// -----

// An operation that fits the bytes stays as it is.
// GRID-LABEL: func.func @small
// BYTES-LABEL: func.func @small
// BYTES: pool.max_pool
func.func @small(%x: tensor<1x2x12x12xf32>) -> tensor<1x2x10x10xf32> {
  %0 = pool.max_pool %x kernel [3, 3]
     : tensor<1x2x12x12xf32> -> tensor<1x2x10x10xf32>
  return %0 : tensor<1x2x10x10xf32>
}

// -----

// Operations on unranked tensors stay as they are.
// GRID-LABEL: func.func @unranked
// GRID: pool.avg_pool
// GRID: pool.max_pool
func.func @unranked(%x: tensor<1x2x6x8xf32>) -> tensor<*xf32> {
  %0 = pool.avg_pool %x kernel [2, 2] : tensor<1x2x6x8xf32> -> tensor<*xf32>
  %1 = pool.max_pool %0 kernel [2, 2] : tensor<*xf32> -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// The chain has no elements, so it stays. The type of its result does not show
// that the result is empty.
// GRID-LABEL: func.func @empty
// GRID: pool.min_pool
func.func @empty(%x: tensor<0x4x?x8xi32>) -> tensor<?x4x?x7xi32> {
  %0 = pool.min_pool %x kernel [2, 2]
     : tensor<0x4x?x8xi32> -> tensor<?x4x?x7xi32>
  return %0 : tensor<?x4x?x7xi32>
}

// -----

// The input's extents are known, so the result's extents can be computed,
// although the result's type does not show them.
// BYTES-LABEL: func.func @unknown_result
// BYTES: pool.min_pool
// LARGE: error: 'pool.min_pool' op cannot be cut: its smallest tile needs 16 bytes, more than 10
func.func @unknown_result(%x: tensor<2x4x8xf16>) -> tensor<2x?x2xf16> {
  %0 = pool.min_pool %x kernel [7] : tensor<2x4x8xf16> -> tensor<2x?x2xf16>
  return %0 : tensor<2x?x2xf16>
}

// -----

// The number of bytes exceeds 64 bits. The message has the largest 64-bit
// number instead.
// LARGE: error: 'pool.max_pool' op cannot be cut: its smallest tile needs at least 9223372036854775807 bytes, more than 10
func.func @huge(%x: tensor<1x1x2305843009213693952xf64>) -> tensor<1x1x1xf64> {
  %0 = pool.max_pool %x kernel [2305843009213693952]
     : tensor<1x1x2305843009213693952xf64> -> tensor<1x1x1xf64>
  return %0 : tensor<1x1x1xf64>
}
