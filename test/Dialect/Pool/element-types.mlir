// The verifier must accept every element type of max_pool and avg_pool, and
// both index types. The pretty and the generic form must keep them.

// RUN: pool-opt %s | FileCheck %s
// RUN: pool-opt %s --mlir-print-op-generic | pool-opt | FileCheck %s

// CHECK-LABEL: func @f16(
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xf16> -> tensor<1x2x4xf16>, tensor<1x2x4xi64>
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xf16> -> tensor<1x2x4xf16>, tensor<1x2x4xi32>
// CHECK:         pool.avg_pool %{{.+}} : tensor<1x2x5xf16> -> tensor<1x2x4xf16>
func.func @f16(%x: tensor<1x2x5xf16>) {
  %0, %1 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xf16> -> tensor<1x2x4xf16>, tensor<1x2x4xi64>
  %2, %3 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xf16> -> tensor<1x2x4xf16>, tensor<1x2x4xi32>
  %4 = pool.avg_pool %x kernel [2]
     : tensor<1x2x5xf16> -> tensor<1x2x4xf16>
  return
}

// CHECK-LABEL: func @bf16(
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xbf16> -> tensor<1x2x4xbf16>, tensor<1x2x4xi64>
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xbf16> -> tensor<1x2x4xbf16>, tensor<1x2x4xi32>
// CHECK:         pool.avg_pool %{{.+}} : tensor<1x2x5xbf16> -> tensor<1x2x4xbf16>
func.func @bf16(%x: tensor<1x2x5xbf16>) {
  %0, %1 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xbf16> -> tensor<1x2x4xbf16>, tensor<1x2x4xi64>
  %2, %3 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xbf16> -> tensor<1x2x4xbf16>, tensor<1x2x4xi32>
  %4 = pool.avg_pool %x kernel [2]
     : tensor<1x2x5xbf16> -> tensor<1x2x4xbf16>
  return
}

// CHECK-LABEL: func @f32(
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xf32> -> tensor<1x2x4xf32>, tensor<1x2x4xi64>
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xf32> -> tensor<1x2x4xf32>, tensor<1x2x4xi32>
// CHECK:         pool.avg_pool %{{.+}} : tensor<1x2x5xf32> -> tensor<1x2x4xf32>
func.func @f32(%x: tensor<1x2x5xf32>) {
  %0, %1 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xf32> -> tensor<1x2x4xf32>, tensor<1x2x4xi64>
  %2, %3 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xf32> -> tensor<1x2x4xf32>, tensor<1x2x4xi32>
  %4 = pool.avg_pool %x kernel [2]
     : tensor<1x2x5xf32> -> tensor<1x2x4xf32>
  return
}

// CHECK-LABEL: func @f64(
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xf64> -> tensor<1x2x4xf64>, tensor<1x2x4xi64>
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xf64> -> tensor<1x2x4xf64>, tensor<1x2x4xi32>
// CHECK:         pool.avg_pool %{{.+}} : tensor<1x2x5xf64> -> tensor<1x2x4xf64>
func.func @f64(%x: tensor<1x2x5xf64>) {
  %0, %1 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xf64> -> tensor<1x2x4xf64>, tensor<1x2x4xi64>
  %2, %3 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xf64> -> tensor<1x2x4xf64>, tensor<1x2x4xi32>
  %4 = pool.avg_pool %x kernel [2]
     : tensor<1x2x5xf64> -> tensor<1x2x4xf64>
  return
}

// CHECK-LABEL: func @i8(
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xi8> -> tensor<1x2x4xi8>, tensor<1x2x4xi64>
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xi8> -> tensor<1x2x4xi8>, tensor<1x2x4xi32>
// CHECK:         pool.avg_pool %{{.+}} : tensor<1x2x5xi8> -> tensor<1x2x4xi8>
func.func @i8(%x: tensor<1x2x5xi8>) {
  %0, %1 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xi8> -> tensor<1x2x4xi8>, tensor<1x2x4xi64>
  %2, %3 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xi8> -> tensor<1x2x4xi8>, tensor<1x2x4xi32>
  %4 = pool.avg_pool %x kernel [2]
     : tensor<1x2x5xi8> -> tensor<1x2x4xi8>
  return
}

