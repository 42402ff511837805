// Bufferisation of pool.window_reduce.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Transforms/BufferizableOpInterfaceImpl.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "pool/Dialect/Pool/IR/Pool.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::pool;

namespace {
struct WindowReduceModel
    : DstBufferizableOpInterfaceExternalModel<WindowReduceModel,
                                              WindowReduceOp> {
  /// The outputs are overwritten, never read.
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto reduce = cast<WindowReduceOp>(op);
    if (reduce.hasPureBufferSemantics())
      return success();
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    FailureOr<Value> input =
        getBuffer(rewriter, reduce.getInput(), options, state);
    if (failed(input))
      return failure();
    SmallVector<Value> outs;
    for (Value out : reduce.getOuts()) {
      FailureOr<Value> buffer = getBuffer(rewriter, out, options, state);
      if (failed(buffer))
        return failure();
      outs.push_back(*buffer);
    }
    reduce.createOn(rewriter, op->getLoc(), *input, outs,
                    reduce.getMixedPadsBegin(), reduce.getMixedPadsEnd(),
                    reduce.getMixedPositions());
    replaceOpWithBufferizedValues(rewriter, op, outs);
    return success();
  }
};
} // namespace

void pool::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PoolDialect *) {
    WindowReduceOp::attachInterface<WindowReduceModel>(*context);
  });
}
