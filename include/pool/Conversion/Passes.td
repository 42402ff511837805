// Defines the passes that convert from and to the pool dialect.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_PASSES_TD
#define POOL_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"
include "pool/Conversion/BufferPasses.td"
include "pool/Conversion/StablehloPasses.td"
include "pool/Conversion/VectorPasses.td"

def ConvertPoolToLinalg : Pass<"convert-pool-to-linalg"> {
  let summary = "Lower pooling to linalg on tensors";
  let description = [{
    Lowers every pooling operation on ranked tensors, static or dynamic. The
    results are linalg ops, which upstream passes tile, fuse, bufferise and
    lower further. Only max_unpool and the gradients become loops instead.

    Padding and overhang become a `tensor.pad`, so no op reads outside the
    input. The reduction is a named op (`linalg.pooling_nchw_max`,
    `linalg.pooling_nhwc_sum`, ...) if upstream has one with exactly these
    semantics, for this rank and layout: sums, maxima and, with channels last,
    minima. Integers must be signless. Extrema of floats need `nan_mode =
    propagate`. Otherwise the reduction is a `linalg.generic`. An elementwise
    `linalg.generic` completes averages and indices.

    Adaptive pooling that equals an ordinary operation is lowered like that
    operation. Any other adaptive operation becomes a `linalg.generic`. Its
    operand is the input if the windows are known to have the same size and not
    to overlap, for example one window over an unknown extent. In all other
    cases, the op reduces over the taps of the largest window and reads the
    input at computed positions.

    max_unpool and the gradients become loops over the tensor that they read, in
    row-major order. The loops carry the tensor that they write, which bufferises
    in place. They are an scf.forall where slices of this tensor are independent:
    in the dimensions before `axis`, or in the batch and the channels of an
    average. An index is checked before it is used. `pool.largest_index` becomes
    loops, too. After upstream's `one-shot-bufferize`, `cse` and `canonicalize`
    remove a copy of each slice to itself.

    Within the regions, signed and unsigned integers are signless, behind
    `builtin.unrealized_conversion_cast`, which the conversion to LLVM removes.
    Other operations stay as they are. An unranked input is an error. So is a
    pool.window_reduce on buffers, which `convert-pool-to-loops` lowers.

    With `keep-windows`, operations that have a window form become
    `pool.window_reduce`, and `pool.window_reduce` itself stays. Then run
    `one-shot-bufferize` and `convert-pool-to-affine` or
    `convert-pool-to-loops`.

    A passed remark of the category `convert-pool-to-linalg`
    (`--remarks-filter`) names what each operation was lowered to, and the
    reason if that is not a named op.

    For example

    ```mlir
    %0 = pool.max_pool %x kernel [2, 2] nan_mode propagate
       : tensor<1x3x8x8xf32> -> tensor<1x3x7x7xf32>
    ```

    becomes

    ```mlir
    %cst = arith.constant 0xFF800000 : f32
    %1 = tensor.empty() : tensor<1x3x7x7xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<1x3x7x7xf32>)
           -> tensor<1x3x7x7xf32>
    %3 = tensor.empty() : tensor<2x2xf32>
    %0 = linalg.pooling_nchw_max
           {dilations = dense<1> : vector<2xi64>,
            strides = dense<1> : vector<2xi64>}
           ins(%x, %3 : tensor<1x3x8x8xf32>, tensor<2x2xf32>)
           outs(%2 : tensor<1x3x7x7xf32>) -> tensor<1x3x7x7xf32>
    ```
  }];
  let options = [
    Option<"runtimeChecks", "runtime-checks", "bool", /*default=*/"false",
           "Insert a cf.assert before each operation for each constraint on a "
           "dynamic extent, which the verifier could not check">,
    Option<"keepWindows", "keep-windows", "bool", /*default=*/"false",
           "Lower operations that have a window form only to "
           "pool.window_reduce">,
    Option<"parallelChannels", "parallel-channels", "bool", /*default=*/"false",
           "For gradients of averages with channels last, make the loop over "
           "channels parallel too, as GPUs need it. On CPUs the loops inside "
           "it are slow">
  ];
  let statistics = [
    Statistic<"numLowered", "ops-lowered",
              "Pooling operations lowered; with keep-windows, those without a "
              "window form">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def ConvertTosaToPool : Pass<"convert-tosa-to-pool"> {
  let summary = "Raise TOSA's pooling to pooling operations";
  let description = [{
    Raises `tosa.max_pool2d` and `tosa.avg_pool2d` to channels-last pooling
    operations. TOSA spells the average over all spatial positions as a
    `tosa.reduce_sum` for each spatial dimension and a `tosa.mul`. The pass
    raises it to an average whose window is the whole extent. Other TOSA
    operations stay for upstream's passes.

    - `tosa.max_pool2d` becomes `pool.max_pool` with the `nan_mode` of the same
      name. Under IGNORE, a window that holds only NaN gives NaN in TOSA and
      -inf here. A following `tosa.maximum` with -inf that ignores NaN removes
      this difference; the pass drops that `tosa.maximum`.
    - `tosa.avg_pool2d` of floats becomes `pool.avg_pool` if it accumulates in
      the same type: f32 for f16, bf16 and f32.
    - `tosa.avg_pool2d` of i8 and i16, with constant zero points, becomes
      `pool.avg_pool` with `integer_rounding = half_away`. TOSA multiplies by a
      rounded reciprocal, which rounds an exact half away from zero. If no
      quotient can be a negative half, the rounding is `half_up`, which is equal
      there and cheaper. No quotient is a negative half if every window has an
      odd number of elements, or if `input_zp` is the smallest value of the
      type. The operation stays if sums may reach 2^29, because TOSA's
      quotient is then not the nearest integer.
    - An average over all positions of two or more spatial dimensions becomes
      one operation if it multiplies by an exact reciprocal, that is, a power of
      two. Otherwise only its sum is raised, with `divisor_override = 1`, and
      the multiplication stays. Float sums are reassociated, as TOSA allows.

    A missed-optimisation remark of the category `convert-tosa-to-pool`
    (`--remarks-filter`) gives the reason for each operation that stays.

    For example

    ```mlir
    %0 = tosa.max_pool2d %x {kernel = array<i64: 3, 3>,
           pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>}
       : (tensor<1x32x32x8xf32>) -> tensor<1x16x16x8xf32>
    ```

    becomes

    ```mlir
    %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 1]
           layout channels_last nan_mode propagate
       : tensor<1x32x32x8xf32> -> tensor<1x16x16x8xf32>
    ```
  }];
  let statistics = [
    Statistic<"numRaised", "ops-raised", "Operations replaced by pooling">
  ];
  let dependentDialects = [
    "::mlir::pool::PoolDialect", "::mlir::tensor::TensorDialect"
  ];
}

def ConvertLinalgToPool : Pass<"convert-linalg-to-pool"> {
  let summary = "Raise linalg pooling on tensors to pooling operations";
  let description = [{
    Raises window reductions on tensors: the `linalg.pooling_*` operations, and
    any `linalg.generic` with the indexing maps and the body of one. Each
    becomes one pooling operation if that computes the same result. The pass
    also absorbs the operations that front ends put around a reduction:

    - A `tensor.pad` of the spatial dimensions by static amounts becomes the
      window's padding. A maximum takes padding with -inf, the smallest integer,
      zero (`pad_value = zero`) or any value not above the initial value. A
      minimum takes the same with the order reversed. A sum takes padding with
      zero. Padding that no window reaches, as front ends add it for ceil, is
      dropped.
    - The initial value, a `linalg.fill` or a splat constant, is the identity of
      the reduction. A maximum with another initial value, such as the lowest
      finite float, keeps it as an elementwise maximum after the pooling. A sum
      that does not start from zero is not raised.
    - A search for the positions of an extremum, as torch-mlir emits it for
      `max_pool2d_with_indices`, gives the pooling indices with axis 2. The
      search takes the first element of a window that equals the extremum. It
      returns -1 for NaN, which equals nothing, and a position outside the input
      where padding equals the extremum. The pooling returns the position of an
      element there, as `pool.max_pool` defines it.
    - A sum whose only user is the division of an average becomes
      `pool.avg_pool`, with the division. The divisor is a constant, or integer
      arithmetic over `linalg.index` of any form. The pass evaluates it for each
      output and compares it with the counts of `divisor = valid`, `kernel` and
      `padded`; `padded` implies end pads and ceil rounding. Any other
      constant becomes `divisor_override`. A multiplication by a constant counts
      as a division only if the constant is a power of two; other constants
      round differently.
    - Any other sum becomes `pool.avg_pool` with `divisor_override = 1`, and its
      division stays.
    - A sum over all positions of two or more spatial dimensions is raised only
      as part of an average that divides by their number.

    Float maxima and minima propagate NaN; with `arith.maxnumf` and
    `arith.minnumf` they ignore it. A pooling operation may return either zero
    as the maximum of -0 and +0, and may sum in any order. An f16 or bf16
    average is raised if it is summed in f32 and divided before it is rounded.

    The pass does not raise sums of integers, because they wrap where
    `pool.avg_pool` saturates. Nor does it raise reductions into a wider type,
    windows of dynamic extents, tiles that may have no channel or operations on
    buffers. For `linalg.pooling_*_max_unsigned` and `_min_unsigned` of signless
    integers, it adds elementwise casts to unsigned before the pooling, and back
    after it. If a dynamic output extent may differ from the extent of the
    pooling operation, a `tensor.extract_slice` restores the output extent.

    Remarks of the category `convert-linalg-to-pool` (`--remarks-filter`) tell
    what happened. A missed-optimisation remark gives the reason for an
    operation that was not raised. A passed remark names the new operation, and
    the reason if it is no average.

    For example, an average whose count leaves out the padding,

    ```mlir
    #id = affine_map<(n, c, o) -> (n, c, o)>
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<1x8x6xf32>
    %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x8x6xf32>)
               -> tensor<1x8x6xf32>
    %padded = tensor.pad %x low[0, 0, 1] high[0, 0, 1] {
    ^bb0(%n: index, %c: index, %w: index):
      tensor.yield %zero : f32
    } : tensor<1x8x6xf32> to tensor<1x8x8xf32>
    %sum = linalg.pooling_ncw_sum
             {dilations = dense<1> : vector<1xi64>,
              strides = dense<1> : vector<1xi64>}
             ins(%padded, %window : tensor<1x8x8xf32>, tensor<3xf32>)
             outs(%zeros : tensor<1x8x6xf32>) -> tensor<1x8x6xf32>
    %0 = linalg.generic
           {indexing_maps = [#id, #id],
            iterator_types = ["parallel", "parallel", "parallel"]}
           ins(%sum : tensor<1x8x6xf32>) outs(%empty : tensor<1x8x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %o = linalg.index 2 : index
      %begin = arith.subi %o, %c1 : index
      %first = arith.maxsi %begin, %c0 : index
      %next = arith.addi %o, %c2 : index
      %end = arith.minsi %next, %c6 : index
      %count = arith.subi %end, %first : index
      %i64 = arith.index_cast %count : index to i64
      %divisor = arith.sitofp %i64 : i64 to f32
      %average = arith.divf %in, %divisor : f32
      linalg.yield %average : f32
    } -> tensor<1x8x6xf32>
    ```

    becomes

    ```mlir
    %0 = pool.avg_pool %x kernel [3] pads_begin [1] pads_end [1]
       : tensor<1x8x6xf32> -> tensor<1x8x6xf32>
    ```
  }];
  let statistics = [
    Statistic<"numRaised", "ops-raised", "Operations replaced by pooling">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::pool::PoolDialect", "::mlir::tensor::TensorDialect"
  ];
}

def ConvertPoolToTosa : Pass<"convert-pool-to-tosa"> {
  let summary = "Lower pooling operations to TOSA where it computes the same";
  let description = [{
    Lowers `pool.max_pool` and `pool.avg_pool` over two spatial dimensions to
    `tosa.max_pool2d` and `tosa.avg_pool2d`. Every other operation of the pool
    dialect, and every one that TOSA cannot express, is an error that gives the
    reason; then nothing is changed.

    - A channels-first operation is transposed before and after.
    - TOSA requires that the windows cover the padded input exactly. Padding
      that no window covers is dropped, overhang becomes padding, and a
      `tosa.slice` removes the end of the input that no window reads. A spatial
      extent may be dynamic if the stride is 1.
    - Padding that an average counts (`divisor = kernel`, or `padded` without
      overhang) and zero padding of a maximum (`pad_value = zero`) become a
      `tosa.pad`. Other padding must be less than the kernel, as in TOSA.
    - `divisor_override` is accepted if it equals the number of elements of
      every window.
    - Elements are f16, bf16, f32, i8 or i16; averages accumulate in f32 or i32.
    - Averages of integers are accepted if TOSA's division gives the same
      result. No sum may reach 2^29. No quotient may be a negative half under
      `half_up`, or a half under `half_even`. See `convert-tosa-to-pool`.
    - `nan_mode` becomes TOSA's attribute of the same name. Under `ignore` a
      window that holds only NaN gives -inf here and NaN in TOSA, so a
      `tosa.maximum` with -inf that ignores NaN turns it into -inf.

    Dilation, indices and all other operations are rejected.

    For example

    ```mlir
    %0 = pool.max_pool %x kernel [2, 2] strides [2, 2] layout channels_last
           nan_mode propagate
       : tensor<1x5x4x8xf32> -> tensor<1x2x2x8xf32>
    ```

    becomes

    ```mlir
    %start = tosa.const_shape {values = dense<0> : tensor<4xindex>}
           : () -> !tosa.shape<4>
    %size = tosa.const_shape {values = dense<[1, 4, 4, 8]> : tensor<4xindex>}
           : () -> !tosa.shape<4>
    %1 = tosa.slice %x, %start, %size
       : (tensor<1x5x4x8xf32>, !tosa.shape<4>, !tosa.shape<4>)
           -> tensor<1x4x4x8xf32>
    %0 = tosa.max_pool2d %1 {kernel = array<i64: 2, 2>,
           pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
       : (tensor<1x4x4x8xf32>) -> tensor<1x2x2x8xf32>
    ```
  }];
  let statistics = [
    Statistic<"numLowered", "ops-lowered", "Pooling operations lowered">
  ];
  let dependentDialects = [
    "::mlir::tensor::TensorDialect", "::mlir::tosa::TosaDialect"
  ];
}

#endif // POOL_CONVERSION_PASSES_TD
