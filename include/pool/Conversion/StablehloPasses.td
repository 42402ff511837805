// Defines the passes that convert between the pool dialect and StableHLO, whose
// operations are unregistered.
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
      together with the division before it if that division is the average's.
      Dimensions without a window may be unknown.
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
    - A `stablehlo.pad` of the input becomes the window's padding if the
      result is the same. Negative padding becomes a slice of the input.

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

def LowerStablehloExtents : Pass<"lower-stablehlo-extents"> {
  let summary = "Lower symbolic extents of StableHLO and their checks";
  let description = [{
    Lowers the operations that `jax.export` writes for symbolic extents. The pass
    `stablehlo-legalize-to-linalg` of jaxlib lowers the rest of a module, but leaves
    these operations alone. As in `convert-stablehlo-to-pool`, StableHLO's operations
    are unregistered. An operation that is not supported stays, with a
    missed-optimisation remark of the category `lower-stablehlo-extents`
    (`--remarks-filter`).

    - `get_dimension_size` becomes `tensor.dim`.
    - A `custom_call` of `shape_assertion` becomes `cf.assert`.
    - `dynamic_pad` becomes `tensor.pad`, and `real_dynamic_slice` becomes
      `tensor.extract_slice`. `cf.assert` checks that no padding is negative, and
      that the slice is inside its source.
    - `dynamic_broadcast_in_dim` gets the attributes that say which dimensions
      expand. `cf.assert` checks that an operand's unknown extent equals the
      result's.

    For example

    ```mlir
    %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}>
           : (tensor<?xf32>) -> tensor<i32>
    ```

    becomes

    ```mlir
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %x, %c0 : tensor<?xf32>
    %0 = arith.index_cast %dim : index to i32
    %n = tensor.from_elements %0 : tensor<i32>
    ```
  }];
  let statistics = [
    Statistic<"numLowered", "ops-lowered", "Operations lowered">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
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
