// Reads and builds operations of StableHLO by name. Its dialect follows LLVM's
// head and is not linked, so its operations are unregistered and unverified
// here. Callers must check every operand, attribute and region that they rely
// on.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_HLO_H
#define POOL_LIB_CONVERSION_HLO_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::pool::hlo {

/// The dialect's name.
inline constexpr llvm::StringLiteral kDialect = "stablehlo";

/// Most producers that a search follows. Regions of unregistered operations may
/// have operations that use their own results.
inline constexpr unsigned kMaxChain = 64;

/// Returns the name of an operation of StableHLO without the dialect's name, or
/// an empty string for any other operation.
StringRef getName(Operation *op);

/// True for operations without effects. They may be erased if unused.
bool isPure(Operation *op);

/// Returns the operation `name` that defines `value` with `numOperands`
/// operands, one result and no region, or null.
Operation *getProducer(Value value, StringRef name, unsigned numOperands);

/// Returns the broadcast that defines `value`, to known or unknown extents, or
/// null. It broadcasts its first operand.
Operation *getBroadcast(Value value);

/// Returns the list `name` of `size` integers: an array, or a dense tensor as
/// older versions of StableHLO print it. Without the attribute, each entry is
/// `absent`. Returns nothing if an integer exceeds 32 bits.
std::optional<SmallVector<int64_t>> getIntegers(Operation *op, StringRef name,
                                                unsigned size, int64_t absent);

/// Returns the `rank` pairs of the attribute `padding`, zeros without it.
std::optional<SmallVector<std::pair<int64_t, int64_t>>>
getPadding(Operation *op, unsigned rank);

/// Returns the keyword of an attribute, such as `GE` for
/// `#stablehlo<comparison_direction GE>`; empty without it.
std::string getKeyword(Operation *op, StringRef name);

/// Returns the elements of `value` if it is a constant; else null.
DenseElementsAttr getConstant(Value value);
/// Returns the number that every element of a constant equals, or null. Looks
/// through broadcasts, reshapes and exact conversions.
TypedAttr getSplat(Value value);

/// Returns the block of `region` if it is the only one, ends in
/// stablehlo.return of `numResults` values, and has `numArguments` scalar
/// tensors as arguments. Their element types repeat `elementTypes`. Else
/// returns null.
Block *getScalarBody(Region &region, TypeRange elementTypes,
                     unsigned numArguments, unsigned numResults);

/// Creates the operation `name` with one result.
Value create(OpBuilder &b, Location loc, StringRef name, Type result,
             ValueRange operands, ArrayRef<NamedAttribute> properties = {});
Value createConstant(OpBuilder &b, Location loc, DenseElementsAttr value);
/// Creates a scalar tensor of `value`.
Value createScalar(OpBuilder &b, Location loc, TypedAttr value,
                   Type elementType);
/// Creates a tensor of `type` whose elements all are `value`.
Value createSplat(OpBuilder &b, Location loc, TypedAttr value,
                  RankedTensorType type);
/// Broadcasts `value` to `type`. Its dimension i becomes `dimensions[i]`.
Value createBroadcast(OpBuilder &b, Location loc, Value value,
                      RankedTensorType type, ArrayRef<int64_t> dimensions);

/// Returns the attribute `#stablehlo<text>`.
Attribute getOpaque(MLIRContext *context, const Twine &text);

} // namespace mlir::pool::hlo

#endif // POOL_LIB_CONVERSION_HLO_H
