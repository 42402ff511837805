// Large functions a part at a time, so that all passes meet a part while the
// processor's caches hold it.
//
// A part is a function of its own for the time of its lowering. Nothing but
// this pass knows of it: what is left of its function calls a declaration.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/Passes.h"

#include "mlir/Analysis/DataLayoutAnalysis.h"
#include "mlir/Conversion/LLVMCommon/LoweringOptions.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::pool {
#define GEN_PASS_DEF_LOWERINPARTS
#include "pool/Pipelines/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

/// About what a linalg operation becomes.
static constexpr unsigned kLinalgSize = 64;

/// What an operation with all that is in it counts at most: a function of a few
/// is not large, whatever they contain.
static constexpr unsigned kMaxSize = 256;

//===----------------------------------------------------------------------===//
// Cutting
//===----------------------------------------------------------------------===//

namespace {
/// Operations that follow each other, but for what may as well run before them.
struct Part {
  SmallVector<Operation *> ops;
  llvm::SetVector<Value> captured;
  unsigned size = 0;
};

/// What was taken from a function: a function in a module of its own, and the
/// declaration of its name that is called in its place.
struct Body {
  StringAttr name;
  OwningOpRef<ModuleOp> home;
};
} // namespace

/// True for what names no symbol, whose buffers and values stay inside, and
/// which no pass treats by the function that it is in.
static bool isMovable(Operation *op) {
  return isa_and_present<affine::AffineDialect, arith::ArithDialect,
                         linalg::LinalgDialect, math::MathDialect,
                         memref::MemRefDialect, scf::SCFDialect,
                         vector::VectorDialect>(op->getDialect()) &&
         !isa<SymbolUserOpInterface, SymbolOpInterface, memref::DeallocOp,
              memref::ReallocOp, vector::PrintOp>(op);
}

/// True if a part may have `value` as an argument. Buffers of buffers could
/// keep one that is freed with the part.
static bool isArgument(Value value, const LLVMTypeConverter &types) {
  auto memref = dyn_cast<BaseMemRefType>(value.getType());
  return types.convertType(value.getType()) &&
         !(memref && isa<BaseMemRefType>(memref.getElementType()));
}

/// Adds `op` to `part` if it has no results: all that it leaves behind is in
/// buffers of others.
static bool addTo(Part &part, Operation *op, const LLVMTypeConverter &types) {
  if (op->getNumResults() != 0 || op->hasTrait<OpTrait::IsTerminator>())
    return false;
  unsigned size = 0;
  WalkResult walk = op->walk([&](Operation *nested) {
    size += isa<linalg::LinalgOp>(nested) ? kLinalgSize : 1;
    return isMovable(nested) ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (walk.wasInterrupted())
    return false;
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  if (!llvm::all_of(used,
                    [&](Value value) { return isArgument(value, types); }))
    return false;
  part.ops.push_back(op);
  part.captured.insert(used.begin(), used.end());
  part.size += std::min(size, kMaxSize);
  return true;
}

static bool isTensor(Type type) { return isa<TensorType>(type); }

/// True if `op` may run before the part that it interrupts: it sees no buffer's
/// contents. It cannot depend on the part, which has no results; the part may
/// depend on it. A tensor is read by what computes with it, or by a copy there;
/// one that `to_buffer` may have to make is none of a read-only buffer.
static bool canPrecede(Operation *op) {
  if (auto toBuffer = dyn_cast<bufferization::ToBufferOp>(op))
    return toBuffer.getReadOnly();
  if (isa<bufferization::ToTensorOp, memref::AllocOp, tensor::DimOp,
          tensor::EmptyOp>(op))
    return true;
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::none_of(op->getOperandTypes(), isTensor) &&
         llvm::none_of(op->getResultTypes(), isTensor);
}

/// True for a new buffer that nothing but `part` uses, whose operations have no
/// results by which it could get out.
static bool isLocal(Value value, const llvm::DenseSet<Operation *> &part) {
  auto alloc = value.getDefiningOp<memref::AllocOp>();
  return alloc && llvm::all_of(alloc->getUsers(), [&](Operation *user) {
           Operation *op = alloc->getBlock()->findAncestorOpInBlock(*user);
           return op && part.contains(op);
         });
}

/// Moves `part` to a module of its own, behind a call of a declaration.
/// Arguments have the types of the llvm dialect, which no pass changes.
static Body cut(Part &part, SymbolTable &symbols,
                const LLVMTypeConverter &types) {
  llvm::DenseSet<Operation *> inside(part.ops.begin(), part.ops.end());
  SmallVector<Operation *> own;
  for (Value value : part.captured)
    if (isLocal(value, inside))
      own.push_back(value.getDefiningOp());
  for (Operation *alloc : own) {
    part.captured.remove(alloc->getResult(0));
    part.captured.insert(alloc->operand_begin(), alloc->operand_end());
  }

  SmallVector<Value> copied, passed;
  for (Value value : part.captured)
    (matchPattern(value, m_Constant()) ? copied : passed).push_back(value);

  // The call, where all that the part needs is there.
  Operation *last = part.ops.back();
  Location loc = last->getLoc();
  OpBuilder b(last->getContext());
  b.setInsertionPointAfter(last);
  SmallVector<Value> operands;
  for (Value value : passed) {
    Type type = types.convertType(value.getType());
    operands.push_back(
        type == value.getType()
            ? value
            : UnrealizedConversionCastOp::create(b, loc, type, value)
                  .getResult(0));
  }
  SmallVector<Type> inputs(ValueRange(operands).getTypes());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()), inputs);
  LLVM::LLVMFuncOp declaration;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(last->getParentOp());
    declaration = LLVM::LLVMFuncOp::create(b, loc, "part", type);
    declaration.setPrivate();
    // Renames it if it has to.
    symbols.insert(declaration);
  }
  LLVM::CallOp::create(b, loc, declaration, operands);

  OwningOpRef<ModuleOp> home(ModuleOp::create(loc));
  b.setInsertionPointToEnd(home->getBody());
  auto function = func::FuncOp::create(b, loc, declaration.getSymName(),
                                       b.getFunctionType(inputs, {}));
  function.setPrivate();
  Block *body = function.addEntryBlock();
  b.setInsertionPointToStart(body);
  IRMapping mapping;
  for (Value value : copied)
    b.clone(*value.getDefiningOp(), mapping);
  for (auto [value, argument] : llvm::zip_equal(passed, body->getArguments()))
    mapping.map(value, value.getType() == argument.getType()
                           ? Value(argument)
                           : UnrealizedConversionCastOp::create(
                                 b, loc, value.getType(), argument)
                                 .getResult(0));
  llvm::append_range(own, part.ops);
  for (Operation *op : own) {
    op->moveBefore(body, body->end());
    op->walk([&](Operation *nested) {
      for (OpOperand &operand : nested->getOpOperands())
        if (Value inner = mapping.lookupOrNull(operand.get()))
          operand.set(inner);
    });
  }
  b.setInsertionPointToEnd(body);
  func::ReturnOp::create(b, loc);
  return {function.getSymNameAttr(), std::move(home)};
}

