// A function of many operations as functions of few, and back, so that passes
// between work on what is in the processor's caches, and on threads.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::pool {
#define GEN_PASS_DEF_OUTLINEPARTS
#define GEN_PASS_DEF_INLINEPARTS
#include "pool/Pipelines/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;

/// Marks a private function that is to be inlined where it is called, once; a
/// module of these; and the declaration of one there.
static constexpr StringLiteral kPart = "pool.part";

//===----------------------------------------------------------------------===//
// Outlining
//===----------------------------------------------------------------------===//

/// What becomes many operations.
static bool hasLoops(Operation *op) {
  return isa<linalg::LinalgOp, scf::ForOp, scf::ForallOp, scf::IfOp,
             scf::ParallelOp, scf::WhileOp>(op);
}

/// How many operations it becomes, of about the size that passes see.
static unsigned getSize(Operation *op) {
  unsigned size = 0;
  op->walk([&](Operation *nested) {
    size += isa<linalg::LinalgOp>(nested) ? 64 : 1;
  });
  return size;
}

static bool isTensor(Type type) { return isa<TensorType>(type); }

static bool hasTensors(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isTensor) ||
         llvm::any_of(op->getResultTypes(), isTensor);
}

/// What an operation of a function's only block is to the part around it.
enum class Role { Moves, Stays, Ends };

/// Values stay that are there before anything runs, and new buffers.
static Role getRole(Operation *op) {
  if (hasLoops(op)) {
    WalkResult walk = op->walk([](Operation *nested) {
      // Symbols are those of the module.
      return hasTensors(nested) ||
                     isa<CallOpInterface, SymbolUserOpInterface>(nested)
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    return walk.wasInterrupted() ? Role::Ends : Role::Moves;
  }
  if (op->hasTrait<OpTrait::IsTerminator>() || hasTensors(op))
    return Role::Ends;
  if (isa<memref::CopyOp, memref::LoadOp, memref::StoreOp, vector::LoadOp,
          vector::StoreOp, vector::MaskedLoadOp, vector::MaskedStoreOp,
          ViewLikeOpInterface>(op))
    return Role::Moves;
  return isPure(op) || isa<memref::AllocOp>(op) ? Role::Stays : Role::Ends;
}

/// True if `buffer` is read and written by nobody: it gives the extents of a
/// window.
static bool isShape(Value buffer) {
  auto alloc = buffer.getDefiningOp<memref::AllocOp>();
  return alloc && alloc->getNumOperands() == 0 &&
         llvm::all_of(buffer.getUses(), [](OpOperand &use) {
           if (isa<memref::DeallocOp, bufferization::DeallocOp>(use.getOwner()))
             return true;
           auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
           return op && op.isDpsInput(&use) &&
                  op.getMatchingBlockArgument(&use).use_empty();
         });
}

/// Takes views from `part` that others use, as far as it computes nothing for
/// them.
static void leaveViews(SmallVector<Operation *> &part) {
  DenseSet<Operation *> inside(part.begin(), part.end());
  for (Operation *op : llvm::reverse(part)) {
    Block *home = op->getBlock();
    if (isa<ViewLikeOpInterface>(op) &&
        !llvm::all_of(op->getUsers(),
                      [&](Operation *user) {
                        return inside.contains(
                            home->findAncestorOpInBlock(*user));
                      }) &&
        llvm::none_of(op->getOperands(), [&](Value value) {
          return inside.contains(value.getDefiningOp());
        }))
      inside.erase(op);
  }
  llvm::erase_if(part, [&](Operation *op) { return !inside.contains(op); });
}

/// Moves `ops`, which follow each other but for what stays, to a function that
/// is called in place of the last, in the module `hidden` if there is one.
static void outline(ArrayRef<Operation *> ops, SymbolTable &symbols,
                    ModuleOp hidden) {
  Operation *last = ops.back();
  auto parent = cast<func::FuncOp>(last->getParentOp());
  DenseSet<Operation *> inside(ops.begin(), ops.end());
  Block *home = last->getBlock();
  auto isInside = [&](Operation *op) {
    return inside.contains(home->findAncestorOpInBlock(*op));
  };

  llvm::SetVector<Value> captured;
  SmallVector<Value> results;
  for (Operation *op : ops) {
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands()) {
        // Of the parent's block, and not computed here.
        if (operand.getParentBlock() == home &&
            !(operand.getDefiningOp() &&
              inside.contains(operand.getDefiningOp())))
          captured.insert(operand);
      }
    });
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(),
                       [&](Operation *user) { return !isInside(user); }))
        results.push_back(result);
  }
  SmallVector<Value> arguments, copies;
  for (Value value : captured) {
    if (matchPattern(value, m_Constant()) || isShape(value))
      copies.push_back(value);
    else
      arguments.push_back(value);
  }

  OpBuilder b(last->getContext());
  Location loc = last->getLoc();
  auto type = b.getFunctionType(ValueRange(arguments).getTypes(),
                                ValueRange(results).getTypes());
  auto part = func::FuncOp::create(loc, "part", type);
  part.setPrivate();
  part->setAttr(kPart, b.getUnitAttr());
  symbols.insert(part, parent->getIterator());
  if (hidden) {
    // What is called is a declaration.
    func::FuncOp declaration = part;
    part = declaration.clone();
    hidden.push_back(part);
  }
  Block *body = part.addEntryBlock();

  b.setInsertionPointAfter(last);
  auto call = func::CallOp::create(b, loc, part, arguments);
  for (auto [result, value] : llvm::zip_equal(results, call.getResults()))
    result.replaceUsesWithIf(
        value, [&](OpOperand &use) { return !isInside(use.getOwner()); });

  for (Operation *op : ops)
    op->moveBefore(body, body->end());
  auto replace = [&](Value value, Value inner) {
    value.replaceUsesWithIf(inner, [&](OpOperand &use) {
      return body->findAncestorOpInBlock(*use.getOwner()) != nullptr;
    });
  };
  for (auto [value, argument] :
       llvm::zip_equal(arguments, body->getArguments()))
    replace(value, argument);
  b.setInsertionPointToStart(body);
  for (Value value : copies)
    replace(value, b.clone(*value.getDefiningOp())->getResult(0));
  b.setInsertionPointToEnd(body);
  func::ReturnOp::create(b, loc, results);
}

