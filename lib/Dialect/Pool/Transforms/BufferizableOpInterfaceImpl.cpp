// Bufferisation of pool.window_reduce and pool.on_buffers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Transforms/BufferizableOpInterfaceImpl.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "pool/Dialect/Pool/IR/Pool.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::pool;

namespace {
/// The outputs are overwritten, never read.
template <typename Model, typename Op>
struct OverwritingModel : DstBufferizableOpInterfaceExternalModel<Model, Op> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }
};

struct WindowReduceModel : OverwritingModel<WindowReduceModel, WindowReduceOp> {
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

/// True unless castOrReallocMemRefValue() made a copy of `buffer`.
bool isSame(Value fitting, Value buffer) {
  auto cast = fitting.getDefiningOp<memref::CastOp>();
  return fitting == buffer || (cast && cast.getSource() == buffer);
}

/// Puts the body in the place of the operation.
struct OnBuffersModel : OverwritingModel<OnBuffersModel, OnBuffersOp> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto code = cast<OnBuffersOp>(op);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    SmallVector<Value> given, expected;
    for (auto [operand, argument] :
         llvm::zip_equal(op->getOperands(), code.getBody()->getArguments())) {
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      FailureOr<Value> fitting = buffer;
      // A copy, if the strides may differ.
      if (buffer->getType() != argument.getType())
        fitting = castOrReallocMemRefValue(
            rewriter, *buffer, cast<MemRefType>(argument.getType()), options);
      if (failed(fitting))
        return failure();
      given.push_back(*buffer);
      expected.push_back(*fitting);
    }
    rewriter.inlineBlockBefore(code.getBody(), op, expected);
    unsigned numInputs = code.getInputs().size();
    for (auto [buffer, fitting] :
         llvm::drop_begin(llvm::zip_equal(given, expected), numInputs))
      if (!isSame(fitting, buffer) &&
          failed(options.createMemCpy(rewriter, op->getLoc(), fitting, buffer)))
        return failure();
    replaceOpWithBufferizedValues(rewriter, op,
                                  ArrayRef(given).drop_front(numInputs));
    return success();
  }
};
} // namespace

void pool::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PoolDialect *) {
    WindowReduceOp::attachInterface<WindowReduceModel>(*context);
    OnBuffersOp::attachInterface<OnBuffersModel>(*context);
  });
}
