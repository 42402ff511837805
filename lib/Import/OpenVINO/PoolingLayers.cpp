// Imports MaxPool-1, -8 and -14, and AvgPool-1, -14 and -16. Also has the table
// of all pooling layers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayerConversion.h"
#include "Precision.h"

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/IR/TypeInference.h"
#include "pool/Dialect/Pool/IR/WindowProperties.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::openvino;

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

namespace {
/// Says whether a layer's version has the attribute `dilations` and the
/// rounding `ceil_torch`.
struct WindowFeatures {
  bool dilations;
  bool ceilTorch;
};
} // namespace

static FailureOr<OwnedWindow> readWindow(LayerConversion &c,
                                         WindowFeatures features) {
  OwnedWindow window;
  auto checkList = [&](StringRef name, ArrayRef<int64_t> list) {
    // Refuse an empty list: in the dialect it means the defaults, in OpenVINO
    // it does not.
    if (list.size() == window.kernel.size() && !list.empty())
      return success();
    return LogicalResult(c.attributes.emitError(name)
                         << "which has " << list.size() << " entries, kernel "
                         << window.kernel.size());
  };
  auto readList = [&](StringRef name, SmallVector<int64_t> &list) {
    return success(succeeded(c.attributes.require(name, list)) &&
                   succeeded(checkList(name, list)));
  };
  if (failed(c.attributes.require("kernel", window.kernel)) ||
      failed(readList("strides", window.strides)) ||
      failed(readList("pads_begin", window.padsBegin)) ||
      failed(readList("pads_end", window.padsEnd)))
    return failure();
  if (features.dilations) {
    if (failed(c.attributes.read("dilations", window.dilations)))
      return failure();
    // An empty list is valid here: OpenVINO writes it for dilations of 1.
    if (!window.dilations.empty() &&
        failed(checkList("dilations", window.dilations)))
      return failure();
  }

  SmallVector<StringRef> roundings = {"floor", "ceil"};
  if (features.ceilTorch)
    roundings.push_back("ceil_torch");
  std::string rounding = "floor", autoPad = "explicit";
  if (failed(c.attributes.readWord("rounding_type", rounding, roundings)) ||
      failed(c.attributes.readWord(
          "auto_pad", autoPad,
          {"explicit", "notset", "same_upper", "same_lower", "valid"})))
    return failure();
  window.modes.rounding = *symbolizeRoundingType(rounding);
  window.modes.autoPad = symbolizeAutoPad(autoPad).value_or(AutoPad::Explicit);
  return window;
}

/// True if the output shape of `window` on `input` does not contradict `port`.
static bool fitsPort(RankedTensorType input, const OwnedWindow &window,
                     const Port &port) {
  FailureOr<SmallVector<int64_t>> shape = inferWindowShape(
      [](const Twine &) { return failure(); }, input, window.getAttrs());
  return succeeded(shape) && shape->size() == port.dims.size() &&
         llvm::all_of_zip(*shape, port.dims, [](int64_t rule, int64_t extent) {
           return rule == extent || ShapedType::isDynamic(rule) ||
                  ShapedType::isDynamic(extent);
         });
}

/// Replaces auto_pad `same_*` by the explicit pads that it stands for. Fails
/// without an error if an extent is unknown, if the ranks of window and input
/// differ, or if the window rule refuses the window.
static LogicalResult makePadsExplicit(RankedTensorType input,
                                      OwnedWindow &window) {
  WindowAttrs attrs = window.getAttrs();
  // Emit no error if the ranks differ, because type inference reports that
  // later.
  if (attrs.getRank() != input.getRank())
    return failure();
  SmallVector<int64_t> begin, end;
  for (unsigned i = 0; i < attrs.getNumSpatialDims(); ++i) {
    int64_t extent = input.getDimSize(attrs.getSpatialDim(i));
    if (ShapedType::isDynamic(extent))
      return failure();
    RuleOr<ResolvedDim> dim = resolveDim(extent, attrs.getDim(i), attrs.modes);
    if (!dim)
      return failure();
    begin.push_back(dim->padBegin);
    end.push_back(dim->padEnd);
  }
  window.padsBegin = begin;
  window.padsEnd = end;
  window.modes.autoPad = AutoPad::Explicit;
  window.modes.sameOutput = SameOutput::Input;
  return success();
}

