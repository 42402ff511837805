// A CompileContext serves one module after the other. No module may affect the
// next, even if it fails, and a context must have one user at a time.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/ExecutionEngine/CompileContext.h"

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/ExecutionEngine/Program.h"
#include "pool/InitAll.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::pool;

namespace {

constexpr char kMaximum[] = R"mlir(
  func.func @f(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32> {
    %y = pool.max_pool %x kernel [2, 2] strides [2, 2]
        : tensor<1x1x4x4xf32> -> tensor<1x1x2x2xf32>
    return %y : tensor<1x1x2x2xf32>
  }
)mlir";

// An operation that none of our passes lowers.
constexpr char kForeign[] = R"mlir(
  func.func @f(%x: tensor<1x1x4x4xf32>) -> index {
    %i = gpu.thread_id x
    return %i : index
  }
)mlir";

/// True if the context is new. A used context has the dialect, because the
/// dialect is loaded on first use and stays loaded.
bool isNew(MLIRContext *context) {
  return !context->getLoadedDialect<PoolDialect>();
}

/// Compiles `text` and runs it on the numbers 0 to 15. Returns "right" if the
/// result is the maxima of the 2 x 2 windows, else "wrong" or the error.
std::string run(const char *text, CompileOptions options = {}) {
  CompileContext context(getExecutionRegistry());
  std::string message;
  ScopedDiagnosticHandler handler(
      context, [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, context.get());
  if (!module)
    return message;
  options.context = &context;
  options.optLevel = 0;
  llvm::Expected<std::unique_ptr<Program>> program =
      Program::compile(*module, options);
  if (!program) {
    std::string error = llvm::toString(program.takeError());
    return message.empty() ? error : message;
  }
  std::vector<float> input(16), output(4);
  for (int i = 0; i < 16; ++i)
    input[i] = i;
  constexpr DType kF32{DType::Kind::Float, 4};
  llvm::Expected<Invocation> call =
      Invocation::bind(*llvm::cantFail((*program)->lookup("f")),
                       {{{kF32, {1, 1, 4, 4}}, input.data()}}, {output.data()});
  if (!call)
    return llvm::toString(call.takeError());
  if (llvm::Error error = call->run())
    return llvm::toString(std::move(error));
  return output == std::vector<float>{5, 7, 13, 15} ? "right" : "wrong";
}

TEST(CompileContextTest, HasOneUserAtATime) {
  CompileContext first(getExecutionRegistry());
  CompileContext second(getExecutionRegistry());
  EXPECT_NE(first.get(), second.get());
}

TEST(CompileContextTest, IsUsedAgain) {
  CompileContext(getExecutionRegistry())->loadDialect<PoolDialect>();
  CompileContext context(getExecutionRegistry());
  EXPECT_FALSE(isNew(context));
}

TEST(CompileContextTest, WearsOutAndIsDropped) {
  unsigned numNew = 0;
  for (unsigned i = 0; i < 200; ++i) {
    CompileContext context(getExecutionRegistry());
    numNew += isNew(context);
    context->loadDialect<PoolDialect>();
  }
  EXPECT_GE(numNew, 2u);
  EXPECT_LE(numNew, 8u);
  for (unsigned i = 0; i < 8; ++i) {
    CompileContext context(getExecutionRegistry());
    context.drop();
  }
  EXPECT_TRUE(isNew(CompileContext(getExecutionRegistry())));
}

TEST(CompileContextTest, PassesFollowTheOptions) {
  CompileOptions linalg, foreign;
  linalg.path = LoweringPath::Linalg;
  foreign.cpu = "no-such-processor";
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(run(kMaximum), "right");
    EXPECT_EQ(run(kMaximum, linalg), "right");
    EXPECT_NE(run(kMaximum, foreign), "right");
    EXPECT_NE(run(kForeign), "right");
    EXPECT_NE(run("func.func"), "right");
  }
}

} // namespace
