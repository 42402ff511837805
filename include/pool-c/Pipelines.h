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

/** Registers all passes and pipelines of this project and of upstream, so that
 * they can be used in pipelines that are given as text. Call it once in a
 * process. */
MLIR_CAPI_EXPORTED void poolRegisterAllPasses(void);

/** How pool operations are lowered to loops. */
typedef enum PoolLoweringPath {
  /** To loops over vectors. Operations without a plan are lowered through
   * linalg. */
  PoolLoweringPathVector = 0,
  /** Through linalg: each linalg operation becomes one loop nest. */
  PoolLoweringPathLinalg = 1,
  /** To affine loops over windows that are clipped to the input. Operations
   * that cannot be written as a pool.window_reduce are lowered through linalg.
   */
  PoolLoweringPathAffine = 2
} PoolLoweringPath;

/** The threads that execute the iterations of parallel loops. */
typedef enum PoolThreadModel {
  /** The calling thread only. */
  PoolThreadModelNone = 0,
  /** OpenMP's threads, if there is enough work. The code must be linked with
   * libomp. */
  PoolThreadModelOpenMP = 1
} PoolThreadModel;

/** Options of the pipeline `pool-to-llvm`. */
typedef struct PoolToLLVMOptions {
  PoolLoweringPath path;
  /** Bits of a vector register of the target, or 0 for the number that the
   * machine has. */
  int64_t vectorBits;
  /** If true, compiled code checks the constraints on dynamic extents. */
  bool runtimeChecks;
  /** If true, each public function gets a wrapper `_mlir_ciface_NAME`. */
  bool cWrappers;
  /** Alignment of allocated buffers in bytes, or 0 for the alignment of malloc.
   */
  uint64_t bufferAlignment;
  PoolThreadModel threads;
  /** Name of the function that a failed check calls with its message. If it is
   * empty, a failed check calls puts and abort. */
  MlirStringRef assertHandler;
  /** The machine to compile for, by the names of LLVM's tools: a triple, a
   * processor or `native`, and features like `+avx2,-fma`. If all are empty,
   * this is the host. Running the passes fails if a name is unknown. Machines
   * differ only for PoolLoweringPathVector, and in masked loads and stores. */
  MlirStringRef target, cpu, features;
} PoolToLLVMOptions;

/** Returns the options with their default values. */
MLIR_CAPI_EXPORTED PoolToLLVMOptions poolToLLVMOptionsGetDefault(void);

/** Adds `pool-to-llvm` to a pass manager on builtin.module. Running the
 * pipeline fails if an operation outside the llvm dialect is left. */
MLIR_CAPI_EXPORTED void
poolOpPassManagerAddPoolToLLVM(MlirOpPassManager passManager,
                               PoolToLLVMOptions options);

#ifdef __cplusplus
}
#endif

#endif /* POOL_C_PIPELINES_H */
