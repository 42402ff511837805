// convert-stablehlo-to-pool on gradients as jax.grad writes them. Averages are
// sums over a dilated input; maxima are select_and_scatter between a pad and a
// slice. Gradients that no pooling operation computes must stay.

// RUN: pool-opt %s --allow-unregistered-dialect --convert-stablehlo-to-pool \
// RUN:   --remarks-filter=convert-stablehlo-to-pool -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t

// CHECK-LABEL: func @sum(
// CHECK:         pool.avg_pool_grad %{{.+}} kernel [3] strides [2] pads_end [1] divisor_override 1 : tensor<1x3x4xf32> -> tensor<1x3x8xf32>
func.func @sum(%g: tensor<1x3x4xf32>) -> tensor<1x3x8xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%g, %c) <{base_dilations = array<i64: 1, 1, 2>, padding = dense<[[0, 0], [0, 0], [2, 1]]> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 1, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x4xf32>, tensor<f32>) -> tensor<1x3x8xf32>
  return %0 : tensor<1x3x8xf32>
}

// The division comes first. A pad with interior padding dilates the quotients.

// CHECK-LABEL: func @average(
// CHECK-NEXT:    pool.avg_pool_grad %{{.+}} kernel [3] strides [2] pads_end [1] divisor kernel
func.func @average(%g: tensor<1x3x4xf32>) -> tensor<1x3x8xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %n = "stablehlo.constant"() <{value = dense<3.0> : tensor<f32>}> : () -> tensor<f32>
  %d = "stablehlo.broadcast_in_dim"(%n) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x3x4xf32>
  %q = "stablehlo.divide"(%g, %d) : (tensor<1x3x4xf32>, tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  %p = "stablehlo.pad"(%q, %c) <{edge_padding_high = array<i64: 0, 0, 1>, edge_padding_low = array<i64: 0, 0, 2>, interior_padding = array<i64: 0, 0, 1>}> : (tensor<1x3x4xf32>, tensor<f32>) -> tensor<1x3x10xf32>
  %0 = "stablehlo.reduce_window"(%p, %c) <{window_dimensions = array<i64: 1, 1, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x10xf32>, tensor<f32>) -> tensor<1x3x8xf32>
  return %0 : tensor<1x3x8xf32>
}

// CHECK-LABEL: func @average_of_counted(
// CHECK-NEXT:    pool.avg_pool_grad %{{.+}} kernel [3] strides [2] pads_end [1] : tensor<1x3x4xf32>
func.func @average_of_counted(%g: tensor<1x3x4xf32>) -> tensor<1x3x8xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %one = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
  %ones = "stablehlo.broadcast_in_dim"(%one) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1x8xf32>
  %k = "stablehlo.reduce_window"(%ones, %c) <{padding = dense<[[0, 0], [0, 0], [0, 1]]> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 1, 3>, window_strides = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x1x8xf32>, tensor<f32>) -> tensor<1x1x4xf32>
  %d = "stablehlo.broadcast_in_dim"(%k) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x4xf32>) -> tensor<1x3x4xf32>
  %q = "stablehlo.divide"(%g, %d) : (tensor<1x3x4xf32>, tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  %0 = "stablehlo.reduce_window"(%q, %c) <{base_dilations = array<i64: 1, 1, 2>, padding = dense<[[0, 0], [0, 0], [2, 1]]> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 1, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x4xf32>, tensor<f32>) -> tensor<1x3x8xf32>
  return %0 : tensor<1x3x8xf32>
}

// These stay: one has more padding than the windows of any pooling reach, the
// other dilates its input and also has a stride.

// REMARK-DAG: Reason="its padding in dimension 2 reaches further than its windows", Remark="stablehlo.reduce_window left alone"
// CHECK-LABEL: func @too_much_padding(
// CHECK:         "stablehlo.reduce_window"
func.func @too_much_padding(%g: tensor<1x3x4xf32>) -> tensor<1x3x9xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%g, %c) <{base_dilations = array<i64: 1, 1, 2>, padding = dense<[[0, 0], [0, 0], [3, 1]]> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 1, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x4xf32>, tensor<f32>) -> tensor<1x3x9xf32>
  return %0 : tensor<1x3x9xf32>
}

// REMARK-DAG: Reason="it dilates its input and has a stride of 2 in dimension 2"
// CHECK-LABEL: func @two_strides(
// CHECK:         "stablehlo.reduce_window"
func.func @two_strides(%g: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%g, %c) <{base_dilations = array<i64: 1, 1, 2>, padding = dense<[[0, 0], [0, 0], [2, 1]]> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 1, 3>, window_strides = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x4xf32>, tensor<f32>) -> tensor<1x3x4xf32>
  return %0 : tensor<1x3x4xf32>
}

// The gradient of a maximum is computed on a padded input, and a slice removes
// the padding again.

