// Plans as Python objects.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_PLANS_H
#define POOL_PYTHON_PLANS_H

#include "pool/ExecutionEngine/Plans.h"

#include <nanobind/nanobind.h>

namespace mlir::pool::python {

/// Returns a dict for each plan, with the keys that kPlanDoc in Docstrings.h
/// describes.
nanobind::list getDicts(const std::vector<OperationPlan> &plans);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_PLANS_H
