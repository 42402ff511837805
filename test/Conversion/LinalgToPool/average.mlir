// convert-linalg-to-pool turns sums and averages of linalg into pool.avg_pool.
// Tests which `divisor` results. A division that no divisor expresses exactly
// must stay.

// RUN: pool-opt %s --convert-linalg-to-pool --split-input-file | FileCheck %s

// Each named sum without a division becomes an average with divisor_override 1.

// CHECK-LABEL: func @sums(
// CHECK-COUNT-5: pool.avg_pool {{.+}} divisor_override 1
// CHECK-NOT:     linalg
func.func @sums(%ncw: tensor<2x3x8xf32>, %nwc: tensor<2x8x3xf32>, %nchw: tensor<2x3x8x9xf32>,
                %nhwc: tensor<2x8x9x3xf32>, %ndhwc: tensor<2x7x8x9x3xf64>)
    -> (tensor<2x3x6xf32>, tensor<2x6x3xf32>, tensor<2x3x7x7xf32>, tensor<2x7x7x3xf32>,
        tensor<2x7x7x7x3xf64>) {
  %w1 = tensor.empty() : tensor<3xf32>
  %w2 = tensor.empty() : tensor<2x3xf32>
  %w3 = tensor.empty() : tensor<1x2x3xf64>
  %i0 = arith.constant dense<0.0> : tensor<2x3x6xf32>
  %0 = linalg.pooling_ncw_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%ncw, %w1 : tensor<2x3x8xf32>, tensor<3xf32>) outs(%i0 : tensor<2x3x6xf32>) -> tensor<2x3x6xf32>
  %i1 = arith.constant dense<0.0> : tensor<2x6x3xf32>
  %1 = linalg.pooling_nwc_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%nwc, %w1 : tensor<2x8x3xf32>, tensor<3xf32>) outs(%i1 : tensor<2x6x3xf32>) -> tensor<2x6x3xf32>
  %i2 = arith.constant dense<0.0> : tensor<2x3x7x7xf32>
  %2 = linalg.pooling_nchw_sum {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%nchw, %w2 : tensor<2x3x8x9xf32>, tensor<2x3xf32>) outs(%i2 : tensor<2x3x7x7xf32>) -> tensor<2x3x7x7xf32>
  %i3 = arith.constant dense<0.0> : tensor<2x7x7x3xf32>
  %3 = linalg.pooling_nhwc_sum {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%nhwc, %w2 : tensor<2x8x9x3xf32>, tensor<2x3xf32>) outs(%i3 : tensor<2x7x7x3xf32>) -> tensor<2x7x7x3xf32>
  %i4 = arith.constant dense<0.0> : tensor<2x7x7x7x3xf64>
  %4 = linalg.pooling_ndhwc_sum {dilations = dense<1> : vector<3xi64>, strides = dense<1> : vector<3xi64>}
      ins(%ndhwc, %w3 : tensor<2x7x8x9x3xf64>, tensor<1x2x3xf64>) outs(%i4 : tensor<2x7x7x7x3xf64>) -> tensor<2x7x7x7x3xf64>
  return %0, %1, %2, %3, %4 : tensor<2x3x6xf32>, tensor<2x6x3xf32>, tensor<2x3x7x7xf32>,
      tensor<2x7x7x3xf32>, tensor<2x7x7x7x3xf64>
}

// -----

// A constant divisor. If it equals the window's size, it needs no attribute
// without padding, and becomes `divisor kernel` with padding. Another constant
// becomes divisor_override.

