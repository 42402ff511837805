// Reads and builds operations of StableHLO by name. The StableHLO dialect
// follows LLVM's head and is not linked, so its operations are unregistered and
// unverified here. Callers must check every operand, attribute and region that
// they rely on.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_UNREGISTEREDSTABLEHLO_H
#define POOL_CONVERSION_UNREGISTEREDSTABLEHLO_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::pool::hlo {

inline constexpr llvm::StringLiteral kDialect = "stablehlo";

/// Maximum number of producers that a search follows. Without this limit, a
/// search may not end: in regions of unregistered operations, an operation may
/// use its own result.
inline constexpr unsigned kMaxChain = 64;

/// Returns the name of `op` without `stablehlo.`, or an empty string if `op` is
/// of another dialect.
StringRef getName(Operation *op);

/// True if `op` may be erased when it is unused: `op` and all operations in its
/// regions are StableHLO operations, and none of them is known to have effects.
bool isPure(Operation *op);

/// Returns the operation that defines `value` if this is the StableHLO
/// operation `name` with `numOperands` operands, one result and no region.
/// Otherwise returns null.
Operation *getProducer(Value value, StringRef name, unsigned numOperands);

/// Returns the `broadcast_in_dim` or `dynamic_broadcast_in_dim` that defines
/// `value`, or null. Operand 0 is the value that it broadcasts.
Operation *getBroadcast(Value value);

/// Returns the `size` integers of the attribute `name`. The attribute is an
/// array or, as older versions of StableHLO print it, a dense tensor. If there
/// is no such attribute, returns `size` times `absent`. Returns nothing if the
/// attribute has another size or type, or if an integer does not fit 32 bits.
std::optional<SmallVector<int64_t>> getIntegers(Operation *op, StringRef name,
                                                unsigned size, int64_t absent);

/// Returns the `rank` pairs (low, high) of the attribute `padding`, or pairs of
/// zeros if there is no such attribute. Returns nothing if the attribute has
/// another shape or type, or if an integer does not fit 32 bits.
std::optional<SmallVector<std::pair<int64_t, int64_t>>>
getPadding(Operation *op, unsigned rank);

/// Returns the keyword of the attribute `name`, such as `GE` for
/// `#stablehlo<comparison_direction GE>`. Returns an empty string if there is
/// no attribute of this form.
std::string getKeyword(Operation *op, StringRef name);

/// Returns the elements of `value` if a stablehlo.constant or another constant
/// operation defines it. Otherwise, or if their type is not that of `value`,
/// returns null.
DenseElementsAttr getConstant(Value value);
/// If all elements of `value` are one known constant, returns that number as an
/// attribute of the element type. Otherwise returns null. Looks through
/// broadcasts, reshapes and exact conversions, at most kMaxChain of them.
TypedAttr getSplat(Value value);

/// Returns the only block of `region`, or null if it does not have the expected
/// form: `numArguments` arguments, which are scalar tensors, and at its end a
/// stablehlo.return of `numResults` values. Argument i must have the element
/// type `elementTypes[i % elementTypes.size()]`. Does not check the types of
/// the returned values, nor other operations.
Block *getScalarBody(Region &region, TypeRange elementTypes,
                     unsigned numArguments, unsigned numResults);

/// Creates the operation `stablehlo.name`, where `name` is the argument, and
/// returns its only result.
Value create(OpBuilder &b, Location loc, StringRef name, Type result,
             ValueRange operands, ArrayRef<NamedAttribute> properties = {});
Value createConstant(OpBuilder &b, Location loc, DenseElementsAttr value);
/// Creates a constant tensor of rank 0 that has the element `value`.
Value createScalar(OpBuilder &b, Location loc, TypedAttr value,
                   Type elementType);
/// Creates a tensor of `type` whose elements all are `value`.
Value createSplat(OpBuilder &b, Location loc, TypedAttr value,
                  RankedTensorType type);
/// Broadcasts `value` to `type`. Dimension i of `value` becomes dimension
/// `dimensions[i]` of the result.
Value createBroadcast(OpBuilder &b, Location loc, Value value,
                      RankedTensorType type, ArrayRef<int64_t> dimensions);

/// Returns the attribute `#stablehlo<text>`.
Attribute getOpaque(MLIRContext *context, const Twine &text);

} // namespace mlir::pool::hlo

#endif // POOL_CONVERSION_UNREGISTEREDSTABLEHLO_H
