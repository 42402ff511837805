// Prints and parses the attribute `pool.plan` in text, in generic form and in
// bytecode. The dialect must accept any name as a strategy, because a later
// release may know it.

// RUN: pool-opt %s | FileCheck %s
// RUN: pool-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: pool-opt %s --mlir-print-op-generic | pool-opt | FileCheck %s
// RUN: pool-opt %s --emit-bytecode | pool-opt | FileCheck %s
// RUN: pool-opt %s --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @planes(
// CHECK:         pool.max_pool
// CHECK-SAME:      {pool.plan = #pool.plan<"planes", carry = true, columns = 55, cut = "row", first_column = -1, part_rows = 55, rows = 1>}
// GENERIC:       "pool.max_pool"(%{{.+}}) <{{[{].+[}]}}> {pool.plan = #pool.plan<"planes", carry = true, columns = 55, cut = "row", first_column = -1, part_rows = 55, rows = 1>}
func.func @planes(%x: tensor<1x64x111x111xf32>) -> tensor<1x64x55x55xf32> {
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 2]
     {pool.plan = #pool.plan<"planes", cut = "row", columns = 55, rows = 1,
                             first_column = -1, carry = true, part_rows = 55>}
     : tensor<1x64x111x111xf32> -> tensor<1x64x55x55xf32>
  return %0 : tensor<1x64x55x55xf32>
}

// A plan without parameters, and a plan as a parameter of another.

// CHECK-LABEL: func.func @chain(
// CHECK:         pool.max_pool_grad
// CHECK-SAME:      {pool.plan = #pool.plan<"slices">}
// CHECK:         pool.avg_pool
// CHECK-SAME:      {pool.plan = #pool.plan<"global", code = "loop", fallback = #pool.plan<"planes", columns = 9, cut = "narrow", fallback = #pool.plan<"direct", lanes = 4>, rows = 1>>}
func.func @chain(%x: tensor<?x?x?x?xf32>, %g: tensor<?x?x?x?xf32>, %i: tensor<?x?x?x?xi64>)
    -> (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) {
  %0 = pool.max_pool_grad %x, %g, %i kernel [3, 3] {pool.plan = #pool.plan<"slices">}
     : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?x?x?x?xi64> -> tensor<?x?x?x?xf32>
  %1 = pool.avg_pool %x kernel [3, 3]
     {pool.plan = #pool.plan<"global", code = "loop", fallback =
                  #pool.plan<"planes", cut = "narrow", columns = 9, rows = 1, fallback =
                  #pool.plan<"direct", lanes = 4>>>}
     : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  return %0, %1 : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>
}

// The dialect accepts unknown strategies and parameters: they may come from a
// later release.

// CHECK-LABEL: func.func @unknown(
// CHECK:         pool.max_pool
// CHECK-SAME:      {note = "kept", pool.plan = #pool.plan<"of \22tomorrow\22 \0A", _x9 = -9223372036854775808, big = 9223372036854775807, fallback = #pool.plan<"else">, no = false, s = "a > b", yes = true>}
func.func @unknown(%x: memref<1x4x8xf32>, %y: tensor<1x4x8xf32>, %out: memref<1x4x7xf32>)
    -> tensor<1x4x7xf32> {
  %0 = pool.max_pool %y kernel [2]
     {pool.plan = #pool.plan<"of \22tomorrow\22 \0A", yes = true, no = false, s = "a > b",
                             big = 9223372036854775807, _x9 = -9223372036854775808 : i64,
                             fallback = #pool.plan<"else">>,
      note = "kept"}
     : tensor<1x4x8xf32> -> tensor<1x4x7xf32>
  // CHECK:      pool.window_reduce
  // CHECK-SAME:   {pool.plan = #pool.plan<"far">}
  pool.window_reduce <max> ins(%x : memref<1x4x8xf32>) outs(%out : memref<1x4x7xf32>)
      kernel [2] strides [1] dilations [1] pads_begin [0] pads_end [0]
      layout <channels_first> {pool.plan = #pool.plan<"far">}
  return %0 : tensor<1x4x7xf32>
}

// The attribute may stand on any operation.

// CHECK: module attributes {my.plan = #pool.plan<"planes", rows = 2>}
module attributes {my.plan = #pool.plan<"planes", rows = 2>} {}
