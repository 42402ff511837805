// Reports operations on tensors that the pipeline cannot bufferise, and invalid
// casts and operations on tensors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Utils/Promises.h"
#include "pool/Pipelines/Passes.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringSwitch.h"

namespace mlir::pool {
#define GEN_PASS_DEF_REQUIREBUFFERIZABLE
#include "pool/Pipelines/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

/// Returns advice about passes that lower the operations of `dialect`, which
/// one-shot bufferisation does not support. Returns an empty string if no such
/// pass is known.
static StringRef getAdvice(StringRef dialect) {
  return llvm::StringSwitch<StringRef>(dialect)
      .Case("tosa", "; --convert-tosa-to-pool raises TOSA's pooling, "
                    "--tosa-to-linalg lowers the rest")
      .Case("stablehlo",
            "; --convert-stablehlo-to-pool raises StableHLO's pooling, "
            "jaxlib's stablehlo-legalize-to-linalg lowers the rest")
      .Default("");
}

namespace {
struct RequireBufferizable
    : pool::impl::RequireBufferizableBase<RequireBufferizable> {
  void runOnOperation() override {
    // One error is enough: the others often have the same reason. Visit an
    // operation before those in its regions, so that the error is at affine.if
    // and not at the affine.yield inside.
    auto check = [](Operation *op) -> WalkResult {
      bool hasTensors =
          llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) ||
          llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
      // Verify casts and operations on tensors here once. pool-run, Python and
      // C do not verify between passes, because that takes longer than many
      // passes. Upstream's canonicalization creates invalid casts from some
      // slices (docs/Internals/upstream/slices.md). Without this check, such
      // casts would become wrong code or a crash.
      if ((hasTensors || isa<CastOpInterface>(op)) &&
          failed(verify(op, /*verifyRecursively=*/false)))
        return failure();
      // Upstream's passes crash on an operation whose dialect is not loaded
      // (docs/Internals/upstream/passes.md). Reject any unregistered operation
      // here; one on tensors is rejected below.
      if (!hasTensors && !op->isRegistered())
        return op->emitError("'")
               << op->getName() << "' op is not lowered: it is not registered";
      if (!hasTensors || isa<bufferization::BufferizableOpInterface>(op) ||
          isOpTriviallyDead(op))
        return success();
      if (failed(requireModel<bufferization::BufferizableOpInterface>(op)))
        return failure();
      return op->emitError("'")
             << op->getName()
             << "' op is not lowered: the pipeline takes the pool dialect "
                "and operations on tensors that bufferize"
             << getAdvice(op->getName().getDialectNamespace());
    };
    if (getOperation()->walk<WalkOrder::PreOrder>(check).wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
