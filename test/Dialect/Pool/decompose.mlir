// RUN: pool-opt %s --pool-decompose --split-input-file --verify-diagnostics | FileCheck %s
// RUN: %to_minima %s > %t.mlir
// RUN: pool-opt %t.mlir --pool-decompose --split-input-file --verify-diagnostics | FileCheck %t.mlir

// pool-decompose turns a pooling with a window into one pool.window_reduce on
// explicit pads, and operations that compute the final result from it. The
// meaning must stay: positions, divisors, rounding.

// CHECK-LABEL: func.func @max
// CHECK-SAME: %[[X:.*]]: tensor<1x8x6x6xf32>
func.func @max(%x: tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32> {
  // A maximum without indices. window_reduce has the resolved pads.
  // CHECK: %[[INIT:.*]] = tensor.empty() : tensor<1x8x6x6xf32>
  // CHECK: %[[R:.*]] = pool.window_reduce <max> ins(%[[X]] : {{.*}}) outs(%[[INIT]] : {{.*}}) kernel [3, 3] strides [1, 1] dilations [1, 1] pads_begin [1, 1] pads_end [1, 1]
  // CHECK-NEXT: return %[[R]]
  %0 = pool.max_pool %x kernel [3, 3] auto_pad same_upper
    : tensor<1x8x6x6xf32> -> tensor<1x8x6x6xf32>
  return %0 : tensor<1x8x6x6xf32>
}

// CHECK-LABEL: func.func @max_modes
func.func @max_modes(%x: tensor<1x8x6xf32>) -> (tensor<1x8x7xf32>, tensor<1x8x5xf32>) {
  // CHECK: pad_value zero
  %0 = pool.max_pool %x kernel [2] pads_begin [1] pads_end [1] pad_value zero
    : tensor<1x8x6xf32> -> tensor<1x8x7xf32>
  // CHECK: nan_mode propagate
  %1 = pool.max_pool %x kernel [2] nan_mode propagate
    : tensor<1x8x6xf32> -> tensor<1x8x5xf32>
  return %0, %1 : tensor<1x8x7xf32>, tensor<1x8x5xf32>
}

// Positions are row-major numbers within the plane, whatever the axis.
// CHECK-LABEL: func.func @indices
func.func @indices(%x: tensor<1x4x5x6x3xi8>) -> (tensor<1x3x4x5x3xi8>, tensor<1x3x4x5x3xi32>) {
  // CHECK: %[[R:.*]]:2 = pool.window_reduce <max> {{.*}} positions [0, 30, 6, 1] layout channels_last
  // CHECK: %[[I:.*]] = linalg.generic {{.*}} ins(%[[R]]#1 :
  // CHECK: return %[[R]]#0, %[[I]]
  %v, %i = pool.max_pool %x kernel [2, 2, 2] layout channels_last axis 3
    : tensor<1x4x5x6x3xi8> -> tensor<1x3x4x5x3xi8>, tensor<1x3x4x5x3xi32>
  return %v, %i : tensor<1x3x4x5x3xi8>, tensor<1x3x4x5x3xi32>
}

// pads_end of the window_reduce includes the overhang of ceil, but the divisor
// does not count the overhang.
// CHECK-LABEL: func.func @average
func.func @average(%x: tensor<1x1x6xf32>) -> tensor<1x1x4xf32> {
  // CHECK: %[[SUM:.*]] = pool.window_reduce <sum> {{.*}} pads_begin [1] pads_end [2]
  // CHECK: linalg.generic {{.*}} ins(%[[SUM]]
  // CHECK: arith.divf
  %0 = pool.avg_pool %x kernel [3] strides [2] pads_begin [1] pads_end [1]
    rounding_type ceil divisor padded : tensor<1x1x6xf32> -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}

// CHECK-LABEL: func.func @sum
func.func @sum(%x: tensor<1x1x6xf32>) -> tensor<1x1x5xf32> {
  // CHECK: %[[SUM:.*]] = pool.window_reduce <sum>
  // CHECK-NEXT: return %[[SUM]]
  %0 = pool.avg_pool %x kernel [2] divisor_override 1
    : tensor<1x1x6xf32> -> tensor<1x1x5xf32>
  return %0 : tensor<1x1x5xf32>
}

// CHECK-LABEL: func.func @norm
func.func @norm(%x: tensor<1x1x6xf16>) -> tensor<1x1x?xf16> {
  // CHECK: %[[SUM:.*]] = pool.window_reduce <power_sum> {{.*}} outs({{.*}} : tensor<1x1x5xf32>) {{.*}} p 2
  // CHECK: math.sqrt
  // CHECK: arith.truncf
  // CHECK: tensor.cast {{.*}} : tensor<1x1x5xf16> to tensor<1x1x?xf16>
  %0 = pool.lp_pool %x kernel [2] : tensor<1x1x6xf16> -> tensor<1x1x?xf16>
  return %0 : tensor<1x1x?xf16>
}

// Under floor without an end pad, no window reaches beyond the input, whatever
// its extent.
// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%x: tensor<1x1x?xf32>) -> tensor<1x1x?xf32> {
  // CHECK: pads_begin [0] pads_end [0]
  %0 = pool.max_pool %x kernel [2] strides [2] : tensor<1x1x?xf32> -> tensor<1x1x?xf32>
  return %0 : tensor<1x1x?xf32>
}

// -----

func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  // expected-error@+1 {{'pool.lp_pool' op cannot be lowered: the input is unranked}}
  %0 = pool.lp_pool %x kernel [2] : tensor<*xf32> -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
