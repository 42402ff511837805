// LLVM's descriptions of machines to compile for, found by the names that
// LLVM's tools use.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_TARGET_TARGETMACHINE_H
#define POOL_TARGET_TARGETMACHINE_H

#include "pool/Target/TargetNames.h"

#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace mlir::pool {

/// Initialises all targets that LLVM was built with. Any thread may call it,
/// any number of times.
void initializeTargets();

/// Returns the machine that `names` names, for position-independent code and
/// for code generation at level `optLevel`, 0 to 3. Fails if LLVM does not know
/// one of the names, where LLVM's own tools may only warn. Fails if the machine
/// has no C ABI with 64-bit addresses.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const TargetNames &names, unsigned optLevel = 2);

/// Fails if LLVM has no target of the triple, or does not know the processor or
/// one of the features that `names` names.
llvm::Error checkTargetNames(const TargetNames &names);

/// Fails if `machine`, which was created from `names`, has features that the
/// host lacks. Code for such a machine cannot run here. The error names the
/// features.
llvm::Error checkRunsHere(const TargetNames &names,
                          const llvm::TargetMachine &machine);

} // namespace mlir::pool

#endif // POOL_TARGET_TARGETMACHINE_H
