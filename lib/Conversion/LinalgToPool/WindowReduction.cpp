// Recognizes window reductions by their indexing maps and bodies.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WindowReduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Indexing maps
//===----------------------------------------------------------------------===//

/// Matches `dim`, or `dim * factor` with a positive factor. Returns the number
/// of the loop and the factor.
static std::optional<std::pair<unsigned, int64_t>> matchTerm(AffineExpr expr) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return std::make_pair(dim.getPosition(), int64_t(1));
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || binary.getKind() != AffineExprKind::Mul)
    return std::nullopt;
  auto dim = dyn_cast<AffineDimExpr>(binary.getLHS());
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!dim || !factor || factor.getValue() < 1)
    return std::nullopt;
  return std::make_pair(dim.getPosition(), factor.getValue());
}

namespace {
/// The loops that index one dimension of the input: a loop over the output and,
/// in a dimension with a window, a loop over taps.
struct Access {
  unsigned outputLoop;
  int64_t stride = 1;
  std::optional<unsigned> windowLoop;
  int64_t dilation = 1;
};
} // namespace

static std::optional<Access>
matchAccess(AffineExpr expr, ArrayRef<utils::IteratorType> iterators) {
  auto isReduction = [&](unsigned loop) {
    return iterators[loop] == utils::IteratorType::reduction;
  };
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!sum || sum.getKind() != AffineExprKind::Add) {
    auto term = matchTerm(expr);
    if (!term || isReduction(term->first))
      return std::nullopt;
    return Access{term->first, term->second, std::nullopt, 1};
  }
  auto output = matchTerm(sum.getLHS()), window = matchTerm(sum.getRHS());
  if (!output || !window)
    return std::nullopt;
  if (isReduction(output->first))
    std::swap(output, window);
  if (isReduction(output->first) || !isReduction(window->first))
    return std::nullopt;
  return Access{output->first, output->second, window->first, window->second};
}

/// Returns the layout whose spatial dimensions are those with `isSpatial[d]`,
/// or nothing if there is no such layout.
static std::optional<Layout> getLayout(ArrayRef<bool> isSpatial) {
  unsigned rank = isSpatial.size();
  if (rank < 3 || isSpatial[0])
    return std::nullopt;
  auto areSpatial = [&](unsigned begin) {
    return llvm::all_of(isSpatial.slice(begin, rank - 2),
                        [](bool spatial) { return spatial; });
  };
  if (!isSpatial[1] && areSpatial(2))
    return Layout::ChannelsFirst;
  if (!isSpatial[rank - 1] && areSpatial(1))
    return Layout::ChannelsLast;
  return std::nullopt;
}

/// Derives the window from the maps of an operation with a window operand. The
/// maps of a pooling with stride 2 and dilation 3 are, for example,
///   (n, c, o, t) -> (n, c, 2 * o + 3 * t), (t), (n, c, o)
/// On failure, `reason` is empty if the maps are not those of a pooling.
static FailureOr<OwnedWindow> matchWindow(linalg::LinalgOp op,
                                          std::string &reason) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  AffineMap read = maps[0], taps = maps[1], write = maps[2];
  unsigned rank = write.getNumResults();
  if (read.getNumResults() != rank || taps.getNumResults() + 2 != rank ||
      !write.isProjectedPermutation() || !taps.isProjectedPermutation() ||
      iterators.size() != rank + taps.getNumResults())
    return failure();

  OwnedWindow window;
  SmallVector<bool> isSpatial;
  for (unsigned d = 0; d < rank; ++d) {
    std::optional<Access> access = matchAccess(read.getResult(d), iterators);
    if (!access || write.getDimPosition(d) != access->outputLoop)
      return failure();
    isSpatial.push_back(access->windowLoop.has_value());
    if (!access->windowLoop) {
      if (access->stride != 1)
        return failure();
      continue;
    }
    unsigned i = window.strides.size();
    if (i >= taps.getNumResults() ||
        taps.getDimPosition(i) != *access->windowLoop)
      return failure();
    window.strides.push_back(access->stride);
    window.dilations.push_back(access->dilation);
  }
  std::optional<Layout> layout = getLayout(isSpatial);
  if (!layout)
    return failure();
  window.layout = *layout;

  // The maps match a pooling. From here on, failures have a reason.
  auto kernelType = cast<RankedTensorType>(op.getDpsInputs()[1].getType());
  if (!kernelType.hasStaticShape())
    return fail(reason, "the extents of its window are not static");
  window.kernel = llvm::to_vector(kernelType.getShape());
  window.padsBegin.assign(window.kernel.size(), 0);
  window.padsEnd.assign(window.kernel.size(), 0);
  return window;
}

