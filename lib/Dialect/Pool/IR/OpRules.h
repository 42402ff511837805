// Templates for type inference, verification and canonicalization of operations
// that have an `inferRule`. PoolOpBase.td instantiates them for each such
// operation.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_DIALECT_POOL_IR_OPRULES_H
#define POOL_LIB_DIALECT_POOL_IR_OPRULES_H

#include "Canonicalize.h"
#include "Clauses.h"
#include "WindowFolds.h"

#include "SharedMethods.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/AdaptiveInference.h"
#include "pool/Dialect/Pool/IR/ElementReduction.h"
#include "pool/Dialect/Pool/IR/Quantization.h"
#include "pool/Dialect/Pool/IR/ScatterInference.h"

namespace mlir::pool::detail {

/// Constraints and result types of an operation that `Op::inferRule` does not
/// express. This default adds nothing; specializations do.
template <typename Op>
struct RuleExtras {
  /// Returns the result type `rule`, after replacing those parts of it that the
  /// rule does not determine by the parts of `declared`.
  static RankedTensorType adapt(RankedTensorType rule, Type declared) {
    return rule;
  }
  /// Checks the parts that adapt() took from the declared type.
  static LogicalResult verifyAdapted(ErrorFn emitError, RankedTensorType rule,
                                     RankedTensorType adapted) {
    return success();
  }
  /// Checks constraints that the result types cannot express.
  static LogicalResult verifyElements(ErrorFn emitError, TensorType input,
                                      const typename Op::Properties &) {
    return success();
  }
};

/// The extras of averages. A quantized result may have another scale and zero
/// point than the input. Without divisor_override, every window must count an
/// element.
template <>
struct RuleExtras<AvgPoolOp> {
  static RankedTensorType adapt(RankedTensorType rule, Type declared) {
    Type elementType = getElementTypeOrSelf(declared);
    if (!isQuantized(rule.getElementType()) || !isQuantized(elementType))
      return rule;
    return rule.clone(elementType);
  }
  static LogicalResult verifyAdapted(ErrorFn emitError, RankedTensorType rule,
                                     RankedTensorType adapted) {
    if (rule == adapted)
      return success();
    return verifyRequantizedAvgPool(emitError, rule.getElementType(),
                                    adapted.getElementType());
  }
  static LogicalResult verifyElements(ErrorFn emitError, TensorType input,
                                      const AvgPoolOp::Properties &properties) {
    return verifyCounts(emitError, input, viewWindow(properties),
                        viewAverageModes(properties));
  }
};

template <typename Op>
using IndicesOf = decltype(std::declval<Op>().getIndices());

/// Returns the element type of the indices, or null for an operation without
/// indices.
template <typename Op>
Type getIndexElementType(Op op) {
  if constexpr (llvm::is_detected<IndicesOf, Op>::value)
    if (op.getIndices())
      return op.getIndices().getType().getElementType();
  return {};
}

//===----------------------------------------------------------------------===//
// Inference and verification
//===----------------------------------------------------------------------===//

template <typename Op>
LogicalResult inferByRule(std::optional<Location> location,
                          typename Op::Adaptor adaptor,
                          SmallVectorImpl<Type> &types) {
  auto emitError = [&](const Twine &message) -> LogicalResult {
    return emitOptionalError(location, "'", Op::getOperationName(), "' op ",
                             message);
  };
  auto input = cast<TensorType>(adaptor.getInput().getType());
  const typename Op::Properties &properties = adaptor.getProperties();
  FailureOr<RankedTensorType> rule =
      Op::inferRule(emitError, input, properties, /*indexElementType=*/{});
  if (failed(rule) ||
      failed(RuleExtras<Op>::verifyElements(emitError, input, properties)))
    return failure();
  types.push_back(*rule);
  return success();
}

template <typename Op>
bool fitsRule(TypeRange inferred, TypeRange declared) {
  size_t maxResults = llvm::is_detected<IndicesOf, Op>::value ? 2 : 1;
  if (inferred.empty() || declared.empty() || declared.size() > maxResults)
    return false;
  auto rule = cast<RankedTensorType>(inferred[0]);
  return isLessStatic(declared[0], RuleExtras<Op>::adapt(rule, declared[0])) &&
         llvm::all_of(declared.drop_front(), [&](Type type) {
           return isLessStatic(type, rule.clone(getElementTypeOrSelf(type)));
         });
}

/// Checks that a result has the inferred type or a less static one
/// (Adaptive.C6, Window.C11). For a window operation, the message shows how the
/// output extent is computed.
template <typename Op>
LogicalResult verifyDeclared(ErrorFn emitError, Op op, StringRef name,
                             Type declared, RankedTensorType rule) {
  auto type = cast<TensorType>(declared);
  if constexpr (Op::template hasTrait<AdaptiveOpInterface::Trait>())
    return verifyAdaptiveResult(emitError, name, type, rule);
  else
    return verifyResultType(emitError, name, type, rule,
                            op.getInput().getType(), op.getWindow());
}

template <typename Op>
LogicalResult verifyByRule(Op op) {
  auto emitError = [&](const Twine &message) -> LogicalResult {
    return op.emitOpError(message);
  };
  if (failed(verifyNoStrayAttributes(op)))
    return failure();
  TensorType input = op.getInput().getType();
  Type indexElementType = getIndexElementType(op);
  FailureOr<RankedTensorType> rule =
      Op::inferRule(emitError, input, op.getProperties(), indexElementType);
  if (failed(rule))
    return failure();
  Type declared = op->getResult(0).getType();
  RankedTensorType adapted = RuleExtras<Op>::adapt(*rule, declared);
  StringRef name =
      llvm::is_detected<IndicesOf, Op>::value ? "values" : "output";
  // Call verifyElements last, so that verifyDeclared reports a wrong type. Only
  // the message of verifyDeclared can suggest the other value of same_output.
  if (failed(RuleExtras<Op>::verifyAdapted(emitError, *rule, adapted)) ||
      failed(verifyDeclared(emitError, op, name, declared, adapted)))
    return failure();
  if (indexElementType && failed(verifyDeclared(emitError, op, "indices",
                                                op->getResult(1).getType(),
                                                rule->clone(indexElementType))))
    return failure();
  return RuleExtras<Op>::verifyElements(emitError, input, op.getProperties());
}

//===----------------------------------------------------------------------===//
// Canonicalization
//===----------------------------------------------------------------------===//

/// If the input is the result of a `tensor.cast` that hides extents or the
/// rank, uses the source of the cast. The results get the types that the rule
/// infers from the source.
template <typename Op>
struct RefineTypes : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Value input = getMoreStatic(op.getInput());
    FailureOr<SmallVector<Type>> types =
        inferTypes(op, cast<TensorType>(input.getType()));
    if (failed(types))
      return rewriter.notifyMatchFailure(op, "known extents break the rule");
    if (input == op.getInput() && TypeRange(*types) == op->getResultTypes())
      return rewriter.notifyMatchFailure(op, "types are as static as known");
    replaceRefined(rewriter, op, *types, input);
    return success();
  }

