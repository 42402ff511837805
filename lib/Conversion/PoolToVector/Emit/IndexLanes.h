// Vectors of positions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_INDEXLANES_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_INDEXLANES_H

namespace mlir::pool {

/// Vectors of type index, or of i32 if every result is known to fit. Vectors of
/// i32 need half as many registers, and processors can multiply them.
class IndexLanes {
public:
  IndexLanes(KernelBuilder &at, int64_t length, bool isNarrow = false)
      : at(at), type(VectorType::get(length, isNarrow ? Type(at.getI32Type())
                                                      : at.getIndexType())) {}

  /// Copies `value`, of type index, to all lanes.
  Value splat(Value value) {
    Type element = type.getElementType();
    if (value.getType() != element)
      value = at.castIndex(element, value);
    return at.broadcast(type, value);
  }
  Value constant(int64_t value) {
    return at.constant(type, at.getIntegerAttr(type.getElementType(), value));
  }
  /// Converts lanes of i32.
  Value fromIntegers(Value integers) {
    return integers.getType() == type ? integers : at.castIndex(type, integers);
  }
  /// Converts to lanes of i64.
  Value toIntegers(Value lanes) {
    auto wide = type.clone(at.getI64Type());
    return type.getElementType().isIndex()
               ? at.castIndex(wide, lanes)
               : Value(arith::ExtSIOp::create(at, wide, lanes));
  }

private:
  KernelBuilder &at;
  VectorType type;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_INDEXLANES_H
