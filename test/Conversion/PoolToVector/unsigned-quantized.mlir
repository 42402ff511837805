// convert-pool-to-vector on quantised inputs that store unsigned integers. They
// must be read as they are stored, signless, without a copy, and extended as
// unsigned.

// RUN: pool-opt %s --convert-pool-to-vector=vector-bits=128 | FileCheck %s
// RUN: pool-opt %s --convert-pool-to-vector=vector-bits=256 -o /dev/null
// RUN: pool-opt %s --convert-pool-to-vector=vector-bits=512 -o /dev/null
// RUN: pool-opt %s --pool-to-llvm -o /dev/null

!u8 = !quant.uniform<u8:f32, 0.5:3>
!u16 = !quant.uniform<u16:f32, 0.5:3>

// CHECK-LABEL: func.func @average(
// CHECK-NOT:     linalg.generic
// CHECK:         vector.load {{.*}} : memref<1x3x9x33xi8>, vector<{{[0-9]+}}xi8>
// CHECK:         arith.extui
func.func @average(%x: tensor<1x3x9x33x!u8>) -> tensor<1x3x8x32x!u8> {
  %0 = pool.avg_pool %x kernel [2, 2] : tensor<1x3x9x33x!u8> -> tensor<1x3x8x32x!u8>
  return %0 : tensor<1x3x8x32x!u8>
}

// CHECK-LABEL: func.func @global(
// CHECK:         arith.maxui
func.func @global(%x: tensor<1x3x9x33x!u16>) -> tensor<1x3x1x1x!u16> {
  %0 = pool.max_pool %x kernel [9, 33] : tensor<1x3x9x33x!u16> -> tensor<1x3x1x1x!u16>
  return %0 : tensor<1x3x1x1x!u16>
}

// CHECK-LABEL: func.func @unknown(
// CHECK:         arith.maxui
func.func @unknown(%x: tensor<?x3x?x?x!u8>) -> tensor<?x3x?x?x!u8> {
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] : tensor<?x3x?x?x!u8> -> tensor<?x3x?x?x!u8>
  return %0 : tensor<?x3x?x?x!u8>
}

// CHECK-LABEL: func.func @channels_last(
// CHECK:         arith.maxui
func.func @channels_last(%x: tensor<1x9x9x32x!u8>) -> tensor<1x7x7x32x!u8> {
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last
     : tensor<1x9x9x32x!u8> -> tensor<1x7x7x32x!u8>
  return %0 : tensor<1x7x7x32x!u8>
}

// CHECK-LABEL: func.func @taps(
func.func @taps(%x: tensor<1x3x9x33x!u8>) -> tensor<1x3x8x16x!u8> {
  %0 = pool.avg_pool %x kernel [2, 2] strides [1, 2] {pool.plan = #pool.plan<"direct", lanes = 4>}
     : tensor<1x3x9x33x!u8> -> tensor<1x3x8x16x!u8>
  return %0 : tensor<1x3x8x16x!u8>
}
