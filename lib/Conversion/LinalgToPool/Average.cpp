// Recognises averages: finds the divisor of pool.avg_pool, if any, that equals
// the one a window sum is divided by.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Average.h"

#include "CountArithmetic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Returns the reason why pool.avg_pool does not accumulate like `reduction`,
/// or an empty string.
static std::string explainAccumulator(const WindowReduction &reduction,
                                      bool isDivided) {
  Type element = reduction.getInputType().getElementType();
  Type accumulator = reduction.getOutputType().getElementType();
  if (isa<IntegerType>(element))
    return "its integer sum wraps, where pool.avg_pool saturates";
  Type ours = getFloatAccumulator(element);
  if (accumulator != ours)
    return llvm::formatv("it accumulates in {0}, pool.avg_pool in {1}",
                         accumulator, ours)
        .str();
  if (accumulator != element && !isDivided)
    return llvm::formatv(
               "its sum is of type {0}, where pool.avg_pool returns {1}",
               accumulator, element)
        .str();
  return {};
}

FailureOr<SumPlan> pool::planSum(const WindowReduction &reduction,
                                 bool isDivided, std::string &reason) {
  reason = explainAccumulator(reduction, isDivided);
  if (!reason.empty())
    return failure();
  TypedAttr init = getSplatConstant(reduction.init);
  if (!init || !isIdentity(init, reduction.combine)) {
    reason = "its sum does not start from zero";
    return failure();
  }

  SumPlan plan{reduction, {}, {}};
  // Padding with a zero of either sign does not change a sum that starts from
  // +0.
  auto isZero = [](TypedAttr value) {
    return cast<FloatAttr>(value).getValue().isZero();
  };
  FailureOr<FittedWindow> fitted =
      fitWindow(reduction, isZero, plan.keptPadding, reason);
  if (failed(fitted))
    return failure();
  plan.fitted = std::move(*fitted);
  return plan;
}

//===----------------------------------------------------------------------===//
// Divisions
//===----------------------------------------------------------------------===//

namespace {
/// `sum / count` for each element of a window sum.
struct Division {
  WindowReduction sum;
  CountExpression count;
  bool roundsToHalf;
};
} // namespace

/// True if the map reads the element at the loops' position. An extent of 1 has
/// position 0 only.
static bool isElementwise(AffineMap map, RankedTensorType type) {
  if (map.getNumResults() != map.getNumDims())
    return false;
  for (auto [d, expr] : llvm::enumerate(map.getResults())) {
    if (expr == getAffineDimExpr(d, map.getContext()))
      continue;
    if (type.getDimSize(d) != 1 ||
        expr != getAffineConstantExpr(0, map.getContext()))
      return false;
  }
  return true;
}

/// Returns the constant that `value` equals in every iteration of `op`'s body,
/// or null.
static FloatAttr getNumber(Value value, linalg::LinalgOp op) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != op.getBlock())
      return {};
    OpOperand *operand = op.getMatchingOpOperand(argument);
    Value source = operand->get();
    if (isa<RankedTensorType>(source.getType()))
      return dyn_cast_or_null<FloatAttr>(getSplatConstant(source));
    value = source;
  }
  FloatAttr number;
  return matchPattern(value, m_Constant(&number)) ? number : FloatAttr();
}

/// Converts `number` to a positive integer, if it is one.
static std::optional<int64_t> getPositiveInteger(const APFloat &number) {
  APSInt integer(64, /*isUnsigned=*/false);
  bool isExact;
  if (number.convertToInteger(integer, APFloat::rmTowardZero, &isExact) !=
          APFloat::opOK ||
      integer.getSExtValue() < 1)
    return std::nullopt;
  return integer.getSExtValue();
}

