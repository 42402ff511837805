// Passes that establish the contract with callers of public functions:
// - Inputs are not overwritten, unless they are marked writable.
// - Buffers of results do not overlap any other buffer.
// - C code can call a wrapper.
// - Private functions are not exported.
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
#define GEN_PASS_DEF_MARKOUTPARAMS
#include "pool/Pipelines/Passes.h.inc"

namespace {

struct MarkEntryPoints : impl::MarkEntryPointsBase<MarkEntryPoints> {
  using MarkEntryPointsBase::MarkEntryPointsBase;

  void runOnOperation() override {
    Builder b(&getContext());
    StringRef writable = bufferization::BufferizationDialect::kWritableAttrName;
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      // Skip declarations: with the attribute for wrappers, callers would call
      // another symbol, whose name begins with `_mlir_ciface_`.
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

struct MarkOutParams : impl::MarkOutParamsBase<MarkOutParams> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      auto ranks = llvm::dyn_cast_if_present<DenseI64ArrayAttr>(
          func->removeAttr("pool.out_param_ranks"));
      // Skip C wrappers, whose parameters are pointers to descriptors.
      if (!ranks || func.getName().starts_with("_mlir_ciface_"))
        continue;
      // Get the parameters from the function type, because a declaration has no
      // block arguments.
      ArrayRef<Type> parameters = func.getFunctionType().getParams();
      // Set all attributes in one call, because each call copies the whole
      // list.
      SmallVector<DictionaryAttr> attrs;
      for (unsigned i = 0, e = parameters.size(); i < e; ++i)
        attrs.push_back(func.getArgAttrDict(i));
      int64_t end = parameters.size();
      for (int64_t rank : llvm::reverse(ranks.asArrayRef())) {
        end -= getNumDescriptorFields(rank);
        if (end < 0 || !isa<LLVM::LLVMPointerType>(parameters[end + 1]))
          break;
        NamedAttrList list(attrs[end + 1]);
        list.set(LLVM::LLVMDialect::getNoAliasAttrName(),
                 UnitAttr::get(&getContext()));
        attrs[end + 1] = list.getDictionary(&getContext());
      }
      func.setAllArgAttrs(attrs);
    }
  }
};

struct InternalizeFunctions
    : impl::InternalizeFunctionsBase<InternalizeFunctions> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (func.isPrivate() && !func.isExternal() &&
          func.getLinkage() == LLVM::Linkage::External)
        func.setLinkage(LLVM::Linkage::Internal);
  }
};

} // namespace
} // namespace mlir::pool
