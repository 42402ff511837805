// Class Program, which compiles and runs modules in a library: calls on the
// caller's buffers, repeated and from several threads. Arguments that do not
// fit must be refused. After an error, programs and calls must stay usable.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/ExecutionEngine/Program.h"

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/InitAll.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <thread>
#include <vector>

using namespace mlir;
using namespace mlir::pool;

namespace {

constexpr char kModule[] = R"mlir(
  func.func @static(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32> {
    %y = pool.max_pool %x kernel [2, 2] strides [2, 2]
        : tensor<1x1x4x4xf32> -> tensor<1x1x2x2xf32>
    return %y : tensor<1x1x2x2xf32>
  }
  func.func @dynamic(%x: tensor<1x1x?x?xf32>, %s: i32)
      -> (tensor<1x1x?x?xf32>, i32, tensor<1x1x?x?xi64>) {
    %y, %i = pool.max_pool %x kernel [2, 2] strides [2, 2]
        : tensor<1x1x?x?xf32> -> tensor<1x1x?x?xf32>, tensor<1x1x?x?xi64>
    return %y, %s, %i : tensor<1x1x?x?xf32>, i32, tensor<1x1x?x?xi64>
  }
  func.func private @helper(%x: f32) -> f32 {
    return %x : f32
  }
)mlir";

constexpr DType kF32{DType::Kind::Float, 4};
constexpr DType kI32{DType::Kind::Signed, 4};

class ProgramTest : public ::testing::Test {
protected:
  ProgramTest() { context.appendDialectRegistry(getExecutionRegistry()); }

  std::unique_ptr<Program> compile(CompileOptions options = {}) {
    module = parseSourceString<ModuleOp>(kModule, &context);
    EXPECT_TRUE(module);
    options.optLevel = 0;
    llvm::Expected<std::unique_ptr<Program>> program =
        Program::compile(*module, options);
    if (!program) {
      ADD_FAILURE() << llvm::toString(program.takeError());
      return nullptr;
    }
    return std::move(*program);
  }

  static const Entry &getEntry(const Program &program, StringRef name) {
    return *llvm::cantFail(program.lookup(name));
  }

