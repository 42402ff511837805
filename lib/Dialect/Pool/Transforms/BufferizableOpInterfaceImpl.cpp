// Implements bufferisation of pool.window_reduce and pool.on_buffers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Transforms/BufferizableOpInterfaceImpl.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::pool;

bool pool::isPacked(MemRefType type) {
  int64_t offset;
  SmallVector<int64_t> strides;
  if (type.getLayout().isIdentity())
    return true;
  if (failed(type.getStridesAndOffset(strides, offset)) || offset != 0)
    return false;
  int64_t packed = 1;
  for (auto [extent, stride] :
       llvm::reverse(llvm::zip_equal(type.getShape(), strides))) {
    if (extent == 1)
      continue;
    // After an unknown extent, the packed stride of outer dimensions is
    // unknown, so a gap cannot be excluded.
    if (ShapedType::isDynamic(packed) || stride != packed)
      return false;
    packed = ShapedType::isDynamic(extent) ||
                     llvm::MulOverflow(packed, extent, packed)
                 ? ShapedType::kDynamic
                 : packed;
  }
  return true;
}

namespace {
/// Model of an operation that overwrites its outputs and does not read them.
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

/// True if every buffer of type `from` also has type `to`.
bool isAlways(MemRefType from, MemRefType to) {
  if (to.getLayout().isIdentity())
    return isPacked(from) && memref::CastOp::areCastCompatible(from, to);
  SmallVector<int64_t> fromStrides, toStrides;
  int64_t fromOffset, toOffset;
  if (failed(from.getStridesAndOffset(fromStrides, fromOffset)) ||
      failed(to.getStridesAndOffset(toStrides, toOffset)))
    return false;
  fromStrides.push_back(fromOffset);
  toStrides.push_back(toOffset);
  for (auto [given, expected] : llvm::zip_equal(fromStrides, toStrides))
    if (!ShapedType::isDynamic(expected) && given != expected)
      return false;
  return memref::CastOp::areCastCompatible(from, to);
}

/// Allocates a buffer of `type` with the extents of `buffer`.
FailureOr<Value> allocate(RewriterBase &rewriter, Value buffer, MemRefType type,
                          const BufferizationOptions &options) {
  Location loc = buffer.getLoc();
  SmallVector<Value> extents;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      extents.push_back(memref::DimOp::create(rewriter, loc, buffer, dim));
  return options.createAlloc(rewriter, loc, type, extents);
}

/// Model of on_buffers. Replaces the operation by its body. A buffer whose type
/// the body does not expect is cast or copied.
struct OnBuffersModel : OverwritingModel<OnBuffersModel, OnBuffersOp> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto code = cast<OnBuffersOp>(op);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    SmallVector<Value> given, expected;
    // Copies to create after the body: from the first buffer of a pair, which
    // the body writes, to the second, which the caller gave.
    SmallVector<std::pair<Value, Value>> copies;
    for (auto [operand, argument] :
         llvm::zip_equal(op->getOpOperands(), code.getBody()->getArguments())) {
      FailureOr<Value> buffer =
          getBuffer(rewriter, operand.get(), options, state);
      if (failed(buffer))
        return failure();
      given.push_back(*buffer);
      auto type = cast<MemRefType>(argument.getType());
      if (buffer->getType() == type) {
        expected.push_back(*buffer);
        continue;
      }
      bool isOut = cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
      if (isOut && isAlways(cast<MemRefType>(buffer->getType()), type)) {
        expected.push_back(
            memref::CastOp::create(rewriter, buffer->getLoc(), type, *buffer));
        continue;
      }
      // Allocate outputs here: castOrReallocMemRefValue() would cast a strided
      // output of unknown extents to a type without a layout.
      FailureOr<Value> fitting =
          isOut ? allocate(rewriter, *buffer, type, options)
                : castOrReallocMemRefValue(rewriter, *buffer, type, options);
      if (failed(fitting))
        return failure();
      if (isOut)
        copies.emplace_back(*fitting, *buffer);
      expected.push_back(*fitting);
    }
    rewriter.inlineBlockBefore(code.getBody(), op, expected);
    for (auto [written, target] : copies)
      if (failed(options.createMemCpy(rewriter, op->getLoc(), written, target)))
        return failure();
    unsigned numInputs = code.getInputs().size();
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
