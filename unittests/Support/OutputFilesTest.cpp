// Class OutputFiles, with the output files of a run: all must be written, or
// none if a rename fails or a device is full. Old files must then be restored.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Support/OutputFiles.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::pool;
namespace fs = llvm::sys::fs;

namespace {
class OutputFilesTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("pool-output-files", root));
  }
  void TearDown() override { fs::remove_directories(root); }

  std::string getPath(StringRef name) { return (root + "/" + name).str(); }
  OutputFile getFile(StringRef name, std::string text) {
    return {getPath(name), [text](raw_ostream &os) { os << text; }};
  }
  std::string read(StringRef name) {
    auto file = llvm::MemoryBuffer::getFile(getPath(name));
    return file ? (*file)->getBuffer().str() : "none";
  }
  size_t getNumEntries() {
    std::error_code error;
    size_t count = 0;
    for (fs::directory_iterator it(root, error), end; it != end && !error;
         it.increment(error))
      ++count;
    return count;
  }

  SmallString<128> root;
};
} // namespace

TEST_F(OutputFilesTest, ReplacesAll) {
  for (const char *text : {"one", "two"}) {
    std::string error =
        llvm::toString(writeFiles({getFile("a", text), getFile("b", text)}));
    EXPECT_EQ(error, "");
    EXPECT_EQ(read("a"), text);
    EXPECT_EQ(read("b"), text);
    EXPECT_EQ(getNumEntries(), 2u);
  }
}

TEST_F(OutputFilesTest, RestoresAfterFailedRename) {
  ASSERT_EQ(llvm::toString(writeFiles({getFile("old", "before")})), "");
  // The directory appears after the check that the path is free, so only the
  // rename fails.
  OutputFile blocked = getFile("blocked", "text");
  blocked.print = [&](raw_ostream &os) {
    EXPECT_FALSE(fs::create_directory(blocked.path));
  };
  std::string error = llvm::toString(
      writeFiles({getFile("old", "after"), getFile("new", "text"), blocked}));
  EXPECT_NE(error.find("cannot write " + blocked.path), std::string::npos)
      << error;
  EXPECT_EQ(read("old"), "before");
  EXPECT_EQ(read("new"), "none");
  EXPECT_EQ(getNumEntries(), 2u);
}

TEST_F(OutputFilesTest, WritesDevicesFirst) {
  std::string error = llvm::toString(
      writeFiles({getFile("a", "text"),
                  {"/dev/full", [](raw_ostream &os) { os << "text"; }}}));
  EXPECT_EQ(error, "cannot write /dev/full: No space left on device");
  EXPECT_EQ(getNumEntries(), 0u);
}
