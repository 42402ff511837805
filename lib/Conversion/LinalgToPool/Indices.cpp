// Matches searches for the positions of window extrema, as in this loop nest
// over outputs o and taps t of one dimension:
//
//   i = o * stride + t * dilation
//   if found[o] == -1 and padded[i] == extremum[o]: found[o] = i - pad
//
// The arithmetic of coordinates and positions is expanded to polynomials in the
// loop indices and extents. Equal polynomials mean equal values, so the form of
// the arithmetic does not matter.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Indices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Polynomials
//===----------------------------------------------------------------------===//

namespace {
/// A polynomial with 64-bit coefficients and a limited number of terms. If it
/// exceeds these limits, it compares unequal to every polynomial.
class Polynomial {
public:
  static Polynomial getConstant(int64_t value) {
    Polynomial result;
    result.addTerm({}, value);
    return result;
  }
  static Polynomial getVariable(unsigned variable) {
    Polynomial result;
    result.addTerm({variable}, 1);
    return result;
  }

  /// Adds `factor * other` to this polynomial.
  void add(const Polynomial &other, int64_t factor = 1) {
    exceedsLimits |= other.exceedsLimits;
    for (const auto &[monomial, coefficient] : other.terms)
      addTerm(monomial, multiply(coefficient, factor));
  }
  Polynomial operator*(const Polynomial &other) const {
    Polynomial result;
    result.exceedsLimits = exceedsLimits || other.exceedsLimits;
    for (const auto &[lhs, lhsCoefficient] : terms)
      for (const auto &[rhs, rhsCoefficient] : other.terms) {
        std::vector<unsigned> monomial = lhs;
        monomial.insert(monomial.end(), rhs.begin(), rhs.end());
        llvm::sort(monomial);
        result.addTerm(monomial,
                       result.multiply(lhsCoefficient, rhsCoefficient));
      }
    return result;
  }
  /// False if one of the two polynomials exceeds the limits.
  bool operator==(const Polynomial &other) const {
    return !exceedsLimits && !other.exceedsLimits && terms == other.terms;
  }

private:
  int64_t multiply(int64_t lhs, int64_t rhs) {
    int64_t product;
    exceedsLimits |= llvm::MulOverflow(lhs, rhs, product);
    return product;
  }
  void addTerm(const std::vector<unsigned> &monomial, int64_t coefficient) {
    if (exceedsLimits)
      return;
    int64_t &sum = terms[monomial];
    exceedsLimits |= llvm::AddOverflow(sum, coefficient, sum);
    if (sum == 0)
      terms.erase(monomial);
    exceedsLimits |= terms.size() > kMaxTerms;
  }

  /// Limits the time and the memory for products. A position has at most three
  /// terms for each spatial dimension.
  static constexpr size_t kMaxTerms = 64;

  /// Maps each monomial to its coefficient, which is not 0. A monomial is the
  /// sorted list of its variables: {1, 1, 4} is v1^2 * v4.
  std::map<std::vector<unsigned>, int64_t> terms;
  /// True if a coefficient or the number of terms exceeds its limit. Then
  /// `terms` has no meaning.
  bool exceedsLimits = false;
};

/// Reads index arithmetic in the body of `op`. The first variables are the loop
/// indices of `op`. The extents of `source` follow.
class PolynomialParser {
public:
  PolynomialParser(linalg::GenericOp op, Value source)
      : op(op), loopExtents(op.getStaticLoopRanges()), source(source) {}

  /// Returns `value` as a polynomial if it is computed from constants, loop
  /// indices and extents by additions, subtractions and multiplications.
  /// Returns nothing for any other value, or if there are too many operations.
  std::optional<Polynomial> parse(Value value);

  Polynomial getLoop(unsigned loop) const {
    // A loop of one iteration has the index 0, and IR often contains the
    // constant 0 instead.
    return loopExtents[loop] == 1 ? Polynomial()
                                  : Polynomial::getVariable(loop);
  }
  Polynomial getExtent(unsigned d) const {
    auto type = cast<RankedTensorType>(source.getType());
    return type.isDynamicDim(d)
               ? Polynomial::getVariable(loopExtents.size() + d)
               : Polynomial::getConstant(type.getDimSize(d));
  }

private:
  linalg::GenericOp op;
  SmallVector<int64_t> loopExtents;
  Value source;
  /// Number of operations that may still be visited. An operation counts each
  /// time that it is visited.
  unsigned budget = 128;
};
} // namespace

