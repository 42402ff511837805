// Runs LLVM's code generation, with an additional pass of lib/Upstream.
//
// Replaces TargetMachine::addPassesToEmitFile, which cannot insert a pass.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CodeGeneration.h"

#include "pool/Upstream/LLVMRepairs.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/CodeGen/CodeGenTargetMachineImpl.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"

using namespace mlir;
using namespace mlir::pool;

namespace {

/// The passes of code generation, without two passes on x86. Loop strength
/// reduction takes a quarter of the time and does not make kernels faster,
/// because our loops count from 0 and an x86 load can add a scaled register
/// (docs/Internals/Rationale.md). Scheduling after register allocation is not
/// needed, because x86 processors reorder instructions. LLVM's own options
/// would disable these passes in the whole process.
class CodeGenPasses : public llvm::legacy::PassManager {
public:
  explicit CodeGenPasses(const llvm::Triple &triple) : isX86(triple.isX86()) {}

  void add(llvm::Pass *pass) override {
    if (isX86 &&
        (pass->getPassName() == "Loop Strength Reduction" ||
         pass->getPassName() == "Post RA top-down list latency scheduler"))
      delete pass;
    else
      PassManager::add(pass);
  }

private:
  bool isX86;
};

} // namespace

llvm::Error mlir::pool::generateCode(llvm::Module &module,
                                     llvm::TargetMachine &target,
                                     llvm::CodeGenFileType fileType,
                                     llvm::raw_pwrite_stream &os) {
  // All LLVM targets that generate machine code derive from this class.
  auto &machine = static_cast<llvm::CodeGenTargetMachineImpl &>(target);
  auto fail = [&] {
    return llvm::createStringError(
        "LLVM has no files of this kind for target '" +
        target.getTargetTriple().str() + "'");
  };
  CodeGenPasses pm(machine.getTargetTriple());
  auto *info = new llvm::MachineModuleInfoWrapperPass(&machine);
  llvm::TargetPassConfig *config = machine.createPassConfig(pm);
  // The two-address pass would crash, and runs after PHI elimination. Insert
  // the additional pass between them.
  config->insertPass(&llvm::PHIEliminationID, createForgetLastUses());
  pm.add(config);
  pm.add(info);
  if (config->addISelPasses())
    return fail();
  config->addMachinePasses();
  config->setInitialized();
  if (machine.addAsmPrinter(pm, os, /*DwoOut=*/nullptr, fileType,
                            info->getMMI().getContext()))
    return fail();
  pm.add(llvm::createFreeMachineFunctionPass());
  pm.run(module);
  return llvm::Error::success();
}
