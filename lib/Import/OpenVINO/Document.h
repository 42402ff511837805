// The elements of an IR file and their locations in it.
//
// A file need not be trusted: Document::parse refuses text that is not UTF-8,
// document types (and with them entities), and deep nesting.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_IMPORT_OPENVINO_DOCUMENT_H
#define POOL_LIB_IMPORT_OPENVINO_DOCUMENT_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>
#include <pugixml.hpp>
#include <string>

namespace mlir::pool::openvino {

/// Offset in the text, in bytes.
using Offset = size_t;

/// Turns offsets into locations.
class Places {
public:
  Places(llvm::MemoryBufferRef text, MLIRContext *context);

  Location getLocation(Offset offset) const;
  InFlightDiagnostic emitError(Offset offset) const;
  MLIRContext *getContext() const { return context; }
  /// The path of the file.
  StringRef getPath() const { return path; }

private:
  llvm::StringRef text;
  std::string path;
  MLIRContext *context;
  /// Finds lines and columns; its only buffer is the text.
  llvm::SourceMgr sources;
};

/// Shortens text of the file for error messages.
std::string shorten(StringRef text);

/// A parsed document. It must outlive its nodes. The text may be freed earlier,
/// because the document has a copy.
class Document {
public:
  /// Parses `text`. If the text is not an acceptable document, emits an error
  /// at the place of the problem.
  static FailureOr<std::unique_ptr<Document>> parse(llvm::MemoryBufferRef text,
                                                    const Places &places);

  pugi::xml_node getRoot() const { return tree.document_element(); }
  Offset getOffset(pugi::xml_node node) const;
  Offset getOffset(pugi::xml_attribute attribute) const;

private:
  LogicalResult checkStructure(const Places &places) const;
  Offset getOffset(const char *name) const;

  /// The parser writes into this copy of the text.
  std::string buffer;
  pugi::xml_document tree;
};

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_DOCUMENT_H
