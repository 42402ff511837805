// What is done about memory where buffers do not stay in caches: stores past
// these, and rows fetched ahead.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_STREAMING_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_STREAMING_H

#include "PlaneShape.h"

namespace mlir::pool {

/// Whether buffers that are read and written together do not stay in caches, if
/// that is known: stores then go past these.
std::optional<bool> areLarge(ArrayRef<Value> buffers);

/// What is done about memory where buffers do not stay in caches.
struct Streaming {
  /// Whether rows are fetched before they are needed.
  bool fetchesAhead = false;
  /// Not empty if stores go past the caches: bytes, for each buffer, at a
  /// multiple of which each of its rows and strips begins.
  SmallVector<int64_t> alignments;
  /// Whether only run time knows that buffers are large.
  bool asksSize = false;
};

/// What `shape` can do about them; false and empty if buffers are known to stay
/// in caches or it can do nothing.
Streaming getStreaming(const PlaneWindows &windows, const PlaneShape &shape);

/// Whether buffers do not stay in caches and are aligned as `streaming` needs
/// them; null if that needs no test.
Value canStream(PlaneWindows &windows, const Streaming &streaming);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_STREAMING_H
