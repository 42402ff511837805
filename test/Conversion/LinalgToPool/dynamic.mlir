// convert-linalg-to-pool with extents that are known only at run time. A
// pooling may replace the linalg operations only if it provably computes the
// same extents and divisors. If only the extent may differ, a slice cuts the
// result; otherwise the operation stays.

// RUN: pool-opt %s --convert-linalg-to-pool --split-input-file \
// RUN:   --remarks-filter=convert-linalg-to-pool -o %t 2> %t.remarks
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

// The output extents provably follow the rule. They are computed from the
// padded or the unpadded input, by torch-mlir's arithmetic, by affine
// arithmetic, or by the unsigned division of tosa-to-linalg.

// CHECK-LABEL: func @rule(
// CHECK-SAME:    %[[X:.+]]: tensor<?x4x?x?x?xf32>
// CHECK:         %[[Y:.+]] = pool.max_pool %[[X]] kernel [3, 3, 3] strides [2, 2, 2] pads_begin [1, 1, 1] pads_end [1, 1, 1] nan_mode propagate : tensor<?x4x?x?x?xf32> -> tensor<?x4x?x?x?xf32>
// CHECK-NEXT:    return %[[Y]]
#read = affine_map<(n, c, a, b, d, i, j, k) -> (n, c, a * 2 + i, b * 2 + j, d * 2 + k)>
#taps = affine_map<(n, c, a, b, d, i, j, k) -> (i, j, k)>
#write = affine_map<(n, c, a, b, d, i, j, k) -> (n, c, a, b, d)>
func.func @rule(%x: tensor<?x4x?x?x?xf32>) -> tensor<?x4x?x?x?xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %i1 = arith.constant 1 : i64
  %i2 = arith.constant 2 : i64
  %p = tensor.pad %x low[0, 0, 1, 1, 1] high[0, 0, 1, 1, 1] {
  ^bb0(%a0: index, %a1: index, %a2: index, %a3: index, %a4: index):
    tensor.yield %lowest : f32
  } : tensor<?x4x?x?x?xf32> to tensor<?x4x?x?x?xf32>
  %n = tensor.dim %x, %c0 : tensor<?x4x?x?x?xf32>
  %d2 = tensor.dim %x, %c2 : tensor<?x4x?x?x?xf32>
  %d3 = tensor.dim %p, %c3 : tensor<?x4x?x?x?xf32>
  %d4 = tensor.dim %x, %c4 : tensor<?x4x?x?x?xf32>
  %t0 = arith.index_cast %d2 : index to i64
  %t1 = arith.addi %t0, %i2 : i64
  %t2 = arith.subi %t1, %i2 : i64
  %t3 = arith.subi %t2, %i1 : i64
  %t4 = arith.floordivsi %t3, %i2 : i64
  %t5 = arith.addi %t4, %i1 : i64
  %o2 = arith.index_cast %t5 : i64 to index
  %o3 = affine.apply affine_map<()[s] -> ((s - 3) floordiv 2 + 1)>()[%d3]
  %u0 = arith.subi %d4, %c1 : index
  %u1 = arith.divui %u0, %c2 : index
  %o4 = arith.addi %u1, %c1 : index
  %e = tensor.empty(%n, %o2, %o3, %o4) : tensor<?x4x?x?x?xf32>
  %init = linalg.fill ins(%lowest : f32) outs(%e : tensor<?x4x?x?x?xf32>) -> tensor<?x4x?x?x?xf32>
  %w = tensor.empty() : tensor<3x3x3xf32>
  %0 = linalg.generic {indexing_maps = [#read, #taps, #write],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%p, %w : tensor<?x4x?x?x?xf32>, tensor<3x3x3xf32>) outs(%init : tensor<?x4x?x?x?xf32>) {
  ^bb0(%in: f32, %tap: f32, %acc: f32):
    %m = arith.maximumf %in, %acc : f32
    linalg.yield %m : f32
  } -> tensor<?x4x?x?x?xf32>
  return %0 : tensor<?x4x?x?x?xf32>
}

// -----

// The output extents do not provably follow the rule: PyTorch's ceil drops
// windows, or the caller gives the extent. So the pooling computes all windows,
// and a slice cuts the result to the extent.

