// The operations that write or add elements where an index or a window says:
// the inverse of a maximum, and the gradients.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_POOLSCATTEROPS_TD
#define POOL_DIALECT_POOL_IR_POOLSCATTEROPS_TD

include "pool/Dialect/Pool/IR/PoolOpBase.td"
include "mlir/Interfaces/TilingInterface.td"

class Pool_ScatterOp<string mnemonic, list<Trait> traits = []>
    : Pool_Op<mnemonic, !listconcat(traits, Pool_ValueTraits, [
        DeclareOpInterfaceMethods<TilingInterface, [
          "getIterationDomain", "getLoopIteratorTypes",
          "getTiledImplementation", "getResultTilePosition",
          "generateResultTileValue"]>])> {
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = Pool_NormalizeDeclaration;

  string scatterDefinition = Pool_CommonDefinition # [{
    ::llvm::SmallVector<::mlir::Range> $cppClass::getIterationDomain(
        ::mlir::OpBuilder &b) {
      return ::mlir::pool::detail::getResultDomain(b, *this);
    }
    ::llvm::SmallVector<::mlir::utils::IteratorType>
    $cppClass::getLoopIteratorTypes() {
      return ::mlir::pool::detail::getParallelLoops(*this);
    }
    ::mlir::FailureOr<::mlir::TilingResult> $cppClass::getTiledImplementation(
        ::mlir::OpBuilder &b, ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes) {
      return ::mlir::pool::detail::createScatterTile(b, *this, offsets, sizes);
    }
    ::mlir::FailureOr<::mlir::TilingResult> $cppClass::generateResultTileValue(
        ::mlir::OpBuilder &b, unsigned,
        ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes) {
      return getTiledImplementation(b, offsets, sizes);
    }
  }];
  let extraClassDefinition = scatterDefinition;
}

