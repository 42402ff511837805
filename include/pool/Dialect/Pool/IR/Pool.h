// The pool dialect: its attributes, interfaces and operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_POOL_H
#define POOL_DIALECT_POOL_IR_POOL_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "pool/Dialect/Pool/IR/ElementReduction.h"
#include "pool/Dialect/Pool/IR/TypeInference.h"
#include "pool/Support/PoolEnums.h"

#include "pool/Dialect/Pool/IR/PoolDialect.h.inc"

namespace mlir::pool {
/// Returns the window in an operation's `properties`, as views into
/// `properties`.
template <typename Properties>
WindowAttrs viewWindow(const Properties &properties) {
  return {
      properties.kernel,
      properties.strides,
      properties.dilations,
      properties.pads_begin,
      properties.pads_end,
      {properties.rounding_type, properties.auto_pad, properties.same_output},
      properties.layout};
}

template <typename Properties>
AverageModes viewAverageModes(const Properties &properties) {
  AverageModes modes;
  modes.divisor = properties.divisor;
  if (IntegerAttr divisorOverride = properties.divisor_override)
    modes.divisorOverride = divisorOverride.getInt();
  modes.integerRounding = properties.integer_rounding;
  modes.inputZp = properties.input_zp;
  modes.outputZp = properties.output_zp;
  return modes;
}
} // namespace mlir::pool

#include "pool/Dialect/Pool/IR/PoolInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "pool/Dialect/Pool/IR/PoolAttributes.h.inc"

namespace mlir::pool {
class AvgPoolGradOp;
class MaxUnpoolOp;

LogicalResult verifyOnTensors(Operation *op);
/// Appends to `diagnostic` that an operand must not have the buffer type
/// `type`, and what to write instead. Returns failure.
LogicalResult rejectBuffer(InFlightDiagnostic diagnostic, Type type);

/// A trait of operations whose operands must not be buffers.
template <typename ConcreteType>
class OnTensors : public OpTrait::TraitBase<ConcreteType, OnTensors> {
public:
  static LogicalResult verifyTrait(Operation *op) {
    return pool::verifyOnTensors(op);
  }
};
} // namespace mlir::pool

namespace mlir::pool {
/// Parse and print the clause `positions [base, strides...]` of window_reduce.
/// The clause is absent if the list is empty.
ParseResult
parsePositions(OpAsmParser &parser,
               SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values,
               DenseI64ArrayAttr &integers);
void printPositions(OpAsmPrinter &printer, Operation *op, OperandRange values,
                    DenseI64ArrayAttr integers);

/// Adds the canonicalizations that replace adaptive pooling by ordinary
/// pooling. They apply if all windows have the same size, and all neighbors the
/// same distance (AdaptiveDim::hasStride).
void populateRegularAdaptivePatterns(RewritePatternSet &patterns);
/// True if the patterns of populateRegularAdaptivePatterns apply to `op`. False
/// if the rank or a spatial extent of the input is unknown.
bool hasRegularWindows(AdaptiveOpInterface op);
} // namespace mlir::pool

#define GET_OP_CLASSES
#include "pool/Dialect/Pool/IR/PoolOps.h.inc"

namespace mlir::pool {
/// Creates the operation `name` of the dialect without inserting it. The
/// dialect must be loaded. Attributes that are missing in `properties` have
/// their defaults. If `results` is empty, infers the result types, and adds
/// indices unless `indexElementType` is null. If `results` is not empty,
/// `indexElementType` must be null. Returns null after emitting an error at
/// `loc`, for example about an attribute that the operation does not have or
/// that is given twice.
Operation *createByName(Location loc, StringRef name, ValueRange operands,
                        ArrayRef<NamedAttribute> properties,
                        TypeRange results = {}, Type indexElementType = {});

/// Creates max_pool if `reduction` is a maximum, and min_pool if it is a
/// minimum. The operation has indices unless `indexElementType` is null. Ends
/// the process if the result types cannot be inferred.
ExtremumOpInterface createExtremumPool(OpBuilder &b, Location loc,
                                       Reduction reduction, Value input,
                                       const WindowAttrs &window,
                                       const ExtremumModes &modes,
                                       Type indexElementType = {});
AvgPoolOp createAvgPool(OpBuilder &b, Location loc, Value input,
                        const WindowAttrs &window, const AverageModes &modes);
} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_POOL_H
