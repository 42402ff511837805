// Class Buffer, with and without guard pages: alignment, filling, and detection
// of writes outside. Sizes that no machine has must be errors. pool-run's tests
// cover accesses that trap.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/ExecutionEngine/Buffer.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstdint>

using namespace mlir::pool;

namespace {

constexpr uint64_t kSizes[] = {0, 1, 63, 64, 4095, 4096, 4097, 100000};

TEST(BufferTest, PlainIsAligned) {
  for (uint64_t size : kSizes) {
    llvm::Expected<Buffer> buffer = Buffer::allocate(size, GuardMode::None);
    ASSERT_TRUE(bool(buffer));
    EXPECT_EQ(buffer->size(), size);
    ASSERT_NE(buffer->data(), nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data()) % 64, 0u);
    EXPECT_TRUE(buffer->isSlackIntact());
  }
}

TEST(BufferTest, GuardedIsFlushFilledAndWatched) {
  for (uint64_t size : kSizes) {
    for (GuardMode mode : {GuardMode::Begin, GuardMode::End}) {
      llvm::Expected<Buffer> buffer = Buffer::allocate(size, mode);
      ASSERT_TRUE(bool(buffer));
      char *data = buffer->data();
      auto address = reinterpret_cast<uintptr_t>(data);
      EXPECT_EQ((mode == GuardMode::Begin ? address : address + size) % 4096,
                0u);
      EXPECT_TRUE(
          std::all_of(data, data + size, [](char c) { return c == 0x7f; }));
      std::fill(data, data + size, 1);
      EXPECT_TRUE(buffer->isSlackIntact());
      if (size % 4096 == 0)
        continue;
      (mode == GuardMode::Begin ? data[size] : data[-1]) = 1;
      EXPECT_FALSE(buffer->isSlackIntact());
    }
  }
}

TEST(BufferTest, RefusesWhatNobodyHas) {
  for (GuardMode mode : {GuardMode::None, GuardMode::Begin, GuardMode::End}) {
    for (uint64_t size : {UINT64_MAX, uint64_t(INT64_MAX), uint64_t(1) << 60}) {
      llvm::Expected<Buffer> buffer = Buffer::allocate(size, mode);
      ASSERT_FALSE(bool(buffer));
      EXPECT_EQ(llvm::toString(buffer.takeError()),
                "cannot allocate " + std::to_string(size) + " bytes");
    }
  }
}

TEST(BufferTest, MovesKeepTheAddress) {
  llvm::Expected<Buffer> buffer = Buffer::allocate(8, GuardMode::None);
  ASSERT_TRUE(bool(buffer));
  char *data = buffer->data();
  Buffer moved = std::move(*buffer);
  EXPECT_EQ(moved.data(), data);
}

} // namespace
