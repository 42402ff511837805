// Non-temporal stores and prefetches for buffers that exceed the caches.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_NONTEMPORAL_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_NONTEMPORAL_H

#include "Planes/PlaneWindows.h"

namespace mlir::pool {

struct NonTemporal {
  /// Returns the choice of `shape` for the buffers of `kernel`. Elementwise
  /// consumers may have given these another type than the planner knew.
  static NonTemporal get(const WindowKernel &kernel, const PlaneShape &shape);

  /// True if rows are fetched before they are needed.
  bool fetchesAhead = false;
  /// Byte alignment of the rows and strips of each buffer. Empty if stores are
  /// not non-temporal.
  SmallVector<int64_t> alignments;
  /// True if the size of the buffers is known at run time only.
  bool asksSize = false;
};

/// True if buffers do not stay in the caches and are aligned as `streaming`
/// needs them; null if that needs no test.
Value canStream(PlaneWindows &windows, const NonTemporal &streaming);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_NONTEMPORAL_H
