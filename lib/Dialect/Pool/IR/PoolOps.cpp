// The operations: verification, type inference, reification. What is right is
// decided in TypeInference and WindowRules; this file connects them to ODS.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/Pool.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/TypeInference.h"
#include "pool/Dialect/Pool/Utils/Quantization.h"
#include "pool/Support/SymbolicWindowRules.h"

using namespace mlir;
using namespace mlir::pool;

SmallVector<OpFoldResult> pool::detail::reifyAs(OpBuilder &b, Location loc,
                                                ArrayRef<OpFoldResult> shape,
                                                Type declared) {
  auto type = cast<RankedTensorType>(declared);
  SmallVector<OpFoldResult> reified(shape);
  for (auto [d, extent] : llvm::enumerate(reified))
    if (type.isDynamicDim(d))
      extent = getValueOrCreateConstantIndexOp(b, loc, extent);
  return reified;
}

/// The shape of every result of a window operation, as affine functions of the
/// input's extents; the rule is resolveDim's.
LogicalResult pool::detail::reifyWindowShape(
    OpBuilder &b, WindowOpInterface op,
    ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  Value input = op.getInput();
  auto isRanked = [](Type type) { return isa<RankedTensorType>(type); };
  if (!isRanked(input.getType()) ||
      !llvm::all_of(op->getResultTypes(), isRanked))
    return failure();
  Location loc = op.getLoc();
  WindowAttrs window = op.getWindow();
  SmallVector<OpFoldResult> shape = tensor::getMixedSizes(b, loc, input);
  shape = getOutputShape(shape, resolveDims(b, loc, shape, window), window);
  for (Type type : op->getResultTypes())
    reifiedReturnShapes.push_back(reifyAs(b, loc, shape, type));
  return success();
}

//===----------------------------------------------------------------------===//
// MaxPoolOp
//===----------------------------------------------------------------------===//

void MaxPoolOp::build(OpBuilder &b, OperationState &state, Value input,
                      const Properties &properties, Type indexElementType) {
  state.addOperands(input);
  state.getOrAddProperties<Properties>() = properties;
  SmallVector<Type> types;
  if (failed(inferReturnTypes(b.getContext(), state.location, state.operands,
                              state.attributes.getDictionary(b.getContext()),
                              state.getRawProperties(), {}, types)))
    llvm::report_fatal_error("pool.max_pool: no result type can be inferred");
  if (indexElementType)
    types.push_back(
        cast<RankedTensorType>(types.front()).clone(indexElementType));
  state.addTypes(types);
}

LogicalResult
MaxPoolOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                            Adaptor adaptor,
                            SmallVectorImpl<Type> &inferredReturnTypes) {
  FailureOr<RankedTensorType> values = inferMaxPool(
      [&](const Twine &message) {
        return emitOptionalError(location, "'", getOperationName(), "' op ",
                                 message);
      },
      cast<TensorType>(adaptor.getInput().getType()),
      detail::getWindowAttrs(adaptor), adaptor.getAxis(), adaptor.getPadValue(),
      /*indexElementType=*/{});
  if (failed(values))
    return failure();
  inferredReturnTypes.push_back(*values);
  return success();
}

bool MaxPoolOp::isCompatibleReturnTypes(TypeRange inferred,
                                        TypeRange declared) {
  if (inferred.empty() || declared.empty() || declared.size() > 2 ||
      !isLessStatic(declared[0], inferred[0]))
    return false;
  auto values = cast<RankedTensorType>(inferred[0]);
  return llvm::all_of(declared.drop_front(), [&](Type type) {
    return isLessStatic(type, values.clone(getElementTypeOrSelf(type)));
  });
}

LogicalResult MaxPoolOp::verify() {
  auto emitError = [&](const Twine &message) -> LogicalResult {
    return emitOpError(message);
  };
  if (failed(verifyNoStrayAttributes(*this)))
    return failure();
  TensorType input = getInput().getType();
  Type indexElementType =
      getIndices() ? getIndices().getType().getElementType() : Type();
  FailureOr<RankedTensorType> values =
      inferMaxPool(emitError, input, getWindow(), getAxis(), getPadValue(),
                   indexElementType);
  if (failed(values) ||
      failed(verifyResultType(emitError, "values", getValues().getType(),
                              *values, input, getWindow())))
    return failure();
  if (!getIndices())
    return success();
  return verifyResultType(emitError, "indices", getIndices().getType(),
                          values->clone(indexElementType), input, getWindow());
}

