// convert-pool-to-vector counts positions of windows in vector lanes. The lanes
// must have 32 bits if these hold every value that the body computes, because a
// register holds more of them. Otherwise they need the width of an index, or
// they would overflow.

// RUN: pool-opt %s --convert-pool-to-vector=vector-bits=128 | FileCheck %s

#id = affine_map<(n, c, w) -> (n, c, w)>
#toEnd = affine_map<()[s0] -> (-s0 + 99, 3)>

// CHECK-LABEL: func.func @narrow(
// CHECK-NOT:     xindex>
// CHECK:         arith.sitofp {{.*}} : vector<4xi32> to vector<4xf32>
func.func @narrow(%x: tensor<1x3x?xf32>) -> tensor<1x3x?xf32> {
  %0 = pool.avg_pool %x kernel [5] strides [2] dilations [3] pads_begin [4] pads_end [7]
    : tensor<1x3x?xf32> -> tensor<1x3x?xf32>
  return %0 : tensor<1x3x?xf32>
}

// A dilated window may count more elements than the limit of a lane has
// dilations: 1150 * 2^20 exceeds 2^30.
// CHECK-LABEL: func.func @dilated(
// CHECK:         arith.ceildivsi {{.*}} : vector<4xindex>
func.func @dilated(%x: tensor<1x3x?xf32>) -> tensor<1x3x?xf32> {
  %0 = pool.avg_pool %x kernel [1150] dilations [1048576] pads_end [1000]
    : tensor<1x3x?xf32> -> tensor<1x3x?xf32>
  return %0 : tensor<1x3x?xf32>
}

// Operand %j of the minimum differs between lanes as well as %i.
// CHECK-LABEL: func.func @two_coordinates(
// CHECK:         arith.minsi {{.*}} : vector<4xindex>
func.func @two_coordinates(%x: tensor<1x3x99xf32>) -> tensor<1x3x99xf32> {
  %out = tensor.empty() : tensor<1x3x99xf32>
  %0 = pool.window_reduce <sum> ins(%x : tensor<1x3x99xf32>) outs(%out : tensor<1x3x99xf32>)
    kernel [3] strides [1] dilations [1] pads_begin [0] pads_end [2] -> tensor<1x3x99xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0 : tensor<1x3x99xf32>) outs(%out : tensor<1x3x99xf32>)
      attrs = {pool.divides_by_count} {
  ^bb0(%in: f32, %unused: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 2 : index
    %count = affine.min affine_map<()[s0, s1] -> (-s0 * 2 + s1 + 99, 3)>()[%i, %j]
    %integer = arith.index_cast %count : index to i32
    %divisor = arith.sitofp %integer : i32 to f32
    %average = arith.divf %in, %divisor : f32
    linalg.yield %average : f32
  } -> tensor<1x3x99xf32>
  return %1 : tensor<1x3x99xf32>
}

// The difference has the coordinate itself beside a bound of it.
// CHECK-LABEL: func.func @coordinate_and_bound(
// CHECK:         arith.maxsi {{.*}} : vector<4xindex>
func.func @coordinate_and_bound(%x: tensor<1x3x99xf32>) -> tensor<1x3x99xf32> {
  %out = tensor.empty() : tensor<1x3x99xf32>
  %0 = pool.window_reduce <sum> ins(%x : tensor<1x3x99xf32>) outs(%out : tensor<1x3x99xf32>)
    kernel [3] strides [1] dilations [1] pads_begin [0] pads_end [2] -> tensor<1x3x99xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0 : tensor<1x3x99xf32>) outs(%out : tensor<1x3x99xf32>)
      attrs = {pool.divides_by_count} {
  ^bb0(%in: f32, %unused: f32):
    %i = linalg.index 2 : index
    %end = affine.min affine_map<()[s0] -> (99, s0 + 3)>()[%i]
    %count = affine.max affine_map<()[s0, s1] -> (s0 - s1, 0)>()[%end, %i]
    %integer = arith.index_cast %count : index to i32
    %divisor = arith.sitofp %integer : i32 to f32
    %average = arith.divf %in, %divisor : f32
    linalg.yield %average : f32
  } -> tensor<1x3x99xf32>
  return %1 : tensor<1x3x99xf32>
}

// The product exceeds 32 bits.
// CHECK-LABEL: func.func @quotient(
// CHECK:         arith.divsi {{.*}} : vector<4xindex>
func.func @quotient(%x: tensor<1x3x99xf32>) -> tensor<1x3x99xf32> {
  %out = tensor.empty() : tensor<1x3x99xf32>
  %0 = pool.window_reduce <sum> ins(%x : tensor<1x3x99xf32>) outs(%out : tensor<1x3x99xf32>)
    kernel [3] strides [1] dilations [1] pads_begin [0] pads_end [2] -> tensor<1x3x99xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0 : tensor<1x3x99xf32>) outs(%out : tensor<1x3x99xf32>)
      attrs = {pool.divides_by_count} {
  ^bb0(%in: f32, %unused: f32):
    %i = linalg.index 2 : index
    %count = affine.min #toEnd()[%i]
    %large = arith.constant 6000000000 : index
    %product = arith.muli %count, %large : index
    %quotient = arith.divsi %product, %large : index
    %integer = arith.index_cast %quotient : index to i32
    %divisor = arith.sitofp %integer : i32 to f32
    %average = arith.divf %in, %divisor : f32
    linalg.yield %average : f32
  } -> tensor<1x3x99xf32>
  return %1 : tensor<1x3x99xf32>
}

// An index that is made of an element has the width of an index.
// CHECK-LABEL: func.func @index_of_element(
// CHECK:         arith.index_cast {{.*}} : vector<4xi32> to vector<4xindex>
func.func @index_of_element(%x: tensor<1x3x99xf32>) -> tensor<1x3x99xf32> {
  %out = tensor.empty() : tensor<1x3x99xf32>
  %0 = pool.window_reduce <sum> ins(%x : tensor<1x3x99xf32>) outs(%out : tensor<1x3x99xf32>)
    kernel [3] strides [1] dilations [1] pads_begin [0] pads_end [2] -> tensor<1x3x99xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0 : tensor<1x3x99xf32>) outs(%out : tensor<1x3x99xf32>)
      attrs = {pool.divides_by_count} {
  ^bb0(%in: f32, %unused: f32):
    %i = linalg.index 2 : index
    %count = affine.min #toEnd()[%i]
    %element = arith.fptosi %in : f32 to i32
    %index = arith.index_cast %element : i32 to index
    %product = arith.muli %count, %index : index
    %integer = arith.index_cast %product : index to i32
    %divisor = arith.sitofp %integer : i32 to f32
    %average = arith.divf %in, %divisor : f32
    linalg.yield %average : f32
  } -> tensor<1x3x99xf32>
  return %1 : tensor<1x3x99xf32>
}
