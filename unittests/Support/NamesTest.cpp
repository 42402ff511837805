// getNearest() and suggestName(), which suggest names in messages about
// misspelt ones. An empty name must never be suggested, and an empty list must
// have a message of its own.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Support/Names.h"
#include "gtest/gtest.h"

using namespace mlir::pool;

TEST(Names, AnEmptyNameIsNearToNone) {
  EXPECT_EQ(getNearest("p", {""}), "");
  EXPECT_EQ(getNearest("kernal", {"", "kernel"}), "kernel");
}

TEST(Names, NoNamesAreNoList) {
  EXPECT_EQ(suggestName("lanes", {}, "parameter"), "there is no parameter");
  EXPECT_EQ(suggestName("lanes", {"rows"}, "parameter"),
            "the parameter is rows");
}
