// convert-pool-to-linalg must reject operations that it cannot lower, such as
// those with an unranked input, and then change no operation at all. It must
// also reject unknown options.

// RUN: pool-opt %s --convert-pool-to-linalg --split-input-file --verify-diagnostics
// RUN: not pool-opt %s --convert-pool-to-linalg --split-input-file --mlir-print-ir-after-failure 2>&1 >/dev/null | FileCheck %s
// RUN: not pool-opt /dev/null --convert-pool-to-linalg=run-time-checks 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not pool-opt /dev/null --convert-pool-to-linalg=runtime-checks=maybe 2>&1 | FileCheck %s --check-prefix=VALUE

// OPTION: no such option run-time-checks
// VALUE: 'maybe' is invalid value for boolean argument

// CHECK:       IR Dump After ConvertPoolToLinalg Failed
// CHECK:       func.func @unranked
// CHECK-NOT:     linalg.
// CHECK:         pool.max_pool
// CHECK-NOT:     linalg.
// CHECK:         pool.max_pool
// CHECK-NOT:     linalg.
// CHECK:         pool.avg_pool
// CHECK-NOT:     linalg.
// CHECK:       IR Dump After ConvertPoolToLinalg Failed
// CHECK-NOT:     linalg.
func.func @unranked(%x: tensor<*xf32>, %y: tensor<1x2x8xf32>) {
  %0 = pool.max_pool %y kernel [2] : tensor<1x2x8xf32> -> tensor<1x2x7xf32>
  // expected-error @+1 {{'pool.max_pool' op cannot be lowered: the input is unranked}}
  %1, %2 = pool.max_pool %x kernel [2]
         : tensor<*xf32> -> tensor<?x?x?xf32>, tensor<?x?x?xi64>
  // expected-error @+1 {{'pool.avg_pool' op cannot be lowered: the input is unranked}}
  %3 = pool.avg_pool %x kernel [2] : tensor<*xf32> -> tensor<?x?x?xf32>
  return
}

// -----

// An operation in another function is rejected, too.

func.func @ranked(%y: tensor<1x2x8xf32>) -> tensor<1x2x7xf32> {
  %0 = pool.avg_pool %y kernel [2] : tensor<1x2x8xf32> -> tensor<1x2x7xf32>
  return %0 : tensor<1x2x7xf32>
}
func.func @unranked(%x: tensor<*xi8>) -> tensor<*xi8> {
  // expected-error @+1 {{'pool.max_pool' op cannot be lowered: the input is unranked}}
  %0 = pool.max_pool %x kernel [2] : tensor<*xi8> -> tensor<*xi8>
  return %0 : tensor<*xi8>
}

// -----

// Sizes beyond any memory. The pass assumes accumulators of 16 bytes per
// element.

func.func @output_too_large(%x: tensor<1x1x1xi8>) -> tensor<*xi8> {
  // expected-error @+1 {{'pool.max_pool' op cannot be lowered: the output, or the input with its padding, has more bytes than a 64-bit integer counts}}
  %0 = pool.max_pool %x kernel [1] pads_end [1152921504606846976]
     : tensor<1x1x1xi8> -> tensor<*xi8>
  return %0 : tensor<*xi8>
}

// -----

// The output has a single element, but the padded input that the operation
// reads is too large.

func.func @padding_too_large(%x: tensor<1x1x4x4xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{'pool.avg_pool' op cannot be lowered: the output, or the input with its padding, has more bytes than a 64-bit integer counts}}
  %0 = pool.avg_pool %x kernel [2, 2] strides [4294967296, 4294967296]
         pads_begin [4294967295, 4294967295] divisor padded
     : tensor<1x1x4x4xf32> -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// Adaptive pooling: an unranked input, and more outputs than memory.

func.func @adaptive_unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{'pool.adaptive_avg_pool' op cannot be lowered: operand #0 is unranked}}
  %0 = pool.adaptive_avg_pool %x output_size [2] : tensor<*xf32> -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

func.func @adaptive_output_too_large(%x: tensor<1x?x?xi8>) -> tensor<*xi8> {
  // expected-error @+1 {{'pool.adaptive_max_pool' op cannot be lowered: the output has more bytes than a 64-bit integer counts}}
  %0 = pool.adaptive_max_pool %x output_size [1152921504606846976]
     : tensor<1x?x?xi8> -> tensor<*xi8>
  return %0 : tensor<*xi8>
}

// -----

// Windows on buffers: this pass lowers only operations on tensors.

func.func @buffers(%x: memref<1x1x4xf32>, %y: memref<1x1x4xf32>) {
  // expected-error @+1 {{'pool.window_reduce' op on buffers has no form in linalg: run convert-pool-to-loops first}}
  pool.window_reduce <max> ins(%x : memref<1x1x4xf32>)
    outs(%y : memref<1x1x4xf32>) kernel [1] strides [1] dilations [1]
    pads_begin [0] pads_end [0]
  return
}
