// Empty initializers for the LLVM targets that a static build omits.
//
// LLVM's InitializeAllTargets and MLIR's serialization for GPUs call the
// initializers of all targets that the LLVM packages were built with. The
// initializers here do nothing. So the code of these targets is not linked, and
// their triples are unknown.
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
// PoolStaticLLVM.cmake defines this macro as ABSENT(AMDGPU)ABSENT(ARM)...
POOL_ABSENT_TARGETS
}