def Pool_MaxUnpoolOp : Pool_ScatterOp<"max_unpool", [Pool_InferRanges]> {
  let summary = "each value at its index, zero elsewhere";
  let description = [{
    BNNS UnMax pooling, ONNX and PyTorch MaxUnpool: the partial inverse of
    `pool.max_pool`, whose two results it takes.

    ## Semantics

    The result is a tensor of zeros of the declared shape, in which each element
    of `values` is written at its index. The index is a position flattened over
    `dims[axis:]` of the result; in the dimensions before `axis`, whose extents
    therefore agree, the element keeps its own position. With `axis = 0`, the
    default, an index names a position of the whole result.

    A position that is named twice holds the last of its values in row-major
    order. Values and indices that come from `pool.max_pool` agree wherever
    windows overlap, so that the order does not show there. An index that names
    no position (negative, or too large) writes nothing; it is an error where
    run-time checks are generated, before anything is written.

    The extents of the result are its type's; each `?` of the type takes one
    operand of `dynamic_extents`, in order.

    An `axis` after the first spatial dimension says that elements do not move
    in the spatial dimensions before it. This inverts a `pool.max_pool` of the
    same `axis` only where its windows have one element there.

    It is tiled in the dimensions before `axis`.

    ## Constraints

    - (Unpool.C1) `values`, `indices` and the result have the same rank R, at
      least 3, where they are ranked; they have no encoding.
    - (Unpool.C2) There is one operand in `dynamic_extents` for each `?` of the
      result.
    - (Unpool.C3) `values` and `indices` have the same extents.
    - (Unpool.C4) `axis` lies in [-R, R - 1].
    - (Unpool.C5) In the dimensions before `axis`, `values` and the result have
      the same extents.
    - (Unpool.C6) Indices can name every position: the product of the result's
      `dims[axis:]` is a 64-bit signed integer, and at most 2^31 for indices of
      type i32.
    - (Unpool.C7) Extents are at least 1, but the first dimension, the batch,
      may be empty.
    - (Unpool.C8) The result has the element type of `values`.

    Extents that are not known are checked when the program runs, where a
    lowering is asked to.

    ## Examples

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
    Pool_Tensor:$values,
    Pool_IndexTensor:$indices,
    Variadic<Index>:$dynamic_extents,
    DefaultValuedProp<Pool_I64Prop, "0">:$axis);
  let results = (outs Pool_RankedTensor:$output);
  let assemblyFormat =
    "$values `,` $indices (`extents` `(` $dynamic_extents^ `)`)?" #
    Pool_Clauses<"", ["axis"]>.format # [{
    `:` type($values) `,` type($indices) `->` type($output)
  }];
  let extraClassDeclaration = Pool_NormalizeDeclaration # [{
    /// `axis` counted from the first dimension.
    int64_t getNormalizedAxis();
    /// The extents of the result: attributes, and operands for each `?`.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes();
  }];
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// The gradient of an operation that chooses by `reduction`.
class Pool_ExtremumGradOp<string mnemonic, string reduction>
    : Pool_ScatterOp<mnemonic, [
        Pool_ExtremumGradOpInterface, InferTypeOpAdaptorWithIsCompatible]> {
  let arguments = !con((ins
    Pool_FloatTensor:$input,
    Pool_FloatTensor:$output_grad,
    Optional<Pool_IndexTensor>:$indices), Pool_WindowProperties, (ins
    DefaultValuedProp<Pool_I64Prop, "0">:$axis,
    Pool_NanModeProp:$nan_mode));
  let results = (outs Pool_FloatTensor:$input_grad);
  let assemblyFormat = "$input `,` $output_grad (`,` $indices^)?" #
    Pool_WindowClauses<["axis", "nan_mode"]>.format # [{
    `:` type($input) `,` type($output_grad) (`,` type($indices)^)?
    `->` type($input_grad)
  }];
  let hasFolder = 1;
  let extraClassDeclaration = Pool_NormalizeDeclaration # [{
    static constexpr ::mlir::pool::Reduction getReduction() {
      return ::mlir::pool::Reduction::}] # reduction # [{;
    }
    /// `axis` counted from the first dimension.
    int64_t getNormalizedAxis() {
      return ::mlir::pool::detail::normalizeAxis(getAxis(),
                                                 getWindow().getRank());
    }
  }];
  let extraClassDefinition = scatterDefinition # [{
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
    void $cppClass::generateRuntimeVerification(
        ::mlir::OpBuilder &b, ::mlir::Location loc,
        ::llvm::function_ref<std::string(::mlir::Operation *, ::llvm::StringRef)>
            generateErrorMessage) {
      ::mlir::pool::detail::generateExtremumGradChecks(b, loc, *this,
                                                       generateErrorMessage);
    }
    ::llvm::LogicalResult $cppClass::reifyResultShapes(
        ::mlir::OpBuilder &b,
        ::mlir::ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
      return ::mlir::pool::detail::reifyInputShape(b, *this,
                                                   reifiedReturnShapes);
    }
    void $cppClass::populateBoundsForShapedValueDim(
        ::mlir::Value value, int64_t dim,
        ::mlir::ValueBoundsConstraintSet &cstr) {
      if (::llvm::isa<::mlir::RankedTensorType>(getInput().getType()))
        cstr.bound(value)[dim] == cstr.getExpr(getInput(), dim);
    }
  }];
}

