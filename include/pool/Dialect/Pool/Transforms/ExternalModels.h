// The interfaces whose implementations build operations of other dialects:
// tiling, extents as values, bounds, run-time checks, bufferization, sharding.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_TRANSFORMS_EXTERNALMODELS_H
#define POOL_DIALECT_POOL_TRANSFORMS_EXTERNALMODELS_H

namespace mlir {
class DialectRegistry;

namespace pool {

/// Registers the implementations of the interfaces that the dialect promises.
/// When a context loads the dialect, it also loads the dialects whose operations
/// the implementations and the canonicalization patterns create. The dialect
/// alone parses, verifies, infers types and folds.
void registerExternalModels(DialectRegistry &registry);

} // namespace pool
} // namespace mlir

#endif // POOL_DIALECT_POOL_TRANSFORMS_EXTERNALMODELS_H
