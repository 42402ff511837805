// Prints and parses adaptive pooling: omitted attributes, results, layouts,
// ranks. The pretty form, the generic form and bytecode must keep all of these.

// RUN: pool-opt %s | FileCheck %s
// RUN: pool-opt %s --mlir-print-op-generic | pool-opt | FileCheck %s
// RUN: pool-opt %s --emit-bytecode | pool-opt | FileCheck %s

// CHECK-LABEL: func @adaptive_avg_pool_defaults(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x7x5xf32>)
// CHECK:         pool.adaptive_avg_pool %[[X]] output_size [3, 2] : tensor<1x2x7x5xf32> -> tensor<1x2x3x2xf32>
func.func @adaptive_avg_pool_defaults(%x: tensor<1x2x7x5xf32>)
    -> tensor<1x2x3x2xf32> {
  %0 = "pool.adaptive_avg_pool"(%x) <{output_size = array<i64: 3, 2>}>
     : (tensor<1x2x7x5xf32>) -> tensor<1x2x3x2xf32>
  return %0 : tensor<1x2x3x2xf32>
}

// CHECK-LABEL: func @adaptive_avg_pool_attributes(
// CHECK:         pool.adaptive_avg_pool %{{.+}} output_size [3] layout channels_last integer_rounding half_up input_zp 3 output_zp 255 : tensor<?x?x2xui8> -> tensor<?x3x2xui8>
func.func @adaptive_avg_pool_attributes(%x: tensor<?x?x2xui8>)
    -> tensor<?x3x2xui8> {
  %0 = pool.adaptive_avg_pool %x output_size [3] layout channels_last
         integer_rounding half_up input_zp 3 output_zp 255
     : tensor<?x?x2xui8> -> tensor<?x3x2xui8>
  return %0 : tensor<?x3x2xui8>
}

// CHECK-LABEL: func @adaptive_max_pool_results(
// CHECK:         pool.adaptive_max_pool %{{.+}} output_size [3, 2] : tensor<1x2x7x5xf16> -> tensor<1x2x3x2xf16>
// CHECK:         pool.adaptive_max_pool %{{.+}} output_size [3, 2] axis -2 nan_mode propagate : tensor<1x2x7x5xf16> -> tensor<1x2x3x2xf16>, tensor<1x2x3x2xi32>
func.func @adaptive_max_pool_results(%x: tensor<1x2x7x5xf16>)
    -> (tensor<1x2x3x2xf16>, tensor<1x2x3x2xi32>) {
  %0 = pool.adaptive_max_pool %x output_size [3, 2] layout channels_first axis 0
         nan_mode ignore : tensor<1x2x7x5xf16> -> tensor<1x2x3x2xf16>
  %v, %i = pool.adaptive_max_pool %x output_size [3, 2] axis -2
             nan_mode propagate
     : tensor<1x2x7x5xf16> -> tensor<1x2x3x2xf16>, tensor<1x2x3x2xi32>
  return %0, %i : tensor<1x2x3x2xf16>, tensor<1x2x3x2xi32>
}

// More outputs than inputs, an empty batch, and declared results that are less
// static than the rule. For an unranked result, inference gives the extents in
// output_size.

// CHECK-LABEL: func @adaptive_shapes(
// CHECK:         -> tensor<0x2x9xi8>
// CHECK:         -> tensor<?x2x?xi8>
// CHECK:         -> tensor<?x?x9x8x7xf64>
// CHECK:         -> tensor<*xf64>
func.func @adaptive_shapes(%x: tensor<0x2x3xi8>, %y: tensor<*xf64>)
    -> (tensor<0x2x9xi8>, tensor<?x2x?xi8>, tensor<?x?x9x8x7xf64>, tensor<*xf64>) {
  %0 = pool.adaptive_max_pool %x output_size [9]
     : tensor<0x2x3xi8> -> tensor<0x2x9xi8>
  %1 = pool.adaptive_avg_pool %x output_size [9]
     : tensor<0x2x3xi8> -> tensor<?x2x?xi8>
  %2 = pool.adaptive_avg_pool %y output_size [9, 8, 7]
     : tensor<*xf64> -> tensor<?x?x9x8x7xf64>
  %3 = pool.adaptive_max_pool %y output_size [9, 8, 7]
     : tensor<*xf64> -> tensor<*xf64>
  return %0, %1, %2, %3
     : tensor<0x2x9xi8>, tensor<?x2x?xi8>, tensor<?x?x9x8x7xf64>, tensor<*xf64>
}
