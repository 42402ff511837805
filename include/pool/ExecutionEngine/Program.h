// Compiles modules for this process. A program is compiled once and called many
// times, on the caller's buffers and without copies.
//
// If a check or an allocation in compiled code fails, only the call ends. The
// caller gets an error, and the memory that the call allocated is freed. Output
// buffers keep the elements that were written before. For this purpose the
// library links compiled code with its own `puts`, `abort` and `malloc`.
//
// There is one exception: if memory runs out in a loop that several threads
// execute, the process ends with a message. A check cannot fail in such a loop,
// because loops that contain checks are not parallel.
//
// If LLVM crashes during compilation, the process ends too. Known crashes have
// workarounds; docs/Internals/upstream/README.md says how to compile in another
// process. If the program uses the same LLVM itself, its global options are
// left as they are.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_EXECUTIONENGINE_PROGRAM_H
#define POOL_EXECUTIONENGINE_PROGRAM_H

#include "pool/ExecutionEngine/Buffer.h"
#include "pool/ExecutionEngine/CodeCache.h"
#include "pool/ExecutionEngine/CompileContext.h"
#include "pool/ExecutionEngine/Signature.h"
#include "pool/Pipelines/Pipelines.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir {
namespace pool {

struct ProgramImage;

/// Largest value that CompileOptions::threads may have.
constexpr unsigned kMaxThreads = 1024;

struct CompileOptions {
  LoweringPath path = LoweringPath::Vector;
  /// If true, compiled code checks those constraints of operations that the
  /// verifier cannot check, for example because an extent is unknown.
  bool runtimeChecks = true;
  /// Level of LLVM's optimizations and code generation, 0 to 3.
  unsigned optLevel = 3;
  /// The processor to compile for, and features to add to it or to remove, as
  /// in TargetNames. An empty `cpu` means the processor of this machine. This
  /// machine must be able to run the code.
  std::string cpu, features;
  /// Largest number of threads that execute a call, 1 to kMaxThreads. More than
  /// one thread requires OpenMP's run-time library (libomp), and `guard` must
  /// be None.
  unsigned threads = 1;
  /// Selects where the buffers that compiled code allocates have guard pages
  /// (Buffer.h). An access to a guard page ends the call with an error. In the
  /// whole process, only one thread at a time may call guarded code.
  GuardMode guard = GuardMode::None;
  /// Names of the public functions to compile. If empty, all public functions
  /// are compiled. Functions that these do not use are not compiled.
  std::vector<std::string> entries;
  /// The cache in which Program::compile stores machine code and Program::find
  /// looks for it. Null means no cache.
  CodeCache *cache = nullptr;
  /// The CompileContext that owns the module's MLIR context, if there is one.
  /// Then its pass manager is reused. Otherwise null.
  CompileContext *context = nullptr;
  /// A description of the module, for example its text. It is a part of the key
  /// in `cache`, so different modules must have different descriptions. Must
  /// not be empty if there is a cache.
  std::string source;
};

/// Time of each stage of compilation, in seconds.
struct CompileTimes {
  /// MLIR's passes down to the llvm dialect, and the translation to LLVM IR.
  double mlirPasses = 0;
  /// LLVM's optimization passes.
  double llvmPasses = 0;
  /// LLVM's code generation, from instruction selection to object code.
  double codeGeneration = 0;
  /// Look-up of symbols, relocation, and making memory executable.
  double linking = 0;
};

/// A compiled function of a Program.
struct Entry {
  std::string name;
  Signature signature;
  /// Address of the machine code. Its argument is an array of pointers, which
  /// `Invocation` builds.
  void (*function)(void **) = nullptr;
  GuardMode guard = GuardMode::None;
  unsigned threads = 1;
};

/// Linked machine code of a module. Must outlive the Invocations of its
/// entries.
class Program {
public:
  /// Fails if this machine cannot run code for the processor that `options`
  /// names.
  static llvm::Error checkProcessor(const CompileOptions &options);
  /// Compiles a copy of `module`, and links the code. If `options.cache` is
  /// given, also stores the code there. Fails if `options` are invalid, an
  /// entry does not exist, no array can hold an argument or result, or lowering
  /// or linking fails. Errors in the module are also reported to the diagnostic
  /// handler of its context.
  static llvm::Expected<std::unique_ptr<Program>>
  compile(ModuleOp module, const CompileOptions &options);
  /// Looks in `options.cache` for code that was compiled with the same options,
  /// including `source`, and links it. Returns null if there is no such code,
  /// if it cannot be linked, or if `options` are invalid.
  static std::unique_ptr<Program> find(const CompileOptions &options);

  /// Returns the result of `find`, with the module's text appended to
  /// `options.source`. If there is no cache or `find` returns null, calls
  /// `compile`.
  static llvm::Expected<std::unique_ptr<Program>>
  findOrCompile(ModuleOp module, CompileOptions options);
  ~Program();

  /// Returns the compiled function `name`, which this object owns. Fails if no
  /// entry has this name.
  llvm::Expected<const Entry *> lookup(StringRef name) const;

  /// Returns the names of the entries in the order of CompileOptions::entries.
  /// If that list was empty, returns them in the order of the module.
  ArrayRef<std::string> getEntryNames() const { return names; }

  /// Returns the time of each stage. If the code was found in the cache, all
  /// times except `linking` are 0.
  const CompileTimes &getCompileTimes() const { return times; }

private:
  class JIT;
  Program();
  /// Links an image. `options` must be those that it was compiled with.
  static llvm::Expected<std::unique_ptr<Program>>
  link(const ProgramImage &image, const CompileOptions &options);

  std::unique_ptr<JIT> jit;
  std::vector<std::string> names;
  llvm::StringMap<Entry> entries;
  CompileTimes times;
};

/// An array that the caller owns, row-major and without gaps.
struct ArrayView {
  ArrayType type;
  void *data = nullptr;
};

/// A function together with its arguments. Only one thread at a time may use an
/// Invocation. Several Invocations of one entry may run at the same time,
/// unless the entry has guarded buffers.
class Invocation {
public:
  /// Binds `entry` to arrays. Fails if their types or shapes do not fit the
  /// signature. `outputs` has one element for each result: null if the shape of
  /// the result is dynamic, otherwise the buffer for it. A buffer must be large
  /// enough, and must not overlap another array; this is not checked. All
  /// arrays must outlive the Invocation. Each call reads the inputs again.
  static llvm::Expected<Invocation> bind(const Entry &entry,
                                         ArrayRef<ArrayView> inputs,
                                         ArrayRef<void *> outputs);
  Invocation(Invocation &&) noexcept;
  Invocation &operator=(Invocation &&) noexcept;
  ~Invocation();

  /// Replaces the bound arrays by others of the same types and shapes. `inputs`
  /// has a pointer for each argument. `outputs` is as for `bind`.
  void rebind(ArrayRef<const void *> inputs, ArrayRef<void *> outputs);

  /// Calls the function. After a failed call there are no results of dynamic
  /// shape. If memory ran out, the error has the code
  /// `std::errc::not_enough_memory`.
  llvm::Error run();

  /// Returns result `i` of the last call, which must have succeeded. A result
  /// of dynamic shape is valid until the next call of `run` or
  /// `releaseResults`.
  ArrayView getResult(unsigned i) const;

  /// Frees the results of dynamic shape.
  void releaseResults();

private:
  struct Impl;
  explicit Invocation(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace pool
} // namespace mlir

#endif // POOL_EXECUTIONENGINE_PROGRAM_H
