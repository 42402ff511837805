// What StableHLO has around pooling: elementwise operations, and what moves
// elements.

// RUN: pool-opt %s --allow-unregistered-dialect --convert-stablehlo-to-linalg \
// RUN:   --remarks-filter=convert-stablehlo-to-linalg -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t

// CHECK-LABEL: func @relu(
// CHECK:         %[[Z:.+]] = arith.constant dense<0.000000e+00> : tensor<4x3xf32>
// CHECK:         linalg.generic {{.*}} ins(%{{.+}}, %[[Z]] : tensor<4x3xf32>, tensor<4x3xf32>)
// CHECK:           arith.maximumf
// CHECK-NOT:     stablehlo
func.func @relu(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %z = "stablehlo.broadcast_in_dim"(%c) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x3xf32>
  %0 = "stablehlo.maximum"(%x, %z) : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// f16 is computed in f32; unsigned integers compare as such; scalars are read
// where they are.

// CHECK-LABEL: func @types(
// CHECK:         arith.extf %{{.+}} : f16 to f32
// CHECK:         math.tanh %{{.+}} : f32
// CHECK:         arith.truncf %{{.+}} : f32 to f16
// CHECK:         arith.maxui %{{.+}} : i8
// CHECK:         arith.maximumf
// CHECK:         arith.minimumf
func.func @types(%h: tensor<3xf16>, %u: tensor<3xui8>, %x: tensor<3xf32>, %low: tensor<f32>, %high: tensor<f32>)
    -> (tensor<3xf16>, tensor<3xui8>, tensor<3xf32>) {
  %0 = "stablehlo.tanh"(%h) : (tensor<3xf16>) -> tensor<3xf16>
  %1 = "stablehlo.maximum"(%u, %u) : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  %2 = "stablehlo.clamp"(%low, %x, %high) : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0, %1, %2 : tensor<3xf16>, tensor<3xui8>, tensor<3xf32>
}

// f64 is rounded to 16 bits once: by way of an f32 whose last bit says that it is
// not exact.

// CHECK-LABEL: func @narrow(
// CHECK:         %[[NEAR:.+]] = arith.truncf %[[WIDE:.+]] : f64 to f32
// CHECK:         %[[BACK:.+]] = arith.extf %[[NEAR]] : f32 to f64
// CHECK:         %[[BITS:.+]] = arith.bitcast %[[NEAR]] : f32 to i32
// CHECK:         arith.cmpf ueq, %[[BACK]], %[[WIDE]] : f64
// CHECK:         %[[ODD:.+]] = arith.select %{{.+}}, %[[BITS]], %{{.+}} : i32
// CHECK:         %[[F:.+]] = arith.bitcast %[[ODD]] : i32 to f32
// CHECK:         arith.truncf %[[F]] : f32 to f16
func.func @narrow(%x: tensor<3xf64>) -> tensor<3xf16> {
  %0 = "stablehlo.convert"(%x) : (tensor<3xf64>) -> tensor<3xf16>
  return %0 : tensor<3xf16>
}

// CHECK-LABEL: func @leaky_relu(
// CHECK:         arith.cmpf oge
// CHECK:         arith.select
func.func @leaky_relu(%x: tensor<3xf32>, %z: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "stablehlo.compare"(%x, %z) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %1 = "stablehlo.multiply"(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %2 = "stablehlo.select"(%0, %x, %1) : (tensor<3xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %2 : tensor<3xf32>
}

// CHECK-LABEL: func @moved(
// CHECK:         linalg.generic {indexing_maps = [#{{.+}}, #{{.+}}]
// CHECK:         tensor.collapse_shape
// CHECK:         linalg.transpose
// CHECK:         tensor.extract_slice %{{.+}}[1, 0] [2, 2] [1, 2]
// CHECK:         tensor.pad %{{.+}} low[1, 0] high[0, 2]
func.func @moved(%x: tensor<4xf32>) -> tensor<3x4xf32> {
  %c = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.broadcast_in_dim"(%x) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<3x4x1xf32>
  %1 = "stablehlo.reshape"(%0) : (tensor<3x4x1xf32>) -> tensor<3x4xf32>
  %2 = "stablehlo.transpose"(%1) <{permutation = array<i64: 1, 0>}> : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %3 = "stablehlo.slice"(%2) <{start_indices = array<i64: 1, 0>, limit_indices = array<i64: 3, 3>, strides = array<i64: 1, 2>}> : (tensor<4x3xf32>) -> tensor<2x2xf32>
  %4 = "stablehlo.pad"(%3, %c) <{edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 0, 2>, interior_padding = array<i64: 0, 0>}> : (tensor<2x2xf32>, tensor<f32>) -> tensor<3x4xf32>
  return %4 : tensor<3x4xf32>
}

// What jax.export writes for extents that it does not know.

// CHECK-LABEL: func @symbolic(
// CHECK:         %[[N:.+]] = tensor.dim
// CHECK:         %[[HOLDS:.+]] = arith.cmpi sge, %[[N]]
// CHECK:         cf.assert %[[HOLDS]], "too small"
// CHECK:         tensor.empty(%{{.+}}) : tensor<?x3xf32>
// CHECK-NOT:     stablehlo
func.func @symbolic(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %three = "stablehlo.constant"() <{value = dense<3> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?x3xf32>) -> tensor<i32>
  %h = "stablehlo.compare"(%n, %one) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
  "stablehlo.custom_call"(%h, %n) <{call_target_name = "shape_assertion"}> {error_message = "too small"} : (tensor<i1>, tensor<i32>) -> ()
  %r = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  %s = "stablehlo.concatenate"(%r, %three) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %z = "stablehlo.dynamic_broadcast_in_dim"(%c, %s) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<2xi32>) -> tensor<?x3xf32>
  %0 = "stablehlo.maximum"(%x, %z) : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// A scalar has no dimensions to permute.

// CHECK-LABEL: func @scalar(
// CHECK-SAME:      %[[X:.+]]: tensor<f32>)
// CHECK-NEXT:    return %[[X]]
func.func @scalar(%x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.transpose"(%x) <{permutation = array<i64>}> : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// What stays, and why.

// CHECK-LABEL: func @stay(
// CHECK-COUNT-6: "stablehlo.
func.func @stay(%x: tensor<3xf32>, %i: tensor<3xi32>, %j: tensor<4xi32>) {
  // REMARK: Reason="elements of its type are not supported", Remark="stablehlo.divide left alone"
  %0 = "stablehlo.divide"(%i, %i) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  // REMARK: Reason="what it makes of numbers that do not fit is XLA's own"
  %1 = "stablehlo.convert"(%x) : (tensor<3xf32>) -> tensor<3xi32>
  // REMARK: Reason="its operands and result are no ranked tensors of one shape"
  %2 = "stablehlo.add"(%i, %j) : (tensor<3xi32>, tensor<4xi32>) -> tensor<3xi32>
  // REMARK: Reason="it is not supported"
  %3 = "stablehlo.cholesky"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  // REMARK: Reason="its types and attributes are not supported"
  %4 = "stablehlo.reshape"(%x) : (tensor<3xf32>) -> tensor<4xf32>
  // REMARK: Reason="its types and attributes are not supported"
  %5 = "stablehlo.transpose"(%x) <{permutation = array<i64: 1>}> : (tensor<3xf32>) -> tensor<3xf32>
  "test.use"(%0, %1, %2, %3, %4, %5) : (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xf32>, tensor<4xf32>, tensor<3xf32>) -> ()
  return
}
