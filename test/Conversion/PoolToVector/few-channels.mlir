// The strategy few-channels of convert-pool-to-vector, for channels-last
// buffers with fewer channels than lanes. A vector holds the channels of
// several columns, so that no lanes are wasted.

// RUN: pool-opt %s --convert-pool-to-vector="target=x86_64-linux-gnu mcpu=x86-64-v4 vector-bits=256" --canonicalize --cse --split-input-file | FileCheck %s -enable-var-scope

// The windows of two columns with three channels span twelve elements. Two
// vectors load these; the second vector ends with the twelfth element. The last
// columns are a separate strip, which begins one column earlier.

// CHECK-LABEL: func.func @strided(
// CHECK-DAG:     %[[SIX_LANES:.+]] = arith.constant dense<[true, true, true, true, true, true, false, false]>
// CHECK-DAG:     %[[IN:.+]] = memref.collapse_shape %{{.+}} {{\[\[}}0], [1], [2, 3]] : memref<1x8x10x3xi32>
// CHECK-DAG:     %[[OUT:.+]] = memref.collapse_shape %{{.+}} {{\[\[}}0], [1], [2, 3]] : memref<1x4x5x3xi32>
// CHECK:         scf.parallel
// CHECK:           scf.for %[[FIRST:.+]] = %c0 to %c5 step %c2
// CHECK:             arith.minsi %[[FIRST]], %c3
// CHECK-NOT:         scf.if
// CHECK:             %[[ROW:.+]]:2 = scf.for
// CHECK:               %[[BEGIN:.+]] = arith.muli %{{.+}}, %c6
// CHECK:               vector.load %[[IN]][%{{.+}}, %{{.+}}, %[[BEGIN]]]
// CHECK:               %[[END:.+]] = arith.addi %[[BEGIN]], %c4
// CHECK:               vector.load %[[IN]][%{{.+}}, %{{.+}}, %[[END]]]
// CHECK:             vector.shuffle %[[ROW]]#0, %[[ROW]]#1 [0, 1, 2, 6, 7, 12, -1, -1]
// CHECK:             vector.shuffle %[[ROW]]#0, %[[ROW]]#1 [3, 4, 5, 13, 14, 15, -1, -1]
// CHECK:             arith.maxsi
// CHECK:             vector.maskedstore %[[OUT]]{{.*}}, %[[SIX_LANES]]
func.func @strided(%x: tensor<1x8x10x3xi32>) -> tensor<1x4x5x3xi32> {
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2] layout channels_last
     : tensor<1x8x10x3xi32> -> tensor<1x4x5x3xi32>
  return %0 : tensor<1x4x5x3xi32>
}

// -----

// At the border, lanes in padding are masked, and taps that lie outside in
// another dimension are skipped. Each lane is divided by the count of its
// column. A bias is gathered.

// CHECK-LABEL: func.func @padded(
// CHECK-DAG:     %[[COLUMNS:.+]] = arith.constant dense<[0, 0, 0, -2, -2, -2, -4, -4]> : vector<8xi32>
// CHECK-DAG:     %[[KERNEL:.+]] = arith.constant dense<3> : vector<8xi32>
// CHECK:         scf.if
// CHECK:           vector.load
// CHECK:         } else {
// CHECK:           scf.for
// CHECK:             vector.maskedload
// CHECK:           %[[LEFT:.+]] = vector.broadcast %{{.+}} : i32 to vector<8xi32>
// CHECK:           %[[LEFTS:.+]] = arith.addi %[[LEFT]], %[[COLUMNS]] : vector<8xi32>
// CHECK:           arith.minsi %[[LEFTS]], %[[KERNEL]] : vector<8xi32>
// CHECK:           vector.maskedstore
// CHECK-NOT:     linalg.generic
func.func @padded(%x: tensor<1x8x9x3xf32>, %bias: tensor<3xf32>) -> tensor<1x4x5x3xf32> {
  %0 = pool.avg_pool %x kernel [3, 3] strides [2, 2] pads_begin [0, 1] pads_end [1, 1] layout channels_last
     : tensor<1x8x9x3xf32> -> tensor<1x4x5x3xf32>
  %init = tensor.empty() : tensor<1x4x5x3xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>,
                                        affine_map<(n, h, w, c) -> (c)>,
                                        affine_map<(n, h, w, c) -> (n, h, w, c)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0, %bias : tensor<1x4x5x3xf32>, tensor<3xf32>) outs(%init : tensor<1x4x5x3xf32>) {
  ^bb0(%y: f32, %b: f32, %_: f32):
    %sum = arith.addf %y, %b : f32
    linalg.yield %sum : f32
  } -> tensor<1x4x5x3xf32>
  return %1 : tensor<1x4x5x3xf32>
}

// -----

// For a window of nine rows and columns, sharing with neighbours saves more
// than computing two columns in a vector.

// CHECK-LABEL: func.func @large(
// CHECK-NOT:     memref.collapse_shape
// CHECK:         vector.maskedload %{{.+}} : memref<1x40x40x5xf32>
func.func @large(%x: tensor<1x40x40x5xf32>) -> tensor<1x11x11x5xf32> {
  %0 = pool.max_pool %x kernel [9, 9] strides [3, 3] layout channels_last
     : tensor<1x40x40x5xf32> -> tensor<1x11x11x5xf32>
  return %0 : tensor<1x11x11x5xf32>
}
