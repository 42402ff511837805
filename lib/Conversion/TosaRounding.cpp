// TOSA's integer division by a reciprocal, compared with exact rounding.
//
// With c elements in a window, 2^(k-1) < c <= 2^k, TOSA computes
//
//   floor(x * m / 2^(30+k) + 1/2),  m = floor((2^30 + 1) * 2^k / c)
//
// Hence m / 2^(30+k) = 1/c + e with 0 < e <= 2^-30 / c. The number x/c + 1/2 is
// a multiple of 1/(2c), and the error |x| * e is less than 1/(2c) if |x| <
// 2^29. For x >= 0, this error does not change the floor. For x < 0, the error
// is negative. It changes the floor only if x/c + 1/2 is a whole number, that
// is, if x/c lies halfway between two integers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TosaRounding.h"

using namespace mlir;
using namespace mlir::pool;

/// Maximum number of outputs of a dimension whose counts are examined.
static constexpr int64_t kMaxOutputs = int64_t(1) << 20;

/// True if a window may cover an even number of positions inside the input in a
/// dimension of `extent`. Only an even number of elements can give a half.
static bool mayCountEven(int64_t extent, const WindowDim &dim,
                         const WindowModes &modes) {
  bool hasPadding = dim.padBegin != 0 || dim.padEnd != 0;
  if (ShapedType::isDynamic(extent))
    return dim.kernel % 2 == 0 || (hasPadding && dim.kernel > 1);
  RuleOr<ResolvedDim> resolved = resolveDim(extent, dim, modes);
  if (!resolved || resolved->output > kMaxOutputs)
    return true;
  for (int64_t o = 0; o < resolved->output; ++o)
    if (getCount(*resolved, Divisor::Valid, o) % 2 == 0)
      return true;
  return false;
}

TosaQuotients pool::classifyTosaQuotients(RankedTensorType input,
                                          const WindowAttrs &window,
                                          int64_t inputZp) {
  unsigned width = input.getElementType().getIntOrFloatBitWidth();
  if (width > 16)
    return TosaQuotients::Imprecise;
  int64_t lowest = -(int64_t(1) << (width - 1));
  int64_t highest = -lowest - 1;
  int64_t magnitude = std::max(highest - inputZp, inputZp - lowest);
  std::optional<int64_t> count = getProduct(window.kernel);
  if (!count || *count >= (int64_t(1) << 29) / std::max<int64_t>(magnitude, 1))
    return TosaQuotients::Imprecise;

  bool hasHalves = false;
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i)
    hasHalves |= mayCountEven(input.getDimSize(window.getSpatialDim(i)),
                              window.getDim(i), window.modes);
  if (!hasHalves)
    return TosaQuotients::NoHalves;
  return inputZp <= lowest ? TosaQuotients::NoNegativeHalves
                           : TosaQuotients::AnyHalves;
}
