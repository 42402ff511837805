// Exports a function as an OpenVINO model.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Import/OpenVINO/OpenVINO.h"

#include "LayerConversion.h"
#include "ModelWriter.h"
#include "Precision.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Support/OutputFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::openvino;

/// Largest accepted constant in bytes. All constants stay in memory until the
/// model is written, so their size is limited.
static constexpr int64_t kMaxConstantBytes = int64_t(1) << 31;

/// Emits an error and fails if no port can have the type `type`.
static LogicalResult checkType(Location loc, Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (ranked && !ranked.getEncoding() &&
      !getPrecision(ranked.getElementType()).empty())
    return success();
  return emitError(loc) << "a value of type " << type
                        << " cannot be exported to OpenVINO IR";
}

static LogicalResult exportConstant(arith::ConstantOp op, ModelWriter &writer) {
  auto value = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!value)
    return op.emitOpError("cannot be exported to OpenVINO IR: its value is not "
                          "a dense list of elements");
  if (failed(checkType(op.getLoc(), op.getType())))
    return failure();
  Type elementType = value.getElementType();
  if (value.getNumElements() > kMaxConstantBytes / getElementBytes(elementType))
    return op.emitOpError("cannot be exported to OpenVINO IR: it has more than "
                          "2^31 bytes");
  writer.setPort(op, writer.addConstant(op.getLoc(), value));
  return success();
}

/// True for ops that need no layer, because the import builds them again:
/// scalar constants, empty tensors, and computations and checks of extents.
/// Tensor constants were exported before this call.
static bool isShapeComputation(Operation &op) {
  if (isa<tensor::DimOp, tensor::EmptyOp, cf::AssertOp>(op))
    return true;
  // Constants of the bodies of linalg ops may be here, because canonicalization
  // moves them out.
  if (isa<arith::ConstantOp>(op))
    return true;
  return isa_and_present<arith::ArithDialect>(op.getDialect()) &&
         llvm::all_of(op.getResultTypes(), [](Type type) {
           return type.isIndex() || type.isInteger(1);
         });
}

static LogicalResult exportOperation(Operation &op, ModelWriter &writer) {
  if (isExportedPooling(&op)) {
    for (Type type : op.getResultTypes())
      if (failed(checkType(op.getLoc(), type)))
        return failure();
    if (!writer.contains(op.getOperand(0)))
      return op.emitOpError(
          "cannot be exported to OpenVINO IR: its input is no "
          "layer's output");
    return exportPooling(&op, writer);
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op);
      constant && isa<TensorType>(constant.getType()))
    return exportConstant(constant, writer);
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return exportQuantization(generic, writer);
  if (isShapeComputation(op))
    return success();
  return op.emitOpError("has no layer in OpenVINO IR");
}

static LogicalResult exportFunction(func::FuncOp function,
                                    ModelWriter &writer) {
  Block &body = function.getBody().front();
  for (BlockArgument argument : body.getArguments()) {
    if (failed(checkType(argument.getLoc(), argument.getType())))
      return failure();
    auto type = cast<RankedTensorType>(argument.getType());
    LayerDescription layer = {"Parameter", 1,  argument.getLoc(),
                              {},          {}, {type}};
    SmallVector<int64_t> shape(type.getShape());
    llvm::replace(shape, ShapedType::kDynamic, int64_t(-1));
    layer.data = {{"shape", join(shape)},
                  {"element_type", getName(type.getElementType()).str()}};
    writer.setPort(argument, writer.addLayer(layer).front());
  }
  for (Operation &op : body.without_terminator())
    if (failed(exportOperation(op, writer)))
      return failure();

  Operation *terminator = body.getTerminator();
  if (terminator->getNumOperands() == 0)
    return function.emitOpError("cannot be exported to OpenVINO IR: it returns "
                                "nothing");
  // Give Result layers no location, so that only other layers get names from
  // the module.
  Location loc = UnknownLoc::get(function.getContext());
  for (Value result : terminator->getOperands()) {
    if (!writer.contains(result))
      return terminator->emitOpError("cannot be exported to OpenVINO IR: it "
                                     "returns what is no layer's output");
    writer.addLayer({"Result", 1, loc, {}, {writer.getPort(result)}, {}});
  }
  return success();
}

LogicalResult pool::exportOpenVINO(ModuleOp module, std::string &xml,
                                   std::string &weights) {
  auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
  if (functions.size() != 1 || !llvm::hasSingleElement(*module.getBody()))
    return module.emitOpError("cannot be exported to OpenVINO IR: a model is "
                              "one function and nothing else, the module has ")
           << functions.size() << " functions";
  func::FuncOp function = functions.front();
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitOpError(
        "cannot be exported to OpenVINO IR: a model is one block");
  // exportQuantization() recognizes a layer by importing candidates, which
  // needs the dialects of the import.
  loadDialects(module.getContext());
  ModelWriter writer(function.getName());
  if (failed(exportFunction(function, writer)))
    return failure();
  xml = writer.getText();
  weights = writer.takeWeights();
  return success();
}

LogicalResult pool::exportOpenVINO(ModuleOp module, StringRef xmlPath,
                                   const OpenVINOExportOptions &options) {
  std::string xml, weights;
  if (failed(exportOpenVINO(module, xml, weights)))
    return failure();
  SmallString<256> path(options.weightsPath);
  if (path.empty()) {
    path = xmlPath;
    llvm::sys::path::replace_extension(path, "bin");
    if (path == xmlPath)
      return module.emitError(
                 "the model cannot have the name of its constants, ")
             << path;
  }
  OutputFile files[] = {
      {xmlPath.str(), [&](raw_ostream &os) { os << xml; }},
      {path.str().str(), [&](raw_ostream &os) { os << weights; }}};
  if (llvm::Error error = writeFiles(files))
    return module.emitError(llvm::toString(std::move(error)));
  return success();
}
