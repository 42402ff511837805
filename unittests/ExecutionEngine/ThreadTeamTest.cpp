// Class ThreadTeam divides a range among threads. The pieces must cover the
// range exactly once, and the first error must be returned.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/ExecutionEngine/ThreadTeam.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

using namespace mlir::pool;

TEST(ThreadTeam, CoversRangeOnce) {
  for (unsigned threads : {1, 2, 3, 8})
    for (uint64_t count : {0, 1, 2, 7, 100}) {
      std::vector<std::atomic<unsigned>> visits(count);
      llvm::Error error =
          forEachPiece(threads, count, [&](uint64_t begin, uint64_t end) {
            EXPECT_LT(begin, end);
            for (uint64_t i = begin; i < end; ++i)
              ++visits[i];
            return llvm::Error::success();
          });
      EXPECT_FALSE(bool(error));
      for (std::atomic<unsigned> &number : visits)
        EXPECT_EQ(number, 1u) << threads << " threads, " << count;
    }
}

TEST(ThreadTeam, ReturnsFirstError) {
  std::atomic<uint64_t> visited = 0;
  llvm::Error error = forEachPiece(
      /*threads=*/4, /*count=*/40, [&](uint64_t begin, uint64_t end) {
        visited += end - begin;
        // The piece that contains 15 fails, and so do all later pieces.
        return end > 15 ? llvm::createStringError("from " + llvm::Twine(begin))
                        : llvm::Error::success();
      });
  std::string message = llvm::toString(std::move(error));
  EXPECT_EQ(visited, 40u);
  // With 1 to 4 pieces, the piece that contains 15 begins at 0, 10 or 14.
  EXPECT_TRUE(message == "from 0" || message == "from 14" ||
              message == "from 10")
      << message;
}
