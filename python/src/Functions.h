// Registers the functions of the Python module.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_FUNCTIONS_H
#define POOL_PYTHON_FUNCTIONS_H

#include <nanobind/nanobind.h>

namespace mlir::pool::python {

/// max_pool, avg_pool and the other functions of PoolingFunctions.inc.
void addPoolingFunctions(nanobind::module_ &module);
/// _Operation.
void addOperation(nanobind::module_ &module);
/// compile() and its result type.
void addCompile(nanobind::module_ &module);
/// import_openvino(), _raise_stablehlo(), _import_legalized() and
/// _import_tosa().
void addImport(nanobind::module_ &module);
/// _describe().
void addDescribe(nanobind::module_ &module);
/// _infer(), _ffi_handler() and _ffi_version, for JAX.
void addFfi(nanobind::module_ &module);
/// _infer_types(), for builders of operations.
void addInferTypes(nanobind::module_ &module);
/// _partition(), _equal_parts(), _sources() and _counts().
void addPartition(nanobind::module_ &module);
/// _plan().
void addPlans(nanobind::module_ &module);
/// _run_tool().
void addTools(nanobind::module_ &module);

/// Wraps all functions of the module, so that a wrong call names the argument
/// at fault. Must be called last.
void explainCalls(nanobind::module_ &module);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_FUNCTIONS_H
