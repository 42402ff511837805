// Defines max_unpool, which inverts a maximum, and the gradients. These
// operations write or add elements at positions that an index or a window
// gives.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_POOLSCATTEROPS_TD
#define POOL_DIALECT_POOL_IR_POOLSCATTEROPS_TD

include "pool/Dialect/Pool/IR/PoolOpBase.td"

class Pool_ScatterOp<string mnemonic, list<Trait> traits = []>
    : Pool_Op<mnemonic, !listconcat(traits, Pool_ValueTraits)> {
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = Pool_NormalizeDeclaration;
}

def Pool_MaxUnpoolOp : Pool_ScatterOp<"max_unpool", [Pool_InferRanges]> {
  let summary = "each value at its index, zero elsewhere";
  let description = [{
    Writes each value at its index into a tensor of zeros: the partial inverse
    of `pool.max_pool`, whose two results it takes. It is UnMax pooling of BNNS
    and MaxUnpool of ONNX and PyTorch.

    #### Semantics

    The result is a tensor of zeros of the declared shape into which each
    element of `values` is written at its index. The index is a position in the
    result, flattened over `dims[axis:]`. In the dimensions before `axis` the
    element keeps its own position, so the extents agree there. With `axis = 0`,
    the default, an index names a position of the whole result.

    If several indices name one position, the last of their values in row-major
    order is written. Values and indices from `pool.max_pool` agree where
    windows overlap, so the order does not matter for them. An index that names
    no position (negative, or too large) writes nothing. Run-time checks, if
    generated, report such an index as an error before anything is written.

    The type of the result gives its extents. Each `?` of the type takes one
    operand of `dynamic_extents`, in order.

    With an `axis` after the first spatial dimension, elements keep their
    positions in the spatial dimensions before it. This inverts a
    `pool.max_pool` of the same `axis` only if its windows have one element
    there.

    Tiling is possible in the dimensions before `axis`.

    #### Constraints

    - (Unpool.C1) `values`, `indices` and the result have no encoding, and are
      unranked or have the same rank R >= 3.
    - (Unpool.C2) There is one operand in `dynamic_extents` for each `?` of the
      result.
    - (Unpool.C3) `values` and `indices` have the same extents.
    - (Unpool.C4) `axis` lies in [-R, R - 1].
    - (Unpool.C5) In the dimensions before `axis`, `values` and the result have
      the same extents.
    - (Unpool.C6) Indices can name every position: the product of the result's
      `dims[axis:]` is a 64-bit signed integer, and at most 2^31 for indices of
      type i32.
    - (Unpool.C7) Every extent is at least 1, except that the first dimension,
      the batch, may be empty.
    - (Unpool.C8) The result has the element type of `values`.

    Constraints on dynamic extents are checked at run time, if run-time checks
    are generated (`pool-insert-runtime-checks`).

    #### Examples

    ```mlir
    // The inverse of a 2x2 maximum, with positions within each plane.
    %0 = pool.max_unpool %v, %i axis 2
       : tensor<1x8x16x16xf32>, tensor<1x8x16x16xi64> -> tensor<1x8x32x32xf32>

    // To an image of a size that is given at run time.
    %1 = pool.max_unpool %w, %j extents(%height, %width) axis 2
       : tensor<1x3x?x?xui8>, tensor<1x3x?x?xi32> -> tensor<1x3x?x?xui8>
    ```
  }];
  let arguments = (ins
    Arg<Pool_Tensor, "elements to write">:$values,
    Arg<Pool_IndexTensor, "position of each element in the result">:$indices,
    Variadic<Index>:$dynamic_extents,
    Pool_DefaultI64<"0", Pool_Axis>:$axis);
  let results = (outs Pool_RankedTensor:$output);
  let assemblyFormat =
    "$values `,` $indices (`extents` `(` $dynamic_extents^ `)`)?" #
    Pool_Clauses<"", ["axis"]>.format # [{
    `:` custom<Tensor>(type($values)) `,` type($indices) `->` type($output)
  }];
  let extraClassDeclaration = Pool_NormalizeDeclaration # [{
    /// Returns `axis` as a nonnegative number. In the attribute, a negative
    /// number counts from the end.
    int64_t getNormalizedAxis();
    /// Returns the extents of the result: an attribute for each static extent,
    /// and an operand of `dynamic_extents` for each `?`.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes();
  }];
}

