// Passes within the pool dialect.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_TRANSFORMS_PASSES_TD
#define POOL_DIALECT_POOL_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def PoolInsertRuntimeChecks : Pass<"pool-insert-runtime-checks"> {
  let summary = "Check at run time what the verifier could not know";
  let description = [{
    Inserts before each operation of the dialect a `cf.assert` for every
    constraint that depends on an extent or an index which only run time knows.
    The message names the operation and its location. What the types show was
    verified and costs nothing; operations on unranked tensors get no checks.

    It comes before any pass that replaces operations: what they become is not
    checked. The options `runtime-checks` of the conversions do the same.
    `generate-runtime-verification` does so for operations of all dialects.

    The loops that look for the largest index have the attribute
    `pool.largest_index`, by which `convert-pool-to-vector` finds them.

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
              "Operations that were asked for their checks">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def PoolRecomputeIndices : Pass<"pool-recompute-indices"> {
  let summary = "Give gradients of extrema the indices of a new pooling";
  let description = [{
    A `pool.max_pool_grad` or `pool.min_pool_grad` without indices gets those of
    a pooling of its input with the same window, as its lowering needs them. The
    lowerings do so themselves; as a step of its own it lets the pooling be
    shared with others of the same input that have the same indices, or be fused.
    These are of type i32 where the extents that they count over are known and
    few enough, else of i64.

    An unranked input, or windows whose buffers no memory holds, are an error.

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
  let summary = "Make ordinary pooling of adaptive pooling where that is the same";
  let description = [{
    Adaptive pooling whose windows all have one size and one distance, as they
    have where the outputs divide the extents or leave a remainder of 1, becomes
    `pool.avg_pool` or `pool.max_pool`. Canonicalisation does so too; so do the
    lowerings. What has other windows, or extents that are not known, is left as
    it is.

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
              "Operations that became ordinary pooling">
  ];
}

def PoolResolveWindows : Pass<"pool-resolve-windows"> {
  let summary = "Turn automatic padding and ceil rounding into explicit pads";
  let description = [{
    Rewrites windows to `auto_pad = explicit` and `rounding_type = floor`, with
    pads that give the same outputs, where that is exact:

    - `valid` always becomes explicit; its rounding stays where an extent is
      unknown.
    - `same_upper` and `same_lower` become explicit where the spatial extents
      are known.
    - `ceil` and `ceil_torch` become floor where the spatial extents are known:
      what windows cover past the padding becomes padding. Under
      `divisor = padded` only where they cover nothing there, because padding
      is counted and overhang is not.

    The windows of gradients are rewritten by the same rules. All else is left
    as it is; every lowering takes it.

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
    Rewrites max_pool, min_pool, avg_pool and lp_pool on ranked tensors as one
    `pool.window_reduce` each, with resolved pads, followed by what finishes the
    result as elementwise `linalg.generic`: the division of an average, the root
    of a norm, the indices of maxima. The first step of every lowering. An
    unranked input is an error.

    The division of an average has the attribute `pool.divides_by_count`, which
    gives it the loops that `convert-pool-to-vector` makes of a whole average.

    `one-shot-bufferize` takes the result as it is; `convert-pool-to-loops` lowers
    what that leaves.

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
  let statistics = [
    Statistic<"numDecomposed", "ops-decomposed", "Pooling operations rewritten">
  ];
}

def PoolPartition : Pass<"pool-partition"> {
  let summary = "Cut chains of pooling into tiles, each computed as a whole";
  let description = [{
    Makes an `scf.forall` over tiles of the result of each chain of max_pool,
    min_pool, avg_pool, lp_pool and elementwise linalg operations. A tile
    computes all of its chain before the next one begins, so that what is
    between the operations stays in the caches; where windows overlap, the
    halos between them are computed twice. Tiles have the values of the whole;
    float sums, whose order may depend on the place in the plane, to the bit if
    they have `pool.uniform_sums`.

    A chain is followed from a pooling operation forward to elementwise ones and
    back to those whose only use is in the chain. What has other uses is
    computed as a whole.

    `grid` cuts each dimension of the result into as many parts, of equal size
    but for the last. `bytes` chooses the grid: dimensions are cut from the
    first on, each in halves until its tiles are single elements, until what a
    tile reads, makes between and gives has no more bytes together. Batch and
    channels are cut first, which have no halo. All extents must be known then.
    A chain that fits as a whole is left as it is; one of which no tile fits is
    an error.

    Operations on unranked tensors, and chains without elements, are left as
    they are.

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
               "Parts of each dimension of the result; 1 where there is none">,
    Option<"bytes", "bytes", "int64_t", "0",
           "Bytes that the tensors of a tile may have together; 0 for `grid`">
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
