// Runs passes with registries that lack a single registration. The error must
// name the interface, the dialect and the function to call. Without the check,
// upstream's release builds reject an operation for another reason, ignore it,
// or crash.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Transforms/ExternalModels.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"
#include "pool/InitAll.h"
#include "pool/Pipelines/Passes.h"
#include "pool/Pipelines/Pipelines.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Transforms/SubsetInsertionOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Transforms/TilingInterfaceImpl.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Shard/Interfaces/ShardingInterface.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Interfaces/RuntimeVerifiableOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <string>

using namespace mlir;
using namespace mlir::pool;

namespace {

/// The operations of this module need every registration below.
constexpr char kModule[] = R"mlir(
  #id = affine_map<(n, c, h, w) -> (n, c, h, w)>
  func.func @f(%x: tensor<1x2x8x8xf32>, %whole: tensor<1x4x4x4xf32>, %n: index)
      -> tensor<1x4x4x4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %two = arith.constant dense<2.0> : tensor<1x2x4x4xf32>
    %e = tensor.empty() : tensor<1x4x4x4xf32>
    %copy = linalg.copy ins(%whole : tensor<1x4x4x4xf32>)
        outs(%e : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %copy) -> tensor<1x4x4x4xf32> {
      %y = pool.max_pool %x kernel [2, 2] strides [2, 2]
          : tensor<1x2x8x8xf32> -> tensor<1x2x4x4xf32>
      %d = tensor.empty() : tensor<1x2x4x4xf32>
      %z = linalg.generic {indexing_maps = [#id, #id, #id],
          iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
          ins(%y, %two : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>)
          outs(%d : tensor<1x2x4x4xf32>) {
      ^bb0(%a: f32, %b: f32, %out: f32):
        %p = arith.mulf %a, %b : f32
        linalg.yield %p : f32
      } -> tensor<1x2x4x4xf32>
      %w = tensor.insert_slice %z into %t[0, %i, 0, 0] [1, 2, 4, 4] [1, 1, 1, 1]
          : tensor<1x2x4x4xf32> into tensor<1x4x4x4xf32>
      scf.yield %w : tensor<1x4x4x4xf32>
    }
    return %r : tensor<1x4x4x4xf32>
  }
)mlir";

struct Registration {
  const char *dialect;
  const char *interface;
  void (*add)(DialectRegistry &);
};

/// What `pool-to-llvm` needs for the module, besides dialects.
constexpr Registration kRegistrations[] = {
    {"arith", "mlir::bufferization::BufferizableOpInterface",
     arith::registerBufferizableOpInterfaceExternalModels},
    {"func", "mlir::bufferization::BufferizableOpInterface",
     bufferization::func_ext::registerBufferizableOpInterfaceExternalModels},
    {"linalg", "mlir::bufferization::BufferizableOpInterface",
     linalg::registerBufferizableOpInterfaceExternalModels},
    {"pool", "mlir::bufferization::BufferizableOpInterface",
     pool::registerExternalModels},
    {"scf", "mlir::bufferization::BufferizableOpInterface",
     scf::registerBufferizableOpInterfaceExternalModels},
    {"tensor", "mlir::bufferization::BufferizableOpInterface",
     tensor::registerBufferizableOpInterfaceExternalModels},
    {"linalg", "mlir::SubsetOpInterface",
     linalg::registerSubsetOpInterfaceExternalModels},
    {"arith", "mlir::ConvertToLLVMPatternInterface",
     arith::registerConvertArithToLLVMInterface},
    {"cf", "mlir::ConvertToLLVMPatternInterface",
     cf::registerConvertControlFlowToLLVMInterface},
    {"func", "mlir::ConvertToLLVMPatternInterface",
     registerConvertFuncToLLVMInterface},
};

class RegistrationsTest : public ::testing::Test {
protected:
  RegistrationsTest() {
    registry
        .insert<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                PoolDialect, scf::SCFDialect, tensor::TensorDialect>();
  }

  /// Runs `build`'s passes on the module. Returns the errors, or the module's
  /// text if there are none.
  std::string run(function_ref<void(OpPassManager &)> build) {
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    std::string text;
    llvm::raw_string_ostream os(text);
    ScopedDiagnosticHandler handler(
        &context, [&](Diagnostic &diagnostic) { os << diagnostic << "\n"; });
    auto module = parseSourceString<ModuleOp>(kModule, &context);
    EXPECT_TRUE(module);
    PassManager passes(&context);
    build(passes);
    if (module && succeeded(passes.run(*module)))
      module->print(os);
    return text;
  }

