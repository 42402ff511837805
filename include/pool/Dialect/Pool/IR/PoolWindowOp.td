// Defines two operations that lowerings create: window_reduce and on_buffers.
//
// The pass pool-decompose turns max_pool, min_pool, avg_pool and lp_pool into
// window_reduce, which tiling, bufferisation and lowerings handle.
// window_reduce is in destination style and works on tensors or buffers. Its
// padding is explicit; it has no automatic modes.
//
// on_buffers has a region with the loops on buffers that convert-pool-to-vector
// emits for tensors. Bufferisation replaces it by these loops.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_POOLWINDOWOP_TD
#define POOL_DIALECT_POOL_IR_POOLWINDOWOP_TD

include "pool/Dialect/Pool/IR/PoolOps.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"

def Pool_MemRef : MemRefOf<[Pool_Float, Pool_Integer]>;
def Pool_TensorOrMemRef : AnyTypeOf<[Pool_Tensor, Pool_MemRef],
    !strconcat("tensor or memref of ", Pool_FloatWords, " or ",
               Pool_IntegerWords, " values")>;

def Pool_WindowReduceOp : Pool_Op<"window_reduce", [
    AttrSizedOperandSegments, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "one reduction over the windows of a tensor or buffer";
  let description = [{
    Reduces the windows of a tensor or a buffer to one element each.
    `pool-decompose` builds max_pool, min_pool, avg_pool and lp_pool from this
    operation; after bufferisation it works on buffers.

    Window `o` of a spatial dimension covers the input positions `o * stride -
    pads_begin + t * dilation` for `0 <= t < kernel`. There is no automatic
    padding and no rounding: the extents of `outs` are the numbers of windows.
    `pads_begin` and `pads_end` are the most positions by which a window reaches
    past either end of the input; the positions there are padding. The contents
    of `outs` are overwritten, never read. Without `pad_value`, padding is never
    chosen.

    | reduction | result |
    |---|---|
    | `max` | the largest element, NaN as in max_pool; padding counts as -inf or the smallest integer, or as zero with `pad_value = zero` |
    | `min` | the smallest element, NaN as in min_pool; padding counts as +inf or the largest integer, or as zero with `pad_value = zero` |
    | `sum` | the sum, each addition rounded to the element type of `outs`; padding adds nothing |
    | `power_sum` | the sum of `\|x\|^p`, each addition rounded to the element type of `outs`; padding adds nothing |

    `max` and `min` may have a second output of type i64, the position of the
    chosen element. It is `positions[0] + sum(positions[1 + i] * coordinate[i])`
    over the spatial dimensions, or -1 if no element was chosen. Among equal
    elements the first in row-major order of the window is chosen; under
    `nan_mode = propagate`, the first NaN. A tile of the operation returns the
    same positions as the whole.

    #### Constraints

    - (WindowReduce.C1) `input` and `outs` have rank n + 2, where n >= 1 is the
      length of `kernel`, and agree in batch and channels. All are tensors
      without encoding or all are buffers.
    - (WindowReduce.C2) `strides`, `dilations`, `pads_begin` and `pads_end` have
      n entries. `positions` has n + 1 entries with a second output, else none.
      There is one operand for each dynamic entry.
    - (WindowReduce.C3) Kernel, strides and dilations are at least 1, static
      pads at least 0.
    - (WindowReduce.C4) Where all extents are known, windows stay within the
      padded input: `(out - 1) * stride + (kernel - 1) * dilation + 1 <=
      pads_begin + in + pads_end`.
    - (WindowReduce.C5) `max` and `min` have values of the input's element type
      and at most one other output, i64 positions. `sum` and `power_sum` have
      one output of a type that the input's elements extend to. `power_sum` is
      of floats and has `p` at least 1.
    - (WindowReduce.C6) Positions are at least 0, ascend in row-major order, and
      fit 64 bits: `positions[1 + i] >= sum(positions[1 + j] * (in[j] - 1))`
      over the dimensions `j > i`, where `in[i] > 1`. Dynamic values are not
      checked, not even at run time. If they violate the constraint, it is
      undefined which of several equal elements is chosen.
    - (WindowReduce.C7) The `pad_value` of `max` and `min` is `zero` or the
      value that is never chosen: `neg_inf` for `max`, `pos_inf` for `min`. With
      positions it is not `zero`. `sum` and `power_sum` have no `pad_value` of
      `pos_inf` and no `nan_mode` but `ignore`. Only `power_sum` has `p`.
    #### Example

    ```mlir
    %0 = pool.window_reduce <max> ins(%x : tensor<1x64x112x112xf32>)
           outs(%init : tensor<1x64x56x56xf32>) kernel [3, 3] strides [2, 2]
           dilations [1, 1] pads_begin [1, 1] pads_end [0, 0]
           -> tensor<1x64x56x56xf32>
    ```
  }];
  // Uses attributes instead of native properties, because upstream rebuilds
  // destination-style ops from their attributes, for example when it folds
  // casts.
  let arguments = (ins
    Pool_TensorOrMemRef:$input,
    Variadic<AnyShaped>:$outs,
    Variadic<Index>:$pads_begin,
    Variadic<Index>:$pads_end,
    Variadic<Index>:$positions,
    Pool_ReductionAttr:$reduction,
    DenseI64ArrayAttr:$kernel,
    DenseI64ArrayAttr:$strides,
    DenseI64ArrayAttr:$dilations,
    DenseI64ArrayAttr:$static_pads_begin,
    DenseI64ArrayAttr:$static_pads_end,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_positions,
    DefaultValuedAttr<Pool_LayoutAttr,
                      "::mlir::pool::Layout::ChannelsFirst">:$layout,
    OptionalAttr<Pool_PadValueAttr>:$pad_value,
    DefaultValuedAttr<Pool_NanModeAttr,
                      "::mlir::pool::NanMode::Ignore">:$nan_mode,
    DefaultValuedAttr<I64Attr, "1">:$p);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $reduction `ins` `(` $input `:` type($input) `)`
    `outs` `(` $outs `:` type($outs) `)`
    `kernel` $kernel `strides` $strides `dilations` $dilations
    `pads_begin` custom<DynamicIndexList>($pads_begin, $static_pads_begin)
    `pads_end` custom<DynamicIndexList>($pads_end, $static_pads_end)
    custom<Positions>($positions, $static_positions)
    oilist(`layout` custom<CaseAttr>($layout)
      | `pad_value` custom<CaseAttr>($pad_value)
      | `nan_mode` custom<CaseAttr>($nan_mode) | `p` $p)
    `` custom<NoOtherClause>("{\"layout\", \"pad_value\", \"nan_mode\", \"p\"}")
    attr-dict (`->` type($results)^)?
  }];
  let builders = [
    /// On tensors, the results have the types of `outs`; on buffers, there are
    /// none. Kernel, strides, dilations and layout come from `window`. Its pads
    /// and modes are ignored.
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::ValueRange":$outs,
                   "::mlir::pool::Reduction":$reduction,
                   "const ::mlir::pool::WindowAttrs &":$window,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$padsBegin,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$padsEnd,
                   CArg<"::llvm::ArrayRef<::mlir::OpFoldResult>", "{}">:$positions)>
  ];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutsMutable();
    }
    ::mlir::SmallVector<::mlir::OpFoldResult> getMixedPadsBegin();
    ::mlir::SmallVector<::mlir::OpFoldResult> getMixedPadsEnd();
    ::mlir::SmallVector<::mlir::OpFoldResult> getMixedPositions();
    /// Returns kernel, strides, dilations and layout as views into the
    /// operation.
    ::mlir::pool::WindowAttrs getWindow();
    /// Creates a copy of this operation, with its attributes but with other
    /// operands.
    ::mlir::pool::WindowReduceOp createOn(
        ::mlir::OpBuilder &b, ::mlir::Location loc, ::mlir::Value input,
        ::mlir::ValueRange outs,
        ::llvm::ArrayRef<::mlir::OpFoldResult> padsBegin,
        ::llvm::ArrayRef<::mlir::OpFoldResult> padsEnd,
        ::llvm::ArrayRef<::mlir::OpFoldResult> positions);
    /// Returns how the elements of a window are combined.
    ::mlir::pool::ElementReduction getElementReduction();
    /// True if the operation has a second output, which holds positions.
    bool hasPositions() { return getOuts().size() == 2; }
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Pool_OnBuffersOp : Op<Pool_Dialect, "on_buffers", [
    AttrSizedOperandSegments, DestinationStyleOpInterface, NoMemoryEffect,
    NoTerminator, SingleBlock]> {
  let summary = "code on buffers as an operation on tensors";
  let description = [{
    `convert-pool-to-vector` emits loops that load from buffers and store to
    buffers. This operation holds them until bufferisation, which knows the
    buffer of each tensor. The body has one buffer for each input, from which it
    loads, and one for each of `outs`. The body overwrites all elements of the
    buffers of `outs`, and may load what it stored. The results are the contents
    of `outs` after the body. Bufferisation puts the body in the place of the
    operation.

    If a buffer has other strides than the body expects, the body gets a copy.
    This can happen only if the body expects an identity layout or known
    strides.

    #### Constraints

    - (OnBuffers.C1) The body has one argument for each input and then for each
      of `outs`. It is a buffer with the tensor's element type and a compatible
      shape.

    #### Example

    ```mlir
    %0 = pool.on_buffers ins(%x : tensor<8xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%in: memref<8xf32>, %out: memref<8xf32>):
      %c0 = arith.constant 0 : index
      %lanes = vector.load %in[%c0] : memref<8xf32>, vector<8xf32>
      vector.store %lanes, %out[%c0] : memref<8xf32>, vector<8xf32>
    } -> tensor<8xf32>
    ```
  }];
  let useCustomPropertiesEncoding = 1;
  let extraClassDefinition = Pool_BytecodeDefinition;
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       Variadic<AnyRankedTensor>:$outs);
  let regions = (region SizedRegion<1>:$region);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $outs `:` type($outs) `)` $region attr-dict `->` type($results)
  }];
  let builders = [
    /// Creates an empty body, whose arguments have the types `buffers`. The
    /// results have the types of `outs`.
    OpBuilder<(ins "::mlir::ValueRange":$inputs, "::mlir::ValueRange":$outs,
                   "::mlir::TypeRange":$buffers)>
  ];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutsMutable();
    }
  }];
  let hasVerifier = 1;
}

#endif // POOL_DIALECT_POOL_IR_POOLWINDOWOP_TD
