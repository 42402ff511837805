// Defines adaptive pooling: an attribute gives the number of outputs, and the
// windows follow from that number and from the extents of the input.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_POOLADAPTIVEOPS_TD
#define POOL_DIALECT_POOL_IR_POOLADAPTIVEOPS_TD

include "pool/Dialect/Pool/IR/PoolOpBase.td"

class Pool_AdaptiveOp<string mnemonic>
    : Pool_RuleOp<mnemonic, [
        Pool_InferRanges,
        DeclareOpInterfaceMethods<Pool_AdaptiveOpInterface,
                                  ["getElementReduction"]>]> {
  dag adaptiveArguments = (ins
    Pool_Tensor:$input,
    Pool_List<"number of windows; 1 pools globally">:$output_size,
    Pool_LayoutProp:$layout);

  let extraClassDeclaration = ruleDeclaration;
  let extraClassDefinition = ruleDefinition # [{
    ::mlir::Speculation::Speculatability $cppClass::getSpeculatability() {
      return ::mlir::pool::detail::getAdaptiveSpeculatability(*this);
    }
  }];
}

def Pool_AdaptiveAvgPoolOp : Pool_AdaptiveOp<"adaptive_avg_pool"> {
  let summary = "averages over a given number of windows";
  let description = [{
    Divides the input into a given number of windows and returns the average of
    each. It is AdaptiveAvgPool-8 of OpenVINO and AdaptiveAvgPool of PyTorch.
    With `output_size` 1 in every dimension it is global average pooling.

    #### Semantics

    In a spatial dimension with `I` input positions and `O` outputs, output `o`
    averages the positions `[floor(o * I / O), ceil((o + 1) * I / O))`. There is
    no padding, and no window is empty. Windows overlap if `O` does not divide
    `I`. The average, its rounding and its zero points are as in
    `pool.avg_pool`.

    All windows have the same size, and all neighbours the same distance, if in
    every dimension `I` is known and either `O` divides `I`, or `I > O` leaves a
    remainder of 1. Canonicalisation then replaces the operation by a
    `pool.avg_pool` with strides `floor(I / O)` and a kernel of the largest
    window's size. For example, 13 positions and 6 outputs (remainder 1) give
    windows of 3 at stride 2; neighbours share one position.

    #### Constraints

    Average.C2 of `pool.avg_pool` and

    - (Adaptive.C1) The input has rank n + 2, where n is the length of
      `output_size`, or is unranked; it has no encoding.
    - (Adaptive.C2) `output_size` names at least one dimension.
    - (Adaptive.C3) The channel extent and the spatial extents are at least 1.
      The batch may be empty.
    - (Adaptive.C4) Every entry of `output_size` is at least 1.
    - (Adaptive.C5) The product of an input extent and its entry of
      `output_size` is a 64-bit signed integer.
    - (Adaptive.C6) A result has the input's batch and channels and the spatial
      extents `output_size`. Values and averages have the element type of the
      input. The declared type of a result may be less static than the inferred
      one, never different.

    Constraints on dynamic extents are checked at run time, if run-time checks
    are generated (`pool-insert-runtime-checks`).

    #### Examples

    ```mlir
    %0 = pool.adaptive_avg_pool %x output_size [6, 6]
       : tensor<1x256x13x13xf32> -> tensor<1x256x6x6xf32>

    // Global average pooling of an image of any size.
    %1 = pool.adaptive_avg_pool %y output_size [1, 1] layout channels_last
       : tensor<?x?x?x2048xf16> -> tensor<?x1x1x2048xf16>
    ```
  }];
  let arguments = !con(adaptiveArguments, (ins
    Pool_IntegerRoundingProp:$integer_rounding,
    Pool_DefaultI64<"0", Pool_InputZp>:$input_zp,
    Pool_DefaultI64<"0", Pool_OutputZp>:$output_zp));
  let results = (outs Pool_Tensor:$output);
  let assemblyFormat = "$input" # Pool_Clauses<"output_size", [
      "layout", "integer_rounding", "input_zp", "output_zp"]>.format # [{
    `:` custom<Tensor>(type($input)) `->` type($output)
  }];
}

def Pool_AdaptiveMaxPoolOp : Pool_AdaptiveOp<"adaptive_max_pool"> {
  let summary = "largest elements over a given number of windows";
  let description = [{
    Divides the input into a given number of windows and returns the largest
    element of each, and optionally its index. It is AdaptiveMaxPool-8 of
    OpenVINO and AdaptiveMaxPool of PyTorch. With `output_size` 1 in every
    dimension it is global max pooling.

    #### Semantics

    The windows are as in `pool.adaptive_avg_pool`. Values, the choice among
    equal elements, NaN and indices are as in `pool.max_pool`. The second result
    is optional; type inference gives only the values.

    Canonicalisation replaces the operation by a `pool.max_pool` under the
    condition that `pool.adaptive_avg_pool` states for its own replacement.

    #### Constraints

    Adaptive.C1 to Adaptive.C6 of `pool.adaptive_avg_pool`; Extremum.C1 and
    Extremum.C2 of `pool.max_pool`.

    Constraints on dynamic extents are checked at run time, if run-time checks
    are generated (`pool-insert-runtime-checks`).

    #### Examples

    ```mlir
    %0 = pool.adaptive_max_pool %x output_size [7, 7]
       : tensor<1x512x10x10xf32> -> tensor<1x512x7x7xf32>

    // Values and positions within each plane, of an image of any size.
    %v, %i = pool.adaptive_max_pool %y output_size [2, 3] axis 2
       : tensor<?x3x?x?xf32> -> tensor<?x3x2x3xf32>, tensor<?x3x2x3xi64>
    ```
  }];
  let arguments = !con(adaptiveArguments, (ins
    Pool_DefaultI64<"0", Pool_Axis>:$axis,
    Pool_NanModeProp:$nan_mode));
  let results = (outs Pool_Tensor:$values, Optional<Pool_IndexTensor>:$indices);
  let assemblyFormat = "$input" # Pool_Clauses<"output_size", [
      "layout", "axis", "nan_mode"]>.format # [{
    `:` custom<Tensor>(type($input)) `->` type($values) (`,` type($indices)^)?
  }];
  let extraClassDeclaration = ruleDeclaration # [{
    /// Returns the modes with an arbitrary pad value, because adaptive pooling has
    /// no padding.
    ::mlir::pool::ExtremumModes getModes() {
      return ::mlir::pool::viewModes(getProperties(),
                                             ::mlir::pool::PadValue::NegInf);
    }
    /// Returns `axis` as a nonnegative number. In the attribute, a negative
    /// number counts from the end.
    int64_t getNormalizedAxis() {
      return ::mlir::pool::normalizeAxis(getAxis(),
                                                 getOutputSize().size() + 2);
    }
  }];
}

#endif // POOL_DIALECT_POOL_IR_POOLADAPTIVEOPS_TD
