// convert-stablehlo-to-pool on a reduction of elements together with their
// positions. It becomes a maximum or minimum with indices only if its body
// chooses the same elements, also among equal ones and NaN. Any other reduction
// must stay.

// RUN: pool-opt %s --allow-unregistered-dialect --convert-stablehlo-to-pool \
// RUN:   --remarks-filter=convert-stablehlo-to-pool -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t

// REMARK: Reason="of several NaN in a window the first one is chosen, in StableHLO one that its place decides", Remark="stablehlo.reduce_window raised to pool.max_pool with indices"
// CHECK-LABEL: func @in_a_plane(
// CHECK-NEXT:    %{{.+}}, %{{.+}} = pool.max_pool %{{.+}} kernel [2, 2] strides [2, 2] axis 2 nan_mode propagate : tensor<2x3x4x6xf32> -> tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>
func.func @in_a_plane(%x: tensor<2x3x4x6xf32>) -> (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %m = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
  %l = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24xi32>
  %s = "stablehlo.reshape"(%l) : (tensor<24xi32>) -> tensor<4x6xi32>
  %p = "stablehlo.broadcast_in_dim"(%s) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<4x6xi32>) -> tensor<2x3x4x6xi32>
  %0:2 = "stablehlo.reduce_window"(%x, %p, %c, %m) <{window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>):
    %g = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %n = "stablehlo.compare"(%a, %a) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = "stablehlo.or"(%g, %n) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %e = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = "stablehlo.compare"(%i, %j) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %t = "stablehlo.and"(%e, %lt) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %w = "stablehlo.or"(%v, %t) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %rv = "stablehlo.select"(%v, %a, %b) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %ri = "stablehlo.select"(%w, %i, %j) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%rv, %ri) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<2x3x4x6xf32>, tensor<2x3x4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>)
  return %0#0, %0#1 : tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>
}

// CHECK-LABEL: func @in_the_tensor(
// CHECK-NEXT:    %{{.+}}, %{{.+}} = pool.max_pool %{{.+}} kernel [2, 2] strides [2, 2] nan_mode propagate
func.func @in_the_tensor(%x: tensor<2x3x4x6xf32>) -> (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %m = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
  %l = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<144xi32>
  %s = "stablehlo.reshape"(%l) : (tensor<144xi32>) -> tensor<2x3x4x6xi32>
  %0:2 = "stablehlo.reduce_window"(%x, %s, %c, %m) <{window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>):
    %g = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %n = "stablehlo.compare"(%a, %a) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = "stablehlo.or"(%g, %n) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %e = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = "stablehlo.compare"(%i, %j) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %t = "stablehlo.and"(%e, %lt) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %w = "stablehlo.or"(%v, %t) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %rv = "stablehlo.select"(%v, %a, %b) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %ri = "stablehlo.select"(%w, %i, %j) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%rv, %ri) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<2x3x4x6xf32>, tensor<2x3x4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>)
  return %0#0, %0#1 : tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>
}

// For elements of weak types, JAX also compares truth values with false.

