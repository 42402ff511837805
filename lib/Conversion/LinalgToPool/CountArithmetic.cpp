// Parses integer arithmetic over linalg.index. First splits the expression into
// factors that depend on one loop each. Then translates each factor to a
// straight-line program (LoopFunction), such as min(o + 2, 4):
//
//   step 0  Index              o
//   step 1  Constant 2         2
//   step 2  Add 0, 1           o + 2
//   step 3  Constant 4         4
//   step 4  Min 2, 3           min(o + 2, 4)
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CountArithmetic.h"

#include "WindowReduction.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

std::optional<int64_t> LoopFunction::evaluate(int64_t position) const {
  SmallVector<int64_t> values;
  values.reserve(steps.size());
  for (const Step &step : steps) {
    // Kinds without operands have `lhs` and `rhs` 0: they read value 0 and
    // ignore it.
    int64_t lhs = values.empty() ? 0 : values[step.lhs];
    int64_t rhs = values.empty() ? 0 : values[step.rhs], result;
    std::optional<int64_t> value;
    switch (step.kind) {
    case Kind::Constant:
      value = step.constant;
      break;
    case Kind::Index:
      value = position;
      break;
    case Kind::Add:
      if (!llvm::AddOverflow(lhs, rhs, result))
        value = result;
      break;
    case Kind::Sub:
      if (!llvm::SubOverflow(lhs, rhs, result))
        value = result;
      break;
    case Kind::Mul:
      if (!llvm::MulOverflow(lhs, rhs, result))
        value = result;
      break;
    case Kind::Min:
      value = std::min(lhs, rhs);
      break;
    case Kind::Max:
      value = std::max(lhs, rhs);
      break;
    case Kind::TruncDiv:
      if (rhs > 0)
        value = lhs / rhs;
      break;
    case Kind::FloorDiv:
      if (rhs > 0)
        value = llvm::divideFloorSigned(lhs, rhs);
      break;
    case Kind::CeilDiv:
      if (rhs > 0)
        value = llvm::divideCeilSigned(lhs, rhs);
      break;
    case Kind::Mod:
      if (rhs > 0)
        value = llvm::mod(lhs, rhs);
      break;
    }
    if (!value || !llvm::isIntN(step.width, *value))
      return std::nullopt;
    values.push_back(*value);
  }
  return values.back();
}

const LoopFunction *CountExpression::getFactor(unsigned loop) const {
  for (const LoopFunction &factor : factors)
    if (factor.loop == loop)
      return &factor;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Maximum depth of recursion in an expression, so that no IR exhausts the
/// stack.
static constexpr unsigned kMaxDepth = 256;
/// Maximum number of values that are visited to split a product into factors.
static constexpr unsigned kMaxFactors = 256;

static unsigned getWidth(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer ? std::min(integer.getWidth(), 64u) : 64;
}

namespace mlir::pool {
class CountParser {
public:
  CountParser(linalg::LinalgOp op, std::string &reason)
      : op(op), reason(reason) {}

  FailureOr<LoopFunction> parse(Value value) {
    if (failed(parseValue(value)))
      return failure();
    return std::move(function);
  }

private:
  using Kind = LoopFunction::Kind;

  LogicalResult fail(const Twine &why) { return pool::fail(reason, why); }
  unsigned addStep(LoopFunction::Step step) {
    function.steps.push_back(step);
    return function.steps.size() - 1;
  }
  unsigned addConstant(int64_t value, unsigned width = 64) {
    return addStep({Kind::Constant, width, value});
  }

  /// Each method adds the steps that compute its argument. parseValue stores
  /// the number of the last step in `steps`. The other methods return this
  /// number. parseMap combines the results of `map` by the operation `fold`.
  LogicalResult parseValue(Value value);
  FailureOr<unsigned> parseOp(Operation *definition, unsigned width);
  FailureOr<unsigned> parseIndex(linalg::IndexOp index);
  FailureOr<unsigned> parseMap(AffineMap map, ValueRange operands, Kind fold);
  FailureOr<unsigned> parseExpr(AffineExpr expr, ArrayRef<unsigned> dims,
                                ArrayRef<unsigned> symbols);

  linalg::LinalgOp op;
  std::string &reason;
  LoopFunction function;
  DenseMap<Value, unsigned> steps;
  unsigned depth = 0;
};
} // namespace mlir::pool

LogicalResult CountParser::parseValue(Value value) {
  if (steps.contains(value))
    return success();
  if (depth >= kMaxDepth)
    return fail("its divisor is too large an expression");
  llvm::SaveAndRestore nested(depth, depth + 1);
  unsigned width = getWidth(value.getType());
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    if (!constant.isSignedIntN(64))
      return fail("its divisor has a constant of more than 64 bits");
    steps[value] = addConstant(constant.getSExtValue(), width);
    return success();
  }
  Operation *definition = value.getDefiningOp();
  if (!definition)
    return fail("its divisor depends on a value that is not known");
  FailureOr<unsigned> step = parseOp(definition, width);
  if (failed(step))
    return failure();
  steps[value] = *step;
  return success();
}

FailureOr<unsigned> CountParser::parseIndex(linalg::IndexOp index) {
  if (index->getParentOp() != op.getOperation())
    return fail("its divisor depends on the index of another operation");
  unsigned loop = index.getDim();
  if (function.loop.value_or(loop) != loop)
    return fail("a factor of its divisor depends on two dimensions");
  function.loop = loop;
  return addStep({Kind::Index, 64});
}

