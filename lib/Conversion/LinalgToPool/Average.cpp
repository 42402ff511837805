// Recognizes a window sum and its division as one average. Looks for attributes
// with which pool.avg_pool divides by the same numbers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Average.h"

#include "CountArithmetic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Returns the reason why pool.avg_pool would compute another sum than
/// `reduction`, because of its accumulator, or an empty string. If `isDivided`,
/// the sum is divided and then rounded to the element type.
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
  if (!init || !isIdentity(init, reduction.combine))
    return fail(reason, "its sum does not start from zero");

  SumPlan plan{reduction, {}, {}};
  // Accept a zero of either sign as padding: it does not change a sum that
  // starts from +0.
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
/// A division of each element of a sum by `count`. If `roundsToHalf`, the
/// quotient is truncated to a narrower float type.
struct Division {
  CountExpression count;
  bool roundsToHalf;
};
} // namespace

/// True if each iteration reads the element of an operand of `type` that has
/// the same indices as the loops. In a dimension of extent 1, `map` may have
/// the constant index 0.
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

/// Returns the number by which the body of `op` divides. This is `divisor`, or
/// its exact inverse if the body multiplies by `divisor` (`isReciprocal`). On
/// failure, `reason` says why there is no such number.
static FailureOr<CountExpression> parseDivisor(Value divisor, bool isReciprocal,
                                               linalg::LinalgOp op,
                                               std::string &reason) {
  if (FloatAttr attr = getNumber(divisor, op)) {
    APFloat number = attr.getValue();
    if (isReciprocal) {
      APFloat inverse(number.getSemantics());
      if (!number.getExactInverse(&inverse))
        return fail(reason, "it multiplies by a rounded reciprocal, which "
                            "rounds differently from a division");
      number = inverse;
    }
    APSInt integer(64, /*isUnsigned=*/false);
    bool isExact;
    if (number.convertToInteger(integer, APFloat::rmTowardZero, &isExact) !=
            APFloat::opOK ||
        integer.getSExtValue() < 1)
      return fail(reason, "its divisor is not a positive integer");
    CountExpression count;
    count.constant = integer.getSExtValue();
    return count;
  }
  Operation *cast = divisor.getDefiningOp();
  if (isReciprocal || !isa_and_present<arith::SIToFPOp, arith::UIToFPOp>(cast))
    return fail(reason,
                "its divisor is neither a constant nor a number of elements");
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

/// Recognizes the body of `op` as a division of `element`, the block argument
/// that holds an element of the sum. On failure, `reason` says why.
static FailureOr<Division> matchDivision(linalg::LinalgOp op, Value element,
                                         std::string &reason) {
  Division division{{}, /*roundsToHalf=*/false};
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
  if (!divisor)
    return fail(reason, "its user does not divide it");
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

/// Maximum number of outputs of a dimension. The counts of all outputs are
/// compared one by one, which takes too long for more.
static constexpr int64_t kMaxOutputs = int64_t(1) << 20;

namespace {
/// Finds attributes with which a pool.avg_pool divides by `count` at every
/// output.
class DivisorSearch {
public:
  DivisorSearch(const CountExpression &count, const SumPlan &plan)
      : count(count), plan(plan) {}

  /// Sets `window` and `attrs` to the first candidate whose divisor equals
  /// `count`. Fails if there is none.
  LogicalResult find(OwnedWindow &window, AverageModes &attrs,
                     std::string &reason);

private:
  /// Resolves dimension `i` of `window`. Returns nothing if its extent in the
  /// input is dynamic, or if the number of outputs is above kMaxOutputs or
  /// differs from that of the sum.
  std::optional<ResolvedDim> resolve(const OwnedWindow &window, unsigned i);
  /// True if `divisor` counts the right number of positions in dimension `i` at
  /// every output. If `count` has a factor for this dimension, the numbers must
  /// equal this factor. Otherwise all numbers must be equal, and `product` is
  /// multiplied by them. If resolve() fails, the result is true only if there
  /// is no factor and `divisor` counts all taps of each window. False if
  /// `product` overflows.
  bool matches(const OwnedWindow &window, Divisor divisor, unsigned i,
               int64_t &product);
  bool matches(const OwnedWindow &window, Divisor divisor);
  /// Returns the fitted window with end pads for which divisor `padded` gives
  /// `count` at every output. Returns nothing if there are no such pads.
  /// `rounding` must round up, so that the last window may extend past its end
  /// pad: `padded` does not count that overhang.
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
  // Compare with the fitted window, which has the output extents of the sum.
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
    // Without resolved extents, only the count of a full window is known. So
    // reject a factor. Reject padding unless `divisor` counts whole windows.
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
  // Count the factors of spatial loops, to reject a factor of another loop.
  unsigned numFactors = 0;
  int64_t product = 1;
  for (unsigned i = 0; i < attrs.getNumSpatialDims(); ++i) {
    numFactors += count.getFactor(attrs.getSpatialDim(i)) ? 1 : 0;
    if (!matches(window, divisor, i, product))
      return false;
  }
  // No partial product of `count` exceeds the number of taps of a window. So no
  // partial product overflows if this number fits `count.width` bits.
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
    // The last window starts before the end of the padding. So the count of
    // this window determines that end, up to `dilation - 1` positions. Try the
    // first possible end, the last one, and the end pad of the fitted window.
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
  // Require a positive constant: a negative one becomes a large number if it is
  // cast to a float as unsigned.
  if (count.factors.empty() && !plan.sum.isGlobal && count.constant > 0 &&
      llvm::isIntN(count.width, count.constant)) {
    attrs.divisorOverride = count.constant;
    return success(isAccepted(window, attrs));
  }
  return fail(
      reason,
      "its divisor is not a number of elements that pool.avg_pool counts");
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
    if (getOnlyUser(operand->get()) != division)
      return fail(reason, "the sum is not used exactly once");
    // Require one block: if the division is in a loop and the sum is not,
    // raising would move the sum into the loop.
    if (producer->getBlock() != division->getBlock())
      return fail(reason, "its user is in another block");
    if (sum->getOutputType().getShape() != resultType.getShape() ||
        !isElementwise(division.getMatchingIndexingMap(operand),
                       sum->getOutputType()))
      return fail(reason, "its user does not divide it element by element");
    FailureOr<Division> matched = matchDivision(
        division, division.getMatchingBlockArgument(operand), reason);
    if (failed(matched))
      return failure();
    FailureOr<SumPlan> plan = planSum(*sum, matched->roundsToHalf, reason);
    if (failed(plan))
      return failure();
    if (resultType.getElementType() != plan->fitted.sourceType.getElementType())
      return fail(reason,
                  "its user returns another type than that of the input");
    AveragePlan average{std::move(*plan), {}};
    OwnedWindow window;
    if (failed(DivisorSearch(matched->count, average.plan)
                   .find(window, average.attrs, reason)))
      return failure();
    average.plan.fitted.window = std::move(window);
    return average;
  }
  return failure();
}
