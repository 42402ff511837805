// convert-pool-to-vector on adaptive pooling whose windows differ in size or
// distance, so that no ordinary operation can replace it. The code must reduce
// the rows of a window vector by vector, and then the window's columns.

// RUN: pool-opt %s --convert-pool-to-vector="target=x86_64-linux-gnu mcpu=x86-64-v4 vector-bits=256" --canonicalize --cse --split-input-file | FileCheck %s -enable-var-scope

// 5 inputs to 3 outputs: the windows [0, 2), [1, 4), [3, 5) take columns of a
// row in registers. Only one window has a third tap, so a mask adds it.

// CHECK-LABEL: func.func @average(
// CHECK-SAME:    %[[X:.+]]: tensor<2x4x5x5xf32>)
// CHECK-DAG:     %[[LANES:.+]] = arith.constant dense<[true, true, true, true, true, false, false, false]> : vector<8xi1>
// CHECK-DAG:     %[[OUTPUTS:.+]] = arith.constant dense<[true, true, true, false, false, false, false, false]> : vector<8xi1>
// CHECK-DAG:     %[[SECOND:.+]] = arith.constant dense<[false, true, false, false, false, false, false, false]> : vector<8xi1>
// CHECK:         pool.on_buffers ins(%[[X]] :
// CHECK-NEXT:    ^bb0(%[[IN:.+]]: memref<2x4x5x5xf32>, %{{.+}}: memref<2x4x3x3xf32>):
// CHECK:         scf.parallel (%[[N:.+]], %[[C:.+]]) =
// CHECK:           %[[R0:.+]] = vector.maskedload %[[IN]][%[[N]], %[[C]], %c0, %c0], %[[LANES]]
// CHECK:           %[[R1:.+]] = vector.maskedload %[[IN]][%[[N]], %[[C]], %c1, %c0], %[[LANES]]
// CHECK:           %[[ROW:.+]] = arith.addf %[[R0]], %[[R1]]
// CHECK:           %[[T0:.+]] = vector.shuffle %[[ROW]], %[[ROW]] [0, 1, 3, -1, -1, -1, -1, -1]
// CHECK:           %[[T1:.+]] = vector.shuffle %[[ROW]], %[[ROW]] [1, 2, 4, -1, -1, -1, -1, -1]
// CHECK:           %[[T01:.+]] = arith.addf %[[T0]], %[[T1]]
// CHECK:           %[[T2:.+]] = vector.shuffle %[[ROW]], %[[ROW]] [1, 3, 4, -1, -1, -1, -1, -1]
// CHECK:           %[[MASKED:.+]] = arith.select %[[SECOND]], %[[T2]]
// CHECK:           %[[SUM:.+]] = arith.addf %[[T01]], %[[MASKED]]
// CHECK:           %[[AVERAGE:.+]] = arith.mulf %[[SUM]], %{{.+}}
// CHECK:           vector.maskedstore %{{.+}}[%[[N]], %[[C]], %c0, %c0], %[[OUTPUTS]], %[[AVERAGE]]
// CHECK:           vector.maskedstore %{{.+}}[%[[N]], %[[C]], %c1, %c0]
// CHECK:           vector.maskedstore %{{.+}}[%[[N]], %[[C]], %c2, %c0]
// CHECK-NOT:     {{pool\.(max|min|avg|lp|adaptive|window)_}}
func.func @average(%x: tensor<2x4x5x5xf32>) -> tensor<2x4x3x3xf32> {
  %0 = pool.adaptive_avg_pool %x output_size [3, 3]
     : tensor<2x4x5x5xf32> -> tensor<2x4x3x3xf32>
  return %0 : tensor<2x4x3x3xf32>
}

// -----

// For a maximum, shorter windows repeat their last element, so no mask is
// needed.

// CHECK-LABEL: func.func @maximum(
// CHECK:         vector.shuffle %{{.+}}, %{{.+}} [1, 3, 4, -1, -1, -1, -1, -1]
// CHECK-NOT:     arith.select
// CHECK:         arith.maximumf
// CHECK:         vector.maskedstore
func.func @maximum(%x: tensor<2x4x5x5xf32>) -> tensor<2x4x3x3xf32> {
  %0 = pool.adaptive_max_pool %x output_size [3, 3] nan_mode propagate
     : tensor<2x4x5x5xf32> -> tensor<2x4x3x3xf32>
  return %0 : tensor<2x4x3x3xf32>
}

// -----

// More outputs than inputs: each window has one element or two.

