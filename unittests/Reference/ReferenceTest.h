// Fixture for tests of the reference interpreter: functions from text, tensors
// from numbers and back, diagnostics as a string.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_UNITTESTS_REFERENCE_REFERENCETEST_H
#define POOL_UNITTESTS_REFERENCE_REFERENCETEST_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Reference/Interpreter.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/DebugStringHelper.h"
#include "gtest/gtest.h"

#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace mlir::pool {

inline constexpr float kInf = std::numeric_limits<float>::infinity();

class ReferenceTest : public ::testing::Test {
protected:
  ReferenceTest()
      : handler(&context, [this](Diagnostic &diagnostic) {
          diagnostics += diagnostic.str() + "\n";
        }) {
    context.loadDialect<arith::ArithDialect, cf::ControlFlowDialect,
                        func::FuncDialect, linalg::LinalgDialect,
                        math::MathDialect, PoolDialect, scf::SCFDialect,
                        tensor::TensorDialect>();
  }

  /// Makes a tensor of `elementType` from its elements, each stored as
  /// `StorageT`. f16 and bf16 are stored as unsigned integers of the same bits.
  template <typename StorageT>
  Tensor makeTensor(StringRef elementType, ArrayRef<int64_t> shape,
                    const std::vector<StorageT> &elements) {
    Tensor tensor;
    tensor.elementType = parseType(elementType, &context);
    tensor.shape.assign(shape.begin(), shape.end());
    tensor.data.resize(elements.size() * sizeof(StorageT));
    if (!elements.empty())
      std::memcpy(tensor.data.data(), elements.data(), tensor.data.size());
    return tensor;
  }

  /// Interprets `@main` of `text` on `args`. Returns no result on failure.
  SmallVector<Tensor> run(const std::string &text, ArrayRef<Tensor> args) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    if (!module) {
      ADD_FAILURE() << diagnostics;
      return {};
    }
    FailureOr<SmallVector<Tensor>> results =
        interpret(module->lookupSymbol<func::FuncOp>("main"), args);
    EXPECT_EQ(failed(results), !diagnostics.empty()) << diagnostics;
    return failed(results) ? SmallVector<Tensor>() : *results;
  }

  /// Interprets the operation `op` on `input`. `attributes` are in the pretty
  /// form. With `indexType` the operation also returns indices. If `isDynamic`,
  /// the input's extents are dynamic. Returns no result on failure.
  SmallVector<Tensor> apply(StringRef op, StringRef attributes,
                            const Tensor &input, StringRef indexType = "",
                            bool isDynamic = false) {
    SmallVector<int64_t> unknown(input.shape.size(), ShapedType::kDynamic);
    auto resultType = RankedTensorType::get(unknown, input.elementType);
    auto inputType = RankedTensorType::get(
        isDynamic ? ArrayRef<int64_t>(unknown) : ArrayRef<int64_t>(input.shape),
        input.elementType);
    std::string types = debugString(resultType);
    if (!indexType.empty())
      types +=
          ", " + debugString(resultType.clone(parseType(indexType, &context)));
    std::string results = indexType.empty() ? "%v" : "%v, %i";
    return run("func.func @main(%x: " + debugString(inputType) + ") -> (" +
                   types + ") {\n  " + results + " = " + op.str() + " %x " +
                   attributes.str() + " : " + debugString(inputType) + " -> " +
                   types + "\n  return " + results + " : " + types + "\n}",
               {input});
  }

  MLIRContext context;
  /// All messages so far, one a line.
  std::string diagnostics;

private:
  ScopedDiagnosticHandler handler;
};

/// Returns the elements of `tensor`, each stored as `StorageT`.
template <typename StorageT>
std::vector<StorageT> getElements(const Tensor &tensor) {
  std::vector<StorageT> elements(tensor.data.size() / sizeof(StorageT));
  if (!elements.empty())
    std::memcpy(elements.data(), tensor.data.data(), tensor.data.size());
  return elements;
}

} // namespace mlir::pool

#endif // POOL_UNITTESTS_REFERENCE_REFERENCETEST_H
