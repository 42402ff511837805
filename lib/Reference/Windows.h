// Elements of one window and the values computed from them, shared by all
// window operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_REFERENCE_WINDOWS_H
#define POOL_LIB_REFERENCE_WINDOWS_H

#include "Element.h"

#include "pool/Support/WindowRules.h"

#include <cmath>

namespace mlir::pool::reference {

/// Calls `visit` with every index below `extents`, in row-major order, until it
/// fails.
LogicalResult
visitIndices(ArrayRef<int64_t> extents,
             function_ref<LogicalResult(ArrayRef<int64_t>)> visit);
/// Calls `visit` with every index below `extents`, in row-major order.
void forEachIndex(ArrayRef<int64_t> extents,
                  function_ref<void(ArrayRef<int64_t>)> visit);

/// Row-major position of an element of a tensor of `shape`.
int64_t flatten(ArrayRef<int64_t> index, ArrayRef<int64_t> shape);

/// Stores the index of the element at flat position `position` of an input of
/// `shape`: the position modulo the number of positions in the dimensions from
/// `axis` on.
void storeIndex(Tensor &indices, int64_t result, int64_t position,
                ArrayRef<int64_t> shape, int64_t axis);

/// Windows of an operation over an input of known extents. Parameters `output`
/// are the coordinates of a result, batch and channel included.
class Windows {
public:
  /// inferWindowShape or verifyWindowReduceShape must have accepted the
  /// extents.
  Windows(const WindowAttrs &attrs, ArrayRef<int64_t> inputShape);

  /// Calls `visit` with the flat position of every input element of the window,
  /// in row-major order. Returns the number of elements.
  int64_t forEachElement(ArrayRef<int64_t> output,
                         function_ref<void(int64_t)> visit) const;

  /// Number of positions in a window, padding and overhang included.
  int64_t getNumPositions() const { return *getProduct(attrs.kernel); }

  /// Number of positions that `divisor` counts in the window.
  int64_t getCount(Divisor divisor, ArrayRef<int64_t> output) const;

private:
  WindowAttrs attrs;
  ArrayRef<int64_t> inputShape;
  SmallVector<ResolvedDim> dims;
};

inline bool isNaN(double value) { return std::isnan(value); }
inline bool isNaN(Wide) { return false; }

/// True if an extremum prefers `value` to `other`. False if one is NaN.
template <typename ValueT>
bool isPreferred(Reduction reduction, ValueT value, ValueT other) {
  return isMaximum(reduction) ? value > other : value < other;
}

/// Value of an extremum that chooses no element.
template <typename ValueT>
ValueT getIdentity(const ElementFormat &format, Reduction reduction) {
  return isMaximum(reduction) ? format.getLowest<ValueT>()
                              : format.getLargest<ValueT>();
}

/// Chooses the maximum or minimum of the elements passed to `visit`, and
/// remembers the position of that element.
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

  /// The chosen value, or the identity if nothing was chosen.
  ValueT getValue() const { return best; }
  /// The extremum of the chosen value and of padding with the value `padding`.
  ValueT getValueWith(ValueT padding) const {
    return isPreferred(reduction, padding, best) ? padding : best;
  }
  /// Position of the chosen element; none if nothing was chosen.
  std::optional<int64_t> getChosen() const { return chosen; }
  /// Position of the chosen element. If nothing was chosen, the position of the
  /// first visited element; none if nothing was visited.
  std::optional<int64_t> getPosition() const { return chosen ? chosen : first; }

private:
  Reduction reduction;
  NanMode nanMode;
  ValueT best;
  std::optional<int64_t> chosen, first;
};

/// Average `sum / divisor` in f64; 0/0 is NaN. The other parameters apply to
/// integers only.
double getAverage(const ElementFormat &format, double sum, int64_t divisor,
                  IntegerRounding rounding, int64_t outputZp);

/// Returns the quotient, rounded, plus the zero point, saturated. A quotient by
/// 0 counts as 0.
Wide getAverage(const ElementFormat &format, Wide sum, int64_t divisor,
                IntegerRounding rounding, int64_t outputZp);

} // namespace mlir::pool::reference

#endif // POOL_LIB_REFERENCE_WINDOWS_H
