// pool-separate-destinations gives each operation a separate destination, so
// that bufferisation needs no copies. An operation that works on another's
// result in place must keep it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pass-pipeline='builtin.module(func.func(pool-separate-destinations))' | FileCheck %s
// RUN: pool-opt %s --pool-to-llvm=path=linalg | FileCheck %s --check-prefix=WHOLE

#id = affine_map<(d0) -> (d0)>

// The first operation keeps the existing tensor. No filled tensor is copied at
// run time.
// CHECK-LABEL: func.func @fills(
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:    %[[F:.*]] = linalg.fill {{.*}} outs(%[[E]] :
// CHECK-NEXT:    linalg.reduce {{.*}} outs(%[[F]] :
// CHECK-NEXT:    %[[E2:.*]] = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:    %[[F2:.*]] = linalg.fill {{.*}} outs(%[[E2]] :
// CHECK-NEXT:    linalg.reduce {{.*}} outs(%[[F2]] :
// WHOLE-LABEL: llvm.func @fills(
// WHOLE-NOT:     memcpy
// WHOLE-NOT:     alloc
// WHOLE:         llvm.return
func.func @fills(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %a = linalg.reduce {arith.addf} ins(%x : tensor<4x8xf32>)
      outs(%f : tensor<4xf32>) dimensions = [1]
  %b = linalg.reduce {arith.addf} ins(%y : tensor<4x8xf32>)
      outs(%f : tensor<4xf32>) dimensions = [1]
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// There are two averages. Each division overwrites its own sum.
// CHECK-LABEL: func.func @in_place(
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<4xf32>
// CHECK:         %[[SUM:.*]] = linalg.reduce
// CHECK:         %[[E2:.*]] = tensor.empty() : tensor<4xf32>
// CHECK:         %[[SUM2:.*]] = linalg.reduce
// CHECK:         linalg.generic {{.*}} ins(%[[SUM]] : {{.*}} outs(%[[E]] :
// CHECK:         linalg.generic {{.*}} ins(%[[SUM2]] : {{.*}} outs(%[[E2]] :
// WHOLE-LABEL: llvm.func @in_place(
// WHOLE-NOT:     alloc
// WHOLE:         llvm.return
func.func @in_place(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %c = arith.constant 0.0 : f32
  %eight = arith.constant 8.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.reduce {arith.addf} ins(%x : tensor<4x8xf32>)
      outs(%f : tensor<4xf32>) dimensions = [1]
  %t = linalg.reduce {arith.addf} ins(%y : tensor<4x8xf32>)
      outs(%f : tensor<4xf32>) dimensions = [1]
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%s : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.divf %in, %eight : f32
    linalg.yield %q : f32
  } -> tensor<4xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%t : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.divf %in, %eight : f32
    linalg.yield %q : f32
  } -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// Windows that share a shape operand get separate shape operands, too.
// CHECK-LABEL: func.func @windows(
// CHECK-COUNT-2: tensor.empty() : tensor<2x2xf32>
func.func @windows(%x: tensor<1x1x4x4xf32>, %o: tensor<1x1x3x3xf32>)
    -> (tensor<1x1x3x3xf32>, tensor<1x1x3x3xf32>) {
  %w = tensor.empty() : tensor<2x2xf32>
  %a = linalg.pooling_nchw_max
      ins(%x, %w : tensor<1x1x4x4xf32>, tensor<2x2xf32>)
      outs(%o : tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32>
  %b = linalg.pooling_nchw_sum
      ins(%x, %w : tensor<1x1x4x4xf32>, tensor<2x2xf32>)
      outs(%o : tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32>
  return %a, %b : tensor<1x1x3x3xf32>, tensor<1x1x3x3xf32>
}

// Windows cannot work in place, but the operation on their result can.
// CHECK-LABEL: func.func @chained_windows(
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<1x1x4xf32>
// CHECK-NEXT:    %[[SUM:.*]] = pool.window_reduce {{.*}} outs(%[[E]] :
// CHECK-NEXT:    %[[E2:.*]] = tensor.empty() : tensor<1x1x4xf32>
// CHECK-NEXT:    %[[SUM2:.*]] = pool.window_reduce <sum> ins(%[[SUM]] : {{.*}} outs(%[[E2]] :
// CHECK-NEXT:    linalg.exp ins(%[[SUM2]] : {{.*}} outs(%[[E2]] :
func.func @chained_windows(%x: tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {
  %e = tensor.empty() : tensor<1x1x4xf32>
  %a = pool.window_reduce <sum> ins(%x : tensor<1x1x4xf32>)
         outs(%e : tensor<1x1x4xf32>) kernel [3] strides [1] dilations [1]
         pads_begin [1] pads_end [1] -> tensor<1x1x4xf32>
  %b = pool.window_reduce <sum> ins(%a : tensor<1x1x4xf32>)
         outs(%e : tensor<1x1x4xf32>) kernel [3] strides [1] dilations [1]
         pads_begin [1] pads_end [1] -> tensor<1x1x4xf32>
  %c = linalg.exp ins(%b : tensor<1x1x4xf32>) outs(%e : tensor<1x1x4xf32>)
         -> tensor<1x1x4xf32>
  return %c : tensor<1x1x4xf32>
}