std::optional<Polynomial> PolynomialParser::parse(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return Polynomial::getConstant(*constant);
  Operation *definition = value.getDefiningOp();
  if (!definition || budget == 0)
    return std::nullopt;
  --budget;
  // Reject narrow integers, which may wrap.
  if (!value.getType().isIndex() && !value.getType().isInteger(64))
    return std::nullopt;
  // An index of a linalg op around `op` belongs to another loop nest.
  if (auto index = dyn_cast<linalg::IndexOp>(definition))
    return index->getParentOp() == op.getOperation()
               ? std::optional(getLoop(index.getDim()))
               : std::nullopt;
  if (auto dim = dyn_cast<tensor::DimOp>(definition))
    return dim.getSource() == source && dim.getConstantIndex()
               ? std::optional(getExtent(*dim.getConstantIndex()))
               : std::nullopt;
  if (isa<arith::IndexCastOp>(definition))
    return parse(definition->getOperand(0));
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(definition))
    return std::nullopt;
  std::optional<Polynomial> lhs = parse(definition->getOperand(0));
  std::optional<Polynomial> rhs = parse(definition->getOperand(1));
  if (!lhs || !rhs)
    return std::nullopt;
  if (isa<arith::MulIOp>(definition))
    return *lhs * *rhs;
  lhs->add(*rhs, isa<arith::AddIOp>(definition) ? 1 : -1);
  return lhs;
}

//===----------------------------------------------------------------------===//
// Searches
//===----------------------------------------------------------------------===//

namespace {
/// The body of a search: the element that is compared with the extremum, and
/// its position.
struct SearchBody {
  tensor::ExtractOp element;
  Value position;
};
} // namespace

/// True if the two operands of `op` are `lhs` and `rhs`, in either order.
static bool isComparisonOf(Operation *op, Value lhs, Value rhs) {
  return (op->getOperand(0) == lhs && op->getOperand(1) == rhs) ||
         (op->getOperand(0) == rhs && op->getOperand(1) == lhs);
}

/// Matches `found == -1 ? (element == extremum ? position : found) : found`.
static std::optional<SearchBody> matchBody(linalg::GenericOp op) {
  Block *body = op.getBody();
  Value extremum = body->getArgument(0), found = body->getArguments().back();
  auto keep =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::SelectOp>();
  if (!keep || keep.getFalseValue() != found)
    return std::nullopt;
  auto take = keep.getTrueValue().getDefiningOp<arith::SelectOp>();
  auto isFirst = keep.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!take || take.getFalseValue() != found || !isFirst ||
      isFirst.getPredicate() != arith::CmpIPredicate::eq ||
      isFirst.getLhs() != found || getConstantIntValue(isFirst.getRhs()) != -1)
    return std::nullopt;

  Operation *equal = take.getCondition().getDefiningOp();
  auto ofFloats = dyn_cast_if_present<arith::CmpFOp>(equal);
  auto ofIntegers = dyn_cast_if_present<arith::CmpIOp>(equal);
  if (!(ofFloats && ofFloats.getPredicate() == arith::CmpFPredicate::OEQ) &&
      !(ofIntegers && ofIntegers.getPredicate() == arith::CmpIPredicate::eq))
    return std::nullopt;
  for (Value operand : equal->getOperands())
    if (auto element = operand.getDefiningOp<tensor::ExtractOp>())
      if (isComparisonOf(equal, element.getResult(), extremum))
        return SearchBody{element, take.getTrueValue()};
  return std::nullopt;
}

/// True if `op` has a parallel loop for each dimension of the output and then,
/// in the order of `window`, a reduction loop over the taps of each spatial
/// dimension.
static bool hasLoopsOf(const WindowAttrs &window, linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned rank = window.getRank(), n = window.getNumSpatialDims();
  MLIRContext *context = op.getContext();
  auto outputs =
      AffineMap::getMultiDimIdentityMap(rank + n, context).getMajorSubMap(rank);
  auto taps =
      AffineMap::getMultiDimIdentityMap(rank + n, context).getMinorSubMap(n);
  auto isLoop = [&](auto it) {
    return it.value() == (it.index() < rank ? utils::IteratorType::parallel
                                            : utils::IteratorType::reduction);
  };
  auto kernel = cast<RankedTensorType>(op.getInputs()[1].getType()).getShape();
  return maps[0] == outputs && maps[1] == taps && maps[2] == outputs &&
         llvm::all_of(llvm::enumerate(op.getIteratorTypesArray()), isLoop) &&
         llvm::equal(kernel, window.kernel);
}

