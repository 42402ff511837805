// Catches failures in compiled code, and owns the memory that the code
// allocates.
//
// If compiled code fails, siglongjmp ends the call. This is safe because
// compiled code has no destructors to run and holds no locks. The jump starts
// in a function that compiled code calls, for example `abort`. With guard pages
// it may also start in the signal handler for an access outside a buffer.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CallContext.h"

#include "OpenMP.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace mlir::pool;

static thread_local CallContext *current = nullptr;

CallContext *CallContext::getCurrent() { return current; }

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// A header before each allocation. Headers form a linked list, so that all
/// memory of a failed call can be freed. The size of a header is a multiple of
/// malloc's alignment, so the memory after it is aligned too.
struct alignas(std::max_align_t) CallContext::Header {
  /// The context of the call. Null on threads that compiled code started.
  CallContext *owner;
  Header *previous;
  Header *next;
  void *block;
};

/// Allocates `size` bytes with a header before them. Returns the header, or
/// null if there is not enough memory.
static CallContext::Header *allocateBlock(uint64_t size, uint64_t alignment) {
  using Header = CallContext::Header;
  alignment = std::max<uint64_t>(alignment, alignof(Header));
  uint64_t offset = llvm::alignTo(sizeof(Header), alignment);
  if (size > std::numeric_limits<int64_t>::max() - offset)
    return nullptr;
  void *block = alignment == alignof(Header)
                    ? std::malloc(offset + size)
                    : std::aligned_alloc(
                          alignment, llvm::alignTo(offset + size, alignment));
  if (!block)
    return nullptr;
  auto *header = reinterpret_cast<Header *>(static_cast<char *>(block) +
                                            offset - sizeof(Header));
  return new (header) Header{nullptr, nullptr, nullptr, block};
}

void *CallContext::allocate(uint64_t size, uint64_t alignment) {
  if (guard != GuardMode::None) {
    // Ignore `alignment`: an aligned buffer need not end at the end of a page,
    // and accesses to the bytes after its end would not trap.
    llvm::Expected<Buffer> buffer = Buffer::allocate(size, guard);
    if (!buffer) {
      llvm::consumeError(buffer.takeError());
      refusedBytes = size;
      escape(OutOfMemory);
    }
    void *pointer = buffer->data();
    guarded.emplace(pointer, std::move(*buffer));
    return pointer;
  }
  Header *header = allocateBlock(size, alignment);
  if (!header) {
    refusedBytes = size;
    escape(OutOfMemory);
  }
  header->owner = this;
  header->next = allocations;
  if (allocations)
    allocations->previous = header;
  allocations = header;
  return header + 1;
}

static void releaseBlock(void *pointer) {
  auto *header = static_cast<CallContext::Header *>(pointer) - 1;
  if (CallContext *owner = header->owner)
    owner->release(pointer);
  else
    std::free(header->block);
}

void CallContext::release(void *pointer) {
  if (guard != GuardMode::None) {
    auto it = guarded.find(pointer);
    if (it == guarded.end() || !it->second.isSlackIntact())
      escape(BadFree);
    guarded.erase(it);
    return;
  }
  Header *header = static_cast<Header *>(pointer) - 1;
  (header->previous ? header->previous->next : allocations) = header->next;
  if (header->next)
    header->next->previous = header->previous;
  std::free(header->block);
}

void CallContext::freeAll() {
  guarded.clear();
  while (allocations)
    release(allocations + 1);
}

