// Creates LLVM's descriptions of machines from the names that LLVM's tools use.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_TARGET_TARGETMACHINE_H
#define POOL_TARGET_TARGETMACHINE_H

#include "pool/Target/TargetNames.h"

#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace mlir::pool {

/// Initializes all targets that LLVM was built with. May be called by any
/// thread and any number of times.
void initializeTargets();

/// Returns the machine that `names` describe, for position-independent code at
/// level `optLevel`, 0 to 3. Fails if LLVM does not know one of the names, even
/// if LLVM's own tools only warn. Also fails if the machine has no C ABI with
/// 64-bit addresses.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const TargetNames &names, unsigned optLevel = 2);

/// Fails if LLVM has no target for the triple of `names`, or does not know the
/// processor or one of the features.
llvm::Error checkTargetNames(const TargetNames &names);

/// Fails if `machine`, which was created from `names`, has features that the
/// host does not have, so that its code cannot run on the host. The error lists
/// these features.
llvm::Error checkRunsHere(const TargetNames &names,
                          const llvm::TargetMachine &machine);

} // namespace mlir::pool

#endif // POOL_TARGET_TARGETMACHINE_H