// REMARK-DAG: Reason="of a window with NaN the first NaN is chosen, in StableHLO what comes after it; a window of -inf alone chooses its first element, in StableHLO the padding before it", Remark="stablehlo.select_and_scatter raised to pool.max_pool_grad"
// CHECK-LABEL: func @maximum(
// CHECK-NEXT:    %[[Y:.+]] = pool.max_pool_grad %{{.+}}, %{{.+}} kernel [3] strides [2] pads_end [1] nan_mode propagate
// CHECK-NEXT:    return %[[Y]]
func.func @maximum(%x: tensor<1x3x8xf32>, %g: tensor<1x3x4xf32>) -> tensor<1x3x8xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %z = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %p = "stablehlo.pad"(%x, %z) <{edge_padding_high = array<i64: 0, 0, 1>, edge_padding_low = array<i64: 0, 0, 0>, interior_padding = array<i64: 0, 0, 0>}> : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x9xf32>
  %s = "stablehlo.select_and_scatter"(%p, %g, %c) <{padding = dense<0> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 1, 3>, window_strides = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%r) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x9xf32>, tensor<1x3x4xf32>, tensor<f32>) -> tensor<1x3x9xf32>
  %0 = "stablehlo.slice"(%s) <{limit_indices = array<i64: 1, 3, 8>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<1x3x9xf32>) -> tensor<1x3x8xf32>
  return %0 : tensor<1x3x8xf32>
}

// The select region says whether NaN propagates or is ignored.

// REMARK-DAG: Remark="stablehlo.select_and_scatter raised to pool.max_pool_grad"
// CHECK-LABEL: func @propagating(
// CHECK:         pool.max_pool_grad %{{.+}} nan_mode propagate
func.func @propagating(%x: tensor<1x3x8xf32>, %g: tensor<1x3x4xf32>) -> tensor<1x3x8xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %g, %c) <{window_dimensions = array<i64: 1, 1, 2>, window_strides = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %q = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %n = "stablehlo.compare"(%a, %a) <{comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %r = "stablehlo.or"(%q, %n) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%r) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<1x3x4xf32>, tensor<f32>) -> tensor<1x3x8xf32>
  return %0 : tensor<1x3x8xf32>
}

// CHECK-LABEL: func @ignoring(
// CHECK:         pool.min_pool_grad %{{.+}}, %{{.+}} kernel [2] strides [2] : tensor
func.func @ignoring(%x: tensor<1x3x8xf32>, %g: tensor<1x3x4xf32>) -> tensor<1x3x8xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %g, %c) <{window_dimensions = array<i64: 1, 1, 2>, window_strides = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %q = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LE>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %n = "stablehlo.compare"(%b, %b) <{comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %r = "stablehlo.or"(%q, %n) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%r) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<1x3x4xf32>, tensor<f32>) -> tensor<1x3x8xf32>
  return %0 : tensor<1x3x8xf32>
}

// These stay: the last of equal elements is chosen, the comparison is a total
// order, or windows of f16 overlap.

// REMARK-DAG: Reason="its select does not choose the first one of the largest or the smallest elements"
// CHECK-LABEL: func @last(
// CHECK:         "stablehlo.select_and_scatter"
func.func @last(%x: tensor<1x3x8xf32>, %g: tensor<1x3x4xf32>) -> tensor<1x3x8xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %g, %c) <{window_dimensions = array<i64: 1, 1, 2>, window_strides = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GT>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%r) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<1x3x4xf32>, tensor<f32>) -> tensor<1x3x8xf32>
  return %0 : tensor<1x3x8xf32>
}

// REMARK-DAG: Reason="its select does not choose the first one of the largest or the smallest elements"
// CHECK-LABEL: func @total_order(
// CHECK:         "stablehlo.select_and_scatter"
func.func @total_order(%x: tensor<1x3x8xf32>, %g: tensor<1x3x4xf32>) -> tensor<1x3x8xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %g, %c) <{window_dimensions = array<i64: 1, 1, 2>, window_strides = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type TOTALORDER>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%r) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<1x3x4xf32>, tensor<f32>) -> tensor<1x3x8xf32>
  return %0 : tensor<1x3x8xf32>
}

// REMARK-DAG: Reason="its windows overlap and it accumulates in f16, pool.max_pool_grad in f32"
// CHECK-LABEL: func @half(
// CHECK:         "stablehlo.select_and_scatter"
func.func @half(%x: tensor<1x3x8xf16>, %g: tensor<1x3x7xf16>) -> tensor<1x3x8xf16> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f16>}> : () -> tensor<f16>
  %0 = "stablehlo.select_and_scatter"(%x, %g, %c) <{window_dimensions = array<i64: 1, 1, 2>, window_strides = array<i64: 1, 1, 1>}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %r = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<f16>, tensor<f16>) -> tensor<i1>
    "stablehlo.return"(%r) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f16>, tensor<f16>) -> tensor<f16>
    "stablehlo.return"(%r) : (tensor<f16>) -> ()
  }) : (tensor<1x3x8xf16>, tensor<1x3x7xf16>, tensor<f16>) -> tensor<1x3x8xf16>
  return %0 : tensor<1x3x8xf16>
}