// CHECK-LABEL: func @constants(
// CHECK-SAME:    %[[X:.+]]: tensor<1x4x8xf32>
// CHECK:         pool.avg_pool %[[X]] kernel [3] : tensor<1x4x8xf32> -> tensor<1x4x6xf32>
// CHECK:         pool.avg_pool %[[X]] kernel [3] pads_begin [1] pads_end [1] divisor kernel : tensor<1x4x8xf32> -> tensor<1x4x8xf32>
// CHECK:         pool.avg_pool %[[X]] kernel [3] divisor_override 7 : tensor<1x4x8xf32> -> tensor<1x4x6xf32>
// CHECK-NOT:     linalg
#id = affine_map<(n, c, w) -> (n, c, w)>
func.func @constants(%x: tensor<1x4x8xf32>) -> (tensor<1x4x6xf32>, tensor<1x4x8xf32>, tensor<1x4x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %three = arith.constant 3.0 : f32
  %w = tensor.empty() : tensor<3xf32>
  %e6 = tensor.empty() : tensor<1x4x6xf32>
  %e8 = tensor.empty() : tensor<1x4x8xf32>
  %z6 = linalg.fill ins(%zero : f32) outs(%e6 : tensor<1x4x6xf32>) -> tensor<1x4x6xf32>
  %z8 = linalg.fill ins(%zero : f32) outs(%e8 : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %s0 = linalg.pooling_ncw_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%x, %w : tensor<1x4x8xf32>, tensor<3xf32>) outs(%z6 : tensor<1x4x6xf32>) -> tensor<1x4x6xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s0 : tensor<1x4x6xf32>) outs(%e6 : tensor<1x4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.divf %in, %three : f32
    linalg.yield %q : f32
  } -> tensor<1x4x6xf32>
  %p = tensor.pad %x low[0, 0, 1] high[0, 0, 1] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x4x8xf32> to tensor<1x4x10xf32>
  %s1 = linalg.pooling_ncw_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%p, %w : tensor<1x4x10xf32>, tensor<3xf32>) outs(%z8 : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  // The divisor may be an operand of a generic op or of a named division.
  %threes = linalg.fill ins(%three : f32) outs(%e8 : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %1 = linalg.div ins(%s1, %threes : tensor<1x4x8xf32>, tensor<1x4x8xf32>) outs(%e8 : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %s2 = linalg.pooling_ncw_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%x, %w : tensor<1x4x8xf32>, tensor<3xf32>) outs(%z6 : tensor<1x4x6xf32>) -> tensor<1x4x6xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s2 : tensor<1x4x6xf32>) outs(%e6 : tensor<1x4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = arith.constant 7 : i64
    %f = arith.sitofp %i : i64 to f32
    %q = arith.divf %in, %f : f32
    linalg.yield %q : f32
  } -> tensor<1x4x6xf32>
  return %0, %1, %2 : tensor<1x4x6xf32>, tensor<1x4x8xf32>, tensor<1x4x6xf32>
}

// -----

// Multiplication by 1/4 equals division by 4, so it is raised. Multiplication
// by the rounded 1/3 differs from division by 3, so it stays.

// CHECK-LABEL: func @reciprocals(
// CHECK-SAME:    %[[X:.+]]: tensor<1x4x8xf32>
// CHECK:         pool.avg_pool %[[X]] kernel [4] : tensor<1x4x8xf32> -> tensor<1x4x5xf32>
// CHECK:         %[[SUM:.+]] = pool.avg_pool %[[X]] kernel [3] divisor_override 1 : tensor<1x4x8xf32> -> tensor<1x4x6xf32>
// CHECK:         linalg.generic {{.+}} ins(%[[SUM]] :
// CHECK:           arith.mulf
#id = affine_map<(n, c, w) -> (n, c, w)>
func.func @reciprocals(%x: tensor<1x4x8xf32>) -> (tensor<1x4x5xf32>, tensor<1x4x6xf32>) {
  %w4 = tensor.empty() : tensor<4xf32>
  %w3 = tensor.empty() : tensor<3xf32>
  %e5 = tensor.empty() : tensor<1x4x5xf32>
  %e6 = tensor.empty() : tensor<1x4x6xf32>
  %z5 = arith.constant dense<0.0> : tensor<1x4x5xf32>
  %z6 = arith.constant dense<0.0> : tensor<1x4x6xf32>
  %quarter = arith.constant 0.25 : f32
  %third = arith.constant 0.333333343 : f32
  %s0 = linalg.pooling_ncw_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%x, %w4 : tensor<1x4x8xf32>, tensor<4xf32>) outs(%z5 : tensor<1x4x5xf32>) -> tensor<1x4x5xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s0 : tensor<1x4x5xf32>) outs(%e5 : tensor<1x4x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %quarter, %in : f32
    linalg.yield %q : f32
  } -> tensor<1x4x5xf32>
  %s1 = linalg.pooling_ncw_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%x, %w3 : tensor<1x4x8xf32>, tensor<3xf32>) outs(%z6 : tensor<1x4x6xf32>) -> tensor<1x4x6xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s1 : tensor<1x4x6xf32>) outs(%e6 : tensor<1x4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %third : f32
    linalg.yield %q : f32
  } -> tensor<1x4x6xf32>
  return %0, %1 : tensor<1x4x5xf32>, tensor<1x4x6xf32>
}

// -----

