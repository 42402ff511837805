// Registers the functions of the Python module.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_FUNCTIONS_H
#define POOL_PYTHON_FUNCTIONS_H

#include <nanobind/nanobind.h>

namespace mlir::pool::python {

/// Adds max_pool, avg_pool and the other functions of PoolingFunctions.inc.
void addPoolingFunctions(nanobind::module_ &module);
/// Adds the class _Operation: an operation that is called many times.
void addOperation(nanobind::module_ &module);
/// Adds compile() and the class of its results, Compiled.
void addCompile(nanobind::module_ &module);
/// Adds import_openvino(), _raise_stablehlo(), _import_legalized() and
/// _import_tosa().
void addImport(nanobind::module_ &module);
/// Adds _describe(), which lists the pooling operations of a module.
void addDescribe(nanobind::module_ &module);
/// Adds _infer(), _ffi_handler(), _ffi_target and _ffi_version, for JAX.
void addFfi(nanobind::module_ &module);
/// Adds _infer_types(), for the builders of pool_mlir.ops.
void addInferTypes(nanobind::module_ &module);
/// Adds _partition(), _equal_parts(), _sources() and _counts(), for
/// pool_mlir.partition.
void addPartition(nanobind::module_ &module);
/// Adds _plan(), which returns the plans of a module's operations.
void addPlans(nanobind::module_ &module);
/// Adds _run_tool(), which runs pool-opt and the other tools.
void addTools(nanobind::module_ &module);

/// Wraps all functions of the module, so that a wrong call names the argument
/// at fault. Must be called last.
void explainCalls(nanobind::module_ &module);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_FUNCTIONS_H