def Pool_MaxPoolGradOp : Pool_ExtremumGradOp<"max_pool_grad", "Max"> {
  let summary = "gradient of a maximum with respect to its input";
  let description = [{
    nGraph MaxPoolBackprop, ONNX and PyTorch's gradient of MaxPool.

    ## Semantics

    The result has the input's shape. Each element of `output_grad` is added at
    the position that its window chose; what no window chose is zero. Where
    windows overlap, gradients accumulate: f16 and bf16 in f32, rounded once.

    Without `indices` the choice is that of `pool.max_pool` with indices on
    `input`: the first among equal elements in row-major order of the window;
    under `nan_mode = propagate` the first NaN; under `ignore` the window's
    first element inside the input, if all are NaN. `axis` has no effect.

    `indices` are those of `pool.max_pool` with the same window and `axis`, and
    save the recomputation: positions in the input, flattened over
    `dims[axis:]`, in the dimensions before `axis` the gradient's own. An index
    that names no position (negative, or too large) adds nothing; it is an error
    where run-time checks are generated, before anything is added. An index that
    names a position outside its window is not looked for.

    A window of padding alone contributes nothing, whatever its index.

    There is no `pad_value`: where padding counts as a number, a window may
    choose it, and no index says so.

    A tile is cut out of the gradient of a larger part of the input. With
    indices, only dimensions before `axis` are tiled; where `auto_pad` is
    `same_*`, spatial dimensions only if all their extents are known.

    ## Constraints

    Window.C1 to Window.C10, and of `pool.max_pool` Extremum.C1, Extremum.C2
    (also where indices are recomputed, as i64), Quant.C1 and Quant.C2, and

    - (Grad.C1) `output_grad` has the extents of the rule, the element type of
      the input and no encoding.
    - (Grad.C2) The result has the type of the input. It may be less static,
      never different.
    - (Grad.C3) `indices` has the extents of the rule and of `output_grad`, and
      no encoding.
    - (Grad.C4) With indices, the window is one element, with stride 1 and no
      padding, in every spatial dimension before `axis`: there an index does not
      say which element was chosen.

    Extents that are not known are checked when the program runs, where a
    lowering is asked to.

    ## Examples

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
    `pool.max_pool_grad` for `pool.min_pool`.

    ## Semantics

    Each element of `output_grad` is added at the position that its window
    chose; what no window chose is zero. All else is as in
    `pool.max_pool_grad`: without `indices` the choice is that of
    `pool.min_pool` with indices on `input`, else it is theirs.

    ## Constraints

    All of `pool.max_pool_grad`, Grad.C1 to Grad.C4 among them.

    ## Examples

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
    nGraph AvgPoolBackprop, ONNX and PyTorch's gradient of AveragePool. It needs
    no input, only its shape, which is the result's.

    ## Semantics

    Each element of `output_grad`, over the divisor that `pool.avg_pool` has for
    its window, is added to every position inside the input that the window
    covers. What no window covers is zero. f16 and bf16 accumulate in f32,
    rounded once. A window that counts nothing contributes nothing.

    The extents of the result are its type's; each `?` of the type takes one
    operand of `dynamic_extents`, in order.

    A tile is cut out of a larger part of the result. Where `auto_pad` is
    `same_*`, spatial dimensions are tiled only if all their extents are known.

    ## Constraints

    With the result in the place of the input, Window.C1 to Window.C10,
    Average.C1 and Average.C3 of `pool.avg_pool`, Grad.C1 of
    `pool.max_pool_grad` and

    - (Grad.C5) There is one operand in `dynamic_extents` for each `?` of the
      result.

    Extents that are not known are checked when the program runs, where a
    lowering is asked to.

    ## Examples

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
    Pool_FloatTensor:$output_grad,
    Variadic<Index>:$dynamic_extents), Pool_WindowProperties, (ins
    Pool_DivisorProp:$divisor,
    OptionalAttr<I64Attr>:$divisor_override));
  let results = (outs Pool_RankedFloatTensor:$input_grad);
  let assemblyFormat = "$output_grad (`extents` `(` $dynamic_extents^ `)`)?" #
    Pool_WindowClauses<["divisor", "divisor_override"]>.format # [{
    `:` type($output_grad) `->` type($input_grad)
  }];
  let hasFolder = 1;
  let extraClassDeclaration = Pool_NormalizeDeclaration # [{
    ::mlir::pool::AverageModes getModes() {
      ::mlir::pool::AverageModes modes;
      modes.divisor = getDivisor();
      modes.divisorOverride = getDivisorOverride();
      return modes;
    }
    /// The extents of the result: attributes, and operands for each `?`.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes();
  }];
}

#endif // POOL_DIALECT_POOL_IR_POOLSCATTEROPS_TD
