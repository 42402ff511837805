// Errors of pool-compile: each must say what is wrong, and no incomplete file
// may remain.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t && split-file %s %t/in

// Errors in the command line have an exit code of their own.
// RUN: %python -c "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]) != 2)" pool-compile %t/in/good.mlir
// RUN: %python -c "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]) != 1)" pool-compile %t/in/good.mlir -o %t/x.o --entry none
// RUN: not pool-compile %t/in/good.mlir 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: pool-compile: error: nothing to do: -o or --emit-header names a file
// RUN: not pool-compile %t/in/good.mlir --emit=asm --emit-header=%t/x.h 2>&1 | FileCheck %s --check-prefix=NO-OUTPUT
// NO-OUTPUT: pool-compile: error: --emit has no effect without -o
// RUN: not pool-compile %t/in/good.mlir --emit=asm -o - --emit-header=- 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: pool-compile: error: code and header cannot both go to standard output
// RUN: not pool-compile %t/in/good.mlir -o %t/x.o -O4 2>&1 | FileCheck %s --check-prefix=LEVEL
// LEVEL: pool-compile: error: -O takes a level from 0 to 3
// RUN: not pool-compile %t/in/good.mlir -o %t/x.o --emit=exe 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: for the --emit option: unknown value 'exe'; the values are obj, asm, llvm
// RUN: not pool-compile %t/in/good.mlir -o %t/x.o --path=linag 2>&1 | FileCheck %s --check-prefix=PATH
// PATH: for the --path option: unknown value 'linag'; did you mean 'linalg'?
// RUN: not pool-compile %t/in/good.mlir -o %t/x.o --vectorize-loops 2>&1 | FileCheck %s --check-prefix=FOREIGN
// FOREIGN: Unknown command line argument '--vectorize-loops'

// Errors of the target.
// RUN: not pool-compile %t/in/good.mlir -o %t/x.o --target=pdp11 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: pool-compile: error: unknown target 'pdp11'
// RUN: not pool-compile %t/in/good.mlir -o %t/x.o --target=armv7-linux-gnueabihf 2>&1 | FileCheck %s --check-prefix=NARROW
// NARROW: pool-compile: error: target 'armv7-unknown-linux-gnueabihf' has no C programs with 64-bit addresses
// RUN: not pool-compile %t/in/good.mlir -o %t/x.o --target=aarch64-linux-gnu --mcpu=haswell 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: pool-compile: error: unknown cpu 'haswell' for target 'aarch64-unknown-linux-gnu'
// RUN: not pool-compile %t/in/good.mlir -o %t/x.o --target=x86_64-linux-gnu --mattr=+avx2,+avx3 2>&1 | FileCheck %s --check-prefix=FEATURE
// FEATURE: pool-compile: error: unknown feature '+avx3' for target 'x86_64-unknown-linux-gnu': expected +NAME or -NAME, separated by commas
// RUN: not pool-compile %t/in/good.mlir -o %t/x.o --target=riscv64-linux-gnu --mcpu=native 2>&1 | FileCheck %s --check-prefix=NATIVE
// NATIVE: pool-compile: error: cpu 'native' is this machine's, which is none of target 'riscv64-unknown-linux-gnu'
// RUN: not pool-compile %t/in/good.mlir -o %t/x.o --mcpu=native --mattr=+moon 2>&1 | FileCheck %s --check-prefix=NATIVE-FEATURE
// NATIVE-FEATURE: pool-compile: error: unknown feature '+moon' for target

// LLVM knows these names, but would end the process for them. So pool-compile
// must reject them itself.
// RUN: not pool-compile %t/in/good.mlir -o %t/x.o --target=x86_64-linux-gnu --mcpu=pentium4 2>&1 | FileCheck %s --check-prefix=WIDTH
// WIDTH: pool-compile: error: target 'x86_64-unknown-linux-gnu' with cpu 'pentium4' and features '': there is no 64-bit code
// RUN: not pool-compile %t/in/good.mlir -o %t/x.o --target=riscv64-linux-gnu --mattr=+32bit 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: pool-compile: error: {{.*}}: code of 32 and of 64 bits cannot be combined
// RUN: not pool-compile %t/in/good.mlir -o %t/x.o --target=riscv64-linux-gnu --mattr=+zfinx 2>&1 | FileCheck %s --check-prefix=EXTENSIONS
// EXTENSIONS: pool-compile: error: {{.*}}: 'f' and 'zfinx' extensions are incompatible

