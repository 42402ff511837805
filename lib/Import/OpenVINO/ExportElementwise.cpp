// Exports elementwise linalg operations by inverting the import. It imports
// candidate layers, and exports the first layer whose import equals the
// operation.
//
// Constants may be inside the body or, after canonicalization, before the
// operation. Therefore localizeConstants() moves the constants of the operation
// and of each candidate to the same positions before it compares them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ElementwiseLayers.h"
#include "ModelWriter.h"
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

/// Formats a number with so many digits that parsing gives the same number.
static std::string getText(double number) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format("%.17g", number);
  return text;
}

/// Returns the constants of the body as text, in order. They include the
/// numbers that are attributes of a layer.
static SmallVector<std::string> getConstants(linalg::GenericOp op) {
  SmallVector<std::string> constants;
  for (auto constant : op.getBlock()->getOps<arith::ConstantOp>()) {
    Attribute value = constant.getValue();
    if (auto number = dyn_cast<FloatAttr>(value))
      constants.push_back(getText(number.getValueAsDouble()));
    else if (auto number = dyn_cast<IntegerAttr>(value)) {
      // Convert integers to doubles, because the limits of Clamp are doubles.
      // This rounds large 64-bit integers.
      bool isUnsigned =
          getElementTypeOrSelf(op.getInputs().front()).isUnsignedInteger();
      constants.push_back(
          getText(number.getValue().roundToDouble(!isUnsigned)));
    }
  }
  return constants;
}

/// Name and value of an attribute.
using Data = std::pair<StringRef, std::string>;

namespace {
/// Version and attributes of a layer that may import as the operation.
struct Variant {
  unsigned opset;
  SmallVector<Data> data;
};

/// Imports candidate layers, each into a function of its own, and compares them
/// with the operation.
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

  /// True if importing a layer of this type, version and attributes gives the
  /// operation.
  bool matches(StringRef type, unsigned opset, ArrayRef<Data> data);
  SmallVector<std::string> getConstants() { return ::getConstants(clone); }

private:
  linalg::GenericOp op, clone;
  OwningOpRef<ModuleOp> scratch;
  Places places;
  Weights weights;
};
} // namespace

/// Returns a port with the dimensions of `type`, but no element type and no id.
static Port getPort(Type type) {
  Port port = {0, {}, "", {}, 0};
  llvm::append_range(port.dims, cast<RankedTensorType>(type).getShape());
  return port;
}

bool Candidates::matches(StringRef type, unsigned opset, ArrayRef<Data> data) {
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
  LayerConversion conversion(places, model, layer, weights, b, op.getLoc(),
                             body->getArguments());
  // Drop errors: a layer that does not support these types is simply no
  // candidate.
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

/// Returns the versions and attributes to try for a layer type, given the
/// constants in the operation's body.
static SmallVector<Variant> getVariants(const ElementwiseLayer &layer,
                                        linalg::GenericOp op,
                                        ArrayRef<std::string> constants) {
  unsigned opset = layer.firstOpset;
  SmallVector<Variant> variants;
  if (layer.type == "Clamp") {
    if (constants.size() == 2)
      variants = {{opset, {{"min", constants[0]}, {"max", constants[1]}}}};
  } else if (layer.type == "Convert") {
    StringRef type = getName(getElementTypeOrSelf(op->getResult(0)));
    variants = {{opset, {{"destination_type", type.str()}}}};
  } else if (layer.type == "Elu") {
    // One of the constants is the 0 that x is compared to. The other one is
    // alpha. If alpha is 1, the body has only the 0.
    if (constants.size() == 1)
      variants = {{opset, {{"alpha", "1"}}}};
    else if (constants.size() == 2)
      variants = {{opset, {{"alpha", constants[0]}}},
                  {opset, {{"alpha", constants[1]}}}};
  } else if (layer.type == "FakeQuantize") {
    // Quantization multiplies and divides by `levels` - 1, so the body has this
    // constant twice.
    std::optional<int64_t> steps;
    if (constants.size() == 2)
      steps = parseInteger(constants[0]);
    if (steps && *steps < std::numeric_limits<int64_t>::max())
      variants = {{opset, {{"levels", std::to_string(*steps + 1)}}}};
  } else if (layer.type == "Gelu") {
    variants = {{opset, {}}, {7, {{"approximation_mode", "TANH"}}}};
  } else if (layer.type == "Round") {
    variants = {{opset, {{"mode", "half_to_even"}}},
                {opset, {{"mode", "half_away_from_zero"}}}};
  } else {
    variants = {{opset, {}}};
  }
  return variants;
}

LogicalResult pool::openvino::exportElementwise(linalg::GenericOp op,
                                                ModelWriter &writer) {
  auto isPort = [&](Value input) {
    return writer.contains(input) && isa<RankedTensorType>(input.getType());
  };
  if (op.getNumResults() == 1 && op.getNumDpsInits() == 1 &&
      llvm::all_of(op.getInputs(), isPort) &&
      !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) &&
      !getPrecision(getElementTypeOrSelf(op->getResult(0))).empty()) {
    Candidates candidates(op);
    SmallVector<std::string> constants = candidates.getConstants();
    for (const ElementwiseLayer &entry : getElementwiseLayers()) {
      if (entry.numInputs != op.getNumDpsInputs())
        continue;
      for (const Variant &variant : getVariants(entry, op, constants)) {
        if (!candidates.matches(entry.type, variant.opset, variant.data))
          continue;
        LayerDescription layer = {
            entry.type, variant.opset, op.getLoc(), variant.data, {}, {}};
        for (Value input : op.getInputs())
          layer.inputs.push_back(writer.getPort(input));
        layer.outputs = {cast<RankedTensorType>(op->getResult(0).getType())};
        writer.addLayer(op, layer);
        return success();
      }
    }
  }
  return op.emitOpError("is none of the elementwise layers of OpenVINO IR");
}
