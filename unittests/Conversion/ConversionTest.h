// What the tests of conversions share: a context that fails on diagnostics,
// and operations that are parsed from short texts.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_UNITTESTS_CONVERSION_CONVERSIONTEST_H
#define POOL_UNITTESTS_CONVERSION_CONVERSIONTEST_H

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/InitAll.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <string>

namespace mlir::pool {

class ConversionTest : public ::testing::Test {
protected:
  ConversionTest()
      : handler(&context, [this](Diagnostic &) {
          ++numDiagnostics;
          return success();
        }) {
    DialectRegistry registry;
    pool::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Parses a module, and returns its first operation of the dialect.
  Operation *parse(StringRef source) {
    module = parseSourceString<ModuleOp>(source, ParserConfig(&context));
    Operation *found = nullptr;
    if (module)
      module->walk([&](Operation *op) {
        if (!found && isa_and_present<PoolDialect>(op->getDialect()))
          found = op;
      });
    return found;
  }

  /// Parses an operation of the dialect without its operands, such as
  /// "max_pool kernel [3] : 1x4x32xf32 -> 1x4x30xf32". The types are those of
  /// tensors, or memrefs that are spelled out.
  Operation *parseOp(StringRef text) {
    auto [op, types] = text.rsplit(" : ");
    auto [inputs, results] = types.split(" -> ");
    std::string arguments, source;
    if (inputs.starts_with("memref")) {
      // "window_reduce <max> ..." on an input and an output
      arguments = llvm::formatv("%x: {0}, %out: {1}", inputs, results);
      auto [head, rest] = op.split("> ");
      source = llvm::formatv("{0}> ins(%x : {1}) outs(%out : {2}) {3}", head,
                             inputs, results, rest);
    } else {
      auto [name, rest] = op.split(' ');
      SmallVector<std::string> names, given, returned;
      SmallVector<StringRef> shapes;
      inputs.split(shapes, ", ");
      for (StringRef shape : shapes) {
        names.push_back(llvm::formatv("%{0}", names.size()));
        given.push_back(llvm::formatv("tensor<{0}>", shape));
      }
      shapes.clear();
      results.split(shapes, ", ");
      for (StringRef shape : shapes)
        returned.push_back(llvm::formatv("tensor<{0}>", shape));
      for (auto [name, type] : llvm::zip_equal(names, given))
        arguments += (arguments.empty() ? "" : ", ") + name + ": " + type;
      source = llvm::formatv(
          "{0} {1} {2} : {3} -> {4}", name, llvm::join(names, ", "), rest,
          llvm::join(given, ", "), llvm::join(returned, ", "));
    }
    return parse(llvm::formatv("func.func @f({0}) {{ pool.{1}\nreturn }",
                               arguments, source)
                     .str());
  }

  /// Returns the plan of `text`, such as "\"direct\", lanes = 4". Null if it
  /// does not parse.
  PlanAttr parsePlan(StringRef text) {
    return dyn_cast_if_present<PlanAttr>(
        parseAttribute(("#pool.plan<" + text + ">").str(), &context));
  }

  MLIRContext context;
  int numDiagnostics = 0;
  ScopedDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
};

} // namespace mlir::pool

#endif // POOL_UNITTESTS_CONVERSION_CONVERSIONTEST_H
