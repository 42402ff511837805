// Exports pooling operations as layers. Uses the earliest version of the layer
// that has the needed attributes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModelWriter.h"
#include "Precision.h"

#include "pool/Dialect/Pool/IR/Pool.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::openvino;

/// Begins the error for an attribute that OpenVINO IR cannot express. The
/// caller appends the reason.
static InFlightDiagnostic emitAttributeError(Operation *op, StringRef name,
                                             const Twine &value) {
  return op->emitOpError() << "cannot be exported to OpenVINO IR: " << name
                           << " is " << value << ", ";
}

static RankedTensorType getType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Formats `list`, extended to `size` entries by `absent`.
static std::string getList(ArrayRef<int64_t> list, size_t size,
                           int64_t absent) {
  SmallVector<int64_t> full(list);
  full.resize(size, absent);
  return join(full);
}

/// Emits an error and fails unless channels come first, there are at most three
/// spatial dimensions, and the batch is not known to be empty.
static LogicalResult checkShape(Operation *op, unsigned numSpatial,
                                Layout layout) {
  if (!isChannelsFirst(layout))
    return emitAttributeError(op, "layout", "channels_last")
           << "layers have the channels first";
  if (numSpatial > 3)
    return op->emitOpError()
           << "cannot be exported to OpenVINO IR: it has " << numSpatial
           << " spatial dimensions, layers have at most 3";
  if (getType(op->getOperand(0)).getDimSize(0) == 0)
    return op->emitOpError() << "cannot be exported to OpenVINO IR: its batch "
                                "is empty, which OpenVINO refuses";
  return success();
}

static LogicalResult checkNanMode(Operation *op, NanMode mode) {
  if (ignoresNaN(mode))
    return success();
  return emitAttributeError(op, "nan_mode", "propagate")
         << "layers do not say what becomes of NaN";
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Emits an error and fails if OpenVINO derives other output extents from the
/// same attributes, or refuses the attributes.
static LogicalResult checkExtents(Operation *op, const WindowAttrs &window) {
  RankedTensorType input = getType(op->getOperand(0));
  if (window.modes.isSame()) {
    if (keepsExtent(window.modes.sameOutput) && !isAll(window.strides, 1))
      return emitAttributeError(op, "same_output", "input")
             << "OpenVINO computes ceil(input / stride); "
                "--pool-resolve-windows makes the pads explicit";
    return success();
  }
  if (!dropsWindowInEndPadding(window.modes.rounding))
    return success();
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    int64_t extent = input.getDimSize(window.getSpatialDim(i));
    WindowDim dim = window.getDim(i);
    auto [padBegin, padEnd] = getGivenPads(dim, window.modes);
    if (!ShapedType::isDynamic(extent) &&
        *getWindowExtent(dim) > extent + padBegin + padEnd)
      return emitAttributeError(op, "rounding_type",
                                stringifyRoundingType(window.modes.rounding))
             << "with which OpenVINO refuses a window that exceeds the padded "
                "input in dimension "
             << window.getSpatialDim(i);
  }
  return success();
}

/// Returns the rounding to export.
static RoundingType getRounding(const WindowAttrs &window) {
  // With auto_pad same_*, rounding has no effect in the pool dialect. OpenVINO
  // would round a second time, so export floor, which changes nothing.
  return window.modes.isSame() ? RoundingType::Floor : window.modes.rounding;
}

/// Returns the first opset whose layers have the rounding of `window`.
static unsigned getRoundingOpset(const WindowAttrs &window) {
  return dropsWindowInEndPadding(getRounding(window)) ? 14 : 1;
}

/// Returns OpenVINO's name of `rounding`.
static StringRef getName(RoundingType rounding) {
  switch (rounding) {
  case RoundingType::Floor:
    return "floor";
  case RoundingType::Ceil:
    return "ceil";
  case RoundingType::CeilTorch:
    return "ceil_torch";
  }
  llvm_unreachable("all roundings handled");
}

/// Returns OpenVINO's name of `autoPad`.
static StringRef getName(AutoPad autoPad) {
  switch (autoPad) {
  case AutoPad::Explicit:
    return "explicit";
  case AutoPad::SameUpper:
    return "same_upper";
  case AutoPad::SameLower:
    return "same_lower";
  case AutoPad::Valid:
    return "valid";
  }
  llvm_unreachable("all paddings handled");
}