//===----------------------------------------------------------------------===//
// Putting back
//===----------------------------------------------------------------------===//

/// Moves what the lowering of `part` has declared to the module of `symbols`.
static LogicalResult moveSymbols(ModuleOp home, LLVM::LLVMFuncOp part,
                                 SymbolTable &symbols) {
  SymbolTable ours(home);
  SmallVector<Operation *> moved;
  for (Operation &op : *home.getBody()) {
    if (&op == part)
      continue;
    Operation *known = symbols.lookup(SymbolTable::getSymbolName(&op));
    auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
    if (!known || !function || !function.isExternal()) {
      moved.push_back(&op);
      continue;
    }
    auto same = dyn_cast<LLVM::LLVMFuncOp>(known);
    if (!same || same.getFunctionType() != function.getFunctionType())
      return known->emitOpError("is not what the function's lowering declares "
                                "by its name");
  }
  // Names that neither table has, before any of them moves: a new name must
  // not be that of another one which is still here.
  for (Operation *op : moved)
    if (symbols.lookup(SymbolTable::getSymbolName(op)) &&
        failed(ours.renameToUnique(op, {&symbols})))
      return part.emitOpError("has uses of a symbol of unknown meaning");
  for (Operation *op : moved) {
    op->remove();
    symbols.insert(op);
  }
  return success();
}

/// Puts the body of `part` in place of `call`, the last that is left in its
/// block. What is left has no end: it cannot be put anywhere else.
static LogicalResult inlineAt(LLVM::CallOp call, LLVM::LLVMFuncOp part) {
  SmallVector<LLVM::ReturnOp> ends(part.getBody().getOps<LLVM::ReturnOp>());
  if (ends.size() != 1 || call.getOperandTypes() != part.getArgumentTypes())
    return call.emitOpError("is not one of the part that was taken from here");
  Block *entry = &part.getBody().front();
  for (auto [argument, value] :
       llvm::zip_equal(entry->getArguments(), call.getOperands()))
    argument.replaceAllUsesWith(value);
  Block *before = call->getBlock(), *after = ends.front()->getBlock();
  if (after != entry) {
    after->getOperations().splice(after->end(), before->getOperations(),
                                  std::next(call->getIterator()),
                                  before->end());
    before->getParent()->getBlocks().splice(
        std::next(before->getIterator()), part.getBody().getBlocks(),
        std::next(entry->getIterator()), part.getBody().end());
  }
  ends.front().erase();
  before->getOperations().splice(call->getIterator(), entry->getOperations());
  call.erase();
  return success();
}

