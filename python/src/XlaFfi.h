// The part of XLA's foreign function interface (FFI) that the handler for JAX
// needs. This package is built without JAX, so the structures are declared here
// again. Most structures begin with their own size, and new versions of the
// interface only add fields at the end. test/Python/jax-ffi-layout.test
// compares them with jaxlib's own header, xla/ffi/api/c_api.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_XLAFFI_H
#define POOL_PYTHON_XLAFFI_H

#include <cstddef>
#include <cstdint>

namespace mlir::pool::python::xla {

/// An element of a linked list of extensions of a structure. `type` tells which
/// structure the extension is.
struct Extension {
  size_t structSize;
  int32_t type;
  Extension *next;
};
constexpr int32_t kMetadataExtension = 1;

struct ApiVersion {
  size_t structSize;
  Extension *extensions;
  int32_t major, minor;
};

struct Metadata {
  size_t structSize;
  ApiVersion apiVersion;
  uint32_t traits;
  int64_t stateTypeId;
};

/// An extension of a CallFrame with the type kMetadataExtension. A call with
/// this extension must not run the operation: the handler only fills
/// `metadata`.
struct MetadataExtension {
  Extension base;
  Metadata *metadata;
};

struct Error;
struct ErrorArguments {
  size_t structSize;
  Extension *extensions;
  const char *message;
  int32_t code;
};
constexpr int32_t kInvalidArgument = 3;
constexpr int32_t kResourceExhausted = 8;

/// Functions of XLA that handlers may call. `createError` copies the message.
struct Api {
  size_t structSize;
  Extension *extensions;
  ApiVersion apiVersion;
  const void *internal;
  Error *(*createError)(ErrorArguments *);
};

/// An array that is row-major without gaps. `type` is XLA's number of its
/// element type.
struct Buffer {
  size_t structSize;
  Extension *extensions;
  int32_t type;
  void *data;
  int64_t rank;
  const int64_t *dims;
};
constexpr int32_t kBuffer = 1;

struct Buffers {
  size_t structSize;
  Extension *extensions;
  int64_t size;
  const int32_t *types;
  Buffer *const *buffers;
};

struct Span {
  const char *data;
  size_t size;
};
constexpr int32_t kString = 4;

struct Attributes {
  size_t structSize;
  Extension *extensions;
  int64_t size;
  const int32_t *types;
  const Span *const *names;
  const void *const *values;
};

struct CallFrame {
  size_t structSize;
  Extension *extensions;
  const Api *api;
  void *context;
  int32_t stage;
  Buffers arguments;
  Buffers results;
  Attributes attributes;
};

using Handler = Error *(CallFrame *);

} // namespace mlir::pool::python::xla

#endif // POOL_PYTHON_XLAFFI_H
