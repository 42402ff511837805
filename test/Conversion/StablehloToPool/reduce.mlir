// convert-stablehlo-to-pool turns stablehlo.reduce over all spatial dimensions
// into global pooling. A reduction with dimensions or an initial value that do
// not fit must stay.

// RUN: pool-opt %s --allow-unregistered-dialect --convert-stablehlo-to-pool \
// RUN:   --remarks-filter=convert-stablehlo-to-pool -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t

// CHECK-LABEL: func @mean(
// CHECK-NEXT:    %[[Y:.+]] = pool.avg_pool %{{.+}} kernel [8, 6] layout channels_last : tensor<2x8x6x3xf32> -> tensor<2x1x1x3xf32>
// CHECK-NEXT:    "stablehlo.reshape"(%[[Y]]) : (tensor<2x1x1x3xf32>) -> tensor<2x3xf32>
func.func @mean(%x: tensor<2x8x6x3xf32>) -> tensor<2x3xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %n = "stablehlo.constant"() <{value = dense<48.0> : tensor<f32>}> : () -> tensor<f32>
  %d = "stablehlo.broadcast_in_dim"(%n) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3xf32>
  %s = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<2x8x6x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %0 = "stablehlo.divide"(%s, %d) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func @max(
// CHECK:         pool.max_pool %{{.+}} kernel [8, 6] : tensor<2x3x8x6xi8> -> tensor<2x3x1x1xi8>
func.func @max(%x: tensor<2x3x8x6xi8>) -> tensor<2x3xi8> {
  %c = "stablehlo.constant"() <{value = dense<-128> : tensor<i8>}> : () -> tensor<i8>
  %0 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 2, 3>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<i8>, tensor<i8>) -> tensor<i8>
    "stablehlo.return"(%r) : (tensor<i8>) -> ()
  }) : (tensor<2x3x8x6xi8>, tensor<i8>) -> tensor<2x3xi8>
  return %0 : tensor<2x3xi8>
}

// These stay: dimensions that do not exist, a dimension given twice, and
// another initial value.

// CHECK-LABEL: func @stay(
// CHECK-COUNT-3: "stablehlo.reduce"
// CHECK-NOT:     pool.
func.func @stay(%x: tensor<2x3x8x6xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  // REMARK: Reason="its dimensions are not known extents of its input", Remark="stablehlo.reduce left alone"
  %0 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 2, 4>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<2x3x8x6xf32>, tensor<f32>) -> tensor<2x3xf32>
  // REMARK: Reason="its dimensions are not known extents of its input"
  %1 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<2x3x8x6xf32>, tensor<f32>) -> tensor<2x3x6xf32>
  // REMARK: Reason="it does not start from infinity"
  %2 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 2, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<2x3x8x6xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}