// CHECK-LABEL: func @other_extents(
// CHECK-SAME:    %[[X:.+]]: tensor<1x4x?xf32>, %[[SIZE:.+]]: index
// CHECK:         %[[Y:.+]] = pool.max_pool %[[X]] kernel [2] strides [2] pads_begin [1] pads_end [3] nan_mode propagate : tensor<1x4x?xf32> -> tensor<1x4x?xf32>
// CHECK:         %[[CUT:.+]] = tensor.extract_slice %[[Y]][0, 0, 0] [1, 4, %[[SIZE]]] [1, 1, 1]
// CHECK:         %[[Z:.+]] = pool.max_pool %[[X]] kernel [2] strides [2] nan_mode propagate : tensor<1x4x?xf32> -> tensor<1x4x?xf32>
// CHECK:         %[[FIVE:.+]] = tensor.extract_slice %[[Z]][0, 0, 0] [1, 4, 5] [1, 1, 1] : tensor<1x4x?xf32> to tensor<1x4x5xf32>
// CHECK:         return %[[CUT]], %[[FIVE]]
func.func @other_extents(%x: tensor<1x4x?xf32>, %size: index) -> (tensor<1x4x?xf32>, tensor<1x4x5xf32>) {
  %lowest = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<2xf32>
  %p = tensor.pad %x low[0, 0, 1] high[0, 0, 3] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %lowest : f32
  } : tensor<1x4x?xf32> to tensor<1x4x?xf32>
  %e = tensor.empty(%size) : tensor<1x4x?xf32>
  %i0 = linalg.fill ins(%lowest : f32) outs(%e : tensor<1x4x?xf32>) -> tensor<1x4x?xf32>
  %0 = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>}
      ins(%p, %w : tensor<1x4x?xf32>, tensor<2xf32>) outs(%i0 : tensor<1x4x?xf32>) -> tensor<1x4x?xf32>
  %i1 = arith.constant dense<0xFF800000> : tensor<1x4x5xf32>
  %1 = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>}
      ins(%x, %w : tensor<1x4x?xf32>, tensor<2xf32>) outs(%i1 : tensor<1x4x5xf32>) -> tensor<1x4x5xf32>
  return %0, %1 : tensor<1x4x?xf32>, tensor<1x4x5xf32>
}

// -----

// With a dynamic batch, the divisors of all windows are known. With a dynamic
// spatial extent, only a constant divisor is known, so the other division
// stays.

// CHECK-LABEL: func @averages(
// CHECK:         pool.avg_pool %{{.+}} kernel [3] pads_begin [1] pads_end [1] : tensor<?x4x6xf32> -> tensor<?x4x6xf32>
// CHECK:         pool.avg_pool %{{.+}} kernel [3] pads_begin [1] pads_end [1] divisor kernel : tensor<1x4x?xf32> -> tensor<1x4x?xf32>
// CHECK-NOT:     linalg
#id = affine_map<(n, c, w) -> (n, c, w)>
func.func @averages(%x: tensor<?x4x6xf32>, %y: tensor<1x4x?xf32>) -> (tensor<?x4x6xf32>, tensor<1x4x?xf32>) {
  %zero = arith.constant 0.0 : f32
  %three = arith.constant 3.0 : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %w = tensor.empty() : tensor<3xf32>
  %n = tensor.dim %x, %c0 : tensor<?x4x6xf32>
  %ex = tensor.empty(%n) : tensor<?x4x6xf32>
  %ix = linalg.fill ins(%zero : f32) outs(%ex : tensor<?x4x6xf32>) -> tensor<?x4x6xf32>
  %px = tensor.pad %x low[0, 0, 1] high[0, 0, 1] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<?x4x6xf32> to tensor<?x4x8xf32>
  %sx = linalg.pooling_ncw_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%px, %w : tensor<?x4x8xf32>, tensor<3xf32>) outs(%ix : tensor<?x4x6xf32>) -> tensor<?x4x6xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sx : tensor<?x4x6xf32>) outs(%ex : tensor<?x4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %o = linalg.index 2 : index
    %end = affine.min affine_map<(o) -> (o + 2, 6)>(%o)
    %begin = affine.max affine_map<(o) -> (o - 1, 0)>(%o)
    %size = affine.apply affine_map<(a, b) -> (a - b)>(%end, %begin)
    %i = arith.index_cast %size : index to i64
    %f = arith.sitofp %i : i64 to f32
    %q = arith.divf %in, %f : f32
    linalg.yield %q : f32
  } -> tensor<?x4x6xf32>
  %width = tensor.dim %y, %c2 : tensor<1x4x?xf32>
  %ey = tensor.empty(%width) : tensor<1x4x?xf32>
  %iy = linalg.fill ins(%zero : f32) outs(%ey : tensor<1x4x?xf32>) -> tensor<1x4x?xf32>
  %py = tensor.pad %y low[0, 0, 1] high[0, 0, 1] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x4x?xf32> to tensor<1x4x?xf32>
  %sy = linalg.pooling_ncw_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%py, %w : tensor<1x4x?xf32>, tensor<3xf32>) outs(%iy : tensor<1x4x?xf32>) -> tensor<1x4x?xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sy : tensor<1x4x?xf32>) outs(%ey : tensor<1x4x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.divf %in, %three : f32
    linalg.yield %q : f32
  } -> tensor<1x4x?xf32>
  return %0, %1 : tensor<?x4x6xf32>, tensor<1x4x?xf32>
}

