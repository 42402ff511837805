// Implements methods of the operations and functions that create them. The
// rules are in TypeInference and WindowRules; this file and OpRules.h connect
// them to ODS.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Clauses.h"
#include "OpRules.h"
#include "SharedMethods.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/WindowProperties.h"

using namespace mlir;
using namespace mlir::pool;

LogicalResult pool::verifyOnTensors(Operation *op) {
  for (Type type : op->getOperandTypes())
    if (isa<BaseMemRefType>(type))
      return rejectBuffer(op->emitOpError(), type);
  return success();
}

LogicalResult pool::rejectBuffer(InFlightDiagnostic diagnostic, Type type) {
  return diagnostic << "takes tensors, not " << type
                    << "; pool.window_reduce takes buffers, and "
                       "bufferization.to_tensor makes a tensor of a buffer";
}

void pool::detail::addInferredTypes(OpBuilder &b, OperationState &state,
                                    Type indexElementType) {
  auto *inference = state.name.getInterface<InferTypeOpInterface>();
  SmallVector<Type> types;
  if (failed(inference->inferReturnTypes(
          b.getContext(), state.location, state.operands,
          state.attributes.getDictionary(b.getContext()),
          state.getRawProperties(), {}, types)))
    llvm::report_fatal_error(Twine(state.name.getStringRef()) +
                             ": no result type can be inferred");
  if (indexElementType)
    types.push_back(
        cast<RankedTensorType>(types.front()).clone(indexElementType));
  state.addTypes(types);
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> AvgPoolOp::inferRule(ErrorFn emitError,
                                                 TensorType input,
                                                 const Properties &properties,
                                                 Type) {
  return inferAvgPool(emitError, input, viewWindow(properties),
                      viewAverageModes(properties));
}

bool AvgPoolOp::distinguishesOverhang() {
  return countsPadding(getDivisor()) && !countsOverhang(getDivisor()) &&
         !getDivisorOverride();
}

FailureOr<RankedTensorType> LpPoolOp::inferRule(ErrorFn emitError,
                                                TensorType input,
                                                const Properties &properties,
                                                Type) {
  return inferLpPool(emitError, input, viewWindow(properties), properties.p);
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

/// Fills the properties of a max_pool and creates the operation by its name.
/// This also works for min_pool, which has the same properties.
ExtremumOpInterface pool::createExtremumPool(OpBuilder &b, Location loc,
                                             Reduction reduction, Value input,
                                             const WindowAttrs &window,
                                             const ExtremumModes &modes,
                                             Type indexElementType) {
  MaxPoolOp::Properties properties;
  setWindow(properties, window);
  setModes(properties, modes);

  std::string name = (PoolDialect::getDialectNamespace() + "." +
                      stringifyReduction(reduction) + "_pool")
                         .str();
  Operation *op =
      createByName(loc, name, input,
                   cast<DictionaryAttr>(MaxPoolOp::getPropertiesAsAttr(
                                            b.getContext(), properties))
                       .getValue(),
                   /*results=*/{}, indexElementType);
  if (!op)
    llvm::report_fatal_error(Twine(name) + ": no result type can be inferred");
  return cast<ExtremumOpInterface>(b.insert(op));
}

AvgPoolOp pool::createAvgPool(OpBuilder &b, Location loc, Value input,
                              const WindowAttrs &window,
                              const AverageModes &modes) {
  const auto &[divisor, divisorOverride, integerRounding, inputZp, outputZp] =
      modes;
  AvgPoolOp::Properties properties;
  setWindow(properties, window);
  properties.divisor = divisor;
  if (divisorOverride)
    properties.divisor_override = b.getI64IntegerAttr(*divisorOverride);
  properties.integer_rounding = integerRounding;
  properties.input_zp = inputZp;
  properties.output_zp = outputZp;
  return AvgPoolOp::create(b, loc, ValueRange(input), properties);
}
