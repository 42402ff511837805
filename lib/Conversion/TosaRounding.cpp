// Compares TOSA's integer division, a multiplication by a reciprocal, with
// exact rounding.
//
// For the sum x of a window of c elements, 2^(k-1) < c <= 2^k, TOSA computes
//
//   floor(x * m / 2^(30+k) + 1/2),  m = floor((2^30 + 1) * 2^k / c)
//
// Hence m / 2^(30+k) = 1/c + e with 0 < e <= 2^-30 / c: TOSA adds the error x *
// e to the exact x/c + 1/2. This exact number is a multiple of 1/(2c), and the
// error is smaller than 1/(2c) if |x| < 2^29. So for x >= 0, the error does not
// change the floor. For x < 0, the error is negative, and changes the floor
// only if x/c + 1/2 is an integer: x/c is a half, and TOSA rounds it down, away
// from zero. Example with c = 2, k = 1:
//
//    x     x/c   x/c + 1/2   with the error   floor
//    5     2.5      3.0       a bit above 3      3
//   -5    -2.5     -2.0       a bit below -2    -3
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TosaRounding.h"

using namespace mlir;
using namespace mlir::pool;

/// Maximum number of outputs of a dimension whose counts are examined one by
/// one. A dimension with more outputs is assumed to have even counts.
static constexpr int64_t kMaxOutputs = int64_t(1) << 20;

/// True if, in a dimension of `extent`, the number of a window's positions
/// inside the input may be even. An average has a half only if it divides by an
/// even number. If the extent is unknown, any padding or overhang may leave an
/// even number.
static bool mayCountEven(int64_t extent, const WindowDim &dim,
                         const WindowModes &modes) {
  if (ShapedType::isDynamic(extent))
    return dim.kernel % 2 == 0 ||
           (dim.kernel > 1 && getPadBounds(dim, modes).coversPadding);
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
