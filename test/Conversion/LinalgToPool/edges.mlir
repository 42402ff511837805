// convert-linalg-to-pool on modules that look like pooling and are not, or that
// could make the conversion crash. Whether or not operations are raised, the
// results must stay the same.

// RUN: pool-opt %s --convert-linalg-to-pool --split-input-file \
// RUN:   --remarks-filter=convert-linalg-to-pool -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t

// The sum writes only a part of its output; the rest keeps its zeros. So the
// operation must not become a pooling.

// CHECK-LABEL: func @larger_output(
// CHECK-NOT:     pool.
#id4 = affine_map<(n, c, h, w) -> (n, c, h, w)>
#sum = affine_map<(n, c, h, w) -> (n, c, 0, 0)>
func.func @larger_output(%x: tensor<1x8x4x4xf32>) -> tensor<1x8x5x5xf32> {
  %zeros = arith.constant dense<0.0> : tensor<1x8x5x5xf32>
  %empty = tensor.empty() : tensor<1x8x5x5xf32>
  %count = arith.constant 16.0 : f32
  %sum = linalg.generic {indexing_maps = [#id4, #sum], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x : tensor<1x8x4x4xf32>) outs(%zeros : tensor<1x8x5x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<1x8x5x5xf32>
  %0 = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sum : tensor<1x8x5x5xf32>) outs(%empty : tensor<1x8x5x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.divf %in, %count : f32
    linalg.yield %q : f32
  } -> tensor<1x8x5x5xf32>
  return %0 : tensor<1x8x5x5xf32>
}

// -----

// CHECK-LABEL: func @no_outputs(
// CHECK-NOT:     pool.
func.func @no_outputs(%x: tensor<1x8x4xf32>) -> tensor<1x0x4xf32> {
  %w = tensor.empty() : tensor<3xf32>
  %init = arith.constant dense<0xFF800000> : tensor<1x0x4xf32>
  // REMARK: Reason="it has no windows in dimension 1"
  %0 = linalg.pooling_nwc_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%x, %w : tensor<1x8x4xf32>, tensor<3xf32>) outs(%init : tensor<1x0x4xf32>) -> tensor<1x0x4xf32>
  return %0 : tensor<1x0x4xf32>
}

// -----

// maxnumf of only NaN is NaN, but pool.max_pool would return -inf. So a maximum
// that starts from NaN, or may start from NaN, is not raised.

