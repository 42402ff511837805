// Names and sizes of element types and arrays.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/ExecutionEngine/ArrayType.h"

#include "mlir/IR/BuiltinTypes.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/Dialect/Pool/IR/Quantization.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SwapByteOrder.h"

using namespace mlir;
using namespace mlir::pool;

std::string DType::getName() const {
  std::string bits = std::to_string(size * 8);
  switch (kind) {
  case Kind::Bool:
    return "bool";
  case Kind::Signed:
    return "int" + bits;
  case Kind::Unsigned:
    return "uint" + bits;
  case Kind::Float:
    return "float" + bits;
  case Kind::BFloat:
    return "bfloat16";
  }
  llvm_unreachable("all kinds handled");
}

std::string DType::getDescr() const {
  constexpr char letters[] = {'b', 'i', 'u', 'f', 'V'};
  char order = size == 1 ? '|' : llvm::sys::IsBigEndianHost ? '>' : '<';
  return std::string{order, letters[static_cast<unsigned>(kind)]} +
         std::to_string(size);
}

std::optional<DType> mlir::pool::getDType(Type type) {
  using Kind = DType::Kind;
  if (type.isIndex())
    return DType{Kind::Signed, 8};
  if (type.isSignlessInteger(1))
    return DType{Kind::Bool, 1};
  type = getStoredType(type);
  if (!isPoolElementType(type))
    return std::nullopt;
  Kind kind = type.isBF16()              ? Kind::BFloat
              : isPoolFloat(type)        ? Kind::Float
              : type.isUnsignedInteger() ? Kind::Unsigned
                                         : Kind::Signed;
  return DType{kind, static_cast<uint8_t>(type.getIntOrFloatBitWidth() / 8)};
}

std::string ArrayType::str() const {
  // Write a tuple of one element with a comma, as NumPy does.
  return dtype.getName() + " (" +
         llvm::join(llvm::map_range(
                        shape, [](int64_t d) { return std::to_string(d); }),
                    ", ") +
         (shape.size() == 1 ? ",)" : ")");
}

std::optional<int64_t> ArrayType::getNumBytes() const {
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t bytes = dtype.size;
  for (int64_t extent : shape)
    if (llvm::MulOverflow(bytes, extent, bytes))
      return std::nullopt;
  return bytes;
}
