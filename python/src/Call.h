// Calls a pooling function: selects a kernel that reads arrays in place, copies
// arrays that no kernel can read in place, and makes the results.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_CALL_H
#define POOL_PYTHON_CALL_H

#include "Array.h"
#include "Request.h"

namespace mlir::pool::python {

/// Number of threads that each call may use, 1 to kMaxThreads.
unsigned getNumThreads();
/// Returns `count`; raises ValueError if it is out of range.
unsigned checkThreads(int64_t count);
void setNumThreads(int64_t count);

/// Converts a list of integers, or one integer for all of `count` dimensions.
/// Returns nothing for None. Raises TypeError for any other object, also for a
/// set or a dict, and for one integer if `count` is 0. Raises ValueError for an
/// integer that needs more than 64 bits.
std::optional<Extents> getIntegers(nanobind::handle object, const char *name,
                                   size_t count);

/// Returns an operand with elements of NumPy's type `dtype`. Raises TypeError
/// if operations do not take this type.
Request::Operand makeOperand(const std::string &dtype, ArrayRef<int64_t> shape);

/// Issues a RuntimeWarning, once, if the cache on disk does not work. Raises
/// the warning if warnings are errors.
void warnOfCache();

/// Adds the types of `inputs` to `request`, compiles it unless it is cached,
/// and runs it. Returns the result, or a tuple of two with indices. `out` is
/// None, or the arrays to write and return. Raises ValueError with the
/// verifier's message.
nanobind::object call(Request &request, ArrayRef<const BorrowedArray *> inputs,
                      nanobind::handle out);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_CALL_H
