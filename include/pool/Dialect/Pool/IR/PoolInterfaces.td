// What the pooling operations have in common: a window that slides over the
// spatial dimensions of one tensor, as a rule its input.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_POOLINTERFACES_TD
#define POOL_DIALECT_POOL_IR_POOLINTERFACES_TD

include "mlir/IR/OpBase.td"

def Pool_WindowAttrsOpInterface : OpInterface<"WindowAttrsOpInterface"> {
  let cppNamespace = "::mlir::pool";
  let description = [{
    An operation with the parameters of a window, whether it reduces the windows
    or hands a gradient back to them.
  }];
  let methods = [
    InterfaceMethod<"The type of the tensor that the window slides over.",
      "::mlir::TensorType", "getWindowedType", (ins), "", [{
        return ::llvm::cast<::mlir::TensorType>($_op.getInput().getType());
      }]>,
    InterfaceMethod<"The window parameters; views into the operation.",
      "::mlir::pool::WindowAttrs", "getWindow", (ins), "", [{
        return ::mlir::pool::detail::viewWindow($_op.getProperties());
      }]>,
    InterfaceMethod<[{
        Sets the pads of every spatial dimension and makes them explicit; the
        rounding stays. The caller has checked that the outputs stay what they
        are.
      }],
      "void", "setExplicitPads",
      (ins "::llvm::ArrayRef<int64_t>":$padsBegin,
           "::llvm::ArrayRef<int64_t>":$padsEnd), "", [{
        $_op.setPadsBegin(padsBegin);
        $_op.setPadsEnd(padsEnd);
        $_op.setAutoPad(::mlir::pool::AutoPad::Explicit);
        $_op.setSameOutput(::mlir::pool::SameOutput::Input);
      }]>,
    InterfaceMethod<"Makes the rounding floor, on the same condition.",
      "void", "setFloorRounding", (ins), "", [{
        $_op.setRoundingType(::mlir::pool::RoundingType::Floor);
      }]>,
    InterfaceMethod<[{
        True if padding and overhang give different results, so that the one
        must not become the other.
      }],
      "bool", "distinguishesOverhang", (ins), "", "return false;">,
  ];
}

def Pool_WindowOpInterface
    : OpInterface<"WindowOpInterface", [Pool_WindowAttrsOpInterface]> {
  let cppNamespace = "::mlir::pool";
  let description = [{
    An operation whose results are computed from windows over the spatial
    dimensions of its input, all results having the window's output shape.
  }];
  let methods = [
    InterfaceMethod<"The tensor that the window slides over.",
      "::mlir::Value", "getInput">,
    InterfaceMethod<[{
        Builds the operation for a tile of its output (`offsets` and `sizes`
        over all output dimensions, or both empty for the whole) as a
        pool.window_reduce on the slice of the input that it needs, followed by
        elementwise linalg ops. The result has one tiled value for each result,
        with the tile's shape. The input is ranked.
      }],
      "::mlir::TilingResult", "createWindowForm",
      (ins "::mlir::OpBuilder &":$b,
           "::llvm::ArrayRef<::mlir::OpFoldResult>":$offsets,
           "::llvm::ArrayRef<::mlir::OpFoldResult>":$sizes)>,
  ];
}

def Pool_ExtremumOpInterface
    : OpInterface<"ExtremumOpInterface", [Pool_WindowOpInterface]> {
  let cppNamespace = "::mlir::pool";
  let description = [{
    An operation that chooses one element of each window by comparing them, and
    may say which.
  }];
  let methods = [
    InterfaceMethod<"The reduction that chooses.",
      "::mlir::pool::Reduction", "getReduction">,
    InterfaceMethod<"Everything that decides the choice but the window.",
      "::mlir::pool::ExtremumModes", "getModes">,
    InterfaceMethod<"The chosen elements.", "::mlir::Value", "getValues">,
    InterfaceMethod<"Their positions over `dims[axis:]`, or null.",
      "::mlir::Value", "getIndices">,
    InterfaceMethod<"`axis` counted from the first dimension.",
      "int64_t", "getNormalizedAxis">,
  ];
}

def Pool_ExtremumGradOpInterface
    : OpInterface<"ExtremumGradOpInterface", [Pool_WindowAttrsOpInterface]> {
  let cppNamespace = "::mlir::pool";
  let description = [{
    The gradient of an operation of ExtremumOpInterface with respect to its
    input: added where the indices say, or where the operation would choose.
  }];
  let methods = [
    InterfaceMethod<"The reduction that chose.",
      "::mlir::pool::Reduction", "getReduction">,
    InterfaceMethod<"The tensor that the window slides over.",
      "::mlir::Value", "getInput">,
    InterfaceMethod<"The gradient of the values.",
      "::mlir::Value", "getOutputGrad">,
    InterfaceMethod<"The indices over `dims[axis:]`, or null.",
      "::mlir::Value", "getIndices">,
    InterfaceMethod<"`axis` counted from the first dimension.",
      "int64_t", "getNormalizedAxis">,
    InterfaceMethod<"`axis` as it was given.", "int64_t", "getAxis">,
    InterfaceMethod<"The treatment of NaN, for a choice without indices.",
      "::mlir::pool::NanMode", "getNanMode">,
    InterfaceMethod<"Takes `indices` over `dims[axis:]`; there were none.",
      "void", "addIndices", (ins "::mlir::Value":$indices, "int64_t":$axis),
      "", [{
        $_op.getIndicesMutable().assign(indices);
        $_op.setAxis(axis);
      }]>,
  ];
}

def Pool_AdaptiveOpInterface : OpInterface<"AdaptiveOpInterface"> {
  let cppNamespace = "::mlir::pool";
  let description = [{
    An operation on a given number of windows, which divide the spatial
    dimensions of its input.
  }];
  let methods = [
    InterfaceMethod<"The tensor that the windows divide.",
      "::mlir::Value", "getInput">,
    InterfaceMethod<"The number of windows of each spatial dimension.",
      "::llvm::ArrayRef<int64_t>", "getOutputSize">,
    InterfaceMethod<"The place of the channels.",
      "::mlir::pool::Layout", "getLayout">,
    InterfaceMethod<[{
        Builds the operation as linalg ops, or the tile of its output that
        `offsets` and `sizes` select; all of it where they are empty. The input
        is ranked.
      }],
      "::mlir::TilingResult", "createLinalgForm",
      (ins "::mlir::OpBuilder &":$b,
           "::llvm::ArrayRef<::mlir::OpFoldResult>":$offsets,
           "::llvm::ArrayRef<::mlir::OpFoldResult>":$sizes)>,
  ];
}

#endif // POOL_DIALECT_POOL_IR_POOLINTERFACES_TD
