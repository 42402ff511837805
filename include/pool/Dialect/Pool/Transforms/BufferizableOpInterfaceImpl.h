// Registers the bufferisation of pool.window_reduce and pool.on_buffers, which
// write to the buffers of their outputs. Pooling operations with value
// semantics do not bufferize: decompose or lower them first.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
#define POOL_DIALECT_POOL_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;
class MemRefType;

namespace pool {
/// Registers the BufferizableOpInterface models of window_reduce and
/// on_buffers, which the dialect promises.
void registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry);

/// True if every buffer of `type` is row-major, without gaps and at offset 0.
/// The stride of a dimension of extent 1 does not matter, because it is only
/// multiplied by 0.
bool isPacked(MemRefType type);
} // namespace pool
} // namespace mlir

#endif // POOL_DIALECT_POOL_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
