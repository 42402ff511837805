// The run-time checks of the window operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/RuntimeChecks.h"

#include "CheckBuilder.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::pool;

/// C7 to C10, and C12 where there are indices.
static void generateChecks(WindowOpInterface op, CheckBuilder checks,
                           Value indices = {}, int64_t axis = 0) {
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!type)
    return;
  SmallVector<OpFoldResult> shape = checks.getExtents(op.getInput());
  checks.checkWindow(shape, op.getWindow());
  checks.checkCovered(type, shape, op.getWindow());
  if (indices)
    checks.checkIndexBound(shape, axis, getElementTypeOrSelf(indices));
}

void MaxPoolOp::generateRuntimeVerification(OpBuilder &b, Location loc,
                                            MessageFn generateErrorMessage) {
  generateChecks(*this, {b, loc, *this, generateErrorMessage}, getIndices(),
                 getNormalizedAxis());
}

void AvgPoolOp::generateRuntimeVerification(OpBuilder &b, Location loc,
                                            MessageFn generateErrorMessage) {
  generateChecks(*this, {b, loc, *this, generateErrorMessage});
}

void LpPoolOp::generateRuntimeVerification(OpBuilder &b, Location loc,
                                           MessageFn generateErrorMessage) {
  generateChecks(*this, {b, loc, *this, generateErrorMessage});
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
