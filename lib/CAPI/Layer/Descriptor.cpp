// Reads descriptors of arrays. Checks their fields, and replaces zeros by the
// default values.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayerError.h"
#include "LayerSpec.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <cstring>
#include <optional>

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::capi;

/// The element types in the order of PoolLayerDataType, beginning with Float16.
static constexpr DType kTypes[] = {
    {DType::Kind::Float, 2},    {DType::Kind::BFloat, 2},
    {DType::Kind::Float, 4},    {DType::Kind::Float, 8},
    {DType::Kind::Signed, 1},   {DType::Kind::Signed, 2},
    {DType::Kind::Signed, 4},   {DType::Kind::Signed, 8},
    {DType::Kind::Unsigned, 1}, {DType::Kind::Unsigned, 2},
    {DType::Kind::Unsigned, 4}, {DType::Kind::Unsigned, 8}};
static_assert(PoolLayerDataTypeFloat16 == 1 &&
              PoolLayerDataTypeUInt64 == std::size(kTypes));

namespace {
/// Reads and checks all fields of a descriptor except `layout` and `data`.
class Reader {
public:
  Reader(const PoolLayerDescriptor &descriptor, llvm::StringRef name)
      : descriptor(descriptor), name(name) {}

  llvm::Error fail(const llvm::Twine &field, const llvm::Twine &what) const {
    return makeFieldError(name + "." + field, what);
  }

  /// Reads the element type, scale and bias, and the sizes and strides of
  /// `rank` dimensions. Fails if a value is invalid or a further dimension has
  /// a size or stride.
  llvm::Error read(unsigned rank);

  DType element;
  float scale = 1, bias = 0;
  /// Sizes and strides in the order of the descriptor, the fastest dimension
  /// first.
  llvm::SmallVector<int64_t, 3> sizes, strides;
  int64_t span = 0;
  bool isPacked = true;

private:
  llvm::Error readElement();
  llvm::Error readExtents(unsigned rank);

  const PoolLayerDescriptor &descriptor;
  llvm::StringRef name;
};
} // namespace

llvm::Error Reader::readElement() {
  auto type = static_cast<size_t>(descriptor.data_type);
  if (type < 1 || type > std::size(kTypes))
    return fail("data_type", "is " + llvm::Twine(descriptor.data_type) +
                                 ", which is no PoolLayerDataType");
  element = kTypes[type - 1];
  if (!std::isfinite(descriptor.data_scale))
    return fail("data_scale", "is not finite");
  if (!std::isfinite(descriptor.data_bias))
    return fail("data_bias", "is not finite");
  if (descriptor.data_scale == 0) {
    if (descriptor.data_bias != 0)
      return fail("data_bias", "is not 0 although data_scale is");
    return llvm::Error::success();
  }
  scale = descriptor.data_scale;
  bias = descriptor.data_bias;
  if (!element.isInteger()) {
    if (scale != 1)
      return fail("data_scale", "is for integers; that of floats is 0 or 1");
    if (bias != 0)
      return fail("data_bias", "is for integers; that of floats is 0");
  }
  return llvm::Error::success();
}

llvm::Error Reader::readExtents(unsigned rank) {
  for (unsigned i = rank; i < POOL_LAYER_MAX_DIMENSIONS; ++i)
    for (auto [field, value] : {std::pair("size[", descriptor.size[i]),
                                std::pair("stride[", descriptor.stride[i])})
      if (value != 0)
        return fail(field + llvm::Twine(i) + "]",
                    "is " + llvm::Twine(value) + ", but the layout has " +
                        llvm::Twine(rank) + " dimension(s)");
  // Limit of sizes and strides in elements. It is so far below the maximum of
  // int64_t that the casts to int64_t and `last + 1` do not overflow.
  const auto limit = static_cast<uint64_t>(kAddressable) / element.size;
  int64_t last = 0, packed = 1;
  for (unsigned i = 0; i < rank; ++i) {
    uint64_t size = descriptor.size[i];
    if (size == 0)
      return fail("size[" + llvm::Twine(i) + "]", "is 0, but must be positive");
    uint64_t stride = descriptor.stride[i];
    if (stride == 0)
      stride = i == 0 ? 1
                      : llvm::SaturatingMultiply<uint64_t>(strides.back(),
                                                           sizes.back());
    bool overflowed = size > limit || stride > limit;
    uint64_t reach =
        overflowed ? limit
                   : llvm::SaturatingMultiplyAdd<uint64_t>(
                         size - 1, size == 1 ? 0 : stride, last, &overflowed);
    uint64_t count =
        overflowed
            ? limit
            : llvm::SaturatingMultiply<uint64_t>(packed, size, &overflowed);
    if (overflowed || reach >= limit || count >= limit)
      return fail("size[" + llvm::Twine(i) + "]",
                  "is " + llvm::Twine(size) + " at a stride of " +
                      llvm::Twine(stride) +
                      ", with which the array is larger than any memory");
    sizes.push_back(size);
    strides.push_back(stride);
    // The stride of a dimension of extent 1 has no effect, so it makes no gap.
    if (size > 1 && stride != static_cast<uint64_t>(packed))
      isPacked = false;
    last = reach;
    packed = count;
  }
  span = last + 1;
  return llvm::Error::success();
}

llvm::Error Reader::read(unsigned rank) {
  if (llvm::Error error = readElement())
    return error;
  return readExtents(rank);
}

