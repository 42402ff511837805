// Defines the passes that transform operations of the pool dialect. Lowerings
// to other dialects are in Conversion/Passes.td.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_TRANSFORMS_PASSES_TD
#define POOL_DIALECT_POOL_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def PoolInsertRuntimeChecks : Pass<"pool-insert-runtime-checks"> {
  let summary = "Insert run-time checks of dynamic extents and indices";
  let description = [{
    Inserts `cf.assert` operations before each pooling operation. They check the
    constraints on extents and indices that are known only at run time. The
    message names the pooling operation and its location. Constraints on static
    types were verified and cost nothing. Operations on unranked tensors and
    `pool.window_reduce` get no checks.

    Run it before any pass that replaces pooling operations; the replacements
    are not checked. The options `runtime-checks` of the conversions do the
    same, and `generate-runtime-verification` does it for all dialects.

    A check of indices compares the largest index, which `pool.largest_index`
    returns, with the number of positions. `convert-pool-to-linalg` lowers this
    operation, and `convert-pool-to-vector` does unless the indices are a slice.

    For example

    ```mlir
    %0 = pool.max_pool %x kernel [2]
       : tensor<1x8x?xf32> -> tensor<1x8x?xf32>
    ```

    becomes

    ```mlir
    %extent = tensor.dim %x, %c2 : tensor<1x8x?xf32>
    %fits = arith.cmpi sge, %extent, %c2 : index
    cf.assert %fits, "pool.max_pool at ...: dimension 2: the input extent must be at least 2: ..."
    %0 = pool.max_pool %x kernel [2]
       : tensor<1x8x?xf32> -> tensor<1x8x?xf32>
    ```
  }];
  let statistics = [
    Statistic<"numChecked", "ops-checked",
              "Operations for which checks were generated">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def PoolRecomputeIndices : Pass<"pool-recompute-indices"> {
  let summary = "Add recomputed indices to gradients of extrema without indices";
  let description = [{
    Gives a `pool.max_pool_grad` or `pool.min_pool_grad` without indices the
    indices of a new pooling of its input with the same window. The lowerings do
    this themselves. As a separate step, the pass allows CSE with an existing
    pooling of the same input and with indices, or fusion. The indices are i32
    if the extents that they count over are known and small enough, else i64.

    An unranked input is an error, and so are windows whose buffers exceed the
    address space.

    For example

    ```mlir
    %0 = pool.max_pool_grad %x, %grad kernel [2] strides [2]
       : tensor<1x8x6xf32>, tensor<1x8x3xf32> -> tensor<1x8x6xf32>
    ```

    becomes

    ```mlir
    %values, %indices = pool.max_pool %x kernel [2] strides [2] axis 2
       : tensor<1x8x6xf32> -> tensor<1x8x3xf32>, tensor<1x8x3xi32>
    %0 = pool.max_pool_grad %x, %grad, %indices kernel [2] strides [2] axis 2
       : tensor<1x8x6xf32>, tensor<1x8x3xf32>, tensor<1x8x3xi32>
       -> tensor<1x8x6xf32>
    ```
  }];
  let statistics = [
    Statistic<"numRecomputed", "indices-recomputed",
              "Gradients that were given indices">
  ];
}

def PoolAdaptiveToWindow : Pass<"pool-adaptive-to-window"> {
  let summary = "Replace adaptive pooling by equal ordinary pooling";
  let description = [{
    Replaces adaptive pooling by `pool.avg_pool` or `pool.max_pool` if all its
    windows have the same size, and all neighbours the same distance. This holds
    if every extent is a multiple of its number of outputs, or larger than it
    with a remainder of 1. Canonicalisation and the lowerings do the same.
    Adaptive pooling with other windows or with unknown extents stays.

    For example

    ```mlir
    %0 = pool.adaptive_avg_pool %x output_size [6]
       : tensor<1x8x13xf32> -> tensor<1x8x6xf32>
    ```

    becomes

    ```mlir
    %0 = pool.avg_pool %x kernel [3] strides [2]
       : tensor<1x8x13xf32> -> tensor<1x8x6xf32>
    ```
  }];
  let statistics = [
    Statistic<"numRewritten", "ops-rewritten",
              "Operations replaced by ordinary pooling">
  ];
}

def PoolResolveWindows : Pass<"pool-resolve-windows"> {
  let summary = "Turn automatic padding and ceil rounding into explicit pads";
  let description = [{
    Rewrites windows to `auto_pad = explicit` and `rounding_type = floor`, with
    pads that give the same outputs:

    - `valid` always becomes explicit, even if the rounding stays.
    - `same_upper` and `same_lower` become explicit if the spatial extents are
      known.
    - `ceil` and `ceil_torch` become floor if the spatial extents are known;
      overhang becomes padding. Under `divisor = padded` this requires that
      there is no overhang, because padding is counted and overhang is not.

    The pass rewrites the windows of gradients by the same rules. Other windows
    stay as they are; every lowering accepts them.

    For example

    ```mlir
    %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] rounding_type ceil
           auto_pad valid : tensor<1x8x6x6xf32> -> tensor<1x8x3x3xf32>
    ```

    becomes

    ```mlir
    %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] pads_end [1, 1]
           : tensor<1x8x6x6xf32> -> tensor<1x8x3x3xf32>
    ```
  }];
  let statistics = [
    Statistic<"numResolved", "windows-resolved",
              "Windows made explicit with rounding floor">
  ];
}

def PoolDecompose : Pass<"pool-decompose"> {
  let summary = "Express pooling by pool.window_reduce and elementwise linalg";
  let description = [{
    Rewrites each max_pool, min_pool, avg_pool and lp_pool on ranked tensors as
    one `pool.window_reduce` with resolved pads. If needed, an elementwise
    `linalg.generic` completes the result: the division of an average, the root
    of a norm, the indices of maxima. The lowerings to linalg and to loops begin
    with this step. An unranked input is an error.

    The division of an average has the attribute `pool.divides_by_count`,
    which allows `convert-pool-to-vector` to multiply by reciprocals instead.

    `one-shot-bufferize` accepts the result, and `convert-pool-to-loops` lowers
    it on buffers.

    For example

    ```mlir
    %0 = pool.max_pool %x kernel [3, 3] auto_pad same_upper
       : tensor<1x8x6x6xf32> -> tensor<1x8x6x6xf32>
    ```

    becomes

    ```mlir
    %1 = tensor.empty() : tensor<1x8x6x6xf32>
    %0 = pool.window_reduce <max> ins(%x : tensor<1x8x6x6xf32>)
           outs(%1 : tensor<1x8x6x6xf32>) kernel [3, 3] strides [1, 1]
           dilations [1, 1] pads_begin [1, 1] pads_end [1, 1]
           -> tensor<1x8x6x6xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"
  ];
  let statistics = [
    Statistic<"numDecomposed", "ops-decomposed", "Pooling operations rewritten">
  ];
}

def PoolTileChains : Pass<"pool-tile-chains"> {
  let summary = "Tile chains of pooling and elementwise operations";
  let description = [{
    Makes an `scf.forall` over tiles of the result of each chain of max_pool,
    min_pool, avg_pool, lp_pool and elementwise linalg operations. A tile
    computes its whole chain before the next tile begins, so that intermediate
    tensors stay in the caches. Where windows overlap, neighbouring tiles both
    compute the halo. Tiles have the same values as the whole, except for the
    last bits of float sums: their order may depend on the place in the plane.
    With `pool.uniform_sums` float sums are equal to the bit.

    A chain begins at a pooling operation. It extends forward to elementwise
    operations, and back to operations whose only use is in the chain. An
    operation with other uses is computed as a whole.

    `grid` cuts each dimension of the result into the given number of parts, of
    equal size except for the last. `bytes` chooses the grid instead. It halves
    the first dimension until its tiles are single elements, then the next one,
    and so on. It stops when the input, intermediate and output tensors of a
    tile together fit into that many bytes. With channels first, batch and
    channels come before the spatial dimensions, which have halos. `bytes`
    requires known extents. A chain that fits as a whole stays. It is an error
    if no tile of a chain fits.

    Operations on unranked tensors, and chains without elements, stay as they
    are.

    For example, with `grid=1,4`,

    ```mlir
    %0 = pool.max_pool %x kernel [3, 3] : tensor<1x8x20x20xf32> -> tensor<1x8x18x18xf32>
    %1 = pool.max_pool %0 kernel [3, 3] : tensor<1x8x18x18xf32> -> tensor<1x8x16x16xf32>
    ```

    becomes a loop over pairs of channels,

    ```mlir
    %e = tensor.empty() : tensor<1x8x16x16xf32>
    %1 = scf.forall (%i) = (0) to (8) step (2) shared_outs(%out = %e)
           -> (tensor<1x8x16x16xf32>) {
      %slice = tensor.extract_slice %x[0, %i, 0, 0] [1, 2, 20, 20] [1, 1, 1, 1]
             : tensor<1x8x20x20xf32> to tensor<1x2x20x20xf32>
      %e0 = tensor.empty() : tensor<1x2x18x18xf32>
      %y0 = pool.window_reduce <max> ins(%slice : tensor<1x2x20x20xf32>)
              outs(%e0 : tensor<1x2x18x18xf32>) kernel [3, 3] strides [1, 1]
              dilations [1, 1] pads_begin [0, 0] pads_end [0, 0]
              -> tensor<1x2x18x18xf32>
      %e1 = tensor.empty() : tensor<1x2x16x16xf32>
      %y1 = pool.window_reduce <max> ins(%y0 : tensor<1x2x18x18xf32>)
              outs(%e1 : tensor<1x2x16x16xf32>) kernel [3, 3] strides [1, 1]
              dilations [1, 1] pads_begin [0, 0] pads_end [0, 0]
              -> tensor<1x2x16x16xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %y1 into %out[0, %i, 0, 0] [1, 2, 16, 16] [1, 1, 1, 1]
            : tensor<1x2x16x16xf32> into tensor<1x8x16x16xf32>
      }
    }
    ```
  }];
  let options = [
    ListOption<"grid", "grid", "int64_t",
               "Number of parts of each dimension of the result; 1 for missing entries">,
    Option<"bytes", "bytes", "int64_t", "0",
           "Most bytes that the tensors of a tile have together; 0 to use `grid`">
  ];
  let statistics = [
    Statistic<"numChains", "chains-cut", "Chains that became loops over tiles">,
    Statistic<"numFused", "ops-fused", "Operations computed tile by tile">
  ];
  let dependentDialects = [
    "affine::AffineDialect", "arith::ArithDialect", "linalg::LinalgDialect",
    "scf::SCFDialect", "tensor::TensorDialect"
  ];
}

#endif // POOL_DIALECT_POOL_TRANSFORMS_PASSES_TD
