// Connects kernels, which read and write buffers, with tensors: pool.on_buffers
// and the layouts that its body expects.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_BUFFERS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_BUFFERS_H

#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool {

/// True if `tensor` becomes a view of a larger buffer, with consecutive
/// elements in its last dimension alone.
bool isSlice(Value tensor);

/// Creates pool.on_buffers, whose body `emit` builds at the insertion point of
/// `b`, from buffers of the inputs into buffers of the outputs. The results of
/// the operation will replace `results`, one for each of `outs`. If one of
/// these is inserted into a tensor, its buffer is a slice, unless
/// `needPackedOutputs`.
OnBuffersOp
createOnBuffers(RewriterBase &b, Location loc, ValueRange inputs,
                ValueRange outs, ValueRange results, bool needPackedOutputs,
                function_ref<void(ValueRange inputs, ValueRange outputs)> emit);

/// Creates a tensor of `shape`. `fill` emits loads from the buffers of `inputs`
/// and stores to the buffer of the tensor, unless this is known to be empty.
Value writeToBuffer(RewriterBase &b, Location loc, ValueRange inputs,
                    ArrayRef<OpFoldResult> shape, Type elementType,
                    function_ref<void(ValueRange inputs, Value target)> fill);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_BUFFERS_H
