// pool-strip-quant-types on functions of another dialect than func. They too
// must get the type of the stored integers instead of the quantised type.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-strip-quant-types | FileCheck %s

!q = !quant.uniform<i8:f32, 0.5>

// CHECK: ml_program.func @f(%{{.*}}: tensor<4xi8>) -> tensor<4xi8>
ml_program.func @f(%x: tensor<4x!q>) -> tensor<4x!q> {
  ml_program.return %x : tensor<4x!q>
}
