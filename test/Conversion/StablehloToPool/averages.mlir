// convert-stablehlo-to-pool turns sums of windows, and their divisions, into
// averages. If the divisor is not one of pool.avg_pool, the division must stay,
// with a remark.

// RUN: pool-opt %s --allow-unregistered-dialect --convert-stablehlo-to-pool \
// RUN:   --remarks-filter=convert-stablehlo-to-pool -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t

// CHECK-LABEL: func @sum(
// CHECK:         pool.avg_pool %{{.+}} kernel [3, 3] strides [2, 2] pads_end [1, 1] divisor_override 1 : tensor<1x3x8x8xf32>
func.func @sum(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %s = "stablehlo.reduce_window"(%x, %c) <{padding = dense<[[0, 0], [0, 0], [0, 1], [0, 1]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8x8xf32>, tensor<f32>) -> tensor<1x3x4x4xf32>
  return %s : tensor<1x3x4x4xf32>
}

// CHECK-LABEL: func @by_window(
// CHECK-NEXT:    pool.avg_pool %{{.+}} kernel [3, 3] strides [2, 2] pads_end [1, 1] divisor kernel : tensor
func.func @by_window(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %s = "stablehlo.reduce_window"(%x, %c) <{padding = dense<[[0, 0], [0, 0], [0, 1], [0, 1]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8x8xf32>, tensor<f32>) -> tensor<1x3x4x4xf32>
  %n = "stablehlo.constant"() <{value = dense<9.0> : tensor<f32>}> : () -> tensor<f32>
  %d = "stablehlo.broadcast_in_dim"(%n) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x3x4x4xf32>
  %0 = "stablehlo.divide"(%s, %d) : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %0 : tensor<1x3x4x4xf32>
}

// CHECK-LABEL: func @by_number(
// CHECK-NEXT:    pool.avg_pool %{{.+}} kernel [3, 3] strides [2, 2] pads_end [1, 1] divisor_override 5 : tensor
func.func @by_number(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %s = "stablehlo.reduce_window"(%x, %c) <{padding = dense<[[0, 0], [0, 0], [0, 1], [0, 1]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8x8xf32>, tensor<f32>) -> tensor<1x3x4x4xf32>
  %n = "stablehlo.constant"() <{value = dense<5.0> : tensor<f32>}> : () -> tensor<f32>
  %d = "stablehlo.broadcast_in_dim"(%n) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x3x4x4xf32>
  %0 = "stablehlo.divide"(%s, %d) : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %0 : tensor<1x3x4x4xf32>
}

// CHECK-LABEL: func @by_power_of_two(
// CHECK-NEXT:    pool.avg_pool %{{.+}} kernel [3, 3] strides [2, 2] pads_end [1, 1] divisor_override 8 : tensor
func.func @by_power_of_two(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %s = "stablehlo.reduce_window"(%x, %c) <{padding = dense<[[0, 0], [0, 0], [0, 1], [0, 1]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8x8xf32>, tensor<f32>) -> tensor<1x3x4x4xf32>
  %n = "stablehlo.constant"() <{value = dense<0.125> : tensor<f32>}> : () -> tensor<f32>
  %d = "stablehlo.broadcast_in_dim"(%n) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x3x4x4xf32>
  %0 = "stablehlo.multiply"(%s, %d) : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %0 : tensor<1x3x4x4xf32>
}

// The divisor is a sum of ones over the same windows, so it counts the elements
// inside the input.

// CHECK-LABEL: func @by_count(
// CHECK-NEXT:    %[[Y:.+]] = pool.avg_pool %{{.+}} kernel [3, 3] strides [2, 2] pads_end [1, 1] : tensor
// CHECK-NEXT:    return %[[Y]]
func.func @by_count(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %s = "stablehlo.reduce_window"(%x, %c) <{padding = dense<[[0, 0], [0, 0], [0, 1], [0, 1]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8x8xf32>, tensor<f32>) -> tensor<1x3x4x4xf32>
  %one = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
  %ones = "stablehlo.broadcast_in_dim"(%one) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1x8x8xf32>
  %k = "stablehlo.reduce_window"(%ones, %c) <{padding = dense<[[0, 0], [0, 0], [0, 1], [0, 1]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x1x8x8xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
  %d = "stablehlo.broadcast_in_dim"(%k) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x4x4xf32>) -> tensor<1x3x4x4xf32>
  %0 = "stablehlo.divide"(%s, %d) : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %0 : tensor<1x3x4x4xf32>
}

// These are not averages: a count over other padding, a rounded reciprocal, an
// integer type, and a sum with two uses.

// REMARK: Reason="its divisor is neither a constant nor the number of elements in each window"
// CHECK-LABEL: func @by_other_count(
// CHECK:         pool.avg_pool %{{.+}} divisor_override 1
// CHECK:         "stablehlo.divide"
func.func @by_other_count(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %s = "stablehlo.reduce_window"(%x, %c) <{padding = dense<[[0, 0], [0, 0], [0, 1], [0, 1]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8x8xf32>, tensor<f32>) -> tensor<1x3x4x4xf32>
  %one = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
  %ones = "stablehlo.broadcast_in_dim"(%one) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1x8x8xf32>
  %k = "stablehlo.reduce_window"(%ones, %c) <{padding = dense<[[0, 0], [0, 0], [1, 0], [0, 1]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x1x8x8xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
  %d = "stablehlo.broadcast_in_dim"(%k) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x4x4xf32>) -> tensor<1x3x4x4xf32>
  %0 = "stablehlo.divide"(%s, %d) : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %0 : tensor<1x3x4x4xf32>
}

// REMARK: Reason="it is multiplied by a rounded reciprocal, which rounds differently from a division"
// CHECK-LABEL: func @by_reciprocal(
// CHECK:         pool.avg_pool %{{.+}} divisor_override 1
// CHECK:         "stablehlo.multiply"
func.func @by_reciprocal(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %s = "stablehlo.reduce_window"(%x, %c) <{padding = dense<[[0, 0], [0, 0], [0, 1], [0, 1]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8x8xf32>, tensor<f32>) -> tensor<1x3x4x4xf32>
  %n = "stablehlo.constant"() <{value = dense<0.111111111> : tensor<f32>}> : () -> tensor<f32>
  %d = "stablehlo.broadcast_in_dim"(%n) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x3x4x4xf32>
  %0 = "stablehlo.multiply"(%s, %d) : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %0 : tensor<1x3x4x4xf32>
}

// REMARK: Reason="its divisor is no positive integer"
// CHECK-LABEL: func @by_half(
// CHECK:         pool.avg_pool %{{.+}} divisor_override 1
// CHECK:         "stablehlo.divide"
func.func @by_half(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %s = "stablehlo.reduce_window"(%x, %c) <{padding = dense<[[0, 0], [0, 0], [0, 1], [0, 1]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8x8xf32>, tensor<f32>) -> tensor<1x3x4x4xf32>
  %n = "stablehlo.constant"() <{value = dense<2.5> : tensor<f32>}> : () -> tensor<f32>
  %d = "stablehlo.broadcast_in_dim"(%n) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x3x4x4xf32>
  %0 = "stablehlo.divide"(%s, %d) : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %0 : tensor<1x3x4x4xf32>
}

// REMARK: Reason="the sum is not used exactly once"
// CHECK-LABEL: func @used_twice(
// CHECK:         pool.avg_pool %{{.+}} divisor_override 1
// CHECK:         "stablehlo.divide"
func.func @used_twice(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %s = "stablehlo.reduce_window"(%x, %c) <{padding = dense<[[0, 0], [0, 0], [0, 1], [0, 1]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8x8xf32>, tensor<f32>) -> tensor<1x3x4x4xf32>
  %n = "stablehlo.constant"() <{value = dense<9.0> : tensor<f32>}> : () -> tensor<f32>
  %d = "stablehlo.broadcast_in_dim"(%n) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x3x4x4xf32>
  %1 = "stablehlo.divide"(%s, %d) : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %0 = "stablehlo.add"(%s, %1) : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %0 : tensor<1x3x4x4xf32>
}
