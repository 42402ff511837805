// Finds the pooling window that computes a window reduction of linalg. Static
// output extents are compared as numbers, and dynamic ones as affine functions
// of the input extents.
//
// If the reduction has fewer outputs than windows fit, the end pad is trimmed,
// then the input. Example with kernel 2, stride 2, input a to g, and end pad p:
//
//   outputs   windows                 end pad   input
//   4         [a b] [c d] [e f] [g p]    1      a - g
//   3         [a b] [c d] [e f]          0      a - g, because floor drops g
//   2         [a b] [c d]                0      a - d
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WindowFit.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "pool/Dialect/Pool/IR/Casts.h"
#include "pool/Dialect/Pool/Utils/IndexBounds.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

namespace {
/// A `tensor.pad` of the spatial dimensions by a constant, with static amounts.
struct SpatialPadding {
  tensor::PadOp op;
  Value source;
  TypedAttr value;
  /// One amount for each spatial dimension.
  SmallVector<int64_t> low, high;
};
} // namespace

/// Matches the tensor.pad that produces the input of `reduction`. On failure,
/// `reason` says why the tensor.pad is not supported. `reason` is empty if the
/// input is not the result of a tensor.pad.
static FailureOr<SpatialPadding> matchPadding(const WindowReduction &reduction,
                                              std::string &reason) {
  reason.clear();
  auto pad = reduction.input.getDefiningOp<tensor::PadOp>();
  if (!pad)
    return failure();
  SpatialPadding padding;
  padding.op = pad;
  padding.source = pad.getSource();
  padding.value = getPaddingConstant(pad);
  if (!padding.value)
    return fail(reason, "what it pads with is not a constant");
  if (pad.getNofold())
    return fail(reason, "the tensor.pad is marked nofold");
  if (ShapedType::isDynamicShape(pad.getStaticLow()) ||
      ShapedType::isDynamicShape(pad.getStaticHigh()))
    return fail(reason, "the amounts of padding are not static");
  WindowAttrs window = reduction.window.getAttrs();
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    unsigned d = window.getSpatialDim(i);
    padding.low.push_back(pad.getStaticLow()[d]);
    padding.high.push_back(pad.getStaticHigh()[d]);
  }
  for (unsigned d : {0u, window.getChannelDim()})
    if (pad.getStaticLow()[d] != 0 || pad.getStaticHigh()[d] != 0)
      return fail(reason, "it pads the batch or the channels");
  auto isNegative = [](int64_t amount) { return amount < 0; };
  if (llvm::any_of(padding.low, isNegative) ||
      llvm::any_of(padding.high, isNegative))
    return fail(reason, "it pads by a negative amount");
  return padding;
}

//===----------------------------------------------------------------------===//
// Dynamic extents
//===----------------------------------------------------------------------===//

namespace {
/// Expresses a scalar as an affine function of the extent of `source` in
/// dimension `dim`. This extent is the symbol s0.
class ExtentFunction {
public:
  ExtentFunction(Value source, const SpatialPadding *padding, unsigned dim)
      : source(source), pad(padding ? padding->op : tensor::PadOp()), dim(dim),
        context(source.getContext()) {}

  /// Returns `scalar` as an affine function of s0. Returns null if `scalar` is
  /// no such function, or if more than `budget` operations compute it.
  AffineExpr get(OpFoldResult scalar);

private:
  AffineExpr getOfOp(Operation *op);
  AffineExpr getOfDim(tensor::DimOp op);
  AffineExpr getOfApply(affine::AffineApplyOp op);

  Value source;
  /// The tensor.pad that adds the padding. Null without padding.
  tensor::PadOp pad;
  unsigned dim;
  MLIRContext *context;
  /// Number of operations that may still be visited. An operation counts each
  /// time that it is visited.
  unsigned budget = 64;
};
} // namespace

AffineExpr ExtentFunction::get(OpFoldResult scalar) {
  if (std::optional<int64_t> constant = getConstantIntValue(scalar))
    return getAffineConstantExpr(*constant, context);
  auto value = dyn_cast<Value>(scalar);
  Operation *op = value ? value.getDefiningOp() : nullptr;
  if (!op || budget == 0)
    return {};
  --budget;
  // Reject narrow integers, which may wrap.
  auto integer = dyn_cast<IntegerType>(value.getType());
  if (integer && integer.getWidth() < 64)
    return {};
  return getOfOp(op);
}

