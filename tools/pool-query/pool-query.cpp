// Finds operations in a module by matcher expressions. The stock mlir-query
// loads no plugin. This tool has upstream's matchers and `isWindowOp`, which
// matches every operation with the interface WindowOpInterface, such as
// max_pool.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Query/Matcher/MatchersInternal.h"
#include "mlir/Query/Matcher/Registry.h"
#include "mlir/Query/Matcher/SliceMatchers.h"
#include "mlir/Tools/mlir-query/MlirQueryMain.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
namespace matcher = mlir::query::matcher;

namespace {
struct WindowOpMatcher {
  bool match(Operation *op) { return isa<pool::WindowOpInterface>(op); }
};
} // namespace

static WindowOpMatcher isWindowOp() { return {}; }

/// Adds upstream's matchers under the names that mlir-query gives them, and
/// isWindowOp.
static void registerMatchers(matcher::Registry &registry) {
  registry.registerMatcher("allOf", matcher::internal::allOf);
  registry.registerMatcher("anyOf", matcher::internal::anyOf);
  registry.registerMatcher("getAllDefinitions",
                           matcher::m_GetAllDefinitions<matcher::DynMatcher>);
  registry.registerMatcher("getDefinitions",
                           matcher::m_GetDefinitions<matcher::DynMatcher>);
  registry.registerMatcher(
      "getDefinitionsByPredicate",
      matcher::m_GetDefinitionsByPredicate<matcher::DynMatcher,
                                           matcher::DynMatcher>);
  registry.registerMatcher(
      "getUsersByPredicate",
      matcher::m_GetUsersByPredicate<matcher::DynMatcher, matcher::DynMatcher>);
  registry.registerMatcher(
      "hasOpAttrName",
      static_cast<detail::AttrOpMatcher (*)(StringRef)>(m_Attr));
  registry.registerMatcher(
      "hasOpName", static_cast<detail::NameOpMatcher (*)(StringRef)>(m_Op));
  registry.registerMatcher(
      "isConstantOp",
      static_cast<detail::constant_op_matcher (*)()>(m_Constant));
  registry.registerMatcher("isNegInfFloat", m_NegInfFloat);
  registry.registerMatcher("isNegZeroFloat", m_NegZeroFloat);
  registry.registerMatcher("isNonZero", m_NonZero);
  registry.registerMatcher("isOne", m_One);
  registry.registerMatcher("isOneFloat", m_OneFloat);
  registry.registerMatcher("isPosInfFloat", m_PosInfFloat);
  registry.registerMatcher("isPosZeroFloat", m_PosZeroFloat);
  registry.registerMatcher("isWindowOp", isWindowOp);
  registry.registerMatcher("isZero", m_Zero);
  registry.registerMatcher("isZeroFloat", m_AnyZeroFloat);
}

static constexpr char kHelp[] = R"(
WHAT IT IS:

  Finds operations in a module by matchers: upstream's mlir-query with the pool
  dialect, and the matcher isWindowOp() for every pooling with a window.

EXAMPLE:

  $ pool-query model.mlir -c 'match isWindowOp()'
  $ pool-query model.mlir -c 'match hasOpName("pool.max_unpool")'
)";

int main(int argc, char **argv) {
  pool::addVersionPrinter();
  llvm::cl::extrahelp extraHelp(kHelp);
  DialectRegistry registry;
  pool::registerAllDialects(registry);

  matcher::Registry matchers;
  registerMatchers(matchers);

  MLIRContext context(registry);
  return failed(mlirQueryMain(argc, argv, context, matchers));
}
