// Shape inference: output extents, for each row of the table for one dimension
// in docs/Reference/Semantics.md. A result declared without a shape must get
// the rule's shape.

// RUN: pool-opt %s --canonicalize --allow-unregistered-dialect | FileCheck %s

// explicit, floor: floor((I + pb + pe - E) / s) + 1.

// CHECK-LABEL: func @floor(
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x3xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x4xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x4xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x5xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x2xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x1xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x1xf32>
func.func @floor(%x8: tensor<1x1x8xf32>) {
  // floor((8 - 3) / 2) + 1
  %0 = pool.max_pool %x8 kernel [3] strides [2]
     : tensor<1x1x8xf32> -> tensor<*xf32>
  "use"(%0) : (tensor<*xf32>) -> ()
  // floor((8 + 1 - 3) / 2) + 1: the pad at either end counts.
  %1 = pool.max_pool %x8 kernel [3] strides [2] pads_begin [1]
     : tensor<1x1x8xf32> -> tensor<*xf32>
  "use"(%1) : (tensor<*xf32>) -> ()
  %2 = pool.max_pool %x8 kernel [3] strides [2] pads_end [1]
     : tensor<1x1x8xf32> -> tensor<*xf32>
  "use"(%2) : (tensor<*xf32>) -> ()
  // floor((8 + 1 + 2 - 3) / 2) + 1
  %3 = pool.max_pool %x8 kernel [3] strides [2] pads_begin [1] pads_end [2]
     : tensor<1x1x8xf32> -> tensor<*xf32>
  "use"(%3) : (tensor<*xf32>) -> ()
  // E = (3 - 1) * 3 + 1 = 7
  %4 = pool.max_pool %x8 kernel [3] dilations [3]
     : tensor<1x1x8xf32> -> tensor<*xf32>
  "use"(%4) : (tensor<*xf32>) -> ()
  // The window just fits, and the stride exceeds the input.
  %5 = pool.max_pool %x8 kernel [8] : tensor<1x1x8xf32> -> tensor<*xf32>
  "use"(%5) : (tensor<*xf32>) -> ()
  %6 = pool.max_pool %x8 kernel [2] strides [100]
     : tensor<1x1x8xf32> -> tensor<*xf32>
  "use"(%6) : (tensor<*xf32>) -> ()
  return
}

// explicit, ceil: ceil((I + pb + pe - E) / s) + 1.

// CHECK-LABEL: func @ceil(
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x4xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x4xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x4xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x2xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x3xf32>
func.func @ceil(%x8: tensor<1x1x8xf32>, %x5: tensor<1x1x5xf32>,
                %x2: tensor<1x1x2xf32>) {
  // ceil((8 - 3) / 2) + 1
  %0 = pool.max_pool %x8 kernel [3] strides [2] rounding_type ceil
     : tensor<1x1x8xf32> -> tensor<*xf32>
  "use"(%0) : (tensor<*xf32>) -> ()
  // The division is exact, so nothing is rounded.
  %1 = pool.max_pool %x8 kernel [2] strides [2] rounding_type ceil
     : tensor<1x1x8xf32> -> tensor<*xf32>
  "use"(%1) : (tensor<*xf32>) -> ()
  // The last window may have only padding, or lie beyond the padding.
  %2 = pool.max_pool %x5 kernel [2] strides [2] pads_begin [1] pads_end [1]
         rounding_type ceil : tensor<1x1x5xf32> -> tensor<*xf32>
  "use"(%2) : (tensor<*xf32>) -> ()
  %3 = pool.max_pool %x2 kernel [1] strides [3] rounding_type ceil
     : tensor<1x1x2xf32> -> tensor<*xf32>
  "use"(%3) : (tensor<*xf32>) -> ()
  %4 = pool.max_pool %x8 kernel [3] strides [2] dilations [2] pads_end [1]
         rounding_type ceil : tensor<1x1x8xf32> -> tensor<*xf32>
  "use"(%4) : (tensor<*xf32>) -> ()
  return
}

