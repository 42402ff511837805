// What one window of a pooling operation holds, and what is computed from it;
// shared by all operations that have windows.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_REFERENCE_WINDOWS_H
#define POOL_LIB_REFERENCE_WINDOWS_H

#include "Element.h"

#include "pool/Support/WindowRules.h"

#include <cmath>

namespace mlir::pool::reference {

/// Calls `visit` with every index below `extents`, in row-major order.
void forEachIndex(ArrayRef<int64_t> extents,
                  function_ref<void(ArrayRef<int64_t>)> visit);

/// The row-major position of an element of a tensor of `shape`.
int64_t flatten(ArrayRef<int64_t> index, ArrayRef<int64_t> shape);

/// The windows of an operation over an input of known extents. `output` is
/// always an index into the results, batch and channel included.
class Windows {
public:
  /// The extents must have been accepted by inferWindowShape.
  Windows(const WindowAttrs &attrs, ArrayRef<int64_t> inputShape);

  /// Calls `visit` with the flat position of every element of the input that
  /// the window holds, in row-major order. Returns how many there are.
  int64_t forEachElement(ArrayRef<int64_t> output,
                         function_ref<void(int64_t)> visit) const;

  /// How many positions a window has, padding and overhang included.
  int64_t getNumPositions() const { return *getProduct(attrs.kernel); }

  /// How many positions of the window `divisor` counts.
  int64_t getCount(Divisor divisor, ArrayRef<int64_t> output) const;

private:
  WindowAttrs attrs;
  ArrayRef<int64_t> inputShape;
  SmallVector<ResolvedDim> dims;
};

inline bool isNaN(double value) { return std::isnan(value); }
inline bool isNaN(Wide) { return false; }

/// True if an extremum prefers `value` to `other`, neither being NaN.
template <typename ValueT>
bool isPreferred(Reduction reduction, ValueT value, ValueT other) {
  return reduction == Reduction::Max ? value > other : value < other;
}

/// What an extremum gives where it chooses nothing.
template <typename ValueT>
ValueT getIdentity(const ElementFormat &format, Reduction reduction) {
  return reduction == Reduction::Max ? format.getLowest<ValueT>()
                                     : format.getLargest<ValueT>();
}

/// The element that an extremum chooses of those that `visit` has seen, and
/// where it is.
template <typename ValueT>
class Extremum {
public:
  Extremum(const ElementFormat &format, Reduction reduction, NanMode nanMode)
      : reduction(reduction), nanMode(nanMode),
        best(getIdentity<ValueT>(format, reduction)) {}

  void visit(int64_t position, ValueT value) {
    if (!first)
      first = position;
    if (nanMode == NanMode::Ignore && isNaN(value))
      return;
    if (!chosen || isPreferred(reduction, value, best) ||
        (isNaN(value) && !isNaN(best))) {
      best = value;
      chosen = position;
    }
  }

  /// The identity if nothing was chosen.
  ValueT getValue() const { return best; }
  /// The value with padding that counts as `padding`.
  ValueT getValueWith(ValueT padding) const {
    return isPreferred(reduction, padding, best) ? padding : best;
  }
  /// Of the chosen element; nothing chosen: of the first; nothing seen: none.
  std::optional<int64_t> getPosition() const { return chosen ? chosen : first; }

private:
  Reduction reduction;
  NanMode nanMode;
  ValueT best;
  std::optional<int64_t> chosen, first;
};

/// `sum / divisor` in f64; 0/0 is NaN. The other parameters are of integers.
double getAverage(const ElementFormat &format, double sum, int64_t divisor,
                  IntegerRounding rounding, int64_t outputZp);

/// The exact quotient, rounded; 0/0 is 0. Then the zero point, saturated.
Wide getAverage(const ElementFormat &format, Wide sum, int64_t divisor,
                IntegerRounding rounding, int64_t outputZp);

} // namespace mlir::pool::reference

#endif // POOL_LIB_REFERENCE_WINDOWS_H