namespace mlir::pool {
namespace {
class OutlineParts : public impl::OutlinePartsBase<OutlineParts> {
public:
  using OutlinePartsBase::OutlinePartsBase;

protected:
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    hidden = {};
    if (hide) {
      hidden = ModuleOp::create(getOperation().getLoc(), "parts");
      hidden->setAttr(kPart, UnitAttr::get(&getContext()));
      symbols.insert(hidden);
    }
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      outlineParts(function, symbols);
    if (hidden && hidden.getBody()->empty())
      symbols.erase(hidden);
  }

private:
  void outlineParts(func::FuncOp function, SymbolTable &symbols);

  ModuleOp hidden;
};
} // namespace
} // namespace mlir::pool

void mlir::pool::OutlineParts::outlineParts(func::FuncOp function,
                                            SymbolTable &symbols) {
  if (function->hasAttr(kPart) || !llvm::hasSingleElement(function.getBody()))
    return;
  SmallVector<SmallVector<Operation *>> parts(1);
  // Of the part that is the last so far.
  DenseSet<Operation *> inside;
  unsigned all = 0, loops = 0, ops = 0;
  auto endPart = [&] {
    // What is little work stays.
    if (loops == 0 && ops < size)
      parts.back().clear();
    else
      parts.emplace_back();
    inside.clear();
    all += loops;
    loops = ops = 0;
  };
  for (Operation &op : function.getBody().front()) {
    Role role = getRole(&op);
    if (role == Role::Stays && llvm::any_of(op.getOperands(), [&](Value value) {
          return inside.contains(value.getDefiningOp());
        }))
      role = isPure(&op) ? Role::Moves : Role::Ends;
    if (role == Role::Ends)
      endPart();
    if (role != Role::Moves)
      continue;
    parts.back().push_back(&op);
    inside.insert(&op);
    loops += hasLoops(&op);
    ops += getSize(&op);
    if (ops >= size)
      endPart();
  }
  if (all < least)
    return;
  for (SmallVector<Operation *> &part : parts) {
    leaveViews(part);
    if (part.empty())
      continue;
    outline(part, symbols, hidden);
    ++numParts;
  }
}

//===----------------------------------------------------------------------===//
// Inlining
//===----------------------------------------------------------------------===//

/// Puts the body of `part` in place of `call`, the last that is left in its
/// block.
static LogicalResult inlineAt(func::CallOp call, func::FuncOp part) {
  SmallVector<func::ReturnOp> ends(part.getBody().getOps<func::ReturnOp>());
  if (ends.size() != 1)
    return part.emitOpError("has ")
           << ends.size() << " returns and cannot be inlined";
  func::ReturnOp end = ends.front();
  Block *entry = &part.getBody().front();
  for (auto [argument, value] :
       llvm::zip_equal(entry->getArguments(), call.getOperands()))
    argument.replaceAllUsesWith(value);
  for (auto [result, value] :
       llvm::zip_equal(call.getResults(), end.getOperands()))
    result.replaceAllUsesWith(value);
  Block *before = call->getBlock();
  Block *after = end->getBlock();
  if (after != entry) {
    after->getOperations().splice(after->end(), before->getOperations(),
                                  std::next(call->getIterator()),
                                  before->end());
    before->getParent()->getBlocks().splice(
        std::next(before->getIterator()), part.getBody().getBlocks(),
        std::next(entry->getIterator()), part.getBody().end());
  }
  end.erase();
  before->getOperations().splice(call->getIterator(), entry->getOperations());
  call.erase();
  return success();
}

namespace mlir::pool {
namespace {
class InlineParts : public impl::InlinePartsBase<InlineParts> {
public:
  using InlinePartsBase::InlinePartsBase;

protected:
  void runOnOperation() override {
    DenseMap<StringAttr, func::FuncOp> parts;
    SmallVector<Operation *> rest;
    auto addParts = [&](ModuleOp module) {
      for (auto function : module.getOps<func::FuncOp>()) {
        if (!function->hasAttr(kPart))
          continue;
        if (function.isDeclaration())
          rest.push_back(function);
        else
          parts[function.getSymNameAttr()] = function;
      }
    };
    addParts(getOperation());
    for (auto module : getOperation().getOps<ModuleOp>()) {
      if (!module->hasAttr(kPart))
        continue;
      addParts(module);
      rest.push_back(module);
    }
    if (parts.empty())
      return;
    SmallVector<func::CallOp> calls;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function->hasAttr(kPart))
        continue;
      for (Block &block : function.getBody())
        for (auto call : block.getOps<func::CallOp>())
          if (parts.contains(call.getCalleeAttr().getAttr()))
            calls.push_back(call);
    }
    // The last first, so that what follows one moves once.
    for (func::CallOp call : llvm::reverse(calls)) {
      func::FuncOp part = parts.lookup(call.getCalleeAttr().getAttr());
      if (failed(inlineAt(call, part)))
        return signalPassFailure();
      part.erase();
      ++numInlined;
    }
    for (Operation *op : rest)
      op->erase();
  }
};
} // namespace
} // namespace mlir::pool
