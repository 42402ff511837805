// RUN: pool-opt %s --split-input-file --verify-diagnostics | FileCheck %s

// The operation pool.window_reduce: it must print and parse on tensors and on
// buffers, and the verifier must reject operations that violate its
// constraints.

// CHECK-LABEL: func.func @tensors
func.func @tensors(%x: tensor<1x4x9x9xf32>, %out: tensor<1x4x4x4xf32>)
    -> tensor<1x4x4x4xf32> {
  // CHECK: pool.window_reduce <max> ins(%{{.*}} : tensor<1x4x9x9xf32>) outs(%{{.*}} : tensor<1x4x4x4xf32>) kernel [3, 3] strides [2, 2] dilations [1, 1] pads_begin [0, 0] pads_end [0, 0] nan_mode propagate -> tensor<1x4x4x4xf32>
  %0 = pool.window_reduce <max> ins(%x : tensor<1x4x9x9xf32>)
    outs(%out : tensor<1x4x4x4xf32>) kernel [3, 3] strides [2, 2]
    dilations [1, 1] pads_begin [0, 0] pads_end [0, 0] nan_mode propagate
    -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// CHECK-LABEL: func.func @buffers
// CHECK-SAME: %[[X:.*]]: memref<1x9x4xi8>, %[[OUT:.*]]: memref<1x10x4xi32>, %[[PAD:.*]]: index
func.func @buffers(%x: memref<1x9x4xi8>, %out: memref<1x10x4xi32>, %pad: index) {
  // CHECK: pool.window_reduce <sum> ins(%[[X]] : memref<1x9x4xi8>) outs(%[[OUT]] : memref<1x10x4xi32>) kernel [2] strides [1] dilations [1] pads_begin [1] pads_end [%[[PAD]]] layout channels_last
  pool.window_reduce <sum> ins(%x : memref<1x9x4xi8>)
    outs(%out : memref<1x10x4xi32>) kernel [2] strides [1] dilations [1]
    pads_begin [1] pads_end [%pad] layout channels_last
  return
}

// Up to 0.3.0, cases stood in angle brackets.

// CHECK-LABEL: func.func @angle_brackets
func.func @angle_brackets(%x: memref<1x9x4xi8>, %out: memref<1x8x4xi8>) {
  // CHECK: pads_end [0] layout channels_last pad_value zero nan_mode propagate
  pool.window_reduce <max> ins(%x : memref<1x9x4xi8>)
    outs(%out : memref<1x8x4xi8>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [0] nan_mode <propagate> layout <channels_last>
    pad_value <zero>
  return
}

// CHECK-LABEL: func.func @positions
// CHECK-SAME: %[[BASE:[a-z0-9]*]]: index
func.func @positions(%base: index, %x: tensor<1x4x9xf16>,
                     %out: tensor<1x4x8xf16>, %pos: tensor<1x4x8xi64>)
    -> (tensor<1x4x8xf16>, tensor<1x4x8xi64>) {
  // CHECK: positions [%[[BASE]], 1]
  %0:2 = pool.window_reduce <max> ins(%x : tensor<1x4x9xf16>)
    outs(%out, %pos : tensor<1x4x8xf16>, tensor<1x4x8xi64>)
    kernel [2] strides [1] dilations [1] pads_begin [0] pads_end [0]
    positions [%base, 1] -> tensor<1x4x8xf16>, tensor<1x4x8xi64>
  return %0#0, %0#1 : tensor<1x4x8xf16>, tensor<1x4x8xi64>
}

// CHECK-LABEL: func.func @power_sum
func.func @power_sum(%x: tensor<1x4x9xbf16>, %out: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
  // CHECK: pool.window_reduce <power_sum> {{.*}} p 3
  %0 = pool.window_reduce <power_sum> ins(%x : tensor<1x4x9xbf16>)
    outs(%out : tensor<1x4x8xf32>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [0] p 3 -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// -----

func.func @window_reduce_WindowReduce.C1_rank(%x: tensor<4x9xf32>, %out: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
  // expected-error@+1 {{(WindowReduce.C1) 'tensor<4x9xf32>' and 'tensor<1x4x8xf32>' must have rank 3}}
  %0 = pool.window_reduce <max> ins(%x : tensor<4x9xf32>)
    outs(%out : tensor<1x4x8xf32>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [0] -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// -----

func.func @window_reduce_WindowReduce.C1_channels(%x: tensor<1x5x9xf32>, %out: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
  // expected-error@+1 {{(WindowReduce.C1) dimension 1: the input has 5 and the output 4}}
  %0 = pool.window_reduce <max> ins(%x : tensor<1x5x9xf32>)
    outs(%out : tensor<1x4x8xf32>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [0] -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// -----

func.func @window_reduce_WindowReduce.C2_strides(%x: tensor<1x4x9xf32>, %out: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
  // expected-error@+1 {{(WindowReduce.C2) strides has 2 entries, kernel has 1}}
  %0 = pool.window_reduce <max> ins(%x : tensor<1x4x9xf32>)
    outs(%out : tensor<1x4x8xf32>) kernel [2] strides [1, 1] dilations [1]
    pads_begin [0] pads_end [0] -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// -----

func.func @window_reduce_WindowReduce.C2_positions(%x: tensor<1x4x9xf32>, %out: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
  // expected-error@+1 {{(WindowReduce.C2) positions has 2 entries, must have 0}}
  %0 = pool.window_reduce <max> ins(%x : tensor<1x4x9xf32>)
    outs(%out : tensor<1x4x8xf32>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [0] positions [0, 1] -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// -----

func.func @window_reduce_WindowReduce.C3_stride(%x: tensor<1x4x9xf32>, %out: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
  // expected-error@+1 {{(WindowReduce.C3) spatial dimension 0: kernel 2, stride 0 and dilation 1 must be at least 1}}
  %0 = pool.window_reduce <max> ins(%x : tensor<1x4x9xf32>)
    outs(%out : tensor<1x4x8xf32>) kernel [2] strides [0] dilations [1]
    pads_begin [0] pads_end [0] -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// -----

func.func @window_reduce_WindowReduce.C3_pad(%x: tensor<1x4x9xf32>, %out: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
  // expected-error@+1 {{(WindowReduce.C3) spatial dimension 0: a pad is -1, must be at least 0}}
  %0 = pool.window_reduce <max> ins(%x : tensor<1x4x9xf32>)
    outs(%out : tensor<1x4x8xf32>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [-1] -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// -----

func.func @window_reduce_WindowReduce.C4_windows(%x: tensor<1x4x9xf32>, %out: tensor<1x4x10xf32>) -> tensor<1x4x10xf32> {
  // expected-error@+1 {{(WindowReduce.C4) dimension 2: 10 windows leave the padded input, which has room for 9}}
  %0 = pool.window_reduce <max> ins(%x : tensor<1x4x9xf32>)
    outs(%out : tensor<1x4x10xf32>) kernel [2] strides [1] dilations [1]
    pads_begin [1] pads_end [0] -> tensor<1x4x10xf32>
  return %0 : tensor<1x4x10xf32>
}

// -----

func.func @window_reduce_WindowReduce.C5_max(%x: tensor<1x4x9xf32>, %out: tensor<1x4x8xf64>) -> tensor<1x4x8xf64> {
  // expected-error@+1 {{(WindowReduce.C5) the maximum of 'f32' must be 'f32', not 'f64'}}
  %0 = pool.window_reduce <max> ins(%x : tensor<1x4x9xf32>)
    outs(%out : tensor<1x4x8xf64>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [0] -> tensor<1x4x8xf64>
  return %0 : tensor<1x4x8xf64>
}

// -----

func.func @window_reduce_WindowReduce.C5_sum(%x: tensor<1x4x9xi32>, %out: tensor<1x4x8xi8>) -> tensor<1x4x8xi8> {
  // expected-error@+1 {{(WindowReduce.C5) 'i32' does not extend to 'i8'}}
  %0 = pool.window_reduce <sum> ins(%x : tensor<1x4x9xi32>)
    outs(%out : tensor<1x4x8xi8>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [0] -> tensor<1x4x8xi8>
  return %0 : tensor<1x4x8xi8>
}

// -----

func.func @window_reduce_WindowReduce.C5_power(%x: tensor<1x4x9xf32>, %out: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
  // expected-error@+1 {{(WindowReduce.C5) a power sum is of floats with p at least 1, not of 'f32' with p = 0}}
  %0 = pool.window_reduce <power_sum> ins(%x : tensor<1x4x9xf32>)
    outs(%out : tensor<1x4x8xf32>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [0] p 0 -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// -----

func.func @window_reduce_WindowReduce.C7_pad_value_of_sum(%x: tensor<1x4x9xf32>, %out: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
  // expected-error@+1 {{(WindowReduce.C7) pad_value pos_inf has no meaning for reduction sum}}
  %0 = pool.window_reduce <sum> ins(%x : tensor<1x4x9xf32>)
    outs(%out : tensor<1x4x8xf32>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [0] pad_value pos_inf -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// -----

func.func @window_reduce_WindowReduce.C7_nan_mode_of_sum(%x: tensor<1x4x9xf32>, %out: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
  // expected-error@+1 {{(WindowReduce.C7) nan_mode has no meaning for reduction power_sum}}
  %0 = pool.window_reduce <power_sum> ins(%x : tensor<1x4x9xf32>)
    outs(%out : tensor<1x4x8xf32>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [0] nan_mode propagate p 2 -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// -----

func.func @window_reduce_WindowReduce.C7_p_of_max(%x: tensor<1x4x9xf32>, %out: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
  // expected-error@+1 {{(WindowReduce.C7) p has no meaning for reduction max}}
  %0 = pool.window_reduce <max> ins(%x : tensor<1x4x9xf32>)
    outs(%out : tensor<1x4x8xf32>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [0] p 2 -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// -----

func.func @window_reduce_WindowReduce.C5_positions(%x: tensor<1x4x9xf32>, %out: tensor<1x4x8xf32>,
                                      %pos: tensor<1x4x8xi64>) {
  // expected-error@+1 {{(WindowReduce.C5) a sum has no positions}}
  %0:2 = pool.window_reduce <sum> ins(%x : tensor<1x4x9xf32>)
    outs(%out, %pos : tensor<1x4x8xf32>, tensor<1x4x8xi64>)
    kernel [2] strides [1] dilations [1] pads_begin [0] pads_end [0]
    positions [0, 1] -> tensor<1x4x8xf32>, tensor<1x4x8xi64>
  return
}

// -----

func.func @window_reduce_WindowReduce.C1_vector(%x: memref<1x4x9xf32>, %out: vector<1x4x8xf32>) {
  // expected-error@+1 {{(WindowReduce.C1) 'memref<1x4x9xf32>' and 'vector<1x4x8xf32>' must have rank 3, both as tensors or both as buffers}}
  pool.window_reduce <max> ins(%x : memref<1x4x9xf32>)
    outs(%out : vector<1x4x8xf32>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [0]
  return
}

// -----

func.func @window_reduce_WindowReduce.C6_base(%x: tensor<1x4x9xf32>, %out: tensor<1x4x8xf32>, %at: tensor<1x4x8xi64>) -> tensor<1x4x8xf32> {
  // expected-error@+1 {{(WindowReduce.C6) positions begin with -4, must be at least 0}}
  %0:2 = pool.window_reduce <max> ins(%x : tensor<1x4x9xf32>)
    outs(%out, %at : tensor<1x4x8xf32>, tensor<1x4x8xi64>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [0] positions [-4, 1] -> tensor<1x4x8xf32>, tensor<1x4x8xi64>
  return %0#0 : tensor<1x4x8xf32>
}

// -----

func.func @window_reduce_WindowReduce.C6_weight(%x: tensor<1x4x9xf32>, %out: tensor<1x4x8xf32>, %at: tensor<1x4x8xi64>, %b: index) -> tensor<1x4x8xf32> {
  // expected-error@+1 {{(WindowReduce.C6) spatial dimension 0: positions grow by -1, must by at least 0 to ascend in row-major order}}
  %0:2 = pool.window_reduce <max> ins(%x : tensor<1x4x9xf32>)
    outs(%out, %at : tensor<1x4x8xf32>, tensor<1x4x8xi64>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [0] positions [%b, -1] -> tensor<1x4x8xf32>, tensor<1x4x8xi64>
  return %0#0 : tensor<1x4x8xf32>
}

// -----

// Column-major positions are rejected. With these, the smallest position among
// equal elements would not be the first one in row-major order.
func.func @window_reduce_WindowReduce.C6_order(%x: tensor<1x1x4x9xf32>, %out: tensor<1x1x4x9xf32>, %at: tensor<1x1x4x9xi64>) -> tensor<1x1x4x9xf32> {
  // expected-error@+1 {{(WindowReduce.C6) spatial dimension 0: positions grow by 1, must by at least 32 to ascend in row-major order}}
  %0:2 = pool.window_reduce <max> ins(%x : tensor<1x1x4x9xf32>)
    outs(%out, %at : tensor<1x1x4x9xf32>, tensor<1x1x4x9xi64>) kernel [1, 1] strides [1, 1] dilations [1, 1]
    pads_begin [0, 0] pads_end [0, 0] positions [0, 1, 4] -> tensor<1x1x4x9xf32>, tensor<1x1x4x9xi64>
  return %0#0 : tensor<1x1x4x9xf32>
}

// -----

func.func @window_reduce_WindowReduce.C6_overflow(%x: tensor<1x4x9xf32>, %out: tensor<1x4x8xf32>, %at: tensor<1x4x8xi64>) -> tensor<1x4x8xf32> {
  // expected-error@+1 {{(WindowReduce.C6) spatial dimension 0: positions leave 64 bits}}
  %0:2 = pool.window_reduce <max> ins(%x : tensor<1x4x9xf32>)
    outs(%out, %at : tensor<1x4x8xf32>, tensor<1x4x8xi64>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [0] positions [0, 4611686018427387904] -> tensor<1x4x8xf32>, tensor<1x4x8xi64>
  return %0#0 : tensor<1x4x8xf32>
}

// -----

func.func @window_reduce_WindowReduce.C6_base_overflow(%x: tensor<1x1x9xf32>, %out: tensor<1x1x8xf32>, %at: tensor<1x1x8xi64>) -> tensor<1x1x8xf32> {
  // expected-error@+1 {{(WindowReduce.C6) positions from 9223372036854775800 leave 64 bits}}
  %0:2 = pool.window_reduce <max> ins(%x : tensor<1x1x9xf32>)
    outs(%out, %at : tensor<1x1x8xf32>, tensor<1x1x8xi64>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [0] positions [9223372036854775800, 1] -> tensor<1x1x8xf32>, tensor<1x1x8xi64>
  return %0#0 : tensor<1x1x8xf32>
}

// -----

// There is a single row, so the rows' weight of 0 has no effect and is
// accepted.
func.func @window_reduce_single_row(%x: tensor<1x1x1x9xf32>, %out: tensor<1x1x1x8xf32>, %at: tensor<1x1x1x8xi64>) -> tensor<1x1x1x8xf32> {
  %0:2 = pool.window_reduce <max> ins(%x : tensor<1x1x1x9xf32>)
    outs(%out, %at : tensor<1x1x1x8xf32>, tensor<1x1x1x8xi64>) kernel [1, 2] strides [1, 1] dilations [1, 1]
    pads_begin [0, 0] pads_end [0, 0] positions [0, 0, 1] -> tensor<1x1x1x8xf32>, tensor<1x1x1x8xi64>
  return %0#0 : tensor<1x1x1x8xf32>
}
