// Registers the external models of the dialect: implementations of interfaces
// that create operations of other dialects. These interfaces are for tiling,
// result extents, value bounds, run-time checks, bufferisation and sharding.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_TRANSFORMS_EXTERNALMODELS_H
#define POOL_DIALECT_POOL_TRANSFORMS_EXTERNALMODELS_H

namespace mlir {
class DialectRegistry;

namespace pool {

/// Registers the implementations of the interfaces that the dialect promises.
/// When a context loads the dialect, it then also loads the dialects whose
/// operations the implementations create. Without this call, the operations
/// parse, verify, infer types, fold and canonicalize, but lack these
/// interfaces, and run-time checks are an error.
void registerExternalModels(DialectRegistry &registry);

} // namespace pool
} // namespace mlir

#endif // POOL_DIALECT_POOL_TRANSFORMS_EXTERNALMODELS_H
