// Modules compiled for this process: compile once, call many times on the
// caller's buffers, without copies.
//
// A failed check or a failed allocation in compiled code ends the call, not the
// process. For this purpose the library gives compiled code its own `puts`,
// `abort` and `malloc`. The caller gets an error, and the memory that the call
// had allocated is freed. Output buffers keep the elements written so far.
//
// Exception: if memory runs out in a loop that runs on several threads, the
// process ends with a message. A check cannot fail in such a loop, because
// loops with checks run on one thread.
//
// A crash inside LLVM while it compiles does end the process. Known faults have
// workarounds; docs/Internals/upstream/README.md says how to compile in another
// process. The library changes no global option of an LLVM that the program
// itself uses.
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

/// Largest number of threads that CompileOptions accepts.
constexpr unsigned kMaxThreads = 1024;

struct CompileOptions {
  LoweringPath path = LoweringPath::Vector;
  /// Check at run time the constraints that the verifier could not check.
  bool runtimeChecks = true;
  /// Level 0 to 3 of LLVM's optimisations and code generation.
  unsigned optLevel = 3;
  /// The processor to compile for, and features to add to it or remove, as in
  /// TargetNames. An empty `cpu` means this machine's processor. This machine
  /// must be able to run the code.
  std::string cpu, features;
  /// Largest number of threads that run a call, 1 to kMaxThreads. More than one
  /// thread needs OpenMP's run-time library (libomp), and requires that `guard`
  /// is None.
  unsigned threads = 1;
  /// Guard the buffers that compiled code allocates, and report accesses to
  /// guard pages as errors. Only one thread may call at a time.
  GuardMode guard = GuardMode::None;
  /// The public functions to compile; all if empty. Functions that these do not
  /// use are not compiled.
  std::vector<std::string> entries;
  /// The cache in which Program::compile stores the machine code and
  /// Program::find looks for it. Null for no cache.
  CodeCache *cache = nullptr;
  /// The context of the module to compile, so that its pass manager is reused.
  /// Null if the module has another context.
  CompileContext *context = nullptr;
  /// Part of the key in `cache`: a description of the module, for example its
  /// text. Different modules must have different descriptions. With a cache,
  /// the description must not be empty.
  std::string source;
};

/// Seconds that each stage of compiling took.
struct CompileTimes {
  /// MLIR's passes down to the llvm dialect, and translation to LLVM IR.
  double mlirPasses = 0;
  /// LLVM's optimisations.
  double llvmPasses = 0;
  /// Instruction selection to object code.
  double codeGeneration = 0;
  /// Finding symbols, relocating, and making memory executable.
  double linking = 0;
};

/// A function of a program.
struct Entry {
  std::string name;
  Signature signature;
  /// The machine code. `Invocation` builds the array of pointers that the code
  /// takes.
  void (*function)(void **) = nullptr;
  GuardMode guard = GuardMode::None;
  unsigned threads = 1;
};

/// Machine code of a module. A Program must outlive the Invocations of its
/// entries.
class Program {
public:
  /// Fails if code for the processor of `options` cannot run on this machine.
  static llvm::Error checkProcessor(const CompileOptions &options);
  /// Compiles a copy of `module`, and stores the code in `options.cache` unless
  /// that is null. Errors in the module are also reported to the diagnostic
  /// handler of the module's context.
  static llvm::Expected<std::unique_ptr<Program>>
  compile(ModuleOp module, const CompileOptions &options);
  /// Looks in `options.cache` for code that was compiled with the same options,
  /// `source` among them, and links it. Returns null if there is no such code
  /// or it cannot be linked.
  static std::unique_ptr<Program> find(const CompileOptions &options);

  /// Calls `find`, after adding the module's text to `options.source`. Calls
  /// `compile` if there is no cache or `find` returns null.
  static llvm::Expected<std::unique_ptr<Program>>
  findOrCompile(ModuleOp module, CompileOptions options);
  ~Program();

  /// Returns the compiled function `name`, which this object owns. Fails if
  /// there is none.
  llvm::Expected<const Entry *> lookup(StringRef name) const;

  /// Returns the names of the entries in the order of CompileOptions::entries.
  /// If that list is empty, the names have the order of the module.
  ArrayRef<std::string> getEntryNames() const { return names; }

  /// Returns the times of the stages. If the code comes from the cache, all but
  /// `linking` are 0.
  const CompileTimes &getCompileTimes() const { return times; }

private:
  class JIT;
  Program();
  /// Links an image that was compiled with `options`.
  static llvm::Expected<std::unique_ptr<Program>>
  link(const ProgramImage &image, const CompileOptions &options);

  std::unique_ptr<JIT> jit;
  std::vector<std::string> names;
  llvm::StringMap<Entry> entries;
  CompileTimes times;
};

/// An array that the caller owns: row-major, without gaps.
struct ArrayView {
  ArrayType type;
  void *data = nullptr;
};

/// A function bound to its arguments. Only one thread may use an Invocation at
/// a time. Several Invocations of one entry may run concurrently, unless the
/// entry has guarded buffers.
class Invocation {
public:
  /// Binds `entry` to arrays. Fails if the arrays do not fit the signature.
  /// `outputs` has null for each result of dynamic shape, and a buffer for
  /// every other result. A buffer must be large enough and overlap no other
  /// array. All arrays must outlive the Invocation. Each call reads the inputs
  /// anew.
  static llvm::Expected<Invocation> bind(const Entry &entry,
                                         ArrayRef<ArrayView> inputs,
                                         ArrayRef<void *> outputs);
  Invocation(Invocation &&) noexcept;
  Invocation &operator=(Invocation &&) noexcept;
  ~Invocation();

  /// Replaces the bound arrays by others of the same types and shapes. `inputs`
  /// has a pointer for each argument; `outputs` is as for `bind`.
  void rebind(ArrayRef<const void *> inputs, ArrayRef<void *> outputs);

  /// Calls the function. A failed call leaves no results of dynamic shape. If
  /// memory ran out, the error has the code `std::errc::not_enough_memory`.
  llvm::Error run();

  /// Returns result `i` of the last call, which must have succeeded. A result
  /// of dynamic shape is valid until the next call or `releaseResults`.
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
