// What a static build says of the targets that it leaves out: nothing.
//
// LLVM's InitializeAllTargets, and MLIR's serialisation for GPUs, name every
// target that the packages were built with. Here those exist and register
// nothing, so that their code is not linked and a triple of theirs is an
// unknown one.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define ABSENT(TARGET)                                                         \
  void LLVMInitialize##TARGET##TargetInfo() {}                                 \
  void LLVMInitialize##TARGET##Target() {}                                     \
  void LLVMInitialize##TARGET##TargetMC() {}                                   \
  void LLVMInitialize##TARGET##AsmPrinter() {}                                 \
  void LLVMInitialize##TARGET##AsmParser() {}                                  \
  void LLVMInitialize##TARGET##Disassembler() {}

extern "C" {
// Set by PoolStaticLLVM.cmake: ABSENT(AMDGPU)ABSENT(ARM)...
POOL_ABSENT_TARGETS
}
