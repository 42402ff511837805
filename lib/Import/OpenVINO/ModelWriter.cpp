// Writes layers as XML elements and constants as bytes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModelWriter.h"

#include "Precision.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pool::openvino;

std::string mlir::pool::openvino::join(ArrayRef<int64_t> list) {
  return llvm::join(
      llvm::map_range(list,
                      [](int64_t entry) { return std::to_string(entry); }),
      ",");
}

/// Replaces control characters by `_`, because XML cannot hold most of them.
/// Also replaces all bytes beyond ASCII if the text is not UTF-8.
static std::string getClean(StringRef text) {
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  bool isLegal = llvm::isLegalUTF8String(
      &begin, reinterpret_cast<const llvm::UTF8 *>(text.end()));
  std::string clean;
  for (unsigned char c : text)
    clean.push_back(c < 0x20 || c == 0x7f || (!isLegal && c >= 0x80) ? '_' : c);
  return clean;
}

/// Escapes the commas of one name in a list of names.
static std::string escapeCommas(StringRef name) {
  std::string escaped;
  for (char c : name) {
    if (c == ',')
      escaped.push_back('\\');
    escaped.push_back(c);
  }
  return escaped;
}

ModelWriter::ModelWriter(StringRef name) {
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  pugi::xml_node net = document.append_child("net");
  net.append_attribute("name") = getClean(name).c_str();
  net.append_attribute("version") = 11;
  layers = net.append_child("layers");
  edges = net.append_child("edges");
}

std::string ModelWriter::getName(const LayerDescription &layer) {
  std::string stem;
  if (auto named = layer.loc->findInstanceOf<NameLoc>())
    stem = getClean(named.getName().getValue());
  if (stem.empty())
    stem = (layer.type + "_" + llvm::Twine(numLayers)).str();
  std::string name = stem;
  while (!names.try_emplace(name, 0).second)
    name = stem + "_" + std::to_string(++names[stem]);
  return name;
}

static void addPort(pugi::xml_node list, unsigned number,
                    RankedTensorType type) {
  pugi::xml_node port = list.append_child("port");
  port.append_attribute("id") = number;
  port.append_attribute("precision") =
      getPrecision(type.getElementType()).str().c_str();
  for (int64_t extent : type.getShape())
    port.append_child("dim").text() =
        static_cast<long long>(ShapedType::isDynamic(extent) ? -1 : extent);
}

SmallVector<WrittenPort> ModelWriter::addLayer(const LayerDescription &layer) {
  unsigned id = numLayers;
  pugi::xml_node node = layers.append_child("layer");
  node.append_attribute("id") = id;
  std::string name = getName(layer);
  node.append_attribute("name") = name.c_str();
  ++numLayers;
  node.append_attribute("type") = layer.type.str().c_str();
  node.append_attribute("version") =
      ("opset" + std::to_string(layer.opset)).c_str();
  if (!layer.data.empty()) {
    pugi::xml_node data = node.append_child("data");
    for (const auto &[name, value] : layer.data)
      data.append_attribute(name.str().c_str()) = value.c_str();
  }

  unsigned port = 0;
  if (!layer.inputs.empty()) {
    pugi::xml_node inputs = node.append_child("input");
    for (const WrittenPort &input : layer.inputs) {
      pugi::xml_node edge = edges.append_child("edge");
      edge.append_attribute("from-layer") = input.layer;
      edge.append_attribute("from-port") = input.port;
      edge.append_attribute("to-layer") = id;
      edge.append_attribute("to-port") = port;
      addPort(inputs, port++, input.type);
    }
  }
  SmallVector<WrittenPort> written;
  if (!layer.outputs.empty()) {
    pugi::xml_node outputs = node.append_child("output");
    for (RankedTensorType type : layer.outputs) {
      written.push_back({id, port, type});
      addPort(outputs, port++, type);
    }
    // Write the name at the output too, because OpenVINO's users find an input
    // by this name.
    if (layer.type == "Parameter")
      outputs.first_child().append_attribute("names") =
          escapeCommas(name).c_str();
  }
  return written;
}

void ModelWriter::addLayer(Operation *op, const LayerDescription &layer) {
  for (auto [result, port] : llvm::zip(op->getResults(), addLayer(layer)))
    setPort(result, port);
}

WrittenPort ModelWriter::addConstant(Location loc, DenseElementsAttr value) {
  auto type = cast<RankedTensorType>(value.getType());
  Type elementType = type.getElementType();
  size_t size = type.getNumElements() * getElementBytes(elementType);
  auto [offset, isNew] = offsets.try_emplace(value, 0);
  if (isNew) {
    weights.resize(llvm::alignTo(weights.size(), 8));
    offset->second = weights.size();
    if (elementType.isInteger(1)) {
      for (bool element : value.getValues<bool>())
        weights.push_back(element);
    } else {
      ArrayRef<char> bytes = value.getRawData();
      int64_t copies = value.isSplat() ? type.getNumElements() : 1;
      for (int64_t i = 0; i < copies; ++i)
        weights.append(bytes.data(), bytes.size());
    }
  }
  LayerDescription layer = {"Const", 1, loc, {}, {}, {type}};
  layer.data = {
      {"element_type", mlir::pool::openvino::getName(elementType).str()},
      {"shape", join(type.getShape())},
      {"offset", std::to_string(offset->second)},
      {"size", std::to_string(size)}};
  return addLayer(layer).front();
}

std::string ModelWriter::getText() {
  struct StringWriter : pugi::xml_writer {
    void write(const void *data, size_t size) override {
      text.append(static_cast<const char *>(data), size);
    }
    std::string text;
  } writer;
  document.save(writer, "  ");
  return writer.text;
}