// explicit, ceil_torch: like ceil, but the last window is dropped if it starts
// in the end padding: (out - 1) * s >= I + pb.

// CHECK-LABEL: func @ceil_torch(
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x4xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x3xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x4xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x1xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x11xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x1xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x1xf32>
func.func @ceil_torch(%x8: tensor<1x1x8xf32>, %x5: tensor<1x1x5xf32>,
                      %x6: tensor<1x1x6xf32>, %x2: tensor<1x1x2xf32>,
                      %x4: tensor<1x1x4xf32>) {
  // Without padding, ceil_torch is the same as ceil.
  %0 = pool.max_pool %x8 kernel [3] strides [2] rounding_type ceil_torch
     : tensor<1x1x8xf32> -> tensor<*xf32>
  "use"(%0) : (tensor<*xf32>) -> ()
  // ceil gives 4. Window 3 would start at 6, which is 5 + 1, so it is dropped.
  %1 = pool.max_pool %x5 kernel [2] strides [2] pads_begin [1] pads_end [1]
         rounding_type ceil_torch : tensor<1x1x5xf32> -> tensor<*xf32>
  "use"(%1) : (tensor<*xf32>) -> ()
  // ceil gives 4. Window 3 starts at 6, which is less than 6 + 1, so it stays.
  %2 = pool.max_pool %x6 kernel [3] strides [2] pads_begin [1] pads_end [1]
         rounding_type ceil_torch : tensor<1x1x6xf32> -> tensor<*xf32>
  "use"(%2) : (tensor<*xf32>) -> ()
  // ceil gives 2. Window 1 would start past the input, so it is dropped.
  %3 = pool.max_pool %x2 kernel [1] strides [3] rounding_type ceil_torch
     : tensor<1x1x2xf32> -> tensor<*xf32>
  "use"(%3) : (tensor<*xf32>) -> ()
  // Stride 1: ceil gives 12 outputs, of which the last 4 lie in padding. Only
  // one of them is dropped.
  %4 = pool.max_pool %x8 kernel [1] pads_end [4] rounding_type ceil_torch
     : tensor<1x1x8xf32> -> tensor<*xf32>
  "use"(%4) : (tensor<*xf32>) -> ()
  // E > I + pb + pe. This is accepted because ceil((4 - 6) / 3) is 0.
  %5 = pool.max_pool %x4 kernel [6] strides [3] rounding_type ceil_torch
     : tensor<1x1x4xf32> -> tensor<*xf32>
  "use"(%5) : (tensor<*xf32>) -> ()
  %6 = pool.max_pool %x4 kernel [3] strides [4] dilations [3] pads_end [1]
         rounding_type ceil_torch : tensor<1x1x4xf32> -> tensor<*xf32>
  "use"(%6) : (tensor<*xf32>) -> ()
  return
}

// valid: pads are ignored, but the rounding is not.

// CHECK-LABEL: func @valid(
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x3xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x4xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x4xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x2xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x1xf32>
func.func @valid(%x8: tensor<1x1x8xf32>, %x2: tensor<1x1x2xf32>) {
  %0 = pool.max_pool %x8 kernel [3] strides [2] pads_begin [1] pads_end [1]
         auto_pad valid : tensor<1x1x8xf32> -> tensor<*xf32>
  "use"(%0) : (tensor<*xf32>) -> ()
  %1 = pool.max_pool %x8 kernel [3] strides [2] pads_begin [1] pads_end [1]
         rounding_type ceil auto_pad valid : tensor<1x1x8xf32> -> tensor<*xf32>
  "use"(%1) : (tensor<*xf32>) -> ()
  %2 = pool.max_pool %x8 kernel [3] strides [2] pads_begin [1] pads_end [1]
         rounding_type ceil_torch auto_pad valid
     : tensor<1x1x8xf32> -> tensor<*xf32>
  "use"(%2) : (tensor<*xf32>) -> ()
  // Without padding, the last window starts past the input only if k < s.
  %3 = pool.max_pool %x2 kernel [1] strides [3] rounding_type ceil
         auto_pad valid : tensor<1x1x2xf32> -> tensor<*xf32>
  "use"(%3) : (tensor<*xf32>) -> ()
  %4 = pool.max_pool %x2 kernel [1] strides [3] rounding_type ceil_torch
         auto_pad valid : tensor<1x1x2xf32> -> tensor<*xf32>
  "use"(%4) : (tensor<*xf32>) -> ()
  return
}

