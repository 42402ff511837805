// Arguments that several pooling functions have.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_ARGUMENTS_H
#define POOL_PYTHON_ARGUMENTS_H

#include "Array.h"
#include "Request.h"

#include <nanobind/nanobind.h>

namespace mlir::pool::python {

/// A window as it was passed: lists are a sequence of integers, one integer for
/// all spatial dimensions, or None.
struct WindowArguments {
  nanobind::handle kernel, strides, padsBegin, padsEnd, dilations;
  const char *roundingType, *autoPad, *sameOutput, *layout;
};

/// An array that is read; `name` says in messages which argument it is.
struct InputArray : BorrowedArray {
  InputArray(nanobind::handle object, const char *name)
      : BorrowedArray(object, name, Access::Read) {}
};

/// What `operation` does with the window on arrays of as many dimensions as
/// `array` has.
Request makeWindowRequest(llvm::StringRef operation, const BorrowedArray &array,
                          const WindowArguments &window);

/// Adds the divisor of an average, and what replaces it.
void addDivisor(Request &request, const char *divisor,
                std::optional<int64_t> divisorOverride);

/// Adds what an average of integers has.
void addIntegerAverage(Request &request, const char *rounding, int64_t inputZp,
                       int64_t outputZp);

/// 32 or 64 for i32 and i64; raises ValueError for another type.
unsigned getIndexBits(const char *type);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_ARGUMENTS_H
