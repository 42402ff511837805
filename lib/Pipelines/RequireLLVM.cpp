// The last pass of the pipeline: rejects operations that were not lowered.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Utils/Promises.h"
#include "pool/Pipelines/Passes.h"

#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::pool {
#define GEN_PASS_DEF_REQUIRELLVM
#include "pool/Pipelines/Passes.h.inc"

/// Fails if an operation belongs to a dialect that promises a conversion to the
/// llvm dialect, but the conversion is not registered. Emits an error at the
/// first such operation.
static LogicalResult requireConversions(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) -> WalkResult {
    Dialect *dialect = op->getDialect();
    if (!dialect || !dialect->hasPromisedInterface(
                        dialect->getTypeID(),
                        ConvertToLLVMPatternInterface::getInterfaceID()))
      return success();
    return emitBrokenPromise(
        op, llvm::getTypeName<ConvertToLLVMPatternInterface>());
  });
  return success(!result.wasInterrupted());
}

namespace {

struct RequireLLVM : impl::RequireLLVMBase<RequireLLVM> {
  void runOnOperation() override {
    // Report only one error, because the others are often consequences of the
    // first. Report a cast only if nothing else is left: a cast remains because
    // its user was not lowered.
    Operation *left = nullptr;
    getOperation()->walk([&](Operation *op) {
      if (isa<ModuleOp>(op) ||
          isa_and_present<LLVM::LLVMDialect, omp::OpenMPDialect>(
              op->getDialect()))
        return WalkResult::advance();
      bool isCast = isa<UnrealizedConversionCastOp>(op);
      if (!left || !isCast)
        left = op;
      return isCast ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (!left)
      return;
    // An operation that convert-to-llvm does not know leaves casts around it,
    // too. So first check whether the conversion of its dialect is missing.
    if (failed(requireConversions(getOperation())))
      return signalPassFailure();
    left->emitError("'") << left->getName()
                         << "' op cannot be lowered to the llvm dialect by "
                            "this pipeline";
    signalPassFailure();
  }
};

} // namespace
} // namespace mlir::pool
