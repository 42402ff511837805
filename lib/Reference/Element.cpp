// Converts between stored elements and values, and checks tensors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Element.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/Support/DebugStringHelper.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/Dialect/Pool/IR/Quantization.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <limits>
#include <new>

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::reference;
using llvm::formatv;

//===----------------------------------------------------------------------===//
// ElementFormat
//===----------------------------------------------------------------------===//

std::optional<ElementFormat> ElementFormat::get(Type type) {
  ElementFormat format;
  if (isPoolFloat(type)) {
    format.width = cast<FloatType>(type).getWidth();
    format.semantics = &cast<FloatType>(type).getFloatSemantics();
    return format;
  }
  if (isa<IndexType>(type)) {
    format.width = IndexType::kInternalStorageBitWidth;
    return format;
  }
  auto integer = dyn_cast<IntegerType>(getStoredType(type));
  if (!integer || integer.getWidth() < 1 || integer.getWidth() > 64)
    return std::nullopt;
  format.width = integer.getWidth();
  format.isSigned = !integer.isUnsigned();
  format.lowest = format.isSigned ? -(Wide(1) << (format.width - 1)) : Wide(0);
  format.largest =
      (Wide(1) << (format.isSigned ? format.width - 1 : format.width)) - 1;
  if (isQuantized(type)) {
    auto quantized = cast<quant::QuantizedType>(type);
    format.lowest = quantized.getStorageTypeMin();
    format.largest = quantized.getStorageTypeMax();
  }
  return format;
}

int64_t ElementFormat::getBytes() const {
  return llvm::PowerOf2Ceil(llvm::divideCeil(width, 8u));
}

uint64_t ElementFormat::loadBits(const Tensor &tensor, int64_t position) const {
  const char *from = tensor.data.data() + position * getBytes();
  APInt bits(64, 0);
  llvm::LoadIntFromMemory(bits, reinterpret_cast<const uint8_t *>(from),
                          getBytes());
  return bits.getZExtValue();
}

void ElementFormat::storeBits(Tensor &tensor, int64_t position,
                              uint64_t bits) const {
  char *to = tensor.data.data() + position * getBytes();
  llvm::StoreIntToMemory(APInt(64, bits), reinterpret_cast<uint8_t *>(to),
                         getBytes());
}

