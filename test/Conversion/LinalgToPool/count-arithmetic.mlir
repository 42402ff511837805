// convert-linalg-to-pool on divisors that count the elements of each window, by
// arithmetic on linalg.index. The conversion evaluates this arithmetic at every
// output, and raises the division only if some pool.avg_pool has the same
// divisors. A division by another count must stay.

// RUN: pool-opt %s --convert-linalg-to-pool --split-input-file | FileCheck %s

// PyTorch's arithmetic in i64, as torch-mlir writes it without folding. It
// counts in both dimensions; one of them is dilated.

// CHECK-LABEL: func @torch(
// CHECK:         pool.avg_pool %{{.+}} kernel [3, 2] strides [2, 1] dilations [1, 2] pads_begin [1, 1] pads_end [1, 1] : tensor<1x2x7x6xf32> -> tensor<1x2x4x6xf32>
// CHECK-NOT:     linalg
#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
func.func @torch(%x: tensor<1x2x7x6xf32>) -> tensor<1x2x4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %w = tensor.empty() : tensor<3x2xf32>
  %z = arith.constant dense<0.0> : tensor<1x2x4x6xf32>
  %e = tensor.empty() : tensor<1x2x4x6xf32>
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x2x7x6xf32> to tensor<1x2x9x8xf32>
  %s = linalg.pooling_nchw_sum {dilations = dense<[1, 2]> : vector<2xi64>, strides = dense<[2, 1]> : vector<2xi64>}
      ins(%p, %w : tensor<1x2x9x8xf32>, tensor<3x2xf32>) outs(%z : tensor<1x2x4x6xf32>) -> tensor<1x2x4x6xf32>
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %height = tensor.dim %x, %c2 : tensor<1x2x7x6xf32>
  %width = tensor.dim %x, %c3 : tensor<1x2x7x6xf32>
  %h = arith.index_cast %height : index to i64
  %v = arith.index_cast %width : index to i64
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %i2 = arith.constant 2 : i64
  %i3 = arith.constant 3 : i64
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<1x2x4x6xf32>) outs(%e : tensor<1x2x4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %oh = linalg.index 2 : index
    %oh64 = arith.index_cast %oh : index to i64
    %ohs = arith.muli %oh64, %i2 : i64
    %ih = arith.subi %ohs, %i1 : i64
    %ihe = arith.addi %ih, %i3 : i64
    %hp = arith.addi %h, %i1 : i64
    %ih1 = arith.minsi %ihe, %hp : i64
    %ih2 = arith.minsi %ih1, %h : i64
    %nh = arith.subi %i0, %ih : i64
    %kh0 = arith.maxsi %nh, %i0 : i64
    %dh = arith.subi %ih2, %ih : i64
    %kh = arith.subi %dh, %kh0 : i64
    %counth = arith.maxsi %kh, %i0 : i64
    %ow = linalg.index 3 : index
    %ow64 = arith.index_cast %ow : index to i64
    %iw = arith.subi %ow64, %i1 : i64
    %iwe = arith.addi %iw, %i3 : i64
    %wp = arith.addi %v, %i1 : i64
    %iw1 = arith.minsi %iwe, %wp : i64
    %iw2 = arith.minsi %iw1, %v : i64
    %nw = arith.subi %i0, %iw : i64
    %nw0 = arith.maxsi %nw, %i0 : i64
    %kw0 = arith.ceildivsi %nw0, %i2 : i64
    %dw = arith.subi %iw2, %iw : i64
    %kw1 = arith.ceildivsi %dw, %i2 : i64
    %kw = arith.subi %kw1, %kw0 : i64
    %countw = arith.maxsi %kw, %i0 : i64
    %count = arith.muli %counth, %countw : i64
    %f = arith.sitofp %count : i64 to f32
    %q = arith.divf %in, %f : f32
    linalg.yield %q : f32
  } -> tensor<1x2x4x6xf32>
  return %0 : tensor<1x2x4x6xf32>
}

// -----

// The same kind of count by affine operations. The dimension without padding
// contributes a constant factor.