/// True if `body` reads the element of each tap of the windows of `plan`, and
/// returns its position within the plane of the source.
static bool findsPositions(const ExtremumPlan &plan, linalg::GenericOp op,
                           SearchBody body) {
  const FittedWindow &fitted = plan.fitted;
  WindowAttrs window = fitted.window.getAttrs();
  PolynomialParser parser(op, fitted.source);
  unsigned rank = window.getRank();
  SmallVector<Polynomial> coordinates;
  for (unsigned d = 0; d < rank; ++d)
    coordinates.push_back(parser.getLoop(d));
  Polynomial position, weight = Polynomial::getConstant(1);
  for (unsigned i = window.getNumSpatialDims(); i-- > 0;) {
    unsigned d = window.getSpatialDim(i);
    WindowDim dim = window.getDim(i);
    Polynomial coordinate;
    coordinate.add(coordinates[d], dim.stride);
    coordinate.add(parser.getLoop(rank + i), dim.dilation);
    coordinates[d] = coordinate;
    coordinate.add(Polynomial::getConstant(dim.padBegin), -1);
    position.add(coordinate * weight);
    weight = weight * parser.getExtent(d);
  }
  auto isEqual = [&](Value value, const Polynomial &expected) {
    std::optional<Polynomial> parsed = parser.parse(value);
    return parsed && *parsed == expected;
  };
  return llvm::all_of_zip(body.element.getIndices(), coordinates, isEqual) &&
         isEqual(body.position, position);
}

FailureOr<ExtremumPlan> pool::planIndices(linalg::GenericOp op,
                                          std::string &reason) {
  reason.clear();
  if (!op.hasPureTensorSemantics() || op.getInputs().size() != 2 ||
      op.getOutputs().size() != 1 || op.getNumReductionLoops() == 0 ||
      !isa<RankedTensorType>(op.getInputs()[1].getType()))
    return failure();
  std::optional<SearchBody> body = matchBody(op);
  if (!body)
    return failure();

  auto producer = op.getInputs()[0].getDefiningOp<linalg::LinalgOp>();
  if (!producer)
    return failure();

  // `op` is a search. From here on, failures have a reason.
  FailureOr<WindowReduction> reduction = matchWindowReduction(producer, reason);
  if (failed(reduction) || reduction->isGlobal ||
      !isExtremum(reduction->combine.reduction))
    return reason.empty() ? fail(reason, "it searches for no window extremum")
                          : failure();
  if (!isChannelsFirst(reduction->window.layout))
    return fail(reason, "its channels are last");
  WindowAttrs window = reduction->window.getAttrs();
  if (body->element.getTensor() != reduction->input || !hasLoopsOf(window, op))
    return fail(reason,
                "it searches in another window than that of the extremum");
  Type indexType = getElementTypeOrSelf(op.getOutputs()[0].getType());
  TypedAttr init = getSplatConstant(op.getOutputs()[0]);
  if (!indexType.isInteger(64) || !init || getConstantIntValue(init) != -1)
    return fail(reason, "it does not begin with indices of -1 in i64");

  FailureOr<ExtremumPlan> plan = planExtremum(*reduction, reason, indexType);
  if (failed(plan))
    return failure();
  if (plan->keepsInit)
    return fail(reason, "the extremum starts from a value that may be chosen");
  if (!plan->fitted.needsSlice &&
      failed(verifyCompatibleShape(plan->pooledType,
                                   op.getOutputs()[0].getType())))
    return fail(reason, "its extents are not those that the windows give");
  if (plan->fitted.source.getType() != plan->fitted.sourceType)
    return fail(reason, "windows do not reach the end of the input");
  if (!findsPositions(*plan, op, *body))
    return fail(reason,
                "its indices are not the positions of elements in their plane");
  return plan;
}