llvm::Expected<ImageSpec>
capi::getImageSpec(const PoolLayerDescriptor &descriptor,
                   llvm::StringRef name) {
  Reader reader(descriptor, name);
  if (descriptor.layout != PoolLayerLayoutImageCHW &&
      descriptor.layout != PoolLayerLayoutImageHWC)
    return reader.fail("layout", "is " + llvm::Twine(descriptor.layout) +
                                     ", but must be PoolLayerLayoutImageCHW (" +
                                     llvm::Twine(PoolLayerLayoutImageCHW) +
                                     ") or PoolLayerLayoutImageHWC (" +
                                     llvm::Twine(PoolLayerLayoutImageHWC) +
                                     ")");
  if (descriptor.data)
    return reader.fail("data", "must be null: images are arguments of "
                               "poolLayerApply");
  if (llvm::Error error = reader.read(/*rank=*/3))
    return std::move(error);

  ImageSpec image;
  image.element = reader.element;
  image.layout = descriptor.layout == PoolLayerLayoutImageCHW
                     ? Layout::ChannelsFirst
                     : Layout::ChannelsLast;
  llvm::copy(llvm::reverse(reader.sizes), image.extents.begin());
  llvm::copy(llvm::reverse(reader.strides), image.strides.begin());
  image.span = reader.span;
  image.isPacked = reader.isPacked;
  image.scale = reader.scale;
  image.bias = reader.bias;
  return image;
}

bool ImageSpec::hasDistinctElements() const {
  SmallVector<std::pair<int64_t, int64_t>, 3> dims;
  for (auto [stride, extent] : llvm::zip_equal(strides, extents))
    if (extent > 1)
      dims.emplace_back(stride, extent);
  llvm::sort(dims);
  // `reach` is the largest offset of an element in the dimensions with smaller
  // strides. The next stride must be larger.
  int64_t reach = 0;
  for (auto [stride, extent] : dims) {
    if (stride <= reach)
      return false;
    reach += (extent - 1) * stride;
  }
  return true;
}

std::optional<std::array<int64_t, 3>> ImageSpec::getEnclosingExtents() const {
  if (strides[2] != 1 || strides[0] % strides[1] != 0)
    return std::nullopt;
  std::array<int64_t, 3> outer = {extents[0], strides[0] / strides[1],
                                  strides[1]};
  if (outer[1] < extents[1] || outer[2] < extents[2])
    return std::nullopt;
  return outer;
}

/// Returns the stored element at `data` as f64, without scale and bias. Rounds
/// 64-bit integers that f64 cannot represent.
static double readElement(const char *data, DType dtype) {
  auto read = [&](auto value) {
    std::memcpy(&value, data, sizeof(value));
    return value;
  };
  auto readHalf = [&](const llvm::fltSemantics &semantics) {
    return llvm::APFloat(semantics, llvm::APInt(16, read(uint16_t())))
        .convertToDouble();
  };
  auto readInteger = [&](auto byte, auto half, auto word, auto wide) -> double {
    switch (dtype.size) {
    case 1:
      return read(byte);
    case 2:
      return read(half);
    case 4:
      return read(word);
    default:
      return static_cast<double>(read(wide));
    }
  };
  switch (dtype.kind) {
  case DType::Kind::Bool:
    break;
  case DType::Kind::Float:
    if (dtype.size == 2)
      return readHalf(llvm::APFloat::IEEEhalf());
    return dtype.size == 4 ? read(float()) : read(double());
  case DType::Kind::BFloat:
    return readHalf(llvm::APFloat::BFloat());
  case DType::Kind::Signed:
    return readInteger(int8_t(), int16_t(), int32_t(), int64_t());
  case DType::Kind::Unsigned:
    return readInteger(uint8_t(), uint16_t(), uint32_t(), uint64_t());
  }
  llvm_unreachable("no layer has booleans");
}

llvm::Expected<Buffer> capi::getChannelBias(const PoolLayerDescriptor &bias,
                                            int64_t numChannels, bool isWide) {
  if (!bias.data) {
    // Reject a null pointer if there is a size: the caller has most likely
    // forgotten the data.
    if (llvm::any_of(bias.size, [](size_t size) { return size != 0; }))
      return makeFieldError("bias.data", "is null although bias.size is not 0");
    return Buffer();
  }
  Reader reader(bias, "bias");
  if (bias.layout != PoolLayerLayoutVector)
    return reader.fail("layout", "is " + llvm::Twine(bias.layout) +
                                     ", but must be PoolLayerLayoutVector (" +
                                     llvm::Twine(PoolLayerLayoutVector) + ")");
  if (llvm::Error error = reader.read(/*rank=*/1))
    return std::move(error);
  if (reader.sizes[0] != numChannels)
    return reader.fail("size[0]", "is " + llvm::Twine(reader.sizes[0]) +
                                      ", but there are " +
                                      llvm::Twine(numChannels) + " channel(s)");
  const unsigned size = isWide ? sizeof(double) : sizeof(float);
  llvm::Expected<Buffer> buffer =
      Buffer::allocate(numChannels * size, GuardMode::None);
  if (!buffer)
    return makeError(PoolLayerStatusOutOfMemory,
                     "bias: " + llvm::toString(buffer.takeError()));
  const auto *data = static_cast<const char *>(bias.data);
  for (int64_t i = 0; i < numChannels; ++i) {
    double value = readElement(
        data + i * reader.strides[0] * reader.element.size, reader.element);
    value = value * reader.scale + reader.bias;
    auto narrow = static_cast<float>(value);
    std::memcpy(buffer->data() + i * size,
                isWide ? static_cast<const void *>(&value) : &narrow, size);
  }
  return buffer;
}
