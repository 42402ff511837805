// Parts store to the caller's buffers, however these came to them, and symbols mean
// what they did.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-to-llvm=part-size=1 | mlir-translate --mlir-to-llvmir -o %t.ll
// RUN: llc -O2 -filetype=obj -relocation-model=pic %t.ll -o %t.o
// RUN: %host_cc -std=c11 -Wall -Werror %S/Inputs/lower-in-parts.c %t.o -lm -o %t.exe
// RUN: %t.exe | FileCheck %s
// RUN: pool-opt %s --pool-to-llvm=part-size=0 | mlir-translate --mlir-to-llvmir -o %t.ll
// RUN: llc -O2 -filetype=obj -relocation-model=pic %t.ll -o %t.o
// RUN: %host_cc -std=c11 -Wall -Werror %S/Inputs/lower-in-parts.c %t.o -lm -o %t.exe
// RUN: %t.exe | FileCheck %s

// CHECK:      21.000: 1.000 3.000 3.000 5.000, 7.000 20.086 20.086 148.413
// CHECK-NEXT: 81.000: 7.000 2.000 1.000 2.000, 7.000 7.389 2.718 7.389

// A name that parts have to leave alone.
func.func private @part(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 7.0 : f32
  memref.store %v, %m[%c0] : memref<4xf32>
  return
}
llvm.mlir.global internal @counter(5 : i32) : i32
func.func @user(%x: memref<4xf32>, %y: memref<4xf32>, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  // A buffer that a branch gives, of the caller.
  %b = scf.if %c -> memref<4xf32> {
    scf.yield %x : memref<4xf32>
  } else {
    scf.yield %y : memref<4xf32>
  }
  // Captured by a loop.
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %one, %b[%i] : memref<4xf32>
  }
  // A view.
  %v = memref.subview %x[1] [2] [2] : memref<4xf32> to memref<2xf32, strided<[2], offset: 1>>
  scf.for %i = %c0 to %c2 step %c1 {
    %old = memref.load %v[%i] : memref<2xf32, strided<[2], offset: 1>>
    %s = arith.addf %old, %one : f32
    memref.store %s, %v[%i] : memref<2xf32, strided<[2], offset: 1>>
  }
  // A buffer that a loop carries.
  %l = scf.for %i = %c0 to %c2 step %c1 iter_args(%m = %x) -> memref<4xf32> {
    memref.store %one, %m[%c0] : memref<4xf32>
    scf.yield %y : memref<4xf32>
  }
  linalg.exp ins(%x : memref<4xf32>) outs(%l : memref<4xf32>)
  func.call @part(%y) : (memref<4xf32>) -> ()
  scf.if %c {
    func.call @part(%x) : (memref<4xf32>) -> ()
  }
  %p = llvm.mlir.addressof @counter : !llvm.ptr
  scf.for %i = %c0 to %c2 step %c1 {
    %n = llvm.load %p : !llvm.ptr -> i32
    %m = arith.addi %n, %n : i32
    llvm.store %m, %p : i32, !llvm.ptr
  }
  %n = llvm.load %p : !llvm.ptr -> i32
  %f = arith.sitofp %n : i32 to f32
  %t = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%t : memref<4xf32>)
  linalg.erf ins(%t : memref<4xf32>) outs(%t : memref<4xf32>)
  %e = memref.load %t[%c1] : memref<4xf32>
  %r = arith.addf %e, %f : f32
  return %r : f32
}
