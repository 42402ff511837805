// convert-linalg-to-pool where the number of channels is the result of an
// unregistered operation. Such an operation has no interfaces that the
// conversion may ask. It must be treated as an unknown number, and must not
// crash.

// RUN: pool-opt %s --allow-unregistered-dialect --convert-linalg-to-pool | FileCheck %s

// CHECK: %[[N:.*]] = "other.size"
// CHECK: pool.max_pool
func.func @channels(%x: tensor<1x8x6xf32>) -> tensor<1x?x4xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %n = "other.size"() : () -> index
  %s = tensor.extract_slice %x[0, 0, 0] [1, %n, 6] [1, 1, 1] : tensor<1x8x6xf32> to tensor<1x?x6xf32>
  %w = tensor.empty() : tensor<3xf32>
  %e = tensor.empty(%n) : tensor<1x?x4xf32>
  %i = linalg.fill ins(%lowest : f32) outs(%e : tensor<1x?x4xf32>) -> tensor<1x?x4xf32>
  %0 = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%s, %w : tensor<1x?x6xf32>, tensor<3xf32>) outs(%i : tensor<1x?x4xf32>) -> tensor<1x?x4xf32>
  return %0 : tensor<1x?x4xf32>
}
