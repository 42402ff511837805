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

/// True if `pool-results-to-out-params` turns a result of the buffer type
/// `type` into an argument. This is so for a memref of static shape and
/// identity layout.
bool isOutParamType(Type type);

/// Returns the number of parameters that a buffer of rank `rank` has in the
/// calling convention of the llvm dialect: two pointers, an offset, and the
/// extents and strides.
constexpr int64_t getNumDescriptorFields(int64_t rank) { return 3 + 2 * rank; }

/// Replaces `copy`, a copy between ranked buffers, by loops over their
/// elements. Emits one parallel loop if `parallel` is true and the rank is not
/// 0, otherwise nested sequential loops.
void expandCopy(memref::CopyOp copy, bool parallel);

} // namespace mlir::pool

#endif // POOL_PIPELINES_PASSES_H
