// Evaluates regions of compare, select and logic operations on elements of
// which only the order is known (abstract interpretation).
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Order.h"

#include "mlir/IR/TypeUtilities.h"
#include "pool/Conversion/UnregisteredStablehlo.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// A value in the region: a truth value or, if `truth` is not set, the argument
/// with the number `argument`.
struct Outcome {
  std::optional<bool> truth;
  unsigned argument = 0;
};
using Outcomes = SmallVector<Outcome>;

/// Evaluates a region whose arguments are n elements of a left side, then n of
/// a right side. Entry i of `orders` says how element i of the left side
/// compares with element i of the right side.
class Evaluator {
public:
  Evaluator(Block &body, ArrayRef<Order> orders) : body(body), orders(orders) {}

  /// Returns the results of the region, or nothing if an operation in it cannot
  /// be evaluated.
  std::optional<Outcomes> run();

private:
  /// Returns the outcomes of `values`, or nothing if one of them is not known.
  std::optional<Outcomes> lookUp(ValueRange values) const;
  std::optional<Outcome> evaluate(Operation *op);
  /// Returns the result of `op`, a stablehlo.compare of two arguments of the
  /// region. Returns nothing if `op` compares other values, compares element i
  /// with an element other than i, or has a wrong `compare_type`.
  std::optional<bool> compare(Operation *op);

  Block &body;
  ArrayRef<Order> orders;
  llvm::DenseMap<Value, Outcome> outcomes;
};
} // namespace

std::optional<Outcomes> Evaluator::lookUp(ValueRange values) const {
  Outcomes known;
  for (Value value : values) {
    auto found = outcomes.find(value);
    if (found == outcomes.end())
      return std::nullopt;
    known.push_back(found->second);
  }
  return known;
}

/// True if a stablehlo.compare with `direction` is true for elements that
/// compare as `order`. Returns nothing for an unknown direction.
static std::optional<bool> holds(StringRef direction, Order order) {
  bool isLess = order == Order::Less, isGreater = order == Order::Greater;
  bool isEqual = order == Order::Equal;
  return llvm::StringSwitch<std::optional<bool>>(direction)
      .Case("EQ", isEqual)
      .Case("NE", !isEqual)
      .Case("GE", isGreater || isEqual)
      .Case("GT", isGreater)
      .Case("LE", isLess || isEqual)
      .Case("LT", isLess)
      .Default(std::nullopt);
}

static Order swap(Order order) {
  switch (order) {
  case Order::Less:
    return Order::Greater;
  case Order::Greater:
    return Order::Less;
  case Order::LeftNan:
    return Order::RightNan;
  case Order::RightNan:
    return Order::LeftNan;
  case Order::Equal:
  case Order::BothNan:
    return order;
  }
  llvm_unreachable("unknown order");
}

std::optional<bool> Evaluator::compare(Operation *op) {
  auto lhs = dyn_cast<BlockArgument>(op->getOperand(0));
  auto rhs = dyn_cast<BlockArgument>(op->getOperand(1));
  if (!lhs || !rhs || lhs.getOwner() != &body || rhs.getOwner() != &body)
    return std::nullopt;
  std::string type = hlo::getKeyword(op, "compare_type");
  Type element = getElementTypeOrSelf(lhs.getType());
  StringRef expected = isa<FloatType>(element)       ? "FLOAT"
                       : element.isUnsignedInteger() ? "UNSIGNED"
                                                     : "SIGNED";
  if ((op->hasAttr("compare_type") && type != expected) ||
      !element.isIntOrFloat() || element.isInteger(1))
    return std::nullopt;
  unsigned n = orders.size(), left = lhs.getArgNumber(),
           right = rhs.getArgNumber();
  if (left % n != right % n)
    return std::nullopt;
  Order order = orders[left % n];
  if (left == right) {
    bool isNan = order == Order::BothNan ||
                 order == (left < n ? Order::LeftNan : Order::RightNan);
    order = isNan ? Order::BothNan : Order::Equal;
  } else if (left > right) {
    order = swap(order);
  }
  return holds(hlo::getKeyword(op, "comparison_direction"), order);
}

/// Returns the result of `op`, a stablehlo.compare of the i1 values `lhs` and
/// `rhs`. Returns nothing if its type of comparison is not unsigned or its
/// direction is unknown. JAX compares i1 values where it writes `x != false`.
static std::optional<bool> compareTruths(Operation *op, bool lhs, bool rhs) {
  if (op->hasAttr("compare_type") &&
      hlo::getKeyword(op, "compare_type") != "UNSIGNED")
    return std::nullopt;
  Order order = lhs == rhs ? Order::Equal : lhs ? Order::Greater : Order::Less;
  return holds(hlo::getKeyword(op, "comparison_direction"), order);
}

