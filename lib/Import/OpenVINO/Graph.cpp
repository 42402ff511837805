// Connects ports by edges, and sorts layers topologically.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Model.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <queue>

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::openvino;

/// Maps layer position and port number to the port's position.
using PortMap = llvm::DenseMap<std::pair<unsigned, int64_t>, unsigned>;

/// Sorts layers topologically, keeping the file's order among independent ones.
/// Returns the layers in or behind a cycle, which it cannot sort.
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

/// Finds a layer of a cycle among the unsorted layers. Each of them has an
/// unsorted source, so walking back from any ends in a cycle.
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

LogicalResult pool::openvino::connectLayers(Model &model, ArrayRef<Edge> edges,
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