int64_t MaxPoolOp::getNormalizedAxis() {
  int64_t axis = getAxis();
  return axis < 0 ? axis + getWindow().getRank() : axis;
}

//===----------------------------------------------------------------------===//
// AvgPoolOp
//===----------------------------------------------------------------------===//

LogicalResult
AvgPoolOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                            Adaptor adaptor,
                            SmallVectorImpl<Type> &inferredReturnTypes) {
  auto emitError = [&](const Twine &message) -> LogicalResult {
    return emitOptionalError(location, "'", getOperationName(), "' op ",
                             message);
  };
  auto input = cast<TensorType>(adaptor.getInput().getType());
  WindowAttrs window = detail::getWindowAttrs(adaptor);
  FailureOr<RankedTensorType> output =
      inferAvgPool(emitError, input, window, adaptor.getDivisorOverride(),
                   adaptor.getInputZp(), adaptor.getOutputZp());
  if (failed(output) ||
      failed(verifyCounts(emitError, input, window, adaptor.getDivisor(),
                          adaptor.getDivisorOverride())))
    return failure();
  inferredReturnTypes.push_back(*output);
  return success();
}

/// The rule's type with the quantised type that is declared: an average may
/// change the parameters.
static RankedTensorType getRequantized(RankedTensorType inferred,
                                       Type declared) {
  Type elementType = getElementTypeOrSelf(declared);
  if (!isQuantized(inferred.getElementType()) || !isQuantized(elementType))
    return inferred;
  return inferred.clone(elementType);
}

bool AvgPoolOp::isCompatibleReturnTypes(TypeRange inferred,
                                        TypeRange declared) {
  return inferred.size() == 1 && declared.size() == 1 &&
         isLessStatic(
             declared[0],
             getRequantized(cast<RankedTensorType>(inferred[0]), declared[0]));
}

LogicalResult AvgPoolOp::verify() {
  auto emitError = [&](const Twine &message) -> LogicalResult {
    return emitOpError(message);
  };
  if (failed(verifyNoStrayAttributes(*this)))
    return failure();
  TensorType input = getInput().getType();
  FailureOr<RankedTensorType> output =
      inferAvgPool(emitError, input, getWindow(), getDivisorOverride(),
                   getInputZp(), getOutputZp());
  if (failed(output))
    return failure();
  RankedTensorType result = getRequantized(*output, getOutput().getType());
  if (result != *output &&
      failed(verifyRequantizedAvgPool(emitError, output->getElementType(),
                                      result.getElementType())))
    return failure();
  // The type first: it tells who wrote the other same_output rule.
  if (failed(verifyResultType(emitError, "output", getOutput().getType(),
                              result, input, getWindow())))
    return failure();
  return verifyCounts(emitError, input, getWindow(), getDivisor(),
                      getDivisorOverride());
}

bool AvgPoolOp::distinguishesOverhang() {
  return getDivisor() == Divisor::Padded && !getDivisorOverride();
}

//===----------------------------------------------------------------------===//
// LpPoolOp
//===----------------------------------------------------------------------===//

LogicalResult
LpPoolOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                           Adaptor adaptor,
                           SmallVectorImpl<Type> &inferredReturnTypes) {
  FailureOr<RankedTensorType> output = inferLpPool(
      [&](const Twine &message) {
        return emitOptionalError(location, "'", getOperationName(), "' op ",
                                 message);
      },
      cast<TensorType>(adaptor.getInput().getType()),
      detail::getWindowAttrs(adaptor), adaptor.getP());
  if (failed(output))
    return failure();
  inferredReturnTypes.push_back(*output);
  return success();
}

bool LpPoolOp::isCompatibleReturnTypes(TypeRange inferred, TypeRange declared) {
  return inferred.size() == 1 && declared.size() == 1 &&
         isLessStatic(declared[0], inferred[0]);
}

LogicalResult LpPoolOp::verify() {
  auto emitError = [&](const Twine &message) -> LogicalResult {
    return emitOpError(message);
  };
  if (failed(verifyNoStrayAttributes(*this)))
    return failure();
  TensorType input = getInput().getType();
  FailureOr<RankedTensorType> output =
      inferLpPool(emitError, input, getWindow(), getP());
  if (failed(output))
    return failure();
  return verifyResultType(emitError, "output", getOutput().getType(), *output,
                          input, getWindow());
}
