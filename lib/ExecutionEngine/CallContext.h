// State of a call of compiled code: its memory, and the ways it may end early.
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

/// Compiled code calls this function with a message if a check fails.
constexpr llvm::StringLiteral kCheckFailed = "pool_check_failed";

/// Definitions of `malloc`, `puts`, `abort` and others for compiled code.
llvm::orc::SymbolMap getRuntimeSymbols(llvm::orc::MangleAndInterner interner);

/// A caller's buffer, with a name for messages about guard pages.
struct NamedBuffer {
  std::string name;
  const char *begin;
  uint64_t size;
};

/// State that consecutive calls reuse. Only one call at a time may use it.
class CallContext {
public:
  explicit CallContext(GuardMode guard) : guard(guard) {}
  CallContext(const CallContext &) = delete;
  CallContext &operator=(const CallContext &) = delete;
  ~CallContext() { freeAll(); }

  /// Calls `function`. If the call fails, frees all that the function has
  /// allocated. Messages about guard pages name `buffers`.
  llvm::Error call(void (*function)(void **), void **args,
                   llvm::ArrayRef<NamedBuffer> buffers);

  /// Frees the results of the last call, and all else that it left allocated.
  void freeAll();

  /// Fails unless the last call left exactly `count` allocations, and wrote to
  /// none of the bytes between an allocation and its guard pages. Requires a
  /// guard mode other than None: without
  /// guards, allocations are not recorded.
  llvm::Error checkLeft(size_t count) const;

  // The functions of getRuntimeSymbols call these members on the thread that
  // called `call`.
  static CallContext *getCurrent();
  void *allocate(uint64_t size, uint64_t alignment);
  void release(void *pointer);
  void print(const char *text) { printed += text; }
  [[noreturn]] void abort();

  /// Precedes each unguarded allocation.
  struct Header;

private:
  /// The way a call ended. siglongjmp passes it to sigsetjmp as an integer.
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
