// Conversions from and to the pool dialect.
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
    Lowers every pooling operation on ranked tensors, static or dynamic, to
    linalg ops that upstream passes tile, fuse, bufferise and lower further.

    Padding and overhang become a `tensor.pad`, so that nothing outside the
    input is read. The reduction is a named op (`linalg.pooling_nchw_max`,
    `linalg.pooling_nhwc_sum`, ...) where upstream has one with exactly these
    semantics: maxima of signless integers, maxima of floats under
    `nan_mode = propagate`, sums. Else it is a `linalg.generic`. Averages and
    indices are finished by an elementwise `linalg.generic`.

    Adaptive pooling is lowered as an ordinary operation where its windows are
    those of one, and reduces the input as it stands where one window spans an
    unknown extent. Else it reduces over the positions of the largest window,
    reading the input at positions that it computes.

    max_unpool and the gradients become scf.for loops in row-major order over
    the tensor that they read, which carry the one that they write and bufferise
    in place. A position is checked before it is written.

    Signed and unsigned integers appear as signless ones within the regions,
    behind `builtin.unrealized_conversion_cast`, which the conversion to LLVM
    removes. Ops that are not pooling operations are left as they are. An
    unranked input is an error; so is a pool.window_reduce on buffers, which
    `convert-pool-to-loops` lowers.

    With `keep-windows` operations that have a window form, and
    `pool.window_reduce` itself, are left as that: what `one-shot-bufferize` and
    then `convert-pool-to-affine` or `convert-pool-to-loops` take.

    What each operation was lowered to is a remark of the passed kind and of the
    category `convert-pool-to-linalg` (`--remarks-filter`), with the reason where
    it is not a named op.

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
           "Insert a cf.assert before each operation for what the verifier "
           "could not know because an extent is dynamic">,
    Option<"keepWindows", "keep-windows", "bool", /*default=*/"false",
           "Leave operations that have a window form in it, as "
           "pool.window_reduce">
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
    operations, and the average over all spatial positions, which TOSA spells as
    `tosa.reduce_sum` along each of them and a `tosa.mul`, to one whose window
    is the whole extent. Other operations of TOSA are left for upstream's
    passes.

    - `tosa.max_pool2d` becomes `pool.max_pool` with the `nan_mode` of the same
      name. Under IGNORE the two differ for a window of nothing but NaN, which
      gives NaN in TOSA and -inf here. A `tosa.maximum` with -inf that ignores
      NaN takes this difference away, and is dropped.
    - `tosa.avg_pool2d` of floats becomes `pool.avg_pool` where it accumulates
      as that does: in f32 for f16, bf16 and f32.
    - `tosa.avg_pool2d` of i8 and i16, with constant zero points, becomes
      `pool.avg_pool` with `integer_rounding = half_away`: TOSA multiplies by a
      rounded reciprocal, which takes an exact half away from zero. Where no
      quotient can be a negative half, because every window has an odd number of
      elements or because `input_zp` is the smallest value of the type, it is
      `half_up`, which is the same there and cheaper. It is left alone where sums
      may reach 2^29, from where on TOSA's quotient is not the nearest integer.
    - An average over all positions of two or more spatial dimensions is one
      operation if the reciprocal that it multiplies by is exact, a power of
      two. Else its sum is raised, with `divisor_override = 1`, and the
      multiplication stays. The sum of floats is reassociated, as TOSA allows.

    What is left alone is a missed-optimisation remark of the category
    `convert-tosa-to-pool` that says why (`--remarks-filter`).

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
    any `linalg.generic` with the indexing maps and the body of one. Each becomes
    one pooling operation where that computes the same, together with what front
    ends put around it:

    - A `tensor.pad` of the spatial dimensions by static amounts becomes the
      window's padding: of a maximum if it pads with -inf, the smallest integer,
      zero (`pad_value = zero`) or anything not above the initial value; of a
      minimum with the order reversed; of a sum if it pads with zero. Padding that no window reaches, as front ends
      add it for ceil, is left out.
    - The initial value, a `linalg.fill` or a splat constant, is the identity of
      the reduction. A maximum that starts from anything else, such as the
      lowest finite float, which the maximum of -inf alone must not be below,
      keeps it as an elementwise maximum after the pooling. A sum that does not
      start from zero is left alone.
    - A sum that has the division of an average as its one user becomes, with
      it, `pool.avg_pool`. The divisor is a constant, or integer arithmetic over
      `linalg.index` of any form: it is evaluated for each output and compared
      with the counts of `divisor = valid`, `kernel` and, with the end pads and
      the ceil rounding that it implies, `padded`. A constant that is none of
      them becomes `divisor_override`. Multiplying by a constant is dividing if
      the constant is a power of two; else it rounds differently, and is not
      taken for it.
    - Any other sum becomes `pool.avg_pool` with `divisor_override = 1`, whose
      division stays.
    - The sum over all positions of two or more spatial dimensions is raised as
      part of an average by their number alone.

    Float maxima and minima propagate NaN, those of `arith.maxnumf` and
    `arith.minnumf` ignore it. Which zero a maximum of -0 and +0 returns is free
    in a pooling operation, and in what order a sum is made. An f16 or bf16 average is raised if it is summed in f32
    and divided before it is rounded.

    Left alone are sums of integers, which wrap where `pool.avg_pool` saturates,
    reductions into a wider type, windows of dynamic extents and operations on
    buffers. `linalg.pooling_*_max_unsigned` and `_min_unsigned` of signless
    integers are raised between two elementwise casts of the sign. A dynamic output extent
    that is not evidently the rule's is kept by a `tensor.extract_slice`.

    What is left alone, and why, is a missed-optimisation remark of the category
    `convert-linalg-to-pool`; what an operation was raised to, and why not to an
    average, one of the passed kind (`--remarks-filter`).

    For example, an average without padding in its count,

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
    `tosa.max_pool2d` and `tosa.avg_pool2d`. Any operation of the pool dialect
    that TOSA has no counterpart for is an error that says why, and then nothing
    is changed.

    - A channels-first operation is transposed before and after.
    - TOSA's windows cover the padded input exactly. Padding that no window
      covers is left out, overhang becomes padding, and what no window reads at
      the end of the input is cut off by `tosa.slice`. A spatial extent may be
      dynamic where the stride is 1.
    - Padding that an average counts (`divisor = kernel`, or `padded` without
      overhang) and zero padding of a maximum (`pad_value = zero`) become a
      `tosa.pad`. Other padding is less than the kernel, as TOSA requires.
    - `divisor_override` is accepted where it is the number of elements of every
      window.
    - Elements are f16, bf16, f32, i8 or i16; averages accumulate in f32 or i32.
    - Averages of integers are accepted where TOSA's division gives the same: no
      sum reaches 2^29, and under `half_up` no quotient is a negative half, under
      `half_even` none is a half. See `convert-tosa-to-pool`.
    - `nan_mode` becomes TOSA's of the same name. Under `ignore` a window of
      nothing but NaN gives -inf here and NaN in TOSA: a `tosa.maximum` with -inf
      that ignores NaN makes it -inf.

    Refused are dilation, indices, and all other operations.

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
