// Loops of large functions are lowered in functions of their own, which are gone
// in the end.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --split-input-file --pool-outline-parts='least=3 size=1' | FileCheck %s
// RUN: pool-opt %s --split-input-file --pool-outline-parts='least=3 size=128' | FileCheck %s --check-prefix=LARGE
// RUN: pool-opt %s --split-input-file --pool-outline-parts='least=3 size=1 hide=true' | FileCheck %s --check-prefix=HIDE
// RUN: pool-opt %s --split-input-file --pool-outline-parts | FileCheck %s --check-prefix=FEW
// RUN: pool-opt %s --split-input-file --pool-outline-parts='least=3 size=1' --pool-inline-parts | FileCheck %s --check-prefix=FEW
// RUN: pool-opt %s --split-input-file --pool-outline-parts='least=3 size=1 hide=true' --pool-inline-parts | FileCheck %s --check-prefix=FEW
// RUN: pool-opt %s --split-input-file --pool-outline-parts='least=3 size=1' --convert-linalg-to-loops --pool-flatten-control-flow --pool-inline-parts | FileCheck %s --check-prefix=BLOCKS

// FEW-NOT: part
// BLOCKS-NOT: part
// BLOCKS-NOT: call @

// Constants are copied, so are buffers that only give a window's extents; what is
// new stays with its function, and so do views that others use.
// CHECK-LABEL: func.func private @part(
// CHECK-SAME:      %[[X:[^:]*]]: f32, %[[A:[^:]*]]: memref<8xf32>)
// CHECK-SAME:      attributes {pool.part}
// CHECK-NEXT:    linalg.fill ins(%[[X]] : f32) outs(%[[A]] :
// CHECK-NEXT:    return
// CHECK-LABEL: func.func private @part_0(
// CHECK-SAME:      %[[A:[^:]*]]: memref<8xf32>, %{{[^:]*}}: memref<4xf32>)
// CHECK:         %[[W:.*]] = memref.alloc() : memref<5xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[A]], %[[W]] :
// CHECK-LABEL: func.func private @part_1(
// CHECK-SAME:      -> f32
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK:         %[[R:.*]] = scf.for
// CHECK:         return %[[R]] : f32
// CHECK-LABEL: func.func @f(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT:    call @part(%{{.*}}, %[[A]])
// CHECK:         call @part_0(%[[A]], %{{.*}})
// CHECK:         %[[V:.*]] = memref.subview
// CHECK:         %[[R:.*]] = call @part_1(
// CHECK:         call @part_2(%[[R]], %[[V]])
// CHECK:         memref.dealloc %[[A]]

// Two to a part; what is computed from a part's result ends it.
// LARGE-LABEL: func.func private @part(
// LARGE:         linalg.fill
// LARGE:         linalg.generic
// LARGE:         return
// LARGE-LABEL: func.func private @part_0(
// LARGE:         scf.for
// LARGE-LABEL: func.func @f(
// LARGE-COUNT-2: call @part

// HIDE-LABEL:  func.func private @part(f32, memref<8xf32>) attributes {pool.part}
// HIDE:        func.func @f(
// HIDE-COUNT-3: call @part
// HIDE:        module @parts attributes {pool.part} {
// HIDE-COUNT-3: func.func private @part{{.*}} {

// FEW-LABEL:   func.func @f(
// FEW:           linalg.fill
// FEW:           linalg.generic
// FEW:           scf.for
// FEW:           memref.store
// FEW:           return

// BLOCKS-LABEL: func.func @f(
// BLOCKS-COUNT-6: cf.br
// BLOCKS:         memref.dealloc
// BLOCKS:         return
#id = affine_map<(i, j) -> (i + j)>
#window = affine_map<(i, j) -> (j)>
#out = affine_map<(i, j) -> (i)>
func.func @f(%x: f32, %y: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %w = memref.alloc() : memref<5xf32>
  linalg.generic {indexing_maps = [#id, #window, #out], iterator_types = ["parallel", "reduction"]}
      ins(%a, %w : memref<8xf32>, memref<5xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%in: f32, %win: f32, %old: f32):
    %max = arith.maximumf %in, %old : f32
    linalg.yield %max : f32
  }
  %v = memref.subview %y[1] [1] [1] : memref<4xf32> to memref<1xf32, strided<[1], offset: 1>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %x) -> f32 {
    %e = memref.load %a[%i] : memref<8xf32>
    %s = arith.addf %sum, %e : f32
    scf.yield %s : f32
  }
  memref.store %r, %v[%c0] : memref<1xf32, strided<[1], offset: 1>>
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %w : memref<5xf32>
  return
}

// -----

// Tensors are bufferization's, and symbols are those of the module.
// CHECK-NOT:   func.func private @part
// CHECK-LABEL: func.func @tensors(
// HIDE-NOT:    module @parts
func.func private @g()
func.func @tensors(%t: tensor<4xf32>, %c: i1, %x: f32) -> tensor<4xf32> {
  %a = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  scf.if %c {
    func.call @g() : () -> ()
  }
  scf.if %c {
    func.call @g() : () -> ()
  }
  scf.if %c {
    func.call @g() : () -> ()
  }
  return %b : tensor<4xf32>
}
