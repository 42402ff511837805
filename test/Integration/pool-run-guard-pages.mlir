// pool-run --guard-pages must find accesses outside a buffer, and writes to an
// input, and report them as errors. Other tests rely on this.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %python -c "import numpy as np; [np.save(r'%t.%%s.npy' %% n, v) for n, v in dict(f=np.arange(5, dtype='f4'), b=np.arange(5, dtype='i1'), n=5, before=np.int64(-1), last=4, past=5, far=10**9).items()]"
// RUN: rm -f %t.y.npy
// DEFINE: %{mode} =
// DEFINE: %{entry} =
// DEFINE: %{inputs} =
// DEFINE: %{outputs} = --output %t.y.npy
// DEFINE: %{check} =
// DEFINE: %{trap} = not pool-run %s --guard-pages=%{mode} --entry %{entry} --input %{inputs} %{outputs} 2>&1 | FileCheck %s --check-prefix=%{check}

// REDEFINE: %{entry} = read
// REDEFINE: %{mode} = begin
// REDEFINE: %{inputs} = %t.f.npy %t.before.npy
// REDEFINE: %{check} = READ-BEFORE
// RUN: %{trap}
// READ-BEFORE: pool-run: error: compiled code touched memory outside a buffer: 4 byte(s) before the start of argument 0 of 20 bytes
// REDEFINE: %{mode} = end
// REDEFINE: %{inputs} = %t.f.npy %t.past.npy
// REDEFINE: %{check} = READ-PAST
// RUN: %{trap}
// READ-PAST: pool-run: error: compiled code touched memory outside a buffer: 1 byte(s) past the end of argument 0 of 20 bytes
// REDEFINE: %{inputs} = %t.f.npy %t.far.npy
// REDEFINE: %{check} = READ-FAR
// RUN: %{trap}
// READ-FAR: pool-run: error: compiled code touched memory outside a buffer: at an address far from all buffers

// REDEFINE: %{entry} = write_input
// REDEFINE: %{inputs} = %t.f.npy %t.last.npy
// REDEFINE: %{outputs} =
// REDEFINE: %{check} = WRITE-INPUT
// RUN: %{trap}
// WRITE-INPUT: pool-run: error: compiled code touched memory outside a buffer: wrote to argument 0 of 20 bytes, which is read-only

// On the side without an adjacent page, only writes are found, and only after
// the run.
// REDEFINE: %{entry} = write_static
// REDEFINE: %{inputs} = %t.b.npy %t.past.npy
// REDEFINE: %{outputs} = --output %t.y.npy
// REDEFINE: %{check} = STATIC-PAST
// RUN: %{trap}
// STATIC-PAST: pool-run: error: compiled code touched memory outside a buffer: 1 byte(s) past the end of result 0 of 5 bytes
// REDEFINE: %{mode} = begin
// REDEFINE: %{check} = STATIC-SLACK
// RUN: %{trap}
// STATIC-SLACK: pool-run: error: compiled code touched memory outside a buffer: it wrote beside a result

// REDEFINE: %{entry} = write_dynamic
// REDEFINE: %{inputs} = %t.n.npy %t.before.npy
// REDEFINE: %{check} = DYNAMIC-BEFORE
// RUN: %{trap}
// DYNAMIC-BEFORE: pool-run: error: compiled code touched memory outside a buffer: 1 byte(s) before the start of an intermediate buffer of 5 bytes
// REDEFINE: %{mode} = end
// REDEFINE: %{check} = DYNAMIC-SLACK
// RUN: %{trap}
// DYNAMIC-SLACK: pool-run: error: compiled code touched memory outside a buffer: it wrote beside a result of 5 bytes

// RUN: not ls %t.y.npy

// Accesses inside the buffers are no errors.
// RUN: pool-run %s --guard-pages=begin --entry read --input %t.f.npy %t.last.npy --output %t.y.npy
// RUN: pool-run %s --guard-pages=end --entry read --input %t.f.npy %t.last.npy --output %t.y.npy
// RUN: pool-run %s --guard-pages=end --entry write_static --input %t.b.npy %t.last.npy --output %t.y.npy
// RUN: pool-run %s --guard-pages=begin --entry write_dynamic --input %t.n.npy %t.last.npy --output %t.y.npy
// RUN: %python -c "import numpy as np; assert np.load(r'%t.y.npy').tolist() == [2, 2, 2, 2, 1]"

// After a run that traps, the process continues with the next run of the batch.
// RUN: echo "read %t.f.npy %t.last.npy -> %t.first.npy" > %t.txt
// RUN: echo "read %t.f.npy %t.past.npy -> %t.second.npy" >> %t.txt
// RUN: echo "read %t.f.npy %t.far.npy -> %t.second.npy" >> %t.txt
// RUN: echo "read %t.f.npy %t.last.npy -> %t.third.npy" >> %t.txt
// RUN: rm -f %t.first.npy %t.second.npy %t.third.npy
// RUN: not pool-run %s --guard-pages=end --batch %t.txt 2>&1 | FileCheck %s --check-prefix=BATCH
// BATCH: pool-run: error: {{.*}}.txt:2: compiled code touched memory outside a buffer
// BATCH-NEXT: pool-run: error: {{.*}}.txt:3: compiled code touched memory outside a buffer
// BATCH-NOT: error
// RUN: ls %t.first.npy %t.third.npy
// RUN: not ls %t.second.npy

// Uninitialised memory contains large numbers instead of zeros.
// RUN: pool-run %s --guard-pages=end --entry uninitialised --input %t.n.npy --output %t.y.npy
// RUN: %python -c "import numpy as np; assert (np.load(r'%t.y.npy') > 1e38).all()"

func.func @read(%x: tensor<5xf32>, %i: index) -> f32 {
  %y = tensor.extract %x[%i] : tensor<5xf32>
  return %y : f32
}

func.func @write_input(%x: tensor<5xf32>, %i: index) {
  %buffer = bufferization.to_buffer %x read_only
      : tensor<5xf32> to memref<5xf32>
  %one = arith.constant 1.0 : f32
  memref.store %one, %buffer[%i] : memref<5xf32>
  return
}

func.func @write_static(%x: tensor<5xi8>, %i: index) -> tensor<5xi8> {
  %one = arith.constant 1 : i8
  %y = tensor.insert %one into %x[%i] : tensor<5xi8>
  return %y : tensor<5xi8>
}

func.func @write_dynamic(%n: index, %i: index) -> tensor<?xi8> {
  %one = arith.constant 1 : i8
  %two = arith.constant 2 : i8
  %empty = tensor.empty(%n) : tensor<?xi8>
  %twos = linalg.fill ins(%two : i8) outs(%empty : tensor<?xi8>) -> tensor<?xi8>
  %y = tensor.insert %one into %twos[%i] : tensor<?xi8>
  return %y : tensor<?xi8>
}

func.func @uninitialised(%n: index) -> tensor<?xf32> {
  %empty = tensor.empty(%n) : tensor<?xf32>
  return %empty : tensor<?xf32>
}