private:
  static FailureOr<SmallVector<Type>> inferTypes(Op op, TensorType input) {
    Type indexElementType = getIndexElementType(op);
    FailureOr<RankedTensorType> rule =
        Op::inferRule(fail, input, op.getProperties(), indexElementType);
    if (failed(rule) ||
        failed(RuleExtras<Op>::verifyElements(fail, input, op.getProperties())))
      return failure();
    SmallVector<Type> types = {
        RuleExtras<Op>::adapt(*rule, op->getResult(0).getType())};
    if (indexElementType)
      types.push_back(rule->clone(indexElementType));
    return types;
  }
};

template <typename Op>
struct DropUnusedIndices : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!op.getIndices() || !op.getIndices().use_empty())
      return rewriter.notifyMatchFailure(op, "no unused indices");
    auto values =
        Op::create(rewriter, op.getLoc(), TypeRange(op.getValues().getType()),
                   op->getOperands(), op.getProperties(),
                   llvm::to_vector(op->getDiscardableAttrs()));
    rewriter.replaceAllUsesWith(op.getValues(), values.getValues());
    rewriter.eraseOp(op);
    return success();
  }
};

template <typename Op>
void populateRulePatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  if constexpr (llvm::is_detected<IndicesOf, Op>::value)
    patterns.add<DropUnusedIndices<Op>>(context);
  patterns.add<NormalizeAttributes<Op>, RefineTypes<Op>>(context);
  if constexpr (Op::template hasTrait<AdaptiveOpInterface::Trait>())
    addRegularPattern<Op>(patterns);
}

/// Normalizes the properties `axis` and `nan_mode` of an operation that chooses
/// elements. The axis becomes nonnegative, or 0 if there are no indices. The
/// NaN mode becomes its default if the elements are not floats.
template <typename Op>
void normalizeChoice(Op op, typename Op::Properties &properties) {
  properties.axis = op.getIndices() ? op.getNormalizedAxis() : 0;
  if (!isa<FloatType>(op.getInput().getType().getElementType()))
    properties.nan_mode = NanMode::Ignore;
}

template <typename Op>
void normalizeExtremum(Op op, typename Op::Properties &properties) {
  WindowAttrs window = op.getWindow();
  normalizeWindow(properties, window, op.getInput().getType());
  normalizeChoice(op, properties);
  if (touchesNoPadding(window))
    properties.pad_value = getNeverChosen(Op::getReduction());
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

template <typename Op>
void normalizeExtremumGrad(Op op, typename Op::Properties &properties) {
  normalizeWindow(properties, op.getWindow(), op.getWindowedType());
  properties.axis = op.getIndices() ? op.getNormalizedAxis() : 0;
  // The NaN mode only affects which element is chosen, and indices state that
  // choice already.
  if (op.getIndices())
    properties.nan_mode = NanMode::Ignore;
}

template <typename Op>
struct RefineExtremumGrad : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> operands =
        llvm::map_to_vector(op->getOperands(), getMoreStatic);
    TensorType type = getTensorType(operands[0]);
    if (type == op.getInputGrad().getType() &&
        llvm::equal(operands, op->getOperands()))
      return rewriter.notifyMatchFailure(op, "types are as static as known");
    if (failed(verifyExtremumGrad(
            fail, type, getTensorType(operands[1]),
            getTensorType(op.getIndices() ? operands[2] : Value()),
            op.getWindow(), op.getReduction(), op.getAxis(), type)))
      return rewriter.notifyMatchFailure(op, "known extents break the rule");
    replaceRefined(rewriter, op, Type(type), operands);
    return success();
  }
};

template <typename Op>
void populateExtremumGradPatterns(RewritePatternSet &patterns) {
  patterns.add<NormalizeAttributes<Op>, RefineExtremumGrad<Op>>(
      patterns.getContext());
}

} // namespace mlir::pool::detail

#endif // POOL_LIB_DIALECT_POOL_IR_OPRULES_H