// CHECK-LABEL: func @nan_start(
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         pool.max_pool
// CHECK:         arith.maxnumf
#read = affine_map<(n, o, c, k) -> (n, o + k, c)>
#taps = affine_map<(n, o, c, k) -> (k)>
#write = affine_map<(n, o, c, k) -> (n, o, c)>
func.func @nan_start(%x: tensor<1x8x4xf32>, %unknown: tensor<1x6x4xf32>)
    -> (tensor<1x6x4xf32>, tensor<1x6x4xf32>, tensor<1x6x4xf32>) {
  %w = tensor.empty() : tensor<3xf32>
  %nan = arith.constant dense<0x7FC00000> : tensor<1x6x4xf32>
  %zero = arith.constant dense<0.0> : tensor<1x6x4xf32>
  // REMARK: Reason="it may start from NaN, which a window of nothing but NaN keeps"
  %0 = linalg.generic {indexing_maps = [#read, #taps, #write], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1x8x4xf32>, tensor<3xf32>) outs(%nan : tensor<1x6x4xf32>) {
  ^bb0(%in: f32, %tap: f32, %out: f32):
    %m = arith.maxnumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<1x6x4xf32>
  // REMARK: Reason="it may start from NaN, which a window of nothing but NaN keeps"
  %1 = linalg.generic {indexing_maps = [#read, #taps, #write], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1x8x4xf32>, tensor<3xf32>) outs(%unknown : tensor<1x6x4xf32>) {
  ^bb0(%in: f32, %tap: f32, %out: f32):
    %m = arith.maxnumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<1x6x4xf32>
  // REMARK: Remark="linalg.generic raised to pool.max_pool and a maximum with what it starts from"
  %2 = linalg.generic {indexing_maps = [#read, #taps, #write], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1x8x4xf32>, tensor<3xf32>) outs(%zero : tensor<1x6x4xf32>) {
  ^bb0(%in: f32, %tap: f32, %out: f32):
    %m = arith.maxnumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<1x6x4xf32>
  return %0, %1, %2 : tensor<1x6x4xf32>, tensor<1x6x4xf32>, tensor<1x6x4xf32>
}

// -----

// A loop around a raised operation becomes dead when the loop's user is raised.
// The conversion must not touch the loop's operations after that.

// CHECK-LABEL: func @dead_loop(
// CHECK-NEXT:    pool.avg_pool
// CHECK-NEXT:    return
#id3 = affine_map<(n, w, c) -> (n, w, c)>
func.func @dead_loop(%x: tensor<1x8x4xf32>) -> tensor<1x6x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %three = arith.constant 3.0 : f32
  %w = tensor.empty() : tensor<3xf32>
  %empty = tensor.empty() : tensor<1x6x4xf32>
  %looped = scf.for %i = %c0 to %c1 step %c1 iter_args(%last = %empty) -> tensor<1x6x4xf32> {
    %taps = tensor.empty() : tensor<3xf32>
    %inner = tensor.empty() : tensor<1x6x4xf32>
    %zeros = linalg.fill ins(%zero : f32) outs(%inner : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
    %s = linalg.pooling_nwc_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
        ins(%x, %taps : tensor<1x8x4xf32>, tensor<3xf32>) outs(%zeros : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
    scf.yield %s : tensor<1x6x4xf32>
  }
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  %sum = linalg.pooling_nwc_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%x, %w : tensor<1x8x4xf32>, tensor<3xf32>) outs(%zeros : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  %0 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sum : tensor<1x6x4xf32>) outs(%looped : tensor<1x6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.divf %in, %three : f32
    linalg.yield %q : f32
  } -> tensor<1x6x4xf32>
  return %0 : tensor<1x6x4xf32>
}

// -----

// Extents whose arithmetic overflows 64 bits, so nothing is raised.

// CHECK-LABEL: func @extremes(
// CHECK-NOT:     pool.
func.func @extremes(%x: tensor<1x4x8xf32>, %y: tensor<1x4x?xf32>, %n: index) -> (tensor<1x4x1xf32>, tensor<1x4x?xf32>) {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %w = tensor.empty() : tensor<3xf32>
  %padded = tensor.pad %x low[0, 0, 4611686018427387000] high[0, 0, 4611686018427387000] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %lowest : f32
  } : tensor<1x4x8xf32> to tensor<1x4x9223372036854774008xf32>
  %init = arith.constant dense<0xFF800000> : tensor<1x4x1xf32>
  // REMARK: Reason="(Window.C10) dimension 2: the extents leave a 64-bit integer: input 8, pads 4611686018427387000 and 4611686018427387000
  %0 = linalg.pooling_ncw_max {dilations = dense<4611686018427387904> : vector<1xi64>, strides = dense<9223372036854775807> : vector<1xi64>}
      ins(%padded, %w : tensor<1x4x9223372036854774008xf32>, tensor<3xf32>) outs(%init : tensor<1x4x1xf32>) -> tensor<1x4x1xf32>
  %empty = tensor.empty(%n) : tensor<1x4x?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x4x?xf32>) -> tensor<1x4x?xf32>
  // REMARK: Reason="(Window.C10) dimension 2: the extents leave a 64-bit integer: input ?, pads 0 and 0, kernel 3, stride 1, dilation 9223372036854775807"
  %1 = linalg.pooling_ncw_sum {dilations = dense<9223372036854775807> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%y, %w : tensor<1x4x?xf32>, tensor<3xf32>) outs(%zeros : tensor<1x4x?xf32>) -> tensor<1x4x?xf32>
  return %0, %1 : tensor<1x4x1xf32>, tensor<1x4x?xf32>
}
