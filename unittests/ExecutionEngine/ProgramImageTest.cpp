// The key of machine code on disk must change with every option that affects
// the code. Otherwise the cache would return code that was compiled with other
// options.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../../lib/ExecutionEngine/ProgramImage.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::pool;

namespace {

/// Gives access to the names of all registered options.
struct NamedOptions : public CodeOptions {
  std::vector<std::string> getNames() const {
    std::vector<std::string> names;
    for (auto &[name, option] : OptionsMap)
      names.push_back(name.str());
    return names;
  }
};

std::string getKey(const CodeOptions &options) {
  return getImageKey(options, {}, "source");
}

std::string getKey(const CompileOptions &options) {
  return getImageKey(CodeOptions(options), options.entries, options.source);
}

/// True if some value of the code option `name` changes the key.
bool changesKey(const std::string &name) {
  for (const char *value : {"1", "false", "true", "linalg", "omp", "x"}) {
    CodeOptions options;
    if (succeeded(options.parseFromString(name + "=" + value, llvm::nulls())) &&
        getKey(options) != getKey(CodeOptions()))
      return true;
  }
  return false;
}

class ProgramImageTest : public testing::Test {
protected:
  void SetUp() override {
    if (getKey(CodeOptions()).empty())
      GTEST_SKIP() << "a library has no build-id";
  }
};
} // namespace

TEST_F(ProgramImageTest, EveryCodeOptionChangesTheKey) {
  std::vector<std::string> names = NamedOptions().getNames();
  EXPECT_GT(names.size(), 10u);
  for (const std::string &name : names)
    EXPECT_TRUE(changesKey(name)) << name;
}

TEST_F(ProgramImageTest, EveryOptionThatCodeDependsOnChangesTheKey) {
  auto expectChange = [](auto change) {
    CompileOptions options;
    change(options);
    EXPECT_NE(getKey(options), getKey(CompileOptions()));
  };
  expectChange([](CompileOptions &o) { o.path = LoweringPath::Linalg; });
  expectChange([](CompileOptions &o) { o.runtimeChecks = false; });
  expectChange([](CompileOptions &o) { o.optLevel = 2; });
  expectChange([](CompileOptions &o) { o.cpu = "x"; });
  expectChange([](CompileOptions &o) { o.features = "+x"; });
  expectChange([](CompileOptions &o) { o.threads = 2; });
  expectChange([](CompileOptions &o) { o.guard = GuardMode::End; });
  expectChange([](CompileOptions &o) { o.entries = {"f"}; });
  expectChange([](CompileOptions &o) { o.source = "other"; });
}

TEST_F(ProgramImageTest, EqualCodeHasOneKey) {
  CompileOptions named, two, three;
  named.cpu = "native";
  EXPECT_EQ(getKey(named), getKey(CompileOptions()));
  two.threads = 2;
  three.threads = 3;
  EXPECT_EQ(getKey(two), getKey(three));
}

TEST_F(ProgramImageTest, EntriesAreToldApart) {
  EXPECT_NE(getImageKey(CodeOptions(), {"a b"}, "s"),
            getImageKey(CodeOptions(), {"a", "b"}, "s"));
}
