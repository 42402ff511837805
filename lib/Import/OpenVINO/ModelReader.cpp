// Reads the layers of a model from its XML elements (<net>, <layers>, <layer>,
// <data>, <port>, <dim>, <edges>), connects them, and sorts them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Model.h"
#include "Precision.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <queue>

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::openvino;

/// Largest accepted rank, far above the rank of common tensors. A limit is
/// needed because the import builds affine maps of this rank, and the file may
/// be untrusted.
static constexpr unsigned kMaxRank = 64;

std::optional<int64_t> pool::openvino::parseInteger(StringRef text) {
  int64_t value;
  // Accept only a sign and digits: StringRef's parser also accepts prefixes
  // such as 0x.
  StringRef digits = text;
  digits.consume_front("-");
  if (digits.empty() || !llvm::all_of(digits, llvm::isDigit) ||
      text.getAsInteger(10, value))
    return std::nullopt;
  return value;
}

InFlightDiagnostic pool::openvino::emitLayerError(const Places &places,
                                                  const Layer &layer) {
  return emitLayerError(places, layer, layer.offset);
}

InFlightDiagnostic pool::openvino::emitLayerError(const Places &places,
                                                  const Layer &layer,
                                                  Offset offset) {
  return places.emitError(offset) << "layer '" << shorten(layer.name) << "' ("
                                  << shorten(layer.type) << "): ";
}

//===----------------------------------------------------------------------===//
// Connections
//===----------------------------------------------------------------------===//

namespace {
/// A connection as the file declares it.
struct Edge {
  int64_t fromLayer, fromPort, toLayer, toPort;
  Offset offset;
};
} // namespace

/// Maps the index of a layer and the id of a port to the port's index among the
/// layer's inputs (or, in another map, among its outputs).
using PortMap = llvm::DenseMap<std::pair<unsigned, int64_t>, unsigned>;

/// Sorts layers topologically (Kahn's algorithm). Among the layers that are
/// ready, takes the first one in the file. Returns the layers that it cannot
/// sort, because they are part of a cycle or depend on one.
static std::vector<unsigned> sortLayers(Model &model) {
  unsigned numLayers = model.layers.size();
  std::vector<unsigned> numMissing(numLayers);
  std::vector<SmallVector<unsigned, 2>> users(numLayers);
  for (auto [position, layer] : llvm::enumerate(model.layers)) {
    numMissing[position] = layer.sources.size();
    for (Source source : layer.sources)
      users[source.layer].push_back(position);
  }

  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
  for (unsigned position = 0; position < numLayers; ++position)
    if (numMissing[position] == 0)
      ready.push(position);
  while (!ready.empty()) {
    unsigned position = ready.top();
    ready.pop();
    model.order.push_back(position);
    for (unsigned user : users[position])
      if (--numMissing[user] == 0)
        ready.push(user);
  }

  std::vector<unsigned> left;
  for (unsigned position = 0; position < numLayers; ++position)
    if (numMissing[position] != 0)
      left.push_back(position);
  return left;
}

/// Returns a layer of a cycle among the unsorted layers `left`. Each of them
/// has an unsorted source, so a walk back along such sources ends in a cycle.
static const Layer &findCycle(const Model &model, ArrayRef<unsigned> left) {
  llvm::DenseSet<unsigned> isLeft(left.begin(), left.end());
  llvm::DenseSet<unsigned> seen;
  unsigned position = left.front();
  while (seen.insert(position).second)
    position =
        llvm::find_if(model.layers[position].sources, [&](Source source) {
          return isLeft.contains(source.layer);
        })->layer;
  return model.layers[position];
}

