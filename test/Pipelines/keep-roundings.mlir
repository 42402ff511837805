// pool-keep-roundings. Small floats (bf16) that are emulated in f32 must be
// rounded after each operation. A fast-math flag that lets upstream drop a
// rounding must be removed, or results would depend on the operations around.
//
// RUN: pool-opt %s --pool-keep-roundings | FileCheck %s
// RUN: pool-opt %s --pool-to-llvm | FileCheck %s --check-prefix=LLVM

// CHECK-LABEL: func.func private @marked
// CHECK:         arith.truncf %arg0 : f32 to bf16
// CHECK:         arith.truncf %arg0 fastmath<nnan> : f32 to bf16
func.func private @marked(%x: f32) -> (bf16, bf16) {
  %0 = arith.truncf %x fastmath<contract> : f32 to bf16
  %1 = arith.truncf %x fastmath<nnan,contract> : f32 to bf16
  return %0, %1 : bf16, bf16
}

// LLVM-LABEL: llvm.func @sums
// LLVM:         llvm.fadd
// LLVM:         llvm.trunc %{{.*}} : i32 to i16
// LLVM:         llvm.fadd
// LLVM:         llvm.trunc %{{.*}} : i32 to i16
func.func @sums(%a: bf16, %b: bf16, %c: bf16) -> bf16 {
  %0 = arith.addf %a, %b : bf16
  %1 = arith.addf %0, %c : bf16
  return %1 : bf16
}

// LLVM-LABEL: llvm.func @functions
// LLVM:         llvm.intr.tanh(%{{.*}}) : (f32) -> f32
// LLVM:         llvm.trunc %{{.*}} : i32 to i16
// LLVM:         llvm.intr.exp(%{{.*}}) : (f32) -> f32
// LLVM:         llvm.trunc %{{.*}} : i32 to i16
func.func @functions(%a: bf16) -> bf16 {
  %0 = math.tanh %a : bf16
  %1 = math.exp %0 : bf16
  return %1 : bf16
}
