// Builder and verifier of pool.on_buffers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/Pool.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::pool;

void OnBuffersOp::build(OpBuilder &b, OperationState &state, ValueRange inputs,
                        ValueRange outs, TypeRange buffers) {
  build(b, state, outs.getTypes(), inputs, outs);
  Block &body = state.regions.front()->emplaceBlock();
  for (Type buffer : buffers)
    body.addArgument(buffer, state.location);
}

LogicalResult OnBuffersOp::verify() {
  Block::BlockArgListType buffers = getBody()->getArguments();
  if (buffers.size() != getNumOperands())
    return emitOpError("(OnBuffers.C1) the body has ")
           << buffers.size() << " arguments, the operation " << getNumOperands()
           << " tensors";
  for (auto [i, operand, argument] : llvm::enumerate(getOperands(), buffers)) {
    auto tensor = cast<RankedTensorType>(operand.getType());
    auto buffer = dyn_cast<MemRefType>(argument.getType());
    if (!buffer || buffer.getElementType() != tensor.getElementType() ||
        failed(verifyCompatibleShape(buffer.getShape(), tensor.getShape())))
      return emitOpError("(OnBuffers.C1) argument ")
             << i << " of the body is " << argument.getType()
             << ", must be a buffer for " << tensor;
  }
  return success();
}
