// The surroundings of a call of compiled code: the memory it allocates and the
// ways in which it may end early.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_EXECUTIONENGINE_CALLCONTEXT_H
#define POOL_LIB_EXECUTIONENGINE_CALLCONTEXT_H

#include "pool/ExecutionEngine/Buffer.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"
#include "llvm/Support/Error.h"

#include <csetjmp>
#include <csignal>
#include <memory>
#include <string>
#include <unordered_map>

namespace mlir::pool {

/// The function that compiled code calls with a message when a check fails.
constexpr llvm::StringLiteral kCheckFailed = "pool_check_failed";

/// The definitions of `malloc`, `puts`, `abort` and their kin that compiled
/// code is linked with.
llvm::orc::SymbolMap getRuntimeSymbols(llvm::orc::MangleAndInterner interner);

/// A buffer of the caller, named for messages about guard pages.
struct NamedBuffer {
  std::string name;
  const char *begin;
  uint64_t size;
};

/// The state of calls from one place; one call at a time.
class CallContext {
public:
  explicit CallContext(GuardMode guard) : guard(guard) {}
  CallContext(const CallContext &) = delete;
  CallContext &operator=(const CallContext &) = delete;
  ~CallContext() { freeAll(); }

  /// Calls `function`. On failure everything that it allocated is freed.
  /// `buffers` are those that guard-page messages may name.
  llvm::Error call(void (*function)(void **), void **args,
                   llvm::ArrayRef<NamedBuffer> buffers);

  /// Frees what the last call left: its results.
  void freeAll();

  /// With guards: whether there are exactly `count` allocations left, and all
  /// slack is intact.
  llvm::Error checkLeft(size_t count) const;

  // For the definitions of getRuntimeSymbols, on the calling thread.
  static CallContext *getCurrent();
  void *allocate(uint64_t size, uint64_t alignment);
  void release(void *pointer);
  void print(const char *text) { printed += text; }
  [[noreturn]] void abort();

  /// The block in front of each unguarded allocation.
  struct Header;

private:
  /// The end of a call, as the value that the jump delivers.
  enum Ending { Returned = 0, Aborted, OutOfMemory, Faulted, BadFree };

  Ending callAndCatch(void (*function)(void **), void **args);
  Ending callAndCatchFaults(void (*function)(void **), void **args);
  [[noreturn]] void escape(Ending ending);
  static void onFault(int signal, siginfo_t *info, void *);
  std::string describeFault(llvm::ArrayRef<NamedBuffer> buffers) const;

  GuardMode guard;
  sigjmp_buf target;
  /// The text that was passed to `puts`.
  std::string printed;
  uint64_t refusedBytes = 0;
  const char *faultAddress = nullptr;
  Header *allocations = nullptr;
  std::unordered_map<void *, Buffer> guarded;
};

} // namespace mlir::pool

#endif // POOL_LIB_EXECUTIONENGINE_CALLCONTEXT_H
