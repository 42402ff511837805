// The length of vectors in convert-pool-to-vector must follow the machine that
// the options target, mcpu and mattr name, or the option vector-bits. Without
// options, vectors have 512 bits.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The runs give no option, only a number of bits, only a machine, or a machine
// and a number of bits. Then the number overrides the machine's.
// RUN: pool-opt %s --convert-pool-to-vector | FileCheck %s '-D$LANES=16'
// RUN: pool-opt %s --convert-pool-to-vector=vector-bits=256 | FileCheck %s '-D$LANES=8'
// RUN: pool-opt %s --convert-pool-to-vector="target=x86_64-linux-gnu" | FileCheck %s '-D$LANES=4'
// RUN: pool-opt %s --convert-pool-to-vector="target=x86_64-linux-gnu mcpu=x86-64-v3" | FileCheck %s '-D$LANES=8'
// RUN: pool-opt %s --convert-pool-to-vector="target=x86_64-linux-gnu mcpu=x86-64-v4" | FileCheck %s '-D$LANES=16'
// RUN: pool-opt %s --convert-pool-to-vector="target=x86_64-linux-gnu mcpu=x86-64-v4 mattr=-avx512bw" | FileCheck %s '-D$LANES=8'
// RUN: pool-opt %s --convert-pool-to-vector="target=x86_64-linux-gnu mcpu=x86-64-v4 vector-bits=128" | FileCheck %s '-D$LANES=4'
// RUN: pool-opt %s --convert-pool-to-vector="target=aarch64-linux-gnu mcpu=neoverse-v1" | FileCheck %s '-D$LANES=4'
// RUN: pool-opt %s --convert-pool-to-vector="target=riscv64-linux-gnu mattr=+v,+zvl256b" | FileCheck %s '-D$LANES=8'
// RUN: pool-opt %s --convert-pool-to-vector="mcpu=native" | FileCheck %s --check-prefix=NATIVE

// RUN: not pool-opt %s --convert-pool-to-vector=target=pdp11 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: target=pdp11: unknown target 'pdp11'
// RUN: not pool-opt %s --convert-pool-to-vector="target=aarch64-linux-gnu mcpu=haswell" 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: target=aarch64-linux-gnu mcpu=haswell: unknown cpu 'haswell' for target 'aarch64-unknown-linux-gnu'
// RUN: not pool-opt %s --convert-pool-to-vector="target=x86_64-linux-gnu mattr=+avx2,+avx3" 2>&1 | FileCheck %s --check-prefix=FEATURE
// FEATURE: error: target=x86_64-linux-gnu mattr=+avx2,+avx3: unknown feature '+avx3'
// RUN: not pool-opt %s --convert-pool-to-vector="target=riscv64-linux-gnu mcpu=native" 2>&1 | FileCheck %s --check-prefix=FOREIGN
// FOREIGN: error: target=riscv64-linux-gnu mcpu=native: cpu 'native' is this machine's
// RUN: not pool-opt %s --convert-pool-to-vector="target=x86_64-linux-gnu vector-bits=96" 2>&1 | FileCheck %s --check-prefix=BITS
// BITS: error: vector-bits must be a power of two from 64 to 65536, but is 96

// CHECK-LABEL: func.func @rows
// CHECK: vector.load {{.*}}, vector<[[$LANES]]xf32>
// NATIVE-LABEL: func.func @rows
// NATIVE: vector.load
func.func @rows(%x: tensor<1x3x16x64xf32>) -> tensor<1x3x15x64xf32> {
  %y = pool.max_pool %x kernel [2, 1]
     : tensor<1x3x16x64xf32> -> tensor<1x3x15x64xf32>
  return %y : tensor<1x3x15x64xf32>
}
