// Compiled modules, in the process that compiled them: compile once, call many
// times on the caller's buffers, without copies.
//
// A call never takes the process down. What compiled code calls when something
// is wrong is defined by this library, for that code alone: a failed assertion
// (`puts` and `abort`) or memory that cannot be had (`malloc`) ends the call,
// and the caller gets an error. Everything the call allocated is then freed;
// outputs hold whatever had been written by then.
// The exception is memory that cannot be had where several threads run, which
// ends the process with a message: loops with assertions in them run on one.
//
// Compiling is LLVM's, and a fault of LLVM's takes the process down: those that
// are known are worked around, and docs/Internals/upstream/README.md says how
// to compile elsewhere. No option or variable of a host's LLVM is changed.
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

/// The dialect, and every upstream dialect, extension and translation that
/// `Program` needs to compile modules with any upstream operations. Made once,
/// and never destroyed.
const DialectRegistry &getExecutionRegistry();

/// The most threads that a call may have: what nobody's machine has yet, and
/// what OpenMP's library can start anywhere.
constexpr unsigned kMaxThreads = 1024;

struct CompileOptions {
  LoweringPath path = LoweringPath::Vector;
  /// Check at run time what the verifier could not know.
  bool runtimeChecks = true;
  /// 0 to 3, for LLVM's optimisations and code generation.
  unsigned optLevel = 3;
  /// The processor to compile for, and features that it has or lacks beside, as
  /// in TargetNames; this machine's if `cpu` is empty. This machine must have
  /// all that they have.
  std::string cpu, features;
  /// At most this many threads run a call, 1 to kMaxThreads. More than one
  /// needs OpenMP's run-time library (libomp) and excludes guard pages.
  unsigned threads = 1;
  /// Guard every buffer that compiled code allocates, and report accesses
  /// outside of guarded buffers as errors. Calls must then come from one thread
  /// at a time.
  GuardMode guard = GuardMode::None;
  /// The public functions to compile; all if empty. What they do not use is not
  /// compiled.
  std::vector<std::string> entries;
  /// Keeps the machine code, for `find`; null for nobody.
  CodeCache *cache = nullptr;
  /// What the module is in, if its passes are to be used again.
  CompileContext *context = nullptr;
  /// With a cache: what the module is made of, its text or a front end's own
  /// description. Modules that differ have different sources.
  std::string source;
};

/// Seconds that each stage of compiling took.
struct CompileTimes {
  /// MLIR's passes down to the llvm dialect, and the translation of that.
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
  /// Takes pointers to the parts of all arguments, then to all results that are
  /// returned; `Invocation` knows the layout.
  void (*function)(void **) = nullptr;
  GuardMode guard = GuardMode::None;
  unsigned threads = 1;
};

/// Machine code of a module. Must outlive its entries' invocations.
class Program {
public:
  /// Fails, and says why, if nothing that is compiled for the processor of
  /// `options` can run here.
  static llvm::Error checkProcessor(const CompileOptions &options);
  /// Compiles a copy of `module` for this machine and puts the code into
  /// `options.cache`. What is wrong with the module is also reported to its
  /// context's diagnostic handler.
  static llvm::Expected<std::unique_ptr<Program>>
  compile(ModuleOp module, const CompileOptions &options);
  /// Links what `options.cache` has for these options and `options.source`, for
  /// which no module is needed. Null if it has nothing, or nothing that can be
  /// linked.
  static std::unique_ptr<Program> find(const CompileOptions &options);

  /// Finds the code in `options.cache`, if there is one, or else compiles it.
  /// The module's text is the source.
  static llvm::Expected<std::unique_ptr<Program>>
  findOrCompile(ModuleOp module, CompileOptions options);
  ~Program();

  /// The compiled function `name`, which the program owns.
  llvm::Expected<const Entry *> lookup(StringRef name) const;

  /// The names of the entries, in the order of the module or of the options.
  ArrayRef<std::string> getEntryNames() const { return names; }

  /// All but linking is zero where the code was found.
  const CompileTimes &getCompileTimes() const { return times; }

private:
  class JIT;
  Program();
  /// Links `image`, which `options` made.
  static llvm::Expected<std::unique_ptr<Program>>
  link(const ProgramImage &image, const CompileOptions &options);

  std::unique_ptr<JIT> jit;
  std::vector<std::string> names;
  llvm::StringMap<Entry> entries;
  CompileTimes times;
};

/// An array that somebody else owns: row-major, without gaps.
struct ArrayView {
  ArrayType type;
  void *data = nullptr;
};

/// A function bound to its arguments. Not to be used by two threads at once;
/// several invocations of one entry may run at the same time.
class Invocation {
public:
  /// Checks and binds. `outputs` has a buffer for each result of static shape
  /// and for each scalar, large enough and not overlapping any other, and null
  /// for each result of dynamic shape. Buffers must outlive the invocation;
  /// their contents are read anew by each call.
  static llvm::Expected<Invocation> bind(const Entry &entry,
                                         ArrayRef<ArrayView> inputs,
                                         ArrayRef<void *> outputs);
  Invocation(Invocation &&) noexcept;
  Invocation &operator=(Invocation &&) noexcept;
  ~Invocation();

  /// Binds other arrays of the same types instead. `inputs` has a pointer for
  /// each argument, `outputs` is as for `bind`.
  void rebind(ArrayRef<const void *> inputs, ArrayRef<void *> outputs);

  /// Calls the function. A failed call leaves no results of dynamic shape; its
  /// error has the code `std::errc::not_enough_memory` where memory ran out.
  llvm::Error run();

  /// Result `i` of the last call, which must have succeeded. That of a dynamic
  /// shape is valid until the next call or `releaseResults`.
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