/// Returns the description of a layer for `op` with its input and first output.
static LayerDescription beginLayer(Operation *op, StringRef type,
                                   unsigned opset, const ModelWriter &writer) {
  return {type,
          opset,
          op->getLoc(),
          {},
          {writer.getPort(op->getOperand(0))},
          {getType(op->getResult(0))}};
}

/// Adds the attributes that describe the window. Adds dilations only if
/// `hasDilations` is true.
static void addWindow(LayerDescription &layer, const WindowAttrs &window,
                      bool hasDilations) {
  size_t size = window.kernel.size();
  layer.data.push_back({"kernel", join(window.kernel)});
  layer.data.push_back({"strides", getList(window.strides, size, 1)});
  if (hasDilations)
    layer.data.push_back({"dilations", getList(window.dilations, size, 1)});
  layer.data.push_back({"pads_begin", getList(window.padsBegin, size, 0)});
  layer.data.push_back({"pads_end", getList(window.padsEnd, size, 0)});
  layer.data.push_back({"rounding_type", getName(getRounding(window)).str()});
  layer.data.push_back({"auto_pad", getName(window.modes.autoPad).str()});
}

/// Adds the output of a layer's indices, and their type as an attribute. If the
/// op returns no indices, the type is i32, because OpenVINO's CPU plugin
/// refuses i64 in some cases.
static void addIndices(LayerDescription &layer, Value indices) {
  Builder b(layer.loc.getContext());
  layer.outputs.push_back(indices ? getType(indices)
                                  : layer.outputs[0].clone(b.getI32Type()));
  layer.data.push_back({"index_element_type",
                        getName(layer.outputs.back().getElementType()).str()});
}

static LogicalResult exportLayer(MaxPoolOp op, ModelWriter &writer) {
  WindowAttrs window = op.getWindow();
  const auto [axis, padValue, nanMode] = op.getModes();
  if (failed(checkShape(op, window.getNumSpatialDims(), window.layout)) ||
      failed(checkNanMode(op, nanMode)) || failed(checkExtents(op, window)))
    return failure();
  if (isZero(padValue))
    return emitAttributeError(op, "pad_value", "zero")
           << "padding of a layer counts as -infinity";

  bool isEight = op.getIndices() || !isAll(window.dilations, 1);
  unsigned opset = std::max(isEight ? 8u : 1u, getRoundingOpset(window));
  LayerDescription layer = beginLayer(op, "MaxPool", opset, writer);
  addWindow(layer, window, opset >= 8);
  if (opset >= 8) {
    addIndices(layer, op.getIndices());
    layer.data.push_back({"axis", std::to_string(axis)});
  }
  writer.addLayer(op, layer);
  return success();
}

/// Emits an error and fails unless integers round halves to even and zero
/// points are 0, as in OpenVINO's averages.
static LogicalResult checkAverage(Operation *op, IntegerRounding rounding,
                                  int64_t inputZp, int64_t outputZp) {
  switch (rounding) {
  case IntegerRounding::HalfEven:
    break;
  case IntegerRounding::HalfUp:
  case IntegerRounding::HalfAway:
    return emitAttributeError(op, "integer_rounding",
                              stringifyIntegerRounding(rounding))
           << "layers round halves to even";
  }
  for (auto [name, value] :
       {std::pair("input_zp", inputZp), std::pair("output_zp", outputZp)})
    if (value != 0)
      return emitAttributeError(op, name, Twine(value))
             << "layers have no zero points";
  return success();
}

/// Returns the value of `exclude-pad` for which OpenVINO counts the same
/// positions as `divisor`. Emits an error and fails if there is none.
static FailureOr<bool> getExcludesPad(AvgPoolOp op, Divisor divisor) {
  WindowAttrs window = op.getWindow();
  if (!countsPadding(divisor))
    return true;
  auto emitError = [&] {
    return emitAttributeError(op, "divisor", stringifyDivisor(divisor));
  };
  // Without overhang, Kernel and Padded count the same.
  bool hasOverhang = !window.modes.isSame() && roundsUp(window.modes.rounding);
  if (!countsOverhang(divisor) && hasOverhang)
    return emitError() << "where an overhang of ceil would be counted";
  if (!window.hasExplicitPads() && hasOverhang)
    return emitError()
           << "where OpenVINO does not count an overhang, there being no pads";
  return false;
}

