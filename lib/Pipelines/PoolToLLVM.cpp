// The pool-to-llvm pipeline: ours down to linalg, then upstream's passes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/Pipelines.h"

#include "pool/Conversion/Passes.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"
#include "pool/Pipelines/Passes.h"

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
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::pool;

/// Passes on one function at a time run on several in parallel.
static void addCleanUp(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(createCSEPass());
}

/// Window operations on buffers to loops.
static void addWindowLoops(OpPassManager &pm,
                           const PoolToLLVMOptions &options) {
  if (options.path == LoweringPath::Affine) {
    ConvertPoolToAffineOptions affine;
    affine.byRows = true;
    affine.parallel = options.threads == ThreadModel::OpenMP;
    pm.addNestedPass<func::FuncOp>(createConvertPoolToAffine(affine));
  }
  // Folding would take all bounds from a loop that is never reached
  // (docs/upstream/passes.md).
  pm.addNestedPass<func::FuncOp>(createLowerAffineLoops());
  pm.addNestedPass<func::FuncOp>(createConvertPoolToLoops());
}

/// What comes before the conversion of pooling on tensors.
static void addPoolPreparation(OpPassManager &pm,
                               const PoolToLLVMOptions &options) {
  // Window operations that are on buffers already.
  addWindowLoops(pm, options);
  pm.addNestedPass<func::FuncOp>(createLegalizeSlices());
  // Buffers hold stored values.
  pm.addPass(createStripQuantTypes());
  // Nothing is changed before it is checked.
  if (options.runtimeChecks)
    pm.addNestedPass<func::FuncOp>(createPoolInsertRuntimeChecks());
  pm.addNestedPass<func::FuncOp>(createPoolAdaptiveToWindow());
  // Arithmetic on tensors, which is then fused like other elementwise linalg.
  pm.addNestedPass<func::FuncOp>(createArithmeticToLinalg());
}

/// The machine of `pool-to-llvm` in the options of a pass.
template <typename PassOptionsT>
static PassOptionsT getMachine(const PoolToLLVMOptions &options) {
  PassOptionsT result;
  result.vectorBits = options.vectorBits;
  result.triple = options.triple;
  result.cpu = options.cpu;
  result.features = options.features;
  // The host, unless the bits stand alone, which say all of a machine.
  if (options.triple.empty() && options.cpu.empty() &&
      (options.vectorBits == 0 || !options.features.empty()))
    result.cpu = "native";
  return result;
}

/// Pool operations to loops over vectors, where there are such.
static void addVectorLowering(OpPassManager &pm,
                              const PoolToLLVMOptions &options) {
  pm.addNestedPass<func::FuncOp>(createConvertPoolToVector(
      getMachine<ConvertPoolToVectorOptions>(options)));
  // Half of what it emits is constants, of which there are few; what follows
  // takes the longer the more operations there are.
  pm.addNestedPass<func::FuncOp>(createCSEPass());
}

/// Pool operations that are left to operations that can be bufferized.
static void addLinalgLowering(OpPassManager &pm,
                              const PoolToLLVMOptions &options) {
  ConvertPoolToLinalgOptions linalg;
  linalg.keepWindows = options.path == LoweringPath::Affine;
  pm.addNestedPass<func::FuncOp>(createConvertPoolToLinalg(linalg));
  addCleanUp(pm);
  pm.addNestedPass<func::FuncOp>(createSeparateDestinations());
}

/// Frees every intermediate buffer. Upstream's buildBufferDeallocationPipeline,
/// on functions what can be, with a pass that splits and without the clean-ups,
/// of which the one after linalg's loops leaves nothing to do: each is a tenth
/// of the time of all passes.
static void addDeallocation(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(memref::createExpandReallocPass(
      memref::ExpandReallocPassOptions{/*emitDeallocs=*/false}));
  pm.addPass(bufferization::createOwnershipBasedBufferDeallocationPass());
  pm.addNestedPass<func::FuncOp>(createSplitDeallocations());
  pm.addNestedPass<func::FuncOp>(
      bufferization::createBufferDeallocationSimplificationPass());
  pm.addPass(bufferization::createLowerDeallocationsPass());
  // Results that are somebody else's buffer are cloned.
  pm.addNestedPass<func::FuncOp>(createConvertBufferizationToMemRefPass());
}

