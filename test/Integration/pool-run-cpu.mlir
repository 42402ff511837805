// pool-run --mcpu must compile for the named processor, keep code for each
// processor apart in the cache, and reject features that this machine lacks
// before anything runs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// REQUIRES: avx2
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; np.save('%t/x.npy', np.arange(3072, dtype='f4').reshape(1, 3, 16, 64) % 89)"

// Code with other instructions gives the same results. The cache keeps both
// codes.
// RUN: env POOL_CACHE_DIR=%t/0 pool-run %s --cache --entry f --input %t/x.npy --output %t/0.npy
// RUN: env POOL_CACHE_DIR=%t/0 pool-run %s --cache --entry f --mcpu=native --input %t/x.npy --output %t/1.npy
// RUN: ls %t/0 | grep -c code- | FileCheck %s --check-prefix=ONE
// RUN: env POOL_CACHE_DIR=%t/3 pool-run %s --cache --entry f --mcpu=x86-64-v3 --input %t/x.npy --output %t/3.npy
// RUN: cp -r %t/3 %t/both
// RUN: env POOL_CACHE_DIR=%t/both pool-run %s --cache --entry f --mcpu=x86-64-v3 --mattr=-avx2 --input %t/x.npy --output %t/4.npy
// RUN: ls %t/both | grep -c code- | FileCheck %s --check-prefix=TWO
// RUN: cmp %t/0.npy %t/1.npy
// RUN: cmp %t/0.npy %t/3.npy
// RUN: cmp %t/0.npy %t/4.npy
// ONE: {{^1$}}
// TWO: {{^2$}}

// A file in the cache has a header and an object.
// RUN: %python -c "import glob, sys; data = open(glob.glob('%t/3/code-*')[0], 'rb').read(); sys.stdout.buffer.write(data[data.index(b'\x7fELF'):])" >%t/3.o
// RUN: llvm-objdump -d %t/3.o | FileCheck %s --check-prefix=V3 --implicit-check-not=zmm --implicit-check-not='%%k1' --implicit-check-not=ymm16
// V3: vmaxps {{.*}}%ymm

// A processor without bf16 instructions must not need a rounding function,
// because some systems' libraries lack it.
// RUN: pool-run %s --entry bf16 --mcpu=native --input %t/x.npy --output %t/5.npy
// RUN: pool-run %s --entry bf16 --mcpu=x86-64-v3 --input %t/x.npy --output %t/6.npy
// RUN: cmp %t/5.npy %t/6.npy

// No machine has both of these features. Lowering would fail for this function,
// so the error about features must come before that.
// RUN: not pool-run %s --entry unknown --mattr=+tbm,+avx512fp16 --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=MISSING --implicit-check-not=lowering
// MISSING: pool-run: error: this machine has no {{.*}}, which '+tbm,+avx512fp16' needs
// RUN: not pool-run %s --entry unknown --mcpu=x86-64-v3 --mattr=+tbm,+avx512fp16 --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=CPU-MISSING
// CPU-MISSING: pool-run: error: this machine has no {{.*}}, which cpu 'x86-64-v3' with '+tbm,+avx512fp16' needs
// RUN: not pool-run %s --entry unknown --mcpu=neoverse-v1 --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: pool-run: error: unknown cpu 'neoverse-v1' for target 'x86_64{{[^;]*$}}
// RUN: not pool-run %s --entry unknown --mcpu=zen4 --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=ZEN
// ZEN: pool-run: error: unknown cpu 'zen4' for target 'x86_64{{.*}}'; did you mean 'znver4'?
// RUN: not pool-run %s --entry unknown --mcpu=native --mattr=+moon --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=FEATURE
// FEATURE: pool-run: error: unknown feature '+moon' for target 'x86_64
// RUN: not pool-run %s --entry unknown --mcpu=pentium4 --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=NARROW
// NARROW: pool-run: error: target 'x86_64{{.*}}' with cpu 'pentium4' and features '': there is no 64-bit code

func.func @f(%x: tensor<1x3x16x64xf32>) -> tensor<1x3x15x64xf32> {
  %y = pool.max_pool %x kernel [2, 1]
     : tensor<1x3x16x64xf32> -> tensor<1x3x15x64xf32>
  return %y : tensor<1x3x15x64xf32>
}

func.func @bf16(%x: tensor<1x3x16x64xf32>) -> tensor<1x3x7x31xf32> {
  %e = tensor.empty() : tensor<1x3x16x64xbf16>
  %b = linalg.map { arith.truncf } ins(%x : tensor<1x3x16x64xf32>)
                                   outs(%e : tensor<1x3x16x64xbf16>)
  %y = pool.max_pool %b kernel [3, 3] strides [2, 2]
     {pool.plan = #pool.plan<"direct", lanes = 4>}
     : tensor<1x3x16x64xbf16> -> tensor<1x3x7x31xbf16>
  %f = tensor.empty() : tensor<1x3x7x31xf32>
  %z = linalg.map { arith.extf } ins(%y : tensor<1x3x7x31xbf16>)
                                 outs(%f : tensor<1x3x7x31xf32>)
  return %z : tensor<1x3x7x31xf32>
}

func.func @unknown() -> index {
  %y = gpu.subgroup_id : index
  return %y : index
}
