// Truth values are 0 and 1: false is less than true.
//
// RUN: pool-opt %s --allow-unregistered-dialect --convert-stablehlo-to-linalg | FileCheck %s

// CHECK-LABEL: func @compare(
// CHECK:         arith.cmpi ult, %{{.*}} : i1
func.func @compare(%a: tensor<4xi1>, %b: tensor<4xi1>) -> tensor<4xi1> {
  %0 = "stablehlo.compare"(%a, %b) <{
    comparison_direction = #stablehlo<comparison_direction LT>,
    compare_type = #stablehlo<comparison_type UNSIGNED>}>
    : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// More elements than can be counted.
// CHECK-LABEL: func @reshape(
// CHECK:         stablehlo.reshape
func.func @reshape(%x: tensor<4294967296x4294967296xf32>) -> tensor<4294967296x2147483648x2xf32> {
  %0 = "stablehlo.reshape"(%x)
    : (tensor<4294967296x4294967296xf32>) -> tensor<4294967296x2147483648x2xf32>
  return %0 : tensor<4294967296x2147483648x2xf32>
}
