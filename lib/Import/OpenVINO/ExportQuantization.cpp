// Exports the linalg operations that Convert and FakeQuantize become, by
// inverting the import: it imports the layer that the operation may be, and
// exports the layer if its import equals the operation.
//
// Constants may be inside the body or, after canonicalization, before the
// operation. Therefore localizeConstants() moves the constants of both
// operations to the same positions before it compares them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModelWriter.h"
#include "Precision.h"
#include "QuantizationLayers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::openvino;

/// Gives every use of a constant in the body its own constant, right before the
/// user. If only the left operand of a commutative op is constant, swaps the
/// operands, as canonicalization does. Then bodies that differ only in the
/// positions of constants compare equal.
static void localizeConstants(linalg::GenericOp op) {
  SmallVector<Operation *> users;
  for (Operation &user : *op.getBlock())
    users.push_back(&user);
  for (Operation *user : users) {
    if (user->hasTrait<OpTrait::IsCommutative>() &&
        user->getNumOperands() == 2 &&
        user->getOperand(0).getDefiningOp<arith::ConstantOp>() &&
        !user->getOperand(1).getDefiningOp<arith::ConstantOp>())
      user->setOperands({user->getOperand(1), user->getOperand(0)});
    for (OpOperand &operand : user->getOpOperands())
      if (auto constant = operand.get().getDefiningOp<arith::ConstantOp>()) {
        OpBuilder b(user);
        operand.set(b.clone(*constant)->getResult(0));
      }
  }
  for (Operation *user : users)
    if (isa<arith::ConstantOp>(user) && user->use_empty())
      user->erase();
}

/// Returns the first float constant of the body if it may be the number of
/// steps of a FakeQuantize, which are one less than its levels.
static std::optional<int64_t> getSteps(linalg::GenericOp op) {
  for (auto constant : op.getBlock()->getOps<arith::ConstantOp>())
    if (auto number = dyn_cast<FloatAttr>(constant.getValue())) {
      double steps = number.getValueAsDouble();
      if (steps >= 1 && steps < kMaxLevels)
        return int64_t(steps);
      break;
    }
  return std::nullopt;
}

/// Returns a port with the dimensions of `type`, but no element type and no id.
static Port getPort(Type type) {
  Port port = {0, {}, "", {}, 0};
  llvm::append_range(port.dims, cast<RankedTensorType>(type).getShape());
  return port;
}

/// True if importing `description` as a layer gives `op`, whose constants are
/// localized. Builds both in `scratch`.
static bool isImportOf(const LayerDescription &description,
                       linalg::GenericOp op, ModuleOp scratch) {
  Layer layer = {};
  layer.type = description.type;
  layer.opset = description.opset;
  for (const auto &[name, value] : description.data)
    layer.attributes.push_back({name, value, 0});
  for (Value input : op.getInputs())
    layer.inputs.push_back(getPort(input.getType()));
  layer.outputs.push_back(getPort(op->getResult(0).getType()));
  layer.isUsed = {true};

  OpBuilder b = OpBuilder::atBlockEnd(scratch.getBody());
  auto function =
      func::FuncOp::create(b, op.getLoc(), "candidate",
                           b.getFunctionType(op.getInputs().getTypes(), {}));
  Block *body = function.addEntryBlock();
  b.setInsertionPointToEnd(body);
  Places places(llvm::MemoryBufferRef("", ""), op.getContext());
  Weights weights(places, "");
  Model model;
  LayerConversion conversion(places, model, layer, weights, b, op.getLoc(),
                             body->getArguments());
  // Drop errors: a layer that does not support these types is simply not it.
  ScopedDiagnosticHandler silence(op.getContext(),
                                  [](Diagnostic &) { return success(); });
  if (failed(convertQuantizationLayer(conversion)))
    return false;
  auto candidate = conversion.outputs[0].getDefiningOp<linalg::GenericOp>();
  if (!candidate)
    return false;
  localizeConstants(candidate);
  return candidate.getResultTypes() == op.getResultTypes() &&
         candidate.getIndexingMaps() == op.getIndexingMaps() &&
         OperationEquivalence::isRegionEquivalentTo(
             &candidate.getRegion(), &op.getRegion(),
             OperationEquivalence::IgnoreLocations);
}

LogicalResult pool::openvino::exportQuantization(linalg::GenericOp op,
                                                 ModelWriter &writer) {
  auto isPort = [&](Value input) {
    return writer.contains(input) && isa<RankedTensorType>(input.getType());
  };
  auto emitError = [&]() -> LogicalResult {
    return op.emitOpError("is neither Convert nor FakeQuantize of OpenVINO IR");
  };
  if (op.getNumResults() != 1 || op.getNumDpsInits() != 1 ||
      !llvm::all_of(op.getInputs(), isPort) ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
      getPrecision(getElementTypeOrSelf(op->getResult(0))).empty())
    return emitError();

  OwningOpRef<ModuleOp> scratch = ModuleOp::create(op.getLoc());
  OpBuilder b = OpBuilder::atBlockEnd(scratch->getBody());
  auto clone = cast<linalg::GenericOp>(b.clone(*op));
  localizeConstants(clone);
  LayerDescription layer = {"Convert", 1, op.getLoc(), {}, {}, {}};
  if (op.getNumDpsInputs() == 1) {
    Type type = getElementTypeOrSelf(op->getResult(0));
    layer.data = {{"destination_type", getName(type).str()}};
  } else if (std::optional<int64_t> steps = getSteps(clone)) {
    layer.type = "FakeQuantize";
    layer.data = {{"levels", std::to_string(*steps + 1)}};
  }
  if (!isImportOf(layer, clone, *scratch))
    return emitError();
  for (Value input : op.getInputs())
    layer.inputs.push_back(writer.getPort(input));
  layer.outputs = {cast<RankedTensorType>(op->getResult(0).getType())};
  writer.addLayer(op, layer);
  return success();
}
