// The pipeline pool-to-llvm. Down to linalg it consists of passes of this
// project, and after that mostly of upstream's passes.
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

/// Adds canonicalization and CSE, nested on functions so that several functions
/// are processed in parallel. The canonicalizer runs only one iteration,
/// because that folds almost everything. A second one would visit every
/// operation only to find that nothing changes.
static void addCleanUp(OpPassManager &pm) {
  GreedyRewriteConfig config;
  config.setMaxIterations(1).setRegionSimplificationLevel(
      GreedySimplifyRegionLevel::Normal);
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass(config));
  pm.addNestedPass<func::FuncOp>(createCSEPass());
}

/// Adds the passes that lower window operations on buffers to loops.
static void addWindowLoops(OpPassManager &pm,
                           const PoolToLLVMOptions &options) {
  if (options.path == LoweringPath::Affine) {
    ConvertPoolToAffineOptions affine;
    affine.byRows = true;
    affine.parallel = options.threads == ThreadModel::OpenMP;
    pm.addNestedPass<func::FuncOp>(createConvertPoolToAffine(affine));
  }
  // Lower affine loops before any fold: upstream's folds remove all bounds of a
  // loop that is never reached (docs/Internals/upstream/passes.md).
  pm.addNestedPass<func::FuncOp>(createLowerAffineLoops());
  pm.addNestedPass<func::FuncOp>(createConvertPoolToLoops());
}

void mlir::pool::buildPoolPreparationPipeline(
    OpPassManager &pm, const PoolToLLVMOptions &options) {
  addWindowLoops(pm, options);
  pm.addNestedPass<func::FuncOp>(createLegalizeSlices());
  // Buffers contain the stored integers, so replace quantized types by these.
  pm.addPass(createStripQuantTypes());
  // Insert checks before the next passes rewrite the operations to check.
  if (options.runtimeChecks)
    pm.addNestedPass<func::FuncOp>(createPoolInsertRuntimeChecks());
  pm.addNestedPass<func::FuncOp>(createPoolAdaptiveToWindow());
  // Rewrite arithmetic on tensors to linalg, so that it is fused like other
  // elementwise operations of linalg.
  pm.addNestedPass<func::FuncOp>(createArithmeticToLinalg());
}

/// Returns the options of a pass for the machine that the pipeline's options
/// describe.
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

/// Adds the lowering to vector loops, for pool operations that a strategy
/// supports.
static void addVectorLowering(OpPassManager &pm,
                              const PoolToLLVMOptions &options) {
  pm.addNestedPass<func::FuncOp>(createConvertPoolToVector(
      getMachine<ConvertPoolToVectorOptions>(options)));
  // Half of the emitted operations are constants, and most of these are equal.
  // Removing duplicates makes the next passes faster.
  pm.addNestedPass<func::FuncOp>(createCSEPass());
}

/// Adds the lowering of all other pool operations to linalg, for which
/// bufferisation exists. On the affine path, window operations are kept for
/// addWindowLoops().
static void addLinalgLowering(OpPassManager &pm,
                              const PoolToLLVMOptions &options) {
  ConvertPoolToLinalgOptions linalg;
  linalg.keepWindows = options.path == LoweringPath::Affine;
  pm.addNestedPass<func::FuncOp>(createConvertPoolToLinalg(linalg));
  addCleanUp(pm);
  pm.addNestedPass<func::FuncOp>(createSeparateDestinations());
}

/// Adds the passes that free every intermediate buffer. These are the passes of
/// upstream's buildBufferDeallocationPipeline with two changes.
/// SplitDeallocations runs upstream's simplification only for functions that
/// must compare buffers at run time. The clean-ups are left out, because each
/// takes a tenth of the pipeline's time, and addLoops() cleans up later anyway.
static void addDeallocation(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(memref::createExpandReallocPass(
      memref::ExpandReallocPassOptions{/*emitDeallocs=*/false}));
  pm.addPass(bufferization::createOwnershipBasedBufferDeallocationPass());
  pm.addNestedPass<func::FuncOp>(createSplitDeallocations());
  pm.addPass(bufferization::createLowerDeallocationsPass());
  // Lower the clones that were made of results that alias a buffer of the
  // caller.
  pm.addNestedPass<func::FuncOp>(createConvertBufferizationToMemRefPass());
}