// REMARK: Reason="of several NaN in a window the first one is chosen, in StableHLO one that its place decides"
// CHECK-LABEL: func @weak(
// CHECK-NEXT:    %{{.+}}, %{{.+}} = pool.max_pool %{{.+}} kernel [2, 2] strides [2, 2] nan_mode propagate
func.func @weak(%x: tensor<2x3x4x6xf32>) -> (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %m = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
  %l = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<144xi32>
  %s = "stablehlo.reshape"(%l) : (tensor<144xi32>) -> tensor<2x3x4x6xi32>
  %0:2 = "stablehlo.reduce_window"(%x, %s, %c, %m) <{window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>):
    %g = "stablehlo.compare"(%a, %b) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %n = "stablehlo.compare"(%a, %a) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %tgf = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %tgb = "stablehlo.broadcast_in_dim"(%tgf) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<i1>
    %tgn = "stablehlo.compare"(%g, %tgb) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %tg = "stablehlo.convert"(%tgn) : (tensor<i1>) -> tensor<i1>
    %tnf = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %tnb = "stablehlo.broadcast_in_dim"(%tnf) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<i1>
    %tnn = "stablehlo.compare"(%n, %tnb) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %tn = "stablehlo.convert"(%tnn) : (tensor<i1>) -> tensor<i1>
    %v = "stablehlo.or"(%tg, %tn) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %e = "stablehlo.compare"(%a, %b) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = "stablehlo.compare"(%i, %j) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %tef = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %teb = "stablehlo.broadcast_in_dim"(%tef) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<i1>
    %ten = "stablehlo.compare"(%e, %teb) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %te = "stablehlo.convert"(%ten) : (tensor<i1>) -> tensor<i1>
    %t = "stablehlo.and"(%te, %lt) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %w = "stablehlo.or"(%v, %t) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %rv = "stablehlo.select"(%v, %a, %b) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %ri = "stablehlo.select"(%w, %i, %j) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%rv, %ri) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<2x3x4x6xf32>, tensor<2x3x4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>)
  return %0#0, %0#1 : tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>
}

// The body has no test for NaN, and comparisons with NaN are false. So the
// place of a NaN decides what is chosen. The pooling chooses the first NaN.

// REMARK: Reason="of a window with NaN the first NaN is chosen, in StableHLO an element that its place decides", Remark="stablehlo.reduce_window raised to pool.max_pool with indices"
// CHECK-LABEL: func @of_no_nan(
// CHECK-NEXT:    %{{.+}}, %{{.+}} = pool.max_pool %{{.+}} kernel [2, 2] strides [2, 2] nan_mode propagate
func.func @of_no_nan(%x: tensor<2x3x4x6xf32>) -> (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %m = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
  %l = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<144xi32>
  %s = "stablehlo.reshape"(%l) : (tensor<144xi32>) -> tensor<2x3x4x6xi32>
  %0:2 = "stablehlo.reduce_window"(%x, %s, %c, %m) <{window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>):
    %v = "stablehlo.compare"(%a, %b) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %e = "stablehlo.compare"(%a, %b) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = "stablehlo.compare"(%i, %j) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %t = "stablehlo.and"(%e, %lt) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %w = "stablehlo.or"(%v, %t) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %rv = "stablehlo.select"(%v, %a, %b) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %ri = "stablehlo.select"(%w, %i, %j) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%rv, %ri) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<2x3x4x6xf32>, tensor<2x3x4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>)
  return %0#0, %0#1 : tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>
}

// Two bodies that stay. The first compares truth values as signed numbers,
// where true is -1 and smaller than false. The second prefers numbers to NaN;
// no pooling operation returns the indices that this body chooses.

// REMARK: Reason="its body does not choose the first one of the largest or the smallest elements"
// CHECK-LABEL: func @signed_truth(
// CHECK:         "stablehlo.reduce_window"
func.func @signed_truth(%x: tensor<2x3x4x6xf32>) -> (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %m = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
  %l = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<144xi32>
  %s = "stablehlo.reshape"(%l) : (tensor<144xi32>) -> tensor<2x3x4x6xi32>
  %0:2 = "stablehlo.reduce_window"(%x, %s, %c, %m) <{window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>):
    %g = "stablehlo.compare"(%a, %b) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %n = "stablehlo.compare"(%a, %a) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %tgf = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %tgb = "stablehlo.broadcast_in_dim"(%tgf) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<i1>
    %tgn = "stablehlo.compare"(%g, %tgb) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %tg = "stablehlo.convert"(%tgn) : (tensor<i1>) -> tensor<i1>
    %tnf = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %tnb = "stablehlo.broadcast_in_dim"(%tnf) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<i1>
    %tnn = "stablehlo.compare"(%n, %tnb) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %tn = "stablehlo.convert"(%tnn) : (tensor<i1>) -> tensor<i1>
    %v = "stablehlo.or"(%tg, %tn) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %e = "stablehlo.compare"(%a, %b) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = "stablehlo.compare"(%i, %j) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %tef = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %teb = "stablehlo.broadcast_in_dim"(%tef) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<i1>
    %ten = "stablehlo.compare"(%e, %teb) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %te = "stablehlo.convert"(%ten) : (tensor<i1>) -> tensor<i1>
    %t = "stablehlo.and"(%te, %lt) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %w = "stablehlo.or"(%v, %t) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %rv = "stablehlo.select"(%v, %a, %b) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %ri = "stablehlo.select"(%w, %i, %j) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%rv, %ri) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<2x3x4x6xf32>, tensor<2x3x4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>)
  return %0#0, %0#1 : tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>
}