  /// Message of an error, or the empty string.
  static std::string getMessage(llvm::Error error) {
    return error ? llvm::toString(std::move(error)) : "";
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

std::vector<float> makeInput() {
  std::vector<float> input(16);
  for (int i = 0; i < 16; ++i)
    input[i] = i;
  return input;
}

TEST_F(ProgramTest, ReadsAndWritesTheCallersBuffers) {
  std::unique_ptr<Program> program = compile();
  std::vector<float> input = makeInput(), output(4);
  llvm::Expected<Invocation> call =
      Invocation::bind(getEntry(*program, "static"),
                       {{{kF32, {1, 1, 4, 4}}, input.data()}}, {output.data()});
  ASSERT_TRUE(bool(call)) << llvm::toString(call.takeError());
  ASSERT_EQ(getMessage(call->run()), "");
  EXPECT_EQ(output, (std::vector<float>{5, 7, 13, 15}));
  EXPECT_EQ(call->getResult(0).data, output.data());

  input[0] = 100;
  ASSERT_EQ(getMessage(call->run()), "");
  EXPECT_EQ(output, (std::vector<float>{100, 7, 13, 15}));
}

TEST_F(ProgramTest, ReturnsDynamicShapesAndScalars) {
  std::unique_ptr<Program> program = compile();
  std::vector<float> input = makeInput();
  int32_t scalar = 7, returned = 0;
  llvm::Expected<Invocation> call = Invocation::bind(
      getEntry(*program, "dynamic"),
      {{{kF32, {1, 1, 4, 4}}, input.data()}, {{kI32, {}}, &scalar}},
      {nullptr, &returned, nullptr});
  ASSERT_TRUE(bool(call)) << llvm::toString(call.takeError());
  for (scalar = 7; scalar < 10; ++scalar) {
    ASSERT_EQ(getMessage(call->run()), "");
    EXPECT_EQ(returned, scalar);
    ArrayView values = call->getResult(0), indices = call->getResult(2);
    EXPECT_EQ(values.type.str(), "float32 (1, 1, 2, 2)");
    EXPECT_EQ(indices.type.str(), "int64 (1, 1, 2, 2)");
    EXPECT_EQ(static_cast<float *>(values.data)[3], 15);
    EXPECT_EQ(static_cast<int64_t *>(indices.data)[3], 15);
  }
  call->releaseResults();
  ASSERT_EQ(getMessage(call->run()), "");
}

TEST_F(ProgramTest, RebindsBuffers) {
  std::unique_ptr<Program> program = compile();
  std::vector<float> first = makeInput(), second(16, 3);
  std::vector<float> output(4), other(4);
  llvm::Expected<Invocation> fixed =
      Invocation::bind(getEntry(*program, "static"),
                       {{{kF32, {1, 1, 4, 4}}, first.data()}}, {output.data()});
  ASSERT_TRUE(bool(fixed)) << llvm::toString(fixed.takeError());
  ASSERT_EQ(getMessage(fixed->run()), "");
  fixed->rebind({second.data()}, {other.data()});
  ASSERT_EQ(getMessage(fixed->run()), "");
  EXPECT_EQ(output, (std::vector<float>{5, 7, 13, 15}));
  EXPECT_EQ(other, (std::vector<float>{3, 3, 3, 3}));
  EXPECT_EQ(fixed->getResult(0).data, other.data());

  // Scalars and returned values are rebound, too.
  int32_t scalar = 7, scalar2 = 8, returned = 0, returned2 = 0;
  llvm::Expected<Invocation> call = Invocation::bind(
      getEntry(*program, "dynamic"),
      {{{kF32, {1, 1, 4, 4}}, first.data()}, {{kI32, {}}, &scalar}},
      {nullptr, &returned, nullptr});
  ASSERT_TRUE(bool(call)) << llvm::toString(call.takeError());
  ASSERT_EQ(getMessage(call->run()), "");
  call->rebind({second.data(), &scalar2}, {nullptr, &returned2, nullptr});
  ASSERT_EQ(getMessage(call->run()), "");
  EXPECT_EQ(returned, 7);
  EXPECT_EQ(returned2, 8);
  EXPECT_EQ(static_cast<float *>(call->getResult(0).data)[3], 3);
}

TEST_F(ProgramTest, FailedChecksAreErrors) {
  std::unique_ptr<Program> program = compile();
  std::vector<float> input = makeInput();
  int32_t scalar = 0;
  auto call = [&](int64_t height, int64_t width) {
    llvm::Expected<Invocation> call = Invocation::bind(
        getEntry(*program, "dynamic"),
        {{{kF32, {1, 1, height, width}}, input.data()}, {{kI32, {}}, &scalar}},
        {nullptr, &scalar, nullptr});
    return call ? getMessage(call->run()) : getMessage(call.takeError());
  };
  // Calls that fail and calls that succeed run concurrently.
  auto callBoth = [&] {
    for (int i = 0; i < 100; ++i) {
      EXPECT_EQ(call(4, 4), "");
      EXPECT_NE(call(16, 1).find("dimension 3"), std::string::npos);
      EXPECT_NE(call(1, 16).find("dimension 2"), std::string::npos);
    }
  };
  std::thread other(callBoth);
  callBoth();
  other.join();
}

TEST_F(ProgramTest, RefusesWhatDoesNotFit) {
  std::unique_ptr<Program> program = compile();
  std::vector<float> input = makeInput(), output(4);
  const Entry &entry = getEntry(*program, "static");
  auto bind = [&](ArrayRef<ArrayView> inputs, ArrayRef<void *> outputs) {
    llvm::Expected<Invocation> call = Invocation::bind(entry, inputs, outputs);
    return call ? "" : getMessage(call.takeError());
  };
  ArrayView good = {{kF32, {1, 1, 4, 4}}, input.data()};
  EXPECT_EQ(bind({good}, {output.data()}), "");
  EXPECT_EQ(bind({}, {output.data()}),
            "the function takes 1 argument(s), but 0 given");
  EXPECT_EQ(bind({good}, {}),
            "the function has 1 result(s), but 0 buffer(s) given");
  EXPECT_EQ(bind({good}, {nullptr}),
            "result 0 of type tensor<1x1x2x2xf32> needs a buffer");
  ArrayView wide = {{kF32, {1, 1, 4, 5}}, input.data()};
  EXPECT_EQ(bind({wide}, {output.data()}),
            "argument 0: expected tensor<1x1x4x4xf32>, which is float32 of "
            "rank 4, but given float32 (1, 1, 4, 5)");
  ArrayView integers = {{kI32, {1, 1, 4, 4}}, input.data()};
  EXPECT_EQ(bind({integers}, {output.data()}),
            "argument 0: expected tensor<1x1x4x4xf32>, which is float32 of "
            "rank 4, but given int32 (1, 1, 4, 4)");
}

TEST_F(ProgramTest, CompilesTheEntriesThatAreNamed) {
  CompileOptions options;
  options.entries = {"static"};
  std::unique_ptr<Program> program = compile(options);
  EXPECT_TRUE(bool(program->lookup("static")));
  EXPECT_EQ(getMessage(program->lookup("dynamic").takeError()),
            "no compiled function 'dynamic'");

  options.entries = {"helper"};
  EXPECT_EQ(getMessage(Program::compile(*module, options).takeError()),
            "no public function 'helper' with a body; there is 'static', "
            "'dynamic'");
}

// An operation with a region that is not registered may hide uses of symbols.
// In a function that no entry uses, it changes nothing.
TEST_F(ProgramTest, DropsUnusedFunctionsFirst) {
  context.allowUnregisteredDialects();
  module = parseSourceString<ModuleOp>(R"mlir(
    func.func @f(%x: f32) -> f32 {
      return %x : f32
    }
    func.func private @unused() {
      "other.op"() ({}) : () -> ()
      return
    }
  )mlir",
                                       &context);
  ASSERT_TRUE(module);
  EXPECT_EQ(getMessage(Program::compile(*module, {}).takeError()), "");
}

// Each caller has a thread team of its own. Calls by one caller must not change
// the size of the other's team.
TEST_F(ProgramTest, RunsOnThreadsOfSeveralCallers) {
  CompileOptions options;
  options.threads = 3;
  std::unique_ptr<Program> program = compile(options);
  const Entry &entry = getEntry(*program, "dynamic");
  auto callOften = [&] {
    constexpr int64_t extent = 512;
    std::vector<float> input(extent * extent);
    for (int64_t i = 0; i < extent * extent; ++i)
      input[i] = i;
    int32_t scalar = 5, copy = 0;
    ArrayView inputs[] = {{{kF32, {1, 1, extent, extent}}, input.data()},
                          {{kI32, {}}, &scalar}};
    Invocation call = llvm::cantFail(
        Invocation::bind(entry, inputs, {nullptr, &copy, nullptr}));
    for (int i = 0; i < 20; ++i) {
      ASSERT_EQ(getMessage(call.run()), "");
      auto *values = static_cast<float *>(call.getResult(0).data);
      // Each maximum is the last element of its window.
      for (int64_t row = 0, n = extent / 2; row < n; ++row)
        for (int64_t column = 0; column < n; ++column)
          ASSERT_EQ(values[row * n + column],
                    (2 * row + 1) * extent + 2 * column + 1);
    }
  };
  std::thread other(callOften);
  callOften();
  other.join();
}

TEST_F(ProgramTest, CompilesForTheProcessorThatIsNamed) {
  CompileOptions options;
  options.cpu = "native";
  EXPECT_TRUE(compile(options));
  EXPECT_EQ(getMessage(Program::checkProcessor(options)), "");
  options.cpu = "moon";
  EXPECT_EQ(getMessage(Program::checkProcessor(options))
                .find("unknown cpu 'moon' for target"),
            0u);
#ifdef __x86_64__
  options.cpu = "x86-64";
  EXPECT_TRUE(compile(options));
  // One feature exists only in AMD's processors, the other only in Intel's, so
  // this machine lacks at least one.
  options.features = "+tbm,+avx512fp16";
  std::string message =
      getMessage(Program::compile(*module, options).takeError());
  EXPECT_EQ(message.find("this machine has no "), 0u) << message;
#endif
}

TEST_F(ProgramTest, RefusesNumbersOfThreads) {
  std::unique_ptr<Program> program = compile();
  CompileOptions options;
  auto fail = [&] {
    return getMessage(Program::compile(*module, options).takeError());
  };
  options.threads = 0;
  EXPECT_EQ(fail(), "the number of threads must be 1 to 1024, but is 0");
  options.threads = 1025;
  EXPECT_EQ(fail(), "the number of threads must be 1 to 1024, but is 1025");
  options.threads = 2;
  options.guard = GuardMode::End;
  EXPECT_EQ(fail(),
            "guard pages need one thread: only the calling one is watched");
}

} // namespace