// CHECK-LABEL: func @i16(
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xi16> -> tensor<1x2x4xi16>, tensor<1x2x4xi64>
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xi16> -> tensor<1x2x4xi16>, tensor<1x2x4xi32>
// CHECK:         pool.avg_pool %{{.+}} : tensor<1x2x5xi16> -> tensor<1x2x4xi16>
func.func @i16(%x: tensor<1x2x5xi16>) {
  %0, %1 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xi16> -> tensor<1x2x4xi16>, tensor<1x2x4xi64>
  %2, %3 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xi16> -> tensor<1x2x4xi16>, tensor<1x2x4xi32>
  %4 = pool.avg_pool %x kernel [2]
     : tensor<1x2x5xi16> -> tensor<1x2x4xi16>
  return
}

// CHECK-LABEL: func @i32(
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xi32> -> tensor<1x2x4xi32>, tensor<1x2x4xi64>
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xi32> -> tensor<1x2x4xi32>, tensor<1x2x4xi32>
// CHECK:         pool.avg_pool %{{.+}} : tensor<1x2x5xi32> -> tensor<1x2x4xi32>
func.func @i32(%x: tensor<1x2x5xi32>) {
  %0, %1 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xi32> -> tensor<1x2x4xi32>, tensor<1x2x4xi64>
  %2, %3 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xi32> -> tensor<1x2x4xi32>, tensor<1x2x4xi32>
  %4 = pool.avg_pool %x kernel [2]
     : tensor<1x2x5xi32> -> tensor<1x2x4xi32>
  return
}

// CHECK-LABEL: func @i64(
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xi64> -> tensor<1x2x4xi64>, tensor<1x2x4xi64>
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xi64> -> tensor<1x2x4xi64>, tensor<1x2x4xi32>
// CHECK:         pool.avg_pool %{{.+}} : tensor<1x2x5xi64> -> tensor<1x2x4xi64>
func.func @i64(%x: tensor<1x2x5xi64>) {
  %0, %1 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xi64> -> tensor<1x2x4xi64>, tensor<1x2x4xi64>
  %2, %3 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xi64> -> tensor<1x2x4xi64>, tensor<1x2x4xi32>
  %4 = pool.avg_pool %x kernel [2]
     : tensor<1x2x5xi64> -> tensor<1x2x4xi64>
  return
}

// CHECK-LABEL: func @si8(
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xsi8> -> tensor<1x2x4xsi8>, tensor<1x2x4xi64>
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xsi8> -> tensor<1x2x4xsi8>, tensor<1x2x4xi32>
// CHECK:         pool.avg_pool %{{.+}} : tensor<1x2x5xsi8> -> tensor<1x2x4xsi8>
func.func @si8(%x: tensor<1x2x5xsi8>) {
  %0, %1 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xsi8> -> tensor<1x2x4xsi8>, tensor<1x2x4xi64>
  %2, %3 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xsi8> -> tensor<1x2x4xsi8>, tensor<1x2x4xi32>
  %4 = pool.avg_pool %x kernel [2]
     : tensor<1x2x5xsi8> -> tensor<1x2x4xsi8>
  return
}

// CHECK-LABEL: func @si16(
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xsi16> -> tensor<1x2x4xsi16>, tensor<1x2x4xi64>
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xsi16> -> tensor<1x2x4xsi16>, tensor<1x2x4xi32>
// CHECK:         pool.avg_pool %{{.+}} : tensor<1x2x5xsi16> -> tensor<1x2x4xsi16>
func.func @si16(%x: tensor<1x2x5xsi16>) {
  %0, %1 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xsi16> -> tensor<1x2x4xsi16>, tensor<1x2x4xi64>
  %2, %3 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xsi16> -> tensor<1x2x4xsi16>, tensor<1x2x4xi32>
  %4 = pool.avg_pool %x kernel [2]
     : tensor<1x2x5xsi16> -> tensor<1x2x4xsi16>
  return
}

// CHECK-LABEL: func @si32(
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xsi32> -> tensor<1x2x4xsi32>, tensor<1x2x4xi64>
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xsi32> -> tensor<1x2x4xsi32>, tensor<1x2x4xi32>
// CHECK:         pool.avg_pool %{{.+}} : tensor<1x2x5xsi32> -> tensor<1x2x4xsi32>
func.func @si32(%x: tensor<1x2x5xsi32>) {
  %0, %1 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xsi32> -> tensor<1x2x4xsi32>, tensor<1x2x4xi64>
  %2, %3 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xsi32> -> tensor<1x2x4xsi32>, tensor<1x2x4xi32>
  %4 = pool.avg_pool %x kernel [2]
     : tensor<1x2x5xsi32> -> tensor<1x2x4xsi32>
  return
}