AffineExpr ExtentFunction::getOfDim(tensor::DimOp op) {
  if (op.getConstantIndex() != static_cast<int64_t>(dim))
    return {};
  Value tensor = op.getSource();
  AffineExpr extent = getAffineSymbolExpr(0, context);
  if (tensor == source)
    return extent;
  if (!pad || tensor != pad.getResult())
    return {};
  return extent + pad.getStaticLow()[dim] + pad.getStaticHigh()[dim];
}

AffineExpr ExtentFunction::getOfApply(affine::AffineApplyOp op) {
  AffineMap map = op.getAffineMap();
  SmallVector<AffineExpr> operands;
  for (Value operand : op.getMapOperands()) {
    operands.push_back(get(operand));
    if (!operands.back())
      return {};
  }
  return map.getResult(0).replaceDimsAndSymbols(
      ArrayRef(operands).take_front(map.getNumDims()),
      ArrayRef(operands).drop_front(map.getNumDims()));
}

AffineExpr ExtentFunction::getOfOp(Operation *op) {
  if (auto dimOp = dyn_cast<tensor::DimOp>(op))
    return getOfDim(dimOp);
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return getOfApply(apply);
  if (isa<arith::IndexCastOp>(op))
    return get(op->getOperand(0));
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::FloorDivSIOp,
           arith::DivSIOp, arith::DivUIOp>(op))
    return {};
  AffineExpr lhs = get(op->getOperand(0)), rhs = get(op->getOperand(1));
  if (!lhs || !rhs)
    return {};
  return llvm::TypeSwitch<Operation *, AffineExpr>(op)
      .Case([&](arith::AddIOp) { return lhs + rhs; })
      .Case([&](arith::SubIOp) { return lhs - rhs; })
      .Case([&](arith::MulIOp) {
        return lhs.isSymbolicOrConstant() && rhs.isSymbolicOrConstant() &&
                       (isa<AffineConstantExpr>(lhs) ||
                        isa<AffineConstantExpr>(rhs))
                   ? lhs * rhs
                   : AffineExpr();
      })
      // Use floorDiv for each division op: linalg requires that the window
      // fits, so no dividend is negative and all these ops agree.
      .Default([&](Operation *) {
        auto divisor = dyn_cast<AffineConstantExpr>(rhs);
        return divisor && divisor.getValue() > 0 ? lhs.floorDiv(rhs)
                                                 : AffineExpr();
      });
}

/// Returns the extent of `tensor` in dimension `d`: the size operand of its
/// tensor.empty, or the static extent. Looks through linalg.fill. Returns null
/// if neither is known.
static OpFoldResult getCreatedExtent(Value tensor, unsigned d) {
  while (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    tensor = fill.getOutputs()[0];
  if (auto empty = tensor.getDefiningOp<tensor::EmptyOp>())
    return empty.getMixedSizes()[d];
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.isDynamicDim(d))
    return {};
  return Builder(tensor.getContext()).getIndexAttr(type.getDimSize(d));
}

SmallVector<OpFoldResult> pool::getCreatedSizes(OpBuilder &b, Location loc,
                                                Value tensor) {
  SmallVector<OpFoldResult> sizes;
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  for (int64_t d = 0; d < rank; ++d) {
    sizes.push_back(getCreatedExtent(tensor, d));
    if (!sizes.back())
      sizes.back() = tensor::getMixedSize(b, loc, tensor, d);
  }
  return sizes;
}

/// True if `extent` provably equals the number of outputs of the window rule in
/// spatial dimension `i`, for every extent of the source.
static bool followsRule(OpFoldResult extent, const FittedWindow &fitted,
                        const SpatialPadding *padding, unsigned i) {
  WindowAttrs window = fitted.window.getAttrs();
  unsigned d = window.getSpatialDim(i);
  AffineExpr declared = ExtentFunction(fitted.source, padding, d).get(extent);
  WindowDim dim = window.getDim(i);
  RuleOr<int64_t> windowExtent = getWindowExtent(dim);
  if (!declared || checkDim(dim) || !windowExtent)
    return false;
  AffineExpr input = getAffineSymbolExpr(0, declared.getContext());
  AffineExpr rule =
      (input + dim.padBegin + dim.padEnd - *windowExtent).floorDiv(dim.stride) +
      1;
  return simplifyAffineExpr(declared - rule, /*numDims=*/0,
                            /*numSymbols=*/1) == 0;
}

