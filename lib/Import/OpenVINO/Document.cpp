// Parses XML text with pugixml. pugixml does not recurse and does not expand
// entities, so untrusted text cannot exhaust the stack or the memory.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Document.h"

#include "mlir/IR/Location.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::pool::openvino;

/// Largest accepted text in bytes. The XML of language models has some tens of
/// megabytes.
static constexpr size_t kMaxBytes = size_t(1) << 29;
/// Largest accepted nesting depth. Each nested loop body adds three levels:
/// <body>, <layers> and <layer>.
static constexpr unsigned kMaxDepth = 256;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

Places::Places(llvm::MemoryBufferRef text, MLIRContext *context)
    : text(text.getBuffer()), path(text.getBufferIdentifier()),
      context(context) {
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(text, /*RequiresNullTerminator=*/false),
      llvm::SMLoc());
}

Location Places::getLocation(Offset offset) const {
  const char *place = text.data() + std::min(offset, text.size());
  auto [line, column] =
      sources.getLineAndColumn(llvm::SMLoc::getFromPointer(place));
  return FileLineColLoc::get(context, path, line, column);
}

std::string pool::openvino::shorten(StringRef text) {
  constexpr size_t kMaxQuoted = 100;
  if (text.size() <= kMaxQuoted)
    return text.str();
  return text.take_front(kMaxQuoted).str() + "...";
}

InFlightDiagnostic Places::emitError(Offset offset) const {
  return mlir::emitError(getLocation(offset));
}

//===----------------------------------------------------------------------===//
// Document
//===----------------------------------------------------------------------===//

Offset Document::getOffset(const char *name) const {
  // The parser works in place, so the address of a name gives its offset. A
  // node without a name has an empty string outside the text as its name.
  if (name < buffer.data() || name > buffer.data() + buffer.size())
    return 0;
  return name - buffer.data();
}

Offset Document::getOffset(pugi::xml_node node) const {
  return getOffset(node.name());
}

Offset Document::getOffset(pugi::xml_attribute attribute) const {
  return getOffset(attribute.name());
}

FailureOr<std::unique_ptr<Document>> Document::parse(llvm::MemoryBufferRef text,
                                                     const Places &places) {
  StringRef bytes = text.getBuffer();
  if (bytes.size() > kMaxBytes)
    return places.emitError(0)
           << "the file has " << bytes.size() << " bytes, more than the "
           << kMaxBytes << " that a model is read of";
  if (size_t nul = bytes.find('\0'); nul != StringRef::npos)
    return places.emitError(nul)
           << "the file is not UTF-8 text: it holds a zero byte";
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(bytes.begin());
  const llvm::UTF8 *end = begin;
  if (!llvm::isLegalUTF8String(
          &end, reinterpret_cast<const llvm::UTF8 *>(bytes.end())))
    return places.emitError(end - begin) << "the file is not UTF-8 text";

  auto document = std::make_unique<Document>();
  document->buffer = bytes.str();
  pugi::xml_parse_result result = document->tree.load_buffer_inplace(
      document->buffer.data(), document->buffer.size(),
      pugi::parse_default | pugi::parse_declaration | pugi::parse_doctype |
          pugi::parse_embed_pcdata,
      pugi::encoding_utf8);
  if (!result)
    return places.emitError(result.offset)
           << "the file is not well-formed XML: " << result.description();
  if (failed(document->checkStructure(places)))
    return failure();
  return document;
}

LogicalResult Document::checkStructure(const Places &places) const {
  pugi::xml_node root = getRoot();
  for (pugi::xml_node node : tree.children()) {
    if (node.type() == pugi::node_doctype)
      return places.emitError(0)
             << "a document type (DOCTYPE) is refused: a model has none";
    if (node.type() == pugi::node_element && node != root)
      return places.emitError(getOffset(node))
             << "a second root element <" << shorten(node.name()) << "> after <"
             << shorten(root.name()) << ">";
    StringRef encoding = node.attribute("encoding").value();
    if (node.type() == pugi::node_declaration && !encoding.empty() &&
        !encoding.equals_insensitive("utf-8") &&
        !encoding.equals_insensitive("us-ascii"))
      return places.emitError(0)
             << "the encoding '" << shorten(encoding) << "' is not UTF-8";
  }

  // Check the nesting depth without recursion, because the depth is not bounded
  // yet.
  unsigned depth = 1;
  for (pugi::xml_node node = root; node;) {
    if (pugi::xml_node child = node.first_child()) {
      node = child;
      if (++depth > kMaxDepth)
        return places.emitError(getOffset(node.parent()))
               << "elements are nested deeper than " << kMaxDepth << " levels";
      continue;
    }
    while (node != root && !node.next_sibling()) {
      node = node.parent();
      --depth;
    }
    node = node == root ? pugi::xml_node() : node.next_sibling();
  }
  return success();
}
