// Removes attributes of the pool dialect that state facts about operations of
// other dialects, after the last pass that reads these attributes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::pool;

void pool::removeFacts(Operation *root) {
  root->walk([](linalg::GenericOp op) {
    op->removeDiscardableAttr(
        PoolDialect::DividesByCountAttrHelper::getNameStr());
  });
}

void pool::removeFactsOnBuffers(Operation *root) {
  root->walk([](linalg::GenericOp op) {
    if (op.hasPureBufferSemantics())
      op->removeDiscardableAttr(
          PoolDialect::DividesByCountAttrHelper::getNameStr());
  });
}