def Pool_LargestIndexOp : Op<Pool_Dialect, "largest_index", [Pure]> {
  let summary = "the largest element of a tensor of indices";
  let description = [{
    Returns the largest element of `indices` as an unsigned number, and 0 if
    there is none. Elements of type i32 are sign-extended first. As an unsigned
    number, a negative index is larger than every valid one. So one comparison of
    the result with the number of positions checks all indices.

    Run-time checks of `pool.max_unpool` and the gradients create this operation.
    `convert-pool-to-vector` and `convert-pool-to-linalg` lower it to loops.

    #### Example

    ```mlir
    %largest = pool.largest_index %indices : tensor<1x8x?xi64>
    %inside = arith.cmpi ult, %largest, %positions : index
    ```
  }];
  let arguments = (ins RankedTensorOf<[Pool_IndexElement]>:$indices);
  let results = (outs Index:$largest);
  let assemblyFormat = "$indices attr-dict `:` type($indices)";
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// The gradient of max_pool if `reduction` is "Max", and of min_pool if it is
/// "Min".
class Pool_ExtremumGradOp<string mnemonic, string reduction>
    : Pool_ScatterOp<mnemonic, [
        Pool_ExtremumGradOpInterface, InferTypeOpAdaptorWithIsCompatible]> {
  let arguments = !con((ins
    Pool_FloatTensor:$input,
    Arg<Pool_FloatTensor, "gradient of the forward result">:$output_grad,
    Arg<Optional<Pool_IndexTensor>,
        "forward indices of the same axis, which save a second search">:$indices
  ), Pool_WindowProperties, (ins
    Pool_DefaultI64<"0", Pool_Axis>:$axis,
    Pool_NanModeProp:$nan_mode));
  let results = (outs Pool_FloatTensor:$input_grad);
  let assemblyFormat = "$input `,` $output_grad (`,` $indices^)?" #
    Pool_WindowClauses<["axis", "nan_mode"]>.format # [{
    `:` custom<Tensor>(type($input)) `,` type($output_grad) (`,` type($indices)^)?
    `->` type($input_grad)
  }];
  let hasFolder = 1;
  let extraClassDeclaration = Pool_NormalizeDeclaration # [{
    static constexpr ::mlir::pool::Reduction getReduction() {
      return ::mlir::pool::Reduction::}] # reduction # [{;
    }
    /// Returns `axis` as a nonnegative number. In the attribute, a negative
    /// number counts from the end.
    int64_t getNormalizedAxis() {
      return ::mlir::pool::normalizeAxis(getAxis(),
                                                 getWindow().getRank());
    }
  }];
  let extraClassDefinition = Pool_BytecodeDefinition # [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, std::optional<::mlir::Location>, Adaptor adaptor,
        ::llvm::SmallVectorImpl<::mlir::Type> &inferredReturnTypes) {
      inferredReturnTypes.push_back(adaptor.getInput().getType());
      return ::mlir::success();
    }
    bool $cppClass::isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                            ::mlir::TypeRange declared) {
      return inferred.size() == 1 && declared.size() == 1 &&
             ::mlir::pool::isLessStatic(declared[0], inferred[0]);
    }
    ::llvm::LogicalResult $cppClass::verify() {
      return ::mlir::pool::detail::verifyExtremumGradOp(*this);
    }
    void $cppClass::normalize(Properties &properties) {
      ::mlir::pool::detail::normalizeExtremumGrad(*this, properties);
    }
    void $cppClass::getCanonicalizationPatterns(
        ::mlir::RewritePatternSet &patterns, ::mlir::MLIRContext *) {
      ::mlir::pool::detail::populateExtremumGradPatterns<$cppClass>(patterns);
    }
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor) {
      return ::mlir::pool::detail::foldExtremumGrad(*this);
    }
    ::mlir::Speculation::Speculatability $cppClass::getSpeculatability() {
      return ::mlir::pool::detail::getExtremumGradSpeculatability(*this);
    }
  }];
}