/// Returns the divisor: `divisor` itself, or if `isReciprocal` the exact
/// inverse of that factor.
static FailureOr<CountExpression> parseDivisor(Value divisor, bool isReciprocal,
                                               linalg::LinalgOp op,
                                               std::string &reason) {
  if (FloatAttr attr = getNumber(divisor, op)) {
    APFloat number = attr.getValue();
    if (isReciprocal) {
      APFloat inverse(number.getSemantics());
      if (!number.getExactInverse(&inverse)) {
        reason = "it multiplies by a rounded reciprocal, which rounds "
                 "differently from a division";
        return failure();
      }
      number = inverse;
    }
    std::optional<int64_t> integer = getPositiveInteger(number);
    if (!integer) {
      reason = "its divisor is not a positive integer";
      return failure();
    }
    CountExpression count;
    count.constant = *integer;
    return count;
  }
  Operation *cast = divisor.getDefiningOp();
  if (isReciprocal ||
      !isa_and_present<arith::SIToFPOp, arith::UIToFPOp>(cast)) {
    reason = "its divisor is neither a constant nor a number of elements";
    return failure();
  }
  return parseCount(cast->getOperand(0), op, reason);
}

Operation *pool::getOnlyUser(Value tensor) {
  Operation *user = nullptr;
  for (OpOperand &use : tensor.getUses()) {
    if (isa<tensor::DimOp>(use.getOwner()))
      continue;
    if (user)
      return nullptr;
    user = use.getOwner();
  }
  return user;
}

/// Recognises the body; `element` is the argument that holds the sum.
static FailureOr<Division> matchDivision(linalg::LinalgOp op,
                                         const WindowReduction &sum,
                                         Value element, std::string &reason) {
  Division division{sum, {}, false};
  Value result = op.getBlock()->getTerminator()->getOperand(0);
  if (auto round = result.getDefiningOp<arith::TruncFOp>()) {
    division.roundsToHalf = true;
    result = round.getIn();
  }
  Value divisor;
  bool isReciprocal = false;
  if (auto divide = result.getDefiningOp<arith::DivFOp>()) {
    if (divide.getLhs() == element)
      divisor = divide.getRhs();
  } else if (auto multiply = result.getDefiningOp<arith::MulFOp>()) {
    isReciprocal = true;
    if (multiply.getLhs() == element)
      divisor = multiply.getRhs();
    else if (multiply.getRhs() == element)
      divisor = multiply.getLhs();
  }
  if (!divisor) {
    reason = "its user does not divide it";
    return failure();
  }
  FailureOr<CountExpression> count =
      parseDivisor(divisor, isReciprocal, op, reason);
  if (failed(count))
    return failure();
  division.count = std::move(*count);
  return division;
}

//===----------------------------------------------------------------------===//
// Divisors
//===----------------------------------------------------------------------===//

/// Counts are compared for at most this many outputs in one dimension.
static constexpr int64_t kMaxOutputs = int64_t(1) << 20;

namespace {
/// Finds the divisor of pool.avg_pool that equals a division's at every output.
class DivisorSearch {
public:
  DivisorSearch(const CountExpression &count, const SumPlan &plan)
      : count(count), plan(plan) {}

  /// Sets `window` and `attrs` to the first candidate with equal counts.
  LogicalResult find(OwnedWindow &window, AverageModes &attrs,
                     std::string &reason);

private:
  /// Resolves dimension `i` of `window`. Requires that its extents are known
  /// and equal the extents of the sum.
  std::optional<ResolvedDim> resolve(const OwnedWindow &window, unsigned i);
  /// True if `divisor` counts in dimension `i`, for every output, as many
  /// positions as the loop's factor gives. Without a factor the count must be
  /// constant; it is multiplied into `product`.
  bool matches(const OwnedWindow &window, Divisor divisor, unsigned i,
               int64_t &product);
  bool matches(const OwnedWindow &window, Divisor divisor);
  /// Finds end pads under which `rounding` leaves an overhang that divisor
  /// `padded` does not count.
  std::optional<OwnedWindow> findPadded(RoundingType rounding);
  bool isAccepted(const OwnedWindow &window, const AverageModes &attrs);

  const CountExpression &count;
  const SumPlan &plan;
};
} // namespace

