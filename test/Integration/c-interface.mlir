// A C program calls a library that pool-compile made, through the generated
// header. Inputs/c-interface.c passes every kind of parameter and must get the
// right results, and failed checks must reach its handler.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// UNSUPPORTED: sanitizer

// RUN: rm -rf %t && mkdir %t
// RUN: pool-compile %s -o %t/pool.o --emit-header=%t/pool.h
// RUN: %host_cc -std=c11 -Wall -Wextra -Werror -I %t %S/Inputs/c-interface.c %t/pool.o -lm -o %t/caller
// RUN: %t/caller | FileCheck %s --match-full-lines
// RUN: pool-compile %s -o %t/pool.o --mcpu=native -O0
// RUN: %host_cc -std=c11 -I %t %S/Inputs/c-interface.c %t/pool.o -lm -o %t/caller
// RUN: %t/caller | FileCheck %s --match-full-lines
// The object must not call a function for bf16 that the library of GCC 12
// lacks.
// RUN: pool-compile %s -o - --emit=asm --target=x86_64-linux-gnu --mcpu=x86-64-v3 -O0 | FileCheck %s --check-prefix=BF16 --implicit-check-not=__truncsfbf2
// BF16-LABEL: pool_scalars:

// CHECK: scalars 1.5 -2.25 3c00 3f80 -3 250 -300 60000 -5 4000000000 -7 true false
// CHECK-NEXT: two allocations 2 3: 7 7 7 7 7 7 and 3: 9 9 9
// CHECK-NEXT: point 42
// CHECK-NEXT: halves 3c00 4000 index 1 3
// CHECK-NEXT: bools 1 0 1
// CHECK-NEXT: empty batch 0 1 2 2
// CHECK-NEXT: unsigned 255 200

// By default, a failed check prints the reason and ends the program.
// RUN: not --crash %t/caller window 2>&1 | FileCheck %s --check-prefix=WINDOW
// WINDOW: pool.max_pool at loc({{.*}}): dimension 2: the input extent must be at least 2{{.*}}; it is 1
// RUN: not --crash %t/caller extent 2>&1 | FileCheck %s --check-prefix=EXTENT
// EXTENT: pool_pool: argument 0: the extent of dimension 1 must be 1
// RUN: not --crash %t/caller negative 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: pool_pool: argument 0: the extent of dimension 0 must not be negative
// RUN: not --crash %t/caller memory 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: out of memory

func.func private @same(%x: bf16) -> bf16 {
  return %x : bf16
}

func.func @scalars(%a: f32, %b: f64, %c: f16, %d: bf16, %e: i8, %f: ui8,
                   %g: i16, %h: ui16, %i: i32, %j: ui32, %k: index, %l: i1,
                   %m: i1)
    -> (f32, f64, f16, bf16, i8, ui8, i16, ui16, i32, ui32, index, i1, i1) {
  %n = call @same(%d) : (bf16) -> bf16
  return %a, %b, %c, %n, %e, %f, %g, %h, %i, %j, %k, %l, %m
      : f32, f64, f16, bf16, i8, ui8, i16, ui16, i32, ui32, index, i1, i1
}

func.func @fill(%n: index, %m: index) -> (tensor<?x?xi32>, tensor<?xf64>) {
  %seven = arith.constant 7 : i32
  %nine = arith.constant 9.0 : f64
  %a = tensor.empty(%n, %m) : tensor<?x?xi32>
  %b = tensor.empty(%m) : tensor<?xf64>
  %x = linalg.fill ins(%seven : i32) outs(%a : tensor<?x?xi32>) -> tensor<?x?xi32>
  %y = linalg.fill ins(%nine : f64) outs(%b : tensor<?xf64>) -> tensor<?xf64>
  return %x, %y : tensor<?x?xi32>, tensor<?xf64>
}

func.func @point(%x: tensor<i64>) -> tensor<i64> {
  return %x : tensor<i64>
}

func.func @halves(%x: tensor<1x1x4xf16>) -> (tensor<1x1x2xf16>, tensor<1x1x2xi32>) {
  %y, %i = pool.max_pool %x kernel [2] strides [2]
      : tensor<1x1x4xf16> -> tensor<1x1x2xf16>, tensor<1x1x2xi32>
  return %y, %i : tensor<1x1x2xf16>, tensor<1x1x2xi32>
}

func.func @bools(%x: tensor<?xi1>) -> tensor<?xi1> {
  return %x : tensor<?xi1>
}

func.func @pool(%x: tensor<?x1x?x?xf32>) -> tensor<?x1x?x?xf32> {
  %y = pool.max_pool %x kernel [2, 2] strides [2, 2]
      : tensor<?x1x?x?xf32> -> tensor<?x1x?x?xf32>
  return %y : tensor<?x1x?x?xf32>
}

func.func @unsigned(%x: tensor<1x1x4xui8>) -> tensor<1x1x2xui8> {
  %y = pool.max_pool %x kernel [2] strides [2] : tensor<1x1x4xui8> -> tensor<1x1x2xui8>
  return %y : tensor<1x1x2xui8>
}
