// --int-range-optimizations crashes on a bound that is no constant; docs/Internals/upstream/passes.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

func.func @f(%n: index) {
  affine.for %i = 0 to %n {
    "test.use"(%i) : (index) -> ()
  }
  return
}