/// Adds the passes from tensors to buffers. They establish the calling
/// convention of Pipelines.h.
static void addBufferization(OpPassManager &pm,
                             const PoolToLLVMOptions &options) {
  MarkEntryPointsOptions entryPoints;
  entryPoints.cWrappers = options.cWrappers;
  pm.addPass(createMarkEntryPoints(entryPoints));
  // Strip again, because the lowerings to linalg create operations that read
  // extents of quantized tensors.
  pm.addPass(createStripQuantTypes());
  pm.addPass(createRequireBufferizable());
  pm.addNestedPass<func::FuncOp>(createEliminateEmptyTensors());
  pm.addPass(createPoolBufferize({options.bufferAlignment}));
  pm.addPass(createResultsToOutParams());
}

/// Adds the passes from linalg on buffers to scf loops. Does not use affine
/// loops, because their verifier rejects extents that are computed inside other
/// regions.
static void addLoops(OpPassManager &pm, const PoolToLLVMOptions &options) {
  pm.addNestedPass<func::FuncOp>(createForallToParallelLoopPass());
  pm.addNestedPass<func::FuncOp>(options.threads == ThreadModel::OpenMP
                                     ? createConvertLinalgToParallelLoopsPass()
                                     : createConvertLinalgToLoopsPass());
  pm.addNestedPass<func::FuncOp>(memref::createExpandStridedMetadataPass());
  pm.addNestedPass<func::FuncOp>(createLowerAffinePass());
  // This also removes buffers that only provide a shape, such as the shape of a
  // window.
  addCleanUp(pm);
  // Expand copies after the clean-up, because only its folds show that some
  // views have unknown strides.
  pm.addNestedPass<func::FuncOp>(
      createExpandStridedCopies({options.threads == ThreadModel::OpenMP}));
}

/// Adds the passes from parallel loops to OpenMP.
static void addThreads(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createSelectParallelLoops());
  pm.addPass(createConvertSCFToOpenMPPass());
  // The conversion adds allocation scopes. The canonicalizer removes those that
  // contain no stack allocation.
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
}

/// Adds passes that replace bf16 arithmetic by operations on f32 and integers.
/// LLVM would call a run-time library to round on targets without bf16, and on
/// targets with bf16 it would flush denormals.
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

/// Adds the passes from loops on buffers to the llvm dialect. Operations of
/// OpenMP remain.
static void addLLVM(OpPassManager &pm, const PoolToLLVMOptions &options) {
  pm.addPass(createCheckFunctionNames());
  if (options.runtimeChecks)
    pm.addNestedPass<func::FuncOp>(createCheckAllocations());
  if (options.bufferAlignment != 0)
    pm.addPass(createAlignAllocations({options.bufferAlignment}));
  // Align by `aligned_alloc`, because callers pass the address of the elements
  // to `free`. Without `aligned_alloc`, aligned elements would begin somewhere
  // inside a block, and their address would not be the block's.
  FinalizeMemRefToLLVMConversionPassOptions memref;
  memref.useAlignedAlloc = options.bufferAlignment != 0;
  pm.addPass(createFinalizeMemRefToLLVMConversionPass(memref));
  pm.addNestedPass<func::FuncOp>(createFlattenControlFlow());
  if (!options.assertHandler.empty()) {
    LowerAssertionsOptions assertions;
    assertions.handler = options.assertHandler;
    pm.addPass(createLowerAssertions(assertions));
  }
  // Prefer intrinsics, because LLVM can vectorize them. Call libm for the rest.
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