/// Returns the operand whose extents are those of `result`, not counting the
/// pads of a tensor.pad. Returns null if there is no such operand.
static Value getShapeOperand(OpResult result) {
  return llvm::TypeSwitch<Operation *, Value>(result.getOwner())
      .Case([&](DestinationStyleOpInterface op) {
        return op.getTiedOpOperand(result)->get();
      })
      .Case<tensor::CastOp, tensor::PadOp>(
          [](auto op) { return op.getSource(); })
      .Default([](Operation *) { return Value(); });
}

/// True if a tensor.pad defines `result` and adds elements in dimension `d`.
static bool isPadded(OpResult result, int64_t d) {
  auto pad = result.getDefiningOp<tensor::PadOp>();
  return pad && (pad.getStaticLow()[d] > 0 || pad.getStaticHigh()[d] > 0);
}

/// Returns the size operand that gives the extent of `result` in dimension `d`.
/// Returns null unless a tensor.empty or tensor.extract_slice defines `result`.
static OpFoldResult getSizeOperand(OpResult result, int64_t d) {
  if (auto empty = result.getDefiningOp<tensor::EmptyOp>())
    return empty.getMixedSizes()[d];
  auto slice = result.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice)
    return {};
  SmallVector<OpFoldResult> sizes;
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  for (auto [i, size] : llvm::enumerate(slice.getMixedSizes()))
    if (!dropped.test(i))
      sizes.push_back(size);
  return sizes[d];
}

/// True if the extent of `tensor` in dimension `d` is dynamic, is computed by
/// arithmetic, and may be 0. Such a tensor may be a tile: a loop with more
/// threads than tiles has empty tiles. False if the extent comes from a
/// function argument or from an operation other than arithmetic: it is assumed
/// to be at least 1.
static bool isMaybeEmptyTile(Value tensor, int64_t d) {
  while (true) {
    auto type = dyn_cast<RankedTensorType>(tensor.getType());
    auto result = dyn_cast<OpResult>(tensor);
    if (!type || !type.isDynamicDim(d) || !result || isPadded(result, d))
      return false;
    if (Value operand = getShapeOperand(result)) {
      tensor = operand;
      continue;
    }
    auto size = dyn_cast_if_present<Value>(getSizeOperand(result, d));
    while (size && size.getDefiningOp<arith::IndexCastOp>())
      size = size.getDefiningOp()->getOperand(0);
    Operation *op = size ? size.getDefiningOp() : nullptr;
    auto dim = dyn_cast_if_present<tensor::DimOp>(op);
    if (dim && dim.getConstantIndex()) {
      tensor = dim.getSource();
      d = *dim.getConstantIndex();
      continue;
    }
    return op &&
           isa_and_present<affine::AffineDialect, arith::ArithDialect>(
               op->getDialect()) &&
           !isAtLeast(size, 1);
  }
}

//===----------------------------------------------------------------------===//
// Fitting
//===----------------------------------------------------------------------===//

namespace {
/// The input extent and the end pad of one spatial dimension, chosen so that
/// the pooling has as many outputs there as the reduction declares. Both
/// numbers are static.
struct FittedDim {
  /// Number of elements, from the first one on, that become the pooling's
  /// input.
  int64_t input;
  int64_t padEnd;
  /// True if `input` or `padEnd` is smaller than before the fit.
  bool isTrimmed;
};
} // namespace

/// Finds the input extent and the end pad for which the window rule gives
/// `output` windows. `output` must not exceed the number of windows for `input`
/// and `dim.padEnd`. Returns nothing if all windows lie in the padding before
/// the input. If `dim` violates the window rule, returns `input` and
/// `dim.padEnd` unchanged.
static std::optional<FittedDim> fitDim(int64_t input, int64_t output,
                                       WindowDim dim) {
  RuleOr<ResolvedDim> resolved = resolveDim(input, dim, WindowModes());
  // If `dim` violates the window rule, keep `dim`: type inference reports the
  // violation.
  if (!resolved || resolved->output == output)
    return FittedDim{input, dim.padEnd, false};
  ResolvedDim fewer = *resolved;
  fewer.output = output;
  int64_t padEnd = fewer.getCoveredEnd();
  if (padEnd > 0)
    return FittedDim{input, padEnd, true};
  // The end of the last window is at most the input extent, so this sum does
  // not overflow.
  int64_t end =
      fewer.getStart(output - 1) + (dim.kernel - 1) * dim.dilation + 1;
  if (end < 1)
    return std::nullopt;
  dim.padEnd = 0;
  resolved = resolveDim(input, dim, WindowModes());
  return FittedDim{resolved && resolved->output == output ? input : end, 0,
                   true};
}

