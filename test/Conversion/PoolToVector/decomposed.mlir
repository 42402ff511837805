// If pool-decompose has split an average, the conversion gives the same code as
// for the average itself. In the interior, the counts are constants, so the
// code multiplies by reciprocals.

// RUN: pool-opt %s --convert-pool-to-vector=vector-bits=128 > %t.alone
// RUN: pool-opt %s --pool-decompose --convert-pool-to-vector=vector-bits=128 > %t.decomposed
// RUN: diff -u %t.alone %t.decomposed
// RUN: pool-opt %s --pool-decompose --canonicalize --cse | FileCheck %s --check-prefix=FACT
// RUN: pool-opt %s --pool-decompose --canonicalize --cse --convert-pool-to-vector=vector-bits=128 --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @fixed(
// CHECK-NOT:     arith.divf
// CHECK:         return
// FACT-LABEL: func.func @fixed(
// FACT:         linalg.generic {{.*}} attrs = {pool.divides_by_count}
func.func @fixed(%x: tensor<1x2x8x16xf32>) -> tensor<1x2x4x8xf32> {
  %0 = pool.avg_pool %x kernel [2, 2] strides [2, 2]
    : tensor<1x2x8x16xf32> -> tensor<1x2x4x8xf32>
  return %0 : tensor<1x2x4x8xf32>
}

// Counts of elements are computed only at the ends of the planes.
// CHECK-LABEL: func.func @padded(
// CHECK:         arith.constant dense<0.111111112> : vector<4xf32>
// FACT-LABEL: func.func @padded(
// FACT:         linalg.generic {{.*}} attrs = {pool.divides_by_count}
func.func @padded(%x: tensor<1x2x32x64xf32>) -> tensor<1x2x32x64xf32> {
  %0 = pool.avg_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
    : tensor<1x2x32x64xf32> -> tensor<1x2x32x64xf32>
  return %0 : tensor<1x2x32x64xf32>
}

// CHECK-LABEL: func.func @dynamic(
// FACT-LABEL: func.func @dynamic(
// FACT:         linalg.generic {{.*}} attrs = {pool.divides_by_count}
func.func @dynamic(%x: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %0 = pool.avg_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
    : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}

// CHECK-LABEL: func.func @channels_last(
// FACT-LABEL: func.func @channels_last(
// FACT:         linalg.generic {{.*}} attrs = {pool.divides_by_count}
func.func @channels_last(%x: tensor<1x9x9x32xui8>) -> tensor<1x9x9x32xui8> {
  %0 = pool.avg_pool %x kernel [3, 3] auto_pad same_upper layout channels_last
    : tensor<1x9x9x32xui8> -> tensor<1x9x9x32xui8>
  return %0 : tensor<1x9x9x32xui8>
}