std::optional<Outcome> Evaluator::evaluate(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0)
    return std::nullopt;
  StringRef name = hlo::getName(op);
  Outcome outcome;
  if (name == "constant") {
    auto number =
        dyn_cast_if_present<IntegerAttr>(hlo::getSplat(op->getResult(0)));
    if (!number || !number.getType().isInteger(1))
      return std::nullopt;
    outcome.truth = number.getValue().isOne();
    return outcome;
  }
  if (name == "compare" && op->getNumOperands() == 2 &&
      isa<BlockArgument>(op->getOperand(0))) {
    outcome.truth = compare(op);
    return outcome.truth ? std::optional(outcome) : std::nullopt;
  }
  std::optional<Outcomes> known = lookUp(op->getOperands());
  if (!known)
    return std::nullopt;
  const Outcomes &operands = *known;
  if (name == "select" && operands.size() == 3 && operands[0].truth)
    return operands[*operands[0].truth ? 1 : 2];
  // A broadcast or conversion of a scalar to its own type changes nothing.
  if ((name == "broadcast_in_dim" || name == "convert") &&
      operands.size() == 1 &&
      op->getOperand(0).getType() == op->getResult(0).getType())
    return operands[0];
  if (!llvm::all_of(operands, [](const Outcome &o) { return o.truth; }))
    return std::nullopt;
  if (name == "compare" && operands.size() == 2)
    outcome.truth = compareTruths(op, *operands[0].truth, *operands[1].truth);
  else if (name == "not" && operands.size() == 1)
    outcome.truth = !*operands[0].truth;
  else if (name == "and" && operands.size() == 2)
    outcome.truth = *operands[0].truth && *operands[1].truth;
  else if (name == "or" && operands.size() == 2)
    outcome.truth = *operands[0].truth || *operands[1].truth;
  else
    return std::nullopt;
  return outcome.truth ? std::optional(outcome) : std::nullopt;
}

std::optional<Outcomes> Evaluator::run() {
  for (BlockArgument argument : body.getArguments())
    outcomes[argument] = {std::nullopt, argument.getArgNumber()};
  // Visit all operations but the last. Do not use without_terminator(): an
  // unregistered stablehlo.return has no trait that makes it a terminator.
  for (Operation &op : llvm::make_range(body.begin(), std::prev(body.end()))) {
    std::optional<Outcome> outcome = evaluate(&op);
    if (!outcome)
      return std::nullopt;
    outcomes[op.getResult(0)] = *outcome;
  }
  return lookUp(body.back().getOperands());
}

static bool isFloat(Block &body) {
  return isa<FloatType>(getElementTypeOrSelf(body.getArgument(0).getType()));
}

std::optional<ElementChoice> pool::matchSelect(Block &body) {
  auto keeps = [&](Order order) -> std::optional<bool> {
    auto results = Evaluator(body, order).run();
    return results ? (*results)[0].truth : std::nullopt;
  };
  std::optional<bool> less = keeps(Order::Less), equal = keeps(Order::Equal),
                      greater = keeps(Order::Greater);
  if (!less || !equal || !greater || !*equal || *less == *greater)
    return std::nullopt;
  ElementChoice choice{*greater ? Reduction::Max : Reduction::Min,
                       NanChoice::ByPlace};
  if (!isFloat(body))
    return choice;
  std::optional<bool> left = keeps(Order::LeftNan),
                      right = keeps(Order::RightNan),
                      both = keeps(Order::BothNan);
  if (!left || !right || !both)
    return std::nullopt;
  if (*both && *left && !*right)
    choice.nan = NanChoice::Propagate;
  else if (*both && !*left && *right)
    choice.nan = NanChoice::Ignore;
  return choice;
}

namespace {
/// The sides that the chosen value and the chosen index come from: 0 is left
/// and 1 is right.
struct Sides {
  unsigned value, index;
};
} // namespace

static std::optional<Sides> getSides(Block &body, Order values, Order indices) {
  auto results = Evaluator(body, {values, indices}).run();
  if (!results || results->size() != 2)
    return std::nullopt;
  const Outcome &value = (*results)[0], &index = (*results)[1];
  if (value.truth || index.truth || value.argument % 2 != 0 ||
      index.argument % 2 != 1)
    return std::nullopt;
  return Sides{value.argument / 2, index.argument / 2};
}

std::optional<ElementChoice> pool::matchIndexedExtremum(Block &body) {
  constexpr Order kIndexOrders[] = {Order::Less, Order::Equal, Order::Greater};
  // True if both results come from `side` for every order of the indices.
  auto isOf = [&](Order order, unsigned side) {
    return llvm::all_of(kIndexOrders, [&](Order indices) {
      std::optional<Sides> sides = getSides(body, order, indices);
      return sides && sides->value == side && sides->index == side;
    });
  };
  // True if the smaller index is chosen, and the value of either side.
  auto isFirst = [&](Order order) {
    return llvm::all_of(kIndexOrders, [&](Order indices) {
      std::optional<Sides> sides = getSides(body, order, indices);
      return sides && (indices == Order::Equal ||
                       sides->index == (indices == Order::Greater));
    });
  };
  if (!isFirst(Order::Equal))
    return std::nullopt;
  ElementChoice choice{Reduction::Max, NanChoice::Propagate};
  if (isOf(Order::Less, 0) && isOf(Order::Greater, 1))
    choice.reduction = Reduction::Min;
  else if (!isOf(Order::Less, 1) || !isOf(Order::Greater, 0))
    return std::nullopt;
  if (!isFloat(body))
    return choice;
  // True if value and index come from the same side for every order of the
  // indices. Either side will do.
  auto isOfOne = [&](Order order) { return isOf(order, 0) || isOf(order, 1); };
  bool isFirstNan = isFirst(Order::BothNan);
  if (!isFirstNan && !isOfOne(Order::BothNan))
    return std::nullopt;
  if (isOf(Order::LeftNan, 0) && isOf(Order::RightNan, 1)) {
    choice.nan = isFirstNan ? NanChoice::Propagate : NanChoice::PropagateAny;
    return choice;
  }
  // Reject a choice that ignores NaN: a window of only NaN would have the
  // initial index, which pool operations do not return.
  if (!isOfOne(Order::LeftNan) || !isOfOne(Order::RightNan) ||
      (isOf(Order::LeftNan, 1) && isOf(Order::RightNan, 0)))
    return std::nullopt;
  choice.nan = NanChoice::ByPlace;
  return choice;
}
