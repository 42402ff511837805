// Bufferisation of pool.window_reduce: in place of its outputs. The operations
// with value semantics do not bufferise; they are lowered or decomposed before.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
#define POOL_DIALECT_POOL_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;

namespace pool {
/// Registers the BufferizableOpInterface models of window_reduce and
/// on_buffers, which the dialect promises.
void registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry);
} // namespace pool
} // namespace mlir

#endif // POOL_DIALECT_POOL_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