// REMARK: Reason="its body does not choose the first one of the largest or the smallest elements"
// CHECK-LABEL: func @numbers(
// CHECK:         "stablehlo.reduce_window"
func.func @numbers(%x: tensor<2x3x4x6xf32>) -> (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %m = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
  %l = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<144xi32>
  %s = "stablehlo.reshape"(%l) : (tensor<144xi32>) -> tensor<2x3x4x6xi32>
  %0:2 = "stablehlo.reduce_window"(%x, %s, %c, %m) <{window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>):
    %g = "stablehlo.compare"(%a, %b) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %n = "stablehlo.compare"(%b, %b) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = "stablehlo.or"(%g, %n) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %e = "stablehlo.compare"(%a, %b) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = "stablehlo.compare"(%i, %j) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %t = "stablehlo.and"(%e, %lt) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %w = "stablehlo.or"(%v, %t) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %rv = "stablehlo.select"(%v, %a, %b) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %ri = "stablehlo.select"(%w, %i, %j) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%rv, %ri) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<2x3x4x6xf32>, tensor<2x3x4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>)
  return %0#0, %0#1 : tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>
}

// These stay: the last of equal elements is chosen, the positions count
// something else, a window may have only padding, or the initial index is a
// position of the input.

// REMARK: Reason="its body does not choose the first one of the largest or the smallest elements"
// CHECK-LABEL: func @last(
// CHECK:         "stablehlo.reduce_window"
func.func @last(%x: tensor<2x3x4x6xf32>) -> (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %m = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
  %l = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24xi32>
  %s = "stablehlo.reshape"(%l) : (tensor<24xi32>) -> tensor<4x6xi32>
  %p = "stablehlo.broadcast_in_dim"(%s) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<4x6xi32>) -> tensor<2x3x4x6xi32>
  %0:2 = "stablehlo.reduce_window"(%x, %p, %c, %m) <{window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>):
    %g = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %n = "stablehlo.compare"(%a, %a) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = "stablehlo.or"(%g, %n) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %e = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = "stablehlo.compare"(%i, %j) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %t = "stablehlo.and"(%e, %lt) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %w = "stablehlo.or"(%v, %t) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %rv = "stablehlo.select"(%v, %a, %b) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %ri = "stablehlo.select"(%w, %i, %j) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%rv, %ri) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<2x3x4x6xf32>, tensor<2x3x4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>)
  return %0#0, %0#1 : tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>
}

// REMARK: Reason="its second tensor does not count the elements"
// CHECK-LABEL: func @columns(
// CHECK:         "stablehlo.reduce_window"
func.func @columns(%x: tensor<2x3x4x6xf32>) -> (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %m = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
  %l = "stablehlo.iota"() <{iota_dimension = 3 : i64}> : () -> tensor<2x3x4x6xi32>
  %0:2 = "stablehlo.reduce_window"(%x, %l, %c, %m) <{window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>):
    %g = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %n = "stablehlo.compare"(%a, %a) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = "stablehlo.or"(%g, %n) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %e = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = "stablehlo.compare"(%i, %j) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %t = "stablehlo.and"(%e, %lt) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %w = "stablehlo.or"(%v, %t) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %rv = "stablehlo.select"(%v, %a, %b) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %ri = "stablehlo.select"(%w, %i, %j) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%rv, %ri) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<2x3x4x6xf32>, tensor<2x3x4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>)
  return %0#0, %0#1 : tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>
}

