// The pool-to-llvm pipeline: this project's passes down to linalg, then mostly
// upstream's.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/Pipelines.h"

#include "pool/Conversion/Passes.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"
#include "pool/Pipelines/Passes.h"
#include "pool/Target/TargetNames.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::pool;

/// Adds clean-ups, nested on functions so that several functions are processed
/// in parallel. One iteration folds almost everything, and each further one
/// would visit every operation again only to find this out.
static void addCleanUp(OpPassManager &pm) {
  GreedyRewriteConfig config;
  config.setMaxIterations(1).setRegionSimplificationLevel(
      GreedySimplifyRegionLevel::Normal);
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass(config));
  pm.addNestedPass<func::FuncOp>(createCSEPass());
}

/// Adds the passes from window operations on buffers to loops.
static void addWindowLoops(OpPassManager &pm,
                           const PoolToLLVMOptions &options) {
  if (options.path == LoweringPath::Affine) {
    ConvertPoolToAffineOptions affine;
    affine.byRows = true;
    affine.parallel = options.threads == ThreadModel::OpenMP;
    pm.addNestedPass<func::FuncOp>(createConvertPoolToAffine(affine));
  }
  // Lower affine loops before anything folds: upstream's folds remove all
  // bounds of a loop that is never reached (docs/Internals/upstream/passes.md).
  pm.addNestedPass<func::FuncOp>(createLowerAffineLoops());
  pm.addNestedPass<func::FuncOp>(createConvertPoolToLoops());
}

/// Adds the passes before the conversion of pooling on tensors.
void mlir::pool::buildPoolPreparationPipeline(
    OpPassManager &pm, const PoolToLLVMOptions &options) {
  addWindowLoops(pm, options);
  pm.addNestedPass<func::FuncOp>(createLegalizeSlices());
  // Replace quantised types, because buffers hold stored integers.
  pm.addPass(createStripQuantTypes());
  // Insert checks before the next passes rewrite the checked operations.
  if (options.runtimeChecks)
    pm.addNestedPass<func::FuncOp>(createPoolInsertRuntimeChecks());
  pm.addNestedPass<func::FuncOp>(createPoolAdaptiveToWindow());
  // Arithmetic on tensors becomes linalg, so that it is fused like other
  // elementwise linalg.
  pm.addNestedPass<func::FuncOp>(createArithmeticToLinalg());
}

/// Returns options of a pass that describe the same machine as the options of
/// the pipeline.
template <typename PassOptionsT>
static PassOptionsT getMachine(const PoolToLLVMOptions &options) {
  TargetNames names = withHostByDefault(
      {options.triple, options.cpu, options.features}, options.vectorBits);
  PassOptionsT result;
  result.vectorBits = options.vectorBits;
  result.triple = names.triple;
  result.cpu = names.cpu;
  result.features = names.features;
  return result;
}

/// Adds the lowering of pool operations to vector loops, where a strategy
/// supports them.
static void addVectorLowering(OpPassManager &pm,
                              const PoolToLLVMOptions &options) {
  pm.addNestedPass<func::FuncOp>(createConvertPoolToVector(
      getMachine<ConvertPoolToVectorOptions>(options)));
  // Half of the emitted operations are constants, and few of them differ. So
  // remove duplicates, which makes the next passes faster.
  pm.addNestedPass<func::FuncOp>(createCSEPass());
}

/// Adds the lowering of the other pool operations to linalg, which can be
/// bufferised. On the affine path, window operations stay.
static void addLinalgLowering(OpPassManager &pm,
                              const PoolToLLVMOptions &options) {
  ConvertPoolToLinalgOptions linalg;
  linalg.keepWindows = options.path == LoweringPath::Affine;
  pm.addNestedPass<func::FuncOp>(createConvertPoolToLinalg(linalg));
  addCleanUp(pm);
  pm.addNestedPass<func::FuncOp>(createSeparateDestinations());
}

/// Frees every intermediate buffer. This is upstream's
/// buildBufferDeallocationPipeline with two changes. A pass of ours runs
/// upstream's simplification where buffers must be compared. The clean-ups are
/// missing: each takes a tenth of the pipeline's time, and the clean-up after
/// linalg's loops does their work.
static void addDeallocation(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(memref::createExpandReallocPass(
      memref::ExpandReallocPassOptions{/*emitDeallocs=*/false}));
  pm.addPass(bufferization::createOwnershipBasedBufferDeallocationPass());
  pm.addNestedPass<func::FuncOp>(createSplitDeallocations());
  pm.addPass(bufferization::createLowerDeallocationsPass());
  // Lower the clones of results that alias a buffer of the caller.
  pm.addNestedPass<func::FuncOp>(createConvertBufferizationToMemRefPass());
}

/// Adds the passes from tensors to buffers, with the calling convention of
/// Pipelines.h.
static void addBufferization(OpPassManager &pm,
                             const PoolToLLVMOptions &options) {
  MarkEntryPointsOptions entryPoints;
  entryPoints.cWrappers = options.cWrappers;
  pm.addPass(createMarkEntryPoints(entryPoints));
  // Strip again: the lowerings to linalg create operations that read extents of
  // quantised tensors.
  pm.addPass(createStripQuantTypes());
  pm.addPass(createRequireBufferizable());
  pm.addNestedPass<func::FuncOp>(createEliminateEmptyTensors());
  pm.addPass(createPoolBufferize({options.bufferAlignment}));
  pm.addPass(createResultsToOutParams());
}

