// Establishes the calling convention for results. Results of static shape are
// written to buffers of the caller. Every other returned buffer is made a
// separate allocation.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::pool;

/// Returns the buffer that `value` is a view of. Looks through chains of views,
/// and returns `value` itself if it is not a view.
static Value getViewedBuffer(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

bool mlir::pool::isOutParamType(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && memref.hasStaticShape() && memref.getLayout().isIdentity();
}

namespace mlir::pool {
#define GEN_PASS_DEF_RESULTSTOOUTPARAMS
#include "pool/Pipelines/Passes.h.inc"

namespace {
struct ResultsToOutParams : impl::ResultsToOutParamsBase<ResultsToOutParams> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkUses(module)))
      return signalPassFailure();
    // Rewrite calls first: this creates allocations that a function may return.
    module.walk([](func::CallOp call) { rewriteCall(call); });
    for (auto func : module.getOps<func::FuncOp>())
      rewriteFunction(func);
  }

private:
  static LogicalResult checkUses(ModuleOp module);
  static void rewriteCall(func::CallOp call);
  void rewriteFunction(func::FuncOp func);
  void rewriteReturn(func::ReturnOp ret, ValueRange outParams, bool isOnly);
};
} // namespace
} // namespace mlir::pool

/// Emits an error if a function whose type changes is used as a value instead
/// of being called.
LogicalResult ResultsToOutParams::checkUses(ModuleOp module) {
  WalkResult result = module.walk([](func::ConstantOp op) -> WalkResult {
    if (llvm::none_of(cast<FunctionType>(op.getType()).getResults(),
                      isOutParamType))
      return success();
    return op.emitError("a function with results of static shape cannot be "
                        "used as a value: they are passed as arguments");
  });
  return failure(result.wasInterrupted());
}

void ResultsToOutParams::rewriteCall(func::CallOp call) {
  if (llvm::none_of(call.getResultTypes(), isOutParamType))
    return;
  OpBuilder b(call);
  SmallVector<Value> operands(call.getOperands());
  SmallVector<Type> keptTypes;
  for (OpResult result : call.getResults()) {
    if (!isOutParamType(result.getType())) {
      keptTypes.push_back(result.getType());
      continue;
    }
    Value buffer = memref::AllocOp::create(b, call.getLoc(),
                                           cast<MemRefType>(result.getType()));
    result.replaceAllUsesWith(buffer);
    operands.push_back(buffer);
  }
  auto newCall = func::CallOp::create(b, call.getLoc(), call.getCalleeAttr(),
                                      keptTypes, operands);
  newCall->setDiscardableAttrs(call->getDiscardableAttrDictionary());
  auto kept = newCall->result_begin();
  for (OpResult result : call.getResults())
    if (!isOutParamType(result.getType()))
      result.replaceAllUsesWith(*kept++);
  call.erase();
}

void ResultsToOutParams::rewriteFunction(func::FuncOp func) {
  FunctionType type = func.getFunctionType();
  unsigned numInputs = type.getNumInputs();
  SmallVector<Type> inputs(type.getInputs());
  BitVector moved(type.getNumResults());
  for (auto [i, result] : llvm::enumerate(type.getResults())) {
    if (!isOutParamType(result))
      continue;
    moved.set(i);
    inputs.push_back(result);
  }

  SmallVector<DictionaryAttr> movedAttrs;
  for (unsigned i : moved.set_bits())
    movedAttrs.push_back(func.getResultAttrDict(i));
  func.setType(FunctionType::get(&getContext(), inputs, type.getResults()));
  for (auto [i, attrs] : llvm::enumerate(movedAttrs))
    if (attrs)
      func.setArgAttrs(numInputs + i, attrs);
  // Cannot fail, because func.func can have any number of results.
  (void)func.eraseResults(moved);
  if (func.isExternal())
    return;

  SmallVector<Value> outParams;
  SmallVector<int64_t> ranks;
  for (Type result : ArrayRef(inputs).drop_front(numInputs)) {
    ranks.push_back(cast<MemRefType>(result).getRank());
    outParams.push_back(func.front().addArgument(result, func.getLoc()));
  }
  if (!ranks.empty())
    func->setAttr("pool.out_param_ranks",
                  DenseI64ArrayAttr::get(&getContext(), ranks));
  SmallVector<func::ReturnOp> returns;
  func.walk([&](func::ReturnOp ret) { returns.push_back(ret); });
  for (func::ReturnOp ret : returns)
    rewriteReturn(ret, outParams, /*isOnly=*/returns.size() == 1);
}

void ResultsToOutParams::rewriteReturn(func::ReturnOp ret, ValueRange outParams,
                                       bool isOnly) {
  OpBuilder b(ret);
  Block *entry = &ret->getParentOfType<func::FuncOp>().front();

  // Read each operand after the operands before it were rewritten. If a buffer
  // is returned twice, the first out-parameter replaces it in later operands,
  // too.
  unsigned next = 0;
  SmallVector<unsigned> kept;
  for (unsigned i = 0, e = ret.getNumOperands(); i != e; ++i) {
    Value result = ret.getOperand(i);
    if (!isOutParamType(result.getType())) {
      kept.push_back(i);
      continue;
    }
    Value outParam = outParams[next++];
    auto alloc = result.getDefiningOp<memref::AllocOp>();
    // An allocation in the entry block is executed once per call, so the
    // out-parameter can replace it.
    if (alloc && isOnly && alloc->getBlock() == entry) {
      alloc.replaceAllUsesWith(outParam);
      alloc.erase();
      ++numInPlace;
    } else {
      memref::CopyOp::create(b, ret.getLoc(), result, outParam);
      ++numCopied;
    }
  }

  // Return a buffer directly if this function or a call allocated it and it is
  // not returned twice. Return arguments and globals directly, too, because the
  // deallocation passes clone them. Clone all other buffers.
  SmallPtrSet<Value, 4> returned;
  SmallVector<Value> keptValues;
  for (unsigned i : kept) {
    Value result = ret.getOperand(i);
    if (isa<MemRefType>(result.getType())) {
      Value buffer = getViewedBuffer(result);
      bool isOwn =
          isa_and_present<memref::AllocOp, func::CallOp, memref::GetGlobalOp>(
              buffer.getDefiningOp());
      bool isArgument =
          isa<BlockArgument>(buffer) && buffer.getParentBlock() == entry;
      if (!returned.insert(buffer).second || !(isOwn || isArgument))
        result = bufferization::CloneOp::create(b, ret.getLoc(), result);
    }
    keptValues.push_back(result);
  }
  ret->setOperands(keptValues);
}