// CHECK-LABEL: func @affine(
// CHECK:         pool.avg_pool %{{.+}} kernel [3, 2] strides [2, 1] pads_begin [1, 0] pads_end [1, 0] layout channels_last : tensor<1x7x6x2xf32> -> tensor<1x4x5x2xf32>
// CHECK-NOT:     linalg
#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
func.func @affine(%x: tensor<1x7x6x2xf32>) -> tensor<1x4x5x2xf32> {
  %zero = arith.constant 0.0 : f32
  %w = tensor.empty() : tensor<3x2xf32>
  %z = arith.constant dense<0.0> : tensor<1x4x5x2xf32>
  %e = tensor.empty() : tensor<1x4x5x2xf32>
  %p = tensor.pad %x low[0, 1, 0, 0] high[0, 1, 0, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x7x6x2xf32> to tensor<1x9x6x2xf32>
  %s = linalg.pooling_nhwc_sum {dilations = dense<1> : vector<2xi64>, strides = dense<[2, 1]> : vector<2xi64>}
      ins(%p, %w : tensor<1x9x6x2xf32>, tensor<3x2xf32>) outs(%z : tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
  %two = arith.constant 2 : i32
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<1x4x5x2xf32>) outs(%e : tensor<1x4x5x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %oh = linalg.index 1 : index
    %end = affine.min affine_map<(o) -> (o * 2 + 2, 7)>(%oh)
    %begin = affine.max affine_map<(o) -> (o * 2 - 1, 0)>(%oh)
    %n = affine.apply affine_map<(a, b) -> (a - b)>(%end, %begin)
    %n32 = arith.index_cast %n : index to i32
    %count = arith.muli %two, %n32 : i32
    %f = arith.sitofp %count : i32 to f32
    %q = arith.divf %in, %f : f32
    linalg.yield %q : f32
  } -> tensor<1x4x5x2xf32>
  return %0 : tensor<1x4x5x2xf32>
}

// -----

// Extent 6, kernel 3, stride 2, pads of 1, ceil. PyTorch counts padding but no
// overhang: 3, 3, 3, 2. From these counts, the conversion derives which part of
// the tensor.pad is padding (1 element) and which is overhang.

// CHECK-LABEL: func @padded(
// CHECK:         pool.avg_pool %{{.+}} kernel [3] strides [2] pads_begin [1] pads_end [1] rounding_type ceil divisor padded : tensor<1x1x6xf32> -> tensor<1x1x4xf32>
#id = affine_map<(n, c, w) -> (n, c, w)>
func.func @padded(%x: tensor<1x1x6xf32>) -> tensor<1x1x4xf32> {
  %zero = arith.constant 0.0 : f32
  %w = tensor.empty() : tensor<3xf32>
  %z = arith.constant dense<0.0> : tensor<1x1x4xf32>
  %e = tensor.empty() : tensor<1x1x4xf32>
  %p = tensor.pad %x low[0, 0, 1] high[0, 0, 3] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x1x6xf32> to tensor<1x1x10xf32>
  %s = linalg.pooling_ncw_sum {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>}
      ins(%p, %w : tensor<1x1x10xf32>, tensor<3xf32>) outs(%z : tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<1x1x4xf32>) outs(%e : tensor<1x1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %o = linalg.index 2 : index
    %os = arith.muli %o, %c2 : index
    %begin = arith.subi %os, %c1 : index
    %next = arith.addi %begin, %c3 : index
    %end = arith.minsi %next, %c7 : index
    %n = arith.subi %end, %begin : index
    %i = arith.index_cast %n : index to i64
    %f = arith.sitofp %i : i64 to f32
    %q = arith.divf %in, %f : f32
    linalg.yield %q : f32
  } -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}

// -----

// Divisors that no pooling operation has: one is wrong by one at the last
// window, the other has the count of another dimension. So the divisions stay.

// CHECK-LABEL: func @wrong(
// CHECK:         pool.avg_pool %{{.+}} kernel [3] pads_begin [1] pads_end [1] divisor_override 1 : tensor<1x8x8xf32> -> tensor<1x8x8xf32>
// CHECK:         arith.divf
// CHECK:         pool.avg_pool %{{.+}} kernel [3] pads_begin [1] pads_end [1] divisor_override 1 : tensor<1x8x8xf32> -> tensor<1x8x8xf32>
// CHECK:         arith.divf
#id = affine_map<(n, c, w) -> (n, c, w)>
func.func @wrong(%x: tensor<1x8x8xf32>) -> (tensor<1x8x8xf32>, tensor<1x8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %w = tensor.empty() : tensor<3xf32>
  %z = arith.constant dense<0.0> : tensor<1x8x8xf32>
  %e = tensor.empty() : tensor<1x8x8xf32>
  %p = tensor.pad %x low[0, 0, 1] high[0, 0, 1] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8xf32> to tensor<1x8x10xf32>
  %s0 = linalg.pooling_ncw_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%p, %w : tensor<1x8x10xf32>, tensor<3xf32>) outs(%z : tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s0 : tensor<1x8x8xf32>) outs(%e : tensor<1x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %o = linalg.index 2 : index
    %end = affine.min affine_map<(o) -> (o + 2, 9)>(%o)
    %begin = affine.max affine_map<(o) -> (o - 1, 0)>(%o)
    %n = affine.apply affine_map<(a, b) -> (a - b)>(%end, %begin)
    %i = arith.index_cast %n : index to i64
    %f = arith.sitofp %i : i64 to f32
    %q = arith.divf %in, %f : f32
    linalg.yield %q : f32
  } -> tensor<1x8x8xf32>
  %s1 = linalg.pooling_ncw_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%p, %w : tensor<1x8x10xf32>, tensor<3xf32>) outs(%z : tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s1 : tensor<1x8x8xf32>) outs(%e : tensor<1x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %o = linalg.index 1 : index
    %end = affine.min affine_map<(o) -> (o + 2, 8)>(%o)
    %begin = affine.max affine_map<(o) -> (o - 1, 0)>(%o)
    %n = affine.apply affine_map<(a, b) -> (a - b)>(%end, %begin)
    %i = arith.index_cast %n : index to i64
    %f = arith.sitofp %i : i64 to f32
    %q = arith.divf %in, %f : f32
    linalg.yield %q : f32
  } -> tensor<1x8x8xf32>
  return %0, %1 : tensor<1x8x8xf32>, tensor<1x8x8xf32>
}

