// Calls functions as compiled code is called: they print, allocate, and end
// early in each way that there is.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../../lib/ExecutionEngine/CallContext.h"

#include "llvm/ADT/bit.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <thread>

using namespace mlir::pool;

namespace {

/// The functions that compiled code is linked with.
class Runtime {
public:
  Runtime() : symbols(getRuntimeSymbols({session, layout})) {}
  ~Runtime() { llvm::cantFail(session.endSession()); }

  template <typename FunctionT>
  FunctionT *get(llvm::StringRef name) {
    return symbols.at(session.intern(name)).getAddress().toPtr<FunctionT *>();
  }

private:
  llvm::orc::ExecutionSession session{
      llvm::cantFail(llvm::orc::SelfExecutorProcessControl::Create())};
  llvm::DataLayout layout{"e-m:e"};
  llvm::orc::SymbolMap symbols;
};

class CallContextTest : public ::testing::Test {
protected:
  /// Calls `body` as if it were compiled code. Returns the error; empty if
  /// there is none. No object with a destructor may live in `body` when it
  /// ends early.
  template <typename BodyT>
  std::string call(CallContext &context, BodyT body,
                   llvm::ArrayRef<NamedBuffer> buffers = {}) {
    void *arguments[] = {&body};
    return llvm::toString(context.call(
        [](void **arguments) { (*static_cast<BodyT *>(arguments[0]))(); },
        arguments, buffers));
  }

  Runtime runtime;
  void *(*allocate)(uint64_t) = runtime.get<void *(uint64_t)>("malloc");
  void (*release)(void *) = runtime.get<void(void *)>("free");
  void (*puts)(const char *) = runtime.get<void(const char *)>("puts");
  void (*abort)() = runtime.get<void()>("abort");
};

TEST_F(CallContextTest, IsCurrentDuringItsCall) {
  CallContext outer(GuardMode::None), inner(GuardMode::None);
  EXPECT_EQ(CallContext::getCurrent(), nullptr);
  EXPECT_EQ(call(outer,
                 [&] {
                   EXPECT_EQ(CallContext::getCurrent(), &outer);
                   EXPECT_EQ(call(inner, [&] { abort(); }),
                             "compiled code aborted");
                   EXPECT_EQ(CallContext::getCurrent(), &outer);
                   std::thread([] {
                     EXPECT_EQ(CallContext::getCurrent(), nullptr);
                   }).join();
                 }),
            "");
  EXPECT_EQ(CallContext::getCurrent(), nullptr);
}

TEST_F(CallContextTest, AbortsWithWhatWasPrinted) {
  CallContext context(GuardMode::None);
  EXPECT_EQ(call(context, [&] { abort(); }), "compiled code aborted");
  EXPECT_EQ(call(context,
                 [&] {
                   puts("extent 3");
                   abort();
                 }),
            "extent 3");
  auto *checkFailed = runtime.get<void(const char *)>(kCheckFailed);
  EXPECT_EQ(call(context, [&] { checkFailed("index 7"); }), "index 7");
  // The next call begins anew.
  EXPECT_EQ(call(context, [&] { abort(); }), "compiled code aborted");
}

TEST_F(CallContextTest, PrintsWhenTheCallReturns) {
  CallContext context(GuardMode::None);
  testing::internal::CaptureStdout();
  EXPECT_EQ(call(context, [&] { puts("hello"); }), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "hello\n");
}

TEST_F(CallContextTest, RunsOutOfMemory) {
  for (GuardMode guard : {GuardMode::None, GuardMode::End}) {
    CallContext context(guard);
    EXPECT_EQ(call(context, [&] { allocate(uint64_t(1) << 62); }),
              "out of memory: compiled code asked for 4611686018427387904 "
              "bytes");
  }
  // The product of two sizes is not cut to 64 bits.
  CallContext context(GuardMode::None);
  auto *zeroed = runtime.get<void *(uint64_t, uint64_t)>("calloc");
  EXPECT_EQ(
      call(context, [&] { zeroed(uint64_t(1) << 33, uint64_t(1) << 33); }),
      "out of memory: compiled code asked for 18446744073709551615 "
      "bytes");
}

TEST_F(CallContextTest, AllocatesAlignedAndZeroed) {
  CallContext context(GuardMode::None);
  auto *aligned = runtime.get<void *(uint64_t, uint64_t)>("aligned_alloc");
  auto *zeroed = runtime.get<void *(uint64_t, uint64_t)>("calloc");
  EXPECT_EQ(call(context,
                 [&] {
                   for (uint64_t alignment : {1, 16, 64, 4096}) {
                     void *block = aligned(alignment, 100);
                     EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % alignment,
                               0u);
                     release(block);
                   }
                   const char *block = static_cast<char *>(zeroed(10, 10));
                   EXPECT_EQ(std::count(block, block + 100, 0), 100);
                   release(nullptr);
                 }),
            "");
}

