// Follows what an extent is computed from, once to see whether all of it is
// known and once to create it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Extents.h"

#include "../Hlo.h"
#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
class ExtentBuilder {
public:
  /// Without a builder, any value stands for one that can be created.
  ExtentBuilder(OpBuilder *b, Location loc) : b(b), loc(loc) {}

  /// An index, or a truth value of an i1; null if it is neither.
  Value get(ShapeElement element);

private:
  Value create(ShapeElement element);
  Value createConstant(Value stand, const APInt &number);
  Value createDim(Operation *op);
  Value createCompare(Operation *op, Value lhs, Value rhs);
  Value createArithmetic(Operation *op, bool isTruth, Value lhs, Value rhs);
  /// `Op` of the operands, each of which can be created; `stand` without a
  /// builder.
  template <typename Op, typename... Args>
  Value make(Value stand, Args... args) {
    return b ? Value(Op::create(*b, loc, args...)) : stand;
  }

  OpBuilder *b;
  Location loc;
  /// Null for what cannot be created, or depends on itself.
  llvm::DenseMap<std::pair<Value, int64_t>, Value> known;
  unsigned depth = 0;
};
} // namespace

static RankedTensorType getShapeType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  bool fits = type && !type.getEncoding() && type.getRank() <= 1 &&
              type.hasStaticShape() &&
              type.getElementType().isSignlessInteger();
  return fits ? type : RankedTensorType();
}

/// The element that `element` is taken from by reshapes and the like; with a
/// null tensor if it is malformed.
static ShapeElement resolve(ShapeElement element) {
  for (unsigned i = 0; i < hlo::kMaxChain; ++i) {
    RankedTensorType type = getShapeType(element.tensor);
    if (!type || element.position >= type.getNumElements())
      return {};
    Operation *op = element.tensor.getDefiningOp();
    StringRef name = op ? hlo::getName(op) : StringRef();
    if (name == "concatenate" && op->getNumResults() == 1) {
      element.tensor = {};
      for (Value part : op->getOperands()) {
        RankedTensorType partType = getShapeType(part);
        if (!partType || partType.getRank() != 1)
          return {};
        if (element.position < partType.getDimSize(0)) {
          element.tensor = part;
          break;
        }
        element.position -= partType.getDimSize(0);
      }
      if (!element.tensor)
        return {};
      continue;
    }
    bool movesOne = (name == "reshape" || name == "convert" ||
                     name == "broadcast_in_dim") &&
                    hlo::getProducer(element.tensor, name, 1);
    RankedTensorType from =
        movesOne ? getShapeType(op->getOperand(0)) : RankedTensorType();
    // Truth values are no numbers, and narrow ones wrap.
    if (!from || (from.getElementType() != type.getElementType() &&
                  (from.getElementType().isInteger(1) ||
                   type.getElementType().getIntOrFloatBitWidth() < 32)))
      return element;
    if (name == "broadcast_in_dim") {
      if (from.getRank() != 0)
        return element;
      element.position = 0;
    }
    element.tensor = op->getOperand(0);
  }
  return {};
}

/// The constant that a resolved `element` is.
static std::optional<APInt> getConstant(ShapeElement element) {
  DenseElementsAttr constant =
      element.tensor ? hlo::getConstant(element.tensor) : DenseElementsAttr();
  if (!constant)
    return std::nullopt;
  APInt number = constant.getValues<APInt>()[element.position];
  return number.isSignedIntN(64) ? std::optional(number) : std::nullopt;
}

std::optional<int64_t> pool::getKnown(ShapeElement element) {
  std::optional<APInt> number = getConstant(resolve(element));
  return number ? std::optional(number->getSExtValue()) : std::nullopt;
}

Value ExtentBuilder::get(ShapeElement element) {
  element = resolve(element);
  if (!element.tensor || depth == hlo::kMaxChain)
    return {};
  std::pair key(element.tensor, element.position);
  auto [found, isNew] = known.try_emplace(key);
  if (!isNew)
    return found->second;
  ++depth;
  Value value = create(element);
  --depth;
  return known[key] = value;
}

Value ExtentBuilder::createConstant(Value stand, const APInt &number) {
  if (!b)
    return stand;
  if (number.getBitWidth() == 1)
    return arith::ConstantOp::create(*b, loc, b->getBoolAttr(number.isOne()));
  return arith::ConstantIndexOp::create(*b, loc, number.getSExtValue());
}

