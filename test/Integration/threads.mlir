// Code with the option for threads must run on several threads if there is
// enough work, in pool-run and in a C program. Errors must be reported as on
// one thread.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// UNSUPPORTED: sanitizer

// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; x = np.random.default_rng(1).standard_normal((2, 16, 60, 60)).astype('f4'); np.save(r'%t/x.npy', x); np.save(r'%t/small.npy', x[:1, :2, :8, :8]); np.save(r'%t/thin.npy', x[:, :, :, :2])"

// libomp reports each thread that it binds. With enough work, the number of
// threads must be the requested one.
// RUN: env KMP_AFFINITY=verbose,none pool-run %s --entry pool --threads 3 --input %t/x.npy --output %t/y.npy >%t/log 2>&1
// RUN: FileCheck %s --check-prefix=THREE <%t/log
// THREE-COUNT-3: thread {{[0-9]+}} bound
// THREE-NOT: bound
// RUN: env KMP_AFFINITY=verbose,none pool-run %s --entry pool --threads 3 --input %t/small.npy --output %t/y.npy >%t/log 2>&1
// RUN: FileCheck %s --check-prefix=SMALL <%t/log
// SMALL: thread 0 bound
// SMALL-NOT: bound
// RUN: env KMP_AFFINITY=verbose,none pool-run %s --entry pool --input %t/x.npy --output %t/one.npy >%t/log 2>&1
// RUN: not grep bound %t/log
// RUN: pool-run %s --entry pool --threads 2 --input %t/x.npy --output %t/y.npy --repeat 3 | FileCheck %s --check-prefix=CALLS
// CALLS: calls=3
// RUN: cmp %t/one.npy %t/y.npy

// A check before the loops fails, and an assertion inside a loop fails.
// RUN: not pool-run %s --entry pool --threads 2 --input %t/thin.npy --output %t/none.npy 2>&1 | FileCheck %s --check-prefix=WINDOW
// WINDOW: pool-run: error: pool.max_pool at loc({{.*}}): dimension 3: the input extent must be at least 3
// RUN: not pool-run %s --entry finite --threads 2 --input %t/x.npy --output %t/none.npy 2>&1 | FileCheck %s --check-prefix=ASSERT
// ASSERT: pool-run: error: not below 1
// RUN: %python -c "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]) != 1)" pool-run %s --entry finite --threads 2 --input %t/x.npy --output %t/none.npy
// RUN: not ls %t/none.npy

// One process executes runs with and without errors.
// RUN: echo "pool '%t/thin.npy' -> '%t/none.npy'" > %t/runs.txt
// RUN: echo "pool '%t/x.npy' -> '%t/y.npy'" >> %t/runs.txt
// RUN: not pool-run %s --threads 2 --batch %t/runs.txt 2>&1 | FileCheck %s --check-prefix=WINDOW-IN-BATCH
// WINDOW-IN-BATCH: runs.txt:1: pool.max_pool
// RUN: cmp %t/one.npy %t/y.npy

// An object compiled with threads: the environment of the program sets the
// number of OpenMP threads.
// RUN: pool-compile %s --entry pool --threads=omp -o %t/pool.o --emit-header=%t/pool.h
// RUN: %host_cc -Wall -Werror -I %t %S/Inputs/threads.c %t/pool.o -fopenmp -lm -o %t/caller
// RUN: env KMP_AFFINITY=verbose,none OMP_NUM_THREADS=3 %t/caller >%t/log 2>&1
// RUN: FileCheck %s --check-prefixes=THREE,CALLER <%t/log
// CALLER-DAG: 2 x 16 x 29 x 29: equal

// Without the option, the object must not need OpenMP.
// RUN: pool-compile %s --entry pool -o %t/pool.o
// RUN: llvm-nm %t/pool.o | FileCheck %s --check-prefix=PLAIN --implicit-check-not=kmpc
// PLAIN: pool_pool

func.func @pool(%x: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %y = pool.max_pool %x kernel [3, 3] strides [2, 2]
      : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  return %y : tensor<?x?x?x?xf32>
}

#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
func.func @finite(%x: tensor<2x16x60x60xf32>) -> tensor<2x16x60x60xf32> {
  %e = tensor.empty() : tensor<2x16x60x60xf32>
  %y = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<2x16x60x60xf32>) outs(%e : tensor<2x16x60x60xf32>) {
  ^bb0(%v: f32, %o: f32):
    %one = arith.constant 1.0 : f32
    %ok = arith.cmpf olt, %v, %one : f32
    cf.assert %ok, "not below 1"
    linalg.yield %v : f32
  } -> tensor<2x16x60x60xf32>
  return %y : tensor<2x16x60x60xf32>
}
