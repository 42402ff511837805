// pool-compile must write objects, assembly, LLVM IR and headers, for this
// machine and for others. Only functions for C may be visible in an object.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t

// An object and a header. Only functions for C are visible, the caller can
// replace the failure handler, and a shared library can contain the code.
// RUN: pool-compile %s -o %t/pool.o --emit-header=%t/pool.h
// RUN: llvm-nm %t/pool.o | FileCheck %s --check-prefix=SYMBOLS --implicit-check-not=' T '
// SYMBOLS-DAG: W pool_check_failed
// SYMBOLS-DAG: T pool_half
// SYMBOLS-DAG: T pool_layer_1
// SYMBOLS-DAG: T pool_wide
// RUN: %host_cc -shared -Wl,-z,text %t/pool.o -lm -o %t/libpool.so

// RUN: FileCheck %s --check-prefix=HEADER --match-full-lines --strict-whitespace <%t/pool.h
//      HEADER:#ifndef POOL_H
// HEADER-NEXT:#define POOL_H
//      HEADER:extern "C" {
//      HEADER:void pool_check_failed(const char *message);
//      HEADER:/* half: (tensor<?x3x8x8xf32>) -> tensor<?x3x4x4xf32> */
// HEADER-NEXT:void pool_half(const float *arg0,
// HEADER-NEXT:    const int64_t arg0_shape[4],
// HEADER-NEXT:    float **result0,
// HEADER-NEXT:    int64_t result0_shape[4]);
//      HEADER:void pool_layer_1(const uint16_t *arg0,
// HEADER-NEXT:    bool arg1,
// HEADER-NEXT:    uint16_t *result0,
// HEADER-NEXT:    int64_t *result1,
// HEADER-NEXT:    bool *result2);
//      HEADER:#endif /* POOL_H */

// The header compiles as any version of C, and as C++.
// RUN: %host_cc -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only -x c %t/pool.h
// RUN: %cxx -std=c++11 -pedantic -Wall -Wextra -Werror -fsyntax-only -x c++ %t/pool.h

// One function with another prefix; and only the header.
// RUN: pool-compile %s --entry half --prefix=net_ --emit-header=- | FileCheck %s --check-prefix=ONE --implicit-check-not=layer
// ONE: void net_half(const float *arg0,

// RUN: pool-compile %s -o - --emit=asm | FileCheck %s --check-prefix=ASM
// ASM: .globl pool_half
// ASM: pool_half:
// RUN: pool-compile %s -o - --emit=llvm --target=x86_64-linux-gnu --mcpu=haswell --mattr=-fma | FileCheck %s --check-prefix=LLVM
// LLVM: target triple = "x86_64-unknown-linux-gnu"
// LLVM-DAG: define void @pool_half(ptr {{.*}}%arg0, ptr {{.*}}%arg0_shape, ptr {{.*}}%result0, ptr {{.*}}%result0_shape)
// LLVM-DAG: define weak void @pool_check_failed(ptr
// LLVM: attributes #{{.*}}"target-cpu"="haswell"{{.*}}"target-features"="-fma"
// RUN: pool-compile %s -o - --emit=llvm -O0 --runtime-checks=false | FileCheck %s --check-prefix=UNCHECKED --implicit-check-not='must be'
// UNCHECKED: @pool_half

// If no processor is named, the code runs on every processor of the
// architecture.
// RUN: pool-compile %s -o - --emit=asm --target=x86_64-linux-gnu | FileCheck %s --check-prefix=BASELINE --implicit-check-not=ymm
// BASELINE: xmm
// RUN: pool-compile %s -o - --emit=asm --mcpu=native | FileCheck %s --check-prefix=ASM

