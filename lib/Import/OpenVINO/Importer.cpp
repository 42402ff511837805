// Imports an OpenVINO model as one function for the whole model, or as one
// function for each pooling layer.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Import/OpenVINO/OpenVINO.h"

#include "Precision.h"
#include "QuantizationLayers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Transforms/ExternalModels.h"
#include "pool/Support/WindowRules.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::openvino;

namespace {
class Importer {
public:
  Importer(const Places &places, const OpenVINOImportOptions &options)
      : places(places), poolLayersName(options.poolLayersName),
        weights(places, options.weightsPath), b(places.getContext()),
        module(ModuleOp::create(places.getLocation(0))) {
    b.setInsertionPointToEnd(module->getBody());
  }

  /// Imports the first of `models`, the whole model, as one function. The other
  /// ones are bodies of loops and branches. They serve error messages only,
  /// because a layer with a body is not imported.
  LogicalResult importModel(ArrayRef<Model> models);
  /// Imports each pooling layer of all `models` as one function.
  LogicalResult importPoolingLayers(ArrayRef<Model> models);

  OwningOpRef<ModuleOp> takeModule() { return std::move(module); }

private:
  /// Returns the location of `layer` in the file, with its name if it has one.
  Location getLocation(const Layer &layer);
  /// Turns `name`, or `fallback` if `name` is empty, into an identifier that no
  /// function has yet.
  std::string getSymbol(StringRef name, StringRef fallback);

  /// Returns the tensor type with the dimensions that a port declares. Emits an
  /// error and fails if no memory can hold that many elements.
  FailureOr<RankedTensorType> getPortType(const Layer &layer, const Port &port,
                                          Type elementType);
  /// Finds the element type of an input whose producer may be a layer that is
  /// not imported. Takes the first of these that the file has: the precision of
  /// the input port, the precision of the producer's output port, and the
  /// producer's attribute `element_type`. If none is there and the producer is
  /// a pooling layer, continues with the producer's input. Returns null if it
  /// finds nothing, or a type that is not supported.
  Type findElementType(const Model &model, const Layer &layer, unsigned input);
  FailureOr<RankedTensorType> getParameterType(const Layer &layer);
  /// Returns the values that are the inputs of a layer. The value is null for
  /// an input that the layer reads as a constant. Requires that all producers
  /// except Const layers were imported.
  FailureOr<SmallVector<Value>> getInputs(const Model &model,
                                          const Layer &layer);
  LogicalResult convertLayer(const Model &model, const Layer &layer);
  LogicalResult importPoolingLayer(const Model &model, const Layer &layer);
  /// Ends `function` by a return of `values`, and sets its type.
  void finish(func::FuncOp function, ValueRange values);

  const Places &places;
  StringRef poolLayersName;
  Weights weights;
  OpBuilder b;
  OwningOpRef<ModuleOp> module;
  llvm::StringSet<> symbols;
  /// For each identifier that getSymbol derived from a name, the last number
  /// that it appended to make a symbol unique.
  llvm::StringMap<unsigned> numbers;
  /// The value of each output, by the indices of its layer and of the output.
  llvm::DenseMap<std::pair<unsigned, unsigned>, Value> values;
};
} // namespace

Location Importer::getLocation(const Layer &layer) {
  Location place = places.getLocation(layer.offset);
  if (layer.name.empty())
    return place;
  return NameLoc::get(b.getStringAttr(layer.name), place);
}

