// convert-linalg-to-pool on operations that it cannot raise, or can raise only
// in part. They must stay as they are, and a remark must say why.

// RUN: pool-opt %s --convert-linalg-to-pool --remarks-filter=convert-linalg-to-pool \
// RUN:   -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t

// CHECK-LABEL: func @left_alone(
// CHECK-NOT:     pool.
// CHECK:         linalg.pooling_nwc_sum
// CHECK:         linalg.pooling_nwc_sum
// CHECK:         linalg.pooling_nwc_sum
// CHECK:         linalg.pooling_nwc_sum
// CHECK:         linalg.pooling_nwc_max
// CHECK:         linalg.pooling_nwc_max
// CHECK:         linalg.pooling_nwc_max
// CHECK-NOT:     pool.
// CHECK:         return
func.func @left_alone(%x: tensor<1x8x4xf32>, %h: tensor<1x8x4xf16>, %i: tensor<1x8x4xi8>,
                      %y: tensor<1x6x4xf32>, %yh: tensor<1x6x4xf16>, %yi: tensor<1x6x4xi32>,
                      %window: tensor<?xf32>, %bx: memref<1x8x4xf32>, %bw: memref<3xf32>,
                      %by: memref<1x6x4xf32>) {
  %w = tensor.empty() : tensor<3xf32>
  %zh = arith.constant dense<0.0> : tensor<1x6x4xf16>
  %z = arith.constant dense<0.0> : tensor<1x6x4xf32>
  // REMARK: [Missed] LeftAlone | Category:convert-linalg-to-pool | Reason="its integer sum wraps, where pool.avg_pool saturates", Remark="linalg.pooling_nwc_sum left alone"
  %1 = linalg.pooling_nwc_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%i, %w : tensor<1x8x4xi8>, tensor<3xf32>) outs(%yi : tensor<1x6x4xi32>) -> tensor<1x6x4xi32>
  // REMARK: Reason="it accumulates in f16, pool.avg_pool in f32"
  %2 = linalg.pooling_nwc_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%h, %w : tensor<1x8x4xf16>, tensor<3xf32>) outs(%zh : tensor<1x6x4xf16>) -> tensor<1x6x4xf16>
  // REMARK: Reason="its sum is of type f32, where pool.avg_pool returns f16"
  %3 = linalg.pooling_nwc_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%h, %w : tensor<1x8x4xf16>, tensor<3xf32>) outs(%z : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  // REMARK: Reason="its sum does not start from zero"
  %4 = linalg.pooling_nwc_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%x, %w : tensor<1x8x4xf32>, tensor<3xf32>) outs(%y : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  // REMARK: Reason="it widens its elements from f16 to f32"
  %5 = linalg.pooling_nwc_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%h, %w : tensor<1x8x4xf16>, tensor<3xf32>) outs(%y : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  // REMARK: Reason="the extents of its window are not static"
  %6 = linalg.pooling_nwc_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%x, %window : tensor<1x8x4xf32>, tensor<?xf32>) outs(%y : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  // REMARK: Reason="it works on buffers"
  linalg.pooling_nwc_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%bx, %bw : memref<1x8x4xf32>, memref<3xf32>) outs(%by : memref<1x6x4xf32>)
  return
}

// CHECK-LABEL: func @other_types(
// CHECK-NOT:     pool.
// CHECK:         return
func.func @other_types(%f8: tensor<1x8x4xf8E4M3FN>, %y: tensor<1x6x4xf8E4M3FN>,
                       %none: tensor<1x8x0xf32>, %ynone: tensor<1x6x0xf32>,
                       %tagged: tensor<1x8x4xf32, "tag">, %z: tensor<1x6x4xf32>) {
  %w = tensor.empty() : tensor<3xf32>
  // REMARK: Reason="pool operations do not take its element type"
  %0 = linalg.pooling_nwc_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%f8, %w : tensor<1x8x4xf8E4M3FN>, tensor<3xf32>) outs(%y : tensor<1x6x4xf8E4M3FN>) -> tensor<1x6x4xf8E4M3FN>
  // REMARK: Reason="(Window.C7) dimension 2: channel extent is 0, must be at least 1"
  %1 = linalg.pooling_nwc_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%none, %w : tensor<1x8x0xf32>, tensor<3xf32>) outs(%ynone : tensor<1x6x0xf32>) -> tensor<1x6x0xf32>
  // REMARK: Reason="pool operations do not take tensors with an encoding"
  %2 = linalg.pooling_nwc_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%tagged, %w : tensor<1x8x4xf32, "tag">, tensor<3xf32>) outs(%z : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  return
}

