// The operations of the pool dialect. Their rules are in Support/WindowRules
// and TypeInference; the labels of the constraints, such as Window.C8, stand here,
// at the checks and in the names of the tests.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_POOLOPS_TD
#define POOL_DIALECT_POOL_IR_POOLOPS_TD

include "pool/Dialect/Pool/IR/PoolOpBase.td"
include "mlir/Interfaces/TilingInterface.td"

//===----------------------------------------------------------------------===//
// Window operations
//===----------------------------------------------------------------------===//

/// An operation that reduces windows of one input.
class Pool_WindowOp<string mnemonic, list<Trait> traits = [],
                    TypeConstraint inputType = Pool_Tensor>
    : Pool_RuleOp<mnemonic, !listconcat(traits, [
        DeclareOpInterfaceMethods<Pool_WindowOpInterface, ["createWindowForm"]>,
        DeclareOpInterfaceMethods<TilingInterface, [
          "getIterationDomain", "getLoopIteratorTypes",
          "getTiledImplementation", "getResultTilePosition",
          "generateResultTileValue"]>])> {
  dag windowArguments = !con((ins inputType:$input), Pool_WindowProperties);

  string windowDefinition = ruleDefinition # [{
    ::mlir::Speculation::Speculatability $cppClass::getSpeculatability() {
      return ::mlir::pool::detail::getWindowSpeculatability(*this);
    }
    void $cppClass::generateRuntimeVerification(
        ::mlir::OpBuilder &b, ::mlir::Location loc,
        ::llvm::function_ref<std::string(::mlir::Operation *, ::llvm::StringRef)>
            generateErrorMessage) {
      ::mlir::pool::detail::generateWindowChecks(b, loc, *this,
                                                 generateErrorMessage);
    }
    ::llvm::LogicalResult $cppClass::reifyResultShapes(
        ::mlir::OpBuilder &b,
        ::mlir::ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
      return ::mlir::pool::detail::reifyWindowShape(b, *this,
                                                    reifiedReturnShapes);
    }
    void $cppClass::populateBoundsForShapedValueDim(
        ::mlir::Value value, int64_t dim,
        ::mlir::ValueBoundsConstraintSet &cstr) {
      ::mlir::pool::detail::populateWindowBounds(*this, value, dim, cstr);
    }
    ::llvm::SmallVector<::mlir::Range> $cppClass::getIterationDomain(
        ::mlir::OpBuilder &b) {
      return ::mlir::pool::detail::getOutputDomain(b, *this);
    }
    ::llvm::SmallVector<::mlir::utils::IteratorType>
    $cppClass::getLoopIteratorTypes() {
      return ::llvm::SmallVector<::mlir::utils::IteratorType>(
          getWindow().getRank(), ::mlir::utils::IteratorType::parallel);
    }
    ::mlir::FailureOr<::mlir::TilingResult> $cppClass::getTiledImplementation(
        ::mlir::OpBuilder &b, ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes) {
      return ::mlir::pool::detail::createTile(b, *this, offsets, sizes);
    }
    ::mlir::FailureOr<::mlir::TilingResult> $cppClass::generateResultTileValue(
        ::mlir::OpBuilder &b, unsigned resultNumber,
        ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes) {
      return ::mlir::pool::detail::createTile(b, *this, offsets, sizes,
                                              resultNumber);
    }
  }];

  let extraClassDeclaration = ruleDeclaration;
  let extraClassDefinition = windowDefinition;
}

