// Modules compiled for this process: compile once, call many times on the
// caller's buffers, without copies.
//
// A failed check or a failed allocation ends the call, not the process. For
// this purpose the library defines `puts`, `abort` and `malloc` for compiled
// code alone. The caller gets an error, and the memory that the call had
// allocated is freed. Output buffers keep the elements written so far.
//
// Exception: if memory runs out while several threads run, the process ends
// with a message. Checks cannot fail there: loops with checks run on one
// thread.
//
// A crash inside LLVM while it compiles does end the process. Known faults have
// workarounds; docs/Internals/upstream/README.md says how to compile in another
// process. The library changes no option or variable of a host's LLVM.
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
class DialectRegistry;

namespace pool {

struct ProgramImage;

/// The pool dialect and all upstream dialects, extensions and translations, so
/// that `Program` can compile modules with any of their operations. Made once,
/// and never destroyed.
const DialectRegistry &getExecutionRegistry();

/// Largest number of threads of a call. OpenMP's library can start as many on
/// any machine.
constexpr unsigned kMaxThreads = 1024;

struct CompileOptions {
  LoweringPath path = LoweringPath::Vector;
  /// Check at run time what the verifier could not know.
  bool runtimeChecks = true;
  /// Level 0 to 3 of LLVM's optimisations and code generation.
  unsigned optLevel = 3;
  /// The processor to compile for, and additional or missing features, as in
  /// TargetNames. Empty `cpu` means this machine's. This machine must be able
  /// to run the code.
  std::string cpu, features;
  /// Largest number of threads that run a call, 1 to kMaxThreads. More than one
  /// needs OpenMP's run-time library (libomp) and excludes guard pages.
  unsigned threads = 1;
  /// Guard every buffer that compiled code allocates, and report accesses
  /// outside of guarded buffers as errors. Only one thread may call at a time.
  GuardMode guard = GuardMode::None;
  /// The public functions to compile; all if empty. Functions that they do not
  /// use are not compiled.
  std::vector<std::string> entries;
  /// Where to store the machine code, so that Program::find can return it; null
  /// stores nothing.
  CodeCache *cache = nullptr;
  /// The module's context, if its passes shall be reused; else null.
  CompileContext *context = nullptr;
  /// With a cache: a description of the module, for example its text. Different
  /// modules must have different sources.
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
  /// Finding symbols, relocation, making memory executable.
  double linking = 0;
};

/// A function of a program.
struct Entry {
  std::string name;
  Signature signature;
  /// Takes a pointer for each argument and result. `Invocation` knows the
  /// layout.
  void (*function)(void **) = nullptr;
  GuardMode guard = GuardMode::None;
  unsigned threads = 1;
};

/// Machine code of a module. Must outlive the invocations of its entries.
class Program {
public:
  /// Fails if code for the processor of `options` cannot run here.
  static llvm::Error checkProcessor(const CompileOptions &options);
  /// Compiles a copy of `module` and stores the code in `options.cache`. Errors
  /// in the module are also reported to its context's diagnostic handler.
  static llvm::Expected<std::unique_ptr<Program>>
  compile(ModuleOp module, const CompileOptions &options);
  /// Links the code that `options.cache` has for these options and
  /// `options.source`, without a module. Returns null if there is none or it
  /// cannot be linked.
  static std::unique_ptr<Program> find(const CompileOptions &options);

  /// Calls `find` with the module's text as source. Compiles the module if
  /// there is no code.
  static llvm::Expected<std::unique_ptr<Program>>
  findOrCompile(ModuleOp module, CompileOptions options);
  ~Program();

  /// Returns the compiled function `name`, which the program owns.
  llvm::Expected<const Entry *> lookup(StringRef name) const;

  /// Names of the entries, in the order of the options if these name entries,
  /// else in the order of the module.
  ArrayRef<std::string> getEntryNames() const { return names; }

  /// Only `linking` is not zero if the code comes from the cache.
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

/// A function bound to its arguments. Only one thread may use it at a time.
/// Several invocations of one entry may run concurrently.
class Invocation {
public:
  /// Binds `entry` to arrays. Fails if they do not fit its signature. `outputs`
  /// has null for each result of dynamic shape, and a buffer for every other
  /// result. A buffer must be large enough and overlap no other array. Buffers
  /// must outlive the invocation. Each call reads their contents anew.
  static llvm::Expected<Invocation> bind(const Entry &entry,
                                         ArrayRef<ArrayView> inputs,
                                         ArrayRef<void *> outputs);
  Invocation(Invocation &&) noexcept;
  Invocation &operator=(Invocation &&) noexcept;
  ~Invocation();

  /// Binds other arrays of the same types instead. `inputs` has a pointer for
  /// each argument; `outputs` is as for `bind`.
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
