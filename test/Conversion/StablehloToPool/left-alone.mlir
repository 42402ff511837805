// convert-stablehlo-to-pool on operations that are malformed or not pooling. No
// verifier checks unregistered operations. They must stay as they are, and a
// remark must say why.

// RUN: pool-opt %s --allow-unregistered-dialect --convert-stablehlo-to-pool \
// RUN:   --remarks-filter=convert-stablehlo-to-pool -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t

// CHECK-LABEL: func @case0(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="it has no window_dimensions"
func.func @case0(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{a = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case1(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="its window_dimensions is no list of 3 positive integers of 32 bits"
func.func @case1(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case2(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="its window_dimensions is no list of 3 positive integers of 32 bits"
func.func @case2(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case3(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="its window_dimensions is no list of 3 positive integers of 32 bits"
func.func @case3(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 9223372036854775807>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case4(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="its window_dimensions is no list of 3 positive integers of 32 bits"
func.func @case4(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i32: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case5(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="its window_dimensions is no list of 3 positive integers of 32 bits"
func.func @case5(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = "2"}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case6(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="its window_strides is no list of 3 positive integers of 32 bits"
func.func @case6(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2>, window_strides = dense<1> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case7(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="its window_dilations is no list of 3 positive integers of 32 bits"
func.func @case7(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2>, window_dilations = dense<-1> : tensor<3xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case8(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="its base_dilations is no list of 3 positive integers of 32 bits"
func.func @case8(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2>, base_dilations = array<i64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case9(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="its padding is no constant of 3 pairs of integers of 32 bits"
func.func @case9(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2>, padding = dense<0> : tensor<3xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case10(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="its padding is no constant of 3 pairs of integers of 32 bits"
func.func @case10(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2>, padding = dense<4294967296> : tensor<3x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case11(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="its padding is no constant of 3 pairs of integers of 32 bits"
func.func @case11(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2>, padding = dense<0.0> : tensor<3x2xf32>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case12(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="it dilates its input, which pooling does not"
func.func @case12(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2>, base_dilations = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case13(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="its negative padding cuts 8 elements off dimension 2, of which there may be no more"
func.func @case13(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2>, padding = dense<[[0, 0], [0, 0], [-4, -4]]> : tensor<3x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case14(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="its result type is not the one of its windows"
func.func @case14(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x6xf32>
  return
}

// CHECK-LABEL: func @case15(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="(Window.C8) dimension 2: the window covers 9 =
func.func @case15(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 9>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case16(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="the types of its input, initial value and result differ"
func.func @case16(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf64>
  return
}

// CHECK-LABEL: func @case17(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="the types of its input, initial value and result differ"
func.func @case17(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x21xf32>
  return
}

// CHECK-LABEL: func @case18(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="the types of its input, initial value and result differ"
func.func @case18(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<*xf32>
  return
}

// CHECK-LABEL: func @case19(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="the types of its input, initial value and result differ"
func.func @case19(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> i32
  return
}

// CHECK-LABEL: func @case20(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="its input is no ranked tensor"
func.func @case20(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%u, %c) <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<*xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case21(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="the types of its input, initial value and result differ"
func.func @case21(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %x) <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<1x3x8xf32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case22(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="it is no reduction of one tensor"
func.func @case22(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x) <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case23(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="it is no reduction of one tensor"
func.func @case23(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"() <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : () -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case24(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="it is no reduction of one tensor"
func.func @case24(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c, %c) <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case25(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="it reduces neither one tensor nor two"
func.func @case25(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %x, %c, %c) <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<f32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case26(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="its body is no maximum, minimum or sum of its arguments"
func.func @case26(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.multiply"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case27(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="its body is no maximum, minimum or sum of its arguments"
func.func @case27(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case28(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="its body is no maximum, minimum or sum of its arguments"
func.func @case28(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f64>
    "stablehlo.return"(%r) : (tensor<f64>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case29(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="its body is no maximum, minimum or sum of its arguments"
func.func @case29(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %q = "stablehlo.negate"(%a) : (tensor<f32>) -> tensor<f32>
    %r = "stablehlo.maximum"(%q, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case30(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="its body is no maximum, minimum or sum of its arguments"
func.func @case30(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case31(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="its body is no maximum, minimum or sum of its arguments"
func.func @case31(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"() : () -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case32(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="its body is no maximum, minimum or sum of its arguments"
func.func @case32(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "other.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case33(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="its body is no maximum, minimum or sum of its arguments"
func.func @case33(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2>}> ({}) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case34(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="its body is no maximum, minimum or sum of its arguments"
func.func @case34(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case35(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="its body is no maximum, minimum or sum of its arguments"
func.func @case35(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: f32, %b: f32):
    %r = "stablehlo.maximum"(%a, %b) : (f32, f32) -> f32
    "stablehlo.return"(%r) : (f32) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: func @case37(
// CHECK:         stablehlo.reduce_window
// REMARK: Reason="(Window.C8)
func.func @case37(%x: tensor<1x3x8xf32>, %u: tensor<*xf32>, %e: tensor<0x3x8xf32>) {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2147483647>, window_dilations = array<i64: 1, 1, 2147483647>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return
}
