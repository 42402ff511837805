// If a function fails at run time, pool-run must report an error and write no
// output. The next run of a batch must not be affected.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; [np.save(r'%t/%%s.npy' %% n, v) for n, v in dict(big=np.arange(16, dtype='f4').reshape(1, 1, 4, 4), small=np.zeros((1, 1, 4, 1), 'f4'), huge=np.int64(2)**61, large=np.int64(2)**44, minus=np.int64(-1), wraps=np.int64(2)**62, n=3).items()]"

// RUN: not pool-run %s --entry pool --input %t/small.npy --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=CHECK-FAILED
// CHECK-FAILED: pool-run: error: pool.max_pool at loc({{.*}}): dimension 3: the input extent must be at least 2{{.*}}; it is 1
// RUN: not pool-run %s --path=reference --entry pool --input %t/small.npy --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=REFERENCE
// REFERENCE: error: {{.*}}dimension 3
// REFERENCE: pool-run: error: the reference interpreter failed
// RUN: not pool-run %s --entry allocate --input %t/huge.npy --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: pool-run: error: out of memory: compiled code asked for 9223372036854775808 bytes
// RUN: not pool-run %s --entry allocate --input %t/large.npy --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: pool-run: error: out of memory: compiled code asked for 70368744177664 bytes
// RUN: not pool-run %s --entry allocate --input %t/minus.npy --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=MINUS
// MINUS: pool-run: error: memref.alloc at loc({{.+}}): a buffer of type memref<?xf32> would have a negative extent, or more bytes than a 64-bit integer counts
// RUN: not pool-run %s --entry allocate --input %t/wraps.npy --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=WRAPS
// RUN: not pool-run %s --entry filled --input %t/wraps.npy --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=WRAPS
// WRAPS: pool-run: error: memref.alloc at loc({{.+}}): a buffer of type memref<{{.*}}?xf32> would have a negative extent, or more bytes than a 64-bit integer counts
// RUN: not pool-run %s --entry undefined --input %t/n.npy --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=UNDEFINED
// UNDEFINED: pool-run: error: Symbols not found: [ nowhere ]
// RUN: not pool-run %s --entry unknown --input %t/n.npy --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: pool-run-failures.mlir:[[#]]:[[#]]: error:
// UNKNOWN: pool-run: error: lowering failed
// RUN: not pool-run %s --entry indices --input %t/big.npy --output /dev/full %t/y.npy 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not pool-run %s --entry indices --input %t/big.npy --output %t/y.npy %t/none/i.npy 2>&1 | FileCheck %s --check-prefix=NONE
// FULL: pool-run: error: cannot write /dev/full: No space left on device
// NONE: pool-run: error: cannot write {{.*}}i.npy: No such file or directory
// RUN: not ls %t/y.npy

// Without run-time checks, the output has the extent that the arithmetic gives.
// RUN: pool-run %s --runtime-checks=false --entry pool --input %t/small.npy --output %t/unchecked.npy
// RUN: %python -c "import numpy as np; assert np.load(r'%t/unchecked.npy').shape == (1, 1, 2, 0)"

// RUN: cd %t && echo "# a comment, an empty line" > runs.txt
// RUN: cd %t && echo "" >> runs.txt
// RUN: cd %t && echo "pool big.npy -> first.npy" >> runs.txt
// RUN: cd %t && echo "pool small.npy -> y.npy" >> runs.txt
// RUN: cd %t && echo "pool" >> runs.txt
// RUN: cd %t && echo "none big.npy -> y.npy" >> runs.txt
// RUN: cd %t && echo "pool big.npy -> y.npy y.npy" >> runs.txt
// RUN: cd %t && echo "allocate huge.npy -> y.npy" >> runs.txt
// RUN: cd %t && echo "pool 'missing file.npy' -> y.npy" >> runs.txt
// RUN: cd %t && echo "pool big.npy -> 'last one.npy'" >> runs.txt
// RUN: cd %t && not pool-run %s --batch runs.txt 2>&1 | FileCheck %s --check-prefix=BATCH
// RUN: cd %t && not pool-run %s --batch runs.txt -O0 --guard-pages=end 2>&1 | FileCheck %s --check-prefix=BATCH
// BATCH-DAG: pool-run: error: runs.txt:4: pool.max_pool
// BATCH-DAG: pool-run: error: runs.txt:5: expected ENTRY INPUT... -> OUTPUT...
// BATCH-DAG: pool-run: error: runs.txt:6: no public function 'none' with a body; there is 'pool', 'indices', 'allocate'
// BATCH-DAG: pool-run: error: runs.txt:7: 'pool' has 1 result(s), but 2 output file(s) given; '->' precedes one for each result
// BATCH-DAG: pool-run: error: runs.txt:8: out of memory
// BATCH-DAG: pool-run: error: runs.txt:9: missing file.npy: No such file or directory
// RUN: cd %t && %python -c "import numpy as np; assert np.load('first.npy').tolist() == np.load('last one.npy').tolist() == [[[[5, 7], [13, 15]]]]"
// RUN: not ls %t/y.npy

func.func @pool(%x: tensor<1x1x?x?xf32>) -> tensor<1x1x?x?xf32> {
  %y = pool.max_pool %x kernel [2, 2] strides [2, 2]
      : tensor<1x1x?x?xf32> -> tensor<1x1x?x?xf32>
  return %y : tensor<1x1x?x?xf32>
}

func.func @indices(%x: tensor<1x1x?x?xf32>)
    -> (tensor<1x1x?x?xf32>, tensor<1x1x?x?xi64>) {
  %y, %i = pool.max_pool %x kernel [2, 2] strides [2, 2]
      : tensor<1x1x?x?xf32> -> tensor<1x1x?x?xf32>, tensor<1x1x?x?xi64>
  return %y, %i : tensor<1x1x?x?xf32>, tensor<1x1x?x?xi64>
}

func.func @allocate(%n: index) -> tensor<?xf32> {
  %y = tensor.empty(%n) : tensor<?xf32>
  return %y : tensor<?xf32>
}

func.func @filled(%n: index) -> tensor<1x1x?xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<1x1x?xf32>
  %x = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1x?xf32>) -> tensor<1x1x?xf32>
  %y = pool.max_pool %x kernel [2] strides [1152921504606846976] : tensor<1x1x?xf32> -> tensor<1x1x?xf32>
  return %y : tensor<1x1x?xf32>
}

func.func private @nowhere(index) -> f32

func.func @undefined(%n: index) -> f32 {
  %y = call @nowhere(%n) : (index) -> f32
  return %y : f32
}

func.func @unknown(%n: index) -> index {
  %y = gpu.subgroup_id : index
  return %y : index
}
