// Numbers of Python as scalar arguments and results of compiled functions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_SCALAR_H
#define POOL_PYTHON_SCALAR_H

#include "pool/ExecutionEngine/Signature.h"

#include <nanobind/nanobind.h>
#include <string>

namespace mlir::pool::python {

/// Storage of one element of any type.
struct Scalar {
  alignas(8) char bytes[8] = {};
};

/// Whether `object` is a number and no array: a bool, an int, a float or what
/// says that it can be one, without a shape.
bool isNumber(nanobind::handle object);

/// The number as `spec` has it. Raises ValueError if it does not fit into an
/// integer of that type, TypeError if it is none; floats are rounded.
Scalar getScalar(nanobind::handle object, const ValueSpec &spec,
                 const std::string &name);

/// The element at `data` as a bool, int or float.
nanobind::object getNumber(const void *data, const ValueSpec &spec);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_SCALAR_H
