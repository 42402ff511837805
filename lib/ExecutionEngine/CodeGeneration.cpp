// Runs LLVM's code generation, with an additional pass that prevents a crash of
// LLVM 22.
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

/// When LLVM 22 replaces a masked load, it moves the kill flags of the first
/// operands to the new instruction, but not those of later operands. This is
/// the number of the first operands: result, lanes to keep, mask and base
/// address.
static constexpr unsigned kNumMovedOperands = 4;

namespace {

/// Clears the kill flags of the index operands of masked loads.
///
/// A kill flag says that an instruction is the last use of a register. A masked
/// load may keep lanes of another vector. LLVM 22's X86 backend replaces such a
/// load by a blend and erases it, but LiveVariables still says that the load
/// kills the index register. If another block kills the same register, the
/// two-address pass then follows a pointer to the erased load
/// (docs/Internals/upstream/two-address.md). Clearing kill flags is safe: later
/// passes must not rely on them, and register allocation recomputes them.
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
