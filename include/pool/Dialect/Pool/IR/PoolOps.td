// Defines the window operations of the pool dialect. Support/WindowRules and
// TypeInference compute their extents and types. Descriptions here and in
// PoolBase.td define the labels of the constraints, such as Window.C8.
// Diagnostics and tests name these labels.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_POOLOPS_TD
#define POOL_DIALECT_POOL_IR_POOLOPS_TD

include "pool/Dialect/Pool/IR/PoolOpBase.td"

//===----------------------------------------------------------------------===//
// Window operations
//===----------------------------------------------------------------------===//

/// An operation that reduces the windows of one input.
class Pool_WindowOp<string mnemonic, list<Trait> traits = [],
                    TypeConstraint inputType = Pool_Tensor>
    : Pool_RuleOp<mnemonic, !listconcat(traits, [
        DeclareOpInterfaceMethods<Pool_WindowOpInterface,
                                  ["getElementReduction"]>])> {
  dag windowArguments = !con((ins inputType:$input), Pool_WindowProperties);

  string windowDefinition = ruleDefinition # [{
    ::mlir::Speculation::Speculatability $cppClass::getSpeculatability() {
      return ::mlir::pool::detail::getWindowSpeculatability(*this);
    }
  }];

  let extraClassDeclaration = ruleDeclaration;
  let extraClassDefinition = windowDefinition;
}

