// Bodies of functions to the llvm dialect, a function at a time, with patterns
// that are made once.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/LoweringOptions.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::pool {
#define GEN_PASS_DEF_CONVERTBODIESTOLLVM
#include "pool/Pipelines/Passes.h.inc"

namespace {

class ConvertBodiesToLLVM
    : public impl::ConvertBodiesToLLVMBase<ConvertBodiesToLLVM> {
public:
  using ConvertBodiesToLLVMBase::ConvertBodiesToLLVMBase;

  LogicalResult initialize(MLIRContext *context) override;

protected:
  void runOnOperation() override;

private:
  /// Vectors to such as LLVM has.
  FrozenRewritePatternSet lowering;
  /// Shared by the copies of the pass that run on other threads.
  std::shared_ptr<LLVMTypeConverter> types;
  std::shared_ptr<ConversionTarget> target;
  FrozenRewritePatternSet conversion;
};
} // namespace
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

/// Those of upstream's convert-vector-to-llvm, with its options.
static void addVectorLowering(RewritePatternSet &set) {
  vector::populateVectorToVectorCanonicalizationPatterns(set);
  vector::populateVectorBitCastLoweringPatterns(set);
  vector::populateVectorBroadcastLoweringPatterns(set);
  vector::populateVectorContractLoweringPatterns(
      set, vector::VectorContractLowering::Dot);
  vector::populateVectorMaskOpLoweringPatterns(set);
  vector::populateVectorShapeCastLoweringPatterns(set);
  vector::populateVectorInterleaveLoweringPatterns(set);
  vector::populateVectorTransposeLoweringPatterns(
      set, vector::VectorTransposeLowering::EltWise);
  vector::populateVectorTransferLoweringPatterns(set, /*maxTransferRank=*/1);
  vector::populateVectorMaskMaterializationPatterns(
      set, /*force32BitVectorIndices=*/true);
  vector::populateVectorInsertExtractStridedSliceTransforms(set);
  vector::populateVectorStepLoweringPatterns(set);
  vector::populateVectorRankReducingFMAPattern(set);
  vector::populateVectorGatherLoweringPatterns(set);
  vector::populateVectorFromElementsUnrollPatterns(set);
  vector::populateVectorToElementsUnrollPatterns(set);
}

LogicalResult ConvertBodiesToLLVM::initialize(MLIRContext *context) {
  RewritePatternSet vectors(context);
  addVectorLowering(vectors);
  lowering = std::move(vectors);

  types =
      std::make_shared<LLVMTypeConverter>(context, LowerToLLVMOptions(context));
  RewritePatternSet patterns(context);
  vector::populateVectorTransferLoweringPatterns(patterns);
  populateVectorToLLVMConversionPatterns(*types, patterns,
                                         /*reassociateFPReductions=*/false,
                                         /*force32BitVectorIndices=*/true);
  arith::populateArithToLLVMConversionPatterns(*types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(*types, patterns);
  conversion = std::move(patterns);

  target = std::make_shared<LLVMConversionTarget>(*context);
  target->addLegalOp<UnrealizedConversionCastOp>();
  // What declares functions waits for the module.
  target->addLegalOp<cf::AssertOp, vector::PrintOp>();
  return success();
}

void ConvertBodiesToLLVM::runOnOperation() {
  // Blocks are LLVM's to simplify.
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  // As upstream: what is left is for the conversion to refuse.
  (void)applyPatternsGreedily(getOperation(), lowering, config);
  if (failed(applyPartialConversion(getOperation(), *target, conversion)))
    signalPassFailure();
}
