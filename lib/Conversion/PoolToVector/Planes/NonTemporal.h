// What is done about memory where buffers do not stay in the caches: stores
// past these, and rows fetched ahead.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_NONTEMPORAL_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_NONTEMPORAL_H

#include "Planes/PlaneWindows.h"

namespace mlir::pool {

struct NonTemporal {
  /// Of `shape`, for the buffers of `kernel`: what follows element by element
  /// may have given these other types than the plan knew.
  static NonTemporal get(const WindowKernel &kernel, const PlaneShape &shape);

  /// Whether rows are fetched before they are needed.
  bool fetchesAhead = false;
  /// Not empty if stores go past the caches: bytes, for each buffer, at a
  /// multiple of which each of its rows and strips begins.
  SmallVector<int64_t> alignments;
  /// Whether only run time knows that buffers are large.
  bool asksSize = false;
};

/// Whether buffers do not stay in the caches and are aligned as `streaming`
/// needs them; null if that needs no test.
Value canStream(PlaneWindows &windows, const NonTemporal &streaming);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_NONTEMPORAL_H
