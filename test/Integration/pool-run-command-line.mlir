// The command line of pool-run. It must print its help, and reject wrong or
// ambiguous command lines without writing anything.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-run --help | FileCheck %s --check-prefix=HELP
// HELP: USAGE: pool-run [options] FILE
// HELP: --batch=<RUNS.txt>
// HELP: --guard-pages=<value>
// HELP: EXAMPLE:
// HELP: EXIT CODE:
// HELP-EMPTY:
// HELP-NEXT: 0  all results are written

// Errors in the command line have an exit code of their own, 2.
// RUN: %python -c "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]) != 2)" pool-run %s --repeat 0
// RUN: %python -c "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]) != 1)" pool-run %s --entry none

// pool-run does not accept LLVM's options, except generic ones.
// RUN: pool-run --help-hidden | FileCheck %s --check-prefix=HIDDEN-HELP --implicit-check-not=--mlir --implicit-check-not=vectorize
// HIDDEN-HELP: --print-options
// RUN: %python -c "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]) != 2)" pool-run %s --thinlto-jobs=2
// RUN: not pool-run %s --vectorize-loops=false 2>&1 | FileCheck %s --check-prefix=VECTORIZE
// VECTORIZE: Unknown command line argument '--vectorize-loops=false'

// RUN: not pool-run 2>&1 | FileCheck %s --check-prefix=NO-FILE
// NO-FILE: Not enough positional command line arguments specified
// RUN: not pool-run %s %s 2>&1 | FileCheck %s --check-prefix=TWO-FILES
// TWO-FILES: Too many positional arguments specified
// RUN: not pool-run %s --path vectors 2>&1 | FileCheck %s --check-prefix=PATH
// PATH: for the --path option: unknown value 'vectors'; did you mean 'vector'?
// RUN: not pool-run %s --path=fast 2>&1 | FileCheck %s --check-prefix=FAST
// FAST: for the --path option: unknown value 'fast'; the values are vector, linalg, affine, reference
// RUN: not pool-run %s --guard-pages=both 2>&1 | FileCheck %s --check-prefix=GUARD-VALUE
// GUARD-VALUE: for the --guard-pages option: unknown value 'both'; the values are none, begin, end
// RUN: not pool-run %s --input --output y.npy 2>&1 | FileCheck %s --check-prefix=NO-VALUE
// NO-VALUE: pool-run: error: --input takes a path
// RUN: not pool-run %s --repeat 0 2>&1 | FileCheck %s --check-prefix=REPEAT
// REPEAT: pool-run: error: --repeat takes a number of 1 or more
// RUN: not pool-run %s --threads 0 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not pool-run %s --threads=-1 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not pool-run %s --threads 1025 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: pool-run: error: --threads takes a number from 1 to 1024
// RUN: not pool-run %s --threads two 2>&1 | FileCheck %s --check-prefix=THREADS-NUMBER
// THREADS-NUMBER: for the --threads option: 'two' value invalid for long argument!
// RUN: not pool-run %s --path=reference --threads 2 2>&1 | FileCheck %s --check-prefix=REFERENCE-THREADS
// REFERENCE-THREADS: pool-run: error: --threads has no effect with --path=reference
// RUN: not pool-run %s --guard-pages=end --threads 2 2>&1 | FileCheck %s --check-prefix=GUARD-THREADS
// GUARD-THREADS: pool-run: error: --guard-pages needs one thread: only the calling one is watched
// RUN: not pool-run %s -O4 2>&1 | FileCheck %s --check-prefix=LEVEL
// LEVEL: pool-run: error: -O takes a level from 0 to 3
// RUN: not pool-run %s --batch b --entry two 2>&1 | FileCheck %s --check-prefix=BATCH
// BATCH: pool-run: error: --batch names entries, inputs and outputs itself
// RUN: not pool-run %s --batch b --repeat 3 2>&1 | FileCheck %s --check-prefix=BATCH-REPEAT
// BATCH-REPEAT: pool-run: error: --batch cannot be combined with --repeat
// RUN: not pool-run %s --path=reference --guard-pages=end 2>&1 | FileCheck %s --check-prefix=GUARD
// GUARD: pool-run: error: --guard-pages has no effect with --path=reference
// RUN: not pool-run %s --path=reference --runtime-checks=false 2>&1 | FileCheck %s --check-prefix=CHECKS
// CHECKS: pool-run: error: --runtime-checks=false has no effect with --path=reference
// RUN: not pool-run %s --path=reference -O1 2>&1 | FileCheck %s --check-prefix=REFERENCE-LEVEL
// REFERENCE-LEVEL: pool-run: error: -O has no effect with --path=reference
// RUN: not pool-run %s --path=reference --mcpu=native 2>&1 | FileCheck %s --check-prefix=REFERENCE-CPU
// REFERENCE-CPU: pool-run: error: --mcpu has no effect with --path=reference
// RUN: not pool-run %s --path=reference --mattr=-sse2 2>&1 | FileCheck %s --check-prefix=REFERENCE-FEATURES
// REFERENCE-FEATURES: pool-run: error: --mattr has no effect with --path=reference

