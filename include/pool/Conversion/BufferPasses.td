// Conversions of pool.window_reduce on buffers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_BUFFERPASSES_TD
#define POOL_CONVERSION_BUFFERPASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertPoolToLoops : Pass<"convert-pool-to-loops"> {
  let summary = "Lower pool.window_reduce on buffers to loops";
  let description = [{
    Lowers every `pool.window_reduce` on buffers, as `pool-decompose` followed by
    `one-shot-bufferize` leaves it, to an `scf.parallel` over the outputs, around
    `scf.for` loops over the positions of a window that lie inside the input, in
    row-major order. Nothing is allocated and no padding is copied; buffers may
    have any strides. Input and outputs must not overlap, and windows must stay
    within the input and its pads, as they do in what `pool-decompose` builds.

    Operations on tensors are left as they are.

    For example

    ```mlir
    pool.window_reduce <sum> ins(%x : memref<1x3x8xf32>)
      outs(%y : memref<1x3x7xf32>) kernel [2] strides [1] dilations [1]
      pads_begin [0] pads_end [0]
    ```

    becomes

    ```mlir
    scf.parallel (%n, %c, %o) = (%c0, %c0, %c0) to (%c1, %c3, %c7) step (%c1, %c1, %c1) {
      %zero = arith.constant 0.0 : f32
      %sum = scf.for %t = %c0 to %c2 step %c1 iter_args(%acc = %zero) -> (f32) {
        %i = affine.apply affine_map<()[s0, s1] -> (s0 + s1)>()[%o, %t]
        %element = memref.load %x[%n, %c, %i] : memref<1x3x8xf32>
        %next = arith.addf %acc, %element : f32
        scf.yield %next : f32
      }
      memref.store %sum, %y[%n, %c, %o] : memref<1x3x7xf32>
      scf.reduce
    }
    ```
  }];
  let statistics = [
    Statistic<"numLowered", "ops-lowered", "Window operations lowered">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def ConvertPoolToAffine : Pass<"convert-pool-to-affine"> {
  let summary = "Lower pool.window_reduce on buffers to affine loops";
  let description = [{
    Lowers every `pool.window_reduce` on buffers, as `pool-decompose` followed by
    `one-shot-bufferize` leaves it, to a nest of `affine.for`: a loop for each
    dimension of the output, and in them one for each dimension of the window,
    which carry the accumulators. Bounds of the latter are the window cut to the
    input, the largest and the least result of an affine map. Elements are read
    by `affine.load`, and each output is written once, by `affine.store`, so that
    upstream's affine passes take the nests: `affine-parallelize` finds the loops
    over outputs, which come out as `affine.for`. As with
    `convert-pool-to-loops` nothing is allocated and no padding is copied,
    buffers may have any strides, input and outputs must not overlap, and windows
    must stay within the input and its pads.

    Extents and pads that are not constant must be affine symbols or dimensions:
    arguments of the function and what it computes outside of all loops are. With
    any other the operation is left alone, for `convert-pool-to-loops`, and a
    missed-optimisation remark of the category `convert-pool-to-affine` names it
    (`--remarks-filter`). Operations on tensors are left as they are.

    What upstream's passes of LLVM 22 do not take is left to them as it is.
    Windows that are cut are fused by `affine-loop-fusion` with `maximal` alone.
    `affine-loop-unroll-jam` refuses a nest with such windows, for its bounds.
    `affine-super-vectorize` wants channels last, or no pads in the last spatial
    dimension: it crashes on a loop that has the bounds of another depend on it.

    With `by-rows` the loops are such as LLVM makes vectors of, and `pool-to-llvm`
    uses them. Windows have loops by the ends of the input that they reach over;
    those inside have constant bounds. Where rows of a window are cut, or its taps
    too many to unroll, the loops over a row of outputs are inside of those over
    the rows of the window, and accumulate in the outputs. It is not for
    upstream's fusion, which wants one store for an output, nor for
    `affine-super-vectorize`, which writes whole vectors behind the end of a range.

    For example

    ```mlir
    pool.window_reduce <sum> ins(%x : memref<1x3x8xf32>)
      outs(%y : memref<1x3x8xf32>) kernel [3] strides [1] dilations [1]
      pads_begin [1] pads_end [1]
    ```

    becomes

    ```mlir
    affine.for %n = 0 to 1 {
      affine.for %c = 0 to 3 {
        affine.for %o = 0 to 8 {
          %zero = arith.constant 0.0 : f32
          %sum = affine.for %t = max affine_map<(d0) -> (-d0 + 1, 0)>(%o)
                   to min affine_map<(d0) -> (-d0 + 9, 3)>(%o)
                   iter_args(%acc = %zero) -> (f32) {
            %element = affine.load %x[%n, %c, %o + %t - 1] : memref<1x3x8xf32>
            %next = arith.addf %acc, %element : f32
            affine.yield %next : f32
          }
          affine.store %sum, %y[%n, %c, %o] : memref<1x3x8xf32>
        }
      }
    }
    ```
  }];
  let options = [
    Option<"byRows", "by-rows", "bool", /*default=*/"false",
           "Separate windows that reach over the input, and accumulate row by "
           "row where that is faster, for LLVM to vectorise">,
    Option<"parallel", "parallel", "bool", /*default=*/"false",
           "Make the loops over outputs parallel; affine-parallelize would ask "
           "of all loops, and takes buffers under two names for two buffers">
  ];
  let statistics = [
    Statistic<"numLowered", "ops-lowered", "Window operations lowered">,
    Statistic<"numLeftAlone", "ops-left-alone",
              "Window operations on buffers that are not affine">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect"
  ];
}

#endif // POOL_CONVERSION_BUFFERPASSES_TD
