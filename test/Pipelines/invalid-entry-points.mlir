// A function must not have the name of a library function that lowered code
// calls.
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