// CHECK-LABEL: func.func @more_outputs(
// CHECK:         vector.shuffle %{{.+}}, %{{.+}} [0, 0, 1, 1, 2, -1, -1, -1]
// CHECK:         vector.shuffle %{{.+}}, %{{.+}} [0, 1, 1, 2, 2, -1, -1, -1]
// CHECK:         arith.maxsi
func.func @more_outputs(%x: tensor<2x4x3xi32>) -> tensor<2x4x5xi32> {
  %0 = pool.adaptive_max_pool %x output_size [5]
     : tensor<2x4x3xi32> -> tensor<2x4x5xi32>
  return %0 : tensor<2x4x5xi32>
}

// -----

// Here windows are wide compared with their number. So they are reduced one by
// one, and the results are merged. The rows of high windows are reduced by a
// loop.

// CHECK-LABEL: func.func @wide_windows(
// CHECK:         scf.parallel (%{{.+}}, %{{.+}}, %[[ROW:.+]]) =
// CHECK:           %[[BEGIN:.+]] = affine.apply
// CHECK:           %[[SUMS:.+]]:5 = scf.for %{{.+}} = %[[BEGIN]] to %{{.+}} step %c1 iter_args
// CHECK-COUNT-5:     vector.load
// CHECK:           arith.select %{{.+}}, %[[SUMS]]#1
// CHECK:           vector.shuffle %{{.+}}, %{{.+}} [0, 8, 2, 10, 4, 12, 6, 14]
// CHECK:           vector.maskedstore
func.func @wide_windows(%x: tensor<2x4x200x40xf32>) -> tensor<2x4x3x3xf32> {
  %0 = pool.adaptive_avg_pool %x output_size [3, 3]
     : tensor<2x4x200x40xf32> -> tensor<2x4x3x3xf32>
  return %0 : tensor<2x4x3x3xf32>
}

// -----

// A row of unknown width is reduced into a buffer, which has f32 for 16-bit
// elements. The last vector of the input, and of each window, is masked.

// CHECK-LABEL: func.func @dynamic(
// CHECK:         scf.parallel
// CHECK:           %[[ROW:.+]] = memref.alloc(%{{.+}}) {alignment = 64 : i64} : memref<?xf32>
// CHECK:           scf.for
// CHECK-COUNT-4:     vector.store %{{.+}}, %[[ROW]]
// CHECK:             %[[LANES:.+]] = vector.create_mask %{{.+}} : vector<8xi1>
// CHECK:             vector.maskedload %{{.+}}, %[[LANES]], %{{.+}} : memref<?x?x?x?xf16>
// CHECK:             vector.store %{{.+}}, %[[ROW]]
// CHECK:             vector.maskedload %[[ROW]]
// CHECK-COUNT-6:     vector.shuffle
// CHECK:             arith.truncf
// CHECK:             vector.maskedstore
func.func @dynamic(%x: tensor<?x?x?x?xf16>) -> tensor<?x?x3x3xf16> {
  %0 = pool.adaptive_avg_pool %x output_size [3, 3]
     : tensor<?x?x?x?xf16> -> tensor<?x?x3x3xf16>
  return %0 : tensor<?x?x3x3xf16>
}

// -----

// With channels last, lanes are channels. There are loops over four vectors,
// over one vector, and over the masked rest.

// CHECK-LABEL: func.func @channels_last(
// CHECK-DAG:     %[[LANES:.+]] = arith.constant dense<[true, true, true, false, false, false, false, false]> : vector<8xi1>
// CHECK:         scf.parallel (%[[N:.+]], %[[H:.+]], %[[W:.+]]) =
// CHECK:           scf.for {{.*}} iter_args
// CHECK:             scf.for {{.*}} iter_args
// CHECK-COUNT-4:       vector.load
// CHECK-COUNT-4:   vector.store
// CHECK:               vector.maskedload %{{.+}}, %[[LANES]]
// CHECK:           vector.maskedstore %{{.+}}[%[[N]], %[[H]], %[[W]], %{{.+}}], %[[LANES]]
func.func @channels_last(%x: tensor<2x5x5x35xf32>) -> tensor<2x3x3x35xf32> {
  %0 = pool.adaptive_max_pool %x output_size [3, 3] layout channels_last
     : tensor<2x5x5x35xf32> -> tensor<2x3x3x35xf32>
  return %0 : tensor<2x3x3x35xf32>
}

// -----

// Positions are reduced beside the values. Of equal values, the smaller
// position wins. So the first element of a window wins in any order of
// reduction.

