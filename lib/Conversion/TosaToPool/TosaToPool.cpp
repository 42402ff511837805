// The pass that raises TOSA's pooling.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Conversion/TosaToPool/TosaToPool.h"

#include "../TosaRounding.h"
#include "GlobalAverage.h"
#include "InferWithReason.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "pool/Conversion/Passes.h"
#include "pool/Dialect/Pool/IR/Casts.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::pool {
#define GEN_PASS_DEF_CONVERTTOSATOPOOL
#include "pool/Conversion/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

static LogicalResult leaveAlone(Operation *op, const Twine &reason,
                                PatternRewriter &rewriter) {
  remarkLeftAlone(kTosaToPoolName, op, reason);
  return rewriter.notifyMatchFailure(op, reason);
}

/// Returns the window of a TOSA pooling. Its rounding does not matter, because
/// TOSA requires that windows cover the padded input exactly.
template <typename Op>
static OwnedWindow getWindow(Op op) {
  OwnedWindow window = OwnedWindow::get(op.getKernel(), Layout::ChannelsLast);
  window.strides = llvm::to_vector(op.getStride());
  // The order of `pad` is top, bottom, left, right.
  ArrayRef<int64_t> pad = op.getPad();
  window.padsBegin = {pad[0], pad[2]};
  window.padsEnd = {pad[1], pad[3]};
  return window;
}

/// Returns the input type if pool operations support it. Otherwise returns null
/// and sets `reason`.
static RankedTensorType getInputType(Value input, std::string &reason) {
  auto type = dyn_cast<RankedTensorType>(input.getType());
  if (!type)
    reason = "its input is unranked";
  else if (!isPoolElementType(type.getElementType()))
    reason = "pool operations do not take its element type";
  else if (type.getEncoding())
    reason = "pool operations do not take tensors with an encoding";
  else
    return type;
  return {};
}

/// True if a result of type `inferred` can replace the result of `op`; else
/// `reason` says why not.
static bool fitsResult(FailureOr<RankedTensorType> inferred, Operation *op,
                       std::string &reason) {
  if (failed(inferred))
    return false;
  if (tensor::CastOp::areCastCompatible(*inferred, op->getResultTypes()))
    return true;
  reason = "its result type is not the one of its windows";
  return false;
}

/// True for a constant that is -inf everywhere.
static bool isNegInf(Value value) {
  std::optional<APFloat> number = getSplatFloat(value);
  return number && number->isInfinity() && number->isNegative();
}

/// If `op` is the maximum of a tensor and -inf, and ignores NaN, returns the
/// tensor. Such an `op` only turns NaN into -inf. Returns null for any other
/// `op`, or if the type of the tensor differs from that of the result.
static Value getWithoutNan(tosa::MaximumOp op) {
  if (op.getNanMode() != tosa::NanPropagationMode::IGNORE)
    return {};
  Value value = op.getInput1();
  if (isNegInf(value))
    value = op.getInput2();
  else if (!isNegInf(op.getInput2()))
    return {};
  return value.getType() == op.getType() ? value : Value();
}

/// True if every user turns NaN into -inf. Then it does not matter that a
/// window of only NaN gives NaN in TOSA, and -inf in the pool dialect.
static bool isNanHidden(tosa::MaxPool2dOp op) {
  return llvm::all_of(op->getUsers(), [](Operation *user) {
    auto maximum = dyn_cast<tosa::MaximumOp>(user);
    return maximum && getWithoutNan(maximum);
  });
}

namespace {
struct RaiseMaxPool : OpRewritePattern<tosa::MaxPool2dOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tosa::MaxPool2dOp op,
                                PatternRewriter &rewriter) const override {
    std::string reason;
    RankedTensorType type = getInputType(op.getInput(), reason);
    OwnedWindow window = getWindow(op);
    if (!type)
      return leaveAlone(op, reason, rewriter);
    bool isFloat = isa<FloatType>(type.getElementType());
    NanMode nanMode =
        isFloat && op.getNanMode() == tosa::NanPropagationMode::PROPAGATE
            ? NanMode::Propagate
            : NanMode::Ignore;
    ExtremumModes modes(/*axis=*/0, PadValue::NegInf, nanMode);
    if (!fitsResult(
            inferExtremumPool(type, window, Reduction::Max, modes, reason), op,
            reason))
      return leaveAlone(op, reason, rewriter);
    remarkRaised(kTosaToPoolName, op, "pool.max_pool",
                 isFloat && ignoresNaN(nanMode) && !isNanHidden(op)
                     ? "a window of NaN alone gives -inf, in TOSA NaN"
                     : "");
    auto pooled = createExtremumPool(rewriter, op.getLoc(), Reduction::Max,
                                     op.getInput(), window.getAttrs(), modes);
    replaceOpWithCasts(rewriter, op, pooled.getValues());
    return success();
  }
};

