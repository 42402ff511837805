// Calls a pooling function: selects a kernel that reads arrays in place, copies
// arrays that no kernel can read in place, and makes the results.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_CALL_H
#define POOL_PYTHON_CALL_H

#include "Array.h"
#include "Request.h"

namespace mlir::pool::python {

/// Returns the number that set_num_threads set, 1 to kMaxThreads. Calls without
/// a number of their own use at most this number of threads.
unsigned getNumThreads();
/// Returns `count`. Raises ValueError unless it is 1 to kMaxThreads.
unsigned checkThreads(int64_t count);
void setNumThreads(int64_t count);

/// Converts a list of integers. Converts one integer to a list that repeats it
/// `count` times. Returns nothing for None. Raises TypeError for any other
/// object, also for a set or a dict, and for one integer if `count` is 0.
/// Raises ValueError for an integer that needs more than 64 bits. `name` is for
/// messages.
std::optional<Extents> getIntegers(nanobind::handle object, const char *name,
                                   size_t count);

/// Returns an operand of `shape` that is a whole array. `dtype` is NumPy's name
/// of its element type. Raises TypeError if operations do not take this type.
Request::Operand makeOperand(const std::string &dtype, ArrayRef<int64_t> shape);

/// Issues a RuntimeWarning, once, if the cache on disk does not work. Raises
/// the warning if warnings are errors.
void warnOfCache();

/// Adds the types and layouts of `inputs` to `request`, compiles it unless it
/// is cached, and runs it. May change the layout attribute of `request`, so do
/// not use `request` again. Returns the result, or a tuple of values and
/// indices. `out` is None, or the arrays to write and return. Raises ValueError
/// for an invalid request, with the verifier's message, and if a check at run
/// time fails. Raises MemoryError if memory ran out.
nanobind::object call(Request &request, ArrayRef<const BorrowedArray *> inputs,
                      nanobind::handle out);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_CALL_H
