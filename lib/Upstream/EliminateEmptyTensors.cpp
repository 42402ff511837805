// Computes results directly in the slices that they are inserted into, by
// upstream's elimination of empty tensors. Keeps an empty tensor if the slice
// needs a value that is defined only later.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Utils/Promises.h"
#include "pool/Upstream/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SubsetOpInterface.h"

namespace mlir::pool {
#define GEN_PASS_DEF_ELIMINATEEMPTYTENSORS
#include "pool/Upstream/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

/// Creates the slice that `insertion` inserts into, as a replacement for
/// `empty` in `user`. Returns null if the slice needs a result of an operation
/// that contains `empty`: that result does not exist yet at `empty`.
static Value buildSlice(RewriterBase &rewriter,
                        SubsetInsertionOpInterface insertion,
                        tensor::EmptyOp empty, Operation *user) {
  for (Value needed : insertion.getValuesNeededToBuildSubsetExtraction())
    if (Operation *definition = needed.getDefiningOp();
        definition && definition->isAncestor(empty))
      return nullptr;
  return bufferization::buildSubsetExtraction(rewriter, insertion, empty, user);
}

namespace {
struct EliminateEmptyTensors
    : pool::impl::EliminateEmptyTensorsBase<EliminateEmptyTensors> {
  void runOnOperation() override {
    // Without these interface models, upstream would find no slice and report
    // no error.
    if (failed(
            requireModelsOnTensors<bufferization::BufferizableOpInterface,
                                   SubsetOpInterface,
                                   SubsetInsertionOpInterface>(getOperation())))
      return signalPassFailure();
    bufferization::OneShotBufferizationOptions options;
    options.allowReturnAllocsFromLoops = true;
    bufferization::OneShotAnalysisState state(getOperation(), options);
    IRRewriter rewriter(&getContext());
    if (failed(bufferization::analyzeOp(getOperation(), state)) ||
        failed(bufferization::eliminateEmptyTensors(rewriter, getOperation(),
                                                    state, buildSlice)))
      signalPassFailure();
  }
};
} // namespace
