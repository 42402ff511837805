// Passes within the pool dialect.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_TRANSFORMS_PASSES_TD
#define POOL_DIALECT_POOL_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

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

#endif // POOL_DIALECT_POOL_TRANSFORMS_PASSES_TD
