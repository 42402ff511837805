// Evaluates integer arithmetic over linalg.index by folding it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CountArithmetic.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pool;

/// Limits of the visited expression, so that no IR exhausts the stack or the
/// clock.
static constexpr unsigned kMaxOps = 256;
static constexpr unsigned kMaxFactors = 256;

static constexpr const char *kNotKnown =
    "its divisor depends on a value that is not known";

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

FailureOr<LoopFunction> LoopFunction::get(Value value, linalg::LinalgOp op,
                                          std::string &reason) {
  auto fail = [&](const char *message) -> FailureOr<LoopFunction> {
    reason = message;
    return failure();
  };
  if (!value.getDefiningOp())
    return fail(kNotKnown);
  SetVector<Operation *> slice;
  unsigned numVisited = 0;
  // An operation with regions may change when it folds.
  BackwardSliceOptions options([&](Operation *producer) {
    return producer->getNumResults() == 1 && producer->getNumRegions() == 0 &&
           producer->getResult(0).getType().isIntOrIndex() &&
           isPure(producer) && ++numVisited <= kMaxOps;
  });
  options.inclusive = true;
  options.omitBlockArguments = true;
  if (failed(getBackwardSlice(value, &slice, options)) || numVisited > kMaxOps)
    return fail("its divisor is too large an expression");

  LoopFunction function;
  function.value = value;
  function.ops = slice.takeVector();
  for (Operation *producer : function.ops) {
    auto index = dyn_cast<linalg::IndexOp>(producer);
    if (!index)
      continue;
    if (index->getParentOp() != op.getOperation())
      return fail("its divisor depends on the index of another operation");
    unsigned loop = index.getDim();
    if (function.loop.value_or(loop) != loop)
      return fail("a factor of its divisor depends on two dimensions");
    function.loop = loop;
  }
  if (!function.evaluate(0))
    return fail(kNotKnown);
  return function;
}

std::optional<int64_t> LoopFunction::evaluate(int64_t position) const {
  DenseMap<Value, Attribute> known;
  Builder b(value.getContext());
  for (Operation *op : ops) {
    Attribute &result = known[op->getResult(0)];
    if (isa<linalg::IndexOp>(op)) {
      result = b.getIndexAttr(position);
      continue;
    }
    auto operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) {
      return known.lookup(operand);
    });
    SmallVector<OpFoldResult> folded;
    if (failed(op->fold(operands, folded)) || folded.size() != 1)
      return std::nullopt;
    result = dyn_cast<Attribute>(folded[0]);
    if (!result)
      result = known.lookup(cast<Value>(folded[0]));
  }
  auto number = dyn_cast_or_null<IntegerAttr>(known.lookup(value));
  return number ? number.getValue().trySExtValue() : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

const LoopFunction *CountExpression::getFactor(unsigned loop) const {
  for (const LoopFunction &factor : factors)
    if (factor.loop == loop)
      return &factor;
  return nullptr;
}

static unsigned getWidth(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer ? std::min(integer.getWidth(), 64u) : 64;
}

FailureOr<CountExpression> pool::parseCount(Value count, linalg::LinalgOp op,
                                            std::string &reason) {
  CountExpression expression;
  SmallVector<Value> worklist = {count};
  unsigned numVisited = 0;
  while (!worklist.empty()) {
    // Repeated squares of shared values grow exponentially when expanded.
    if (++numVisited > kMaxFactors) {
      reason = "its divisor is too large an expression";
      return failure();
    }
    Value value = worklist.pop_back_val();
    Operation *definition = value.getDefiningOp();
    if (isa_and_present<arith::MulIOp, arith::IndexCastOp, arith::ExtSIOp,
                        arith::TruncIOp>(definition)) {
      expression.width = std::min(expression.width, getWidth(value.getType()));
      llvm::append_range(worklist, definition->getOperands());
      continue;
    }
    FailureOr<LoopFunction> function = LoopFunction::get(value, op, reason);
    if (failed(function))
      return failure();
    if (function->loop) {
      if (expression.getFactor(*function->loop)) {
        reason = "two factors of its divisor depend on one dimension";
        return failure();
      }
      expression.factors.push_back(std::move(*function));
      continue;
    }
    if (llvm::MulOverflow(expression.constant, *function->evaluate(0),
                          expression.constant)) {
      reason = "its divisor overflows";
      return failure();
    }
  }
  return expression;
}
