// Passes of the pool-to-llvm pipeline on functions. They establish the calling
// convention, and avoid conflicts with names of library functions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PIPELINES_FUNCTIONPASSES
#define POOL_PIPELINES_FUNCTIONPASSES

include "mlir/Pass/PassBase.td"

def MarkEntryPoints : Pass<"pool-mark-entry-points", "ModuleOp"> {
  let summary = "Mark inputs of public functions read-only, request C wrappers";
  let description = [{
    Gives each tensor argument of a public function with a body
    `bufferization.writable = false`, unless the argument has the attribute
    already. A tensor is a value, and a caller does not expect its buffer to be
    overwritten. With `c-wrappers`, these functions also get
    `llvm.emit_c_interface`. Run it before bufferisation.

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      return %x : tensor<4xf32>
    }
    ```
    becomes
    ```mlir
    func.func @f(%x: tensor<4xf32> {bufferization.writable = false})
        -> tensor<4xf32> attributes {llvm.emit_c_interface} {
      return %x : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = [
    "bufferization::BufferizationDialect", "LLVM::LLVMDialect"
  ];
  let options = [
    Option<"cWrappers", "c-wrappers", "bool", /*default=*/"true",
           "Request a `_mlir_ciface_` wrapper for each public function">,
  ];
}

def CheckFunctionNames : Pass<"pool-check-function-names", "ModuleOp"> {
  let summary = "Reject functions with names of library functions";
  let description = [{
    Reports functions whose names belong to the C library's functions that
    lowered code calls. These are `aligned_alloc`, `malloc`, `free`, `memcpy`,
    `memmove`, `memset`, `puts`, `abort` and `snprintf`. They also are the
    functions of libm that the module's arithmetic becomes, such as `erff` for
    `math.erf` of f32. Otherwise lowered code would call the module's function
    instead. Run it before memrefs and arithmetic become the llvm dialect.

    ```
    error: 'tanf' is the name of a C library function that lowered code calls: give this function another name
    ```

    A declaration of a function of libm with its own type is no error. Declare
    the others as functions of the llvm dialect, which the lowerings reuse.
  }];
}

def MarkOutParams : Pass<"pool-mark-out-params", "ModuleOp"> {
  let summary = "Mark the buffers of results as non-overlapping for LLVM";
  let description = [{
    Marks the element pointer of each argument that pool-results-to-out-params
    added as `llvm.noalias`; the calling convention forbids overlap. Run it on
    functions in the llvm dialect. The ranks of the arguments are in the
    attribute `pool.out_param_ranks`, because the conversion to the llvm dialect
    drops attributes of arguments that become several.

    ```mlir
    llvm.func @f(%alloc: !llvm.ptr, %aligned: !llvm.ptr, %offset: i64,
                 %size: i64, %stride: i64)
        attributes {pool.out_param_ranks = array<i64: 1>}
    ```
    becomes
    ```mlir
    llvm.func @f(%alloc: !llvm.ptr, %aligned: !llvm.ptr {llvm.noalias},
                 %offset: i64, %size: i64, %stride: i64)
    ```
  }];
  let dependentDialects = ["LLVM::LLVMDialect"];
}

def InternalizeFunctions : Pass<"pool-internalize-functions", "ModuleOp"> {
  let summary = "Give private functions in the llvm dialect internal linkage";
  let description = [{
    Gives private functions internal linkage. The conversion to the llvm dialect
    keeps a function's visibility, but leaves it an external symbol. Then two
    modules with such functions could not be linked, and LLVM could not drop a
    function after inlining it.

    ```mlir
    llvm.func @helper() attributes {sym_visibility = "private"} {
      llvm.return
    }
    ```
    becomes
    ```mlir
    llvm.func internal @helper() attributes {sym_visibility = "private"} {
      llvm.return
    }
    ```
  }];
  let dependentDialects = ["LLVM::LLVMDialect"];
}

#endif // POOL_PIPELINES_FUNCTIONPASSES
