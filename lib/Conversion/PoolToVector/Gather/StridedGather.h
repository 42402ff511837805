// Gathers, for each element, the sum of the windows that cover it, for any
// strides and dilations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_GATHER_STRIDEDGATHER_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_GATHER_STRIDEDGATHER_H

#include "Emit/KernelBuilder.h"

namespace mlir::pool {

/// Windows that cover the same elements of their strides, with strides as
/// lanes. Window `first`, `first + step` and so on before the stride's own
/// window; `covers` tells which elements of the stride each of them covers.
struct WindowsBefore {
  int64_t first, step, count;
  SmallVector<bool> covers;

  int64_t getLast() const { return first + (count - 1) * step; }
};

/// A dimension of elements. Window `o` covers `o * stride - padBegin + t *
/// dilation` for every t below `kernel`. Where `padBegin` is null each element
/// is its own window.
struct GatheredDim {
  int64_t kernel = 1, stride = 1, dilation = 1;
  Value padBegin, numWindows, extent;

  GatheredDim() = default;
  /// A kernel of one tap has dilation 1.
  GatheredDim(int64_t kernel, int64_t stride, int64_t dilation)
      : kernel(kernel), stride(stride), dilation(kernel == 1 ? 1 : dilation) {}

  /// From the first element of a window to the last.
  int64_t getReach() const { return (kernel - 1) * dilation; }

  /// True if getCovering() has no number of more than 64 bits.
  bool hasCovering() const;
  struct Range {
    Value begin, end;
    int64_t step;
  };
  /// The windows that cover element `i`, in order.
  Range getCovering(KernelBuilder &at, Value i) const;

  /// The first stride that has elements, and the one after the last.
  std::pair<Value, Value> getStrides(KernelBuilder &at) const;
  /// The windows that cover elements of one stride. Each is once in the result.
  SmallVector<WindowsBefore> getWindowsBefore() const;
};

/// Loops in order over the windows that cover the element at `place`, one for
/// each of `dims` with windows; see KernelBuilder::forEach(). `position` has
/// the coordinates of a window.
void forEachCovering(KernelBuilder &at, ArrayRef<GatheredDim> dims,
                     ValueRange place, MutableArrayRef<Value> carried,
                     function_ref<void(ArrayRef<Value> position)> body);

class StridedGather {
public:
  /// `source`, of floats, has an element for each window; `target` is of the
  /// same type, or of one that sums are rounded to. Elements of both are
  /// consecutive in the last dimension.
  StridedGather(KernelBuilder &at, int64_t vectorBits, Value source,
                Value target, ArrayRef<GatheredDim> dims);

  void create();

private:
  /// A loop over the coordinates of rows of elements, parallel but for
  /// `numTogether` rows behind what `begin` builds.
  void forEachRow(int64_t numTogether, function_ref<void()> begin,
                  function_ref<void(ValueRange row)> emit);
  /// Strides of the last dimension that are as many vectors.
  void emitStrips(ValueRange row);
  /// The elements that `length` windows of a row from `first` on begin with.
  void emitStrip(ValueRange row, Value first, bool isInterior);
  /// Lanes of windows before those from `first` on, added to `sum`.
  Value addWindows(ArrayRef<Value> position, const WindowsBefore &windows,
                   Value first, bool isInterior, Value sum);

  /// A row of windows: part of a buffer of several if `row` is not empty.
  struct WindowRow {
    Value buffer;
    SmallVector<Value> row;
  };
  /// True if several rows of windows cover a row of elements.
  bool needsSums() const;
  void allocateSums();
  /// The windows over a row of elements, summed over the other dimensions.
  WindowRow sumWindows(ValueRange row);
  /// Strides that are many vectors, one after the other.
  void emitStrides(ValueRange row, const WindowRow &sums);
  /// The elements of a stride, which begins at `begin`.
  void emitStride(ValueRange row, const WindowRow &sums, Value stride,
                  Value begin, bool isInterior);
  /// Gathers a vector that begins `offset` after the stride: window by window,
  /// where each covers several lanes; or tap by tap, where each belongs to one
  /// window and one lane.
  Value gatherInStride(const WindowRow &sums, Value stride, Value offset,
                       bool isInterior);
  Value gatherTaps(const WindowRow &sums, Value stride, Value offset);
  /// Adds the value of `window` to `sum` in `lanes`.
  Value addToLanes(const WindowRow &sums, Value window, Value lanes, Value sum);
  /// Lanes of a stride that a window covers, the first being the window's
  /// element `offset`.
  Value getTaps(Value offset);

  Value load(Value buffer, ArrayRef<Value> position, Value mask);
  /// Lanes of a vector at `first` that lie in [0, extent).
  Value getMask(Value first, Value extent);
  void store(Value sums, ArrayRef<Value> place, Value mask);

  KernelBuilder &at;
  Value source, target;
  SmallVector<GatheredDim> dims;
  SmallVector<WindowsBefore> windowsBefore;
  VectorType type;
  int64_t length;
  Value zeros;
  /// A row of windows, summed over the other dimensions.
  Value sums;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_GATHER_STRIDEDGATHER_H
