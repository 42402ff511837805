// Which operations become parts, and that these are gone in the end.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-to-llvm='path=linalg part-size=70' --mlir-print-ir-before=pool-split-deallocations -o %t 2>&1 | FileCheck %s --check-prefix=PARTS
// RUN: FileCheck %s --input-file=%t --implicit-check-not=@part
// RUN: pool-opt %s --pool-to-llvm=part-size=4096 -o %t.few
// RUN: pool-opt %s --pool-to-llvm=part-size=0 | diff %t.few -
// RUN: not pool-opt %s --pool-lower-in-parts='size=2 pipeline=cse' 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: not pool-opt %s --pool-lower-in-parts='pipeline=no-pass' 2>&1 | FileCheck %s --check-prefix=PARSE

// LEFT:  error: the pipeline leaves a part outside the llvm dialect
// PARSE: error: {{.*}}no-pass

// A part has no results, and takes along what nobody else uses: the window's shape.
// PARTS:       func.func private @part(%{{.*}}: f32, %{{.*}}: !llvm.struct<{{.*}}>, %{{.*}}: !llvm.struct<{{.*}}>)
// PARTS:         %[[W:.*]] = memref.alloc() : memref<5xf32>
// PARTS:         linalg.fill
// PARTS:         linalg.generic {{.*}}ins(%{{.*}}, %[[W]] :
// PARTS:         return

// What is too little stays, and so does what has results, or calls.
// PARTS-LABEL: func.func @loops(
// PARTS:         memref.alloc() : memref<8xf32>
// PARTS-NOT:     memref.alloc
// PARTS:         llvm.call @part(
// PARTS-NOT:     llvm.call
// PARTS:         scf.for
// PARTS:         call @use(
// PARTS-NOT:     llvm.call
// PARTS:         return

// CHECK-LABEL: llvm.func @loops(
// CHECK:         llvm.call @use(
// CHECK:         llvm.return
#id = affine_map<(i, j) -> (i + j)>
#window = affine_map<(i, j) -> (j)>
#out = affine_map<(i, j) -> (i)>
func.func private @use(memref<4xf32>)
func.func @loops(%x: f32, %y: memref<4xf32>, %n: index) {
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
  memref.store %x, %v[%c0] : memref<1xf32, strided<[1], offset: 1>>
  memref.store %x, %a[%n] : memref<8xf32>
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%m = %y) -> memref<4xf32> {
    memref.store %x, %m[%i] : memref<4xf32>
    scf.yield %y : memref<4xf32>
  }
  memref.store %x, %l[%c1] : memref<4xf32>
  func.call @use(%l) : (memref<4xf32>) -> ()
  memref.store %x, %l[%n] : memref<4xf32>
  return
}
