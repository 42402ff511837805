// Checks the sizes of buffers that lowerings allocate: the byte counts must fit
// int64.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/BufferSizes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

#include <limits>
#include <string>

using namespace mlir;
using namespace mlir::pool;

bool pool::hasByteCount(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> factors = {kElementBytes};
  llvm::copy_if(shape, std::back_inserter(factors),
                [](int64_t extent) { return !ShapedType::isDynamic(extent); });
  return getProduct(factors).has_value();
}

int64_t pool::getCoveredExtent(const ResolvedDim &dim) {
  // Each of the two summands fits int64, but their sum may not.
  return llvm::checkedAdd<int64_t>(dim.input + dim.padBegin,
                                   dim.getCoveredEnd())
      .value_or(std::numeric_limits<int64_t>::max());
}

bool pool::mayLackByteCount(ArrayRef<int64_t> shape, RankedTensorType input) {
  if (!ShapedType::isDynamicShape(shape))
    return !hasByteCount(shape);
  // The input exists, so the address space bounds the product of its unknown
  // extents.
  Type type = input.getElementType();
  // Assume a byte for a quantized element, which takes at least that.
  int64_t known = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() / 8 : 1;
  for (int64_t extent : input.getShape())
    if (!ShapedType::isDynamic(extent))
      known = llvm::checkedMul(known, std::max<int64_t>(extent, 1))
                  .value_or(kAddressable);
  SmallVector<int64_t> factors(shape);
  factors.push_back(std::max<int64_t>(kAddressable / known, 1));
  return !hasByteCount(factors);
}

bool pool::mayLackByteCount(RankedTensorType input, const WindowAttrs &window) {
  SmallVector<int64_t> covered = {input.getDimSize(0),
                                  input.getDimSize(window.getChannelDim())};
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    unsigned d = window.getSpatialDim(i);
    WindowDim dim = window.getDim(i);
    if (!input.isDynamicDim(d)) {
      covered.push_back(getCoveredExtent(
          *resolveDim(input.getDimSize(d), dim, window.modes)));
      continue;
    }
    // Append the largest factor by which padding can enlarge the extent; the
    // smallest legal extent has the largest factor. Explicit pads and the
    // overhang of ceil add at most the pads and `stride - 1`. With same_*, the
    // factor is at most the window's extent plus the stride, or plus 1 if the
    // output has the strided extent.
    covered.push_back(ShapedType::kDynamic);
    int64_t least = getInputRange(dim, window.modes).min;
    auto add = [](int64_t lhs, int64_t rhs) {
      return llvm::checkedAdd(lhs, rhs).value_or(kAddressable);
    };
    if (window.modes.isSame()) {
      covered.push_back(
          add(*getWindowExtent(dim),
              keepsExtent(window.modes.sameOutput) ? dim.stride : 1));
      continue;
    }
    auto [padBegin, padEnd] = getGivenPads(dim, window.modes);
    int64_t added = padBegin + padEnd;
    if (roundsUp(window.modes.rounding))
      added = add(added, dim.stride - 1);
    covered.push_back(add(1, llvm::divideCeil(added, least)));
  }
  return mayLackByteCount(covered, input);
}

LogicalResult pool::verifyBufferSizes(ErrorFn emitError, RankedTensorType input,
                                      const WindowAttrs &window) {
  SmallVector<int64_t> output = {input.getDimSize(0),
                                 input.getDimSize(window.getChannelDim())};
  SmallVector<int64_t> covered = output;
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    unsigned d = window.getSpatialDim(i);
    WindowDim dim = window.getDim(i);
    int64_t extent = input.isDynamicDim(d)
                         ? getInputRange(dim, window.modes).min
                         : input.getDimSize(d);
    ResolvedDim resolved = *resolveDim(extent, dim, window.modes);
    output.push_back(resolved.output);
    covered.push_back(getCoveredExtent(resolved));
  }
  const SmallVector<int64_t> &shape = hasByteCount(output) ? covered : output;
  if (hasByteCount(shape))
    return success();
  auto print = [](int64_t extent) {
    return ShapedType::isDynamic(extent) ? "?" : std::to_string(extent);
  };
  return emitError(
      "cannot be lowered: the output, or the input with its padding, has more "
      "bytes than a 64-bit integer counts: " +
      llvm::join(llvm::map_range(shape, print), " x ") + " elements");
}