/// Puts all `bodies` where their declarations are called.
static LogicalResult putBack(ModuleOp module, MutableArrayRef<Body> bodies) {
  SymbolTable symbols(module);
  llvm::DenseMap<StringAttr, LLVM::LLVMFuncOp> functions;
  for (Body &body : bodies) {
    auto function = body.home->lookupSymbol<LLVM::LLVMFuncOp>(body.name);
    if (!function)
      return module.emitError("the pipeline leaves a part outside the llvm "
                              "dialect");
    if (failed(moveSymbols(*body.home, function, symbols)))
      return failure();
    functions[body.name] = function;
  }
  SmallVector<LLVM::CallOp> calls;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    for (Block &block : function.getBody())
      for (auto call : block.getOps<LLVM::CallOp>())
        if (FlatSymbolRefAttr callee = call.getCalleeAttr();
            callee && functions.contains(callee.getAttr()))
          calls.push_back(call);
  if (calls.size() != functions.size())
    return module.emitError("the pipeline changes what calls parts");
  // The last first, so that what follows one moves once.
  for (LLVM::CallOp call : llvm::reverse(calls)) {
    StringAttr name = call.getCalleeAttr().getAttr();
    if (failed(inlineAt(call, functions.lookup(name))))
      return failure();
    symbols.erase(symbols.lookup(name));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
class LowerInParts : public mlir::pool::impl::LowerInPartsBase<LowerInParts> {
public:
  using LowerInPartsBase::LowerInPartsBase;
  LowerInParts() = default;
  LowerInParts(unsigned size, llvm::function_ref<void(OpPassManager &)> add) {
    this->size = size;
    add(passes);
    llvm::raw_string_ostream os(pipeline.getValue());
    for (Pass &pass : passes) {
      os << (os.str().empty() ? "" : ",");
      pass.printAsTextualPipeline(os);
    }
  }

  LogicalResult initializeOptions(
      StringRef options,
      function_ref<LogicalResult(const Twine &)> errorHandler) override {
    if (failed(LowerInPartsBase::initializeOptions(options, errorHandler)))
      return failure();
    if (failed(parsePassPipeline(pipeline, passes)))
      return errorHandler("cannot parse the pipeline");
    return success();
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    LowerInPartsBase::getDependentDialects(registry);
    passes.getDependentDialects(registry);
  }

protected:
  void runOnOperation() override {
    if (failed(run(getOperation())))
      signalPassFailure();
  }

private:
  LogicalResult run(ModuleOp module);
  void cutParts(func::FuncOp function, SymbolTable &symbols,
                const LLVMTypeConverter &types, SmallVector<Body> &bodies);

  OpPassManager passes{ModuleOp::getOperationName()};
};
} // namespace

LogicalResult LowerInParts::run(ModuleOp module) {
  SmallVector<Body> bodies;
  if (size != 0) {
    SymbolTable symbols(module);
    LowerToLLVMOptions options(
        &getContext(), getAnalysis<DataLayoutAnalysis>().getAtOrAbove(module));
    LLVMTypeConverter types(&getContext(), options);
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      cutParts(function, symbols, types, bodies);
  }
  for (Body &body : bodies) {
    // Passes run on what is in their module, and ask it about the target.
    module.push_back(*body.home);
    LogicalResult result = runPipeline(passes, *body.home);
    body.home->getOperation()->remove();
    if (failed(result))
      return failure();
  }
  if (failed(runPipeline(passes, module)))
    return failure();
  return bodies.empty() ? success() : putBack(module, bodies);
}

void LowerInParts::cutParts(func::FuncOp function, SymbolTable &symbols,
                            const LLVMTypeConverter &types,
                            SmallVector<Body> &bodies) {
  // Of other functions, what is before a block depends on the way there.
  if (!llvm::hasSingleElement(function.getBody()))
    return;
  Part part;
  for (Operation &op : llvm::make_early_inc_range(function.getBody().front())) {
    if (addTo(part, &op, types)) {
      if (part.size < size)
        continue;
      bodies.push_back(cut(part, symbols, types));
      ++numParts;
    } else if (canPrecede(&op)) {
      continue;
    }
    part = Part();
  }
}

std::unique_ptr<Pass> mlir::pool::createLowerInParts(
    unsigned size, llvm::function_ref<void(OpPassManager &)> addPasses) {
  return std::make_unique<LowerInParts>(size, addPasses);
}
