// The disk cache of machine code must return exactly the stored code, or
// nothing. This holds if files are damaged, if other users could have written
// them, and if several processes write at once. Without a usable directory, it
// must go on without storing.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/ExecutionEngine/CodeCache.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "gtest/gtest.h"

#include <array>
#include <csignal>
#include <fstream>
#include <sys/stat.h>
#include <thread>

using namespace mlir;
using namespace mlir::pool;
namespace fs = llvm::sys::fs;

namespace {
class CodeCacheTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("pool-code-cache", root));
    directory = (root + "/a/b").str();
  }
  void TearDown() override { fs::remove_directories(root); }

  std::unique_ptr<CodeCache> open(uint64_t maxBytes = CodeCache::kMaxBytes) {
    return llvm::cantFail(CodeCache::open(directory, maxBytes));
  }

  std::string getError() {
    llvm::Expected<std::unique_ptr<CodeCache>> cache =
        CodeCache::open(directory);
    return cache ? "" : llvm::toString(cache.takeError());
  }

  /// Returns the value of `key`, or "none".
  static std::string find(CodeCache &cache, StringRef key) {
    std::unique_ptr<llvm::MemoryBuffer> value = cache.find(key);
    return value ? value->getBuffer().str() : "none";
  }

  std::vector<std::string> getFiles() {
    std::vector<std::string> files;
    std::error_code code;
    for (fs::directory_iterator it(directory, code), end; it != end;
         it.increment(code))
      if (llvm::sys::path::filename(it->path()).starts_with("code-"))
        files.push_back(it->path());
    return files;
  }

  SmallString<128> root;
  std::string directory;
};
} // namespace

TEST_F(CodeCacheTest, FindsWhatIsStored) {
  std::unique_ptr<CodeCache> cache = open();
  EXPECT_EQ(find(*cache, "a"), "none");
  cache->store("a", "one");
  cache->store("b", "");
  EXPECT_EQ(find(*cache, "a"), "one");
  EXPECT_EQ(find(*cache, "b"), "");
  cache->store("a", "two");
  // A second cache object stands for another process.
  EXPECT_EQ(find(*open(), "a"), "two");
  CodeCache::Info info = cache->getInfo();
  EXPECT_EQ(info.hits, 2u);
  EXPECT_EQ(info.misses, 1u);
  EXPECT_EQ(info.numFiles, 2u);
  llvm::cantFail(cache->clear());
  EXPECT_EQ(find(*cache, "a"), "none");
  EXPECT_EQ(cache->getInfo().numFiles, 0u);
}

TEST_F(CodeCacheTest, IsForItsUserAlone) {
  open();
  struct stat status;
  ASSERT_EQ(::stat(directory.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  for (mode_t mode : {0770, 0702}) {
    ASSERT_EQ(::chmod(directory.c_str(), mode), 0);
    EXPECT_TRUE(StringRef(getError()).contains("other users may write to it"));
  }
  ASSERT_EQ(::chmod(directory.c_str(), 0755), 0);
  EXPECT_EQ(getError(), "");
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(directory.c_str(), 1, 1), 0);
    EXPECT_TRUE(StringRef(getError()).contains("belongs to another user"));
  }
}

TEST_F(CodeCacheTest, StaysWithTheDirectoryThatWasChecked) {
  std::unique_ptr<CodeCache> cache = open();
  cache->store("a", "one");
  // Move the cache's directory away, and put an empty one in its place.
  std::string moved = directory + "-moved";
  ASSERT_FALSE(fs::rename(directory, moved));
  ASSERT_FALSE(fs::create_directory(directory));
  EXPECT_EQ(find(*cache, "a"), "one");
  cache->store("b", "two");
  EXPECT_TRUE(getFiles().empty());
  directory = moved;
  EXPECT_EQ(getFiles().size(), 2u);
  // Files that others may write are not used.
  ASSERT_EQ(::chmod(getFiles()[0].c_str(), 0666), 0);
  ASSERT_EQ(::chmod(getFiles()[1].c_str(), 0620), 0);
  EXPECT_EQ(find(*cache, "a"), "none");
  EXPECT_EQ(find(*cache, "b"), "none");
}

TEST_F(CodeCacheTest, ChangesNoSignalHandler) {
  std::array<struct sigaction, 32> before, after;
  for (int signal = 1; signal < 32; ++signal)
    ::sigaction(signal, nullptr, &before[signal]);
  std::unique_ptr<CodeCache> cache = open();
  cache->store("a", "one");
  EXPECT_EQ(find(*cache, "a"), "one");
  for (int signal = 1; signal < 32; ++signal) {
    ::sigaction(signal, nullptr, &after[signal]);
    EXPECT_EQ(before[signal].sa_handler, after[signal].sa_handler) << signal;
  }
}