namespace mlir::pool::reference {

template <>
double ElementFormat::load<double>(const Tensor &tensor,
                                   int64_t position) const {
  uint64_t bits = loadBits(tensor, position);
  if (width == 64)
    return llvm::bit_cast<double>(bits);
  if (width == 32)
    return llvm::bit_cast<float>(static_cast<uint32_t>(bits));
  return APFloat(*semantics, APInt(width, bits)).convertToDouble();
}

template <>
void ElementFormat::store<double>(Tensor &tensor, int64_t position,
                                  double value) const {
  APFloat rounded(value);
  bool losesInfo;
  rounded.convert(*semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  storeBits(tensor, position, rounded.bitcastToAPInt().getZExtValue());
}

template <>
Wide ElementFormat::load<Wide>(const Tensor &tensor, int64_t position) const {
  uint64_t bits = loadBits(tensor, position);
  if (isSigned)
    return llvm::SignExtend64(bits, width);
  return bits & llvm::maskTrailingOnes<uint64_t>(width);
}

template <>
void ElementFormat::store<Wide>(Tensor &tensor, int64_t position,
                                Wide value) const {
  storeBits(tensor, position,
            static_cast<uint64_t>(value) &
                llvm::maskTrailingOnes<uint64_t>(width));
}

template <>
double ElementFormat::getLowest<double>() const {
  return -std::numeric_limits<double>::infinity();
}

template <>
Wide ElementFormat::getLowest<Wide>() const {
  return lowest;
}

template <>
double ElementFormat::getLargest<double>() const {
  return std::numeric_limits<double>::infinity();
}

template <>
Wide ElementFormat::getLargest<Wide>() const {
  return largest;
}

} // namespace mlir::pool::reference

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kUnsupportedType =
    "the reference interpreter does not support the type ";

/// Returns the number of bytes of a tensor, or none if it does not fit int64.
/// Requires that no extent is negative.
static std::optional<int64_t> getBytes(const ElementFormat &format,
                                       ArrayRef<int64_t> shape) {
  SmallVector<int64_t> factors(shape);
  factors.push_back(format.getBytes());
  return getProduct(factors);
}

FailureOr<Tensor> reference::allocate(ErrorFn emitError, Type elementType,
                                      ArrayRef<int64_t> shape) {
  std::optional<ElementFormat> format = ElementFormat::get(elementType);
  if (!format)
    return emitError(kUnsupportedType + debugString(elementType));
  std::optional<int64_t> bytes = getBytes(*format, shape);
  // Test with operator new whether there is enough memory: without exceptions,
  // std::vector cannot report a failed allocation. Compilers do not remove a
  // direct call of operator new.
  void *probe = bytes ? ::operator new(*bytes, std::nothrow) : nullptr;
  ::operator delete(probe, std::nothrow);
  if (!probe)
    return emitError(formatv("memory cannot hold a result of type {0}",
                             RankedTensorType::get(shape, elementType)));
  Tensor tensor;
  tensor.elementType = elementType;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.data.resize(*bytes);
  return tensor;
}

Results reference::allocateResults(Operation *op, ArrayRef<int64_t> shape) {
  OpErrors emitError{op};
  for (int64_t extent : shape)
    if (extent < 0)
      return emitError(formatv("an extent is {0}", extent));
  SmallVector<Tensor> results;
  for (Type type : op->getResultTypes()) {
    FailureOr<Tensor> result =
        allocate(emitError, getElementTypeOrSelf(type), shape);
    if (failed(result))
      return failure();
    results.push_back(std::move(*result));
  }
  return results;
}

LogicalResult reference::checkType(ErrorFn emitError, const Twine &name,
                                   const Tensor &tensor, Type type) {
  auto emit = [&](const Twine &text) -> LogicalResult {
    return emitError(name + ": " + text);
  };
  auto tensorType = dyn_cast<TensorType>(type);
  Type elementType = tensorType ? tensorType.getElementType() : type;
  std::optional<ElementFormat> format = ElementFormat::get(elementType);
  if (!format)
    return emit(kUnsupportedType + debugString(type));
  if (tensor.elementType != elementType)
    return emit(formatv("the element type is {0}, the type {1} requires {2}",
                        tensor.elementType, type, elementType));

  // A scalar has rank 0. An unranked tensor may have any rank.
  ArrayRef<int64_t> extents = tensor.shape;
  ArrayRef<int64_t> declared = extents;
  if (auto ranked = dyn_cast<RankedTensorType>(type))
    declared = ranked.getShape();
  else if (!tensorType)
    declared = {};
  if (extents.size() != declared.size())
    return emit(formatv("the rank is {0}, the type {1} requires {2}",
                        extents.size(), type, declared.size()));
  for (size_t d = 0; d < extents.size(); ++d) {
    if (extents[d] < 0)
      return emit(formatv("dimension {0} has extent {1}, must be at least 0", d,
                          extents[d]));
    if (!ShapedType::isDynamic(declared[d]) && extents[d] != declared[d])
      return emit(formatv("dimension {0} has extent {1}, the type {2} requires "
                          "{3}",
                          d, extents[d], type, declared[d]));
  }

  std::optional<int64_t> bytes = getBytes(*format, extents);
  if (!bytes || *bytes != static_cast<int64_t>(tensor.data.size()))
    return emit(formatv(
        "the data has {0} bytes, the shape requires {1}", tensor.data.size(),
        bytes ? std::to_string(*bytes) : std::string("2^63 or more")));
  return success();
}
