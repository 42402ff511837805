// mlir-opt without this project loads the dialect's IRDL file, and must then
// know the operations and check their form. docs/Reference/IRDL.md lists the
// checks, and the rules that IRDL cannot express.
//
// RUN: mlir-opt --irdl-file=%src_root/docs/Reference/pool.irdl.mlir --split-input-file \
// RUN:   --verify-diagnostics %s | FileCheck %s

// CHECK-LABEL: @reads
// CHECK: "pool.max_pool"(%arg0) {kernel = array<i64: 3, 3>}
// CHECK: "pool.avg_pool_grad"(%arg0, %arg1, %arg1)
func.func @reads(%x: tensor<1x8x?x?xf32>, %n: index) {
  %0:2 = "pool.max_pool"(%x) {kernel = array<i64: 3, 3>}
    : (tensor<1x8x?x?xf32>) -> (tensor<1x8x?x?xf32>, tensor<1x8x?x?xi64>)
  %1 = "pool.avg_pool_grad"(%x, %n, %n) {kernel = array<i64: 3, 3>}
    : (tensor<1x8x?x?xf32>, index, index) -> tensor<1x8x?x?xf32>
  return
}

// -----

// The IRDL does not check constraints of windows, nor types.
// CHECK-LABEL: @accepts_invalid
func.func @accepts_invalid(%x: tensor<1x8x2x2xcomplex<f32>>) {
  %0 = "pool.max_pool"(%x) {kernel = 3.0 : f32}
    : (tensor<1x8x2x2xcomplex<f32>>) -> tensor<7xf32>
  return
}

// -----

func.func @name(%x: tensor<1x8x4x4xf32>) {
  // expected-error @below {{unregistered operation 'pool.max_poll' found in dialect ('pool')}}
  %0 = "pool.max_poll"(%x) : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  return
}

// -----

func.func @operands(%x: tensor<1x8x4x4xf32>) {
  // expected-error @below {{expects exactly 1 operands, but got 2}}
  %0 = "pool.lp_pool"(%x, %x)
    : (tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  return
}

// -----

func.func @results(%x: tensor<1x8x4x4xf32>) {
  // expected-error @below {{expects at most 2 results, but got 3}}
  %0:3 = "pool.min_pool"(%x) : (tensor<1x8x4x4xf32>) -> (f32, f32, f32)
  return
}

// -----

func.func @index(%x: tensor<1x8x4x4xf32>, %n: i64) {
  // expected-error @below {{expected 'index' but got 'i64'}}
  %0 = "pool.avg_pool_grad"(%x, %n) : (tensor<1x8x4x4xf32>, i64) -> tensor<1x8x4x4xf32>
  return
}

// -----

func.func @properties(%x: tensor<1x8x4x4xf32>) {
  // expected-error @below {{extensible Dialects don't support properties}}
  %0 = "pool.lp_pool"(%x) <{kernel = array<i64: 3, 3>}>
    : (tensor<1x8x4x4xf32>) -> tensor<1x8x2x2xf32>
  return
}

// -----

func.func @enumerations(%x: tensor<1x8x4x4xf32>) {
  // expected-error @below {{expected dynamic attribute}}
  %0 = "pool.lp_pool"(%x) {layout = #pool.layout<channels_last>}
    : (tensor<1x8x4x4xf32>) -> tensor<1x8x2x2xf32>
  return
}