static LogicalResult exportLayer(AvgPoolOp op, ModelWriter &writer) {
  WindowAttrs window = op.getWindow();
  const auto [divisor, divisorOverride, rounding, inputZp, outputZp] =
      op.getModes();
  if (failed(checkAverage(op, rounding, inputZp, outputZp)) ||
      failed(checkShape(op, window.getNumSpatialDims(), window.layout)) ||
      failed(checkExtents(op, window)))
    return failure();
  if (divisorOverride)
    return emitAttributeError(op, "divisor_override", Twine(*divisorOverride))
           << "layers divide by what they count";
  FailureOr<bool> excludesPad = getExcludesPad(op, divisor);
  if (failed(excludesPad))
    return failure();
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    WindowDim dim = window.getDim(i);
    auto [padBegin, padEnd] = getGivenPads(dim, window.modes);
    if (*excludesPad && std::max(padBegin, padEnd) >= *getWindowExtent(dim))
      return emitAttributeError(op, "divisor", "valid")
             << "with which OpenVINO refuses a pad of at least the window in "
                "dimension "
             << window.getSpatialDim(i);
  }

  bool isSixteen = !isAll(window.dilations, 1);
  unsigned opset = isSixteen ? 16 : getRoundingOpset(window);
  LayerDescription layer = beginLayer(op, "AvgPool", opset, writer);
  addWindow(layer, window, isSixteen);
  layer.data.push_back({"exclude-pad", *excludesPad ? "true" : "false"});
  writer.addLayer(op, layer);
  return success();
}

//===----------------------------------------------------------------------===//
// Adaptive pooling
//===----------------------------------------------------------------------===//

/// Writes the output size as a constant, which is the layer's second input.
static WrittenPort addOutputSize(Operation *op, ArrayRef<int64_t> size,
                                 ModelWriter &writer) {
  Builder b(op->getContext());
  auto type = RankedTensorType::get(size.size(), b.getI64Type());
  return writer.addConstant(b.getUnknownLoc(),
                            DenseElementsAttr::get(type, size));
}

static LogicalResult exportLayer(AdaptiveAvgPoolOp op, ModelWriter &writer) {
  ArrayRef<int64_t> size = op.getOutputSize();
  if (failed(checkShape(op, size.size(), op.getLayout())) ||
      failed(checkAverage(op, op.getIntegerRounding(), op.getInputZp(),
                          op.getOutputZp())))
    return failure();
  LayerDescription layer = beginLayer(op, "AdaptiveAvgPool", 8, writer);
  layer.inputs.push_back(addOutputSize(op, size, writer));
  writer.addLayer(op, layer);
  return success();
}

static LogicalResult exportLayer(AdaptiveMaxPoolOp op, ModelWriter &writer) {
  ArrayRef<int64_t> size = op.getOutputSize();
  const auto [axis, padValue, nanMode] = op.getModes();
  (void)padValue; // There is no padding.
  if (failed(checkShape(op, size.size(), op.getLayout())) ||
      failed(checkNanMode(op, nanMode)))
    return failure();
  if (op.getIndices() && op.getNormalizedAxis() != 2)
    return emitAttributeError(op, "axis", Twine(axis))
           << "indices of the layer count from dimension 2 on";
  LayerDescription layer = beginLayer(op, "AdaptiveMaxPool", 8, writer);
  addIndices(layer, op.getIndices());
  layer.inputs.push_back(addOutputSize(op, size, writer));
  writer.addLayer(op, layer);
  return success();
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

bool pool::openvino::isExportedPooling(Operation *op) {
  return isa<MaxPoolOp, AvgPoolOp, AdaptiveAvgPoolOp, AdaptiveMaxPoolOp>(op);
}

LogicalResult pool::openvino::exportPooling(Operation *op,
                                            ModelWriter &writer) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<MaxPoolOp, AvgPoolOp, AdaptiveAvgPoolOp, AdaptiveMaxPoolOp>(
          [&](auto op) { return exportLayer(op, writer); });
}
