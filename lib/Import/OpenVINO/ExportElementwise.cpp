// Elementwise linalg to layers, as the inverse of the import: a layer is the
// one that importing would make the same operation of.
//
// Constants may stand inside the body or, after canonicalisation, before the
// operation; both sides are brought to one form before they are compared.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ElementwiseLayers.h"
#include "LayerExport.h"
#include "Precision.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::openvino;

/// Gives every use of a constant in the body a constant of its own, right
/// before the user.
static void localizeConstants(linalg::GenericOp op) {
  SmallVector<Operation *> users;
  for (Operation &user : *op.getBlock())
    users.push_back(&user);
  for (Operation *user : users)
    for (OpOperand &operand : user->getOpOperands())
      if (auto constant = operand.get().getDefiningOp<arith::ConstantOp>()) {
        OpBuilder b(user);
        operand.set(b.clone(*constant)->getResult(0));
      }
  for (Operation *user : users)
    if (isa<arith::ConstantOp>(user) && user->use_empty())
      user->erase();
}

/// A number that reads back as itself.
static std::string getText(double number) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format("%.17g", number);
  return text;
}

/// The limits of what may be a clamp: the first two constants of the body.
static SmallVector<std::string> getLimits(linalg::GenericOp op) {
  SmallVector<std::string> limits;
  for (auto constant : op.getBlock()->getOps<arith::ConstantOp>()) {
    Attribute value = constant.getValue();
    if (auto number = dyn_cast<FloatAttr>(value))
      limits.push_back(getText(number.getValueAsDouble()));
    else if (auto number = dyn_cast<IntegerAttr>(value)) {
      // A limit is a double: of 64-bit integers not all are.
      bool isUnsigned =
          getElementTypeOrSelf(op.getInputs().front()).isUnsignedInteger();
      limits.push_back(getText(number.getValue().roundToDouble(!isUnsigned)));
    }
  }
  return limits;
}

namespace {
/// Imports layers that might be an operation, each into a block of its own, and
/// compares.
class Candidates {
public:
  explicit Candidates(linalg::GenericOp op)
      : op(op), scratch(ModuleOp::create(op.getLoc())),
        places(llvm::MemoryBufferRef("", ""), op.getContext()),
        weights(places, "") {
    OpBuilder b = OpBuilder::atBlockEnd(scratch->getBody());
    clone = cast<linalg::GenericOp>(b.clone(*op));
    localizeConstants(clone);
  }

  /// True if importing a layer gives the operation.
  bool matches(StringRef type, unsigned opset,
               ArrayRef<std::pair<StringRef, std::string>> data);
  SmallVector<std::string> getLimits() { return ::getLimits(clone); }

private:
  linalg::GenericOp op, clone;
  OwningOpRef<ModuleOp> scratch;
  Places places;
  Weights weights;
};
} // namespace

/// A port that knows nothing but its dimensions.
static Port getPort(Type type) {
  Port port = {0, {}, "", {}, 0};
  llvm::append_range(port.dims, cast<RankedTensorType>(type).getShape());
  return port;
}

bool Candidates::matches(StringRef type, unsigned opset,
                         ArrayRef<std::pair<StringRef, std::string>> data) {
  Layer layer = {};
  layer.type = type;
  layer.opset = opset;
  for (const auto &[name, value] : data)
    layer.attributes.push_back({name, value, 0});
  for (Value input : op.getInputs())
    layer.inputs.push_back(getPort(input.getType()));
  layer.outputs.push_back(getPort(op->getResult(0).getType()));
  layer.isUsed = {true};

  OpBuilder b = OpBuilder::atBlockEnd(scratch->getBody());
  auto function =
      func::FuncOp::create(b, op.getLoc(), "candidate",
                           b.getFunctionType(op.getInputs().getTypes(), {}));
  Block *body = function.addEntryBlock();
  b.setInsertionPointToEnd(body);
  Model model;
  LayerConversion conversion = {places,
                                model,
                                layer,
                                weights,
                                b,
                                op.getLoc(),
                                SmallVector<Value>(body->getArguments()),
                                SmallVector<Value>(1)};
  // A layer that does not have the types is no candidate, and no error.
  ScopedDiagnosticHandler silence(op.getContext(),
                                  [](Diagnostic &) { return success(); });
  bool isEqual = false;
  if (succeeded(convertElementwiseLayer(conversion)))
    if (auto candidate =
            conversion.outputs[0].getDefiningOp<linalg::GenericOp>()) {
      localizeConstants(candidate);
      isEqual = candidate.getResultTypes() == op.getResultTypes() &&
                candidate.getIndexingMaps() == op.getIndexingMaps() &&
                OperationEquivalence::isRegionEquivalentTo(
                    &candidate.getRegion(), &clone.getRegion(),
                    OperationEquivalence::IgnoreLocations);
    }
  function.erase();
  return isEqual;
}

LogicalResult pool::openvino::exportElementwise(linalg::GenericOp op,
                                                ExportedValues &values) {
  auto isPort = [&](Value input) {
    return values.contains(input) && isa<RankedTensorType>(input.getType());
  };
  if (op.getNumResults() == 1 && op.getNumDpsInits() == 1 &&
      llvm::all_of(op.getInputs(), isPort) &&
      !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) &&
      !getPrecision(getElementTypeOrSelf(op->getResult(0))).empty()) {
    Candidates candidates(op);
    SmallVector<std::string> limits = candidates.getLimits();
    for (const ElementwiseLayer &name : getElementwiseLayers()) {
      SmallVector<std::pair<StringRef, std::string>> data;
      if (name.numInputs != op.getNumDpsInputs())
        continue;
      if (name.type == "Clamp") {
        if (limits.size() != 2)
          continue;
        data = {{"min", limits[0]}, {"max", limits[1]}};
      }
      if (name.type == "Convert")
        data = {{"destination_type",
                 getName(getElementTypeOrSelf(op->getResult(0))).str()}};
      if (!candidates.matches(name.type, name.firstOpset, data))
        continue;
      LayerDescription layer = {
          name.type, name.firstOpset, op.getLoc(), data, {}, {}};
      for (Value input : op.getInputs())
        layer.inputs.push_back(values.get(input));
      layer.outputs = {cast<RankedTensorType>(op->getResult(0).getType())};
      values.addLayer(op, layer);
      return success();
    }
  }
  return op.emitOpError("is none of the elementwise layers of OpenVINO IR");
}