/// Sets `sources` and `isUsed` of the layers, and `order` of the model. Emits
/// an error and fails if an edge has no such layer or port, if an input has no
/// edge or several edges, or if there is a cycle.
static LogicalResult connectLayers(Model &model, ArrayRef<Edge> edges,
                                   const Places &places) {
  constexpr Source kNone = {~0u, 0};
  llvm::DenseMap<int64_t, unsigned> positions;
  PortMap inputs, outputs;
  for (auto [position, layer] : llvm::enumerate(model.layers)) {
    positions[layer.id] = position;
    layer.sources.assign(layer.inputs.size(), kNone);
    layer.isUsed.assign(layer.outputs.size(), false);
    for (auto [number, port] : llvm::enumerate(layer.inputs))
      inputs[{position, port.id}] = number;
    for (auto [number, port] : llvm::enumerate(layer.outputs))
      outputs[{position, port.id}] = number;
  }

  for (const Edge &edge : edges) {
    auto from = positions.find(edge.fromLayer);
    auto to = positions.find(edge.toLayer);
    if (from == positions.end() || to == positions.end())
      return places.emitError(edge.offset)
             << "an edge from layer " << edge.fromLayer << " to layer "
             << edge.toLayer << ", but there is no layer "
             << (from == positions.end() ? edge.fromLayer : edge.toLayer);
    Layer &source = model.layers[from->second];
    Layer &target = model.layers[to->second];
    auto output = outputs.find({from->second, edge.fromPort});
    if (output == outputs.end())
      return emitLayerError(places, source, edge.offset)
             << "an edge leaves its port " << edge.fromPort
             << ", which is none of its outputs";
    auto input = inputs.find({to->second, edge.toPort});
    if (input == inputs.end())
      return emitLayerError(places, target, edge.offset)
             << "an edge leads to its port " << edge.toPort
             << ", which is none of its inputs";
    if (target.sources[input->second].layer != kNone.layer)
      return emitLayerError(places, target, edge.offset)
             << "a second edge leads to its port " << edge.toPort;
    target.sources[input->second] = {from->second, output->second};
    source.isUsed[output->second] = true;
  }

  for (const Layer &layer : model.layers)
    for (auto [port, source] : llvm::zip_equal(layer.inputs, layer.sources))
      if (source.layer == kNone.layer)
        return emitLayerError(places, layer, port.offset)
               << "no edge leads to its port " << port.id;

  std::vector<unsigned> left = sortLayers(model);
  if (left.empty())
    return success();
  return emitLayerError(places, findCycle(model, left))
         << "it depends on its own output";
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

namespace {
class ModelReader {
public:
  ModelReader(const Document &document, const Places &places)
      : document(document), places(places) {}

  /// Reads the <layers> and <edges> below `graph`.
  LogicalResult read(pugi::xml_node graph, Model &model);
  /// Checks the root element and its version, and reads the model's name.
  LogicalResult readNet(pugi::xml_node net, Model &model);

private:
  InFlightDiagnostic emitError(pugi::xml_node node) {
    return places.emitError(document.getOffset(node));
  }
  FailureOr<pugi::xml_node> getOnlyChild(pugi::xml_node parent,
                                         const char *name, bool isRequired);
  FailureOr<StringRef> getText(pugi::xml_node node, const char *name);
  /// Reads an attribute that is a version or an id, from 0 to 2^31 - 1.
  FailureOr<int64_t> getInteger(pugi::xml_node node, const char *name);

  LogicalResult readLayer(pugi::xml_node node, Layer &layer);
  LogicalResult readData(pugi::xml_node data, Layer &layer);
  LogicalResult readPorts(pugi::xml_node node, const char *name, Layer &layer,
                          SmallVectorImpl<Port> &ports);
  LogicalResult readPort(pugi::xml_node node, const Layer &layer, Port &port);
  LogicalResult readEdges(pugi::xml_node node, std::vector<Edge> &edges);

  const Document &document;
  const Places &places;
};
} // namespace

FailureOr<pugi::xml_node> ModelReader::getOnlyChild(pugi::xml_node parent,
                                                    const char *name,
                                                    bool isRequired) {
  pugi::xml_node child = parent.child(name);
  if (!child && isRequired)
    return emitError(parent)
           << "<" << parent.name() << "> has no <" << name << ">";
  if (pugi::xml_node second = child.next_sibling(name))
    return emitError(second)
           << "<" << parent.name() << "> has a second <" << name << ">";
  return child;
}

FailureOr<StringRef> ModelReader::getText(pugi::xml_node node,
                                          const char *name) {
  pugi::xml_attribute attribute = node.attribute(name);
  if (!attribute)
    return emitError(node) << "<" << node.name() << "> has no " << name;
  return StringRef(attribute.value());
}

FailureOr<int64_t> ModelReader::getInteger(pugi::xml_node node,
                                           const char *name) {
  FailureOr<StringRef> text = getText(node, name);
  if (failed(text))
    return failure();
  std::optional<int64_t> value = parseInteger(*text);
  if (!value || *value < 0 || *value > INT32_MAX)
    return emitError(node) << name << " of <" << node.name() << "> is '"
                           << shorten(*text)
                           << "', not a number from 0 to 2^31 - 1";
  return *value;
}

LogicalResult ModelReader::readNet(pugi::xml_node net, Model &model) {
  if (StringRef(net.name()) != "net")
    return emitError(net) << "the root element is <" << shorten(net.name())
                          << ">, not the <net> of an OpenVINO model";
  FailureOr<int64_t> version = getInteger(net, "version");
  if (failed(version))
    return failure();
  if (*version != 10 && *version != 11)
    return emitError(net) << "version " << *version
                          << " of the format is not 10 or 11";
  model.name = net.attribute("name").value();
  return success();
}

LogicalResult ModelReader::read(pugi::xml_node graph, Model &model) {
  FailureOr<pugi::xml_node> layers = getOnlyChild(graph, "layers", true);
  FailureOr<pugi::xml_node> edges = getOnlyChild(graph, "edges", false);
  if (failed(layers) || failed(edges))
    return failure();

  llvm::DenseMap<int64_t, unsigned> ids;
  for (pugi::xml_node node : layers->children("layer")) {
    Layer layer;
    if (failed(readLayer(node, layer)))
      return failure();
    auto [previous, isNew] = ids.try_emplace(layer.id, model.layers.size());
    if (!isNew)
      return emitLayerError(places, layer)
             << "its id " << layer.id << " is that of layer '"
             << shorten(model.layers[previous->second].name) << "'";
    model.layers.push_back(std::move(layer));
  }

  std::vector<Edge> connections;
  if (failed(readEdges(*edges, connections)))
    return failure();
  return connectLayers(model, connections, places);
}

LogicalResult ModelReader::readLayer(pugi::xml_node node, Layer &layer) {
  layer.offset = document.getOffset(node);
  FailureOr<int64_t> id = getInteger(node, "id");
  FailureOr<StringRef> type = getText(node, "type");
  if (failed(id) || failed(type))
    return failure();
  layer.id = *id;
  layer.name = node.attribute("name").value();
  layer.type = *type;
  layer.version = node.attribute("version").value();
  layer.opset = 0;
  StringRef number = layer.version;
  if (number.consume_front("opset"))
    if (std::optional<int64_t> opset = parseInteger(number);
        opset && *opset > 0 && *opset <= 1000)
      layer.opset = *opset;

  FailureOr<pugi::xml_node> data = getOnlyChild(node, "data", false);
  if (failed(data) || failed(readData(*data, layer)))
    return failure();
  if (failed(readPorts(node, "input", layer, layer.inputs)) ||
      failed(readPorts(node, "output", layer, layer.outputs)))
    return failure();

  // The ids of a layer's inputs and outputs must all differ.
  llvm::SmallDenseSet<int64_t> ids;
  for (ArrayRef<Port> ports : {ArrayRef(layer.inputs), ArrayRef(layer.outputs)})
    for (const Port &port : ports)
      if (!ids.insert(port.id).second)
        return emitLayerError(places, layer, port.offset)
               << "it has a second port " << port.id;
  return success();
}

LogicalResult ModelReader::readData(pugi::xml_node data, Layer &layer) {
  llvm::SmallDenseSet<StringRef> names;
  for (pugi::xml_attribute attribute : data.attributes()) {
    Offset offset = document.getOffset(attribute);
    if (!names.insert(attribute.name()).second)
      return emitLayerError(places, layer, offset)
             << "a second attribute " << shorten(attribute.name());
    layer.attributes.push_back({attribute.name(), attribute.value(), offset});
  }
  return success();
}

LogicalResult ModelReader::readPorts(pugi::xml_node node, const char *name,
                                     Layer &layer,
                                     SmallVectorImpl<Port> &ports) {
  FailureOr<pugi::xml_node> list = getOnlyChild(node, name, false);
  if (failed(list))
    return failure();
  for (pugi::xml_node child : list->children("port"))
    if (failed(readPort(child, layer, ports.emplace_back())))
      return failure();
  return success();
}

LogicalResult ModelReader::readPort(pugi::xml_node node, const Layer &layer,
                                    Port &port) {
  port.offset = document.getOffset(node);
  FailureOr<int64_t> id = getInteger(node, "id");
  if (failed(id))
    return failure();
  port.id = *id;
  port.precision = node.attribute("precision").value();
  port.elementType = getTypeOfPrecision(places.getContext(), port.precision);
  for (pugi::xml_node child : node.children("dim")) {
    StringRef text = StringRef(child.child_value()).trim();
    std::optional<int64_t> dim = parseInteger(text);
    if (!dim || *dim < -1)
      return emitLayerError(places, layer, document.getOffset(child))
             << "dimension " << port.dims.size() << " of port " << port.id
             << " is '" << shorten(text)
             << "', not a number from -1 to 2^63 - 1";
    if (port.dims.size() == kMaxRank)
      return emitLayerError(places, layer, port.offset)
             << "port " << port.id << " has more than " << kMaxRank
             << " dimensions";
    port.dims.push_back(*dim == -1 ? ShapedType::kDynamic : *dim);
  }
  return success();
}

LogicalResult ModelReader::readEdges(pugi::xml_node node,
                                     std::vector<Edge> &edges) {
  for (pugi::xml_node child : node.children("edge")) {
    FailureOr<int64_t> numbers[4];
    const char *names[] = {"from-layer", "from-port", "to-layer", "to-port"};
    for (auto [number, name] : llvm::zip_equal(numbers, names)) {
      number = getInteger(child, name);
      if (failed(number))
        return failure();
    }
    edges.push_back({*numbers[0], *numbers[1], *numbers[2], *numbers[3],
                     document.getOffset(child)});
  }
  return success();
}

LogicalResult pool::openvino::readModels(const Document &document,
                                         const Places &places,
                                         std::vector<Model> &models) {
  ModelReader reader(document, places);
  pugi::xml_node net = document.getRoot();
  Model &model = models.emplace_back();
  if (failed(reader.readNet(net, model)) || failed(reader.read(net, model)))
    return failure();
  // A body is nested in a layer, possibly within another body.
  SmallVector<pugi::xml_node> graphs = {net};
  while (!graphs.empty()) {
    pugi::xml_node graph = graphs.pop_back_val();
    for (pugi::xml_node layer : graph.child("layers").children("layer"))
      for (const char *name : {"body", "then_body", "else_body"})
        for (pugi::xml_node body : layer.children(name)) {
          if (failed(reader.read(body, models.emplace_back())))
            return failure();
          graphs.push_back(body);
        }
  }
  return success();
}