/// Adds the passes from linalg on buffers to scf loops. Avoids affine loops,
/// because their verifier rejects extents that are computed inside other
/// regions.
static void addLoops(OpPassManager &pm, const PoolToLLVMOptions &options) {
  pm.addNestedPass<func::FuncOp>(createForallToParallelLoopPass());
  pm.addNestedPass<func::FuncOp>(options.threads == ThreadModel::OpenMP
                                     ? createConvertLinalgToParallelLoopsPass()
                                     : createConvertLinalgToLoopsPass());
  pm.addNestedPass<func::FuncOp>(memref::createExpandStridedMetadataPass());
  pm.addNestedPass<func::FuncOp>(createLowerAffinePass());
  // Clean up. This also removes buffers of which only the shape was used, such
  // as the shape of a window.
  addCleanUp(pm);
  // Expand copies after the clean-up: only its folds show that some copied
  // views have unknown strides.
  pm.addNestedPass<func::FuncOp>(
      createExpandStridedCopies({options.threads == ThreadModel::OpenMP}));
}

/// Adds the passes from parallel loops to OpenMP.
static void addThreads(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createSelectParallelLoops());
  pm.addPass(createConvertSCFToOpenMPPass());
  // The conversion adds allocation scopes. The canonicalizer removes the scopes
  // without stack memory.
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
}

/// Replaces bf16 arithmetic by f32 and integers. Targets without bf16 would
/// call a run-time library to round, and targets with bf16 flush denormals.
static void addSmallFloats(OpPassManager &pm) {
  arith::ArithEmulateUnsupportedFloatsOptions emulate;
  emulate.sourceTypeStrs.push_back("bf16");
  emulate.targetTypeStr = "f32";
  pm.addNestedPass<func::FuncOp>(
      arith::createArithEmulateUnsupportedFloats(emulate));
  math::MathExtendToSupportedTypesOptions extend;
  extend.extraTypeStrs.push_back("f16");
  extend.targetTypeStr = "f32";
  pm.addNestedPass<func::FuncOp>(
      math::createMathExtendToSupportedTypes(extend));
  pm.addNestedPass<func::FuncOp>(createKeepRoundings());
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addNestedPass<func::FuncOp>(arith::createArithExpandOpsPass(expand));
}

/// Adds the passes from loops over buffers to the llvm dialect, in which
/// OpenMP's operations stay.
static void addLLVM(OpPassManager &pm, const PoolToLLVMOptions &options) {
  pm.addPass(createCheckFunctionNames());
  if (options.runtimeChecks)
    pm.addNestedPass<func::FuncOp>(createCheckAllocations());
  if (options.bufferAlignment != 0)
    pm.addPass(createAlignAllocations({options.bufferAlignment}));
  // Align by `aligned_alloc`, whose result is the address of the elements.
  // Callers know only this address and pass it to `free`. Without
  // `aligned_alloc`, elements would be aligned within a larger block, and
  // `free` needs the address of the block.
  FinalizeMemRefToLLVMConversionPassOptions memref;
  memref.useAlignedAlloc = options.bufferAlignment != 0;
  pm.addPass(createFinalizeMemRefToLLVMConversionPass(memref));
  pm.addNestedPass<func::FuncOp>(createFlattenControlFlow());
  if (!options.assertHandler.empty()) {
    LowerAssertionsOptions assertions;
    assertions.handler = options.assertHandler;
    pm.addPass(createLowerAssertions(assertions));
  }
  // Intrinsics first, because LLVM can vectorise them; libm for the rest.
  pm.addNestedPass<func::FuncOp>(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addNestedPass<LLVM::LLVMFuncOp>(createFenceStreamedStores());
  if (options.separateMaskedLoads)
    pm.addNestedPass<LLVM::LLVMFuncOp>(createSeparateMaskedLoads());
  pm.addPass(createMarkOutParams());
  pm.addPass(createInternalizeFunctions());
  pm.addPass(createRequireLLVM());
}

void mlir::pool::buildPoolToLLVMPipeline(OpPassManager &pm,
                                         const PoolToLLVMOptions &options) {
  buildPoolPreparationPipeline(pm, options);
  if (options.path == LoweringPath::Vector)
    addVectorLowering(pm, options);
  addLinalgLowering(pm, options);
  addBufferization(pm, options);
  if (options.path == LoweringPath::Affine)
    addWindowLoops(pm, options);
  addDeallocation(pm);
  addLoops(pm, options);
  if (options.threads == ThreadModel::OpenMP)
    addThreads(pm);
  addSmallFloats(pm);
  addLLVM(pm, options);
  pm.addPass(createCarryBF16({options.bf16AsBits}));
}

void mlir::pool::registerPoolPipelines() {
  registerPoolPipelinesPasses();
  PassPipelineRegistration<PoolToLLVMOptions>(
      "pool-to-llvm",
      "Lower pool and upstream operations on tensors to the llvm dialect; "
      "slow for functions of more than 1,000 poolings",
      buildPoolToLLVMPipeline);
}
