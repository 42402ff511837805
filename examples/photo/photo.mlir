// Three poolings of a photograph of any size, in rows of red, green and blue.
// The maxima take bytes, and the average takes floats. photo.py runs them;
// `make demo` shows the result.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The largest value of each 9 x 9 window, and its position in the picture.
func.func @maximum(%photo: tensor<1x?x?x3xui8>)
    -> (tensor<1x?x?x3xui8>, tensor<1x?x?x3xi32>) {
  %values, %indices = pool.max_pool %photo kernel [9, 9] strides [8, 8]
      pads_begin [4, 4] pads_end [4, 4] layout channels_last axis 1
      : tensor<1x?x?x3xui8> -> tensor<1x?x?x3xui8>, tensor<1x?x?x3xi32>
  return %values, %indices : tensor<1x?x?x3xui8>, tensor<1x?x?x3xi32>
}

// The maximum of 5 x 5 pixels that are 4 pixels apart.
func.func @dilated(%photo: tensor<1x?x?x3xui8>) -> tensor<1x?x?x3xui8> {
  %values = pool.max_pool %photo kernel [5, 5] dilations [4, 4]
      pads_begin [8, 8] pads_end [8, 8] layout channels_last
      : tensor<1x?x?x3xui8> -> tensor<1x?x?x3xui8>
  return %values : tensor<1x?x?x3xui8>
}

// The mean of 15 x 15 pixels; at the border, the mean of the pixels inside.
func.func @average(%photo: tensor<1x?x?x3xf32>) -> tensor<1x?x?x3xf32> {
  %mean = pool.avg_pool %photo kernel [15, 15] auto_pad same_upper
      layout channels_last
      : tensor<1x?x?x3xf32> -> tensor<1x?x?x3xf32>
  return %mean : tensor<1x?x?x3xf32>
}
