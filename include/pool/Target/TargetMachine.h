// LLVM's description of machines to compile for, by the names that its tools
// give them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_TARGET_TARGETMACHINE_H
#define POOL_TARGET_TARGETMACHINE_H

#include "pool/Target/TargetNames.h"

#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace mlir::pool {

/// Makes all targets of LLVM's known to it. Any thread may call it, any number
/// of times.
void initializeTargets();

/// The machine that `names` names, for position-independent code and code
/// generation of -O`optLevel`, 0 to 3. Fails on names that LLVM does not know,
/// where its own tools would warn, and on machines that have no C program with
/// 64-bit addresses.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const TargetNames &names, unsigned optLevel = 2);

/// Fails, and says what is missing, if `machine`, which `names` made, has
/// features that this machine lacks: its code cannot run here.
llvm::Error checkRunsHere(const TargetNames &names,
                          const llvm::TargetMachine &machine);

} // namespace mlir::pool

#endif // POOL_TARGET_TARGETMACHINE_H
