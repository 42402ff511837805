// What can be called from outside, and what its callers may expect: inputs are
// not overwritten, C has a wrapper, and private functions are no symbols.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::pool {
#define GEN_PASS_DEF_INTERNALIZEFUNCTIONS
#define GEN_PASS_DEF_MARKENTRYPOINTS
#include "pool/Pipelines/Passes.h.inc"

namespace {

class MarkEntryPoints : public impl::MarkEntryPointsBase<MarkEntryPoints> {
public:
  using MarkEntryPointsBase::MarkEntryPointsBase;

protected:
  void runOnOperation() override {
    Builder b(&getContext());
    StringRef writable = bufferization::BufferizationDialect::kWritableAttrName;
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      // A wrapper of a declaration would call `_mlir_ciface_`, another symbol.
      if (!func.isPublic() || func.isExternal())
        continue;
      for (unsigned i = 0, e = func.getNumArguments(); i != e; ++i)
        if (isa<TensorType>(func.getArgumentTypes()[i]) &&
            !func.getArgAttr(i, writable))
          func.setArgAttr(i, writable, b.getBoolAttr(false));
      if (cWrappers)
        func->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                      b.getUnitAttr());
    }
  }
};

class InternalizeFunctions
    : public impl::InternalizeFunctionsBase<InternalizeFunctions> {
public:
  using InternalizeFunctionsBase::InternalizeFunctionsBase;

protected:
  void runOnOperation() override {
    for (auto func : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (SymbolTable::getSymbolVisibility(func) ==
              SymbolTable::Visibility::Private &&
          !func.isExternal() && func.getLinkage() == LLVM::Linkage::External)
        func.setLinkage(LLVM::Linkage::Internal);
  }
};

} // namespace
} // namespace mlir::pool
