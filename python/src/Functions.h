// Registers the functions of the Python module.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_FUNCTIONS_H
#define POOL_PYTHON_FUNCTIONS_H

#include <nanobind/nanobind.h>

namespace mlir::pool::python {

/// max_pool, min_pool and their gradients.
void addExtremumFunctions(nanobind::module_ &module);
/// avg_pool, lp_pool.
void addWindowFunctions(nanobind::module_ &module);
/// adaptive_avg_pool, adaptive_max_pool.
void addAdaptiveFunctions(nanobind::module_ &module);
/// max_unpool, avg_pool_grad.
void addScatterFunctions(nanobind::module_ &module);
/// _Operation.
void addOperation(nanobind::module_ &module);
/// compile() and its result type.
void addCompile(nanobind::module_ &module);
/// import_openvino() and _import_stablehlo().
void addImport(nanobind::module_ &module);
/// _describe().
void addDescribe(nanobind::module_ &module);
/// _infer() and _ffi_handler(), for JAX.
void addFfi(nanobind::module_ &module);
/// _partition(), _equal_parts(), _sources() and _counts().
void addPartition(nanobind::module_ &module);
/// _plan().
void addPlans(nanobind::module_ &module);
/// _run_tool().
void addTools(nanobind::module_ &module);

/// Has all functions of the module say which argument of a wrong call is at
/// fault. Called last.
void explainCalls(nanobind::module_ &module);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_FUNCTIONS_H
