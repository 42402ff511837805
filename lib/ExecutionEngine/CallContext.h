// State of a call of compiled code: the memory it allocated, and the ways in
// which the call may end early.
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

/// Name of the function that compiled code calls with a message if a check
/// fails.
constexpr llvm::StringLiteral kCheckFailed = "pool_check_failed";

/// Returns the definitions of `malloc`, `puts`, `abort` and other functions
/// that compiled code is linked with.
llvm::orc::SymbolMap getRuntimeSymbols(llvm::orc::MangleAndInterner interner);

/// A buffer of the caller, with the name that messages about guard pages use.
struct NamedBuffer {
  std::string name;
  const char *begin;
  uint64_t size;
};

/// State of a call. Consecutive calls may reuse it, but not two calls at the
/// same time.
class CallContext {
public:
  explicit CallContext(GuardMode guard) : guard(guard) {}
  CallContext(const CallContext &) = delete;
  CallContext &operator=(const CallContext &) = delete;
  ~CallContext() { freeAll(); }

  /// Calls `function(args)`, after freeing what the last call left. If the call
  /// fails, returns why, and frees all memory that the function allocated.
  /// Messages about guard pages name the buffer nearest to the access: one of
  /// `buffers`, or one that the function allocated.
  llvm::Error call(void (*function)(void **), void **args,
                   llvm::ArrayRef<NamedBuffer> buffers);

  /// Frees the results and all other memory that the last call left allocated.
  void freeAll();

  /// Requires a guard mode other than None, because unguarded allocations are
  /// not counted. Fails unless the last call left exactly `count` allocations,
  /// and wrote to no byte between an allocation and its guard pages.
  llvm::Error checkLeft(size_t count) const;

  // The functions of getRuntimeSymbols call the following members, on the
  // thread that called `call`. On other threads `getCurrent` returns null.
  static CallContext *getCurrent();
  void *allocate(uint64_t size, uint64_t alignment);
  void release(void *pointer);
  void print(const char *text) { printed += text; }
  [[noreturn]] void abort();

  /// Header before each unguarded allocation.
  struct Header;

private:
  /// How a call ended. siglongjmp passes this value to sigsetjmp as an integer.
  enum Ending { Returned = 0, Aborted, OutOfMemory, Faulted, BadFree };

  Ending callAndCatch(void (*function)(void **), void **args);
  Ending callAndCatchFaults(void (*function)(void **), void **args);
  [[noreturn]] void escape(Ending ending);
  static void onFault(int signal, siginfo_t *info, void *);
  std::string describeFault(llvm::ArrayRef<NamedBuffer> buffers) const;

  GuardMode guard;
  sigjmp_buf target;
  /// The text that compiled code passed to `puts` during the last call.
  std::string printed;
  uint64_t refusedBytes = 0;
  const char *faultAddress = nullptr;
  Header *allocations = nullptr;
  std::unordered_map<void *, Buffer> guarded;
};

} // namespace mlir::pool

#endif // POOL_LIB_EXECUTIONENGINE_CALLCONTEXT_H
