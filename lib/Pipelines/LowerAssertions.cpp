// Lowers assertions for code in a library. A failed assertion calls a function
// that the user of the library can define.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::pool {
#define GEN_PASS_DEF_LOWERASSERTIONS
#include "pool/Pipelines/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

namespace {
struct LowerAssertions : pool::impl::LowerAssertionsBase<LowerAssertions> {
  using LowerAssertionsBase::LowerAssertionsBase;

  void runOnOperation() override;

private:
  LLVM::LLVMFuncOp getHandler();
  LLVM::GlobalOp getString(StringRef text, Location loc);
  /// Returns a function that appends `numValues` values to a message, and then
  /// calls the handler. Returns the handler itself if `numValues` is 0.
  /// Assertions share these functions, so that each needs only one call. Fails
  /// if the module has a symbol of the name of the handler or of snprintf that
  /// is not such a function.
  FailureOr<LLVM::LLVMFuncOp> getReporter(unsigned numValues);

  /// Maps each message to the global constant that holds its text.
  llvm::StringMap<LLVM::GlobalOp> strings;
  SmallVector<LLVM::LLVMFuncOp, 3> reporters;
  /// Size of the longest message in bytes, including the final zero.
  int64_t maxSize = 0;
};
} // namespace

LLVM::LLVMFuncOp LowerAssertions::getHandler() {
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

LLVM::GlobalOp LowerAssertions::getString(StringRef text, Location loc) {
  LLVM::GlobalOp &global = strings[text];
  if (global)
    return global;
  ModuleOp module = getOperation();
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  std::string bytes = text.str();
  bytes.push_back('\0');
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
  std::string name;
  unsigned number = strings.size() - 1;
  do {
    name = "pool.message." + std::to_string(number++);
  } while (module.lookupSymbol(name));
  global = LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true,
                                  LLVM::Linkage::Internal, name,
                                  b.getStringAttr(bytes));
  return global;
}

FailureOr<LLVM::LLVMFuncOp> LowerAssertions::getReporter(unsigned numValues) {
  if (reporters.size() <= numValues)
    reporters.resize(numValues + 1);
  LLVM::LLVMFuncOp &reporter = reporters[numValues];
  if (reporter)
    return reporter;
  if (numValues == 0) {
    reporter = getHandler();
    if (!reporter)
      return failure();
    return reporter;
  }
  FailureOr<LLVM::LLVMFuncOp> report = getReporter(0);
  ModuleOp module = getOperation();
  ImplicitLocOpBuilder b =
      ImplicitLocOpBuilder::atBlockBegin(module.getLoc(), module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(&getContext());
  Type i64 = b.getI64Type();
  FailureOr<LLVM::LLVMFuncOp> print = LLVM::lookupOrCreateFn(
      b, module, "snprintf", {pointer, i64, pointer}, b.getI32Type(),
      /*isVarArg=*/true);
  if (failed(report) || failed(print))
    return failure();

  std::string name = "pool.report";
  while (module.lookupSymbol(name))
    name += "_";
  SmallVector<Type> inputs(numValues, i64);
  inputs.insert(inputs.begin(), pointer);
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(&getContext()), inputs);
  reporter = LLVM::LLVMFuncOp::create(b, name, type, LLVM::Linkage::Internal);
  reporter.setPassthroughAttr(
      b.getStrArrayAttr({"cold", "noinline", "noreturn"}));
  LLVM::GlobalOp format = getString(
      numValues == 1 ? "%s; it is %lld" : "%s; they are %lld and %lld",
      module.getLoc());
  Block *body = reporter.addEntryBlock(b);
  b.setInsertionPointToStart(body);
  // Reserve 32 bytes for each value and the words around it. A value has at
  // most 20 characters.
  Value size = LLVM::ConstantOp::create(
      b, i64, b.getI64IntegerAttr(maxSize + 32 * numValues));
  Value text = LLVM::AllocaOp::create(b, pointer, b.getI8Type(), size);
  SmallVector<Value> operands = {text, size,
                                 LLVM::AddressOfOp::create(b, format)};
  llvm::append_range(operands, body->getArguments());
  LLVM::CallOp::create(b, print->getFunctionType(), SymbolRefAttr::get(*print),
                       operands);
  LLVM::CallOp::create(b, *report, text);
  LLVM::UnreachableOp::create(b);
  return reporter;
}

/// Returns the values that a failed check reports: those operands of its index
/// comparison that are not constant. Returns an empty list if `op` checks
/// another condition, or lacks the attribute that asks for the values.
static SmallVector<Value> getReported(cf::AssertOp op) {
  SmallVector<Value> values;
  auto comparison = op.getArg().getDefiningOp<arith::CmpIOp>();
  if (comparison &&
      op->hasAttr(PoolDialect::ReportsValuesAttrHelper::getNameStr()) &&
      comparison.getLhs().getType().isIndex())
    for (Value value : comparison->getOperands())
      if (!matchPattern(value, m_Constant()))
        values.push_back(value);
  return values;
}

void LowerAssertions::runOnOperation() {
  if (handler.empty()) {
    emitError(getOperation().getLoc(), "pool-lower-assertions needs a handler");
    return signalPassFailure();
  }
  strings.clear();
  reporters.clear();
  maxSize = 0;
  SmallVector<cf::AssertOp> assertions;
  getOperation().walk([&](cf::AssertOp op) {
    assertions.push_back(op);
    maxSize = std::max<int64_t>(maxSize, op.getMsg().size() + 1);
  });

  for (cf::AssertOp op : assertions) {
    SmallVector<Value> reported = getReported(op);
    FailureOr<LLVM::LLVMFuncOp> callee = getReporter(reported.size());
    if (failed(callee))
      return signalPassFailure();
    LLVM::GlobalOp message = getString(op.getMsg(), op.getLoc());
    Block *block = op->getBlock();
    Block *next = block->splitBlock(op->getNextNode());
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Block *failed = b.createBlock(block->getParent());
    SmallVector<Value> operands = {LLVM::AddressOfOp::create(b, message)};
    for (Value value : reported)
      operands.push_back(arith::IndexCastOp::create(b, b.getI64Type(), value));
    LLVM::CallOp::create(b, *callee, operands);
    LLVM::UnreachableOp::create(b);
    b.setInsertionPoint(op);
    cf::CondBranchOp::create(b, op.getArg(), next, failed);
    op.erase();
  }
}
