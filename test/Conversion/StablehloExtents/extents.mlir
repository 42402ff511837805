// lower-stablehlo-extents lowers the operations that jax.export writes for
// symbolic extents. Afterwards, shapes must be computed by tensor.dim and arith
// only. An operation that cannot be lowered with the same meaning must stay,
// with a remark.

// RUN: pool-opt %s --allow-unregistered-dialect --lower-stablehlo-extents --cse \
// RUN:   --split-input-file --remarks-filter=lower-stablehlo-extents -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t

// The code reads each element of the shape where it is computed, so the
// concatenation is not needed.

// CHECK-LABEL: func @pad_and_slice(
// CHECK-SAME:      %[[X:[^:]+]]: tensor<?x4xf32>
// CHECK:         %[[DIM:.+]] = tensor.dim %[[X]]
// CHECK:         %[[I32:.+]] = arith.index_cast %[[DIM]] : index to i32
// CHECK:         %[[SCALAR:.+]] = tensor.from_elements %[[I32]] : tensor<i32>
// CHECK:         %[[READ:.+]] = tensor.extract %[[SCALAR]][] : tensor<i32>
// CHECK:         %[[N:.+]] = arith.index_cast %[[READ]] : i32 to index
// CHECK:         %[[HOLDS:.+]] = arith.cmpi sle, %{{.+}}, %[[N]] : index
// CHECK:         cf.assert %[[HOLDS]], "the padding of dimension 0 is negative"
// CHECK:         %[[P:.+]] = tensor.pad %[[X]] low[1, 0] high[%[[N]], 2]
// CHECK:         : tensor<?x4xf32> to tensor<?x6xf32>
// CHECK-DAG:     cf.assert %{{.+}}, "the slice of dimension 0 is not inside it"
// CHECK-DAG:     cf.assert %{{.+}}, "the slice of dimension 0 is not inside it"
// CHECK-NOT:     cf.assert
// CHECK:         %[[SIZE:.+]] = arith.subi
// CHECK:         tensor.extract_slice %[[P]][1, 0] [%[[SIZE]], 3] [1, 2] : tensor<?x6xf32> to tensor<?x3xf32>
func.func @pad_and_slice(%x: tensor<?x4xf32>) -> tensor<?x3xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %lows = "stablehlo.constant"() <{value = dense<[1, 0]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %none = "stablehlo.constant"() <{value = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %two = "stablehlo.constant"() <{value = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %six = "stablehlo.constant"() <{value = dense<6> : tensor<1xi32>}> : () -> tensor<1xi32>
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?x4xf32>) -> tensor<i32>
  %r = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  %highs = "stablehlo.concatenate"(%r, %two) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %p = "stablehlo.dynamic_pad"(%x, %c, %lows, %highs, %none) : (tensor<?x4xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x6xf32>
  %limits = "stablehlo.concatenate"(%r, %six) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %strides = "stablehlo.concatenate"(%one, %two) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = "stablehlo.real_dynamic_slice"(%p, %lows, %limits, %strides) : (tensor<?x6xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// -----

// CHECK-LABEL: func @assertion(
// CHECK:         %[[GE:.+]] = "stablehlo.compare"
// CHECK:         %[[HOLDS:.+]] = tensor.extract %[[GE]][] : tensor<i1>
// CHECK:         cf.assert %[[HOLDS]], "too small"
func.func @assertion(%x: tensor<?x3xf32>) {
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?x3xf32>) -> tensor<i32>
  %h = "stablehlo.compare"(%n, %one) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
  "stablehlo.custom_call"(%h, %n) <{call_target_name = "shape_assertion"}> {error_message = "too small"} : (tensor<i1>, tensor<i32>) -> ()
  return
}

// -----

// These operations stay: padding between elements, a slice outside the input,
// and steps over an unknown number of elements.

// CHECK-LABEL: func @stay(
// CHECK:         "stablehlo.dynamic_pad"
// CHECK:         "stablehlo.real_dynamic_slice"
// CHECK:         "stablehlo.real_dynamic_slice"
// CHECK:         "stablehlo.custom_call"
// CHECK-NOT:     cf.assert
func.func @stay(%x: tensor<?xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %two = "stablehlo.constant"() <{value = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
  %less = "stablehlo.constant"() <{value = dense<-1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?xf32>) -> tensor<i32>
  %r = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  // REMARK: Reason="its types and attributes are not supported", Remark="stablehlo.dynamic_pad left alone"
  %0 = "stablehlo.dynamic_pad"(%x, %c, %zero, %r, %one) : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  // REMARK: Remark="stablehlo.real_dynamic_slice left alone"
  %1 = "stablehlo.real_dynamic_slice"(%x, %less, %r, %one) : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  // REMARK: Remark="stablehlo.real_dynamic_slice left alone"
  %2 = "stablehlo.real_dynamic_slice"(%x, %zero, %r, %two) : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  // REMARK: Remark="stablehlo.custom_call left alone"
  "stablehlo.custom_call"(%n) <{call_target_name = "print"}> : (tensor<i32>) -> ()
  "test.use"(%0, %1, %2) : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> ()
  return
}

// -----

// A dimension of extent 1 is expanded. A dimension of unknown extent is not
// expanded: the code asserts that it has the result's extent.

// CHECK-LABEL: func @as_long(
// CHECK-SAME:    %[[X:.+]]: tensor<1x?xf32>, %[[Y:.+]]: tensor<?xf32>)
// CHECK-DAG:     %[[DIM:.+]] = tensor.dim %[[Y]]
// CHECK-DAG:     %[[OWN:.+]] = tensor.dim %[[X]]
// CHECK:         %[[SAME:.+]] = arith.cmpi eq, %[[OWN]], %{{.+}}
// CHECK:         cf.assert %[[SAME]], "stablehlo.dynamic_broadcast_in_dim: dimension 1 of unknown extent is not as long as dimension 0 of the result"
// CHECK:         "stablehlo.dynamic_broadcast_in_dim"(%[[X]], %{{.+}}) <{
// CHECK-SAME:      broadcast_dimensions = array<i64: 1, 0>
// CHECK-SAME:      known_expanding_dimensions = array<i64: 0>
// CHECK-SAME:      known_nonexpanding_dimensions = array<i64: 1>
func.func @as_long(%x: tensor<1x?xf32>, %y: tensor<?xf32>) -> tensor<?x?xf32> {
  %n = "stablehlo.get_dimension_size"(%y) <{dimension = 0 : i64}> : (tensor<?xf32>) -> tensor<i32>
  %r = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  %s = "stablehlo.concatenate"(%r, %r) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%x, %s) <{broadcast_dimensions = array<i64: 1, 0>}> : (tensor<1x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// An extent of fewer than 32 bits may wrap around, so the operation stays.

// CHECK-LABEL: func @may_wrap(
// CHECK:         "stablehlo.dynamic_broadcast_in_dim"
// CHECK-NOT:     known_expanding_dimensions
func.func @may_wrap(%x: tensor<1xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %n = "stablehlo.get_dimension_size"(%y) <{dimension = 0 : i64}> : (tensor<?xf32>) -> tensor<i32>
  %c = "stablehlo.convert"(%n) : (tensor<i32>) -> tensor<i8>
  %r = "stablehlo.reshape"(%c) : (tensor<i8>) -> tensor<1xi8>
  // REMARK: Remark="stablehlo.dynamic_broadcast_in_dim left alone"
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%x, %r) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xf32>, tensor<1xi8>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// A slice that begins at the end is empty, whatever its offset. So the offset
// needs no check.

// CHECK-LABEL: func @empty_slices(
// CHECK-SAME:    %[[X:.+]]: tensor<4xf32>, %[[Y:.+]]: tensor<?xf32>)
// CHECK:         tensor.extract_slice %[[X]][0] [0] [1] : tensor<4xf32> to tensor<0xf32>
// CHECK:         cf.assert
// CHECK:         tensor.extract_slice %[[X]][0] [%{{.+}}] [1] : tensor<4xf32> to tensor<?xf32>
// CHECK:         tensor.extract_slice %[[Y]][0] [0] [1] : tensor<?xf32> to tensor<0xf32>
func.func @empty_slices(%x: tensor<4xf32>, %y: tensor<?xf32>) {
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %four = "stablehlo.constant"() <{value = dense<4> : tensor<1xi32>}> : () -> tensor<1xi32>
  %n = "stablehlo.get_dimension_size"(%y) <{dimension = 0 : i64}> : (tensor<?xf32>) -> tensor<i32>
  %r = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  %0 = "stablehlo.real_dynamic_slice"(%x, %four, %four, %one) : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<0xf32>
  %1 = "stablehlo.real_dynamic_slice"(%x, %four, %r, %one) : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  %2 = "stablehlo.real_dynamic_slice"(%y, %four, %four, %one) : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<0xf32>
  "test.use"(%0, %1, %2) : (tensor<0xf32>, tensor<?xf32>, tensor<0xf32>) -> ()
  return
}

// -----

// Malformed operations: an offset into an extent of 0, a concatenation of two
// types, a slice of another element type, and an assertion with a result.

// CHECK-LABEL: func @malformed(
// CHECK:         "stablehlo.real_dynamic_slice"
// CHECK:         "stablehlo.dynamic_broadcast_in_dim"
// CHECK-NOT:     known_expanding_dimensions
// CHECK:         "stablehlo.real_dynamic_slice"
// CHECK-SAME:    (tensor<4xf32>, {{.+}}) -> tensor<?xi32>
// CHECK:         "stablehlo.custom_call"
func.func @malformed(%x: tensor<0xf32>, %y: tensor<1x1xf32>, %n: tensor<1xi32>, %m: tensor<1xi64>,
                     %z: tensor<4xf32>, %holds: tensor<i1>) {
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  // REMARK: Remark="stablehlo.real_dynamic_slice left alone"
  %0 = "stablehlo.real_dynamic_slice"(%x, %zero, %zero, %one) : (tensor<0xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<0xf32>
  %s = "stablehlo.concatenate"(%n, %m) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi64>) -> tensor<2xi32>
  // REMARK: Remark="stablehlo.dynamic_broadcast_in_dim left alone"
  %1 = "stablehlo.dynamic_broadcast_in_dim"(%y, %s) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  // REMARK: Remark="stablehlo.real_dynamic_slice left alone"
  %2 = "stablehlo.real_dynamic_slice"(%z, %zero, %n, %one) : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
  %3 = "stablehlo.custom_call"(%holds) <{call_target_name = "shape_assertion"}> {error_message = "no"} : (tensor<i1>) -> tensor<i1>
  "test.use"(%0, %1, %2, %3) : (tensor<0xf32>, tensor<?x?xf32>, tensor<?xi32>, tensor<i1>) -> ()
  return
}