llvm::Error CallContext::checkLeft(size_t count) const {
  if (guarded.size() != count)
    return llvm::createStringError(
        "compiled code left " + llvm::Twine(guarded.size()) +
        " allocation(s), of which it returned " + llvm::Twine(count));
  for (auto &[pointer, buffer] : guarded)
    if (!buffer.isSlackIntact())
      return llvm::createStringError(
          "compiled code touched memory outside a buffer: it wrote beside a "
          "result of " +
          llvm::Twine(buffer.size()) + " bytes");
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Calls and their ends
//===----------------------------------------------------------------------===//

/// Ends the process. Called if a jump cannot end the call, because other
/// threads wait for this thread or because this thread has no context.
[[noreturn]] static void dieOutOfMemory(uint64_t size) {
  std::fprintf(
      stderr, "out of memory: a thread of compiled code asked for %llu bytes\n",
      static_cast<unsigned long long>(size));
  std::abort();
}

void CallContext::escape(Ending ending) {
  if (ending == OutOfMemory && OpenMP::isInParallel())
    dieOutOfMemory(refusedBytes);
  siglongjmp(target, ending);
}

void CallContext::abort() { escape(Aborted); }

/// The handler that SIGSEGV had before the current guarded call.
static struct sigaction previousAction;

void CallContext::onFault(int signal, siginfo_t *info, void *) {
  if (CallContext *context = current;
      context && context->guard != GuardMode::None) {
    context->faultAddress = static_cast<const char *>(info->si_addr);
    context->escape(Faulted);
  }
  // No guarded call caused this fault. Restore the previous handler. After this
  // function returns, the instruction faults again, and the previous handler
  // gets the signal.
  sigaction(signal, &previousAction, nullptr);
}

CallContext::Ending CallContext::callAndCatchFaults(void (*function)(void **),
                                                    void **args) {
  struct sigaction action;
  std::memset(&action, 0, sizeof(action));
  action.sa_sigaction = onFault;
  // SA_NODEFER: the signal must not be blocked in the handler, because the jump
  // out of the handler does not restore the signal mask.
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  // Install the handler only for the call, because other code may handle
  // SIGSEGV at other times.
  sigaction(SIGSEGV, &action, &previousAction);
  Ending ending = callAndCatch(function, args);
  sigaction(SIGSEGV, &previousAction, nullptr);
  return ending;
}

/// This function must have no local object with a destructor, because the jump
/// would skip the destructor. UBSan's function check is off, because it reads a
/// prefix that code of the JIT does not have.
#ifdef __clang__
LLVM_NO_SANITIZE("function")
#endif
CallContext::Ending CallContext::callAndCatch(void (*function)(void **),
                                              void **args) {
  CallContext *outer = current;
  switch (sigsetjmp(target, /*savemask=*/0)) {
  case Returned:
    current = this;
    function(args);
    current = outer;
    return Returned;
  case Aborted:
    current = outer;
    return Aborted;
  case OutOfMemory:
    current = outer;
    return OutOfMemory;
  case Faulted:
    current = outer;
    return Faulted;
  default:
    current = outer;
    return BadFree;
  }
}

std::string
CallContext::describeFault(llvm::ArrayRef<NamedBuffer> buffers) const {
  // Find the buffer that is nearest to the address, within the size of a guard
  // page.
  constexpr uint64_t reach = 4096;
  std::string description = "at an address far from all buffers";
  uint64_t nearest = reach;
  auto consider = [&](const std::string &name, const char *begin,
                      uint64_t size) {
    std::string what = name + " of " + std::to_string(size) + " bytes";
    if (faultAddress >= begin && faultAddress < begin + size) {
      // All buffers are readable, so this was a write.
      nearest = 0;
      description = "wrote to " + what + ", which is read-only";
      return;
    }
    bool isBefore = faultAddress < begin;
    uint64_t distance =
        isBefore ? begin - faultAddress : faultAddress - (begin + size) + 1;
    if (distance > nearest)
      return;
    nearest = distance;
    description = std::to_string(distance) + " byte(s) " +
                  (isBefore ? "before the start of " : "past the end of ") +
                  what;
  };
  for (const NamedBuffer &buffer : buffers)
    consider(buffer.name, buffer.begin, buffer.size);
  for (auto &[pointer, buffer] : guarded)
    consider("an intermediate buffer", buffer.data(), buffer.size());
  return description;
}

llvm::Error CallContext::call(void (*function)(void **), void **args,
                              llvm::ArrayRef<NamedBuffer> buffers) {
  freeAll();
  printed.clear();
  Ending ending = guard == GuardMode::None ? callAndCatch(function, args)
                                           : callAndCatchFaults(function, args);
  if (ending == Returned) {
    if (!printed.empty())
      std::fputs(printed.c_str(), stdout);
    return llvm::Error::success();
  }

  llvm::scope_exit cleanUp([&] { freeAll(); });
  switch (ending) {
  case Returned:
    break;
  case Aborted: {
    llvm::StringRef message = llvm::StringRef(printed).trim();
    return llvm::createStringError(message.empty() ? "compiled code aborted"
                                                   : message);
  }
  case OutOfMemory:
    return llvm::createStringError(
        std::make_error_code(std::errc::not_enough_memory),
        "out of memory: compiled code asked for " + llvm::Twine(refusedBytes) +
            " bytes");
  case Faulted:
    return llvm::createStringError(
        "compiled code touched memory outside a buffer: " +
        describeFault(buffers));
  case BadFree:
    return llvm::createStringError(
        "compiled code freed what it had not allocated, or wrote beside it");
  }
  llvm_unreachable("all endings handled");
}

//===----------------------------------------------------------------------===//
// Functions that compiled code is linked with
//===----------------------------------------------------------------------===//

// On threads that compiled code starts, `current` is null. These functions then
// allocate from the heap, and end the process if memory runs out. Checks cannot
// fail on those threads, because loops that contain checks run on the calling
// thread.

static void *runtimeAlignedAlloc(uint64_t alignment, uint64_t size) {
  if (current)
    return current->allocate(size, alignment);
  CallContext::Header *header = allocateBlock(size, alignment);
  if (!header)
    dieOutOfMemory(size);
  return header + 1;
}

static void *runtimeMalloc(uint64_t size) {
  return runtimeAlignedAlloc(/*alignment=*/1, size);
}

static void *runtimeCalloc(uint64_t count, uint64_t size) {
  uint64_t bytes = llvm::SaturatingMultiply(count, size);
  void *pointer = runtimeMalloc(bytes);
  if (pointer)
    std::memset(pointer, 0, bytes);
  return pointer;
}

static void runtimeFree(void *pointer) {
  if (!pointer)
    return;
  // Check `current` first, because guarded allocations have no header.
  if (current)
    return current->release(pointer);
  releaseBlock(pointer);
}

static int runtimePuts(const char *text) {
  if (current) {
    current->print(text);
    current->print("\n");
    return 1;
  }
  return std::puts(text);
}

static void runtimeAbort() {
  if (current)
    current->abort();
  std::abort();
}

static void runtimeCheckFailed(const char *message) {
  runtimePuts(message);
  runtimeAbort();
}

/// Rounds to bf16: to nearest, ties to even; a NaN stays a NaN. LLVM calls this
/// function, `__truncsfbf2`, on processors without an instruction that rounds
/// to bf16. LLVM also computes selects of bf16 vectors in f32 and rounds the
/// results. It is defined here because GCC's run-time library has it only since
/// version 13. By the ABI, the bf16 is in the lowest bits of a float register.
static float runtimeTruncateToBF16(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  if (std::isnan(value))
    bits = (bits >> 16) | 0x40;
  else
    bits = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  return llvm::bit_cast<float>(bits);
}

static float runtimeTruncateDoubleToBF16(double value) {
  // First round to f32 with round-to-odd: an inexact result gets an odd last
  // bit. Rounding to nearest twice would be wrong: the first rounding can move
  // a value to the middle between two bf16 values, and the second one then
  // rounds it in the wrong direction.
  auto single = static_cast<float>(value);
  if (single != value && !std::isnan(value) && !std::isinf(single)) {
    uint32_t bits = llvm::bit_cast<uint32_t>(single);
    // Round towards zero, then make the result odd.
    if (std::fabs(static_cast<double>(single)) > std::fabs(value))
      --bits;
    single = llvm::bit_cast<float>(bits | 1);
  }
  return runtimeTruncateToBF16(single);
}

llvm::orc::SymbolMap
mlir::pool::getRuntimeSymbols(llvm::orc::MangleAndInterner interner) {
  llvm::orc::SymbolMap symbols;
  auto add = [&](llvm::StringRef name, auto *function) {
    symbols[interner(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                               llvm::JITSymbolFlags::Exported |
                                   llvm::JITSymbolFlags::Callable};
  };
  add("malloc", runtimeMalloc);
  add("calloc", runtimeCalloc);
  add("aligned_alloc", runtimeAlignedAlloc);
  add("free", runtimeFree);
  add("puts", runtimePuts);
  add("abort", runtimeAbort);
  add(kCheckFailed, runtimeCheckFailed);
  add("__truncsfbf2", runtimeTruncateToBF16);
  add("__truncdfbf2", runtimeTruncateDoubleToBF16);
  return symbols;
}
