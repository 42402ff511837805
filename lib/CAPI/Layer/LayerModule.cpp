// Builds the module of a layer. It has a pooling operation, and elementwise
// operations around it that the pipeline fuses into the loops of the pooling.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayerModule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/IR/WindowProperties.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::capi;

namespace {
class LayerBuilder {
public:
  LayerBuilder(MLIRContext &context, const LayerSpec &spec)
      : spec(spec), b(&context), loc(b.getUnknownLoc()) {}

  OwningOpRef<ModuleOp> build();

private:
  void buildFunction(StringRef name, bool givesIndices);

  Type getType(DType dtype);
  /// Returns the type in which bias, activation and scale are computed.
  FloatType getWideType() {
    return spec.isWide ? FloatType(b.getF64Type()) : b.getF32Type();
  }
  /// Returns the type of a whole image without gaps: `tensor<1xAxBxCxtype>`.
  RankedTensorType getImageType(const ImageSpec &image, Type type);
  /// Return the types of the input array and the output array of a call,
  /// including gaps.
  RankedTensorType getInputType();
  RankedTensorType getOutputType();
  /// Returns the input image without gaps. `argument` is the input array, which
  /// may have gaps.
  Value createInput(Value argument);
  /// Returns a strided memref of the elements of `image`. `span` is a tensor of
  /// one dimension that has these elements and the gaps between them. `isRead`
  /// says whether the memref is only read.
  Value createView(const ImageSpec &image, Value span, bool isRead);

  /// Converts stored values to the numbers that they represent, in the type in
  /// which the pooling is computed.
  Value createLoad(Value stored);
  /// Converts values to the type in which the output stores them.
  Value createStore(Value values);
  Value createPooling(Value input, bool givesIndices, Value &indices);

  const LayerSpec &spec;
  OpBuilder b;
  Location loc;
};
} // namespace

Type LayerBuilder::getType(DType dtype) {
  switch (dtype.kind) {
  case DType::Kind::Bool:
    break;
  case DType::Kind::Float:
    if (dtype.size == 2)
      return b.getF16Type();
    return dtype.size == 4 ? Type(b.getF32Type()) : b.getF64Type();
  case DType::Kind::BFloat:
    return b.getBF16Type();
  case DType::Kind::Signed:
    return b.getIntegerType(dtype.size * 8);
  case DType::Kind::Unsigned:
    return b.getIntegerType(dtype.size * 8, /*isSigned=*/false);
  }
  llvm_unreachable("no layer has booleans");
}

RankedTensorType LayerBuilder::getImageType(const ImageSpec &image, Type type) {
  SmallVector<int64_t, 4> shape = {1};
  llvm::append_range(shape, image.extents);
  return RankedTensorType::get(shape, type);
}

RankedTensorType LayerBuilder::getInputType() {
  Type type = getType(spec.input.element);
  if (spec.input.isPacked)
    return getImageType(spec.input, type);
  std::optional<std::array<int64_t, 3>> outer =
      spec.input.getEnclosingExtents();
  if (!outer)
    return RankedTensorType::get(spec.input.span, type);
  return RankedTensorType::get({1, (*outer)[0], (*outer)[1], (*outer)[2]},
                               type);
}

RankedTensorType LayerBuilder::getOutputType() {
  Type type = getType(spec.output.element);
  return spec.output.isPacked ? getImageType(spec.output, type)
                              : RankedTensorType::get(spec.output.span, type);
}

Value LayerBuilder::createView(const ImageSpec &image, Value span,
                               bool isRead) {
  Type type = getType(image.element);
  auto spanType = MemRefType::get(image.span, type);
  Value buffer = bufferization::ToBufferOp::create(b, loc, spanType, span,
                                                   /*read_only=*/isRead);
  SmallVector<int64_t, 4> shape = {1}, strides = {image.span};
  llvm::append_range(shape, image.extents);
  llvm::append_range(strides, image.strides);
  auto viewType = MemRefType::get(
      shape, type, StridedLayoutAttr::get(b.getContext(), 0, strides));
  return memref::ReinterpretCastOp::create(b, loc, viewType, buffer,
                                           /*offset=*/0, shape, strides);
}