FailureOr<FittedWindow>
pool::fitWindow(const WindowReduction &reduction,
                llvm::function_ref<bool(TypedAttr)> takesPadding,
                std::string &keptPadding, std::string &reason) {
  FailureOr<SpatialPadding> padding = matchPadding(reduction, keptPadding);
  if (succeeded(padding) && !takesPadding(padding->value)) {
    keptPadding = llvm::formatv("it pads with {0}", padding->value);
    padding = failure();
  }
  bool hasPadding = succeeded(padding);
  FittedWindow fitted;
  fitted.source = hasPadding ? padding->source : reduction.input;
  fitted.sourceType = cast<RankedTensorType>(fitted.source.getType());
  fitted.window = reduction.window;
  if (hasPadding) {
    fitted.window.padsBegin = padding->low;
    fitted.window.padsEnd = padding->high;
  }
  unsigned channelDim = fitted.window.getAttrs().getChannelDim();
  if (isMaybeEmptyTile(fitted.source, channelDim))
    return fail(reason, "its channel extent, dimension " + Twine(channelDim) +
                            ", may be 0");
  // A global reduction has one window that spans the spatial dimensions, so
  // there are no output extents to compare.
  if (reduction.isGlobal)
    return fitted;

  WindowAttrs window = fitted.window.getAttrs();
  SmallVector<std::optional<FittedDim>> dims;
  SmallVector<int64_t> shape(fitted.sourceType.getShape());
  bool isTrimmed = false;
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    unsigned d = window.getSpatialDim(i);
    OpFoldResult extent = getCreatedExtent(reduction.init, d);
    std::optional<int64_t> output =
        extent ? getConstantIntValue(extent) : std::nullopt;
    if (ShapedType::isDynamic(shape[d]) || !output) {
      fitted.needsSlice |=
          !extent ||
          !followsRule(extent, fitted, hasPadding ? &*padding : nullptr, i);
      dims.emplace_back();
      continue;
    }
    if (*output == 0)
      return fail(reason, "it has no windows in dimension " + Twine(d));
    dims.push_back(fitDim(shape[d], *output, window.getDim(i)));
    if (!dims.back())
      return fail(reason, "its windows do not reach the input in dimension " +
                              Twine(d));
    shape[d] = dims.back()->input;
    isTrimmed |= dims.back()->isTrimmed;
  }

  // A front end may pad for windows that the output does not have, for example
  // to round up. Then trim the end pads of all dimensions to the positions that
  // windows cover, so that the pads of equal dimensions stay equal.
  SmallVector<int64_t> padsEnd = fitted.window.padsEnd;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (!dim || !isTrimmed)
      continue;
    padsEnd[i] = dim->padEnd;
    RuleOr<ResolvedDim> resolved =
        resolveDim(dim->input, window.getDim(i), WindowModes());
    if (!dim->isTrimmed && resolved)
      padsEnd[i] = resolved->getCoveredEnd();
  }
  fitted.window.padsEnd = std::move(padsEnd);
  fitted.sourceType = fitted.sourceType.clone(shape);
  return fitted;
}

/// Creates the slice of the first `sizes[d]` elements of `tensor` in each
/// dimension d.
static Value createPrefix(OpBuilder &b, Location loc, Value tensor,
                          ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(b, loc, tensor, offsets, sizes,
                                        strides);
}

Value pool::createSource(OpBuilder &b, Location loc,
                         const FittedWindow &fitted) {
  if (fitted.source.getType() == fitted.sourceType)
    return fitted.source;
  SmallVector<OpFoldResult> sizes;
  for (auto [d, extent] : llvm::enumerate(fitted.sourceType.getShape()))
    sizes.push_back(ShapedType::isDynamic(extent)
                        ? tensor::getMixedSize(b, loc, fitted.source, d)
                        : b.getIndexAttr(extent));
  return createPrefix(b, loc, fitted.source, sizes);
}

Value pool::restoreOutput(OpBuilder &b, Location loc,
                          const WindowReduction &reduction,
                          const FittedWindow &fitted, Value pooled,
                          Type declared) {
  if (fitted.needsSlice)
    pooled =
        createPrefix(b, loc, pooled, getCreatedSizes(b, loc, reduction.init));
  return castTo(b, loc, pooled, declared);
}