TEST_F(CodeCacheTest, DoesNotWaitForPipes) {
  std::unique_ptr<CodeCache> cache = open();
  cache->store("a", "one");
  ASSERT_EQ(getFiles().size(), 1u);
  std::string path = getFiles()[0];
  ASSERT_FALSE(fs::remove(path));
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(find(*cache, "a"), "none");
}

TEST_F(CodeCacheTest, SaysWhyItCannotBeOpened) {
  open();
  directory += "/file";
  std::ofstream(directory) << "x";
  EXPECT_TRUE(StringRef(getError())
                  .contains("no cache of machine code in '" + directory + "'"));
  directory += "/below";
  EXPECT_TRUE(StringRef(getError()).contains(directory));
}

TEST_F(CodeCacheTest, NoticesDamage) {
  std::unique_ptr<CodeCache> cache = open();
  const std::string value = "some machine code";
  cache->store("a", value);
  ASSERT_EQ(getFiles().size(), 1u);
  std::string path = getFiles()[0];
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
  auto replace = [&](StringRef with) {
    std::ofstream(path, std::ios::binary) << with.str();
    return find(*cache, "a");
  };
  EXPECT_EQ(replace(bytes), value);
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_EQ(replace(StringRef(bytes).take_front(size)), "none") << size;
  EXPECT_EQ(replace(bytes + "x"), "none");
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] ^= 4;
    EXPECT_EQ(replace(damaged), "none") << i;
  }
  // find() must not return the value of another key, nor read a directory that
  // is in the place of the file.
  cache->store("b", value);
  ASSERT_EQ(getFiles().size(), 2u);
  std::string other = getFiles()[getFiles()[0] == path ? 1 : 0];
  ASSERT_FALSE(fs::rename(other, path));
  EXPECT_EQ(find(*cache, "a"), "none");
  ASSERT_FALSE(fs::remove(path));
  ASSERT_FALSE(fs::create_directory(path));
  EXPECT_EQ(find(*cache, "a"), "none");
}

TEST_F(CodeCacheTest, RemovesWhatWasUsedLeastRecently) {
  const std::string value(1000, 'x');
  std::unique_ptr<CodeCache> cache = open(/*maxBytes=*/3500);
  for (StringRef key : {"a", "b", "c"}) {
    cache->store(key, value);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(find(*cache, "a"), value);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  cache->store("d", value);
  EXPECT_EQ(find(*cache, "a"), value);
  EXPECT_EQ(find(*cache, "b"), "none");
  EXPECT_EQ(find(*cache, "c"), value);
  EXPECT_EQ(find(*cache, "d"), value);
  // A value that can never fit must not remove other values.
  cache->store("e", std::string(4000, 'x'));
  EXPECT_EQ(find(*cache, "e"), "none");
  EXPECT_EQ(find(*cache, "d"), value);
}

TEST_F(CodeCacheTest, HasManyWriters) {
  constexpr int kKeys = 4, kThreads = 4, kTimes = 60;
  auto getValue = [](int key) { return std::string(5000 + key, 'a' + key); };
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&] {
      // Another cache object stands for another process.
      std::unique_ptr<CodeCache> cache = open(/*maxBytes=*/16000);
      for (int i = 0; i < kTimes; ++i) {
        int key = i % kKeys;
        cache->store(std::to_string(key), getValue(key));
        std::string found = find(*cache, std::to_string((i + 1) % kKeys));
        EXPECT_TRUE(found == "none" || found == getValue((i + 1) % kKeys));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_LE(open()->getInfo().numBytes, 16000u);
  EXPECT_EQ(CodeCache::takeWarning(), "");
}

TEST_F(CodeCacheTest, GoesOnWithoutADirectory) {
  std::unique_ptr<CodeCache> cache = open();
  ASSERT_FALSE(fs::remove_directories(directory));
  EXPECT_EQ(find(*cache, "a"), "none");
  cache->store("a", "one");
  EXPECT_TRUE(StringRef(CodeCache::takeWarning())
                  .contains("cannot be kept in '" + directory + "'"));
  // The warning comes once.
  cache->store("a", "one");
  EXPECT_EQ(CodeCache::takeWarning(), "");
}