std::optional<ResolvedDim> DivisorSearch::resolve(const OwnedWindow &window,
                                                  unsigned i) {
  int64_t input =
      plan.fitted.sourceType.getDimSize(window.getAttrs().getSpatialDim(i));
  if (ShapedType::isDynamic(input))
    return std::nullopt;
  // The fitted window has the output extents of the sum.
  RuleOr<ResolvedDim> fitted =
      resolveDim(input, plan.fitted.window.getAttrs().getDim(i), WindowModes());
  WindowAttrs attrs = window.getAttrs();
  RuleOr<ResolvedDim> resolved =
      resolveDim(input, attrs.getDim(i), attrs.modes);
  if (!fitted || !resolved || fitted->output != resolved->output ||
      resolved->output > kMaxOutputs)
    return std::nullopt;
  return *resolved;
}

bool DivisorSearch::matches(const OwnedWindow &window, Divisor divisor,
                            unsigned i, int64_t &product) {
  const LoopFunction *factor =
      count.getFactor(window.getAttrs().getSpatialDim(i));
  std::optional<ResolvedDim> dim = resolve(window, i);
  if (!dim) {
    // With a dynamic extent only the count of a full window is known.
    if (factor || (!countsOverhang(divisor) &&
                   (window.padsBegin[i] != 0 || window.padsEnd[i] != 0)))
      return false;
    return !llvm::MulOverflow(product, window.kernel[i], product);
  }
  int64_t first = getCount(*dim, divisor, 0);
  for (int64_t o = 0; o < dim->output; ++o) {
    int64_t expected = getCount(*dim, divisor, o);
    if (factor ? factor->evaluate(o) != expected : expected != first)
      return false;
  }
  return factor || !llvm::MulOverflow(product, first, product);
}

bool DivisorSearch::matches(const OwnedWindow &window, Divisor divisor) {
  WindowAttrs attrs = window.getAttrs();
  // Reject a count with a factor of a non-spatial loop.
  unsigned numFactors = 0;
  int64_t product = 1;
  for (unsigned i = 0; i < attrs.getNumSpatialDims(); ++i) {
    numFactors += count.getFactor(attrs.getSpatialDim(i)) ? 1 : 0;
    if (!matches(window, divisor, i, product))
      return false;
  }
  // No partial product exceeds the size of the window. It must fit every type
  // that a partial product has.
  std::optional<int64_t> largest = getProduct(window.kernel);
  return numFactors == count.factors.size() && product == count.constant &&
         largest && llvm::isIntN(count.width, *largest);
}

std::optional<OwnedWindow> DivisorSearch::findPadded(RoundingType rounding) {
  OwnedWindow window = plan.fitted.window;
  window.modes.rounding = rounding;
  for (unsigned i = 0; i < window.kernel.size(); ++i) {
    std::optional<ResolvedDim> dim = resolve(plan.fitted.window, i);
    if (!dim)
      return std::nullopt;
    // The count of the last window determines where the padding ends; that
    // window starts before the end.
    SmallVector<int64_t, 3> candidates;
    const LoopFunction *factor =
        count.getFactor(window.getAttrs().getSpatialDim(i));
    int64_t start = dim->getStart(dim->output - 1);
    std::optional<int64_t> last =
        factor ? factor->evaluate(dim->output - 1) : std::nullopt;
    if (last && *last >= 1 && *last <= dim->kernel) {
      int64_t counted = start + (*last - 1) * dim->dilation + 1 - dim->input;
      int64_t covered =
          start + (dim->kernel - 1) * dim->dilation + 1 - dim->input;
      candidates = {
          std::max({counted, covered - (dim->stride - 1), int64_t(0)}),
          std::max<int64_t>(counted + dim->dilation - 1, 0)};
    }
    candidates.push_back(window.padsEnd[i]);
    int64_t product = 1;
    auto fits = [&](int64_t padEnd) {
      window.padsEnd[i] = padEnd;
      return resolve(window, i) && matches(window, Divisor::Padded, i, product);
    };
    if (llvm::none_of(candidates, fits))
      return std::nullopt;
  }
  return window;
}

