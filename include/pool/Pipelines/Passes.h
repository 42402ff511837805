// The passes of the pool-to-llvm pipeline that upstream does not have.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PIPELINES_PASSES_H
#define POOL_PIPELINES_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::memref {
class CopyOp;
} // namespace mlir::memref

namespace mlir::pool {

#define GEN_PASS_DECL
#include "pool/Pipelines/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pool/Pipelines/Passes.h.inc"

/// True if `pool-results-to-out-params` passes a result of buffer type `type`
/// as a trailing argument: a memref of static shape and identity layout.
bool isOutParamType(Type type);

/// Number of parameters that the calling convention of the llvm dialect has for
/// a buffer of this rank: two pointers, an offset, extents and strides.
constexpr int64_t getNumDescriptorFields(int64_t rank) { return 3 + 2 * rank; }

/// Replaces a copy between ranked buffers by loops over their elements: by one
/// parallel loop if `parallel` is true and the rank is not 0.
void expandCopy(memref::CopyOp copy, bool parallel);

} // namespace mlir::pool

#endif // POOL_PIPELINES_PASSES_H