/// Selects the rule by which auto_pad `same_*` gives the output extents that
/// the port declares. There are three rules. `strided` gives ceil(input /
/// stride), which is usual. `documents` gives the input extent, as OpenVINO's
/// documents say. `rounded` is what OpenVINO does: resolves the pads, and then
/// applies the rounding to the padded input. If no rule agrees with the port,
/// takes `strided`, and the caller reports the mismatch. At stride 1, takes
/// `documents` without comparing.
static void chooseSameOutput(RankedTensorType input, OwnedWindow &window,
                             const Port &port) {
  if (!window.modes.isSame())
    return;
  OwnedWindow documents = window, strided = window, rounded = window;
  documents.modes.sameOutput = SameOutput::Input;
  documents.modes.rounding = RoundingType::Floor;
  strided.modes.sameOutput = SameOutput::Strided;
  strided.modes.rounding = RoundingType::Floor;
  rounded.modes.sameOutput = SameOutput::Strided;
  if (isAll(window.strides, 1))
    window = documents;
  else if (fitsPort(input, strided, port))
    window = strided;
  else if (fitsPort(input, documents, port))
    window = documents;
  else if (succeeded(makePadsExplicit(input, rounded)) &&
           fitsPort(input, rounded, port))
    window = rounded;
  else
    window = strided;
}

