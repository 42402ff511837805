// Empty initialisers for the targets that a static build leaves out.
//
// LLVM's InitializeAllTargets, and MLIR's serialisation for GPUs, call the
// initialisers of every target that the packages were built with. The ones here
// register nothing, so the targets' code is not linked, and their triples are
// unknown.
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
