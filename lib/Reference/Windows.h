// Enumerates the elements of a window, and computes extrema and averages of
// them. All window operations of the interpreter use this.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_REFERENCE_WINDOWS_H
#define POOL_LIB_REFERENCE_WINDOWS_H

#include "Element.h"

#include "pool/Support/WindowRules.h"

#include <cmath>

namespace mlir::pool::reference {

/// Calls `visit` with every index that is below `extents` in all dimensions, in
/// row-major order. Stops and fails at the first call that fails.
LogicalResult
visitIndices(ArrayRef<int64_t> extents,
             function_ref<LogicalResult(ArrayRef<int64_t>)> visit);
/// Calls `visit` with every index that is below `extents` in all dimensions, in
/// row-major order.
void forEachIndex(ArrayRef<int64_t> extents,
                  function_ref<void(ArrayRef<int64_t>)> visit);

/// Returns the row-major position of the element `index` in a tensor of
/// `shape`.
int64_t flatten(ArrayRef<int64_t> index, ArrayRef<int64_t> shape);

/// Stores an index at the row-major position `result` of `indices`. The element
/// that it names has the row-major position `position` in an input of `shape`.
/// The index counts only over the dimensions from `axis` on.
void storeIndex(Tensor &indices, int64_t result, int64_t position,
                ArrayRef<int64_t> shape, int64_t axis);

/// The windows of an operation on an input of known extents. The parameter
/// `output` of a function is the index of a result, including batch and
/// channel.
class Windows {
public:
  /// Requires that inferWindowShape or verifyWindowReduceShape has accepted the
  /// extents.
  Windows(const WindowAttrs &attrs, ArrayRef<int64_t> inputShape);

  /// Calls `visit` with the row-major position of every input element in the
  /// window of `output`, in row-major order. Returns the number of these
  /// elements.
  int64_t forEachElement(ArrayRef<int64_t> output,
                         function_ref<void(int64_t)> visit) const;

  /// Returns the number of positions of a window, including padding and
  /// overhang.
  int64_t getNumPositions() const { return *getProduct(attrs.kernel); }

  /// Returns how many positions `divisor` counts in the window of `output`.
  int64_t getCount(Divisor divisor, ArrayRef<int64_t> output) const;

private:
  WindowAttrs attrs;
  ArrayRef<int64_t> inputShape;
  SmallVector<ResolvedDim> dims;
};

inline bool isNaN(double value) { return std::isnan(value); }
inline bool isNaN(Wide) { return false; }

/// True if the maximum (or minimum) of both numbers is `value` and not `other`.
/// False if they are equal or one of them is NaN.
template <typename ValueT>
bool isPreferred(Reduction reduction, ValueT value, ValueT other) {
  return isMaximum(reduction) ? value > other : value < other;
}

/// Returns the value of an extremum over no elements.
template <typename ValueT>
ValueT getIdentity(const ElementFormat &format, Reduction reduction) {
  return isMaximum(reduction) ? format.getLowest<ValueT>()
                              : format.getLargest<ValueT>();
}

/// Computes the maximum or minimum of the elements passed to `visit`, and the
/// position of the first element with this value. With NanMode::Propagate, the
/// first NaN is chosen instead, if there is one.
template <typename ValueT>
class Extremum {
public:
  Extremum(const ElementFormat &format, Reduction reduction, NanMode nanMode)
      : reduction(reduction), nanMode(nanMode),
        best(getIdentity<ValueT>(format, reduction)) {}

  void visit(int64_t position, ValueT value) {
    if (!first)
      first = position;
    if (ignoresNaN(nanMode) && isNaN(value))
      return;
    if (!chosen || isPreferred(reduction, value, best) ||
        (isNaN(value) && !isNaN(best))) {
      best = value;
      chosen = position;
    }
  }

  /// Returns the chosen value, or the identity if no element was chosen.
  ValueT getValue() const { return best; }
  /// Returns the extremum of the chosen value and of `padding`.
  ValueT getValueWith(ValueT padding) const {
    return isPreferred(reduction, padding, best) ? padding : best;
  }
  /// Returns the position of the chosen element. Returns none if no element was
  /// visited, or if all visited elements are NaNs that are ignored.
  std::optional<int64_t> getChosen() const { return chosen; }
  /// Returns the position of the chosen element. If no element was chosen,
  /// returns the position of the first visited element, or none if no element
  /// was visited.
  std::optional<int64_t> getPosition() const { return chosen ? chosen : first; }

private:
  Reduction reduction;
  NanMode nanMode;
  ValueT best;
  std::optional<int64_t> chosen, first;
};

/// Returns `sum / divisor` in f64; 0/0 is NaN. The other parameters have an
/// effect for integers only.
double getAverage(const ElementFormat &format, double sum, int64_t divisor,
                  IntegerRounding rounding, int64_t outputZp);

/// Returns `sum / divisor`, rounded to an integer, plus the zero point, clamped
/// to the range of the type. A quotient with divisor 0 counts as 0.
Wide getAverage(const ElementFormat &format, Wide sum, int64_t divisor,
                IntegerRounding rounding, int64_t outputZp);

} // namespace mlir::pool::reference

#endif // POOL_LIB_REFERENCE_WINDOWS_H
