// Conversions between the pool dialect and StableHLO, whose operations are
// unregistered.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_STABLEHLOPASSES_TD
#define POOL_CONVERSION_STABLEHLOPASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertStablehloToPool : Pass<"convert-stablehlo-to-pool"> {
  let summary = "Raise StableHLO's pooling to pooling operations";
  let description = [{
    Raises `stablehlo.reduce_window` and `stablehlo.select_and_scatter`, with
    the operations that JAX puts around them. StableHLO is not linked. Its
    operations are unregistered, as `--allow-unregistered-dialect` reads their
    generic text, and the pass checks each attribute, type and region before it
    uses it. An operation that is not exactly a pooling stays, with a
    missed-optimisation remark of the category `convert-stablehlo-to-pool`
    (`--remarks-filter`) that gives the reason.

    - A maximum or minimum becomes `pool.max_pool` or `pool.min_pool` with
      `nan_mode propagate`. An initial value other than infinity or the extreme
      integer remains as an elementwise `stablehlo.maximum` or `minimum`.
    - A sum of f32 or f64 from zero becomes `pool.avg_pool` with
      `divisor_override 1`. If its only user is a division by a constant or by a
      sum of ones over the same windows, both become one average with the equal
      divisor. A multiplication by a power of two counts as a division. Sums of
      f16 and bf16, which StableHLO rounds at each addition, and of integers,
      which wrap, stay.
    - A sum over a dilated base with a stride of 1 becomes `pool.avg_pool_grad`,
      together with the division before it if that is the average's. Dimensions
      without a window may be unknown.
    - `stablehlo.select_and_scatter` that adds, and selects the first of the
      largest or smallest elements, becomes `pool.max_pool_grad` or
      `pool.min_pool_grad`. `compare GE` is false for NaN, so StableHLO's choice
      in a window with NaN depends on the order of the elements. The pooling
      operation chooses the first NaN, and the remark says so. f16 and bf16 are
      raised only if windows do not overlap.
    - A reduction of elements and their positions becomes an extremum with
      indices if no window covers only padding and the body chooses the first of
      equal elements. The pass tries the body on all ways in which two pairs can
      compare. If the body's choice among NaN depends on their order, the
      pooling operation chooses the first NaN of a window, and the remark says
      so.
    - A `stablehlo.reduce` over whole dimensions becomes a pooling by one
      window, and with its division an average. A `stablehlo.reshape` follows,
      or a `tensor.collapse_shape` if an extent is unknown.
    - A `stablehlo.pad` of the input becomes the window's padding if that is
      equal. Negative padding becomes a slice of the input.

    Any dimension may have a window. The dimensions before the first one with a
    window are batch and channels; unit dimensions are added if there are fewer.
    If the last dimension has no window, it may be the channels instead.

    For example

    ```mlir
    %lowest = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}>
                : () -> tensor<f32>
    %0 = "stablehlo.reduce_window"(%x, %lowest) <{
           padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>,
           window_dimensions = array<i64: 1, 3, 3, 1>,
           window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = "stablehlo.maximum"(%a, %b)
             : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1) : (tensor<f32>) -> ()
    }) : (tensor<2x8x8x3xf32>, tensor<f32>) -> tensor<2x4x4x3xf32>
    ```

    becomes

    ```mlir
    %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] pads_end [1, 1]
           layout channels_last nan_mode propagate
       : tensor<2x8x8x3xf32> -> tensor<2x4x4x3xf32>
    ```
  }];
  let statistics = [
    Statistic<"numRaised", "ops-raised", "Operations replaced by pooling">
  ];
  let dependentDialects = [
    "::mlir::pool::PoolDialect", "::mlir::tensor::TensorDialect"
  ];
}