// The window cannot take over this padding, so the tensor.pad stays.

// CHECK-LABEL: func @kept_padding(
// CHECK:         %[[DYNAMIC:.+]] = tensor.pad
// CHECK:         %[[NOFOLD:.+]] = tensor.pad
// CHECK:         %[[BATCH:.+]] = tensor.pad
// CHECK:         %[[ARGUMENT:.+]] = tensor.pad
// CHECK-DAG:     pool.max_pool %[[DYNAMIC]] kernel [3]
// CHECK-DAG:     pool.max_pool %[[NOFOLD]] kernel [3]
// CHECK-DAG:     pool.max_pool %[[BATCH]] kernel [3]
// CHECK-DAG:     pool.avg_pool %[[ARGUMENT]] kernel [3]
func.func @kept_padding(%x: tensor<1x8x4xf32>, %amount: index, %value: f32)
    -> (tensor<1x8x4xf32>, tensor<1x8x4xf32>, tensor<3x6x4xf32>, tensor<1x8x4xf32>) {
  %lowest = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<3xf32>
  %i = arith.constant dense<0xFF800000> : tensor<1x8x4xf32>
  %i3 = arith.constant dense<0xFF800000> : tensor<3x6x4xf32>
  %z = arith.constant dense<0.0> : tensor<1x8x4xf32>
  %p0 = tensor.pad %x low[0, %amount, 0] high[0, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %lowest : f32
  } : tensor<1x8x4xf32> to tensor<1x?x4xf32>
  %p1 = tensor.pad %x nofold low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %lowest : f32
  } : tensor<1x8x4xf32> to tensor<1x10x4xf32>
  %p2 = tensor.pad %x low[1, 0, 0] high[1, 0, 0] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %lowest : f32
  } : tensor<1x8x4xf32> to tensor<3x8x4xf32>
  %p3 = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %value : f32
  } : tensor<1x8x4xf32> to tensor<1x10x4xf32>
  // REMARK: [Passed] Raised | Category:convert-linalg-to-pool | Reason="its tensor.pad stays: the amounts of padding are not static", Remark="linalg.pooling_nwc_max raised to pool.max_pool"
  %0 = linalg.pooling_nwc_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%p0, %w : tensor<1x?x4xf32>, tensor<3xf32>) outs(%i : tensor<1x8x4xf32>) -> tensor<1x8x4xf32>
  // REMARK: Reason="its tensor.pad stays: the tensor.pad is marked nofold"
  %1 = linalg.pooling_nwc_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%p1, %w : tensor<1x10x4xf32>, tensor<3xf32>) outs(%i : tensor<1x8x4xf32>) -> tensor<1x8x4xf32>
  // REMARK: Reason="its tensor.pad stays: it pads the batch or the channels"
  %2 = linalg.pooling_nwc_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%p2, %w : tensor<3x8x4xf32>, tensor<3xf32>) outs(%i3 : tensor<3x6x4xf32>) -> tensor<3x6x4xf32>
  // REMARK: Reason="its user does not divide it; its tensor.pad stays: what it pads with is not a constant", Remark="linalg.pooling_nwc_sum raised to pool.avg_pool with divisor_override 1"
  %3 = linalg.pooling_nwc_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%p3, %w : tensor<1x10x4xf32>, tensor<3xf32>) outs(%z : tensor<1x8x4xf32>) -> tensor<1x8x4xf32>
  return %0, %1, %2, %3 : tensor<1x8x4xf32>, tensor<1x8x4xf32>, tensor<3x6x4xf32>, tensor<1x8x4xf32>
}