def Pool_MaxPoolGradOp : Pool_ExtremumGradOp<"max_pool_grad", "Max"> {
  let summary = "gradient of a maximum with respect to its input";
  let description = [{
    Adds each output gradient at the position of the element that its window
    chose: the gradient of `pool.max_pool` with respect to its input. It is
    MaxPoolBackprop of nGraph and the gradient of MaxPool in ONNX and PyTorch.

    #### Semantics

    The result has the input's shape. Each element of `output_grad` is added at
    the position that its window chose; positions that no window chose are zero.
    Where windows overlap, gradients accumulate. f16 and bf16 accumulate in f32
    and are rounded once.

    Without `indices`, the operation repeats the choice of `pool.max_pool` on
    `input`. This is the first among equal elements in row-major order of the
    window; under `nan_mode = propagate`, the first NaN. If all elements are NaN
    under `ignore`, it is the window's first element inside the input. `axis`
    has no effect.

    With `indices`, no choice is recomputed. The indices come from a
    `pool.max_pool` with the same window and `axis`: positions in the input,
    flattened over `dims[axis:]`. In the dimensions before `axis` the gradient
    keeps its own position. An index that names no position (negative, or too
    large) adds nothing. Run-time checks, if generated, report such an index as
    an error before anything is added. They do not detect an index that names a
    position outside its window.

    A window that covers only padding contributes nothing, whatever its index.

    There is no `pad_value`: with zero padding a window may choose a padding
    position, and no index can express that.

    A tile is computed as the gradient of a larger part of the input and then
    extracted from it. With indices, only dimensions before `axis` are tiled. If
    `auto_pad` is `same_*`, spatial dimensions are tiled only if all their
    extents are known.

    #### Constraints

    Window.C1 to Window.C10, and of `pool.max_pool` Extremum.C1, Extremum.C2
    (also for recomputed indices, as i64), Quant.C1 and Quant.C2, and

    - (Grad.C1) `output_grad` has the window's output extents, the element type
      of the input and no encoding.
    - (Grad.C2) The result has the type of the input. It may be less static,
      never different.
    - (Grad.C3) `indices` has the window's output extents, as `output_grad` has,
      and no encoding.
    - (Grad.C4) With indices, the window is one element, with stride 1 and no
      padding, in every spatial dimension before `axis`. An index could not say
      which element was chosen there.

    Constraints on dynamic extents are checked at run time, if run-time checks
    are generated (`pool-insert-runtime-checks`).

    #### Examples

    ```mlir
    // A ResNet stem, backwards.
    %0 = pool.max_pool_grad %x, %g kernel [3, 3] strides [2, 2]
           pads_begin [1, 1] pads_end [1, 1]
       : tensor<1x64x112x112xf32>, tensor<1x64x56x56xf32>
       -> tensor<1x64x112x112xf32>

    // With positions within each plane that the maximum has kept.
    %1 = pool.max_pool_grad %y, %h, %i kernel [2, 2] strides [2, 2] axis 2
       : tensor<?x3x?x?xf16>, tensor<?x3x?x?xf16>, tensor<?x3x?x?xi32>
       -> tensor<?x3x?x?xf16>
    ```
  }];
}

