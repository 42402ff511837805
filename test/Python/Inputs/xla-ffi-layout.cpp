// Compares the structures of XlaFfi.h with XLA's own header.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "XlaFfi.h"
#include "xla/ffi/api/c_api.h"

namespace xla = mlir::pool::python::xla;

#define SAME_FIELD(ours, field, theirs, other)                                 \
  static_assert(offsetof(xla::ours, field) == offsetof(theirs, other))
#define SAME_SIZE(ours, theirs)                                                \
  static_assert(sizeof(xla::ours) == sizeof(theirs))

// Versions of the interface in jaxlib 0.10, 0.11 and 0.12.
static_assert(XLA_FFI_API_MAJOR == 0 && XLA_FFI_API_MINOR >= 3 &&
              XLA_FFI_API_MINOR <= 5);
#if XLA_FFI_API_MINOR >= 4
using ExtensionBase = XLA_FFI_InternalExtension;
#else
using ExtensionBase = XLA_FFI_Extension_Base;
#endif
static_assert(xla::kMetadataExtension == XLA_FFI_Extension_Metadata);
static_assert(xla::kInvalidArgument == XLA_FFI_Error_Code_INVALID_ARGUMENT);
static_assert(xla::kResourceExhausted == XLA_FFI_Error_Code_RESOURCE_EXHAUSTED);
static_assert(xla::kBuffer == XLA_FFI_ArgType_BUFFER);
static_assert(xla::kBuffer == XLA_FFI_RetType_BUFFER);
static_assert(xla::kString == XLA_FFI_AttrType_STRING);

SAME_SIZE(Extension, ExtensionBase);
SAME_FIELD(Extension, type, ExtensionBase, type);
SAME_FIELD(Extension, next, ExtensionBase, next);
SAME_SIZE(ApiVersion, XLA_FFI_Api_Version);
SAME_FIELD(ApiVersion, major, XLA_FFI_Api_Version, major_version);
SAME_FIELD(ApiVersion, minor, XLA_FFI_Api_Version, minor_version);
SAME_SIZE(Metadata, XLA_FFI_Metadata);
SAME_FIELD(Metadata, apiVersion, XLA_FFI_Metadata, api_version);
SAME_FIELD(Metadata, traits, XLA_FFI_Metadata, traits);
SAME_FIELD(Metadata, stateTypeId, XLA_FFI_Metadata, state_type_id);
SAME_FIELD(MetadataExtension, metadata, XLA_FFI_Metadata_Extension, metadata);
SAME_SIZE(ErrorArguments, XLA_FFI_Error_Create_Args);
SAME_FIELD(ErrorArguments, message, XLA_FFI_Error_Create_Args, message);
SAME_FIELD(ErrorArguments, code, XLA_FFI_Error_Create_Args, errc);
SAME_FIELD(Api, createError, XLA_FFI_Api, XLA_FFI_Error_Create);
SAME_SIZE(Buffer, XLA_FFI_Buffer);
SAME_FIELD(Buffer, type, XLA_FFI_Buffer, dtype);
SAME_FIELD(Buffer, data, XLA_FFI_Buffer, data);
SAME_FIELD(Buffer, rank, XLA_FFI_Buffer, rank);
SAME_FIELD(Buffer, dims, XLA_FFI_Buffer, dims);
SAME_SIZE(Buffers, XLA_FFI_Args);
SAME_SIZE(Buffers, XLA_FFI_Rets);
SAME_FIELD(Buffers, size, XLA_FFI_Args, size);
SAME_FIELD(Buffers, types, XLA_FFI_Args, types);
SAME_FIELD(Buffers, buffers, XLA_FFI_Args, args);
SAME_FIELD(Buffers, buffers, XLA_FFI_Rets, rets);
SAME_SIZE(Span, XLA_FFI_ByteSpan);
SAME_FIELD(Span, size, XLA_FFI_ByteSpan, len);
SAME_SIZE(Attributes, XLA_FFI_Attrs);
SAME_FIELD(Attributes, types, XLA_FFI_Attrs, types);
SAME_FIELD(Attributes, names, XLA_FFI_Attrs, names);
SAME_FIELD(Attributes, values, XLA_FFI_Attrs, attrs);
SAME_FIELD(CallFrame, extensions, XLA_FFI_CallFrame, extension_start);
SAME_FIELD(CallFrame, api, XLA_FFI_CallFrame, api);
SAME_FIELD(CallFrame, stage, XLA_FFI_CallFrame, stage);
SAME_FIELD(CallFrame, arguments, XLA_FFI_CallFrame, args);
SAME_FIELD(CallFrame, results, XLA_FFI_CallFrame, rets);
SAME_FIELD(CallFrame, attributes, XLA_FFI_CallFrame, attrs);
