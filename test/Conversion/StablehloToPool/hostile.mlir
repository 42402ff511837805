// convert-stablehlo-to-pool on unregistered operations that are malformed; it
// must neither crash nor hang. If an operation uses its own result, the search
// for a constant must end. Operations that only resemble a gradient stay.
//
// RUN: pool-opt %s --allow-unregistered-dialect --convert-stablehlo-to-pool | FileCheck %s

// CHECK-LABEL: func @cycle(
// CHECK:         stablehlo.multiply
func.func @cycle() {
  "test.graph"() ({
    %0 = "stablehlo.reshape"(%0) : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.convert"(%1) : (tensor<f32>) -> tensor<f32>
    %x = "test.input"() : () -> tensor<f32>
    %2 = "stablehlo.multiply"(%x, %0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %3 = "stablehlo.multiply"(%2, %1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "test.end"(%3) : (tensor<f32>) -> ()
  }) : () -> ()
  return
}

// CHECK-LABEL: func @scatter_adds_something_else(
// CHECK:         stablehlo.select_and_scatter
func.func @scatter_adds_something_else(
    %x: tensor<1x1x4x4xf32>, %g: tensor<1x1x2x2xf32>, %o: tensor<f32>) -> tensor<1x1x4x4xf32> {
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %g, %z) <{
    window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}>
      : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%b, %o) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
  return %0 : tensor<1x1x4x4xf32>
}
