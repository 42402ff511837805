// Bytecode must keep everything that text has: this file, written as bytecode
// and read again, must print the same. It has every operation of the dialect,
// its attributes with and without a value, and most cases of the enumerations.
// scripts/make-bytecode-fixture.sh makes the next fixture of fixtures.py of
// this file.

// RUN: pool-opt %s --strip-debuginfo --mlir-print-op-generic > %t.text
// RUN: pool-opt %s --strip-debuginfo --emit-bytecode -o %t.mlirbc
// RUN: pool-opt %t.mlirbc --mlir-print-op-generic > %t.bytecode
// RUN: diff %t.text %t.bytecode

func.func @max_pool(%x: tensor<1x2x6x7xf32>, %i: tensor<?x8x?x3xui8>,
                    %u: tensor<*xbf16>,
                    %q: tensor<1x2x6x!quant.uniform<i8:f32, 5.0e-01:3>>) {
  %0 = pool.max_pool %x kernel [2, 3]
     : tensor<1x2x6x7xf32> -> tensor<1x2x5x5xf32>
  %1, %2 = pool.max_pool %x kernel [3, 3] strides [2, 1] dilations [1, 2]
         pads_begin [1, 0] pads_end [0, 2] rounding_type ceil axis 2
         nan_mode propagate
     : tensor<1x2x6x7xf32> -> tensor<1x2x3x5xf32>, tensor<1x2x3x5xi64>
  %3, %4 = pool.max_pool %i kernel [2, 2] strides [2, 2]
         rounding_type ceil_torch layout channels_last axis -3
         {note.text = "kept"}
     : tensor<?x8x?x3xui8> -> tensor<?x4x?x3xui8>, tensor<?x?x?x3xi32>
  %5 = pool.max_pool %x kernel [2, 2] strides [2, 2] auto_pad same_upper
         pad_value zero
     : tensor<1x2x6x7xf32> -> tensor<1x2x6x7xf32>
  %6 = pool.max_pool %x kernel [2, 2] strides [2, 2] auto_pad same_lower
         same_output strided
     : tensor<1x2x6x7xf32> -> tensor<1x2x3x4xf32>
  %7 = pool.max_pool %u kernel [2] auto_pad valid : tensor<*xbf16> -> tensor<*xbf16>
  %8 = pool.max_pool %q kernel [2]
     : tensor<1x2x6x!quant.uniform<i8:f32, 5.0e-01:3>>
     -> tensor<1x2x5x!quant.uniform<i8:f32, 5.0e-01:3>>
  return
}

func.func @min_pool(%x: tensor<1x2x6x7xf32>, %i: tensor<?x8x?x3xsi16>) {
  %0 = pool.min_pool %x kernel [2, 3]
     : tensor<1x2x6x7xf32> -> tensor<1x2x5x5xf32>
  %1, %2 = pool.min_pool %i kernel [2, 2] strides [2, 2]
         rounding_type ceil layout channels_last axis -3 nan_mode propagate
     : tensor<?x8x?x3xsi16> -> tensor<?x4x?x3xsi16>, tensor<?x4x?x3xi32>
  %3 = pool.min_pool %x kernel [2, 2] pads_end [1, 1] pad_value zero
     : tensor<1x2x6x7xf32> -> tensor<1x2x6x7xf32>
  return
}

func.func @avg_pool(%x: tensor<1x2x6xf64>, %i: tensor<1x2x6xi8>) {
  %0 = pool.avg_pool %x kernel [2] : tensor<1x2x6xf64> -> tensor<1x2x5xf64>
  %1 = pool.avg_pool %x kernel [3] strides [2] pads_begin [1] pads_end [1]
         rounding_type ceil divisor padded
     : tensor<1x2x6xf64> -> tensor<1x2x4xf64>
  %2 = pool.avg_pool %i kernel [3] pads_begin [1] divisor kernel
         integer_rounding half_up input_zp -3 output_zp 5
     : tensor<1x2x6xi8> -> tensor<1x2x5xi8>
  %3 = pool.avg_pool %x kernel [2] divisor_override 9223372036854775807
     : tensor<1x2x6xf64> -> tensor<1x2x5xf64>
  return
}

func.func @lp_pool(%x: tensor<1x2x6xf16>) {
  %0 = pool.lp_pool %x kernel [2] : tensor<1x2x6xf16> -> tensor<1x2x5xf16>
  %1 = pool.lp_pool %x kernel [2] p 1 : tensor<1x2x6xf16> -> tensor<1x2x5xf16>
  return
}