/// Tensors to buffers, with the calling convention of Pipelines.h.
static void addBufferization(OpPassManager &pm,
                             const PoolToLLVMOptions &options) {
  MarkEntryPointsOptions entryPoints;
  entryPoints.cWrappers = options.cWrappers;
  pm.addPass(createMarkEntryPoints(entryPoints));
  // Lowering asks quantised tensors for their extents.
  pm.addPass(createStripQuantTypes());
  pm.addPass(createRequireBufferizable());
  pm.addNestedPass<func::FuncOp>(createEliminateEmptyTensors());
  pm.addPass(createPoolBufferize({options.bufferAlignment}));
  pm.addPass(createResultsToOutParams());
}

/// linalg on buffers to loops. Those of scf: affine's verifier refuses extents
/// that are computed inside other regions.
static void addLoops(OpPassManager &pm, const PoolToLLVMOptions &options) {
  pm.addNestedPass<func::FuncOp>(createForallToParallelLoopPass());
  pm.addNestedPass<func::FuncOp>(options.threads == ThreadModel::OpenMP
                                     ? createConvertLinalgToParallelLoopsPass()
                                     : createConvertLinalgToLoopsPass());
  pm.addNestedPass<func::FuncOp>(memref::createExpandStridedMetadataPass());
  pm.addNestedPass<func::FuncOp>(createLowerAffinePass());
  // Also removes what only carried a shape, like a pooling window's buffer.
  addCleanUp(pm);
  // The clean-up finds views whose strides it does not know.
  pm.addNestedPass<func::FuncOp>(
      createExpandStridedCopies({options.threads == ThreadModel::OpenMP}));
}

/// Parallel loops to OpenMP.
static void addThreads(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createSelectParallelLoops());
  pm.addPass(createConvertSCFToOpenMPPass());
  // Removes the scopes for stack memory where there is none.
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
}

/// bf16 to f32 and integers: targets without it would call a run-time library
/// to round, and those with it flush denormals. Others round as they should.
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

/// Loops over buffers to the llvm dialect and nothing else.
static void addLLVM(OpPassManager &pm, const PoolToLLVMOptions &options) {
  if (options.bufferAlignment != 0)
    pm.addPass(createAlignAllocations({options.bufferAlignment}));
  // An aligned allocation of the C library is what `free` takes; one that is
  // aligned within its block is not, to whoever knows the elements alone.
  FinalizeMemRefToLLVMConversionPassOptions memref;
  memref.useAlignedAlloc = options.bufferAlignment != 0;
  pm.addPass(createFinalizeMemRefToLLVMConversionPass(memref));
  pm.addNestedPass<func::FuncOp>(createFlattenControlFlow());
  if (!options.assertHandler.empty()) {
    LowerAssertionsOptions assertions;
    assertions.handler = options.assertHandler;
    pm.addPass(createLowerAssertions(assertions));
  }
  // Intrinsics where LLVM has them, which it can vectorise; libm for the rest.
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
  addPoolPreparation(pm, options);
  auto addAfterBuffers = [&](OpPassManager &pm) {
    addDeallocation(pm);
    addLoops(pm, options);
    if (options.threads == ThreadModel::OpenMP)
      addThreads(pm);
    pm.addNestedPass<func::FuncOp>(createPoolExpandMaskedAccesses(
        getMachine<PoolExpandMaskedAccessesOptions>(options)));
    addSmallFloats(pm);
    addLLVM(pm, options);
  };
  // What is left of loops over vectors for linalg gets parts of its own.
  auto addAfterVectors = [&](OpPassManager &pm) {
    addLinalgLowering(pm, options);
    addBufferization(pm, options);
    if (options.path == LoweringPath::Affine)
      addWindowLoops(pm, options);
    pm.addPass(createLowerInParts(options.partSize, addAfterBuffers));
  };
  if (options.path == LoweringPath::Vector) {
    addVectorLowering(pm, options);
    pm.addPass(createLowerInParts(options.partSize, addAfterVectors));
  } else {
    addAfterVectors(pm);
  }
  pm.addPass(createCarryBF16({options.bf16AsBits}));
}

void mlir::pool::buildSelectPlanPipeline(OpPassManager &pm,
                                         const PoolToLLVMOptions &options) {
  addPoolPreparation(pm, options);
  pm.addNestedPass<func::FuncOp>(
      createPoolSelectPlan(getMachine<PoolSelectPlanOptions>(options)));
}

void mlir::pool::registerPoolPipelines() {
  registerPoolPipelinesPasses();
  PassPipelineRegistration<PoolToLLVMOptions>(
      "pool-to-llvm",
      "Lower pool and upstream operations on tensors to the llvm dialect",
      buildPoolToLLVMPipeline);
}