// same_*, same_output = input: the extent of the input, whatever the stride,
// the rounding and the pads.

// CHECK-LABEL: func @same_input(
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x5xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x5xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x5xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x5xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x5xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x1xf32>
func.func @same_input(%x5: tensor<1x1x5xf32>, %x1: tensor<1x1x1xf32>) {
  %0 = pool.max_pool %x5 kernel [2] auto_pad same_upper
     : tensor<1x1x5xf32> -> tensor<*xf32>
  "use"(%0) : (tensor<*xf32>) -> ()
  %1 = pool.max_pool %x5 kernel [2] strides [2] auto_pad same_upper
     : tensor<1x1x5xf32> -> tensor<*xf32>
  "use"(%1) : (tensor<*xf32>) -> ()
  %2 = pool.max_pool %x5 kernel [2] strides [2] auto_pad same_lower
     : tensor<1x1x5xf32> -> tensor<*xf32>
  "use"(%2) : (tensor<*xf32>) -> ()
  %3 = pool.max_pool %x5 kernel [3] strides [7] dilations [4] pads_begin [9]
         rounding_type ceil auto_pad same_lower
     : tensor<1x1x5xf32> -> tensor<*xf32>
  "use"(%3) : (tensor<*xf32>) -> ()
  // The window may exceed the input.
  %4 = pool.max_pool %x5 kernel [20] rounding_type ceil_torch
         auto_pad same_upper : tensor<1x1x5xf32> -> tensor<*xf32>
  "use"(%4) : (tensor<*xf32>) -> ()
  %5 = pool.max_pool %x1 kernel [9] strides [9] auto_pad same_lower
     : tensor<1x1x1xf32> -> tensor<*xf32>
  "use"(%5) : (tensor<*xf32>) -> ()
  return
}

// same_*, same_output = strided: ceil(I / s), whatever the rounding.

// CHECK-LABEL: func @same_strided(
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x5xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x3xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x3xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x2xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x2xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x3xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x3xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x1xf32>
func.func @same_strided(%x5: tensor<1x1x5xf32>, %x6: tensor<1x1x6xf32>) {
  %0 = pool.max_pool %x5 kernel [2] auto_pad same_upper same_output strided
     : tensor<1x1x5xf32> -> tensor<*xf32>
  "use"(%0) : (tensor<*xf32>) -> ()
  %1 = pool.max_pool %x5 kernel [2] strides [2] auto_pad same_upper
         same_output strided : tensor<1x1x5xf32> -> tensor<*xf32>
  "use"(%1) : (tensor<*xf32>) -> ()
  %2 = pool.max_pool %x6 kernel [2] strides [2] auto_pad same_lower
         same_output strided : tensor<1x1x6xf32> -> tensor<*xf32>
  "use"(%2) : (tensor<*xf32>) -> ()
  %3 = pool.max_pool %x5 kernel [9] strides [3] dilations [2] pads_end [4]
         auto_pad same_lower same_output strided
     : tensor<1x1x5xf32> -> tensor<*xf32>
  "use"(%3) : (tensor<*xf32>) -> ()
  // The total pad would be negative, so it is 0.
  %4 = pool.max_pool %x5 kernel [1] strides [3] auto_pad same_upper
         same_output strided : tensor<1x1x5xf32> -> tensor<*xf32>
  "use"(%4) : (tensor<*xf32>) -> ()
  // The result is 3. OpenVINO rounds again and gets 4.
  %5 = pool.max_pool %x6 kernel [1] strides [2] rounding_type ceil
         auto_pad same_lower same_output strided
     : tensor<1x1x6xf32> -> tensor<*xf32>
  "use"(%5) : (tensor<*xf32>) -> ()
  %6 = pool.max_pool %x6 kernel [1] strides [2] rounding_type ceil_torch
         auto_pad same_upper same_output strided
     : tensor<1x1x6xf32> -> tensor<*xf32>
  "use"(%6) : (tensor<*xf32>) -> ()
  %7 = pool.max_pool %x5 kernel [2] strides [9] auto_pad same_upper
         same_output strided : tensor<1x1x5xf32> -> tensor<*xf32>
  "use"(%7) : (tensor<*xf32>) -> ()
  return
}

