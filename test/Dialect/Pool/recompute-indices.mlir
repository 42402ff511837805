// pool-recompute-indices gives the gradient of a maximum or minimum the indices
// of a new pooling, if it has none. They must name the elements that the
// gradient's own definition chooses.

// RUN: pool-opt %s --pool-recompute-indices --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @max(
// CHECK-SAME:    %[[X:[^:]+]]: tensor<1x8x6xf32>, %[[G:[^:]+]]: tensor<1x8x3xf32>
// CHECK-NEXT:    %[[V:.+]], %[[I:.+]] = pool.max_pool %[[X]] kernel [2] strides [2] axis 2 : {{.*}} tensor<1x8x3xi32>
// CHECK-NEXT:    pool.max_pool_grad %[[X]], %[[G]], %[[I]] kernel [2] strides [2] axis 2
func.func @max(%x: tensor<1x8x6xf32>, %grad: tensor<1x8x3xf32>)
    -> tensor<1x8x6xf32> {
  %0 = pool.max_pool_grad %x, %grad kernel [2] strides [2]
    : tensor<1x8x6xf32>, tensor<1x8x3xf32> -> tensor<1x8x6xf32>
  return %0 : tensor<1x8x6xf32>
}

// The new pooling must never choose padding, whatever the type. It has the
// gradient's nan_mode.

// CHECK-LABEL: func.func @min(
// CHECK:         pool.min_pool {{.*}} pads_begin [1] layout channels_last axis 1 nan_mode propagate : {{.*}}xi64>
// CHECK-NEXT:    pool.min_pool_grad {{.*}} axis 1
func.func @min(%x: tensor<?x?x3xf16>, %grad: tensor<?x?x3xf16>)
    -> tensor<?x?x3xf16> {
  %0 = pool.min_pool_grad %x, %grad kernel [2] pads_begin [1]
         layout channels_last nan_mode propagate
    : tensor<?x?x3xf16>, tensor<?x?x3xf16> -> tensor<?x?x3xf16>
  return %0 : tensor<?x?x3xf16>
}

// The first function has 2^31 positions, the most that i32 can name. The second
// has more, so it needs i64.

// CHECK-LABEL: func.func @most_positions(
// CHECK:         pool.max_pool {{.*}}xi32>
func.func @most_positions(%x: tensor<?x1x32768x65536xf16>,
                          %grad: tensor<?x1x16384x32768xf16>)
    -> tensor<?x1x32768x65536xf16> {
  %0 = pool.max_pool_grad %x, %grad kernel [2, 2] strides [2, 2]
    : tensor<?x1x32768x65536xf16>, tensor<?x1x16384x32768xf16>
    -> tensor<?x1x32768x65536xf16>
  return %0 : tensor<?x1x32768x65536xf16>
}

// CHECK-LABEL: func.func @more_positions(
// CHECK:         pool.max_pool {{.*}}xi64>
func.func @more_positions(%x: tensor<?x1x32770x65536xf16>,
                          %grad: tensor<?x1x16385x32768xf16>)
    -> tensor<?x1x32770x65536xf16> {
  %0 = pool.max_pool_grad %x, %grad kernel [2, 2] strides [2, 2]
    : tensor<?x1x32770x65536xf16>, tensor<?x1x16385x32768xf16>
    -> tensor<?x1x32770x65536xf16>
  return %0 : tensor<?x1x32770x65536xf16>
}

// CHECK-LABEL: func.func @has_indices(
// CHECK-NEXT:    pool.max_pool_grad
// CHECK-NEXT:    return
func.func @has_indices(%x: tensor<1x8x6xf32>, %grad: tensor<1x8x3xf32>,
                       %i: tensor<1x8x3xi32>) -> tensor<1x8x6xf32> {
  %0 = pool.max_pool_grad %x, %grad, %i kernel [2] strides [2]
    : tensor<1x8x6xf32>, tensor<1x8x3xf32>, tensor<1x8x3xi32>
    -> tensor<1x8x6xf32>
  return %0 : tensor<1x8x6xf32>
}

// -----

func.func @unranked(%x: tensor<*xf32>, %grad: tensor<*xf32>) -> tensor<*xf32> {
  // expected-error@+1 {{'pool.max_pool_grad' op cannot be lowered: operand #0 is unranked}}
  %0 = pool.max_pool_grad %x, %grad kernel [2]
    : tensor<*xf32>, tensor<*xf32> -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