// CHECK-LABEL: func.func @positions(
// CHECK:         arith.cmpi ult, %{{.+}}, %{{.+}} : vector<8xi64>
// CHECK:         arith.cmpf oeq
// CHECK:         arith.cmpf ogt
// CHECK:         vector.shuffle {{.*}} : vector<8xi64>, vector<8xi64>
// CHECK:         arith.index_cast %{{.+}} : vector<8xindex> to vector<8xi32>
// CHECK:         vector.maskedstore {{.*}} : memref<2x4x3x3xi32>
func.func @positions(%x: tensor<2x4x5x5xf32>) -> (tensor<2x4x3x3xf32>, tensor<2x4x3x3xi32>) {
  %v, %i = pool.adaptive_max_pool %x output_size [3, 3] axis 2
     : tensor<2x4x5x5xf32> -> tensor<2x4x3x3xf32>, tensor<2x4x3x3xi32>
  return %v, %i : tensor<2x4x3x3xf32>, tensor<2x4x3x3xi32>
}

// -----

// Until a 128-bit sum is divided, it is two vectors, with the low and the high
// halves. Carries connect them.

// CHECK-LABEL: func.func @wide_sums(
// CHECK:         %[[LOW:.+]] = arith.addi %[[ACC:.+]], %{{.+}} : vector<4xi64>
// CHECK:         %[[CARRIES:.+]] = arith.cmpi ult, %[[LOW]], %[[ACC]] : vector<4xi64>
// CHECK:         arith.extui %[[CARRIES]] : vector<4xi1> to vector<4xi64>
// CHECK:         arith.extsi %{{.+}} : vector<4xi64> to vector<4xi128>
// CHECK:         arith.divsi {{.*}} : vector<4xi128>
// CHECK:         vector.maskedstore {{.*}} : memref<2x4x3x3xi64>
func.func @wide_sums(%x: tensor<2x4x5x5xi64>) -> tensor<2x4x3x3xi64> {
  %0 = pool.adaptive_avg_pool %x output_size [3, 3]
     : tensor<2x4x5x5xi64> -> tensor<2x4x3x3xi64>
  return %0 : tensor<2x4x3x3xi64>
}

// -----

// Windows of unknown size need 128-bit sums even for narrower elements.

// CHECK-LABEL: func.func @narrow_elements(
// CHECK:         arith.extui %{{.+}} : vector<4xi32> to vector<4xi64>
// CHECK:         arith.cmpi ult, %{{.+}}, %{{.+}} : vector<4xi64>
// CHECK:         arith.extsi %{{.+}} : vector<4xi64> to vector<4xi128>
func.func @narrow_elements(%x: tensor<2x4x?x?xui32>) -> tensor<2x4x3x3xui32> {
  %0 = pool.adaptive_avg_pool %x output_size [3, 3]
     : tensor<2x4x?x?xui32> -> tensor<2x4x3x3xui32>
  return %0 : tensor<2x4x3x3xui32>
}

// -----

// Elementwise operations that follow are fused into the loops.

// CHECK-LABEL: func.func @fused(
// CHECK:         scf.parallel
// CHECK:           arith.mulf
// CHECK:           %[[BIAS:.+]] = memref.load %{{.+}} : memref<4xf32>
// CHECK:           vector.broadcast %[[BIAS]]
// CHECK:           arith.addf
// CHECK:           arith.maximumf
// CHECK:           vector.maskedstore
// CHECK-NOT:     linalg.generic
func.func @fused(%x: tensor<2x4x5x5xf32>, %bias: tensor<4xf32>) -> tensor<2x4x3x3xf32> {
  %0 = pool.adaptive_avg_pool %x output_size [3, 3]
     : tensor<2x4x5x5xf32> -> tensor<2x4x3x3xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x4x3x3xf32>
  %1 = linalg.generic
         {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>,
                           affine_map<(n, c, h, w) -> (c)>,
                           affine_map<(n, c, h, w) -> (n, c, h, w)>],
          iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%0, %bias : tensor<2x4x3x3xf32>, tensor<4xf32>)
         outs(%empty : tensor<2x4x3x3xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %sum = arith.addf %in, %b : f32
    %max = arith.maximumf %sum, %zero : f32
    linalg.yield %max : f32
  } -> tensor<2x4x3x3xf32>
  return %1 : tensor<2x4x3x3xf32>
}

// -----

// The number of rows is far too large for straight code. The batch is empty, so
// no loop is left.

// CHECK-LABEL: func.func @many_rows(
// CHECK-NOT:     scf.
// CHECK:         return
func.func @many_rows(%x: tensor<0x1x1152921504606846977x20xf32>) -> tensor<0x1x2x3xf32> {
  %0 = pool.adaptive_avg_pool %x output_size [2, 3]
     : tensor<0x1x1152921504606846977x20xf32> -> tensor<0x1x2x3xf32>
  return %0 : tensor<0x1x2x3xf32>
}