// REMARK: Reason="(Average.C3)
// CHECK-LABEL: func @padding_alone(
// CHECK:         "stablehlo.reduce_window"
func.func @padding_alone(%x: tensor<2x3x4x6xf32>) -> (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %m = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
  %l = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24xi32>
  %s = "stablehlo.reshape"(%l) : (tensor<24xi32>) -> tensor<4x6xi32>
  %p = "stablehlo.broadcast_in_dim"(%s) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<4x6xi32>) -> tensor<2x3x4x6xi32>
  %0:2 = "stablehlo.reduce_window"(%x, %p, %c, %m) <{padding = dense<[[0, 0], [0, 0], [2, 0], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 4, 2>}> ({
  ^bb0(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>):
    %g = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %n = "stablehlo.compare"(%a, %a) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = "stablehlo.or"(%g, %n) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %e = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = "stablehlo.compare"(%i, %j) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %t = "stablehlo.and"(%e, %lt) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %w = "stablehlo.or"(%v, %t) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %rv = "stablehlo.select"(%v, %a, %b) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %ri = "stablehlo.select"(%w, %i, %j) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%rv, %ri) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<2x3x4x6xf32>, tensor<2x3x4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>)
  return %0#0, %0#1 : tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>
}

// REMARK: Reason="it does not start from infinity and an index after all others"
// CHECK-LABEL: func @from_zero(
// CHECK:         "stablehlo.reduce_window"
func.func @from_zero(%x: tensor<2x3x4x6xf32>) -> (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %m = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %l = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24xi32>
  %s = "stablehlo.reshape"(%l) : (tensor<24xi32>) -> tensor<4x6xi32>
  %p = "stablehlo.broadcast_in_dim"(%s) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<4x6xi32>) -> tensor<2x3x4x6xi32>
  %0:2 = "stablehlo.reduce_window"(%x, %p, %c, %m) <{window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>):
    %g = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %n = "stablehlo.compare"(%a, %a) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = "stablehlo.or"(%g, %n) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %e = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = "stablehlo.compare"(%i, %j) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %t = "stablehlo.and"(%e, %lt) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %w = "stablehlo.or"(%v, %t) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %rv = "stablehlo.select"(%v, %a, %b) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %ri = "stablehlo.select"(%w, %i, %j) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%rv, %ri) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<2x3x4x6xf32>, tensor<2x3x4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>)
  return %0#0, %0#1 : tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>
}

// Positions count along rows, so the smallest position need not be in the first
// row.

// CHECK-LABEL: func @in_a_row(
// CHECK:         "stablehlo.reduce_window"
// REMARK: Reason="its positions do not count a dimension that has a window"
func.func @in_a_row(%x: tensor<2x3x4x6xf32>) -> (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %m = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
  %l = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<6xi32>
  %s = "stablehlo.reshape"(%l) : (tensor<6xi32>) -> tensor<6xi32>
  %p = "stablehlo.broadcast_in_dim"(%s) <{broadcast_dimensions = array<i64: 3>}> : (tensor<6xi32>) -> tensor<2x3x4x6xi32>
  %0:2 = "stablehlo.reduce_window"(%x, %p, %c, %m) <{window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>):
    %g = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %n = "stablehlo.compare"(%a, %a) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = "stablehlo.or"(%g, %n) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %e = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = "stablehlo.compare"(%i, %j) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %t = "stablehlo.and"(%e, %lt) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %w = "stablehlo.or"(%v, %t) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %rv = "stablehlo.select"(%v, %a, %b) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %ri = "stablehlo.select"(%w, %i, %j) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%rv, %ri) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<2x3x4x6xf32>, tensor<2x3x4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>)
  return %0#0, %0#1 : tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>
}
