// Reads and builds operations of StableHLO by their names. Its dialect follows
// LLVM's head and is not linked: its operations are unregistered here, no
// verifier has seen them, and what is not asked for may be anything.
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

/// Where a search through producers ends: regions of operations that nobody
/// knows may have operations that use their own results.
inline constexpr unsigned kMaxChain = 64;

/// The name of an operation of StableHLO without the dialect's; empty for any
/// other operation.
StringRef getName(Operation *op);

/// True for operations without effects, which may be erased without users.
bool isPure(Operation *op);

/// The operation `name` that defines `value` with `numOperands` operands, one
/// result and no region; null if none does.
Operation *getProducer(Value value, StringRef name, unsigned numOperands);

/// The broadcast, to known extents or others, that defines `value`; null if
/// none does. Its first operand is what is broadcast.
Operation *getBroadcast(Value value);

/// The list of `size` integers that `op` has as `name`: an array, as StableHLO
/// prints it, or a dense tensor, as older versions do. `absent` for each entry
/// without the attribute. Integers beyond 32 bits are no list of `op`'s.
std::optional<SmallVector<int64_t>> getIntegers(Operation *op, StringRef name,
                                                unsigned size, int64_t absent);

/// The `rank` pairs of the attribute `padding`; zeros without it.
std::optional<SmallVector<std::pair<int64_t, int64_t>>>
getPadding(Operation *op, unsigned rank);

/// The word of an attribute of StableHLO, `GE` of
/// `#stablehlo<comparison_direction GE>`; empty without it.
std::string getKeyword(Operation *op, StringRef name);

/// The constant `value` of a tensor, of its own type; null if none.
DenseElementsAttr getConstant(Value value);
/// The number that every element of a constant equals, converted exactly if it
/// is converted; null if none.
TypedAttr getSplat(Value value);

/// `region` if it is one block of `numArguments` scalar tensors of
/// `elementTypes`, again and again, which ends in stablehlo.return of
/// `numResults`; null otherwise.
Block *getScalarBody(Region &region, TypeRange elementTypes,
                     unsigned numArguments, unsigned numResults);

/// Creates the operation `name`, with one result.
Value create(OpBuilder &b, Location loc, StringRef name, Type result,
             ValueRange operands, ArrayRef<NamedAttribute> properties = {});
Value createConstant(OpBuilder &b, Location loc, DenseElementsAttr value);
/// A scalar tensor, or `value` in a tensor of `type`.
Value createScalar(OpBuilder &b, Location loc, TypedAttr value,
                   Type elementType);
Value createSplat(OpBuilder &b, Location loc, TypedAttr value,
                  RankedTensorType type);
/// Broadcasts `value`, whose dimension i becomes `dimensions[i]` of `type`.
Value createBroadcast(OpBuilder &b, Location loc, Value value,
                      RankedTensorType type, ArrayRef<int64_t> dimensions);

/// An attribute that the dialect would parse: `#stablehlo<text>`.
Attribute getOpaque(MLIRContext *context, const Twine &text);

} // namespace mlir::pool::hlo

#endif // POOL_LIB_CONVERSION_HLO_H
