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
#include "pool/Support/WindowRules.h"

#include "pool/Dialect/Pool/IR/PoolDialect.h.inc"

namespace mlir::pool::detail {
/// The window parameters of an operation or of its adaptor, as views into it.
template <typename OpOrAdaptor>
WindowAttrs getWindowAttrs(OpOrAdaptor &&op) {
  WindowAttrs window;
  window.kernel = op.getKernel();
  window.strides = op.getStrides();
  window.dilations = op.getDilations();
  window.padsBegin = op.getPadsBegin();
  window.padsEnd = op.getPadsEnd();
  window.modes = {op.getRoundingType(), op.getAutoPad(), op.getSameOutput()};
  window.layout = op.getLayout();
  return window;
}
} // namespace mlir::pool::detail

#include "pool/Dialect/Pool/IR/PoolInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "pool/Dialect/Pool/IR/PoolAttributes.h.inc"

namespace mlir::pool::detail {
/// Reads the properties of any operation of the dialect from bytecode: a
/// dictionary. `properties` points to those of `state`.
LogicalResult readProperties(DialectBytecodeReader &reader,
                             OperationState &state,
                             OpaqueProperties properties);
/// What the window operations share in their interfaces' methods.
SmallVector<Range> getOutputDomain(OpBuilder &b, WindowOpInterface op);
/// The loops of adaptive pooling.
SmallVector<Range> getAdaptiveDomain(OpBuilder &b, Operation *op, Value input,
                                     ArrayRef<int64_t> outputSize,
                                     Layout layout);
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
} // namespace mlir::pool

#define GET_OP_CLASSES
#include "pool/Dialect/Pool/IR/PoolOps.h.inc"

#endif // POOL_DIALECT_POOL_IR_POOL_H