// f16 is added and divided in f32, and rounded once.

// CHECK-LABEL: func @half(
// CHECK-SAME:    %[[X:.+]]: tensor<1x4x8xf16>
// CHECK:         pool.avg_pool %[[X]] kernel [3] : tensor<1x4x8xf16> -> tensor<1x4x6xf16>
// CHECK-NOT:     linalg
#id = affine_map<(n, c, w) -> (n, c, w)>
func.func @half(%x: tensor<1x4x8xf16>) -> tensor<1x4x6xf16> {
  %w = tensor.empty() : tensor<3xf16>
  %e = tensor.empty() : tensor<1x4x6xf16>
  %z = arith.constant dense<0.0> : tensor<1x4x6xf32>
  %three = arith.constant 3.0 : f32
  %s = linalg.pooling_ncw_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%x, %w : tensor<1x4x8xf16>, tensor<3xf16>) outs(%z : tensor<1x4x6xf32>) -> tensor<1x4x6xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<1x4x6xf32>) outs(%e : tensor<1x4x6xf16>) {
  ^bb0(%in: f32, %out: f16):
    %q = arith.divf %in, %three : f32
    %r = arith.truncf %q : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x4x6xf16>
  return %0 : tensor<1x4x6xf16>
}

// -----

// A sum over all positions is an average if it is divided by their number. It
// stays if it has another divisor or reduces only one dimension.

// CHECK-LABEL: func @global(
// CHECK-SAME:    %[[X:.+]]: tensor<2x3x5x4xf32>, %[[Y:.+]]: tensor<2x5x4x3xf32>
// CHECK:         pool.avg_pool %[[X]] kernel [5, 4] : tensor<2x3x5x4xf32> -> tensor<2x3x1x1xf32>
// CHECK:         pool.avg_pool %[[Y]] kernel [5, 4] layout channels_last : tensor<2x5x4x3xf32> -> tensor<2x1x1x3xf32>
// CHECK-NOT:     pool.
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-NOT:     pool.
#id4 = affine_map<(a, b, c, d) -> (a, b, c, d)>
#first = affine_map<(n, c, h, w) -> (n, c, 0, 0)>
#last = affine_map<(n, h, w, c) -> (n, 0, 0, c)>
func.func @global(%x: tensor<2x3x5x4xf32>, %y: tensor<2x5x4x3xf32>)
    -> (tensor<2x3x1x1xf32>, tensor<2x1x1x3xf32>, tensor<2x3x1x1xf32>) {
  %twenty = arith.constant 20.0 : f32
  %nineteen = arith.constant 19.0 : f32
  %ef = tensor.empty() : tensor<2x3x1x1xf32>
  %zf = arith.constant dense<0.0> : tensor<2x3x1x1xf32>
  %el = tensor.empty() : tensor<2x1x1x3xf32>
  %zl = arith.constant dense<0.0> : tensor<2x1x1x3xf32>
  %s0 = linalg.generic {indexing_maps = [#id4, #first], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x : tensor<2x3x5x4xf32>) outs(%zf : tensor<2x3x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<2x3x1x1xf32>
  %0 = linalg.generic {indexing_maps = [#first, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s0 : tensor<2x3x1x1xf32>) outs(%ef : tensor<2x3x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.divf %in, %twenty : f32
    linalg.yield %q : f32
  } -> tensor<2x3x1x1xf32>
  %s1 = linalg.generic {indexing_maps = [#id4, #last], iterator_types = ["parallel", "reduction", "reduction", "parallel"]}
      ins(%y : tensor<2x5x4x3xf32>) outs(%zl : tensor<2x1x1x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<2x1x1x3xf32>
  %1 = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s1 : tensor<2x1x1x3xf32>) outs(%el : tensor<2x1x1x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.divf %in, %twenty : f32
    linalg.yield %q : f32
  } -> tensor<2x1x1x3xf32>
  %s2 = linalg.generic {indexing_maps = [#id4, #first], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x : tensor<2x3x5x4xf32>) outs(%zf : tensor<2x3x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<2x3x1x1xf32>
  %2 = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s2 : tensor<2x3x1x1xf32>) outs(%ef : tensor<2x3x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.divf %in, %nineteen : f32
    linalg.yield %q : f32
  } -> tensor<2x3x1x1xf32>
  return %0, %1, %2 : tensor<2x3x1x1xf32>, tensor<2x1x1x3xf32>, tensor<2x3x1x1xf32>
}