std::string Importer::getSymbol(StringRef name, StringRef fallback) {
  std::string stem;
  for (char c : name)
    stem.push_back(llvm::isAlnum(c) || c == '_' || c == '.' || c == '$' ? c
                                                                        : '_');
  if (stem.empty())
    stem = fallback.str();
  else if (!llvm::isAlpha(stem.front()) && stem.front() != '_')
    stem.insert(stem.begin(), '_');
  std::string symbol = stem;
  for (unsigned &number = numbers[stem]; !symbols.insert(symbol).second;)
    symbol = stem + "_" + std::to_string(++number);
  return symbol;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType>
Importer::getPortType(const Layer &layer, const Port &port, Type elementType) {
  auto emitError = [&] { return emitLayerError(places, layer, port.offset); };
  SmallVector<int64_t> known(port.dims);
  llvm::erase_if(known, ShapedType::isDynamic);
  std::optional<int64_t> numElements = getProduct(known);
  if (!numElements || *numElements > kAddressable)
    return emitError() << "port " << port.id
                       << " has more elements than any memory holds";
  return RankedTensorType::get(port.dims, elementType);
}

Type Importer::findElementType(const Model &model, const Layer &layer,
                               unsigned input) {
  // Limit the walk back: along a long chain of poolings, a walk from each
  // pooling would take quadratic time.
  constexpr unsigned kMaxSteps = 64;
  const Layer *user = &layer;
  for (unsigned step = 0; step < kMaxSteps; ++step) {
    if (!user->inputs[input].precision.empty())
      return user->inputs[input].elementType;
    Source source = user->sources[input];
    const Layer &producer = model.layers[source.layer];
    if (!producer.outputs[source.output].precision.empty())
      return producer.outputs[source.output].elementType;
    for (const DataAttribute &attribute : producer.attributes)
      if (attribute.name == "element_type")
        return getTypeOfName(places.getContext(), attribute.value);
    // A pooling's values have the element type of its input.
    if (!isPoolingLayer(producer) || source.output != 0 ||
        producer.inputs.empty())
      return {};
    user = &producer;
    input = 0;
  }
  return {};
}

/// True if `text` is a notation of an unknown extent: ?, -1, or bounds such as
/// 1..8 and ..8.
static bool isUnknownExtent(StringRef text) {
  if (text == "?" || text == "-1")
    return true;
  if (!text.contains(".."))
    return false;
  auto [low, high] = text.split("..");
  auto isBound = [](StringRef bound) {
    return bound.empty() || parseInteger(bound).value_or(-1) >= 0;
  };
  return isBound(low) && isBound(high);
}

FailureOr<RankedTensorType> Importer::getParameterType(const Layer &layer) {
  LayerAttributes attributes(places, layer);
  StringRef shape, name;
  if (failed(attributes.require("shape", shape)) ||
      failed(attributes.require("element_type", name)) ||
      failed(attributes.finish()))
    return failure();
  Type elementType = getTypeOfName(places.getContext(), name);
  if (!elementType)
    return attributes.emitError("element_type") << "which is not supported";
  if (layer.outputs.size() != 1 || !layer.inputs.empty())
    return emitLayerError(places, layer)
           << "it has " << layer.inputs.size() << " inputs and "
           << layer.outputs.size() << " outputs, must have one output";

  const Port &port = layer.outputs.front();
  if (failed(checkPrecision(places, layer, port, elementType)))
    return failure();
  SmallVector<StringRef> dims;
  if (!shape.trim().empty())
    shape.split(dims, ',');
  if (dims.size() != port.dims.size())
    return attributes.emitError("shape")
           << "which has " << dims.size() << " dimensions, port " << port.id
           << " " << port.dims.size();
  for (auto [d, text, extent] : llvm::enumerate(dims, port.dims)) {
    std::optional<int64_t> number = parseInteger(text.trim());
    bool isUnknown = isUnknownExtent(text.trim());
    if (!isUnknown && (!number || *number < 0))
      return attributes.emitError("shape")
             << "whose dimension " << d << " is no number";
    if (ShapedType::isDynamic(extent) ? !isUnknown : number != extent)
      return attributes.emitError("shape")
             << "whose dimension " << d << " is " << text.trim()
             << ", but port " << port.id << " has "
             << (ShapedType::isDynamic(extent) ? -1 : extent);
  }
  return getPortType(layer, port, elementType);
}

//===----------------------------------------------------------------------===//
// The whole model
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Value>> Importer::getInputs(const Model &model,
                                                  const Layer &layer) {
  SmallVector<Value> inputs;
  for (auto [i, port, source] : llvm::enumerate(layer.inputs, layer.sources)) {
    Value &value = values[{source.layer, source.output}];
    const Layer &producer = model.layers[source.layer];
    if (isConstantInput(layer, i)) {
      inputs.push_back({});
      continue;
    }
    if (!value && producer.type == "Const") {
      DenseElementsAttr constant = weights.getConstant(producer);
      if (!constant)
        return failure();
      value = arith::ConstantOp::create(b, getLocation(producer), constant);
    }
    if (failed(checkPort(places, layer, port,
                         cast<RankedTensorType>(value.getType()),
                         "what comes to it")))
      return failure();
    inputs.push_back(value);
  }
  return inputs;
}

LogicalResult Importer::convertLayer(const Model &model, const Layer &layer) {
  FailureOr<SmallVector<Value>> inputs = getInputs(model, layer);
  if (failed(inputs))
    return failure();
  LayerConversion conversion(places, model, layer, weights, b,
                             getLocation(layer), *inputs);
  if (failed(isPoolingLayer(layer) ? convertPoolingLayer(conversion)
                                   : convertQuantizationLayer(conversion)))
    return failure();
  unsigned position = &layer - model.layers.data();
  for (auto [output, value] : llvm::enumerate(conversion.outputs))
    values[{position, output}] = value;
  return success();
}

static bool hasPooling(ArrayRef<Model> models) {
  return llvm::any_of(models, [](const Model &model) {
    return llvm::any_of(model.layers, isPoolingLayer);
  });
}

LogicalResult Importer::importModel(ArrayRef<Model> models) {
  const Model &model = models.front();
  SmallVector<Type> types;
  SmallVector<Location> locations;
  SmallVector<unsigned> parameters, results;
  for (auto [position, layer] : llvm::enumerate(model.layers)) {
    if (layer.type == "Parameter") {
      FailureOr<RankedTensorType> type = getParameterType(layer);
      if (failed(type))
        return failure();
      types.push_back(*type);
      locations.push_back(getLocation(layer));
      parameters.push_back(position);
    } else if (layer.type == "Result") {
      if (layer.inputs.size() != 1 || !layer.outputs.empty())
        return emitLayerError(places, layer)
               << "it has " << layer.inputs.size() << " inputs and "
               << layer.outputs.size() << " outputs, must have one input";
      results.push_back(position);
    } else if (layer.type != "Const" && !isPoolingLayer(layer) &&
               !isQuantizationLayer(layer)) {
      InFlightDiagnostic error = emitLayerError(places, layer)
                                 << "layers of this type are not imported";
      if (!hasPooling(models))
        return error << ", and the model has no pooling layer";
      return error << "; " << poolLayersName
                   << " imports the pooling layers of any model";
    }
  }

  Location loc =
      NameLoc::get(b.getStringAttr(model.name), places.getLocation(0));
  auto function = func::FuncOp::create(b, loc, getSymbol(model.name, "main"),
                                       b.getFunctionType(types, {}));
  Block *body = b.createBlock(&function.getBody(), {}, types, locations);
  for (auto [position, argument] :
       llvm::zip_equal(parameters, body->getArguments()))
    values[{position, 0}] = argument;

  for (unsigned position : model.order) {
    const Layer &layer = model.layers[position];
    if ((isPoolingLayer(layer) || isQuantizationLayer(layer)) &&
        failed(convertLayer(model, layer)))
      return failure();
  }
  SmallVector<Value> returned;
  for (unsigned position : results) {
    FailureOr<SmallVector<Value>> inputs =
        getInputs(model, model.layers[position]);
    if (failed(inputs))
      return failure();
    returned.push_back(inputs->front());
  }
  finish(function, returned);
  return success();
}

void Importer::finish(func::FuncOp function, ValueRange values) {
  func::ReturnOp::create(b, function.getLoc(), values);
  function.setType(b.getFunctionType(function.getBody().getArgumentTypes(),
                                     values.getTypes()));
  b.setInsertionPointToEnd(module->getBody());
}

//===----------------------------------------------------------------------===//
// Each pooling layer
//===----------------------------------------------------------------------===//

LogicalResult Importer::importPoolingLayer(const Model &model,
                                           const Layer &layer) {
  Location loc = getLocation(layer);
  auto function = func::FuncOp::create(b, loc, getSymbol(layer.name, "layer"),
                                       b.getFunctionType({}, {}));
  Block *body = b.createBlock(&function.getBody());
  SmallVector<Value> inputs;
  for (auto [i, port] : llvm::enumerate(layer.inputs)) {
    if (isConstantInput(layer, i)) {
      inputs.push_back({});
      continue;
    }
    Type elementType = findElementType(model, layer, i);
    if (!elementType)
      return emitLayerError(places, layer, port.offset)
             << "the precision of port " << port.id << ", '"
             << shorten(port.precision) << "', is none that is supported";
    FailureOr<RankedTensorType> type = getPortType(layer, port, elementType);
    if (failed(type))
      return failure();
    inputs.push_back(body->addArgument(*type, loc));
  }

  LayerConversion conversion(places, model, layer, weights, b, loc, inputs);
  if (failed(convertPoolingLayer(conversion)))
    return failure();
  SmallVector<Value> returned(
      llvm::make_filter_range(conversion.outputs, [](Value v) { return !!v; }));
  finish(function, returned);
  return success();
}

LogicalResult Importer::importPoolingLayers(ArrayRef<Model> models) {
  for (const Model &model : models)
    for (const Layer &layer : model.layers)
      if (isPoolingLayer(layer) && failed(importPoolingLayer(model, layer)))
        return failure();
  if (!module->getBody()->empty())
    return success();
  // If the model has pooling of a kind that is not imported, such as
  // ROIPooling, name it in the error.
  for (const Model &model : models)
    for (const Layer &layer : model.layers)
      if (layer.type.contains("Pool"))
        return emitLayerError(places, layer)
               << "layers of this type are not imported, and the model has no "
                  "other pooling layer";
  return emitError(places.getLocation(0)) << "the model has no pooling layer";
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

void pool::registerOpenVINODialects(DialectRegistry &registry) {
  registry.insert<PoolDialect, arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
                  tensor::TensorDialect>();
  registerExternalModels(registry);
}

void pool::openvino::loadDialects(MLIRContext *context) {
  DialectRegistry registry;
  registerOpenVINODialects(registry);
  context->appendDialectRegistry(registry);
  for (StringRef name : registry.getDialectNames())
    context->getOrLoadDialect(name);
}

OwningOpRef<ModuleOp>
pool::importOpenVINO(llvm::MemoryBufferRef text, MLIRContext *context,
                     const OpenVINOImportOptions &options) {
  loadDialects(context);
  Places places(text, context);
  auto document = Document::parse(text, places);
  std::vector<Model> models;
  if (failed(document) || failed(readModels(**document, places, models)))
    return {};
  Importer importer(places, options);
  if (failed(options.poolLayers ? importer.importPoolingLayers(models)
                                : importer.importModel(models)))
    return {};
  OwningOpRef<ModuleOp> module = importer.takeModule();
  if (failed(verify(*module)))
    return {};
  return module;
}

OwningOpRef<ModuleOp>
pool::importOpenVINO(StringRef xmlPath, MLIRContext *context,
                     const OpenVINOImportOptions &options) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      llvm::MemoryBuffer::getFile(xmlPath);
  if (!file) {
    emitError(FileLineColLoc::get(context, xmlPath, 1, 1))
        << "the model cannot be opened: " << file.getError().message();
    return {};
  }
  return importOpenVINO((*file)->getMemBufferRef(), context, options);
}
