// Prints and parses the gradients: omitted attributes, optional operands, every
// attribute. The pretty form, the generic form and bytecode must keep all of
// these.

// RUN: pool-opt %s | FileCheck %s
// RUN: pool-opt %s --mlir-print-op-generic | pool-opt | FileCheck %s
// RUN: pool-opt %s --emit-bytecode | pool-opt | FileCheck %s
// RUN: %to_minima %s > %t.mlir
// RUN: pool-opt %t.mlir | FileCheck %t.mlir

// CHECK-LABEL: func @max_pool_grad_defaults(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x3x3xf32>, %[[G:.+]]: tensor<1x2x2x2xf32>)
// CHECK:         pool.max_pool_grad %[[X]], %[[G]] kernel [2, 2] : tensor<1x2x3x3xf32>, tensor<1x2x2x2xf32> -> tensor<1x2x3x3xf32>
func.func @max_pool_grad_defaults(%x: tensor<1x2x3x3xf32>,
                                  %g: tensor<1x2x2x2xf32>)
    -> tensor<1x2x3x3xf32> {
  %0 = "pool.max_pool_grad"(%x, %g) <{kernel = array<i64: 2, 2>}>
     : (tensor<1x2x3x3xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x3x3xf32>
  return %0 : tensor<1x2x3x3xf32>
}

// CHECK-LABEL: func @max_pool_grad_indices(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x3x3xf16>, %[[G:.+]]: tensor<1x2x2x2xf16>, %[[I:.+]]: tensor<1x2x2x2xi32>)
// CHECK:         pool.max_pool_grad %[[X]], %[[G]], %[[I]] kernel [2, 2] axis 2 : tensor<1x2x3x3xf16>, tensor<1x2x2x2xf16>, tensor<1x2x2x2xi32> -> tensor<1x2x3x3xf16>
func.func @max_pool_grad_indices(%x: tensor<1x2x3x3xf16>,
                                 %g: tensor<1x2x2x2xf16>,
                                 %i: tensor<1x2x2x2xi32>)
    -> tensor<1x2x3x3xf16> {
  %0 = pool.max_pool_grad %x, %g, %i kernel [2, 2] axis 2
     : tensor<1x2x3x3xf16>, tensor<1x2x2x2xf16>, tensor<1x2x2x2xi32>
     -> tensor<1x2x3x3xf16>
  return %0 : tensor<1x2x3x3xf16>
}

// CHECK-LABEL: func @max_pool_grad_attributes(
// CHECK:         pool.max_pool_grad %{{.+}}, %{{.+}} kernel [3] strides [2] dilations [2] pads_begin [1] pads_end [2] rounding_type ceil layout channels_last nan_mode propagate : tensor<1x?x2xbf16>, tensor<1x?x2xbf16> -> tensor<1x?x2xbf16>
// CHECK:         pool.max_pool_grad %{{.+}}, %{{.+}} kernel [3] strides [2] auto_pad same_upper same_output strided layout channels_last : tensor<1x?x2xbf16>
func.func @max_pool_grad_attributes(%x: tensor<1x?x2xbf16>,
                                    %g: tensor<1x?x2xbf16>)
    -> (tensor<1x?x2xbf16>, tensor<1x?x2xbf16>) {
  %0 = pool.max_pool_grad %x, %g kernel [3] strides [2] dilations [2]
         pads_begin [1] pads_end [2] rounding_type ceil auto_pad explicit
         layout channels_last axis 0 nan_mode propagate
     : tensor<1x?x2xbf16>, tensor<1x?x2xbf16> -> tensor<1x?x2xbf16>
  %1 = pool.max_pool_grad %x, %g kernel [3] strides [2] auto_pad same_upper
         same_output strided layout channels_last
     : tensor<1x?x2xbf16>, tensor<1x?x2xbf16> -> tensor<1x?x2xbf16>
  return %0, %1 : tensor<1x?x2xbf16>, tensor<1x?x2xbf16>
}

// The result may be less static than the input.

// CHECK-LABEL: func @max_pool_grad_less_static(
// CHECK:         -> tensor<1x?x3x3xf64>
// CHECK:         -> tensor<*xf64>
// CHECK:         -> tensor<*xf64>
func.func @max_pool_grad_less_static(%x: tensor<1x2x3x3xf64>,
                                     %g: tensor<1x?x2x2xf64>,
                                     %u: tensor<*xf64>)
    -> (tensor<1x?x3x3xf64>, tensor<*xf64>, tensor<*xf64>) {
  %0 = pool.max_pool_grad %x, %g kernel [2, 2]
     : tensor<1x2x3x3xf64>, tensor<1x?x2x2xf64> -> tensor<1x?x3x3xf64>
  %1 = pool.max_pool_grad %x, %u kernel [2, 2]
     : tensor<1x2x3x3xf64>, tensor<*xf64> -> tensor<*xf64>
  %2 = pool.max_pool_grad %u, %g kernel [2, 2]
     : tensor<*xf64>, tensor<1x?x2x2xf64> -> tensor<*xf64>
  return %0, %1, %2 : tensor<1x?x3x3xf64>, tensor<*xf64>, tensor<*xf64>
}

// CHECK-LABEL: func @avg_pool_grad_defaults(
// CHECK-SAME:    %[[G:.+]]: tensor<1x2x2x2xf32>)
// CHECK:         pool.avg_pool_grad %[[G]] kernel [2, 2] : tensor<1x2x2x2xf32> -> tensor<1x2x3x3xf32>
func.func @avg_pool_grad_defaults(%g: tensor<1x2x2x2xf32>)
    -> tensor<1x2x3x3xf32> {
  %0 = "pool.avg_pool_grad"(%g) <{kernel = array<i64: 2, 2>}>
     : (tensor<1x2x2x2xf32>) -> tensor<1x2x3x3xf32>
  return %0 : tensor<1x2x3x3xf32>
}

// CHECK-LABEL: func @avg_pool_grad_attributes(
// CHECK-SAME:    %[[G:.+]]: tensor<?x2x?xf16>, %[[N:.+]]: index, %[[W:.+]]: index)
// CHECK:         pool.avg_pool_grad %[[G]] extents(%[[N]], %[[W]]) kernel [3] strides [2] pads_begin [1] pads_end [1] rounding_type ceil_torch divisor padded : tensor<?x2x?xf16> -> tensor<?x2x?xf16>
// CHECK:         pool.avg_pool_grad %[[G]] extents(%[[N]]) kernel [3] auto_pad same_lower divisor_override 7 : tensor<?x2x?xf16> -> tensor<?x2x9xf16>
func.func @avg_pool_grad_attributes(%g: tensor<?x2x?xf16>, %n: index,
                                    %w: index)
    -> (tensor<?x2x?xf16>, tensor<?x2x9xf16>) {
  %0 = pool.avg_pool_grad %g extents(%n, %w) kernel [3] strides [2]
         pads_begin [1] pads_end [1] rounding_type ceil_torch divisor padded
     : tensor<?x2x?xf16> -> tensor<?x2x?xf16>
  %1 = pool.avg_pool_grad %g extents(%n) kernel [3] auto_pad same_lower
         divisor_override 7
     : tensor<?x2x?xf16> -> tensor<?x2x9xf16>
  return %0, %1 : tensor<?x2x?xf16>, tensor<?x2x9xf16>
}
