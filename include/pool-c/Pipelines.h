/* The pass pipelines in MLIR's C API. pool/Pipelines/Pipelines.h describes them
 * and the calling convention of the compiled functions.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#ifndef POOL_C_PIPELINES_H
#define POOL_C_PIPELINES_H

#include "mlir-c/Pass.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Registers all passes and pipelines of this project and of upstream, for
 * pipelines given as text. Call it once for each process. */
MLIR_CAPI_EXPORTED void poolRegisterAllPasses(void);

/** How pooling operations become loops. */
typedef enum PoolLoweringPath {
  /** Loops over vectors; operations without a plan go through linalg. */
  PoolLoweringPathVector = 0,
  /** One loop nest for each linalg operation. */
  PoolLoweringPathLinalg = 1,
  /** Affine loops over windows that are clipped to the input; operations that
   * cannot be written as a pool.window_reduce go through linalg. */
  PoolLoweringPathAffine = 2
} PoolLoweringPath;

/** The threads that run the iterations of parallel loops. */
typedef enum PoolThreadModel {
  /** The calling thread. */
  PoolThreadModelNone = 0,
  /** OpenMP's threads, if there is enough work; the code needs libomp. */
  PoolThreadModelOpenMP = 1
} PoolThreadModel;

/** The options of `pool-to-llvm`. */
typedef struct PoolToLLVMOptions {
  PoolLoweringPath path;
  /** Bits of the target's vector registers; 0 for the machine's own. */
  int64_t vectorBits;
  /** Check at run time the constraints on dynamic extents. */
  bool runtimeChecks;
  /** Emit a _mlir_ciface_ wrapper for each public function. */
  bool cWrappers;
  /** Alignment of allocated buffers in bytes; 0 for malloc's. */
  uint64_t bufferAlignment;
  PoolThreadModel threads;
  /** Name of the function that a failed check calls with its message. If empty,
   * a failed check calls puts and abort. */
  MlirStringRef assertHandler;
  /** The machine to lower for, as LLVM's tools name it: a triple, a processor
   * or `native`, features like `+avx2,-fma`. The host if all are empty. Running
   * the passes fails if a name is unknown. Only PoolLoweringPathVector, and
   * masked loads and stores, differ between machines. */
  MlirStringRef target, cpu, features;
} PoolToLLVMOptions;

/** Returns the options with their defaults. */
MLIR_CAPI_EXPORTED PoolToLLVMOptions poolToLLVMOptionsGetDefault(void);

/** Adds `pool-to-llvm` to a pass manager over builtin.module. The pipeline
 * fails if an operation outside the llvm dialect is left. */
MLIR_CAPI_EXPORTED void
poolOpPassManagerAddPoolToLLVM(MlirOpPassManager passManager,
                               PoolToLLVMOptions options);

#ifdef __cplusplus
}
#endif

#endif /* POOL_C_PIPELINES_H */