// Errors of the module and of the entry function.
// RUN: not pool-run %t.missing 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: pool-run: error: cannot open input file '{{.*}}missing': No such file or directory
// RUN: echo "func.func @f(" | not pool-run - 2>&1 | FileCheck %s --check-prefix=PARSE
// PARSE: <stdin>:1:14: error: expected non-function type
// RUN: echo "" | not pool-run - 2>&1 | FileCheck %s --check-prefix=NO-FUNCTION
// NO-FUNCTION: pool-run: error: the module has no public function with a body
// RUN: not pool-run %s 2>&1 | FileCheck %s --check-prefix=AMBIGUOUS
// AMBIGUOUS: pool-run: error: the module has 4 public functions, name one by --entry: 'one', 'two', 'wide', 'vector'
// RUN: not pool-run %s --entry hidden 2>&1 | FileCheck %s --check-prefix=HIDDEN
// HIDDEN: pool-run: error: no public function 'hidden' with a body; there is 'one', 'two', 'wide', 'vector'
// RUN: not pool-run %s --entry external 2>&1 | FileCheck %s --check-prefix=EXTERNAL
// EXTERNAL: pool-run: error: no public function 'external' with a body

// Arguments and results are checked before the module is compiled.
// RUN: %python -c "import numpy as np; np.save(r'%t.f.npy', np.zeros(3, 'f4')); np.save(r'%t.i.npy', np.int64(1))"
// RUN: rm -f %t.y.npy
// RUN: not pool-run %s --entry one --output %t.y.npy 2>&1 | FileCheck %s --check-prefix=FEW-IN
// FEW-IN: pool-run: error: the function takes 2 argument(s), but 0 given
// RUN: not pool-run %s --entry one --input %t.f.npy %t.i.npy %t.i.npy --output %t.y.npy 2>&1 | FileCheck %s --check-prefix=MANY-IN
// MANY-IN: pool-run: error: the function takes 2 argument(s), but 3 given
// RUN: not pool-run %s --entry one --input %t.f.npy %t.i.npy 2>&1 | FileCheck %s --check-prefix=FEW-OUT
// FEW-OUT: pool-run: error: 'one' has 1 result(s), but 0 output file(s) given
// RUN: not pool-run %s --entry one --input %t.f.npy %t.i.npy --output %t.y.npy --output %t.y2.npy 2>&1 | FileCheck %s --check-prefix=MANY-OUT
// MANY-OUT: pool-run: error: 'one' has 1 result(s), but 2 output file(s) given
// RUN: not pool-run %s --entry one --input %t.i.npy %t.i.npy --output %t.y.npy 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: pool-run: error: argument 0 ({{.*}}.i.npy): expected tensor<3xf32>, which is float32 of rank 1, but given int64 ()
// RUN: not pool-run %s --entry one --input %t.f.npy --input %t.missing.npy --output %t.y.npy 2>&1 | FileCheck %s --check-prefix=NO-INPUT
// NO-INPUT: pool-run: error: {{.*}}.missing.npy: No such file or directory
// RUN: not pool-run %s --entry two --input %t.f.npy --output %t.y.npy %t.y.npy 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: pool-run: error: cannot write {{.*}}.y.npy: it is named twice
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && not pool-run %s --entry two --input %t.f.npy --output new.npy ./new.npy 2>&1 | FileCheck %s --check-prefix=SPELLINGS
// RUN: ls %t.d | count 0
// SPELLINGS: pool-run: error: cannot write ./new.npy: it is named twice
// RUN: not pool-run %s --entry wide --input %t.f.npy --output %t.y.npy 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: pool-run: error: argument 0 of 'wide' has type i128, which no array can be passed as
// RUN: not pool-run %s --entry vector --input %t.f.npy --output %t.y.npy 2>&1 | FileCheck %s --check-prefix=VECTOR
// VECTOR: pool-run: error: result 0 of 'vector' has type vector<3xf32>, which no array can be passed as
// RUN: not ls %t.y.npy

// Every spelling of valid options is accepted.
// RUN: pool-run %s --entry one --input %t.f.npy %t.i.npy --output %t.y.npy
// RUN: pool-run --input=%t.f.npy --input=%t.i.npy --output=%t.y.npy --entry=one %s
// RUN: pool-run --entry one --input=%t.f.npy %t.i.npy %s -output %t.y.npy -O0
// RUN: cat %s | pool-run - --entry one --input %t.f.npy %t.i.npy --output %t.y.npy

func.func @one(%x: tensor<3xf32>, %i: index) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}

func.func @two(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  return %x, %x : tensor<3xf32>, tensor<3xf32>
}

func.func @wide(%x: i128) -> i128 {
  return %x : i128
}

func.func @vector(%x: tensor<3xf32>) -> vector<3xf32> {
  %zero = arith.constant dense<0.0> : vector<3xf32>
  return %zero : vector<3xf32>
}

func.func private @hidden() {
  return
}

func.func private @external()
