// --one-shot-bufferize=must-infer-memory-space crashes on an argument; docs/Internals/upstream/passes.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
