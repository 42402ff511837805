// Keeps LLVM from adding up the costs of large loops that it will not unroll.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Upstream/LLVMRepairs.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

using namespace mlir;

llvm::PreservedAnalyses
pool::KeepLargeLoops::run(llvm::Function &function,
                          llvm::FunctionAnalysisManager &analyses) {
  constexpr size_t maxInstructions = 150;
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (llvm::Loop *loop :
       analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    size_t numInstructions = 0;
    for (const llvm::BasicBlock *block : loop->blocks())
      numInstructions += block->size();
    if (numInstructions > maxInstructions &&
        evolution.getSmallConstantTripCount(loop) == 0)
      loop->setLoopAlreadyUnrolled();
  }
  return llvm::PreservedAnalyses::all();
}
