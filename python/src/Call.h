// From arguments of a pooling function to its results: which kernel reads the
// arrays as they are, what has to be copied, and where results go.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_CALL_H
#define POOL_PYTHON_CALL_H

#include "Array.h"
#include "Request.h"

namespace mlir::pool::python {

/// Threads that each call may run on, 1 to kMaxThreads.
unsigned getNumThreads();
/// Raises ValueError for another number.
void setNumThreads(int64_t count);

/// A list of integers, or one integer for each of `count` dimensions; none for
/// None. Raises TypeError for anything else, and where `count` is 0 and one
/// integer is given.
std::optional<Extents> getIntegers(nanobind::handle object, const char *name,
                                   size_t count);

/// Compiles, unless it is cached, and calls what `request` says on `inputs`,
/// whose types it completes it with. Gives the result, or a tuple of two if
/// there are indices. `out` is None, or the arrays to write, which it then
/// gives. Raises ValueError for what the verifier refuses.
nanobind::object call(Request &request, ArrayRef<const BorrowedArray *> inputs,
                      nanobind::handle out);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_CALL_H
