// pool-to-llvm must lower for this machine by default, for the machine that the
// options target and mcpu name, or for vector registers of a given size.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-to-llvm | FileCheck %s --check-prefix=HOST
// RUN: pool-opt %s --pool-to-llvm -o %t.host
// RUN: pool-opt %s --pool-to-llvm=mcpu=native -o %t.native
// RUN: cmp %t.host %t.native
// RUN: pool-opt %s --pool-to-llvm=vector-bits=256 | FileCheck %s '-D$LANES=8'
// RUN: pool-opt %s --pool-to-llvm="target=x86_64-linux-gnu mcpu=x86-64-v3" | FileCheck %s '-D$LANES=8'
// RUN: pool-opt %s --pool-to-llvm="target=x86_64-linux-gnu mcpu=x86-64-v4" | FileCheck %s '-D$LANES=16'
// RUN: pool-opt %s --pool-to-llvm="target=x86_64-linux-gnu mcpu=x86-64-v4 vector-bits=256" | FileCheck %s '-D$LANES=8'
// RUN: pool-opt %s --pool-to-llvm="target=aarch64-linux-gnu" | FileCheck %s '-D$LANES=4'

// RUN: not pool-opt %s --pool-to-llvm="target=pdp11" 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: target=pdp11: unknown target 'pdp11'
// RUN: not pool-opt %s --pool-to-llvm="mcpu=moon" 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: mcpu=moon: unknown cpu 'moon' for target
// RUN: not pool-opt %s --pool-to-llvm="target=x86_64-linux-gnu mcpu=sapphire-rapids" 2>&1 | FileCheck %s --check-prefix=NEAR-CPU
// NEAR-CPU: error: target=x86_64-linux-gnu mcpu=sapphire-rapids: unknown cpu 'sapphire-rapids' for target 'x86_64-unknown-linux-gnu'; did you mean 'sapphirerapids'?
// RUN: not pool-opt %s --pool-to-llvm="mattr=+moon" 2>&1 | FileCheck %s --check-prefix=FEATURE
// FEATURE: error: {{.*}}mattr=+moon: unknown feature '+moon' for target
// RUN: not pool-opt %s --pool-to-llvm="vector-bits=-64" 2>&1 | FileCheck %s --check-prefix=BITS
// BITS: error: vector-bits must be a power of two from 64 to 65536, but is -64

// HOST-LABEL: llvm.func @rows
// HOST: llvm.load {{.*}} -> vector<{{4|8|16}}xf32>
// CHECK-LABEL: llvm.func @rows
// CHECK: llvm.load {{.*}} -> vector<[[$LANES]]xf32>
func.func @rows(%x: tensor<1x3x16x64xf32>) -> tensor<1x3x15x64xf32> {
  %y = pool.max_pool %x kernel [2, 1]
     : tensor<1x3x16x64xf32> -> tensor<1x3x15x64xf32>
  return %y : tensor<1x3x15x64xf32>
}
