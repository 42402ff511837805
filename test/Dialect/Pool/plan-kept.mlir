// pool-decompose and bufferisation must keep an operation's plan (`pool.plan`),
// so that a pinned plan still decides how convert-pool-to-vector lowers it.

// RUN: pool-opt %s --pool-decompose | FileCheck %s
// RUN: pool-opt %s --pool-decompose --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   | FileCheck %s --check-prefix=BUFFER
// RUN: pool-opt %s --pool-decompose | pool-opt --convert-pool-to-vector | FileCheck %s --check-prefix=LOWERED
// RUN: pool-opt %s --pool-decompose --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   | pool-opt --convert-pool-to-vector | FileCheck %s --check-prefix=LOWERED

// LOWERED-NOT: pool.

// CHECK-LABEL:  func.func @max(
// CHECK:          pool.window_reduce <max> {{.*}} {pool.plan = #pool.plan<"direct", lanes = 8>}
// BUFFER-LABEL: func.func @max(
// BUFFER:         pool.window_reduce <max> ins(%{{.+}} : memref<{{.+}}>) {{.*}} {pool.plan = #pool.plan<"direct", lanes = 8>}
// LOWERED-LABEL: func.func @max(
// LOWERED:        vector.maskedload {{.*}} into vector<8xf32>
func.func @max(%x: tensor<1x4x32x32xf32>) -> tensor<1x4x30x30xf32> {
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"direct", lanes = 8>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return %0 : tensor<1x4x30x30xf32>
}

// The plan moves to the window_reduce. The operations that compute the average
// from its result have no plan.

// CHECK-LABEL:  func.func @average(
// CHECK:          pool.window_reduce <sum> {{.*}} {pool.plan = #pool.plan<"planes", columns = 16, cut = "strips", rows = 2>}
// CHECK-NOT:      pool.plan
// BUFFER-LABEL: func.func @average(
// BUFFER:         pool.window_reduce <sum> {{.*}} {pool.plan = #pool.plan<"planes", columns = 16, cut = "strips", rows = 2>}
// LOWERED-LABEL: func.func @average(
func.func @average(%x: tensor<1x4x32x32xf32>) -> tensor<1x4x30x30xf32> {
  %0 = pool.avg_pool %x kernel [3, 3]
     {pool.plan = #pool.plan<"planes", cut = "strips", columns = 16, rows = 2>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return %0 : tensor<1x4x30x30xf32>
}

// CHECK-LABEL:  func.func @minimum_with_indices(
// CHECK:          pool.window_reduce <min> {{.*}} {pool.plan = #pool.plan<"direct", lanes = 4>}
// BUFFER-LABEL: func.func @minimum_with_indices(
// BUFFER:         pool.window_reduce <min> {{.*}} {pool.plan = #pool.plan<"direct", lanes = 4>}
// LOWERED-LABEL: func.func @minimum_with_indices(
func.func @minimum_with_indices(%x: tensor<?x?x?xi8>) -> (tensor<?x?x?xi8>, tensor<?x?x?xi32>) {
  %0, %1 = pool.min_pool %x kernel [3] {pool.plan = #pool.plan<"direct", lanes = 4>}
     : tensor<?x?x?xi8> -> tensor<?x?x?xi8>, tensor<?x?x?xi32>
  return %0, %1 : tensor<?x?x?xi8>, tensor<?x?x?xi32>
}