FailureOr<unsigned> CountParser::parseExpr(AffineExpr expr,
                                           ArrayRef<unsigned> dims,
                                           ArrayRef<unsigned> symbols) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return addConstant(constant.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  FailureOr<unsigned> lhs = parseExpr(binary.getLHS(), dims, symbols);
  FailureOr<unsigned> rhs = parseExpr(binary.getRHS(), dims, symbols);
  if (failed(lhs) || failed(rhs))
    return failure();
  auto step = [&](Kind kind) { return addStep({kind, 64, 0, *lhs, *rhs}); };
  switch (binary.getKind()) {
  case AffineExprKind::Mul:
    return step(Kind::Mul);
  case AffineExprKind::FloorDiv:
    return step(Kind::FloorDiv);
  case AffineExprKind::CeilDiv:
    return step(Kind::CeilDiv);
  case AffineExprKind::Mod:
    return step(Kind::Mod);
  default:
    return step(Kind::Add);
  }
}

FailureOr<unsigned> CountParser::parseMap(AffineMap map, ValueRange operands,
                                          Kind fold) {
  SmallVector<unsigned> arguments;
  for (Value operand : operands) {
    if (failed(parseValue(operand)))
      return failure();
    arguments.push_back(steps[operand]);
  }
  std::optional<unsigned> result;
  for (AffineExpr expr : map.getResults()) {
    FailureOr<unsigned> step =
        parseExpr(expr, ArrayRef(arguments).take_front(map.getNumDims()),
                  ArrayRef(arguments).drop_front(map.getNumDims()));
    if (failed(step))
      return failure();
    result = result ? addStep({fold, 64, 0, *result, *step}) : *step;
  }
  return *result;
}

FailureOr<unsigned> CountParser::parseOp(Operation *definition,
                                         unsigned width) {
  if (auto index = dyn_cast<linalg::IndexOp>(definition))
    return parseIndex(index);
  if (auto apply = dyn_cast<affine::AffineApplyOp>(definition))
    return parseMap(apply.getAffineMap(), apply.getMapOperands(), Kind::Add);
  if (auto min = dyn_cast<affine::AffineMinOp>(definition))
    return parseMap(min.getAffineMap(), min.getOperands(), Kind::Min);
  if (auto max = dyn_cast<affine::AffineMaxOp>(definition))
    return parseMap(max.getAffineMap(), max.getOperands(), Kind::Max);
  if (auto dim = dyn_cast<tensor::DimOp>(definition)) {
    auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
    std::optional<int64_t> d = dim.getConstantIndex();
    if (!type || !d || *d < 0 || *d >= type.getRank() || type.isDynamicDim(*d))
      return fail("its divisor depends on an extent that is not known");
    return addConstant(type.getDimSize(*d));
  }

  std::optional<Kind> kind =
      llvm::TypeSwitch<Operation *, std::optional<Kind>>(definition)
          .Case([](arith::AddIOp) { return Kind::Add; })
          .Case([](arith::SubIOp) { return Kind::Sub; })
          .Case([](arith::MulIOp) { return Kind::Mul; })
          .Case([](arith::MinSIOp) { return Kind::Min; })
          .Case([](arith::MaxSIOp) { return Kind::Max; })
          .Case([](arith::DivSIOp) { return Kind::TruncDiv; })
          .Case([](arith::FloorDivSIOp) { return Kind::FloorDiv; })
          .Case([](arith::CeilDivSIOp) { return Kind::CeilDiv; })
          .Default([](Operation *) { return std::nullopt; });
  if (!kind) {
    if (!isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(definition))
      return fail("its divisor is computed by " +
                  definition->getName().getStringRef());
    Value operand = definition->getOperand(0);
    if (failed(parseValue(operand)))
      return failure();
    // Represent a cast by an addition of 0: it keeps a value that fits the type
    // of the cast. evaluate() checks the fit by the width of this step.
    return addStep({Kind::Add, width, 0, steps[operand], addConstant(0)});
  }
  Value lhs = definition->getOperand(0), rhs = definition->getOperand(1);
  if (failed(parseValue(lhs)) || failed(parseValue(rhs)))
    return failure();
  return addStep({*kind, width, 0, steps[lhs], steps[rhs]});
}

FailureOr<CountExpression> pool::parseCount(Value count, linalg::LinalgOp op,
                                            std::string &reason) {
  CountExpression expression;
  SmallVector<Value> worklist = {count};
  unsigned numVisited = 0;
  while (!worklist.empty()) {
    // Limit the visits: repeated squares of shared values grow exponentially
    // when expanded.
    if (++numVisited > kMaxFactors)
      return fail(reason, "its divisor is too large an expression");
    Value value = worklist.pop_back_val();
    Operation *definition = value.getDefiningOp();
    if (isa_and_present<arith::MulIOp, arith::IndexCastOp, arith::ExtSIOp,
                        arith::TruncIOp>(definition)) {
      expression.width = std::min(expression.width, getWidth(value.getType()));
      llvm::append_range(worklist, definition->getOperands());
      continue;
    }
    FailureOr<LoopFunction> function = CountParser(op, reason).parse(value);
    if (failed(function))
      return failure();
    if (function->loop) {
      if (expression.getFactor(*function->loop))
        return fail(reason,
                    "two factors of its divisor depend on one dimension");
      expression.factors.push_back(std::move(*function));
      continue;
    }
    std::optional<int64_t> constant = function->evaluate(0);
    if (!constant ||
        llvm::MulOverflow(expression.constant, *constant, expression.constant))
      return fail(reason, "its divisor overflows");
  }
  return expression;
}
