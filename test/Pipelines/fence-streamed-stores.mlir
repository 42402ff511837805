// pool-fence-streamed-stores: functions and threads with non-temporal stores
// must end with a fence, or other threads could read old data. The pipeline
// adds the fence after upstream's deallocation pass, which rejects it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --split-input-file --pass-pipeline='builtin.module(llvm.func(pool-fence-streamed-stores))' | FileCheck %s
// RUN: pool-opt %s --split-input-file --pool-to-llvm=vector-bits=512 | FileCheck %s --check-prefix=WHOLE

// CHECK-LABEL: llvm.func @streamed(
// CHECK:         llvm.cond_br
// CHECK-NOT:     llvm.fence
// CHECK:         llvm.store {{.*}} {nontemporal}
// CHECK-NEXT:    llvm.fence seq_cst
// CHECK-NEXT:    llvm.return
// CHECK:         llvm.fence seq_cst
// CHECK-NEXT:    llvm.return
// CHECK:         llvm.unreachable
// CHECK-NOT:     llvm.fence
llvm.func @streamed(%v: vector<16xf32>, %p: !llvm.ptr, %c: i1, %d: i1) {
  llvm.cond_br %c, ^store, ^rest
^store:
  llvm.store %v, %p {nontemporal} : vector<16xf32>, !llvm.ptr
  llvm.return
^rest:
  llvm.cond_br %d, ^end, ^never
^end:
  llvm.return
^never:
  llvm.unreachable
}

// CHECK-LABEL: llvm.func @cached(
// CHECK-NOT:     llvm.fence
llvm.func @cached(%v: vector<16xf32>, %p: !llvm.ptr) {
  llvm.store %v, %p : vector<16xf32>, !llvm.ptr
  llvm.return
}

// -----

// CHECK-LABEL: llvm.func @threads(
// CHECK:         omp.parallel
// CHECK:           llvm.store {{.*}} {nontemporal}
// CHECK-NEXT:      llvm.fence seq_cst
// CHECK-NEXT:      omp.terminator
// CHECK:         }
// CHECK-NEXT:    llvm.return
llvm.func @threads(%v: vector<16xf32>, %p: !llvm.ptr) {
  omp.parallel {
    llvm.store %v, %p {nontemporal} : vector<16xf32>, !llvm.ptr
    omp.terminator
  }
  llvm.return
}

// -----

// A buffer is allocated and freed between two poolings.

// WHOLE-LABEL: llvm.func @two_pools(
// WHOLE:         nontemporal
// WHOLE:         llvm.fence seq_cst
// WHOLE-NEXT:    llvm.return
func.func @two_pools(%x: tensor<4x64x256x256xf32>) -> tensor<4x64x64x64xf32> {
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2]
     : tensor<4x64x256x256xf32> -> tensor<4x64x128x128xf32>
  %1 = pool.max_pool %0 kernel [2, 2] strides [2, 2]
     : tensor<4x64x128x128xf32> -> tensor<4x64x64x64xf32>
  return %1 : tensor<4x64x64x64xf32>
}
