// pool-to-llvm must reject a function with the name of a library function that
// lowered code calls. Otherwise this code would call the user's function.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-to-llvm="runtime-checks assert-handler=failed" --split-input-file --verify-diagnostics

// expected-error @+1 {{'aligned_alloc' is the name of a C library function that lowered code calls: give this function another name}}
func.func @aligned_alloc(%x: tensor<1x1x?xf32>) -> tensor<1x1x?xf32> {
  %y = pool.max_pool %x kernel [2] : tensor<1x1x?xf32> -> tensor<1x1x?xf32>
  return %y : tensor<1x1x?xf32>
}

// -----

// expected-error @+1 {{'snprintf' is the name of a C library function}}
func.func @snprintf(%x: tensor<1x1x?xf32>) -> tensor<1x1x?xf32> {
  %y = pool.max_pool %x kernel [2] : tensor<1x1x?xf32> -> tensor<1x1x?xf32>
  return %y : tensor<1x1x?xf32>
}

// -----

// expected-error @+1 {{'free' is the name of a C library function}}
func.func private @free(%x: tensor<4xf32>) {
  return
}

// -----

// A declaration of the real function: the lowering would not reuse it.
// expected-error @+1 {{'free' is a C library function that lowered code calls: declare it by llvm.func}}
func.func private @free(!llvm.ptr)

// -----

llvm.func @free(!llvm.ptr)
llvm.func @aligned_alloc(i64, i64) -> !llvm.ptr
func.func @declared(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  return %a : memref<?xf32>
}

// -----

// Functions of libm are reserved if the module calls them.
// expected-error @+1 {{'erff' is the name of a C library function that lowered code calls: give this function another name}}
func.func @erff(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = math.erf %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @f(%x: vector<4xf16>) -> vector<4xf16> {
  %y = math.tan %x : vector<4xf16>
  return %y : vector<4xf16>
}
// expected-error @+1 {{'tanf' is the name of a C library function}}
func.func private @tanf(%x: f32) -> f32 {
  return %x : f32
}

// -----

func.func @f(%x: f64) -> f64 {
  %y = arith.remf %x, %x : f64
  return %y : f64
}
// expected-error @+1 {{'fmod' is a C library function that lowered code calls with the type '(f64, f64) -> f64', but the declaration has '(f32) -> f32': give it the former}}
func.func private @fmod(f32) -> f32

// -----

func.func private @erff(f32) -> f32
func.func @exp(%x: f32) -> f32 {
  %y = math.exp %x : f32
  %z = call @erff(%y) : (f32) -> f32
  %w = math.erf %z : f32
  return %w : f32
}
