// How pool.window_reduce bufferises: in place of its outputs. Operations with
// value semantics do not; they are lowered or decomposed before.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
#define POOL_DIALECT_POOL_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;

namespace pool {
/// Gives what the dialect promises: BufferizableOpInterface of window_reduce.
void registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry);
} // namespace pool
} // namespace mlir

#endif // POOL_DIALECT_POOL_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