// Each dimension has its own window; batch and channels pass through.

// CHECK-LABEL: func @dimensions(
// CHECK:         pool.max_pool {{.+}} -> tensor<4x3x5x4x9xf32>, tensor<4x3x5x4x9xi64>
// CHECK:         pool.avg_pool {{.+}} -> tensor<4x2x3x8xf32>
func.func @dimensions(%x: tensor<4x3x6x7x8xf32>, %y: tensor<4x6x7x8xf32>) {
  %0, %1 = pool.max_pool %x kernel [2, 3, 4] strides [1, 2, 1]
             pads_begin [0, 1, 2] pads_end [0, 1, 2]
         : tensor<4x3x6x7x8xf32> -> tensor<*xf32>, tensor<*xi64>
  %2 = pool.avg_pool %y kernel [3, 5] strides [2, 1] layout channels_last
     : tensor<4x6x7x8xf32> -> tensor<*xf32>
  "use"(%0, %1, %2) : (tensor<*xf32>, tensor<*xi64>, tensor<*xf32>) -> ()
  return
}

// Unknown extents stay unknown, even if the stride exceeds any possible extent.
// The rank follows from the kernel.

// CHECK-LABEL: func @unknown(
// CHECK:         pool.max_pool {{.+}} -> tensor<?x3x?x4xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<?x3x?x8xf32>
// CHECK:         pool.avg_pool {{.+}} -> tensor<?x?x?x?x?xf32>
func.func @unknown(%x: tensor<?x3x?x8xf32>, %y: tensor<*xf32>) {
  %0 = pool.max_pool %x kernel [2, 2] strides [1000, 2]
     : tensor<?x3x?x8xf32> -> tensor<*xf32>
  %1 = pool.max_pool %x kernel [2, 2] strides [2, 2] auto_pad same_upper
     : tensor<?x3x?x8xf32> -> tensor<*xf32>
  %2 = pool.avg_pool %y kernel [2, 1, 1] : tensor<*xf32> -> tensor<*xf32>
  "use"(%0, %1, %2) : (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> ()
  return
}

// An empty batch gives an empty result.

// CHECK-LABEL: func @empty_batch(
// CHECK:         pool.max_pool {{.+}} -> tensor<0x3x7xf32>
func.func @empty_batch(%x: tensor<0x3x8xf32>) {
  %0 = pool.max_pool %x kernel [2] : tensor<0x3x8xf32> -> tensor<*xf32>
  "use"(%0) : (tensor<*xf32>) -> ()
  return
}

// Extents close to the limit of 64 bits.

// CHECK-LABEL: func @large(
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x9223372036854775806xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x1xf32>
// CHECK:         pool.max_pool {{.+}} -> tensor<1x1x2xf32>
func.func @large(%x: tensor<1x1x9223372036854775807xf32>,
                 %y: tensor<1x1x1xf32>) {
  %0 = pool.max_pool %x kernel [2]
     : tensor<1x1x9223372036854775807xf32> -> tensor<*xf32>
  %1 = pool.max_pool %x kernel [3] strides [9223372036854775807]
         dilations [4611686018427387903]
     : tensor<1x1x9223372036854775807xf32> -> tensor<*xf32>
  %2 = pool.max_pool %y kernel [2] dilations [9223372036854775805]
         pads_begin [9223372036854775806]
     : tensor<1x1x1xf32> -> tensor<*xf32>
  "use"(%0, %1, %2) : (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> ()
  return
}