// -----

// If a loop has more threads than channels, some tiles are empty. linalg
// computes nothing for them, but a pooling operation rejects an empty channel
// dimension. So only the tile that is never empty is raised.

// CHECK-LABEL: func @tiles_of_channels(
// CHECK:         linalg.pooling_ncw_max
// CHECK:         pool.max_pool %{{.+}} kernel [3] nan_mode propagate : tensor<1x?x8xf32> -> tensor<1x?x6xf32>
#from_thread = affine_map<(t) -> (3 - t * 2, 2)>
#not_negative = affine_map<(n) -> (n, 0)>
#rest = affine_map<(i) -> (40 - i, 16)>
func.func @tiles_of_channels(%x: tensor<1x3x8xf32>, %y: tensor<1x40x8xf32>, %thread: index)
    -> (tensor<1x?x6xf32>, tensor<1x40x6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c40 = arith.constant 40 : index
  %lowest = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<3xf32>
  %most = affine.min #from_thread(%thread)
  %size = affine.max #not_negative(%most)
  %tile = tensor.extract_slice %x[0, 0, 0] [1, %size, 8] [1, 1, 1]
      : tensor<1x3x8xf32> to tensor<1x?x8xf32>
  %channels = tensor.dim %tile, %c1 : tensor<1x?x8xf32>
  %e = tensor.empty(%channels) : tensor<1x?x6xf32>
  %i = linalg.fill ins(%lowest : f32) outs(%e : tensor<1x?x6xf32>) -> tensor<1x?x6xf32>
  // REMARK: Reason="its channel extent, dimension 1, may be 0"
  %0 = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%tile, %w : tensor<1x?x8xf32>, tensor<3xf32>) outs(%i : tensor<1x?x6xf32>) -> tensor<1x?x6xf32>

  %all = tensor.empty() : tensor<1x40x6xf32>
  %1 = scf.for %c = %c0 to %c40 step %c16 iter_args(%out = %all) -> tensor<1x40x6xf32> {
    %n = affine.min #rest(%c)
    %in = tensor.extract_slice %y[0, %c, 0] [1, %n, 8] [1, 1, 1]
        : tensor<1x40x8xf32> to tensor<1x?x8xf32>
    %f = tensor.empty(%n) : tensor<1x?x6xf32>
    %j = linalg.fill ins(%lowest : f32) outs(%f : tensor<1x?x6xf32>) -> tensor<1x?x6xf32>
    %pooled = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
        ins(%in, %w : tensor<1x?x8xf32>, tensor<3xf32>) outs(%j : tensor<1x?x6xf32>) -> tensor<1x?x6xf32>
    %next = tensor.insert_slice %pooled into %out[0, %c, 0] [1, %n, 6] [1, 1, 1]
        : tensor<1x?x6xf32> into tensor<1x40x6xf32>
    scf.yield %next : tensor<1x40x6xf32>
  }
  return %0, %1 : tensor<1x?x6xf32>, tensor<1x40x6xf32>
}