Value LayerBuilder::createInput(Value argument) {
  if (spec.input.isPacked)
    return argument;
  RankedTensorType type = getImageType(spec.input, getType(spec.input.element));
  if (cast<RankedTensorType>(argument.getType()).getRank() == 1)
    return bufferization::ToTensorOp::create(
        b, loc, type, createView(spec.input, argument, /*isRead=*/true),
        /*restrict=*/true);
  // Take a slice of the argument. The lowering reads it in place, without a
  // copy.
  SmallVector<OpFoldResult> offsets(4, b.getIndexAttr(0)),
      strides(4, b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(
      b, loc, type, argument, offsets,
      getAsIndexOpFoldResult(b.getContext(), type.getShape()), strides);
}

Value LayerBuilder::createLoad(Value stored) {
  if (spec.isIntegral)
    return stored;
  if (spec.input.element.isInteger())
    return createDataScale(b, loc, stored, spec.input.scale, spec.input.bias,
                           getWideType());
  // Do not cast if input and output have the same float type: the pooling uses
  // a wider accumulator itself if it needs one.
  if (spec.input.element == spec.output.element)
    return stored;
  return createFloatCast(b, loc, stored, getWideType());
}

Value LayerBuilder::createStore(Value values) {
  Type type = getType(spec.output.element);
  if (cast<RankedTensorType>(values.getType()).getElementType() == type)
    return values;
  if (spec.output.element.isInteger())
    return createDataUnscale(b, loc, values, spec.output.scale,
                             spec.output.bias, cast<IntegerType>(type));
  return createFloatCast(b, loc, values, cast<FloatType>(type));
}

Value LayerBuilder::createPooling(Value input, bool givesIndices,
                                  Value &indices) {
  Type type = cast<RankedTensorType>(input.getType()).getElementType();
  auto resultType = getImageType(spec.output, type);
  if (spec.isUnMax()) {
    MaxUnpoolOp::Properties properties;
    properties.axis = 1;
    return MaxUnpoolOp::create(b, loc, TypeRange{resultType},
                               ValueRange{input, indices}, properties)
        .getOutput();
  }
  OwnedWindow owned;
  for (const WindowDim &dim : spec.window) {
    owned.kernel.push_back(dim.kernel);
    owned.strides.push_back(dim.stride);
    owned.dilations.push_back(dim.dilation);
    owned.padsBegin.push_back(dim.padBegin);
    owned.padsEnd.push_back(dim.padEnd);
  }
  owned.layout = spec.input.layout;
  WindowAttrs window = owned.getAttrs();
  if (spec.reduction) {
    // Without padding, the pad value has no effect. Do not use zero then,
    // because an operation whose padding counts as zero cannot return indices.
    ExtremumModes modes(/*axis=*/1,
                        spec.hasPadding() ? spec.padValue
                                          : getNeverChosen(*spec.reduction),
                        NanMode::Ignore);
    ExtremumOpInterface op =
        createExtremumPool(b, loc, *spec.reduction, input, window, modes,
                           givesIndices ? b.getI64Type() : Type());
    indices = op.getIndices();
    return op.getValues();
  }
  if (spec.function == PoolLayerFunctionL2Norm) {
    LpPoolOp::Properties properties;
    setWindow(properties, window);
    properties.p = 2;
    return LpPoolOp::create(b, loc, TypeRange{resultType}, ValueRange{input},
                            properties)
        .getOutput();
  }
  AverageModes modes;
  if (spec.function == PoolLayerFunctionAverageCountIncludePadding)
    modes.divisor = Divisor::Kernel;
  return createAvgPool(b, loc, input, window, modes).getOutput();
}

void LayerBuilder::buildFunction(StringRef name, bool givesIndices) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Type> arguments, results;
  arguments.push_back(getInputType());
  if (spec.isUnMax())
    arguments.push_back(getImageType(spec.input, b.getI64Type()));
  if (spec.hasBias())
    arguments.push_back(
        RankedTensorType::get(spec.input.getNumChannels(), getWideType()));
  if (spec.output.isPacked)
    results.push_back(getOutputType());
  else
    arguments.push_back(getOutputType());
  if (givesIndices)
    results.push_back(getImageType(spec.output, b.getI64Type()));

  auto func =
      func::FuncOp::create(b, loc, name, b.getFunctionType(arguments, results));
  Block *entry = func.addEntryBlock();
  b.setInsertionPointToStart(entry);
  ArrayRef<BlockArgument> next = entry->getArguments();
  auto take = [&]() -> Value {
    Value argument = next.front();
    next = next.drop_front();
    return argument;
  };

  Value input = createInput(take());
  Value indices = spec.isUnMax() ? take() : Value();
  Value bias = spec.hasBias() ? take() : Value();

  Value output = createPooling(createLoad(input), givesIndices, indices);
  if (!spec.isIntegral)
    output = createBiasAndActivation(b, loc, output, bias, spec.input.layout,
                                     spec.activation);
  output = createStore(output);
  SmallVector<Value, 2> returned;
  if (spec.output.isPacked) {
    returned.push_back(output);
  } else {
    auto argument = cast<BlockArgument>(take());
    func.setArgAttr(argument.getArgNumber(),
                    bufferization::BufferizationDialect::kWritableAttrName,
                    b.getBoolAttr(true));
    bufferization::MaterializeInDestinationOp::create(
        b, loc, TypeRange(), output,
        createView(spec.output, argument, /*isRead=*/false), /*restrict=*/true,
        /*writable=*/true);
  }
  if (givesIndices)
    returned.push_back(indices);
  func::ReturnOp::create(b, loc, returned);
}

OwningOpRef<ModuleOp> LayerBuilder::build() {
  OwningOpRef<ModuleOp> module = ModuleOp::create(b, loc);
  b.setInsertionPointToEnd(module->getBody());
  buildFunction(kApply, /*givesIndices=*/false);
  if (spec.canGiveIndices())
    buildFunction(kApplyWithIndices, /*givesIndices=*/true);
  if (failed(verify(*module)))
    return {};
  return module;
}

OwningOpRef<ModuleOp> capi::createLayerModule(MLIRContext &context,
                                              const LayerSpec &spec) {
  context.loadDialect<PoolDialect, arith::ArithDialect,
                      bufferization::BufferizationDialect, func::FuncDialect,
                      linalg::LinalgDialect, math::MathDialect,
                      memref::MemRefDialect, tensor::TensorDialect>();
  return LayerBuilder(context, spec).build();
}
