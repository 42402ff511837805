// What JAX exports for unknown extents: arithmetic on them, pads and slices by it.

// RUN: pool-opt %s --allow-unregistered-dialect --convert-stablehlo-to-linalg \
// RUN:   --split-input-file --remarks-filter=convert-stablehlo-to-linalg -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t

// The floor of (n - 3) / 2, plus 1, each part of it once.

// CHECK-LABEL: func @windows(
// CHECK-SAME:      %[[X:[^:]+]]: tensor<?xf32>
// CHECK:         %[[N:.+]] = tensor.dim %[[X]]
// CHECK:         %[[SPAN:.+]] = arith.addi %[[N]], %{{.+}} : index
// CHECK:         arith.minsi %[[SPAN]]
// CHECK:         %[[REST:.+]] = arith.remsi %[[SPAN]], %[[TWO:.+]] : index
// CHECK:         %[[QUOTIENT:.+]] = arith.divsi %[[SPAN]], %[[TWO]] : index
// CHECK:         %[[FLOOR:.+]] = arith.select %{{.+}}, %{{.+}}, %[[QUOTIENT]] : index
// CHECK-NOT:     arith.divsi
// CHECK:         %[[COUNT:.+]] = arith.addi %[[FLOOR]], %{{.+}} : index
// CHECK:         tensor.empty(%[[COUNT]]) : tensor<?xf32>
// CHECK-NOT:     stablehlo
func.func @windows(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %two = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
  %three = "stablehlo.constant"() <{value = dense<-3> : tensor<i32>}> : () -> tensor<i32>
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?xf32>) -> tensor<i32>
  %span = "stablehlo.add"(%n, %three) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %q = "stablehlo.divide"(%span, %two) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %s = "stablehlo.sign"(%span) : (tensor<i32>) -> tensor<i32>
  %t = "stablehlo.sign"(%two) : (tensor<i32>) -> tensor<i32>
  %d = "stablehlo.compare"(%s, %t) <{comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %m = "stablehlo.remainder"(%span, %two) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %e = "stablehlo.compare"(%m, %zero) <{comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %b = "stablehlo.and"(%d, %e) : (tensor<i1>, tensor<i1>) -> tensor<i1>
  %l = "stablehlo.subtract"(%q, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %f = "stablehlo.select"(%b, %l, %q) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
  %o = "stablehlo.add"(%f, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %r = "stablehlo.reshape"(%o) : (tensor<i32>) -> tensor<1xi32>
  %z = "stablehlo.dynamic_broadcast_in_dim"(%c, %r) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  %0 = "stablehlo.maximum"(%y, %z) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @pad_and_slice(
// CHECK-SAME:      %[[X:[^:]+]]: tensor<?x4xf32>
// CHECK:         %[[N:.+]] = tensor.dim %[[X]]
// CHECK:         %[[HOLDS:.+]] = arith.cmpi sle, %{{.+}}, %[[N]] : index
// CHECK:         cf.assert %[[HOLDS]], "the padding of dimension 0 is negative"
// CHECK:         %[[P:.+]] = tensor.pad %[[X]] low[1, 0] high[%[[N]], 2]
// CHECK:         : tensor<?x4xf32> to tensor<?x6xf32>
// CHECK-DAG:     cf.assert %{{.+}}, "the slice of dimension 0 is not inside it"
// CHECK-DAG:     cf.assert %{{.+}}, "the slice of dimension 0 is not inside it"
// CHECK-NOT:     cf.assert
// CHECK:         %[[SIZE:.+]] = arith.subi
// CHECK:         tensor.extract_slice %[[P]][1, 0] [%[[SIZE]], 3] [1, 2] : tensor<?x6xf32> to tensor<?x3xf32>
// CHECK-NOT:     stablehlo
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

// A number, not an extent.

// CHECK-LABEL: func @number(
// CHECK:         %[[N:.+]] = tensor.dim
// CHECK:         %[[I:.+]] = arith.index_cast %[[N]] : index to i32
// CHECK:         tensor.from_elements %[[I]] : tensor<i32>
// CHECK:         arith.sitofp
func.func @number(%x: tensor<?xf32>) -> tensor<f32> {
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?xf32>) -> tensor<i32>
  %0 = "stablehlo.convert"(%n) : (tensor<i32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Between elements; outside; steps over an unknown number of elements; an extent over
// another; numbers that are no extents.

// CHECK-LABEL: func @stay(
// CHECK:         "stablehlo.dynamic_pad"
// CHECK:         "stablehlo.real_dynamic_slice"
// CHECK:         "stablehlo.real_dynamic_slice"
// CHECK:         "stablehlo.real_dynamic_slice"
// CHECK:         "stablehlo.dynamic_broadcast_in_dim"
// CHECK-NOT:     cf.assert
func.func @stay(%x: tensor<?xf32>, %i: tensor<1xi32>) {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %two = "stablehlo.constant"() <{value = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
  %less = "stablehlo.constant"() <{value = dense<-1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?xf32>) -> tensor<i32>
  %r = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  %q = "stablehlo.divide"(%r, %r) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  // REMARK: Reason="its types and attributes are not supported", Remark="stablehlo.dynamic_pad left alone"
  %0 = "stablehlo.dynamic_pad"(%x, %c, %zero, %r, %one) : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  // REMARK: Remark="stablehlo.real_dynamic_slice left alone"
  %1 = "stablehlo.real_dynamic_slice"(%x, %less, %r, %one) : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  // REMARK: Remark="stablehlo.real_dynamic_slice left alone"
  %2 = "stablehlo.real_dynamic_slice"(%x, %zero, %r, %two) : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  // REMARK: Remark="stablehlo.real_dynamic_slice left alone"
  %3 = "stablehlo.real_dynamic_slice"(%x, %zero, %q, %one) : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  // REMARK: Remark="stablehlo.dynamic_broadcast_in_dim left alone"
  %4 = "stablehlo.dynamic_broadcast_in_dim"(%c, %i) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  "test.use"(%0, %1, %2, %3, %4) : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> ()
  return
}

// -----

// An unknown extent is not broadcast, which is checked.

// CHECK-LABEL: func @as_long(
// CHECK-SAME:    %[[X:.+]]: tensor<?xf32>, %[[Y:.+]]: tensor<?xf32>)
// CHECK:         %[[LENGTH:.+]] = tensor.dim %[[Y]]
// CHECK:         %[[OWN:.+]] = tensor.dim %[[X]]
// CHECK:         %[[SAME:.+]] = arith.cmpi eq, %[[OWN]], %[[LENGTH]]
// CHECK:         cf.assert %[[SAME]], "stablehlo.dynamic_broadcast_in_dim: dimension 0 of unknown extent is not as long as dimension 0 of the result"
func.func @as_long(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %n = "stablehlo.get_dimension_size"(%y) <{dimension = 0 : i64}> : (tensor<?xf32>) -> tensor<i32>
  %r = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%x, %r) <{broadcast_dimensions = array<i64: 0>}> : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Extents of fewer bits than 32 may wrap.

// CHECK-LABEL: func @may_wrap(
// CHECK:         "stablehlo.dynamic_broadcast_in_dim"
func.func @may_wrap(%x: tensor<1xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %n = "stablehlo.get_dimension_size"(%y) <{dimension = 0 : i64}> : (tensor<?xf32>) -> tensor<i32>
  %c = "stablehlo.convert"(%n) : (tensor<i32>) -> tensor<i8>
  %r = "stablehlo.reshape"(%c) : (tensor<i8>) -> tensor<1xi8>
  // REMARK: Remark="stablehlo.dynamic_broadcast_in_dim left alone"
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%x, %r) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xf32>, tensor<1xi8>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