/// An operation that chooses one element of each window: the greatest or the
/// least, as `reduction` says. `neverChosen` is the pad value that `reduction`
/// never chooses; it is the default of `pad_value`.
class Pool_ExtremumPoolOp<string mnemonic, string reduction, string neverChosen>
    : Pool_WindowOp<mnemonic, [
        Pool_InferRanges, Pool_ExtremumOpInterface],
        Pool_QuantizableTensor> {
  let arguments = !con(windowArguments, (ins
    Pool_DefaultI64<"0", Pool_Axis>:$axis,
    Pool_PadValueProp<neverChosen>:$pad_value,
    Pool_NanModeProp:$nan_mode));
  let results = (outs Pool_QuantizableTensor:$values,
                      Optional<Pool_IndexTensor>:$indices);
  let assemblyFormat = "$input" #
    Pool_WindowClauses<["axis", "pad_value", "nan_mode"]>.format # [{
    `:` custom<Tensor>(type($input)) `->` type($values) (`,` type($indices)^)?
  }];
  let hasFolder = 1;
  let builders = [
    /// Infers the result types. Adds indices unless `indexElementType` is null.
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
      return ::mlir::pool::viewModes(properties, properties.pad_value);
    }
    ::mlir::pool::ExtremumModes getModes() { return getModes(getProperties()); }
    /// Returns `axis` as a nonnegative number. In the attribute, a negative
    /// number counts from the end.
    int64_t getNormalizedAxis() {
      return ::mlir::pool::normalizeAxis(getAxis(),
                                                 getWindow().getRank());
    }
  }];
  let extraClassDefinition = windowDefinition # [{
    ::llvm::FailureOr<::mlir::RankedTensorType> $cppClass::inferRule(
        ::mlir::pool::ErrorFn emitError, ::mlir::TensorType input,
        const Properties &properties, ::mlir::Type indexElementType) {
      return ::mlir::pool::inferExtremumPool(
          emitError, input, ::mlir::pool::viewWindow(properties),
          getReduction(), getModes(properties), indexElementType);
    }
    void $cppClass::normalize(Properties &properties) {
      ::mlir::pool::detail::normalizeExtremum(*this, properties);
    }
    ::llvm::LogicalResult $cppClass::fold(
        FoldAdaptor, ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &results) {
      return ::mlir::pool::detail::foldExtremum(*this, results);
    }
    ::mlir::pool::ElementReduction $cppClass::getElementReduction() {
      return ::mlir::pool::detail::getExtremumReduction(*this);
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
    Returns the largest element of each window and optionally its index. It is
    MaxPool-1, -8 and -14 of OpenVINO, maximum pooling of BNNS, and MaxPool of
    ONNX and PyTorch.

    #### Semantics

    Each element of `values` is the largest element of its window. Padding and
    overhang count as minus infinity (the smallest value of an integer type), or
    as zero with `pad_value = zero`. A window that covers only padding gives the
    padding value. If all elements are -inf, the maximum is -inf.

    `nan_mode = ignore` takes the largest element that is not NaN, or -inf if
    there is none. `propagate` gives NaN if the window holds one. Neither
    depends on the order of the elements. -0 and +0 are equal; either of them
    may be returned.

    Each element of `indices` is the position of the chosen element in the
    stored input, flattened over `dims[axis:]`. Padding is not counted. Among
    equal elements the first in row-major order of the window is chosen; under
    `propagate`, the first NaN. If nothing is chosen because all elements are
    NaN under `ignore`, the index is that of the window's first element inside
    the input. For a window that covers only padding it is 0.

    The second result is optional; type inference gives only the values.

    A uniform quantised type stays as it is: the result is the largest stored
    value.

    #### Constraints

    Window.C1 to Window.C11, Quant.C1, Quant.C2 and

    - (Extremum.C1) `axis` lies in [-R, R - 1] for an input of rank R.
    - (Extremum.C2) Indices can name every position: the product of
      `dims[axis:]` is at most 2^31 for i32 and fits a 64-bit integer for i64.
      The number of elements of one image (all dimensions except the batch) fits
      a 64-bit integer.
    - (Extremum.C3) With indices, `pad_value` is the value that is never chosen:
      `neg_inf`, for `pool.min_pool` `pos_inf`.
    - (Extremum.C4) `pad_value` is `zero` or the value that is never chosen.

    #### Examples

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
    Returns the smallest element of each window and optionally its index:
    `pool.max_pool` with the order reversed.

    #### Semantics

    Each element of `values` is the smallest element of its window. Padding and
    overhang count as plus infinity (the largest value of an integer type), or
    as zero with `pad_value = zero`. A window that covers only padding gives the
    padding value. If all elements are +inf, the minimum is +inf.

    `nan_mode = ignore` takes the smallest element that is not NaN, or +inf if
    there is none. `propagate` gives NaN if the window holds one. Neither
    depends on the order of the elements. -0 and +0 are equal; either of them
    may be returned.

    Each element of `indices` is the position of the chosen element, as in
    `pool.max_pool`. Among equal elements the first in row-major order of the
    window is chosen; under `propagate`, the first NaN. If nothing is chosen
    because all elements are NaN under `ignore`, the index is that of the
    window's first element inside the input. For a window that covers only
    padding it is 0.

    The second result is optional; type inference gives only the values.

    A uniform quantised type stays as it is: the result is the smallest stored
    value.

    #### Constraints

    Window.C1 to Window.C11, Quant.C1, Quant.C2, and Extremum.C1 to Extremum.C4
    of `pool.max_pool`.

    #### Examples

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
    Returns the average of each window. It is AvgPool-1, -14 and -16 of
    OpenVINO, AvgPool of nGraph, average pooling of BNNS, AveragePool of ONNX
    and PyTorch, and avg_pool2d of TOSA.

    #### Semantics

    Each element of the result is the sum of its window divided by a count.
    Padding and overhang add nothing to the sum. `divisor` says which positions
    are counted:

    | divisor | counted positions | known as |
    |---|---|---|
    | `valid` | elements inside the input | nGraph include=false, OpenVINO exclude-pad=true, ONNX and PyTorch count_include_pad=false, TOSA |
    | `padded` | elements and padding, not the overhang of ceil | ONNX and PyTorch count_include_pad=true |
    | `kernel` | every position | nGraph include=true, OpenVINO exclude-pad=false with any pad non-zero |

    `divisor_override` (PyTorch) replaces the count; 1 gives the sum. It may be
    negative. `integer_rounding` applies to the quotient: -5 / -2 is 2.5.

    Floats: f16 and bf16 accumulate in f32. NaN and infinities propagate. A
    window of dynamic extents that counts nothing at run time gives 0/0, which
    is NaN.

    Integers: the sum is exact. The quotient is exact too, and then rounded to
    the nearest integer. Halves go to even (`integer_rounding = half_even`: 2.5
    gives 2, -2.5 gives -2), up (`half_up`: 2.5 gives 3, -2.5 gives -2) or away
    from zero (`half_away`: 2.5 gives 3, -2.5 gives -3, as TOSA and TFLite
    compute). `input_zp` and `output_zp` are the zero points of a quantised
    average as TOSA defines it: each element counts as `x - input_zp`, and
    `output_zp` is added to the rounded quotient. The result saturates. A window
    that counts nothing gives `output_zp`.

    Uniform quantised types: the result is the integer average of the stored
    values with the zero points of the types. Padding counts as the input's zero
    point. If the quantisation parameters of input and output differ, the
    average is computed with the parameters of the input, saturated, and then
    rescaled as by `tosa.rescale`. It is multiplied by the ratio of the scales
    in fixed point (a 32-bit multiplier and a shift) and rounded to nearest with
    halves up. Then the output's zero point is added, and the result saturates.

    #### Constraints

    Window.C1 to Window.C11, Quant.C3 to Quant.C6 and

    - (Average.C1) `divisor_override` is not 0.
    - (Average.C2) `input_zp` and `output_zp` are values of the element type.
      They are 0 for floats, and for quantised types, which have their own zero
      points.
    - (Average.C3) Without `divisor_override`, every window counts something:
      under `valid` no window covers only padding, under `padded` none covers
      only overhang. The verifier does not require this for a dynamic extent.

    #### Examples

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
    Pool_OptionalI64<Pool_DivisorOverride>:$divisor_override,
    Pool_IntegerRoundingProp:$integer_rounding,
    Pool_DefaultI64<"0", Pool_InputZp>:$input_zp,
    Pool_DefaultI64<"0", Pool_OutputZp>:$output_zp));
  let results = (outs Pool_QuantizableTensor:$output);
  let assemblyFormat = "$input" # Pool_WindowClauses<[
      "divisor", "divisor_override", "integer_rounding", "input_zp", "output_zp"
    ]>.format # [{
    `:` custom<Tensor>(type($input)) `->` type($output)
  }];
  let hasFolder = 1;
  let extraClassDeclaration = ruleDeclaration # [{
    /// Overrides the method of WindowAttrsOpInterface, because the divisor
    /// `padded` counts padding but not overhang.
    bool distinguishesOverhang();
    ::mlir::pool::AverageModes getModes() {
      return ::mlir::pool::viewAverageModes(getProperties());
    }
  }];
}

