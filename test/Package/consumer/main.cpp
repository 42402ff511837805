// What a compiler that uses the package does: register the dialect, parse an
// operation, verify it, lower it with the package's pass.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Conversion/Passes.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/InitAll.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <string>

static const std::string source = R"mlir(
  func.func @stem(%x: tensor<1x64x112x112xf32>) -> tensor<1x64x56x56xf32> {
    %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 1]
        pads_end [1, 1]
        : tensor<1x64x112x112xf32> -> tensor<1x64x56x56xf32>
    return %0 : tensor<1x64x56x56xf32>
  }
)mlir";

int main() {
  mlir::DialectRegistry registry;
  registry.insert<mlir::func::FuncDialect>();
  mlir::pool::registerAllDialects(registry);
  mlir::MLIRContext context(registry);

  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(source, &context);
  if (!module || mlir::failed(mlir::verify(*module)))
    return 1;
  module->walk([](mlir::pool::MaxPoolOp op) {
    llvm::outs() << "// before: " << op << "\n";
  });

  mlir::PassManager passes(&context);
  passes.addPass(mlir::pool::createConvertPoolToLinalg());
  if (mlir::failed(passes.run(*module)))
    return 1;
  llvm::outs() << "// after:\n" << *module;
  llvm::outs() << "// consumer of Pool " POOL_VERSION "\n";
  return 0;
}
