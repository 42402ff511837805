// convert-pool-to-vector after pool-decompose has split an average into a sum
// and a division. The division must be recognised and fused into the loops. In
// the interior, the counts are constants, so the code multiplies by
// reciprocals.

// RUN: pool-opt %s --pool-decompose --canonicalize --cse | FileCheck %s --check-prefix=FACT
// RUN: pool-opt %s --pool-decompose --canonicalize --cse --convert-pool-to-vector=vector-bits=128 --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @fixed(
// CHECK-NOT:     arith.divf
// CHECK:         return
// FACT-LABEL: func.func @fixed(
// FACT:         linalg.generic {{.*}} attrs = {pool.divides_by_count}
func.func @fixed(%x: tensor<1x2x8x16xf32>) -> tensor<1x2x4x8xf32> {
  %0 = pool.avg_pool %x kernel [2, 2] strides [2, 2]
    : tensor<1x2x8x16xf32> -> tensor<1x2x4x8xf32>
  return %0 : tensor<1x2x4x8xf32>
}

// Counts of elements are computed only at the ends of the planes.
// CHECK-LABEL: func.func @padded(
// CHECK:         arith.constant dense<0.111111112> : vector<4xf32>
// FACT-LABEL: func.func @padded(
// FACT:         linalg.generic {{.*}} attrs = {pool.divides_by_count}
func.func @padded(%x: tensor<1x2x32x64xf32>) -> tensor<1x2x32x64xf32> {
  %0 = pool.avg_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
    : tensor<1x2x32x64xf32> -> tensor<1x2x32x64xf32>
  return %0 : tensor<1x2x32x64xf32>
}

// CHECK-LABEL: func.func @dynamic(
// FACT-LABEL: func.func @dynamic(
// FACT:         linalg.generic {{.*}} attrs = {pool.divides_by_count}
func.func @dynamic(%x: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %0 = pool.avg_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
    : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}

// CHECK-LABEL: func.func @channels_last(
// FACT-LABEL: func.func @channels_last(
// FACT:         linalg.generic {{.*}} attrs = {pool.divides_by_count}
func.func @channels_last(%x: tensor<1x9x9x32xui8>) -> tensor<1x9x9x32xui8> {
  %0 = pool.avg_pool %x kernel [3, 3] auto_pad same_upper layout channels_last
    : tensor<1x9x9x32xui8> -> tensor<1x9x9x32xui8>
  return %0 : tensor<1x9x9x32xui8>
}

// A comparison of positions with a constant other than -1, which stands for no
// position, is computed.
// CHECK-LABEL: func.func @is_fifth(
// CHECK:         %[[FIVE:.+]] = arith.constant dense<5> : vector<4xi64>
// CHECK:         %[[IS_FIVE:.+]] = arith.cmpi eq, %{{.+}}, %[[FIVE]]
// CHECK:         arith.extui %[[IS_FIVE]]
func.func @is_fifth(%x: tensor<1x1x8x16xf32>) -> tensor<1x1x4x8xi32> {
  %values = tensor.empty() : tensor<1x1x4x8xf32>
  %positions = tensor.empty() : tensor<1x1x4x8xi64>
  %max:2 = pool.window_reduce <max> ins(%x : tensor<1x1x8x16xf32>)
    outs(%values, %positions : tensor<1x1x4x8xf32>, tensor<1x1x4x8xi64>) kernel [2, 2]
    strides [2, 2] dilations [1, 1] pads_begin [0, 0] pads_end [0, 0] positions [0, 16, 1]
    -> tensor<1x1x4x8xf32>, tensor<1x1x4x8xi64>
  %fifth = tensor.empty() : tensor<1x1x4x8xi32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>,
                       affine_map<(n, c, h, w) -> (n, c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%max#1 : tensor<1x1x4x8xi64>) outs(%fifth : tensor<1x1x4x8xi32>) {
  ^bb0(%position: i64, %out: i32):
    %five = arith.constant 5 : i64
    %is_five = arith.cmpi eq, %position, %five : i64
    %1 = arith.extui %is_five : i1 to i32
    linalg.yield %1 : i32
  } -> tensor<1x1x4x8xi32>
  return %0 : tensor<1x1x4x8xi32>
}