// -----

// The first three pools are raised. The channels of two come from calls, so the
// program decides them. The third pads its channels, so its tile is not empty.
// The fourth pads no channel, so its tile may be empty, and it stays.

// CHECK-LABEL: func @unknown_channels(
// CHECK-COUNT-3: pool.max_pool
// CHECK:         linalg.pooling_ncw_max
// CHECK-NOT:     linalg.pooling_ncw_max
func.func private @get_size() -> i64
func.func private @get_image() -> tensor<*xf32>
func.func @unknown_channels(%x: tensor<1x3x8xf32>, %n: index)
    -> (tensor<1x?x6xf32>, tensor<1x?x6xf32>, tensor<1x?x6xf32>, tensor<1x?x6xf32>) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<3xf32>

  %image = func.call @get_image() : () -> tensor<*xf32>
  %a = tensor.cast %image : tensor<*xf32> to tensor<1x?x8xf32>
  %a_channels = tensor.dim %a, %c1 : tensor<1x?x8xf32>
  %a_empty = tensor.empty(%a_channels) : tensor<1x?x6xf32>
  %a_init = linalg.fill ins(%lowest : f32) outs(%a_empty : tensor<1x?x6xf32>) -> tensor<1x?x6xf32>
  %0 = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%a, %w : tensor<1x?x8xf32>, tensor<3xf32>) outs(%a_init : tensor<1x?x6xf32>) -> tensor<1x?x6xf32>

  %i64 = func.call @get_size() : () -> i64
  %size = arith.index_cast %i64 : i64 to index
  %b_empty = tensor.empty(%size) : tensor<1x?x8xf32>
  %b = linalg.fill ins(%zero : f32) outs(%b_empty : tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
  %b_out = tensor.empty(%size) : tensor<1x?x6xf32>
  %b_init = linalg.fill ins(%lowest : f32) outs(%b_out : tensor<1x?x6xf32>) -> tensor<1x?x6xf32>
  %1 = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%b, %w : tensor<1x?x8xf32>, tensor<3xf32>) outs(%b_init : tensor<1x?x6xf32>) -> tensor<1x?x6xf32>

  %rest = affine.max affine_map<(n) -> (3 - n, 0)>(%n)
  %tile = tensor.extract_slice %x[0, 0, 0] [1, %rest, 8] [1, 1, 1]
      : tensor<1x3x8xf32> to tensor<1x?x8xf32>
  %c = tensor.pad %tile low[0, 1, 0] high[0, 0, 0] {
  ^bb0(%p: index, %q: index, %r: index):
    tensor.yield %zero : f32
  } : tensor<1x?x8xf32> to tensor<1x?x8xf32>
  %c_channels = tensor.dim %c, %c1 : tensor<1x?x8xf32>
  %c_empty = tensor.empty(%c_channels) : tensor<1x?x6xf32>
  %c_init = linalg.fill ins(%lowest : f32) outs(%c_empty : tensor<1x?x6xf32>) -> tensor<1x?x6xf32>
  %2 = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%c, %w : tensor<1x?x8xf32>, tensor<3xf32>) outs(%c_init : tensor<1x?x6xf32>) -> tensor<1x?x6xf32>

  %d = tensor.pad %tile low[0, 0, 1] high[0, 0, 1] {
  ^bb0(%p: index, %q: index, %r: index):
    tensor.yield %lowest : f32
  } : tensor<1x?x8xf32> to tensor<1x?x10xf32>
  %d_out = tensor.empty(%rest) : tensor<1x?x8xf32>
  %d_init = linalg.fill ins(%lowest : f32) outs(%d_out : tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
  %pooled = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%d, %w : tensor<1x?x10xf32>, tensor<3xf32>) outs(%d_init : tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
  %3 = tensor.extract_slice %pooled[0, 0, 0] [1, %rest, 6] [1, 1, 1]
      : tensor<1x?x8xf32> to tensor<1x?x6xf32>
  return %0, %1, %2, %3 : tensor<1x?x6xf32>, tensor<1x?x6xf32>, tensor<1x?x6xf32>, tensor<1x?x6xf32>
}