Value ExtentBuilder::createDim(Operation *op) {
  auto dim = dyn_cast_if_present<IntegerAttr>(op->getAttr("dimension"));
  auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  if (!dim || !type || dim.getValue().uge(type.getRank()))
    return {};
  return make<tensor::DimOp>(
      op->getResult(0), op->getOperand(0),
      static_cast<int64_t>(dim.getValue().getZExtValue()));
}

Value ExtentBuilder::createCompare(Operation *op, Value lhs, Value rhs) {
  using P = arith::CmpIPredicate;
  auto predicate = getIntegerPredicate(op, /*isUnsigned=*/false);
  bool isTruth = getElementTypeOrSelf(op->getOperand(0)).isInteger(1);
  if (!predicate || (isTruth && *predicate != P::eq && *predicate != P::ne))
    return {};
  return make<arith::CmpIOp>(op->getResult(0), *predicate, lhs, rhs);
}

Value ExtentBuilder::createArithmetic(Operation *op, bool isTruth, Value lhs,
                                      Value rhs) {
  StringRef name = hlo::getName(op);
  Value stand = op->getResult(0);
  if (isTruth) {
    if (name == "and")
      return make<arith::AndIOp>(stand, lhs, rhs);
    if (name == "or")
      return make<arith::OrIOp>(stand, lhs, rhs);
    return {};
  }
  if (name == "add")
    return make<arith::AddIOp>(stand, lhs, rhs);
  if (name == "subtract")
    return make<arith::SubIOp>(stand, lhs, rhs);
  if (name == "multiply")
    return make<arith::MulIOp>(stand, lhs, rhs);
  if (name == "maximum")
    return make<arith::MaxSIOp>(stand, lhs, rhs);
  if (name == "minimum")
    return make<arith::MinSIOp>(stand, lhs, rhs);
  // Quotients by zero are XLA's own.
  auto divisor =
      dyn_cast_if_present<IntegerAttr>(hlo::getSplat(op->getOperand(1)));
  if (!divisor || !divisor.getValue().isStrictlyPositive())
    return {};
  if (name == "divide")
    return make<arith::DivSIOp>(stand, lhs, rhs);
  if (name == "remainder")
    return make<arith::RemSIOp>(stand, lhs, rhs);
  return {};
}

Value ExtentBuilder::create(ShapeElement element) {
  Value tensor = element.tensor;
  if (std::optional<APInt> number = getConstant(element))
    return createConstant(tensor, *number);
  Operation *op = tensor.getDefiningOp();
  StringRef name = op ? hlo::getName(op) : StringRef();
  if (name.empty() || op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      op->getNumOperands() == 0)
    return {};
  unsigned numOperands = op->getNumOperands();
  if (name == "get_dimension_size" && numOperands == 1)
    return createDim(op);

  RankedTensorType type = getShapeType(tensor);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    RankedTensorType operandType = getShapeType(operand);
    Value value = operandType && operandType.getShape() == type.getShape()
                      ? get({operand, element.position})
                      : Value();
    if (!value)
      return {};
    operands.push_back(value);
  }
  auto isTruth = [](Value value) {
    return getElementTypeOrSelf(value).isInteger(1);
  };
  if (name == "select" && numOperands == 3 && isTruth(op->getOperand(0)) &&
      op->getOperand(1).getType() == tensor.getType() &&
      op->getOperand(2).getType() == tensor.getType())
    return make<arith::SelectOp>(tensor, operands[0], operands[1], operands[2]);
  if (!llvm::all_equal(op->getOperandTypes()))
    return {};
  if (name == "compare" && numOperands == 2 && isTruth(tensor))
    return createCompare(op, operands[0], operands[1]);
  if (op->getOperand(0).getType() != tensor.getType())
    return {};
  if (name == "sign" && numOperands == 1 && !isTruth(tensor)) {
    Value one = createConstant(tensor, APInt(64, 1));
    Value minusOne = createConstant(tensor, APInt(64, -1, /*isSigned=*/true));
    Value least = make<arith::MinSIOp>(tensor, operands[0], one);
    return make<arith::MaxSIOp>(tensor, least, minusOne);
  }
  return numOperands == 2
             ? createArithmetic(op, isTruth(tensor), operands[0], operands[1])
             : Value();
}

std::optional<SmallVector<Value>>
pool::createExtents(OpBuilder &b, Location loc,
                    ArrayRef<ShapeElement> elements) {
  ExtentBuilder check(nullptr, loc);
  for (const ShapeElement &element : elements)
    if (getElementTypeOrSelf(element.tensor).isInteger(1) ||
        !check.get(element))
      return std::nullopt;
  ExtentBuilder builder(&b, loc);
  return llvm::map_to_vector(elements, [&](const ShapeElement &element) {
    return builder.get(element);
  });
}