/// An operation that chooses an element of each window by `reduction`. What is
/// never chosen, and so the default of padding, is `neverChosen`.
class Pool_ExtremumPoolOp<string mnemonic, string reduction, string neverChosen>
    : Pool_WindowOp<mnemonic, [
        Pool_InferRanges, Pool_ExtremumOpInterface],
        Pool_QuantizableTensor> {
  let arguments = !con(windowArguments, (ins
    DefaultValuedProp<Pool_I64Prop, "0">:$axis,
    Pool_PadValueProp<neverChosen>:$pad_value,
    Pool_NanModeProp:$nan_mode));
  let results = (outs Pool_QuantizableTensor:$values,
                      Optional<Pool_IndexTensor>:$indices);
  let assemblyFormat = "$input" #
    Pool_WindowClauses<["axis", "pad_value", "nan_mode"]>.format # [{
    `:` type($input) `->` type($values) (`,` type($indices)^)?
  }];
  let hasFolder = 1;
  let builders = [
    /// Infers the result types; indices of `indexElementType` unless null.
    OpBuilder<(ins "::mlir::Value":$input, "const Properties &":$properties,
                   CArg<"::mlir::Type", "{}">:$indexElementType), [{
      $_state.addOperands(input);
      $_state.getOrAddProperties<Properties>() = properties;
      ::mlir::pool::detail::addInferredTypes($_builder, $_state,
                                             indexElementType);
    }]>
  ];
  let extraClassDeclaration = ruleDeclaration # [{
    static constexpr ::mlir::pool::Reduction getReduction() {
      return ::mlir::pool::Reduction::}] # reduction # [{;
    }
    static ::mlir::pool::ExtremumModes getModes(const Properties &properties) {
      return ::mlir::pool::detail::viewModes(properties, properties.pad_value);
    }
    ::mlir::pool::ExtremumModes getModes() { return getModes(getProperties()); }
    /// `axis` counted from the first dimension.
    int64_t getNormalizedAxis() {
      return ::mlir::pool::detail::normalizeAxis(getAxis(),
                                                 getWindow().getRank());
    }
  }];
  let extraClassDefinition = windowDefinition # [{
    ::llvm::FailureOr<::mlir::RankedTensorType> $cppClass::inferRule(
        ::mlir::pool::ErrorFn emitError, ::mlir::TensorType input,
        const Properties &properties, ::mlir::Type indexElementType) {
      return ::mlir::pool::inferExtremumPool(
          emitError, input, ::mlir::pool::detail::viewWindow(properties),
          getReduction(), getModes(properties), indexElementType);
    }
    void $cppClass::normalize(Properties &properties) {
      ::mlir::pool::detail::normalizeExtremum(*this, properties);
    }
    ::llvm::LogicalResult $cppClass::fold(
        FoldAdaptor, ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &results) {
      return ::mlir::pool::detail::foldExtremum(*this, results);
    }
    ::mlir::TilingResult $cppClass::createWindowForm(
        ::mlir::OpBuilder &b, ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes) {
      return ::mlir::pool::detail::createExtremumForm(b, *this, offsets, sizes);
    }
    void $cppClass::inferResultRangesFromOptional(
        ::llvm::ArrayRef<::mlir::IntegerValueRange> argRanges,
        ::mlir::SetIntLatticeFn setResultRanges) {
      ::mlir::pool::detail::inferExtremumRanges(*this, argRanges,
                                                setResultRanges);
    }
  }];
}

def Pool_MaxPoolOp : Pool_ExtremumPoolOp<"max_pool", "Max", "NegInf"> {
  let summary = "largest element of each window, and where it is";
  let description = [{
    OpenVINO MaxPool-1, -8 and -14, BNNS maximum pooling, ONNX and PyTorch
    MaxPool.

    ## Semantics

    Each element of `values` is the largest element of its window. Padding and
    overhang count as minus infinity (the smallest value of an integer type),
    or as zero with `pad_value = zero`. A window of padding alone gives the
    padding value. The maximum of nothing but -inf is -inf.

    `nan_mode = ignore` takes the largest element that is not NaN, -inf if there
    is none; `propagate` gives NaN if the window holds one. Neither depends on
    the order of the elements. -0 and +0 are equal; which of them is returned is
    free.

    Each element of `indices` is the position of the chosen element in the input
    as stored, flattened over `dims[axis:]`, padding not counted. Among equal
    elements the first in row-major order of the window is chosen; under
    `propagate` the first NaN. Where nothing is chosen, all elements being NaN
    under `ignore`, it is the window's first element inside the input; for a
    window of padding alone, 0.

    The second result is optional; type inference gives the values alone.

    A uniform quantised type passes through: the largest of the stored values.

    ## Constraints

    Window.C1 to Window.C11, Quant.C1, Quant.C2 and

    - (Extremum.C1) `axis` lies in [-R, R - 1] for an input of rank R.
    - (Extremum.C2) Indices can name every position: the product of
      `dims[axis:]` is at most 2^31 for i32 and fits a 64-bit integer for i64.
      So does the number of elements of one image, all dimensions but the batch.
    - (Extremum.C3) Indices need the `pad_value` that is never chosen:
      `neg_inf`, for `pool.min_pool` `pos_inf`.
    - (Extremum.C4) `pad_value` is the one that is never chosen, or `zero`.

    ## Examples

    ```mlir
    // A ResNet stem.
    %0 = pool.max_pool %x kernel [3, 3] strides [2, 2]
           pads_begin [1, 1] pads_end [1, 1]
       : tensor<1x64x112x112xf32> -> tensor<1x64x56x56xf32>

    // Values and positions within each plane, of an image of any size.
    %v, %i = pool.max_pool %y kernel [2, 2] strides [2, 2] rounding_type ceil
               axis 2
       : tensor<?x3x?x?xf32> -> tensor<?x3x?x?xf32>, tensor<?x3x?x?xi64>
    ```
  }];
}

