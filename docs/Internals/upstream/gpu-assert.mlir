// --convert-cf-to-llvm puts the message outside the module that names it; docs/Internals/upstream/passes.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

gpu.module @m {
  func.func @f(%c: i1) { cf.assert %c, "x" return }
}
