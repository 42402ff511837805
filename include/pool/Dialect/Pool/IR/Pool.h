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
#include "mlir/Interfaces/RuntimeVerifiableOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "pool/Dialect/Pool/IR/PoolEnums.h"
#include "pool/Dialect/Pool/IR/TypeInference.h"

#include "pool/Dialect/Pool/IR/PoolDialect.h.inc"

namespace mlir::pool::detail {
/// The window in an operation's properties, as views into them.
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

/// `axis` counted from the first of `rank` dimensions.
inline int64_t normalizeAxis(int64_t axis, int64_t rank) {
  return axis < 0 ? axis + rank : axis;
}
} // namespace mlir::pool::detail

#include "pool/Dialect/Pool/IR/PoolInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "pool/Dialect/Pool/IR/PoolAttributes.h.inc"

namespace mlir::pool {
class AvgPoolGradOp;
class MaxUnpoolOp;
} // namespace mlir::pool

namespace mlir::pool::detail {
/// Reads the properties of any operation of the dialect from bytecode: a
/// dictionary. `properties` points to those of `state`.
LogicalResult readProperties(DialectBytecodeReader &reader,
                             OperationState &state,
                             OpaqueProperties properties);
/// Words a message of a run-time check from what is wrong.
using MessageFn = function_ref<std::string(Operation *, StringRef)>;

/// Gives a state with operands and properties the result types that are
/// inferred, and indices of `indexElementType` unless null.
void addInferredTypes(OpBuilder &b, OperationState &state,
                      Type indexElementType);

/// The loops over tensors of `extents`.
SmallVector<Range> getDomainOf(OpBuilder &b, ArrayRef<OpFoldResult> extents);

// What the window operations share in their interfaces' methods.
SmallVector<Range> getOutputDomain(OpBuilder &b, WindowOpInterface op);
/// A tile in window form: all results, or one of them.
FailureOr<TilingResult>
createTile(OpBuilder &b, WindowOpInterface op, ArrayRef<OpFoldResult> offsets,
           ArrayRef<OpFoldResult> sizes,
           std::optional<unsigned> resultNumber = std::nullopt);
LogicalResult
reifyWindowShape(OpBuilder &b, WindowOpInterface op,
                 ReifiedRankedShapedTypeDims &reifiedReturnShapes);
void populateWindowBounds(WindowOpInterface op, Value value, int64_t dim,
                          ValueBoundsConstraintSet &cstr);
Speculation::Speculatability getWindowSpeculatability(WindowOpInterface op);
void generateWindowChecks(OpBuilder &b, Location loc, WindowOpInterface op,
                          MessageFn generateErrorMessage);

// What those of them share that choose an element.
LogicalResult foldExtremum(ExtremumOpInterface op,
                           SmallVectorImpl<OpFoldResult> &results);
TilingResult createExtremumForm(OpBuilder &b, ExtremumOpInterface op,
                                ArrayRef<OpFoldResult> offsets,
                                ArrayRef<OpFoldResult> sizes);
void inferExtremumRanges(ExtremumOpInterface op,
                         ArrayRef<IntegerValueRange> ranges,
                         SetIntLatticeFn setResultRange);

// What their gradients share.
LogicalResult verifyExtremumGradOp(ExtremumGradOpInterface op);
OpFoldResult foldExtremumGrad(ExtremumGradOpInterface op);
Speculation::Speculatability
getExtremumGradSpeculatability(ExtremumGradOpInterface op);
void generateExtremumGradChecks(OpBuilder &b, Location loc,
                                ExtremumGradOpInterface op,
                                MessageFn generateErrorMessage);
LogicalResult reifyInputShape(OpBuilder &b, ExtremumGradOpInterface op,
                              ReifiedRankedShapedTypeDims &reifiedReturnShapes);

// What the operations that write or add elements share: max_unpool and the
// gradients.
SmallVector<Range> getResultDomain(OpBuilder &b, Operation *op);
SmallVector<utils::IteratorType> getParallelLoops(Operation *op);
/// A tile as the same operation on slices of its operands, of which the tile is
/// cut out where windows reach over its ends. Reports dimensions that cannot be
/// cut.
FailureOr<TilingResult> createScatterTile(OpBuilder &b, MaxUnpoolOp op,
                                          ArrayRef<OpFoldResult> offsets,
                                          ArrayRef<OpFoldResult> sizes);
FailureOr<TilingResult> createScatterTile(OpBuilder &b, AvgPoolGradOp op,
                                          ArrayRef<OpFoldResult> offsets,
                                          ArrayRef<OpFoldResult> sizes);
FailureOr<TilingResult> createScatterTile(OpBuilder &b,
                                          ExtremumGradOpInterface op,
                                          ArrayRef<OpFoldResult> offsets,
                                          ArrayRef<OpFoldResult> sizes);

// What adaptive operations share.
SmallVector<Range> getAdaptiveDomain(OpBuilder &b, AdaptiveOpInterface op);
LogicalResult
reifyAdaptiveShape(OpBuilder &b, AdaptiveOpInterface op,
                   ReifiedRankedShapedTypeDims &reifiedReturnShapes);
void populateAdaptiveBounds(AdaptiveOpInterface op, Value value, int64_t dim,
                            ValueBoundsConstraintSet &cstr);
Speculation::Speculatability getAdaptiveSpeculatability(AdaptiveOpInterface op);
void generateAdaptiveChecks(OpBuilder &b, Location loc, AdaptiveOpInterface op,
                            MessageFn generateErrorMessage);

/// `shape` as the reified shape of a result of the ranked type `declared`: a
/// value where that says `?`, even if the extent is known.
SmallVector<OpFoldResult> reifyAs(OpBuilder &b, Location loc,
                                  ArrayRef<OpFoldResult> shape, Type declared);
} // namespace mlir::pool::detail

namespace mlir::pool {
/// `positions [base, strides...]` of window_reduce, absent where the list is
/// empty.
ParseResult
parsePositions(OpAsmParser &parser,
               SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values,
               DenseI64ArrayAttr &integers);
void printPositions(OpAsmPrinter &printer, Operation *op, OperandRange values,
                    DenseI64ArrayAttr integers);

/// Canonicalisations of adaptive pooling whose windows are those of an ordinary
/// operation, which they become.
void populateRegularAdaptivePatterns(RewritePatternSet &patterns);
/// True if they apply to `op`.
bool hasRegularWindows(AdaptiveOpInterface op);
} // namespace mlir::pool

#define GET_OP_CLASSES
#include "pool/Dialect/Pool/IR/PoolOps.h.inc"

namespace mlir::pool {
/// Creates the operation `name` of the dialect, which must be loaded, without
/// inserting it. Attributes that are not in `properties` have their defaults;
/// one that the operation does not have, or that is there twice, is an error.
/// Without `results` their types are inferred, and those of indices added, of
/// `indexElementType` unless null, as it is with `results`. Null after an
/// error.
Operation *createByName(Location loc, StringRef name, ValueRange operands,
                        ArrayRef<NamedAttribute> properties,
                        TypeRange results = {}, Type indexElementType = {});

/// The pooling operation that chooses by `reduction`: max_pool for the maximum.
/// Indices are of `indexElementType` unless null. The types must be inferable.
ExtremumOpInterface createExtremumPool(OpBuilder &b, Location loc,
                                       Reduction reduction, Value input,
                                       const WindowAttrs &window,
                                       const ExtremumModes &modes,
                                       Type indexElementType = {});
AvgPoolOp createAvgPool(OpBuilder &b, Location loc, Value input,
                        const WindowAttrs &window, const AverageModes &modes);
} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_POOL_H
