// The last pass of the pipeline: operations that were not lowered are errors.
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

/// Fails, with an error at the first such operation, if the module has
/// operations of a dialect whose conversion to the llvm dialect is promised and
/// not registered.
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
    // One error is enough: the others are often consequences of the first. A
    // cast is one: it stays because its user does.
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
    // An operation that convert-to-llvm cannot see also leaves casts around
    // it, so look for its dialect first.
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