def Pool_LpPoolOp : Pool_WindowOp<"lp_pool", [], Pool_FloatTensor> {
  let summary = "p-norm of each window";
  let description = [{
    Returns the p-norm of each window. It is L2 pooling of BNNS and LpPool of
    ONNX and PyTorch.

    #### Semantics

    Each element of the result is `(sum |x|^p)^(1/p)` over its window. Padding
    and overhang add nothing, so a window that covers only padding gives 0. f16
    and bf16 accumulate in f32. NaN and infinities propagate.

    #### Constraints

    Window.C1 to Window.C11 and

    - (Lp.C1) `p` is at least 1.

    #### Examples

    ```mlir
    %0 = pool.lp_pool %x kernel [3, 3] strides [2, 2]
       : tensor<1x64x112x112xf32> -> tensor<1x64x55x55xf32>

    %1 = pool.lp_pool %y kernel [2] p 1 : tensor<?x8x?xf16> -> tensor<?x8x?xf16>
    ```
  }];
  let arguments = !con(windowArguments, (ins
    Pool_DefaultI64<"2", "exponent of the norm, at least 1">:$p));
  let results = (outs Pool_FloatTensor:$output);
  let assemblyFormat = "$input" # Pool_WindowClauses<["p"]>.format # [{
    `:` custom<Tensor>(type($input)) `->` type($output)
  }];
}

#endif // POOL_DIALECT_POOL_IR_POOLOPS_TD