TEST_F(CallContextTest, CountsWhatIsLeft) {
  CallContext context(GuardMode::End);
  EXPECT_EQ(call(context,
                 [&] {
                   allocate(8);
                   release(allocate(8));
                 }),
            "");
  EXPECT_EQ(llvm::toString(context.checkLeft(1)), "");
  EXPECT_EQ(llvm::toString(context.checkLeft(0)),
            "compiled code left 1 allocation(s), of which it returned 0");
  context.freeAll();
  EXPECT_EQ(llvm::toString(context.checkLeft(0)), "");
  // A call that fails leaves nothing.
  EXPECT_EQ(call(context,
                 [&] {
                   allocate(8);
                   abort();
                 }),
            "compiled code aborted");
  EXPECT_EQ(llvm::toString(context.checkLeft(0)), "");
}

TEST_F(CallContextTest, FreesOnceWhatItAllocated) {
  CallContext context(GuardMode::End);
  const char *wrong =
      "compiled code freed what it had not allocated, or wrote beside it";
  int64_t local = 0;
  EXPECT_EQ(call(context, [&] { release(&local); }), wrong);
  EXPECT_EQ(call(context,
                 [&] {
                   void *block = allocate(8);
                   release(block);
                   release(block);
                 }),
            wrong);
  // The slack lies on the side without a guard page.
  EXPECT_EQ(call(context,
                 [&] {
                   auto *block = static_cast<char *>(allocate(8));
                   block[-1] = 0;
                   release(block);
                 }),
            wrong);
}

TEST_F(CallContextTest, NamesTheBufferBesideAFault) {
  auto buffer = llvm::cantFail(Buffer::allocate(16, GuardMode::End));
  buffer.makeReadOnly();
  const NamedBuffer named = {"argument 0", buffer.data(), buffer.size()};
  CallContext context(GuardMode::End);
  volatile char *data = buffer.data();
  EXPECT_EQ(call(
                context, [&] { (void)data[16]; }, named),
            "compiled code touched memory outside a buffer: 1 byte(s) past the "
            "end of argument 0 of 16 bytes");
  EXPECT_EQ(call(
                context, [&] { data[0] = 1; }, named),
            "compiled code touched memory outside a buffer: wrote to argument "
            "0 of 16 bytes, which is read-only");
  EXPECT_EQ(call(context,
                 [&] {
                   auto *block = static_cast<volatile char *>(allocate(8));
                   block[9] = 1;
                 }),
            "compiled code touched memory outside a buffer: 2 byte(s) past the "
            "end of an intermediate buffer of 8 bytes");
  EXPECT_EQ(call(context, [&] { (void)data[15]; }, named), "");
}

TEST_F(CallContextTest, OtherThreadsAllocateFromTheHeap) {
  CallContext context(GuardMode::End);
  void *block = nullptr;
  EXPECT_EQ(
      call(context, [&] { std::thread([&] { block = allocate(8); }).join(); }),
      "");
  EXPECT_EQ(llvm::toString(context.checkLeft(0)), "");
  release(block);
}

TEST_F(CallContextTest, RoundsToBF16Once) {
  auto *fromFloat = runtime.get<float(float)>("__truncsfbf2");
  auto *fromDouble = runtime.get<float(double)>("__truncdfbf2");
  auto round = [&](double value) {
    return llvm::bit_cast<uint32_t>(fromDouble(value)) & 0xffff;
  };
  // Neighbours of bf16 near 1 are 2^-7 apart, and ties go to even ones.
  EXPECT_EQ(round(1), 0x3f80u);
  EXPECT_EQ(round(1 + 0x1p-8), 0x3f80u);
  EXPECT_EQ(round(1 + 0x3p-8), 0x3f82u);
  EXPECT_EQ(round(-1 - 0x3p-8), 0xbf82u);
  // In f32 these would become ties, and then even ones.
  EXPECT_EQ(round(1 + 0x1p-8 + 0x1p-40), 0x3f81u);
  EXPECT_EQ(round(1 + 0x3p-8 - 0x1p-40), 0x3f81u);
  EXPECT_EQ(round(std::numeric_limits<double>::infinity()), 0x7f80u);
  EXPECT_EQ(round(1e300), 0x7f80u);
  EXPECT_EQ(round(-0.0), 0x8000u);
  // The upper bits of this NaN are those of infinity.
  EXPECT_GT(
      llvm::bit_cast<uint32_t>(fromFloat(llvm::bit_cast<float>(0x7f800001u))) &
          0x7f,
      0u);
}

} // namespace