/// Returns the window of a reduction over all spatial dimensions, whose result
/// keeps these dimensions with extent 1. Returns nothing if `op` is no such
/// reduction. Also returns nothing for one spatial dimension: that is more
/// likely the mean of a normalization than a pooling.
static std::optional<OwnedWindow> matchGlobalWindow(linalg::LinalgOp op) {
  AffineMap read = op.getIndexingMapsArray()[0];
  AffineMap write = op.getIndexingMapsArray()[1];
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  unsigned rank = iterators.size();
  if (!read.isIdentity() || rank < 4 || write.getNumResults() != rank)
    return std::nullopt;
  auto inputType = cast<RankedTensorType>(op.getDpsInputs()[0].getType());
  auto outputType = cast<RankedTensorType>(op.getDpsInits()[0].getType());
  SmallVector<bool> isSpatial;
  SmallVector<int64_t> kernel;
  for (auto [d, expr] : llvm::enumerate(write.getResults())) {
    isSpatial.push_back(iterators[d] == utils::IteratorType::reduction);
    AffineExpr kept = getAffineDimExpr(d, expr.getContext());
    AffineExpr reduced = getAffineConstantExpr(0, expr.getContext());
    if (expr != (isSpatial[d] ? reduced : kept))
      return std::nullopt;
    // Check the extent too: in linalg, an output may be larger than the part
    // that is written.
    if (isSpatial[d] && outputType.getDimSize(d) != 1)
      return std::nullopt;
    if (isSpatial[d])
      kernel.push_back(inputType.getDimSize(d));
  }
  std::optional<Layout> layout = getLayout(isSpatial);
  if (!layout || ShapedType::isDynamicShape(kernel))
    return std::nullopt;
  return OwnedWindow::get(kernel, *layout);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

static std::optional<Combine> getCombine(Operation *op) {
  Combine combine{Reduction::Sum, op->getName().getStringRef(),
                  isa<arith::MaxUIOp, arith::MinUIOp>(op),
                  isa<arith::MaxNumFOp, arith::MinNumFOp>(op)};
  if (isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp, arith::MaxUIOp>(
          op))
    combine.reduction = Reduction::Max;
  else if (isa<arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp,
               arith::MinUIOp>(op))
    combine.reduction = Reduction::Min;
  else if (!isa<arith::AddFOp, arith::AddIOp>(op))
    return std::nullopt;
  return combine;
}

/// Returns the operation by which the body combines the element with the
/// accumulator. The body may extend the element to a wider type first. Returns
/// nothing if the body computes anything else.
static std::optional<Combine> matchBody(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  Value element = body->getArgument(0);
  Value accumulator = body->getArguments().back();
  if (body->getTerminator()->getNumOperands() != 1)
    return std::nullopt;
  Operation *combine = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!combine || combine->getBlock() != body || combine->getNumOperands() != 2)
    return std::nullopt;
  Value lhs = combine->getOperand(0), rhs = combine->getOperand(1);
  if (lhs == accumulator)
    std::swap(lhs, rhs);
  if (Operation *cast = lhs.getDefiningOp())
    if (isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(cast))
      lhs = cast->getOperand(0);
  if (lhs != element || rhs != accumulator)
    return std::nullopt;
  return getCombine(combine);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

FailureOr<WindowReduction> pool::matchWindowReduction(linalg::LinalgOp op,
                                                      std::string &reason) {
  reason.clear();
  bool isNamed = op->getName().getStringRef().starts_with("linalg.pooling_");
  if (!op.hasPureTensorSemantics())
    return fail(reason, isNamed ? "it works on buffers" : "");
  unsigned numInputs = op.getNumDpsInputs();
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      (numInputs != 1 && numInputs != 2) || op.hasIndexSemantics() ||
      llvm::any_of(op->getOperandTypes(),
                   [](Type type) { return !isa<RankedTensorType>(type); }))
    return failure();

  std::optional<Combine> combine = matchBody(op);
  if (!combine)
    return failure();
  WindowReduction reduction;
  reduction.op = op;
  reduction.combine = *combine;
  reduction.input = op.getDpsInputs()[0];
  reduction.init = op.getDpsInits()[0];
  reduction.isGlobal = numInputs == 1;
  if (reduction.isGlobal) {
    std::optional<OwnedWindow> window = matchGlobalWindow(op);
    if (!window)
      return failure();
    reduction.window = std::move(*window);
  } else {
    FailureOr<OwnedWindow> window = matchWindow(op, reason);
    if (failed(window)) {
      if (isNamed && reason.empty())
        reason = "its indexing maps are not those of a window";
      return failure();
    }
    reduction.window = std::move(*window);
  }
  if (!isPoolElementType(reduction.getInputType().getElementType()))
    return fail(reason, "pool operations do not take its element type");
  if (reduction.getInputType().getEncoding() ||
      reduction.getOutputType().getEncoding())
    return fail(reason, "pool operations do not take tensors with an encoding");
  return reduction;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

TypedAttr pool::getSplatConstant(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  Attribute constant;
  if (!matchPattern(fill ? fill.getInputs()[0] : tensor, m_Constant(&constant)))
    return {};
  if (fill)
    return dyn_cast<TypedAttr>(constant);
  auto elements = dyn_cast<DenseElementsAttr>(constant);
  if (!elements || !elements.isSplat())
    return {};
  return dyn_cast<TypedAttr>(elements.getSplatValue<Attribute>());
}

TypedAttr pool::getPaddingConstant(tensor::PadOp pad) {
  Value value = pad.getConstantPaddingValue();
  Attribute constant;
  if (!value || !matchPattern(value, m_Constant(&constant)))
    return {};
  return dyn_cast<TypedAttr>(constant);
}

/// Returns the type of `value`, made unsigned if `combine` compares unsigned
/// integers.
static Type getComparedType(TypedAttr value, const Combine &combine) {
  Type type = value.getType();
  return combine.isUnsigned
             ? IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth(),
                                IntegerType::Unsigned)
             : type;
}

bool pool::isIdentity(TypedAttr value, const Combine &combine) {
  if (!isExtremum(combine.reduction))
    return isPositiveZero(value);
  OpBuilder b(value.getContext());
  return value ==
         getIdentity(b, getComparedType(value, combine), combine.reduction);
}

bool pool::isAbsorbed(TypedAttr value, TypedAttr init, const Combine &combine) {
  if (!isMaximum(combine.reduction))
    std::swap(value, init);
  if (auto number = dyn_cast<FloatAttr>(value)) {
    APFloat::cmpResult order =
        number.getValue().compare(cast<FloatAttr>(init).getValue());
    return order == APFloat::cmpLessThan || order == APFloat::cmpEqual;
  }
  APInt lhs = cast<IntegerAttr>(value).getValue();
  APInt rhs = cast<IntegerAttr>(init).getValue();
  return combine.isUnsigned ? lhs.ule(rhs) : lhs.sle(rhs);
}

bool pool::isPositiveZero(TypedAttr value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return number.getValue().isPosZero();
  return cast<IntegerAttr>(value).getValue().isZero();
}
