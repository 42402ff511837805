// Defines the passes that convert pool.window_reduce on buffers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_BUFFERPASSES_TD
#define POOL_CONVERSION_BUFFERPASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertPoolToLoops : Pass<"convert-pool-to-loops"> {
  let summary = "Lower pool.window_reduce on buffers to loops";
  let description = [{
    Lowers every `pool.window_reduce` on buffers to loops: an `scf.parallel`
    over the outputs around `scf.for` loops over the window's positions inside
    the input, in row-major order. Run `pool-decompose` and `one-shot-bufferize`
    first. The loops allocate nothing and copy no padding. Buffers may have any
    strides. Input and outputs must not overlap, and windows must stay within
    the input and its pads, which `pool-decompose` guarantees.

    Operations on tensors stay as they are.

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
    Lowers `pool.window_reduce` on buffers to a nest of `affine.for`.
    There is a loop for each dimension of the output. Inside these loops, a loop
    for each dimension of the window carries the accumulators. Run
    `pool-decompose` and `one-shot-bufferize` first. The inner loops clip the
    window to the input: the lower bound is the largest result of an affine map,
    and the upper bound is the least result of another. The nest reads elements
    by `affine.load` and writes each output once by `affine.store`, so that
    upstream's affine passes apply. For example, `affine-parallelize` finds the
    loops over outputs.

    As with `convert-pool-to-loops`, nothing is allocated and no padding is
    copied. Input and outputs must not overlap, and windows must stay within the
    input and its pads. Strides of buffers may be 0 or any positive number. A
    negative stride gives poison, because upstream's conversion to the llvm
    dialect marks index arithmetic as never wrapping.

    Extents and pads that are not constant must be affine symbols or dimensions:
    function arguments, or values computed outside of all loops. An operation
    with any other extent stays for `convert-pool-to-loops`, and a
    missed-optimisation remark of the category `convert-pool-to-affine` names it
    (`--remarks-filter`). Operations on tensors stay as they are.

    Some passes of upstream LLVM 22 do not apply to all nests:

    - `affine-loop-fusion` fuses clipped windows only with `maximal`.
    - `affine-loop-unroll-jam` rejects a nest with clipped windows because of
      its bounds.
    - `affine-super-vectorize` crashes on a loop whose induction variable is in
      another loop's bounds. Use it with channels last, or without pads in the
      last spatial dimension.

    With `by-rows` the loops have a form that LLVM vectorises; `pool-to-llvm`
    uses it. Windows that reach over an end of the input get loops of their own,
    so that the interior has constant bounds. If rows of a window are clipped,
    or its taps are too many to unroll, the loop over a row of outputs is inside
    the loop over the window's rows. The outputs are then the accumulators. Do
    not run upstream's fusion on this form, because it requires a single store
    for each output. Do not run `affine-super-vectorize` either, because it
    writes whole vectors past the end of a range.

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
           "row if that is faster, so that LLVM can vectorise">,
    Option<"parallel", "parallel", "bool", /*default=*/"false",
           "Make the loops over outputs parallel. affine-parallelize would "
           "examine all loops, and assumes that two names are two buffers">
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
