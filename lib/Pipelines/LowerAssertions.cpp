// Lowers checks for code that somebody links: a failed one calls a function
// that they can define.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace mlir::pool {
#define GEN_PASS_DEF_LOWERASSERTIONS
#include "pool/Pipelines/Passes.h.inc"

namespace {

class LowerAssertions : public impl::LowerAssertionsBase<LowerAssertions> {
public:
  using LowerAssertionsBase::LowerAssertionsBase;

protected:
  void runOnOperation() override;

private:
  LLVM::LLVMFuncOp getHandler();
  LLVM::GlobalOp getMessage(cf::AssertOp op);

  /// Equal messages share one string.
  llvm::StringMap<LLVM::GlobalOp> messages;
};

} // namespace
} // namespace mlir::pool

LLVM::LLVMFuncOp mlir::pool::LowerAssertions::getHandler() {
  ModuleOp module = getOperation();
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()),
                                  LLVM::LLVMPointerType::get(&getContext()));
  if (Operation *symbol = module.lookupSymbol(handler)) {
    auto func = dyn_cast<LLVM::LLVMFuncOp>(symbol);
    if (func && func.getFunctionType() == type)
      return func;
    symbol->emitError("'")
        << handler << "' is what failed checks call: a function of the llvm "
        << "dialect of type " << type;
    return nullptr;
  }
  auto func = LLVM::LLVMFuncOp::create(b, module.getLoc(), handler, type);
  func.setPassthroughAttr(b.getStrArrayAttr({"cold", "noreturn"}));
  return func;
}

LLVM::GlobalOp mlir::pool::LowerAssertions::getMessage(cf::AssertOp op) {
  LLVM::GlobalOp &global = messages[op.getMsg()];
  if (global)
    return global;
  ModuleOp module = getOperation();
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  std::string text = op.getMsg().str();
  text.push_back('\0');
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), text.size());
  std::string name;
  unsigned number = messages.size() - 1;
  do {
    name = "pool.message." + std::to_string(number++);
  } while (module.lookupSymbol(name));
  global = LLVM::GlobalOp::create(b, op.getLoc(), type, /*isConstant=*/true,
                                  LLVM::Linkage::Internal, name,
                                  b.getStringAttr(text));
  return global;
}

void mlir::pool::LowerAssertions::runOnOperation() {
  if (handler.empty()) {
    emitError(getOperation().getLoc(), "pool-lower-assertions needs a handler");
    return signalPassFailure();
  }
  messages.clear();
  SmallVector<cf::AssertOp> assertions;
  getOperation().walk([&](cf::AssertOp op) { assertions.push_back(op); });
  if (assertions.empty())
    return;
  LLVM::LLVMFuncOp callee = getHandler();
  if (!callee)
    return signalPassFailure();

  for (cf::AssertOp op : assertions) {
    LLVM::GlobalOp message = getMessage(op);
    Block *block = op->getBlock();
    Block *next = block->splitBlock(op->getNextNode());
    OpBuilder b(op);
    Block *failed = b.createBlock(block->getParent());
    Value pointer = LLVM::AddressOfOp::create(b, op.getLoc(), message);
    LLVM::CallOp::create(b, op.getLoc(), callee, pointer);
    LLVM::UnreachableOp::create(b, op.getLoc());
    b.setInsertionPoint(op);
    cf::CondBranchOp::create(b, op.getLoc(), op.getArg(), next, failed);
    op.erase();
  }
}