// CHECK-LABEL: func @si64(
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xsi64> -> tensor<1x2x4xsi64>, tensor<1x2x4xi64>
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xsi64> -> tensor<1x2x4xsi64>, tensor<1x2x4xi32>
// CHECK:         pool.avg_pool %{{.+}} : tensor<1x2x5xsi64> -> tensor<1x2x4xsi64>
func.func @si64(%x: tensor<1x2x5xsi64>) {
  %0, %1 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xsi64> -> tensor<1x2x4xsi64>, tensor<1x2x4xi64>
  %2, %3 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xsi64> -> tensor<1x2x4xsi64>, tensor<1x2x4xi32>
  %4 = pool.avg_pool %x kernel [2]
     : tensor<1x2x5xsi64> -> tensor<1x2x4xsi64>
  return
}

// CHECK-LABEL: func @ui8(
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xui8> -> tensor<1x2x4xui8>, tensor<1x2x4xi64>
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xui8> -> tensor<1x2x4xui8>, tensor<1x2x4xi32>
// CHECK:         pool.avg_pool %{{.+}} : tensor<1x2x5xui8> -> tensor<1x2x4xui8>
func.func @ui8(%x: tensor<1x2x5xui8>) {
  %0, %1 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xui8> -> tensor<1x2x4xui8>, tensor<1x2x4xi64>
  %2, %3 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xui8> -> tensor<1x2x4xui8>, tensor<1x2x4xi32>
  %4 = pool.avg_pool %x kernel [2]
     : tensor<1x2x5xui8> -> tensor<1x2x4xui8>
  return
}

// CHECK-LABEL: func @ui16(
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xui16> -> tensor<1x2x4xui16>, tensor<1x2x4xi64>
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xui16> -> tensor<1x2x4xui16>, tensor<1x2x4xi32>
// CHECK:         pool.avg_pool %{{.+}} : tensor<1x2x5xui16> -> tensor<1x2x4xui16>
func.func @ui16(%x: tensor<1x2x5xui16>) {
  %0, %1 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xui16> -> tensor<1x2x4xui16>, tensor<1x2x4xi64>
  %2, %3 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xui16> -> tensor<1x2x4xui16>, tensor<1x2x4xi32>
  %4 = pool.avg_pool %x kernel [2]
     : tensor<1x2x5xui16> -> tensor<1x2x4xui16>
  return
}

// CHECK-LABEL: func @ui32(
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xui32> -> tensor<1x2x4xui32>, tensor<1x2x4xi64>
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xui32> -> tensor<1x2x4xui32>, tensor<1x2x4xi32>
// CHECK:         pool.avg_pool %{{.+}} : tensor<1x2x5xui32> -> tensor<1x2x4xui32>
func.func @ui32(%x: tensor<1x2x5xui32>) {
  %0, %1 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xui32> -> tensor<1x2x4xui32>, tensor<1x2x4xi64>
  %2, %3 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xui32> -> tensor<1x2x4xui32>, tensor<1x2x4xi32>
  %4 = pool.avg_pool %x kernel [2]
     : tensor<1x2x5xui32> -> tensor<1x2x4xui32>
  return
}

// CHECK-LABEL: func @ui64(
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xui64> -> tensor<1x2x4xui64>, tensor<1x2x4xi64>
// CHECK:         pool.max_pool %{{.+}} : tensor<1x2x5xui64> -> tensor<1x2x4xui64>, tensor<1x2x4xi32>
// CHECK:         pool.avg_pool %{{.+}} : tensor<1x2x5xui64> -> tensor<1x2x4xui64>
func.func @ui64(%x: tensor<1x2x5xui64>) {
  %0, %1 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xui64> -> tensor<1x2x4xui64>, tensor<1x2x4xi64>
  %2, %3 = pool.max_pool %x kernel [2]
     : tensor<1x2x5xui64> -> tensor<1x2x4xui64>, tensor<1x2x4xi32>
  %4 = pool.avg_pool %x kernel [2]
     : tensor<1x2x5xui64> -> tensor<1x2x4xui64>
  return
}
