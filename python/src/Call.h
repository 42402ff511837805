// Calls a pooling function: selects the kernel that reads the arrays in place,
// copies others, and places the results.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_CALL_H
#define POOL_PYTHON_CALL_H

#include "Array.h"
#include "Request.h"

namespace mlir::pool::python {

/// Number of threads each call may use, 1 to kMaxThreads.
unsigned getNumThreads();
/// The number; raises ValueError if it is out of range.
unsigned checkThreads(int64_t count);
void setNumThreads(int64_t count);

/// Converts a list of integers, or one integer for each of `count` dimensions;
/// none for None. Raises TypeError for any other object, and for one integer if
/// `count` is 0.
std::optional<Extents> getIntegers(nanobind::handle object, const char *name,
                                   size_t count);

/// Issues a RuntimeWarning if the cache on disk does not work, once. Raises if
/// warnings are errors.
void warnOfCache();

/// Compiles `request`, unless cached, and runs it on `inputs`, whose types are
/// added to it. Returns the result, or a tuple of two with indices. `out` is
/// None, or the arrays to write and return. Raises ValueError for what the
/// verifier refuses.
nanobind::object call(Request &request, ArrayRef<const BorrowedArray *> inputs,
                      nanobind::handle out);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_CALL_H