// -----

// Divisions that must stay: a count in i8 that overflows, and a window that
// counts nothing, which pool.avg_pool rejects.

// CHECK-LABEL: func @wraps(
// CHECK:         divisor_override 1
// CHECK:         arith.divf
// CHECK:         divisor_override 1
// CHECK:         arith.divf
#id = affine_map<(n, c, w) -> (n, c, w)>
func.func @wraps(%x: tensor<1x1x300xf32>) -> (tensor<1x1x101xf32>, tensor<1x1x302xf32>) {
  %zero = arith.constant 0.0 : f32
  %w200 = tensor.empty() : tensor<200xf32>
  %z101 = arith.constant dense<0.0> : tensor<1x1x101xf32>
  %e101 = tensor.empty() : tensor<1x1x101xf32>
  %s0 = linalg.pooling_ncw_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%x, %w200 : tensor<1x1x300xf32>, tensor<200xf32>) outs(%z101 : tensor<1x1x101xf32>) -> tensor<1x1x101xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s0 : tensor<1x1x101xf32>) outs(%e101 : tensor<1x1x101xf32>) {
  ^bb0(%in: f32, %out: f32):
    %two = arith.constant 2 : i8
    %hundred = arith.constant 100 : i8
    %n = arith.muli %two, %hundred : i8
    %f = arith.sitofp %n : i8 to f32
    %q = arith.divf %in, %f : f32
    linalg.yield %q : f32
  } -> tensor<1x1x101xf32>
  %w1 = tensor.empty() : tensor<1xf32>
  %z302 = arith.constant dense<0.0> : tensor<1x1x302xf32>
  %e302 = tensor.empty() : tensor<1x1x302xf32>
  %p = tensor.pad %x low[0, 0, 1] high[0, 0, 1] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x1x300xf32> to tensor<1x1x302xf32>
  %s1 = linalg.pooling_ncw_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%p, %w1 : tensor<1x1x302xf32>, tensor<1xf32>) outs(%z302 : tensor<1x1x302xf32>) -> tensor<1x1x302xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s1 : tensor<1x1x302xf32>) outs(%e302 : tensor<1x1x302xf32>) {
  ^bb0(%in: f32, %out: f32):
    %o = linalg.index 2 : index
    %end = affine.min affine_map<(o) -> (o, 300)>(%o)
    %begin = affine.max affine_map<(o) -> (o - 1, 0)>(%o)
    %n = affine.apply affine_map<(a, b) -> (a - b)>(%end, %begin)
    %i = arith.index_cast %n : index to i64
    %f = arith.sitofp %i : i64 to f32
    %q = arith.divf %in, %f : f32
    linalg.yield %q : f32
  } -> tensor<1x1x302xf32>
  return %0, %1 : tensor<1x1x101xf32>, tensor<1x1x302xf32>
}
