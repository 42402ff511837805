// Interfaces of the pooling operations. Each of these operations has windows
// over the spatial dimensions of one tensor, usually the input.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_POOLINTERFACES_TD
#define POOL_DIALECT_POOL_IR_POOLINTERFACES_TD

include "mlir/IR/OpBase.td"

def Pool_WindowAttrsOpInterface : OpInterface<"WindowAttrsOpInterface"> {
  let cppNamespace = "::mlir::pool";
  let description = [{
    An operation with window parameters: a reduction of windows, or its
    gradient.
  }];
  let methods = [
    InterfaceMethod<"The type of the tensor that the window slides over.",
      "::mlir::TensorType", "getWindowedType", (ins), "", [{
        return ::llvm::cast<::mlir::TensorType>($_op.getInput().getType());
      }]>,
    InterfaceMethod<"Returns the window parameters as views into the operation.",
      "::mlir::pool::WindowAttrs", "getWindow", (ins), "", [{
        return ::mlir::pool::viewWindow($_op.getProperties());
      }]>,
    InterfaceMethod<[{
        Sets the pads of every spatial dimension and makes them explicit; the
        rounding stays. Requires that this does not change the outputs.
      }],
      "void", "setExplicitPads",
      (ins "::llvm::ArrayRef<int64_t>":$padsBegin,
           "::llvm::ArrayRef<int64_t>":$padsEnd), "", [{
        $_op.setPadsBegin(padsBegin);
        $_op.setPadsEnd(padsEnd);
        $_op.setAutoPad(::mlir::pool::AutoPad::Explicit);
        $_op.setSameOutput(::mlir::pool::SameOutput::Input);
      }]>,
    InterfaceMethod<"Sets the rounding to floor. Requires that this does not change the outputs.",
      "void", "setFloorRounding", (ins), "", [{
        $_op.setRoundingType(::mlir::pool::RoundingType::Floor);
      }]>,
    InterfaceMethod<[{
        True if padding and overhang give different results, so that a rewrite
        must not turn one into the other.
      }],
      "bool", "distinguishesOverhang", (ins), "", "return false;">,
  ];
}

def Pool_WindowOpInterface
    : OpInterface<"WindowOpInterface", [Pool_WindowAttrsOpInterface]> {
  let cppNamespace = "::mlir::pool";
  let description = [{
    An operation whose results are computed from windows over the spatial
    dimensions of its input. All results have the window's output shape.
  }];
  let methods = [
    InterfaceMethod<"The tensor that the window slides over.",
      "::mlir::Value", "getInput">,
    InterfaceMethod<[{
        How the elements of a window are combined, before the last step: a
        division, a root or an index. Nothing is built.
      }],
      "::mlir::pool::ElementReduction", "getElementReduction">,
  ];
}

def Pool_ExtremumOpInterface
    : OpInterface<"ExtremumOpInterface", [Pool_WindowOpInterface]> {
  let cppNamespace = "::mlir::pool";
  let description = [{
    An operation that chooses one element of each window by comparison, and
    optionally returns its index.
  }];
  let methods = [
    InterfaceMethod<"The reduction that chooses.",
      "::mlir::pool::Reduction", "getReduction">,
    InterfaceMethod<"All modes that decide the choice, except the window.",
      "::mlir::pool::ExtremumModes", "getModes">,
    InterfaceMethod<"The chosen elements.", "::mlir::Value", "getValues">,
    InterfaceMethod<"Indices of the chosen elements over `dims[axis:]`, or null.",
      "::mlir::Value", "getIndices">,
    InterfaceMethod<"`axis` counted from the first dimension.",
      "int64_t", "getNormalizedAxis">,
  ];
}

def Pool_ExtremumGradOpInterface
    : OpInterface<"ExtremumGradOpInterface", [Pool_WindowAttrsOpInterface]> {
  let cppNamespace = "::mlir::pool";
  let description = [{
    The gradient of an ExtremumOpInterface operation with respect to its input.
    Each output gradient is added at the position that its index names or,
    without indices, at the position that the operation would choose.
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
    InterfaceMethod<"Adds `indices` over `dims[axis:]`. Requires that there are none yet.",
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
    An operation with a given number of windows, which divide the spatial
    dimensions of its input.
  }];
  let methods = [
    InterfaceMethod<"The tensor that the windows divide.",
      "::mlir::Value", "getInput">,
    InterfaceMethod<"Number of windows in each spatial dimension.",
      "::llvm::ArrayRef<int64_t>", "getOutputSize">,
    InterfaceMethod<"Order of the dimensions.",
      "::mlir::pool::Layout", "getLayout">,
    InterfaceMethod<[{
        How the elements of a window are combined, before the last step: a
        division or an index. Requires a ranked input. Nothing is built.
      }],
      "::mlir::pool::ElementReduction", "getElementReduction">,
  ];
}

#endif // POOL_DIALECT_POOL_IR_POOLINTERFACES_TD
