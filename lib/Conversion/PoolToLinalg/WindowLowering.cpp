// What the lowerings to linalg share.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WindowLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::pool;

Type pool::getSignless(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.isSignless())
    return type;
  return IntegerType::get(type.getContext(), integer.getWidth());
}

Value pool::castToSignless(OpBuilder &b, Location loc, Value value) {
  return castFromSignless(b, loc, value, getSignless(value.getType()));
}

Value pool::castFromSignless(OpBuilder &b, Location loc, Value value,
                             Type type) {
  if (value.getType() == type)
    return value;
  return UnrealizedConversionCastOp::create(b, loc, type, value).getResult(0);
}

Type pool::getFloatAccumulator(Type type) {
  return type.getIntOrFloatBitWidth() < 32
             ? Float32Type::get(type.getContext())
             : type;
}

Value pool::extendFloat(OpBuilder &b, Location loc, Value value, Type accType) {
  if (value.getType() == accType)
    return value;
  return arith::ExtFOp::create(b, loc, accType, value);
}

Value pool::truncateFloat(OpBuilder &b, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return arith::TruncFOp::create(b, loc, type, value);
}

WindowLowering::WindowLowering(RewriterBase &b, WindowOpInterface op)
    : window(op.getWindow()),
      inputType(cast<RankedTensorType>(op.getInput().getType())), b(b), op(op),
      loc(op.getLoc()) {
  inputShape = tensor::getMixedSizes(b, loc, op.getInput());
  outputShape = inputShape;
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    unsigned d = window.getSpatialDim(i);
    dims.push_back(
        resolveDim(b, loc, inputShape[d], window.getDim(i), window.modes));
    outputShape[d] = dims.back().output;
  }
}

Value WindowLowering::createEmpty(Type elementType) {
  return tensor::EmptyOp::create(b, loc, outputShape, elementType);
}

Value WindowLowering::createFilled(TypedAttr value, Type elementType) {
  Value scalar = arith::ConstantOp::create(b, loc, value);
  scalar = castFromSignless(b, loc, scalar, elementType);
  return linalg::FillOp::create(b, loc, scalar, createEmpty(elementType))
      .getResult(0);
}

Value WindowLowering::getPaddedInput(TypedAttr padding) {
  if (llvm::none_of(dims, mayCoverPadding))
    return op.getInput();
  OpFoldResult zero = b.getIndexAttr(0);
  SmallVector<OpFoldResult> low(inputShape.size(), zero);
  SmallVector<OpFoldResult> high(inputShape.size(), zero);
  for (auto [i, dim] : llvm::enumerate(dims)) {
    low[window.getSpatialDim(i)] = dim.padBegin;
    high[window.getSpatialDim(i)] = dim.coveredEnd;
  }
  Value scalar = arith::ConstantOp::create(b, loc, padding);
  scalar = castFromSignless(b, loc, scalar, getElementType());
  return tensor::PadOp::create(b, loc, /*resultType=*/Type(), op.getInput(),
                               low, high, scalar);
}

SmallVector<Value> WindowLowering::reduce(Value padded, ValueRange inits,
                                          BodyFn body) {
  unsigned rank = window.getRank(), numTaps = window.getNumSpatialDims();
  MLIRContext *context = b.getContext();
  unsigned numLoops = rank + numTaps;
  auto dim = [&](unsigned d) { return b.getAffineDimExpr(d); };

  SmallVector<AffineExpr> read, taps, write;
  for (unsigned d = 0; d < rank; ++d)
    write.push_back(dim(d));
  read = write;
  for (unsigned i = 0; i < numTaps; ++i) {
    unsigned d = window.getSpatialDim(i);
    read[d] = dim(d) * dims[i].stride + dim(getTapDim(i)) * dims[i].dilation;
    taps.push_back(dim(getTapDim(i)));
  }
  SmallVector<AffineMap> maps = {AffineMap::get(numLoops, 0, read, context),
                                 AffineMap::get(numLoops, 0, taps, context)};
  maps.append(inits.size(), AffineMap::get(numLoops, 0, write, context));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators.append(numTaps, utils::IteratorType::reduction);

  // Its shape alone matters: it gives the loops over the window their bounds.
  Value bounds = tensor::EmptyOp::create(b, loc, window.kernel,
                                        getSignless(getElementType()));
  auto generic = linalg::GenericOp::create(
      b, loc, inits.getTypes(), ValueRange{padded, bounds}, inits, maps,
      iterators, [&](OpBuilder &nested, Location loc, ValueRange args) {
        SmallVector<Value> operands = {args[0]};
        llvm::append_range(operands, args.drop_front(2));
        linalg::YieldOp::create(nested, loc, body(nested, loc, operands));
      });
  return generic.getResults();
}