def Pool_MinPoolOp : Pool_ExtremumPoolOp<"min_pool", "Min", "PosInf"> {
  let summary = "smallest element of each window, and where it is";
  let description = [{
    `pool.max_pool` with the order reversed.

    ## Semantics

    Each element of `values` is the smallest element of its window. Padding and
    overhang count as plus infinity (the largest value of an integer type), or
    as zero with `pad_value = zero`. A window of padding alone gives the padding
    value. The minimum of nothing but +inf is +inf.

    `nan_mode = ignore` takes the smallest element that is not NaN, +inf if
    there is none; `propagate` gives NaN if the window holds one. Neither
    depends on the order of the elements. -0 and +0 are equal; which of them is
    returned is free.

    Each element of `indices` is the position of the chosen element, as in
    `pool.max_pool`: among equal elements of the first in row-major order of the
    window, under `propagate` of the first NaN. Where nothing is chosen, all
    elements being NaN under `ignore`, it is that of the window's first element
    inside the input; for a window of padding alone, 0.

    The second result is optional; type inference gives the values alone.

    A uniform quantised type passes through: the smallest of the stored values.

    ## Constraints

    Window.C1 to Window.C11, Quant.C1, Quant.C2, and Extremum.C1 to Extremum.C4
    of `pool.max_pool`.

    ## Examples

    ```mlir
    // An erosion by a square.
    %0 = pool.min_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
       : tensor<1x1x480x640xui8> -> tensor<1x1x480x640xui8>

    // Values and positions within each plane, of an image of any size.
    %v, %i = pool.min_pool %y kernel [2, 2] strides [2, 2] rounding_type ceil
               axis 2
       : tensor<?x3x?x?xf32> -> tensor<?x3x?x?xf32>, tensor<?x3x?x?xi64>
    ```
  }];
}

