// Exports pooling operations as layers, in the earliest version of the layer
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

/// Begins the error for an attribute that OpenVINO IR cannot express.
static InFlightDiagnostic emitAttributeError(Operation *op, StringRef name,
                                             const Twine &value) {
  return op->emitOpError() << "cannot be exported to OpenVINO IR: " << name
                           << " is " << value << ", ";
}

static RankedTensorType getType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Formats `list` with `size` entries. Missing entries are `absent`.
static std::string getList(ArrayRef<int64_t> list, size_t size,
                           int64_t absent) {
  SmallVector<int64_t> full(list);
  full.resize(size, absent);
  return join(full);
}

/// Fails unless channels come first, there are at most three spatial
/// dimensions, and the batch is not known to be empty.
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

/// Fails if OpenVINO derives other extents from the same attributes, or refuses
/// the attributes.
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

namespace {
/// OpenVINO's name of a rounding, and the first version of layers that has it.
struct NamedRounding {
  StringRef name;
  unsigned opset;
};
} // namespace

static NamedRounding getRounding(const WindowAttrs &window) {
  // Under same_*, rounding has no effect in the dialect. OpenVINO would round a
  // second time, so export floor, which changes nothing.
  if (window.modes.isSame())
    return {"floor", 1};
  switch (window.modes.rounding) {
  case RoundingType::Floor:
    return {"floor", 1};
  case RoundingType::Ceil:
    return {"ceil", 1};
  case RoundingType::CeilTorch:
    return {"ceil_torch", 14};
  }
  llvm_unreachable("all roundings handled");
}

/// Returns OpenVINO's name of `autoPad`.
static StringRef getAutoPad(AutoPad autoPad) {
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

/// Adds the attributes that describe the window, dilations only if
/// `hasDilations`.
static void addWindow(LayerDescription &layer, const WindowAttrs &window,
                      bool hasDilations) {
  size_t size = window.kernel.size();
  layer.data.push_back({"kernel", join(window.kernel)});
  layer.data.push_back({"strides", getList(window.strides, size, 1)});
  if (hasDilations)
    layer.data.push_back({"dilations", getList(window.dilations, size, 1)});
  layer.data.push_back({"pads_begin", getList(window.padsBegin, size, 0)});
  layer.data.push_back({"pads_end", getList(window.padsEnd, size, 0)});
  layer.data.push_back({"rounding_type", getRounding(window).name.str()});
  layer.data.push_back({"auto_pad", getAutoPad(window.modes.autoPad).str()});
}

/// Returns the index type of a layer whose op has no indices. The type is i32,
/// since OpenVINO's CPU plugin refuses i64 in some cases.
static Type getUnusedIndexType(Operation *op) {
  return IntegerType::get(op->getContext(), 32);
}

static LogicalResult exportMaxPool(MaxPoolOp op, ModelWriter &writer) {
  WindowAttrs window = op.getWindow();
  const auto [axis, padValue, nanMode] = op.getModes();
  if (failed(checkShape(op, window.getNumSpatialDims(), window.layout)) ||
      failed(checkNanMode(op, nanMode)) || failed(checkExtents(op, window)))
    return failure();
  if (isZero(padValue))
    return emitAttributeError(op, "pad_value", "zero")
           << "padding of a layer counts as -infinity";

  RankedTensorType type = getType(op.getValues());
  LayerDescription layer = {"MaxPool", 1, op.getLoc(), {}, {}, {type}};
  layer.inputs = {writer.getPort(op.getInput())};
  bool isEight = op.getIndices() || !isAll(window.dilations, 1);
  layer.opset = std::max(isEight ? 8u : 1u, getRounding(window).opset);
  addWindow(layer, window, layer.opset >= 8);
  if (layer.opset >= 8) {
    Type indexType = op.getIndices() ? getType(op.getIndices()).getElementType()
                                     : getUnusedIndexType(op);
    layer.data.push_back({"index_element_type", getName(indexType).str()});
    layer.data.push_back({"axis", std::to_string(axis)});
    layer.outputs.push_back(op.getIndices() ? getType(op.getIndices())
                                            : type.clone(indexType));
  }
  writer.addLayer(op, layer);
  return success();
}

/// Fails unless integers round halves to even and zero points are 0, as in
/// OpenVINO's averages.
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

/// Returns the value of `exclude-pad` that counts the same positions as
/// `divisor`. Fails if there is no such value.
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
  if (window.modes.isSame())
    return false;
  if (!window.hasExplicitPads() && hasOverhang)
    return emitError()
           << "where OpenVINO does not count an overhang, there being no pads";
  return false;
}