/// Creates the named op of type `Op` over `padded` and a window of `kernel`.
template <typename Op>
static Value createNamed(OpBuilder &b, Location loc, const WindowAttrs &window,
                         Value padded, Value init) {
  unsigned n = window.getNumSpatialDims();
  SmallVector<int64_t> strides, dilations;
  for (unsigned i = 0; i < n; ++i) {
    strides.push_back(window.getDim(i).stride);
    dilations.push_back(window.getDim(i).dilation);
  }
  Value taps = tensor::EmptyOp::create(b, loc, window.kernel,
                                       getElementTypeOrSelf(padded.getType()));
  return Op::create(b, loc, init.getType(), ValueRange{padded, taps}, init,
                    b.getI64VectorAttr(strides), b.getI64VectorAttr(dilations))
      .getResult(0);
}

std::optional<Value> WindowLowering::reduceNamed(NamedReduction kind,
                                                 Value padded, Value init) {
  // The named ops compute on signless types.
  if (getSignless(getElementType()) != getElementType())
    return std::nullopt;
  using namespace linalg;
  using CreateFn = Value (*)(OpBuilder &, Location, const WindowAttrs &, Value,
                             Value);
  struct Named {
    unsigned numSpatialDims;
    Layout layout;
    CreateFn createMax, createSum;
  };
  static constexpr Named kNamed[] = {
      {1, Layout::ChannelsFirst, createNamed<PoolingNcwMaxOp>,
       createNamed<PoolingNcwSumOp>},
      {1, Layout::ChannelsLast, createNamed<PoolingNwcMaxOp>,
       createNamed<PoolingNwcSumOp>},
      {2, Layout::ChannelsFirst, createNamed<PoolingNchwMaxOp>,
       createNamed<PoolingNchwSumOp>},
      {2, Layout::ChannelsLast, createNamed<PoolingNhwcMaxOp>,
       createNamed<PoolingNhwcSumOp>},
      {3, Layout::ChannelsLast, createNamed<PoolingNdhwcMaxOp>,
       createNamed<PoolingNdhwcSumOp>},
  };
  for (const Named &named : kNamed)
    if (named.numSpatialDims == window.getNumSpatialDims() &&
        named.layout == window.layout)
      return (kind == NamedReduction::Max ? named.createMax
                                          : named.createSum)(
          b, loc, window, padded, init);
  return std::nullopt;
}

Value WindowLowering::map(ValueRange inputs, Type elementType, BodyFn body) {
  unsigned rank = window.getRank();
  SmallVector<AffineMap> maps(inputs.size() + 1,
                              b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  Value init = createEmpty(elementType);
  auto generic = linalg::GenericOp::create(
      b, loc, init.getType(), inputs, init, maps, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange args) {
        linalg::YieldOp::create(nested, loc,
                                body(nested, loc, args.drop_back()));
      });
  return generic.getResult(0);
}

void WindowLowering::replaceWith(ValueRange results) {
  SmallVector<Value> replacements;
  for (auto [result, declared] :
       llvm::zip_equal(results, op->getResultTypes()))
    replacements.push_back(
        result.getType() == declared
            ? result
            : tensor::CastOp::create(b, loc, declared, result).getResult());
  b.replaceOp(op, replacements);
}
