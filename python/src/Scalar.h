// Python numbers as scalar arguments and results of compiled functions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_SCALAR_H
#define POOL_PYTHON_SCALAR_H

#include "pool/ExecutionEngine/Signature.h"

#include <nanobind/nanobind.h>
#include <string>

namespace mlir::pool::python {

/// The bytes of one element of any type.
struct Scalar {
  alignas(8) char bytes[8] = {};
};

/// True if `object` has Python's number protocol and no shape. Such an object
/// may still be no number: getScalar() decides that.
bool isNumber(nanobind::handle object);

/// Converts `object` to the type of `spec`. If this is a float type, rounds the
/// number. A number out of its range becomes infinity, and an int that f64
/// cannot hold raises OverflowError. If this is an integer type, raises
/// ValueError for an integer out of its range. Raises TypeError if `object`
/// does not convert, such as a float to an integer type. `name` is for
/// messages.
Scalar getScalar(nanobind::handle object, const ValueSpec &spec,
                 const std::string &name);

/// Converts the element at `data`, of the type of `spec`, to a Python bool, int
/// or float.
nanobind::object getNumber(const void *data, const ValueSpec &spec);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_SCALAR_H
