// Prevents a crash of LLVM 22's two-address pass. Reproducer:
// docs/Internals/upstream/two-address.ll.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Upstream/LLVMRepairs.h"

#include "llvm/CodeGen/LiveVariables.h"
#include "llvm/CodeGen/MachineFunctionPass.h"

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

} // namespace

llvm::MachineFunctionPass *mlir::pool::createForgetLastUses() {
  return new ForgetLastUses();
}