def ConvertStablehloToLinalg : Pass<"convert-stablehlo-to-linalg"> {
  let summary = "Lower what StableHLO has around pooling to linalg";
  let description = [{
    Lowers elementwise operations of StableHLO to `linalg.generic`, one each, which
    `convert-pool-to-vector` fuses into the pooling's loops, and constants,
    broadcasts, reshapes, transposes, slices and pads to what upstream has for
    them. It is for what `convert-stablehlo-to-pool` leaves around the pooling, so
    that whole graphs compile, and no lowering of all of StableHLO; what it does not
    know stays, with a missed-optimisation remark of the category
    `convert-stablehlo-to-linalg` (`--remarks-filter`). As there, the operations are
    unregistered.

    f16 and bf16 are computed in f32 and rounded once an operation. Quotients of
    integers and conversions of floats to integers stay: what XLA makes of zero and
    of what does not fit is its own. Extents that `jax.export` does not know come
    from `stablehlo.get_dimension_size`, and become `tensor.dim` with arithmetic on
    indices, by which broadcasts, pads and slices go; its assertions on them become
    `cf.assert`, and so do checks that such a slice is inside and such a pad not
    negative.

    For example

    ```mlir
    %0 = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}>
           : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{
           broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %2 = "stablehlo.maximum"(%x, %1)
           : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    ```

    becomes

    ```mlir
    #id = affine_map<(d0) -> (d0)>
    %1 = arith.constant dense<0.0> : tensor<4xf32>
    %empty = tensor.empty() : tensor<4xf32>
    %2 = linalg.generic
           {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
           ins(%x, %1 : tensor<4xf32>, tensor<4xf32>)
           outs(%empty : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %3 = arith.maximumf %a, %b : f32
      linalg.yield %3 : f32
    } -> tensor<4xf32>
    ```
  }];
  let statistics = [
    Statistic<"numLowered", "ops-lowered", "Operations lowered">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def ConvertPoolToStablehlo : Pass<"convert-pool-to-stablehlo"> {
  let summary = "Lower pooling operations to StableHLO where it computes the same";
  let description = [{
    Lowers pooling of known extents to `stablehlo.reduce_window` and
    `stablehlo.select_and_scatter`. They are unregistered operations; jaxlib
    parses and runs the printed generic text. An operation that StableHLO cannot
    express is an error that gives the reason; then nothing is changed.

    - Padding and overhang that windows cover become the `padding`. Padding that
      counts as zero in a maximum becomes a `stablehlo.pad`.
    - Under `nan_mode = ignore`, NaN becomes -inf before a maximum. Gradients
      select by a region that handles NaN.
    - Indices come from a reduction of pairs of an element and its position.
    - Averages are sums, divided by a constant or by a sum of ones over the same
      windows. f16 and bf16 are summed in f32.
    - The gradient of an average is a sum with `base_dilations`.

    The pass rejects unknown extents, averages of integers, and norms of other p
    than 1 and 2. It rejects indices under `nan_mode = ignore` or with windows
    that cover only padding, and gradients of dilated extrema or with indices.
    It rejects adaptive pooling, unless `canonicalize` has replaced it by
    ordinary pooling, and all other operations.

    For example

    ```mlir
    %0 = pool.max_pool %x kernel [2] nan_mode propagate
       : tensor<1x3x8xf32> -> tensor<1x3x7xf32>
    ```

    becomes

    ```mlir
    %lowest = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}>
                : () -> tensor<f32>
    %0 = "stablehlo.reduce_window"(%x, %lowest) <{
           base_dilations = array<i64: 1, 1, 1>,
           padding = dense<0> : tensor<3x2xi64>,
           window_dilations = array<i64: 1, 1, 1>,
           window_dimensions = array<i64: 1, 1, 2>,
           window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = "stablehlo.maximum"(%a, %b)
             : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1) : (tensor<f32>) -> ()
    }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
    ```
  }];
  let statistics = [
    Statistic<"numLowered", "ops-lowered", "Pooling operations lowered">
  ];
}

#endif // POOL_CONVERSION_STABLEHLOPASSES_TD