def Pool_MinPoolGradOp : Pool_ExtremumGradOp<"min_pool_grad", "Min"> {
  let summary = "gradient of a minimum with respect to its input";
  let description = [{
    Adds each output gradient at the position of the element that its window
    chose: the gradient of `pool.min_pool` with respect to its input.

    #### Semantics

    The semantics are those of `pool.max_pool_grad`, with the choice of
    `pool.min_pool`: repeated on `input`, or given by `indices` that come from a
    `pool.min_pool`.

    #### Constraints

    All constraints of `pool.max_pool_grad`, including Grad.C1 to Grad.C4.

    #### Examples

    ```mlir
    %0 = pool.min_pool_grad %x, %g kernel [3, 3] strides [2, 2]
           pads_begin [1, 1] pads_end [1, 1]
       : tensor<1x64x112x112xf32>, tensor<1x64x56x56xf32>
       -> tensor<1x64x112x112xf32>

    // With positions within each plane that the minimum has kept.
    %1 = pool.min_pool_grad %y, %h, %i kernel [2, 2] strides [2, 2] axis 2
       : tensor<?x3x?x?xf16>, tensor<?x3x?x?xf16>, tensor<?x3x?x?xi32>
       -> tensor<?x3x?x?xf16>
    ```
  }];
}

def Pool_AvgPoolGradOp : Pool_ScatterOp<"avg_pool_grad", [
    DeclareOpInterfaceMethods<Pool_WindowAttrsOpInterface,
                              ["getWindowedType", "distinguishesOverhang"]>]> {
  let summary = "gradient of an average with respect to its input";
  let description = [{
    Divides each output gradient by the divisor of its window and adds it at
    every position that the window covers: the gradient of `pool.avg_pool` with
    respect to its input. It is AvgPoolBackprop of nGraph and the gradient of
    AveragePool in ONNX and PyTorch. The operation does not take the input; its
    shape is the result's.

    #### Semantics

    Each element of `output_grad` is divided by the divisor that `pool.avg_pool`
    uses for its window. The quotient is added at every position inside the
    input that the window covers. Positions that no window covers are zero. f16
    and bf16 accumulate in f32 and are rounded once. A window that counts
    nothing contributes nothing.

    The type of the result gives its extents. Each `?` of the type takes one
    operand of `dynamic_extents`, in order.

    A tile is computed as part of a larger result and then extracted from it. If
    `auto_pad` is `same_*`, spatial dimensions are tiled only if all their
    extents are known.

    #### Constraints

    Window.C1 to Window.C10 with the result in the place of the input,
    Average.C1 and Average.C3 of `pool.avg_pool`, Grad.C1 of
    `pool.max_pool_grad` and

    - (Grad.C5) There is one operand in `dynamic_extents` for each `?` of the
      result.

    Constraints on dynamic extents are checked at run time, if run-time checks
    are generated (`pool-insert-runtime-checks`).

    #### Examples

    ```mlir
    %0 = pool.avg_pool_grad %g kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
           divisor kernel
       : tensor<1x768x17x17xf32> -> tensor<1x768x17x17xf32>

    // An image of a size that is given at run time.
    %1 = pool.avg_pool_grad %h extents(%n, %height, %width) kernel [2, 2]
           strides [2, 2]
       : tensor<?x3x?x?xbf16> -> tensor<?x3x?x?xbf16>
    ```
  }];
  let arguments = !con((ins
    Arg<Pool_FloatTensor, "gradient of the forward result">:$output_grad,
    Variadic<Index>:$dynamic_extents), Pool_WindowProperties, (ins
    Pool_DivisorProp:$divisor,
    Pool_OptionalI64<Pool_DivisorOverride>:$divisor_override));
  let results = (outs Pool_RankedFloatTensor:$input_grad);
  let assemblyFormat = "$output_grad (`extents` `(` $dynamic_extents^ `)`)?" #
    Pool_WindowClauses<["divisor", "divisor_override"]>.format # [{
    `:` custom<Tensor>(type($output_grad)) `->` type($input_grad)
  }];
  let hasFolder = 1;
  let extraClassDeclaration = Pool_NormalizeDeclaration # [{
    ::mlir::pool::AverageModes getModes() {
      ::mlir::pool::AverageModes modes;
      modes.divisor = getDivisor();
      modes.divisorOverride = getDivisorOverride();
      return modes;
    }
    /// Returns the extents of the result: an attribute for each static extent,
    /// and an operand of `dynamic_extents` for each `?`.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes();
  }];
}

#endif // POOL_DIALECT_POOL_IR_POOLSCATTEROPS_TD
