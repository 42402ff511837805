// Rejects operations on tensors that cannot be bufferized, and invalid casts
// and operations on tensors.
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

/// Returns advice for the error about an operation of `dialect`: which passes
/// lower such operations. Returns an empty string if no pass is known.
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
    // Report only one error, because the others often have the same cause.
    // Visit an operation before its regions, so that the error is at an
    // affine.if and not at the affine.yield inside.
    auto check = [](Operation *op) -> WalkResult {
      bool hasTensors =
          llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) ||
          llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
      // Verify casts and operations on tensors here, once. pool-run and the
      // Python and C interfaces do not verify between passes, because that
      // would take longer than many passes. But upstream's canonicalization
      // makes invalid casts of some slices (docs/Internals/upstream/slices.md),
      // and these would become wrong code or a crash.
      if ((hasTensors || isa<CastOpInterface>(op)) &&
          failed(verify(op, /*verifyRecursively=*/false)))
        return failure();
      // Reject an unregistered operation, because upstream's passes crash if
      // its dialect is not loaded (docs/Internals/upstream/passes.md). If it is
      // on tensors, the code below rejects it.
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