bool DivisorSearch::isAccepted(const OwnedWindow &window,
                               const AverageModes &attrs) {
  std::string reason;
  return succeeded(inferAvgPool(plan.fitted.sourceType, window, attrs, reason));
}

LogicalResult DivisorSearch::find(OwnedWindow &window, AverageModes &attrs,
                                  std::string &reason) {
  window = plan.fitted.window;
  for (Divisor divisor : {Divisor::Valid, Divisor::Kernel}) {
    attrs.divisor = divisor;
    if (matches(window, divisor) && isAccepted(window, attrs))
      return success();
  }
  attrs.divisor = Divisor::Padded;
  for (unsigned i = 0; i <= getMaxEnumValForRoundingType(); ++i) {
    auto rounding = static_cast<RoundingType>(i);
    if (!roundsUp(rounding))
      continue;
    std::optional<OwnedWindow> padded = findPadded(rounding);
    if (padded && matches(*padded, Divisor::Padded) &&
        isAccepted(*padded, attrs)) {
      window = std::move(*padded);
      return success();
    }
  }
  attrs.divisor = Divisor::Valid;
  // The sign of a negative number depends on the cast to a float.
  if (count.factors.empty() && !plan.sum.isGlobal && count.constant > 0 &&
      llvm::isIntN(count.width, count.constant)) {
    attrs.divisorOverride = count.constant;
    return success(isAccepted(window, attrs));
  }
  reason = "its divisor is not a number of elements that pool.avg_pool counts";
  return failure();
}

//===----------------------------------------------------------------------===//
// Averages
//===----------------------------------------------------------------------===//

FailureOr<AveragePlan> pool::matchAverage(linalg::LinalgOp division,
                                          std::string &reason) {
  reason.clear();
  if (!division.hasPureTensorSemantics() || division.getNumDpsInits() != 1 ||
      division.getNumReductionLoops() != 0 || division->getNumResults() != 1 ||
      division.getBlock()->getTerminator()->getNumOperands() != 1)
    return failure();
  auto resultType =
      dyn_cast<RankedTensorType>(division->getResult(0).getType());
  if (!resultType ||
      !division.getMatchingIndexingMap(division.getDpsInitOperand(0))
           .isIdentity())
    return failure();

  for (OpOperand *operand : division.getDpsInputOperands()) {
    auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
    if (!producer || producer.getNumReductionLoops() == 0)
      continue;
    std::string ignored;
    FailureOr<WindowReduction> sum = matchWindowReduction(producer, ignored);
    if (failed(sum) || sum->combine.reduction != Reduction::Sum)
      continue;
    if (getOnlyUser(operand->get()) != division) {
      reason = "the sum is not used exactly once";
      return failure();
    }
    // Raising would move a sum outside a loop into the loop.
    if (producer->getBlock() != division->getBlock()) {
      reason = "its user is in another block";
      return failure();
    }
    if (sum->getOutputType().getShape() != resultType.getShape() ||
        !isElementwise(division.getMatchingIndexingMap(operand),
                       sum->getOutputType())) {
      reason = "its user does not divide it element by element";
      return failure();
    }
    FailureOr<Division> matched = matchDivision(
        division, *sum, division.getMatchingBlockArgument(operand), reason);
    if (failed(matched))
      return failure();
    FailureOr<SumPlan> plan = planSum(*sum, matched->roundsToHalf, reason);
    if (failed(plan))
      return failure();
    if (resultType.getElementType() !=
        plan->fitted.sourceType.getElementType()) {
      reason = "its user returns another type than that of the input";
      return failure();
    }
    AveragePlan average{division, std::move(*plan), {}};
    OwnedWindow window;
    if (failed(DivisorSearch(matched->count, average.plan)
                   .find(window, average.attrs, reason)))
      return failure();
    average.plan.fitted.window = std::move(window);
    return average;
  }
  return failure();
}
