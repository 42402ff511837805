// convert-pool-to-vector on averages of integers. Sums must have the narrowest
// lanes that cannot overflow, and quotients are computed by reciprocals in
// floats, without integer divisions.

// RUN: pool-opt %s --convert-pool-to-vector=vector-bits=128 --canonicalize --cse | FileCheck %s

// The sum of 2^8 elements of 8 bits fits 16 bits, even for unsigned elements.
// CHECK-LABEL: func.func @sixteen_bits(
// CHECK:         arith.extui %{{.+}} : vector<8xi8> to vector<8xi16>
// CHECK-NOT:     arith.divsi
// CHECK-NOT:     arith.remsi
// CHECK:         %[[SUM:.+]] = arith.extui %{{.+}} : vector<8xi16> to vector<8xi32>
// CHECK:         arith.sitofp %[[SUM]] : vector<8xi32> to vector<8xf32>
// CHECK-NOT:     arith.divsi
// CHECK:         return
func.func @sixteen_bits(%x: tensor<1x16x39x16xui8>) -> tensor<1x1x24x16xui8> {
  %0 = pool.avg_pool %x kernel [16, 16] layout channels_last
    : tensor<1x16x39x16xui8> -> tensor<1x1x24x16xui8>
  return %0 : tensor<1x1x24x16xui8>
}

// The window has one element more, so the sum needs lanes of 32 bits.
// CHECK-LABEL: func.func @more(
// CHECK:         arith.extsi %{{.+}} : vector<4xi8> to vector<4xi32>
// CHECK-NOT:     vector<4xi16>
// CHECK:         return
func.func @more(%x: tensor<1x280x4xi8>) -> tensor<1x24x4xi8> {
  %0 = pool.avg_pool %x kernel [257] layout channels_last
    : tensor<1x280x4xi8> -> tensor<1x24x4xi8>
  return %0 : tensor<1x24x4xi8>
}

// If all lanes have the same count, they share one scalar reciprocal.
// CHECK-LABEL: func.func @interior(
// CHECK:         %[[RECIPROCAL:.+]] = arith.divf %{{.+}}, %{{.+}} : f32
// CHECK:         vector.broadcast %[[RECIPROCAL]] : f32 to vector<8xf32>
// CHECK-NOT:     arith.divf %{{.+}} : vector
// CHECK:         return
func.func @interior(%x: tensor<1x9x9x16xi8>) -> tensor<1x9x9x16xi8> {
  %0 = pool.avg_pool %x kernel [3, 3] auto_pad same_upper layout channels_last
    : tensor<1x9x9x16xi8> -> tensor<1x9x9x16xi8>
  return %0 : tensor<1x9x9x16xi8>
}

// Sums of 64 bits are divided in vectors of f64.
// CHECK-LABEL: func.func @in_f64(
// CHECK:         arith.bitcast %{{.+}} : vector<2xi64> to vector<2xf64>
// CHECK:         arith.mulf %{{.+}} : vector<2xf64>
// CHECK-NOT:     arith.divsi
// CHECK:         return
func.func @in_f64(%x: tensor<1x9x9x16xi32>) -> tensor<1x9x9x16xi32> {
  %0 = pool.avg_pool %x kernel [3, 3] auto_pad same_upper layout channels_last
    : tensor<1x9x9x16xi32> -> tensor<1x9x9x16xi32>
  return %0 : tensor<1x9x9x16xi32>
}
