// LLVM's code generation, with a pass that prevents a crash of LLVM 22.
//
// Replaces TargetMachine::addPassesToEmitFile, which cannot insert a pass.
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

/// LLVM 22 moves the last uses of this many operands to the instruction that
/// replaces a masked load: result, lanes to keep, mask and base address.
static constexpr unsigned kNumMovedOperands = 4;

namespace {

/// Removes the information that a masked load is the last use of its index.
///
/// A masked load may keep lanes of another vector. LLVM 22's X86 backend turns
/// such a load into a blend and erases it. But the index's last use still
/// points to the load. If another block has a last use of the same register,
/// the two-address pass follows that dangling pointer
/// (docs/Internals/upstream/two-address.md). It is safe to remove last uses:
/// later passes may not rely on them, and register allocation computes them
/// anew.
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

/// The passes of code generation. Leaves out loop strength reduction on x86: it
/// takes a quarter of the time and does not make kernels faster. Our loops
/// count from 0, and an x86 load adds a scaled register by itself
/// (docs/Internals/Rationale.md). Leaves out scheduling after register
/// allocation, too: x86 processors reorder instructions by themselves. LLVM's
/// options to disable these passes would act on the whole process.
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
  // Every LLVM target that generates machine code derives from this class.
  auto &machine = static_cast<llvm::CodeGenTargetMachineImpl &>(target);
  auto fail = [&] {
    return llvm::createStringError(
        "LLVM has no files of this kind for target '" +
        target.getTargetTriple().str() + "'");
  };
  CodeGenPasses pm(machine.getTargetTriple());
  auto *info = new llvm::MachineModuleInfoWrapperPass(&machine);
  llvm::TargetPassConfig *config = machine.createPassConfig(pm);
  // Insert the pass after PHI elimination, and so before the two-address pass,
  // which would crash.
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
