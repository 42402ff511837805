// Parses the .xml file of an OpenVINO IR model, and finds the locations of its
// elements.
//
// The file may be untrusted: Document::parse refuses text that is too long or
// not UTF-8, document types (and with them entities), and deep nesting.
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

/// Turns offsets in the text of a file into locations and errors. The text must
/// outlive this object.
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

/// Returns `text` for use in an error message: at most 100 bytes of it, with
/// "..." at the end if it is longer.
std::string shorten(StringRef text);

/// A parsed document. It must outlive its nodes. It has its own copy of the
/// text.
class Document {
public:
  /// Parses `text`. Emits an error at the location of the problem and fails if
  /// the text is not an acceptable document.
  static FailureOr<std::unique_ptr<Document>> parse(llvm::MemoryBufferRef text,
                                                    const Places &places);

  pugi::xml_node getRoot() const { return tree.document_element(); }
  Offset getOffset(pugi::xml_node node) const;
  Offset getOffset(pugi::xml_attribute attribute) const;

private:
  LogicalResult checkStructure(const Places &places) const;
  Offset getOffset(const char *name) const;

  /// Copy of the text. The parser works in place and changes it.
  std::string buffer;
  pugi::xml_document tree;
};

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_DOCUMENT_H
