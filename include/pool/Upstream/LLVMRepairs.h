// Functions and passes on LLVM IR and on machine code that work around faults
// of LLVM 22. The table in docs/Internals/upstream/README.md has the
// reproducers, and says when each can be removed.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_UPSTREAM_LLVMREPAIRS_H
#define POOL_UPSTREAM_LLVMREPAIRS_H

#include "mlir/Support/LLVM.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class MachineFunctionPass;
class Module;
} // namespace llvm

namespace mlir::pool {

/// Works around a bug of LLVM 22. LLVM's vectorizer emits masked stores of one
/// lane for the last iteration of a short loop. If the stored value comes from
/// a truncation, LLVM 22's X86 backend stores the value before truncation, and
/// so overwrites the elements that follow. This replaces such masked stores by
/// scalar stores.
void storeOnlyLanes(llvm::Module &module);

/// Marks loops as unrolled if they have more than 150 instructions and an
/// unknown number of iterations. Unrolling them would gain nothing. But to find
/// that out, LLVM would add up the costs of their instructions twice at each
/// level of a loop nest, a tenth of the time to compile.
struct KeepLargeLoops : llvm::PassInfoMixin<KeepLargeLoops> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

/// Returns a pass that clears the kill flags of the index operands of masked
/// loads. It must run after PHI elimination, and before the two-address pass,
/// which could crash (docs/Internals/upstream/two-address.md).
llvm::MachineFunctionPass *createForgetLastUses();

} // namespace mlir::pool

#endif // POOL_UPSTREAM_LLVMREPAIRS_H
