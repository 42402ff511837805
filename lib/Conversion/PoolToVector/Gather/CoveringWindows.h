// The windows that cover an element of the input: element by element in most
// dimensions, and as vectors along the last one.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_GATHER_COVERINGWINDOWS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_GATHER_COVERINGWINDOWS_H

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
  Range getCovering(OpBuilder &b, Location loc, Value i) const;

  /// The first stride that has elements, and the one after the last.
  std::pair<Value, Value> getStrides(OpBuilder &b, Location loc) const;
  /// The windows that cover elements of one stride. Each is once in the result.
  SmallVector<WindowsBefore> getWindowsBefore() const;
};

/// Loops in order over the windows that cover the element at `place`, one for
/// each of `dims` with windows; see KernelBuilder::forEach(). `position` has
/// the coordinates of a window.
void forEachCovering(KernelBuilder &at, ArrayRef<GatheredDim> dims,
                     ValueRange place, MutableArrayRef<Value> carried,
                     function_ref<void(ArrayRef<Value> position)> body);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_GATHER_COVERINGWINDOWS_H