def Pool_AvgPoolOp : Pool_WindowOp<"avg_pool", [Pool_InferRanges],
                                   Pool_QuantizableTensor> {
  let summary = "average of each window";
  let description = [{
    OpenVINO AvgPool-1, -14 and -16, nGraph AvgPool, BNNS average pooling, ONNX
    and PyTorch AveragePool, TOSA avg_pool2d.

    ## Semantics

    Each element of the result is the sum of its window over a divisor. Padding
    and overhang add nothing to the sum. `divisor` says which positions are
    counted:

    | divisor | counts | is |
    |---|---|---|
    | `valid` | elements inside the input | nGraph include=false, OpenVINO exclude-pad=true, ONNX and PyTorch count_include_pad=false, TOSA |
    | `padded` | those and the padding, not the overhang of ceil | ONNX and PyTorch count_include_pad=true |
    | `kernel` | every position | nGraph include=true, OpenVINO exclude-pad=false with any pad non-zero |

    `divisor_override` (PyTorch) replaces the count; 1 makes it a sum. It may be
    negative: `integer_rounding` is that of the quotient, -5 / -2 is 2.5.

    Floats: f16 and bf16 accumulate in f32. NaN and infinities propagate. Where
    only run time knows that a window counts nothing, its average is 0/0, NaN.

    Integers: the exact sum, divided exactly, rounded to the nearest integer,
    halves to even (`integer_rounding = half_even`: 2.5 gives 2, -2.5 gives
    -2), up (`half_up`: 2.5 gives 3, -2.5 gives -2) or away from zero
    (`half_away`: 2.5 gives 3, -2.5 gives -3, as TOSA and TFLite compute).
    `input_zp` and `output_zp` are the zero points of a quantised average as
    TOSA defines it: the sum is of `x - input_zp`, `output_zp` is added to the
    rounded quotient. The result saturates. A window that counts nothing gives
    `output_zp`.

    Uniform quantised types: the integer average of the stored values with the
    zero points of the types, padding counting as the input's. Where the
    parameters of the two types differ, it is the average in the parameters of
    the input, saturated, and then rescaled as by `tosa.rescale`: multiplied by
    the ratio of the scales in fixed point (a 32-bit multiplier and a shift),
    rounded to nearest with halves up, moved to the output's zero point and
    saturated.

    ## Constraints

    Window.C1 to Window.C11, Quant.C3 to Quant.C6 and

    - (Average.C1) `divisor_override` is not 0.
    - (Average.C2) `input_zp` and `output_zp` are values of the element type.
      They are 0 for floats, and for quantised types, which have their own.
    - (Average.C3) Without `divisor_override`, every window counts something:
      under `valid` no window lies in padding alone, under `padded` none in
      overhang alone. Where an extent is dynamic this is not required.

    ## Examples

    ```mlir
    %0 = pool.avg_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
           divisor kernel
       : tensor<1x768x17x17xf32> -> tensor<1x768x17x17xf32>

    // TensorFlow's SAME on a channels-last image of any size.
    %1 = pool.avg_pool %y kernel [2, 2] strides [2, 2] auto_pad same_upper
           same_output strided layout channels_last
       : tensor<?x?x?x3xui8> -> tensor<?x?x?x3xui8>
    ```
  }];
  let arguments = !con(windowArguments, (ins
    Pool_DivisorProp:$divisor,
    OptionalAttr<I64Attr>:$divisor_override,
    Pool_IntegerRoundingProp:$integer_rounding,
    DefaultValuedProp<Pool_I64Prop, "0">:$input_zp,
    DefaultValuedProp<Pool_I64Prop, "0">:$output_zp));
  let results = (outs Pool_QuantizableTensor:$output);
  let assemblyFormat = "$input" # Pool_WindowClauses<[
      "divisor", "divisor_override", "integer_rounding", "input_zp", "output_zp"
    ]>.format # [{
    `:` type($input) `->` type($output)
  }];
  let hasFolder = 1;
  let extraClassDeclaration = ruleDeclaration # [{
    /// Overrides WindowAttrsOpInterface: `padded` counts padding, not overhang.
    bool distinguishesOverhang();
    ::mlir::pool::AverageModes getModes() {
      return ::mlir::pool::detail::viewAverageModes(getProperties());
    }
  }];
}

def Pool_LpPoolOp : Pool_WindowOp<"lp_pool", [], Pool_FloatTensor> {
  let summary = "p-norm of each window";
  let description = [{
    BNNS L2 pooling, ONNX and PyTorch LpPool.

    ## Semantics

    Each element of the result is `(sum |x|^p)^(1/p)` over its window. Padding
    and overhang add nothing, so that a window of them alone gives 0. f16 and
    bf16 accumulate in f32. NaN and infinities propagate.

    ## Constraints

    Window.C1 to Window.C11 and

    - (Lp.C1) `p` is at least 1.

    ## Examples

    ```mlir
    %0 = pool.lp_pool %x kernel [3, 3] strides [2, 2]
       : tensor<1x64x112x112xf32> -> tensor<1x64x55x55xf32>

    %1 = pool.lp_pool %y kernel [2] p 1 : tensor<?x8x?xf16> -> tensor<?x8x?xf16>
    ```
  }];
  let arguments = !con(windowArguments, (ins
    DefaultValuedProp<Pool_I64Prop, "2">:$p));
  let results = (outs Pool_FloatTensor:$output);
  let assemblyFormat = "$input" # Pool_WindowClauses<["p"]>.format # [{
    `:` type($input) `->` type($output)
  }];
}

#endif // POOL_DIALECT_POOL_IR_POOLOPS_TD