  static void expectNames(StringRef message, const Registration &missing) {
    std::string expected =
        (llvm::Twine("needs ") + missing.interface + ", which the dialect '" +
         missing.dialect +
         "' promises and the context's registry lacks; call "
         "mlir::pool::registerAllDialects(registry) of pool/InitAll.h\n")
            .str();
    EXPECT_TRUE(message.ends_with(expected))
        << "expected: " << expected << "but got: " << message.str();
  }

  DialectRegistry registry;
};

void lower(OpPassManager &passes) {
  PoolToLLVMOptions options;
  options.vectorBits = 256;
  buildPoolToLLVMPipeline(passes, options);
}

TEST_F(RegistrationsTest, OneFunctionRegistersAll) {
  for (const Registration &registration : kRegistrations)
    registration.add(registry);
  std::string fewest = run(lower);
  pool::registerAllDialects(registry);
  std::string all = run(lower);
  EXPECT_TRUE(StringRef(all).contains("llvm.func @f")) << all;
  EXPECT_EQ(fewest, all);
}

TEST_F(RegistrationsTest, PluginRegistersPoolAlone) {
  for (const Registration &registration : kRegistrations)
    if (registration.dialect != StringRef("pool"))
      registration.add(registry);
  pool::registerPoolDialect(registry);
  EXPECT_TRUE(StringRef(run(lower)).contains("llvm.func @f"));

  DialectRegistry own;
  pool::registerPoolDialect(own);
  EXPECT_EQ(llvm::to_vector(own.getDialectNames()),
            (SmallVector<StringRef>{"builtin", "pool"}));
}

TEST_F(RegistrationsTest, PipelineNamesWhatIsMissing) {
  DialectRegistry dialects;
  registry.appendTo(dialects);
  for (const Registration &missing : kRegistrations) {
    registry = DialectRegistry();
    dialects.appendTo(registry);
    for (const Registration &other : kRegistrations)
      if (&other != &missing)
        other.add(registry);
    expectNames(run(lower), missing);
  }
}

TEST_F(RegistrationsTest, BufferizationNamesWhatIsMissing) {
  const Registration &missing = kRegistrations[0];
  for (const Registration &other : llvm::ArrayRef(kRegistrations).drop_front())
    other.add(registry);
  expectNames(
      run([](OpPassManager &passes) { passes.addPass(createPoolBufferize()); }),
      missing);
}

TEST_F(RegistrationsTest, PartitionNamesWhatIsMissing) {
  auto partition = [](OpPassManager &passes) {
    PoolTileChainsOptions options;
    options.grid = {1, 2};
    passes.addNestedPass<func::FuncOp>(createPoolTileChains(options));
  };
  expectNames(run(partition), {"linalg", "mlir::TilingInterface", nullptr});
  linalg::registerTilingInterfaceExternalModels(registry);
  expectNames(run(partition), {"pool", "mlir::TilingInterface", nullptr});
  pool::registerExternalModels(registry);
  EXPECT_TRUE(StringRef(run(partition)).contains("scf.forall"));
}

/// An operation that a list leaves out would have no run-time checks, silently.
TEST_F(RegistrationsTest, OperationsOnTensorsHaveAllExternalModels) {
  pool::registerPoolDialect(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadDialect<PoolDialect>();
  unsigned numFound = 0;
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    if (name.getDialectNamespace() != "pool" ||
        llvm::is_contained(
            {"pool.window_reduce", "pool.on_buffers", "pool.largest_index"},
            name.getStringRef()))
      continue;
    ++numFound;
    SCOPED_TRACE(name.getStringRef().str());
    EXPECT_TRUE(name.hasInterface<ReifyRankedShapedTypeOpInterface>());
    EXPECT_TRUE(name.hasInterface<RuntimeVerifiableOpInterface>());
    EXPECT_TRUE(name.hasInterface<shard::ShardingInterface>());
    EXPECT_TRUE(name.hasInterface<TilingInterface>());
    EXPECT_TRUE(name.hasInterface<ValueBoundsOpInterface>());
  }
  EXPECT_EQ(numFound, 10u);
}

TEST_F(RegistrationsTest, RuntimeChecksNameWhatIsMissing) {
  expectNames(run([](OpPassManager &passes) {
                passes.addPass(createPoolInsertRuntimeChecks());
              }),
              {"pool", "mlir::RuntimeVerifiableOpInterface", nullptr});
}

} // namespace
