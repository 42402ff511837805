// convert-pool-to-stablehlo must reject operations that StableHLO cannot
// express. Each error says why, and the module stays as it is. Converting them
// would change their results.

// RUN: pool-opt %s --allow-unregistered-dialect --convert-pool-to-stablehlo \
// RUN:   --split-input-file --verify-diagnostics

func.func @dynamic(%x: tensor<?x3x8xf32>) -> tensor<?x3x7xf32> {
  // expected-error @+1 {{'pool.max_pool' op cannot be converted to StableHLO: its extents are not known}}
  %0 = pool.max_pool %x kernel [2] : tensor<?x3x8xf32> -> tensor<?x3x7xf32>
  return %0 : tensor<?x3x7xf32>
}

// -----

func.func @types(%s: tensor<1x3x8xsi8>, %i: tensor<1x3x8xi8>) {
  // expected-error @+1 {{StableHLO does not pool elements of type 'si8'}}
  %0 = pool.max_pool %s kernel [2] : tensor<1x3x8xsi8> -> tensor<1x3x7xsi8>
  // expected-error @+1 {{averages of integers are rounded, those of StableHLO are not}}
  %1 = pool.avg_pool %i kernel [2] : tensor<1x3x8xi8> -> tensor<1x3x7xi8>
  return
}

// -----

func.func @norm(%x: tensor<1x3x8xf32>) {
  // expected-error @+1 {{p is 3, and only sums and roots of squares are exact}}
  %0 = pool.lp_pool %x kernel [2] p 3 : tensor<1x3x8xf32> -> tensor<1x3x7xf32>
  return
}

// -----

func.func @indices(%x: tensor<1x3x8xf32>) {
  // expected-error @+1 {{no reduction of pairs has the indices of nan_mode ignore}}
  %0, %1 = pool.max_pool %x kernel [2] : tensor<1x3x8xf32> -> tensor<1x3x7xf32>, tensor<1x3x7xi32>
  // expected-error @+1 {{a window of padding alone has the index 0}}
  %2, %3 = pool.max_pool %x kernel [2] strides [5] pads_begin [2] nan_mode propagate : tensor<1x3x8xf32> -> tensor<1x3x2xf32>, tensor<1x3x2xi32>
  return
}

// -----

func.func @gradients(%x: tensor<1x3x8xf32>, %g: tensor<1x3x6xf32>, %h: tensor<1x3x2xf32>, %i: tensor<1x3x2xi32>) {
  // expected-error @+1 {{select_and_scatter has no dilation, and it is 2}}
  %0 = pool.max_pool_grad %x, %g kernel [2] dilations [2] : tensor<1x3x8xf32>, tensor<1x3x6xf32> -> tensor<1x3x8xf32>
  // expected-error @+1 {{a window of padding alone chooses nothing}}
  %1 = pool.max_pool_grad %x, %h kernel [2] strides [5] pads_begin [2] : tensor<1x3x8xf32>, tensor<1x3x2xf32> -> tensor<1x3x8xf32>
  // expected-error @+1 {{select_and_scatter takes no indices}}
  %2 = pool.max_pool_grad %x, %h, %i kernel [2] strides [5] : tensor<1x3x8xf32>, tensor<1x3x2xf32>, tensor<1x3x2xi32> -> tensor<1x3x8xf32>
  return
}

// -----

func.func @others(%x: tensor<1x3x8xf32>) {
  // expected-error @+1 {{'pool.adaptive_avg_pool' op cannot be converted to StableHLO: StableHLO has no such operation}}
  %0 = pool.adaptive_avg_pool %x output_size [3] : tensor<1x3x8xf32> -> tensor<1x3x3xf32>
  return
}
