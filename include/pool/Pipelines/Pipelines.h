// The pipeline from tensors with pool operations to the llvm dialect, and the
// calling convention of the compiled functions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calling convention. `pool-to-llvm` compiles a function on tensors to a
// function on memref descriptors, which is MLIR's own ABI. With the option
// `c-wrappers` (the default), C code calls a public function
//
//   func.func @f(%x: tensor<?x8xf32>, %n: index)
//       -> (tensor<4xf32>, tensor<?xi64>, f32)
//
// through a wrapper:
//
//   struct Result { MemRef1D indices; float scalar; };
//   void _mlir_ciface_f(struct Result *result, const MemRef2D *x, int64_t n,
//                       const MemRef1D *values);
//
// MemRefND is `struct { T *allocated, *aligned; int64_t offset, sizes[N],
// strides[N]; }`. The elements are row-major and without gaps.
// - The arguments of the function keep their order. A tensor is passed as a
//   pointer to its descriptor, and the function only reads its elements. A
//   scalar is passed by value.
// - Each result of static shape has a further argument: a descriptor of the
//   caller's buffer. The function writes the result there and allocates no
//   memory for it. The buffer must not overlap any other argument.
// - All other results are returned: tensors of dynamic shape and scalars. If
//   this is a single scalar, the wrapper returns it. If it is a single tensor,
//   the wrapper writes its descriptor to an address that is the first argument.
//   If there are several, it writes a struct of them to such an address.
// - Each returned descriptor has its own allocation. The caller releases it by
//   `free(allocated)`.
// - Integers have the C type of their width, with or without sign. i1 is a byte
//   that is 0 or 1.
// - A scalar of bf16 is passed as bf16, or as i16 with `bf16-as-bits`.
// - Functions that the module only declares are called in the same way.
//
// Memory is allocated by `aligned_alloc` (by `malloc` if `buffer-alignment=0`)
// and released by `free`.
//
// With the option `runtime-checks`, a failed check calls `puts` with a message
// and then `abort`. `abort` does not flush the output of `puts`. An execution
// engine may provide both functions; see pool/ExecutionEngine/Program.h. With
// the option `assert-handler`, a failed check calls the named function instead,
// which must not return.

#ifndef POOL_PIPELINES_PIPELINES_H
#define POOL_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "pool/Pipelines/PipelineOptions.h"

namespace mlir::pool {

/// How pool operations are lowered to loops.
enum class LoweringPath {
  /// By convert-pool-to-vector. Operations for which it has no plan are lowered
  /// through linalg.
  Vector,
  /// By convert-pool-to-linalg. Each linalg operation becomes one loop nest.
  Linalg,
  /// By convert-pool-to-affine after bufferisation, if the operation can be
  /// written as a pool.window_reduce. Other operations are lowered through
  /// linalg.
  Affine,
};

/// The threads that execute the iterations of parallel loops.
enum class ThreadModel {
  /// The calling thread only.
  None,
  /// OpenMP's threads. OpenMP's run-time library (`libomp`), which the code
  /// must be linked with, determines their number. A loop with too little work
  /// runs on the calling thread only; see pool-select-parallel-loops.
  OpenMP,
};

/// Options of the pipeline `pool-to-llvm`.
struct PoolToLLVMOptions : public CheckedPipelineOptions<PoolToLLVMOptions> {
  EnumOption<LoweringPath> path{
      *this, "path", llvm::cl::desc("How pool operations become loops"),
      llvm::cl::init(LoweringPath::Vector),
      llvm::cl::values(
          clEnumValN(LoweringPath::Vector, "vector", "as loops over vectors"),
          clEnumValN(LoweringPath::Linalg, "linalg",
                     "through linalg, for every type and shape"),
          clEnumValN(LoweringPath::Affine, "affine",
                     "as affine loops over clipped windows; operations "
                     "without a window form through linalg"))};
  PassOptions::Option<int64_t> vectorBits{
      *this, "vector-bits",
      llvm::cl::desc("Bits of the target's vector registers; 0 for the "
                     "machine's own"),
      llvm::cl::init(0)};
  PassOptions::Option<std::string> triple{
      *this, "target",
      llvm::cl::desc("Triple of the machine to compile for; the host if "
                     "target and mcpu are empty. Only path=vector and masked "
                     "loads and stores differ between machines")};
  PassOptions::Option<std::string> cpu{
      *this, "mcpu",
      llvm::cl::desc("Processor of that machine, or native for the host's; "
                     "any of the target if empty")};
  PassOptions::Option<std::string> features{
      *this, "mattr",
      llvm::cl::desc("Features to add or remove, like +avx2,-fma")};
  PassOptions::Option<bool> runtimeChecks{
      *this, "runtime-checks",
      llvm::cl::desc("Check at run time the constraints on dynamic extents"),
      llvm::cl::init(false)};
  PassOptions::Option<bool> cWrappers{
      *this, "c-wrappers",
      llvm::cl::desc("Emit a _mlir_ciface_ wrapper for each public function"),
      llvm::cl::init(true)};
  PassOptions::Option<bool> bf16AsBits{
      *this, "bf16-as-bits",
      llvm::cl::desc("Pass and return scalars of bf16 as i16"),
      llvm::cl::init(false)};
  PassOptions::Option<uint64_t> bufferAlignment{
      *this, "buffer-alignment",
      llvm::cl::desc("Alignment of allocated buffers in bytes; 0 for malloc's"),
      llvm::cl::init(64)};
  EnumOption<ThreadModel> threads{
      *this, "threads",
      llvm::cl::desc("Threads that run the iterations of parallel loops"),
      llvm::cl::init(ThreadModel::None),
      llvm::cl::values(
          clEnumValN(ThreadModel::None, "none", "the calling thread"),
          clEnumValN(ThreadModel::OpenMP, "omp",
                     "OpenMP's threads, if there is enough work"))};
  PassOptions::Option<bool> separateMaskedLoads{
      *this, "separate-masked-loads",
      llvm::cl::desc("Emit no masked load that keeps lanes of another vector, "
                     "which can crash LLVM 22's code generator for X86"),
      llvm::cl::init(true)};
  PassOptions::Option<std::string> assertHandler{
      *this, "assert-handler",
      llvm::cl::desc("Function that a failed check calls with its message, "
                     "a C string; puts and abort if empty")};
};

/// Adds the passes of `pool-to-llvm` to a pass manager on `builtin.module`. The
/// pipeline fails if an operation outside the llvm dialect is left.
///
/// The time per operation grows with the size of a function, because each pass
/// visits the whole function before the next pass begins. In a chain of 1,600
/// poolings, which takes 6 s, an operation takes up to 2.3 times as long as in
/// a chain of 100 (docs/Results/Benchmarks.md).
void buildPoolToLLVMPipeline(OpPassManager &pm,
                             const PoolToLLVMOptions &options);

/// Adds the passes of `pool-to-llvm` that come before convert-pool-to-vector.
void buildPoolPreparationPipeline(OpPassManager &pm,
                                  const PoolToLLVMOptions &options);

/// Registers `pool-to-llvm` and the passes of this directory.
void registerPoolPipelines();

} // namespace mlir::pool

#endif // POOL_PIPELINES_PIPELINES_H
