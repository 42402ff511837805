// Two poolings of image networks: a maximum of fixed shape, with the window of
// ResNet's stem, and a global average over any number of images of any size.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

func.func @stem(%x: tensor<1x2x8x8xf32>)
    -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xi64>) {
  %y, %i = pool.max_pool %x kernel [3, 3] strides [2, 2]
      pads_begin [1, 1] pads_end [1, 1] axis 2
      : tensor<1x2x8x8xf32> -> tensor<1x2x4x4xf32>, tensor<1x2x4x4xi64>
  return %y, %i : tensor<1x2x4x4xf32>, tensor<1x2x4x4xi64>
}

func.func @global_average(%x: tensor<?x2x?x?xf32>) -> tensor<?x2x1x1xf32> {
  %y = pool.adaptive_avg_pool %x output_size [1, 1]
      : tensor<?x2x?x?xf32> -> tensor<?x2x1x1xf32>
  return %y : tensor<?x2x1x1xf32>
}