func.func @adaptive(%x: tensor<1x2x7xf32>, %i: tensor<1x?x2xui8>) {
  %0 = pool.adaptive_max_pool %x output_size [3]
     : tensor<1x2x7xf32> -> tensor<1x2x3xf32>
  %1, %2 = pool.adaptive_max_pool %i output_size [4] layout channels_last
         axis 1 nan_mode propagate
     : tensor<1x?x2xui8> -> tensor<1x4x2xui8>, tensor<1x4x2xi32>
  %3 = pool.adaptive_avg_pool %x output_size [1]
     : tensor<1x2x7xf32> -> tensor<1x2x1xf32>
  %4 = pool.adaptive_avg_pool %i output_size [3] layout channels_last
         integer_rounding half_up input_zp 1 output_zp 255
     : tensor<1x?x2xui8> -> tensor<1x3x2xui8>
  return
}

func.func @max_unpool(%v: tensor<1x2x3xsi16>, %i: tensor<1x2x3xi64>,
                      %n: index) {
  %0 = pool.max_unpool %v, %i
     : tensor<1x2x3xsi16>, tensor<1x2x3xi64> -> tensor<1x2x6xsi16>
  %1 = pool.max_unpool %v, %i extents(%n) axis 2
     : tensor<1x2x3xsi16>, tensor<1x2x3xi64> -> tensor<1x2x?xsi16>
  return
}

func.func @gradients(%x: tensor<1x2x6xf32>, %g: tensor<1x2x5xf32>,
                     %i: tensor<1x2x5xi32>, %n: index) {
  %0 = pool.max_pool_grad %x, %g kernel [2] nan_mode propagate
     : tensor<1x2x6xf32>, tensor<1x2x5xf32> -> tensor<1x2x6xf32>
  %1 = pool.max_pool_grad %x, %g, %i kernel [2] axis 2
     : tensor<1x2x6xf32>, tensor<1x2x5xf32>, tensor<1x2x5xi32>
     -> tensor<1x2x6xf32>
  %4 = pool.min_pool_grad %x, %g kernel [2] nan_mode propagate
     : tensor<1x2x6xf32>, tensor<1x2x5xf32> -> tensor<1x2x6xf32>
  %5 = pool.min_pool_grad %x, %g, %i kernel [2] axis 2
     : tensor<1x2x6xf32>, tensor<1x2x5xf32>, tensor<1x2x5xi32>
     -> tensor<1x2x6xf32>
  %2 = pool.avg_pool_grad %g kernel [2] divisor padded
     : tensor<1x2x5xf32> -> tensor<1x2x6xf32>
  %3 = pool.avg_pool_grad %g extents(%n) kernel [2] divisor_override 7
     : tensor<1x2x5xf32> -> tensor<1x2x?xf32>
  return
}

func.func @window_reduce(%x: tensor<1x4x9xf16>, %out: tensor<1x4x8xf16>,
                         %positions: tensor<1x4x8xi64>,
                         %sum: tensor<1x4x8xf32>, %b: memref<1x9x4xi8>,
                         %c: memref<1x10x4xi32>, %n: index) {
  %0:2 = pool.window_reduce <max> ins(%x : tensor<1x4x9xf16>)
    outs(%out, %positions : tensor<1x4x8xf16>, tensor<1x4x8xi64>)
    kernel [2] strides [1] dilations [1] pads_begin [0] pads_end [0]
    positions [%n, 1] nan_mode propagate
    -> tensor<1x4x8xf16>, tensor<1x4x8xi64>
  %1 = pool.window_reduce <power_sum> ins(%x : tensor<1x4x9xf16>)
    outs(%sum : tensor<1x4x8xf32>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [0] p 3 -> tensor<1x4x8xf32>
  %2 = pool.window_reduce <max> ins(%x : tensor<1x4x9xf16>)
    outs(%out : tensor<1x4x8xf16>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [0] pad_value zero -> tensor<1x4x8xf16>
  %3:2 = pool.window_reduce <min> ins(%x : tensor<1x4x9xf16>)
    outs(%out, %positions : tensor<1x4x8xf16>, tensor<1x4x8xi64>)
    kernel [2] strides [1] dilations [1] pads_begin [0] pads_end [0]
    positions [0, 1] pad_value pos_inf
    -> tensor<1x4x8xf16>, tensor<1x4x8xi64>
  pool.window_reduce <sum> ins(%b : memref<1x9x4xi8>)
    outs(%c : memref<1x10x4xi32>) kernel [2] strides [1] dilations [1]
    pads_begin [1] pads_end [%n] layout channels_last
  return
}

func.func @on_buffers(%x: tensor<8xf32>, %out: tensor<8xf32>) {
  %0 = pool.on_buffers ins(%x : tensor<8xf32>) outs(%out : tensor<8xf32>) {
  ^bb0(%from: memref<8xf32>, %to: memref<8xf32>):
    memref.copy %from, %to : memref<8xf32> to memref<8xf32>
  } -> tensor<8xf32>
  return
}

func.func @largest_index(%i: tensor<1x8x?xi32>) {
  %0 = pool.largest_index %i : tensor<1x8x?xi32>
  return
}

// An attribute of the dialect may stand on any operation.
module attributes {note.layout = #pool.layout<channels_last>} {
}
