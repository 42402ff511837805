// The pipeline from tensors with pool operations to the llvm dialect, and the
// calling convention of the compiled functions.
//
// Calling convention. `pool-to-llvm` compiles a function over tensors to a
// function over memref descriptors, MLIR's own ABI. A public function
//
//   func.func @f(%x: tensor<?x8xf32>, %n: index)
//       -> (tensor<4xf32>, tensor<?xi64>, f32)
//
// is called from C, with the option `c-wrappers` (the default), as
//
//   struct Result { MemRef1D indices; float scalar; };
//   void _mlir_ciface_f(struct Result *result, const MemRef2D *x, int64_t n,
//                       const MemRef1D *values);
//
// where MemRefND is `struct { T *allocated, *aligned; int64_t offset,
// sizes[N], strides[N]; }`, row-major and without gaps:
// - The function's arguments keep their order. Tensors are passed by
//   descriptor and only read, scalars by value.
// - After them comes one descriptor for each result of static shape, in order:
//   the caller's buffer, which must not overlap any other argument. The
//   function writes the result there, and allocates nothing for it.
// - Results of dynamic shape and scalar results are returned. One scalar alone
//   is the C result. One descriptor alone, or a struct of several results, is
//   written to an address that is passed before all other arguments. Each
//   returned descriptor owns an allocation of its own, to be released by
//   `free(allocated)`.
// - Integers have their C storage, whether signed or not; i1 is a byte, 0 or 1.
// - A scalar of bf16 is passed as bf16, or as an i16 with `bf16-as-bits`.
// - Functions that the module only declares are called by the same convention.
//
// Memory comes from `aligned_alloc` (`malloc` with `buffer-alignment=0`) and
// goes to `free`.
//
// A failed run-time check (option `runtime-checks`) calls `puts` with the
// message, then `abort`, which does not flush the output of `puts`. An
// execution engine may define both: see pool/ExecutionEngine/Program.h. With
// `assert-handler`, it calls the named function, which must not return.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PIPELINES_PIPELINES_H
#define POOL_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "pool/Pipelines/PipelineOptions.h"

namespace mlir::pool {

/// How pool operations become loops.
enum class LoweringPath {
  /// convert-pool-to-vector; operations without a plan go through linalg.
  Vector,
  /// convert-pool-to-linalg, then one loop nest for each linalg operation.
  Linalg,
  /// convert-pool-to-affine on buffers, for operations that can be written as a
  /// pool.window_reduce; others go through linalg.
  Affine,
};

/// The threads that run the iterations of parallel loops.
enum class ThreadModel {
  /// The calling thread.
  None,
  /// OpenMP's threads, as many as its run-time library is set to use. The code
  /// needs this library (`libomp`). A loop with too little work stays on the
  /// calling thread; see pool-select-parallel-loops.
  OpenMP,
};

/// The options of the pipeline `pool-to-llvm`.
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

/// Adds the passes of `pool-to-llvm` to a pass manager over `builtin.module`.
/// The pipeline fails if it leaves an operation outside the llvm dialect.
///
/// Limit: every pass goes through a whole function before the next one begins,
/// so the time per operation grows with the function. In a chain of 1,600
/// poolings (6 s in all), lowering one takes up to 2.3 times as long as in a
/// chain of 100 (docs/Results/Benchmarks.md).
void buildPoolToLLVMPipeline(OpPassManager &pm,
                             const PoolToLLVMOptions &options);

/// Adds the passes that `pool-to-llvm` runs before convert-pool-to-vector.
void buildPoolPreparationPipeline(OpPassManager &pm,
                                  const PoolToLLVMOptions &options);

/// Registers `pool-to-llvm` and the passes that only it needs.
void registerPoolPipelines();

} // namespace mlir::pool

#endif // POOL_PIPELINES_PIPELINES_H
