// The run-time checks of the window operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/RuntimeChecks.h"

#include "CheckBuilder.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::pool;

/// Builds the checks of C7 to C10, and of C12 where there are indices.
void pool::detail::generateWindowChecks(OpBuilder &b, Location loc,
                                        WindowOpInterface op,
                                        MessageFn generateErrorMessage) {
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!type)
    return;
  CheckBuilder checks(b, loc, op, generateErrorMessage);
  SmallVector<OpFoldResult> shape = checks.getExtents(op.getInput());
  checks.checkWindow(shape, op.getWindow());
  checks.checkCovered(type, shape, op.getWindow());
  auto extremum = dyn_cast<ExtremumOpInterface>(op.getOperation());
  if (extremum && extremum.getIndices())
    checks.checkIndexBound(shape, extremum.getNormalizedAxis(),
                           getElementTypeOrSelf(extremum.getIndices()));
}

void pool::insertRuntimeChecks(OpBuilder &b, RuntimeVerifiableOpInterface op) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  op.generateRuntimeVerification(
      b, op.getLoc(), [](Operation *op, StringRef message) {
        std::string text;
        llvm::raw_string_ostream os(text);
        os << op->getName() << " at " << op->getLoc() << ": " << message;
        return text;
      });
}

void pool::insertRuntimeChecks(Operation *root) {
  SmallVector<RuntimeVerifiableOpInterface> ops;
  root->walk([&](RuntimeVerifiableOpInterface op) {
    if (isa_and_present<PoolDialect>(op->getDialect()))
      ops.push_back(op);
  });
  OpBuilder b(root->getContext());
  for (RuntimeVerifiableOpInterface op : ops)
    insertRuntimeChecks(b, op);
}
