// pool-run --repeat must print the time of the calls as one line on standard
// output, which scripts read. During a long measurement, standard error shows
// progress. The output has the results of the last call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %python -c "import numpy as np; np.save(r'%t.x.npy', np.arange(16, dtype='f4').reshape(1, 1, 4, 4)); np.save(r'%t.n.npy', np.int64(1_000_000))"
// RUN: pool-run %s --entry fixed --input %t.x.npy --output %t.y.npy --repeat 7 | FileCheck %s --match-full-lines
// CHECK: min_us={{[0-9]+\.[0-9]+}} median_us={{[0-9]+\.[0-9]+}} calls=7
// RUN: %python -c "import numpy as np; assert np.load(r'%t.y.npy').tolist() == [[[[5, 7], [13, 15]]]]"

// Each call allocates a result of dynamic shape, which must be freed before the
// next call.
// RUN: pool-run %s --entry dynamic --input %t.x.npy --output %t.y.npy --repeat 2 --guard-pages=end | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: calls=2
// RUN: %python -c "import numpy as np; assert np.load(r'%t.y.npy').tolist() == [[[[5, 7], [13, 15]]]]"

// RUN: pool-run %s --path reference --entry dynamic --input %t.x.npy --output %t.y.npy --repeat 1 | FileCheck %s --check-prefix=REFERENCE
// REFERENCE: calls=1

// RUN: pool-run %s --entry slow --input %t.n.npy --output %t.y.npy --repeat 1000 >%t.out 2>%t.err
// RUN: FileCheck %s --check-prefix=TIMES <%t.out
// TIMES: calls=1000
// RUN: FileCheck %s --check-prefix=PROGRESS <%t.err
// PROGRESS: pool-run: {{[0-9]+}} of 1000 calls

func.func @fixed(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32> {
  %y = pool.max_pool %x kernel [2, 2] strides [2, 2]
      : tensor<1x1x4x4xf32> -> tensor<1x1x2x2xf32>
  return %y : tensor<1x1x2x2xf32>
}

func.func @dynamic(%x: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %y = pool.max_pool %x kernel [2, 2] strides [2, 2]
      : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  return %y : tensor<?x?x?x?xf32>
}

// A chain of dependent divisions, which no compiler can shorten.
func.func @slow(%n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 1.0 : f64
  %numerator = arith.constant 3.0 : f64
  %y = scf.for %i = %zero to %n step %one iter_args(%x = %start) -> f64 {
    %next = arith.divf %numerator, %x : f64
    scf.yield %next : f64
  }
  return %y : f64
}