/// Returns the type of an output, after checking its port against `rule`, the
/// type that inference derives. Extents that `rule` does not know are dynamic.
/// The error explains how the extents of `rule` follow from `window`.
static FailureOr<RankedTensorType>
getWindowResultType(LayerConversion &c, unsigned output, RankedTensorType rule,
                    const OwnedWindow &window) {
  const Port &port = c.layer.outputs[output];
  SmallVector<int64_t> shape(port.dims);
  if (shape.size() == size_t(rule.getRank()))
    for (auto [extent, inferred] : llvm::zip_equal(shape, rule.getShape()))
      if (ShapedType::isDynamic(inferred))
        extent = inferred;
  auto report = [&](const Twine &message) -> LogicalResult {
    return emitLayerError(c.places, c.layer, port.offset) << message;
  };
  auto declared = RankedTensorType::get(shape, rule.getElementType());
  std::string name = ("port " + Twine(port.id)).str();
  if (failed(verifyResultType(report, name, declared, rule, c.getInputType(0),
                              window.getAttrs())))
    return failure();
  return c.getOutputType(output, rule);
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

FailureOr<Type> pool::openvino::readIndexType(LayerConversion &c) {
  std::string name = "i64";
  if (failed(c.attributes.readWord("index_element_type", name, {"i32", "i64"})))
    return failure();
  return getTypeOfName(c.b.getContext(), name);
}

static LogicalResult convertMaxPool(LayerConversion &c) {
  bool hasIndices = c.layer.opset >= 8;
  WindowFeatures features = {hasIndices, c.layer.opset >= 14};
  FailureOr<OwnedWindow> window = readWindow(c, features);
  if (failed(window))
    return failure();
  int64_t axis = 0;
  Type indexType;
  if (hasIndices) {
    FailureOr<Type> indexTypeAttr = readIndexType(c);
    if (failed(indexTypeAttr) || failed(c.attributes.read("axis", axis)))
      return failure();
    indexType = *indexTypeAttr;
  }
  if (failed(c.attributes.finish()) ||
      failed(c.checkPorts(1, hasIndices ? 2 : 1)))
    return failure();

  RankedTensorType input = c.getInputType(0);
  chooseSameOutput(input, *window, c.layer.outputs[0]);
  auto report = c.getReport();
  // Do not compute unused indices, so that they need not fit their element
  // type.
  bool givesIndices = hasIndices && c.layer.isUsed[1];
  FailureOr<RankedTensorType> rule =
      inferExtremumPool(report, input, window->getAttrs(), Reduction::Max,
                        {axis, PadValue::NegInf, NanMode::Ignore},
                        givesIndices ? indexType : Type());
  if (failed(rule))
    return failure();
  SmallVector<Type> types;
  for (unsigned i = 0; i < c.outputs.size(); ++i) {
    FailureOr<RankedTensorType> type = getWindowResultType(
        c, i, i == 0 ? *rule : rule->clone(indexType), *window);
    if (failed(type))
      return failure();
    if (i == 0 || givesIndices)
      types.push_back(*type);
  }

  MaxPoolOp::Properties properties;
  setWindow(properties, window->getAttrs());
  if (givesIndices)
    properties.axis = pool::normalizeAxis(axis, input.getRank());
  c.create<MaxPoolOp>(types, properties);
  return success();
}

static LogicalResult convertAvgPool(LayerConversion &c) {
  WindowFeatures features = {c.layer.opset >= 16, c.layer.opset >= 14};
  FailureOr<OwnedWindow> window = readWindow(c, features);
  bool excludesPad;
  if (failed(window) ||
      failed(c.attributes.require("exclude-pad", excludesPad)) ||
      failed(c.attributes.finish()) || failed(c.checkPorts(1, 1)))
    return failure();

  RankedTensorType input = c.getInputType(0);
  chooseSameOutput(input, *window, c.layer.outputs[0]);
  WindowAttrs attrs = window->getAttrs();
  AverageModes modes;
  // With `exclude-pad = false`, OpenVINO's implementation counts every position
  // of a window with pads or `same_*` padding. Otherwise it counts only
  // positions inside the input.
  if (!excludesPad && (attrs.modes.isSame() || attrs.hasExplicitPads()))
    modes.divisor = Divisor::Kernel;
  AvgPoolOp::Properties properties;
  setWindow(properties, attrs);
  properties.divisor = modes.divisor;
  auto report = c.getReport();
  FailureOr<RankedTensorType> rule = inferAvgPool(report, input, attrs, modes);
  if (failed(rule) || failed(verifyCounts(report, input, attrs, modes)))
    return failure();
  FailureOr<RankedTensorType> type = getWindowResultType(c, 0, *rule, *window);
  if (failed(type))
    return failure();
  c.create<AvgPoolOp>(*type, properties);
  return success();
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

namespace {
struct PoolingLayer {
  LogicalResult (*convert)(LayerConversion &) = nullptr;
  unsigned firstOpset = 1;
  bool hasConstant = false;
};
} // namespace

static PoolingLayer find(StringRef type) {
  return llvm::StringSwitch<PoolingLayer>(type)
      .Case("MaxPool", {convertMaxPool})
      .Case("AvgPool", {convertAvgPool})
      .Case("AdaptiveAvgPool", {convertAdaptiveAvgPool, 8, true})
      .Case("AdaptiveMaxPool", {convertAdaptiveMaxPool, 8, true})
      .Cases({"ReduceMean", "ReduceMax"}, {convertGlobalPool, 1, true})
      .Default({});
}

bool pool::openvino::isPoolingLayer(const Layer &layer) {
  PoolingLayer pooling = find(layer.type);
  return pooling.convert &&
         (pooling.convert != convertGlobalPool || isGlobalPool(layer));
}

bool pool::openvino::isConstantInput(const Layer &layer, unsigned input) {
  return input == 1 && find(layer.type).hasConstant;
}

LogicalResult pool::openvino::convertPoolingLayer(LayerConversion &c) {
  PoolingLayer pooling = find(c.layer.type);
  if (failed(c.checkVersion(pooling.firstOpset)))
    return failure();
  if (c.inputs.empty())
    return c.emitError() << "it has no input";
  RankedTensorType input = c.getInputType(0);
  if (input.getElementType().isInteger(1))
    return c.emitError() << "boolean is not pooled";
  return pooling.convert(c);
}
