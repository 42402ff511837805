// The pass --test-pool-activation calls Utils/Activation.h for operations that
// ask for it by attributes: `test.activation` (name of a kind), `test.alpha`,
// `test.beta`, `test.bias` (one number a channel), and `test.scale` (two
// numbers) on the input. test/Dialect/Pool/activation.mlir uses it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Utils/Activation.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
struct TestActivationPass
    : PassWrapper<TestActivationPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestActivationPass)

  StringRef getArgument() const final { return "test-pool-activation"; }
  StringRef getDescription() const final {
    return "Build the bias and the activation that attributes ask for";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, linalg::LinalgDialect,
                    math::MathDialect, tensor::TensorDialect>();
  }

  void runOnOperation() override {
    SmallVector<WindowOpInterface> ops;
    getOperation().walk([&](WindowOpInterface op) { ops.push_back(op); });
    for (WindowOpInterface op : ops)
      rewrite(op);
  }

private:
  static double getNumber(Operation *op, StringRef name) {
    auto number = op->getAttrOfType<FloatAttr>(name);
    return number ? number.getValueAsDouble() : 0;
  }

  static void rewrite(WindowOpInterface op) {
    auto kind = op->getAttrOfType<StringAttr>("test.activation");
    if (!kind)
      return;
    Activation activation;
    activation.kind =
        llvm::StringSwitch<ActivationKind>(kind.getValue())
            .Case("rectified_linear", ActivationKind::RectifiedLinear)
            .Case("leaky", ActivationKind::LeakyRectifiedLinear)
            .Case("sigmoid", ActivationKind::Sigmoid)
            .Case("tanh", ActivationKind::Tanh)
            .Case("scaled_tanh", ActivationKind::ScaledTanh)
            .Case("abs", ActivationKind::Abs)
            .Case("linear", ActivationKind::Linear)
            .Case("clamp", ActivationKind::Clamp)
            .Case("softplus", ActivationKind::Softplus)
            .Case("softmax", ActivationKind::Softmax)
            .Case("gelu", ActivationKind::GELU)
            .Case("silu", ActivationKind::SiLU)
            .Case("hard_sigmoid", ActivationKind::HardSigmoid)
            .Default(ActivationKind::Identity);
    activation.alpha = getNumber(op, "test.alpha");
    activation.beta = getNumber(op, "test.beta");

    OpBuilder b(op);
    Location loc = op.getLoc();
    if (auto scale = op->getAttrOfType<DenseF64ArrayAttr>("test.scale")) {
      // The scale replaces the cast from integers to floats.
      Operation *conversion = op.getInput().getDefiningOp();
      Value scaled = createDataScale(b, loc, conversion->getOperand(0),
                                     scale[0], scale[1], b.getF32Type());
      conversion->getResult(0).replaceAllUsesWith(scaled);
      conversion->erase();
    }

    b.setInsertionPointAfter(op);
    Value pooled = op->getResult(0);
    Value bias;
    if (auto values = op->getAttrOfType<DenseElementsAttr>("test.bias"))
      bias = arith::ConstantOp::create(b, loc, values);
    // Replace only the uses from before: the new operations must keep using the
    // pooled value.
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : pooled.getUses())
      uses.push_back(&use);
    Value result = createBiasAndActivation(b, loc, pooled, bias,
                                           op.getWindow().layout, activation);
    for (OpOperand *use : uses)
      use->set(result);
    for (StringRef name : {"activation", "alpha", "beta", "bias", "scale"})
      op->removeAttr(("test." + name).str());
  }
};
} // namespace

namespace mlir::pool::test {
void registerTestActivationPass() { PassRegistration<TestActivationPass>(); }
} // namespace mlir::pool::test
