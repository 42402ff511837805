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

    All else is left as it is; every lowering takes it.

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

#endif // POOL_DIALECT_POOL_TRANSFORMS_PASSES_TD
