; llc -o -: the OpenCL kernel calls fmax, which returns the operand that is no NaN.
; llvm.maximum must return NaN.
target triple = "spirv64v1.2-unknown-unknown"

define spir_kernel void @larger(ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %a = load float, ptr addrspace(1) %x
  %b = load float, ptr addrspace(1) %y
  %m = call float @llvm.maximum.f32(float %a, float %b)
  store float %m, ptr addrspace(1) %y
  ret void
}
