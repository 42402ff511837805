// --inline crashes, without a call to inline; docs/Internals/upstream/passes.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

func.func @f() {
  "foo.op"() ({
    "foo.return"() : () -> ()
  }) : () -> ()
  return
}