// Vectors have the size of the processor's registers.
// RUN: pool-compile %s -o - --emit=llvm --entry wide --target=x86_64-linux-gnu --mcpu=x86-64-v3 | FileCheck %s --check-prefix=LANES -D'$LANES=8'
// RUN: pool-compile %s -o - --emit=llvm --entry wide --target=x86_64-linux-gnu --mcpu=x86-64-v4 | FileCheck %s --check-prefix=LANES -D'$LANES=16'
// RUN: pool-compile %s -o - --emit=llvm --entry wide --target=aarch64-linux-gnu --mcpu=neoverse-v1 | FileCheck %s --check-prefix=LANES -D'$LANES=4'
// RUN: pool-compile %s -o - --emit=llvm --entry wide --target=riscv64-linux-gnu --mattr=+v | FileCheck %s --check-prefix=LANES -D'$LANES=4'
// LANES: define void @pool_wide
// LANES: load <[[$LANES]] x float>

// With AVX-512VL, one instruction takes lanes of two vectors, also on a Zen 4.
// RUN: pool-compile %s -o - --emit=asm --entry strided --target=x86_64-linux-gnu --mcpu=znver4 --mattr=+prefer-256-bit | FileCheck %s --check-prefix=SHUFFLES --implicit-check-not=vshuf --implicit-check-not=zmm
// SHUFFLES: vpermt2ps
// A given feature comes last, and so it wins.
// RUN: pool-compile %s -o - --emit=asm --entry strided --target=x86_64-linux-gnu --mcpu=znver4 --mattr=+prefer-256-bit,-fast-variable-crosslane-shuffle | FileCheck %s --check-prefix=UNTUNED
// UNTUNED: vshufps
// Without AVX-512VL there is no such instruction.
// RUN: pool-compile %s -o - --emit=llvm --entry strided --target=x86_64-linux-gnu --mcpu=znver4 --mattr=-avx512vl | FileCheck %s --check-prefix=NO-TUNING
// NO-TUNING: "target-features"="-avx512vl"

// Other machines. On RISC-V, floats are passed in registers, as Linux
// distributions do.
// RUN: pool-compile %s -o %t/arm.o --target=aarch64-linux-gnu
// RUN: llvm-readobj --file-headers %t/arm.o | FileCheck %s --check-prefix=AARCH64
// AARCH64: Type: Relocatable
// AARCH64: Machine: EM_AARCH64
// RUN: pool-compile %s -o %t/riscv.o --target=riscv64-linux-gnu
// RUN: llvm-readobj --file-headers %t/riscv.o | FileCheck %s --check-prefix=RISCV64
// RISCV64: Class: 64-bit
// RISCV64: Machine: EM_RISCV
// RISCV64: EF_RISCV_FLOAT_ABI_DOUBLE
// RUN: pool-compile %s -o - --emit=asm --target=riscv64-linux-gnu --mattr=+v | FileCheck %s --check-prefix=RVV
// RVV: vsetvli

func.func @half(%x: tensor<?x3x8x8xf32>) -> tensor<?x3x4x4xf32> {
  %y = pool.max_pool %x kernel [2, 2] strides [2, 2]
      : tensor<?x3x8x8xf32> -> tensor<?x3x4x4xf32>
  return %y : tensor<?x3x4x4xf32>
}

func.func @"layer/1"(%x: tensor<1x1x4x4xbf16>, %b: i1)
    -> (tensor<1x1x2x2xbf16>, tensor<1x1x2x2xi64>, i1) {
  %y, %i = pool.max_pool %x kernel [2, 2] strides [2, 2]
      : tensor<1x1x4x4xbf16> -> tensor<1x1x2x2xbf16>, tensor<1x1x2x2xi64>
  return %y, %i, %b : tensor<1x1x2x2xbf16>, tensor<1x1x2x2xi64>, i1
}

func.func @wide(%x: tensor<1x3x16x64xf32>) -> tensor<1x3x15x64xf32> {
  %y = pool.max_pool %x kernel [2, 1]
      : tensor<1x3x16x64xf32> -> tensor<1x3x15x64xf32>
  return %y : tensor<1x3x15x64xf32>
}

func.func @strided(%x: tensor<1x8x56x56xf32>) -> tensor<1x8x28x28xf32> {
  %y = pool.max_pool %x kernel [3, 3] strides [2, 2] rounding_type ceil
      : tensor<1x8x56x56xf32> -> tensor<1x8x28x28xf32>
  return %y : tensor<1x8x28x28xf32>
}