// Errors of names and types.
// RUN: not pool-compile %t/in/good.mlir -o %t/x.o --entry none 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: pool-compile: error: no public function 'none' with a body; there is 'good'
// RUN: not pool-compile %t/in/good.mlir -o %t/x.o --prefix=1- 2>&1 | FileCheck %s --check-prefix=PREFIX
// PREFIX: pool-compile: error: the prefix '1-' is no identifier of C
// RUN: not pool-compile %t/in/good.mlir -o %t/x.o --prefix= 2>&1 | FileCheck %s --check-prefix=NO-PREFIX
// NO-PREFIX: pool-compile: error: the prefix '' is no identifier of C
// RUN: not pool-compile %t/in/same.mlir -o %t/x.o 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: pool-compile: error: 'a/b' and 'a-b' would both be called 'pool_a_b' in C
// RUN: not pool-compile %t/in/taken.mlir -o %t/x.o 2>&1 | FileCheck %s --check-prefix=TAKEN
// TAKEN: pool-compile: error: 'check_failed' would be called 'pool_check_failed' in C, but that name is taken
// RUN: not pool-compile %t/in/wide.mlir -o %t/x.o 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: pool-compile: error: argument 0 of 'wide' has type i128, which no array can be passed as
// RUN: not pool-compile %t/in/empty.mlir -o %t/x.o 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: pool-compile: error: the module has no public function with a body
// RUN: not pool-compile %t/in/unknown.mlir -o %t/x.o 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: unknown.mlir:2:{{.*}}error:
// UNKNOWN: pool-compile: error: lowering failed
// RUN: not pool-compile %t/missing.mlir -o %t/x.o 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: pool-compile: error: cannot open input file '{{.*}}missing.mlir': No such file or directory

// If the object or the header cannot be written, neither file remains.
// RUN: not pool-compile %t/in/good.mlir -o %t/none/x.o --emit-header=%t/x.h 2>&1 | FileCheck %s --check-prefix=UNWRITABLE
// UNWRITABLE: pool-compile: error: cannot write {{.*}}x.o: No such file or directory
// RUN: not pool-compile %t/in/good.mlir -o %t/x.o --emit-header=%t/none/x.h 2>&1 | FileCheck %s --check-prefix=NO-HEADER
// NO-HEADER: pool-compile: error: cannot write {{.*}}x.h: No such file or directory
// RUN: not pool-compile %t/in/good.mlir -o %t/x.o --emit-header=%t/in/../x.o 2>&1 | FileCheck %s --check-prefix=ONE-FILE
// ONE-FILE: pool-compile: error: cannot write {{.*}}x.o: it is named twice
// RUN: not pool-compile %t/in/good.mlir -o - >/dev/full 2>%t.err
// RUN: FileCheck %s --check-prefix=FULL <%t.err
// FULL: pool-compile: error: cannot write {{.*}}: No space left on device
// RUN: not pool-compile %t/in/good.mlir -o %t/x.o --emit-header=/dev/full 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: ls %t | count 1

//--- good.mlir
func.func @good(%x: f32) -> f32 {
  return %x : f32
}

//--- same.mlir
func.func @"a/b"(%x: f32) -> f32 {
  return %x : f32
}
func.func @"a-b"(%x: f32) -> f32 {
  return %x : f32
}

//--- taken.mlir
func.func @check_failed(%x: f32) -> f32 {
  return %x : f32
}

//--- wide.mlir
func.func @wide(%x: i128) -> i128 {
  return %x : i128
}

//--- empty.mlir
func.func private @hidden() {
  return
}

//--- unknown.mlir
func.func @unknown() -> index {
  %y = gpu.subgroup_id : index
  return %y : index
}