// The sum is raised, but its division stays.

// CHECK-LABEL: func @kept_divisions(
// CHECK-COUNT-4: pool.avg_pool {{.+}} divisor_override 1
#id = affine_map<(n, w, c) -> (n, w, c)>
func.func @kept_divisions(%x: tensor<1x8x4xf32>, %d: f32)
    -> (tensor<1x6x4xf32>, tensor<1x6x4xf32>, tensor<1x6x4xf32>, tensor<1x6x4xf32>, tensor<1x6x4xf32>) {
  %w = tensor.empty() : tensor<3xf32>
  %z = arith.constant dense<0.0> : tensor<1x6x4xf32>
  %e = tensor.empty() : tensor<1x6x4xf32>
  %half = arith.constant 2.5 : f32
  // REMARK: Reason="its divisor is not a positive integer"
  %s0 = linalg.pooling_nwc_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%x, %w : tensor<1x8x4xf32>, tensor<3xf32>) outs(%z : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s0 : tensor<1x6x4xf32>) outs(%e : tensor<1x6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.divf %in, %half : f32
    linalg.yield %q : f32
  } -> tensor<1x6x4xf32>
  // REMARK: Reason="its divisor is neither a constant nor a number of elements"
  %s1 = linalg.pooling_nwc_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%x, %w : tensor<1x8x4xf32>, tensor<3xf32>) outs(%z : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s1 : tensor<1x6x4xf32>) outs(%e : tensor<1x6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.divf %in, %d : f32
    linalg.yield %q : f32
  } -> tensor<1x6x4xf32>
  // REMARK: Reason="the sum is not used exactly once"
  %s2 = linalg.pooling_nwc_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%x, %w : tensor<1x8x4xf32>, tensor<3xf32>) outs(%z : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s2 : tensor<1x6x4xf32>) outs(%e : tensor<1x6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %three = arith.constant 3.0 : f32
    %q = arith.divf %in, %three : f32
    linalg.yield %q : f32
  } -> tensor<1x6x4xf32>
  // REMARK: Reason="its divisor is not a number of elements that pool.avg_pool counts"
  %s3 = linalg.pooling_nwc_sum {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%x, %w : tensor<1x8x4xf32>, tensor<3xf32>) outs(%z : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s3 : tensor<1x6x4xf32>) outs(%e : tensor<1x6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %o = linalg.index 1 : index
    %i = arith.index_cast %o : index to i64
    %f = arith.sitofp %i : i64 to f32
    %q = arith.divf %in, %f : f32
    linalg.yield %q : f32
  } -> tensor<1x6x4xf32>
  return %0, %1, %2, %s2, %3 : tensor<1x6x4xf32>, tensor<1x6x4xf32>, tensor<1x6x4xf32>, tensor<1x6x4xf32>, tensor<1x6x4xf32>
}

// Reductions that do not look like pooling get no remark.

// REMARK-NOT: remark:
// CHECK-LABEL: func @not_pooling(
// CHECK-NOT:     pool.
#r2 = affine_map<(a, b) -> (a, b)>
#r1 = affine_map<(a, b) -> (a, 0)>
func.func @not_pooling(%x: tensor<4x8xf32>, %y: tensor<4x1xf32>, %a: tensor<4x5xf32>,
                       %b: tensor<5x6xf32>, %c: tensor<4x6xf32>) -> (tensor<4x1xf32>, tensor<4x6xf32>) {
  %0 = linalg.generic {indexing_maps = [#r2, #r1], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<4x1xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<4x5xf32>, tensor<5x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0, %1 : tensor<4x1xf32>, tensor<4x6xf32>
}
