// The last pass of the pipeline: operations that were not lowered are errors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::pool {
#define GEN_PASS_DEF_REQUIRELLVM
#include "pool/Pipelines/Passes.h.inc"

namespace {

class RequireLLVM : public impl::RequireLLVMBase<RequireLLVM> {
public:
  using RequireLLVMBase::RequireLLVMBase;

protected:
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
    left->emitError("'") << left->getName()
                         << "' op cannot be lowered to the llvm dialect by "
                            "this pipeline";
    signalPassFailure();
  }
};

} // namespace
} // namespace mlir::pool