static LogicalResult exportAvgPool(AvgPoolOp op, ModelWriter &writer) {
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

  LayerDescription layer = {"AvgPool", 1,  op.getLoc(),
                            {},        {}, {getType(op.getOutput())}};
  layer.inputs = {writer.getPort(op.getInput())};
  layer.opset = getRounding(window).opset;
  if (!isAll(window.dilations, 1))
    layer.opset = 16;
  addWindow(layer, window, layer.opset >= 16);
  layer.data.push_back({"exclude-pad", *excludesPad ? "true" : "false"});
  writer.addLayer(op, layer);
  return success();
}

//===----------------------------------------------------------------------===//
// Adaptive pooling
//===----------------------------------------------------------------------===//

/// Adds the output size as a constant, the layer's second input.
static WrittenPort addOutputSize(Operation *op, ArrayRef<int64_t> size,
                                 ModelWriter &writer) {
  Builder b(op->getContext());
  auto type = RankedTensorType::get(size.size(), b.getI64Type());
  return writer.addConstant(b.getUnknownLoc(),
                            DenseElementsAttr::get(type, size));
}

static LogicalResult exportAdaptiveAvgPool(AdaptiveAvgPoolOp op,
                                           ModelWriter &writer) {
  ArrayRef<int64_t> size = op.getOutputSize();
  if (failed(checkShape(op, size.size(), op.getLayout())) ||
      failed(checkAverage(op, op.getIntegerRounding(), op.getInputZp(),
                          op.getOutputZp())))
    return failure();
  LayerDescription layer = {"AdaptiveAvgPool",        8, op.getLoc(), {}, {},
                            {getType(op.getOutput())}};
  layer.inputs = {writer.getPort(op.getInput()),
                  addOutputSize(op, size, writer)};
  writer.addLayer(op, layer);
  return success();
}

static LogicalResult exportAdaptiveMaxPool(AdaptiveMaxPoolOp op,
                                           ModelWriter &writer) {
  ArrayRef<int64_t> size = op.getOutputSize();
  const auto [axis, padValue, nanMode] = op.getModes();
  (void)padValue; // There is no padding.
  if (failed(checkShape(op, size.size(), op.getLayout())) ||
      failed(checkNanMode(op, nanMode)))
    return failure();
  if (op.getIndices() && op.getNormalizedAxis() != 2)
    return emitAttributeError(op, "axis", Twine(axis))
           << "indices of the layer count from dimension 2 on";
  RankedTensorType type = getType(op.getValues());
  RankedTensorType indices = op.getIndices()
                                 ? getType(op.getIndices())
                                 : type.clone(getUnusedIndexType(op));
  LayerDescription layer = {"AdaptiveMaxPool", 8, op.getLoc(), {}, {},
                            {type, indices}};
  layer.data = {
      {"index_element_type", getName(indices.getElementType()).str()}};
  layer.inputs = {writer.getPort(op.getInput()),
                  addOutputSize(op, size, writer)};
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
      .Case([&](MaxPoolOp op) { return exportMaxPool(op, writer); })
      .Case([&](AvgPoolOp op) { return exportAvgPool(op, writer); })
      .Case([&](AdaptiveAvgPoolOp op) {
        return exportAdaptiveAvgPool(op, writer);
      })
      .Case([&](AdaptiveMaxPoolOp op) {
        return exportAdaptiveMaxPool(op, writer);
      });
}
