// LLVM's code generation, with a repair of what brings LLVM 22 down.
//
// Own code and not TargetMachine::addPassesToEmitFile, because that one has no
// place for a pass of ours.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CodeGeneration.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/CodeGen/CodeGenTargetMachineImpl.h"
#include "llvm/CodeGen/LiveVariables.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"

using namespace mlir;
using namespace mlir::pool;

/// The operands whose last uses LLVM 22 moves to the instruction that it makes
/// of a masked load: result, lanes to keep, mask and base of the address.
static constexpr unsigned kNumMovedOperands = 4;

namespace {

/// Forgets that a masked load is the last use of its address's index.
///
/// LLVM 22's X86 backend replaces a masked load that keeps lanes of another
/// vector by a blend, and leaves the index's last use at the instruction that
/// it erases. The two-address pass follows that pointer where another block has
/// a last use of the same register (docs/Internals/upstream/two-address.md). A
/// last use that is not recorded is one that the passes up to register
/// allocation, which computes them anew, may not rely on.
class ForgetLastUses : public llvm::MachineFunctionPass {
public:
  static char ID;
  ForgetLastUses() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override {
    return "pool: forget the last uses of masked loads' indices";
  }

  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override {
    usage.addUsedIfAvailable<llvm::LiveVariablesWrapperPass>();
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(llvm::MachineFunction &function) override {
    auto *liveness = getAnalysisIfAvailable<llvm::LiveVariablesWrapperPass>();
    if (!liveness)
      return false;
    bool isChanged = false;
    for (llvm::MachineBasicBlock &block : function)
      for (llvm::MachineInstr &instruction : block) {
        if (!instruction.isConvertibleTo3Addr() || !instruction.mayLoad())
          continue;
        for (unsigned i = kNumMovedOperands; i < instruction.getNumOperands();
             ++i) {
          llvm::MachineOperand &operand = instruction.getOperand(i);
          if (operand.isReg() && operand.isUse() && operand.isKill() &&
              operand.getReg().isVirtual())
            isChanged |= liveness->getLV().removeVirtualRegisterKilled(
                operand.getReg(), instruction);
        }
      }
    return isChanged;
  }
};

char ForgetLastUses::ID = 0;

/// The passes of code generation, without the reduction of loops' strength for
/// x86, a quarter of their time: the loops that we emit count from 0, and x86
/// adds a scaled register within a load, so that kernels are as fast without it
/// (docs/Internals/Rationale.md). LLVM itself can leave it out for a whole
/// process only.
class CodeGenPasses : public llvm::legacy::PassManager {
public:
  explicit CodeGenPasses(const llvm::Triple &triple) : isX86(triple.isX86()) {}

  void add(llvm::Pass *pass) override {
    if (isX86 && pass->getPassName() == "Loop Strength Reduction")
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
  // What every target of LLVM's that has machine code derives from.
  auto &machine = static_cast<llvm::CodeGenTargetMachineImpl &>(target);
  auto fail = [&] {
    return llvm::createStringError(
        "LLVM has no files of this kind for target '" +
        target.getTargetTriple().str() + "'");
  };
  CodeGenPasses pm(machine.getTargetTriple());
  auto *info = new llvm::MachineModuleInfoWrapperPass(&machine);
  llvm::TargetPassConfig *config = machine.createPassConfig(pm);
  // What follows it is the two-address pass.
  config->insertPass(&llvm::PHIEliminationID, new ForgetLastUses());
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