/// Removes a maximum with -inf after a pool.max_pool that ignores NaN. The
/// pool.max_pool already returns -inf for a window of only NaN.
struct DropMaximum : OpRewritePattern<tosa::MaximumOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tosa::MaximumOp op,
                                PatternRewriter &rewriter) const override {
    Value value = getWithoutNan(op);
    auto pool = value ? value.getDefiningOp<MaxPoolOp>() : MaxPoolOp();
    if (!pool || !ignoresNaN(pool.getNanMode()))
      return rewriter.notifyMatchFailure(op, "it follows no maximum");
    rewriter.replaceOp(op, value);
    return success();
  }
};

struct RaiseAvgPool : OpRewritePattern<tosa::AvgPool2dOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tosa::AvgPool2dOp op,
                                PatternRewriter &rewriter) const override {
    std::string reason;
    RankedTensorType type = getInputType(op.getInput(), reason);
    if (!type)
      return leaveAlone(op, reason, rewriter);
    FailureOr<int64_t> inputZp = op.getInputZeroPoint();
    FailureOr<int64_t> outputZp = op.getOutputZeroPoint();
    if (failed(inputZp) || failed(outputZp))
      return leaveAlone(op, "its zero points are not constants", rewriter);

    OwnedWindow window = getWindow(op);
    AverageModes attrs;
    attrs.inputZp = *inputZp;
    attrs.outputZp = *outputZp;
    reason = isa<FloatType>(type.getElementType())
                 ? explainFloat(op)
                 : explainInteger(op, type, window, attrs);
    if (!reason.empty() ||
        !fitsResult(inferAvgPool(type, window, attrs, reason), op, reason))
      return leaveAlone(op, reason, rewriter);
    remarkRaised(kTosaToPoolName, op, "pool.avg_pool");
    auto pooled = createAvgPool(rewriter, op.getLoc(), op.getInput(),
                                window.getAttrs(), attrs);
    replaceOpWithCasts(rewriter, op, pooled.getOutput());
    return success();
  }

private:
  /// Returns the reason why pool.avg_pool accumulates in another type than
  /// `op`, or an empty string if both types are equal.
  static std::string explainFloat(tosa::AvgPool2dOp op) {
    Type ours = getFloatAccumulator(getElementTypeOrSelf(op.getInput()));
    if (op.getAccType() == ours)
      return {};
    return llvm::formatv("it accumulates in {0}, pool.avg_pool in {1}",
                         op.getAccType(), ours)
        .str();
  }

  /// Returns the reason why TOSA's integer average may differ from the exact
  /// one, or an empty string if it does not. In the second case, sets the
  /// rounding in `attrs` to one that agrees with TOSA.
  static std::string explainInteger(tosa::AvgPool2dOp op, RankedTensorType type,
                                    const OwnedWindow &window,
                                    AverageModes &attrs) {
    Type element = type.getElementType();
    if (!element.isSignlessInteger(8) && !element.isSignlessInteger(16))
      return "TOSA averages no integers but those of 8 and 16 bits";
    if (!op.getAccType().isInteger(32))
      return "it does not accumulate in i32";
    switch (classifyTosaQuotients(type, window.getAttrs(), attrs.inputZp)) {
    case TosaQuotients::NoHalves:
    case TosaQuotients::NoNegativeHalves:
      attrs.integerRounding = IntegerRounding::HalfUp;
      return {};
    case TosaQuotients::AnyHalves:
      attrs.integerRounding = IntegerRounding::HalfAway;
      return {};
    case TosaQuotients::Imprecise:
      break;
    }
    return "its sums may be too large for TOSA's division to be exact";
  }
};

struct ConvertTosaToPoolPass
    : pool::impl::ConvertTosaToPoolBase<ConvertTosaToPoolPass> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateTosaToPoolPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    DeadProducers dead;
    walkAndApplyPatterns(getOperation(), patterns, &dead);
    if (dead.getNumReplaced() == 0)
      return markAllAnalysesPreserved();
    numRaised += dead.getNumReplaced();
    dead.erase();
  }

  FrozenRewritePatternSet patterns;
};
} // namespace

void pool::populateTosaToPoolPatterns(RewritePatternSet &patterns) {
  patterns.add<DropMaximum, RaiseAvgPool, RaiseMaxPool>(patterns.getContext());
  populateGlobalAveragePatterns(patterns);
}
