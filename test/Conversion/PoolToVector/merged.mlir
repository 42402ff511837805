// The strategy "merged" of convert-pool-to-vector, for windows of several
// columns. The rows of windows are read as whole vectors. Then the lanes of
// each window must merge into one lane of the results.

// RUN: pool-opt %s --convert-pool-to-vector=vector-bits=256 --canonicalize --cse --split-input-file | FileCheck %s -enable-var-scope
// RUN: pool-opt %s --pool-select-plan=vector-bits=256 --split-input-file | FileCheck %s --check-prefix=PLAN

// A window of eight columns is a vector. Ten windows are two strips of eight,
// the last one moved to the end.

// CHECK-LABEL: func.func @one_vector(
// CHECK:         scf.parallel
// CHECK:           scf.for %[[STRIP:.+]] = %c0 to %c10 step %c8
// CHECK:             %[[FIRST:.+]] = arith.minsi %[[STRIP]], %c2
// CHECK:             %[[ROWS:.+]]:8 = scf.for %{{.+}} = %c0 to %c8 step %c1
// CHECK-COUNT-8:       vector.load %{{.+}} : memref<1x4x32x80xf32>, vector<8xf32>
// CHECK:               scf.yield
// CHECK-NEXT:        }
// CHECK-NOT:         arith.select
// CHECK-NOT:         vector.load
// CHECK-COUNT-14:    vector.shuffle
// CHECK-NOT:         vector.shuffle
// CHECK:             vector.store %{{.+}}, %{{.+}}[%{{.+}}, %{{.+}}, %{{.+}}, %[[FIRST]]]
func.func @one_vector(%x: tensor<1x4x32x80xf32>) -> tensor<1x4x4x10xf32> {
  %0 = pool.max_pool %x kernel [8, 8] strides [8, 8] nan_mode propagate {pool.plan = #pool.plan<"merged">}
     : tensor<1x4x32x80xf32> -> tensor<1x4x4x10xf32>
  return %0 : tensor<1x4x4x10xf32>
}

// -----

// A vector has two windows of four columns. A last shuffle puts the results in
// order.

// PLAN-LABEL:  func.func @several_windows(
// PLAN:          #pool.plan<"merged">
// CHECK-LABEL: func.func @several_windows(
// CHECK-COUNT-4:     vector.load %{{.+}} : memref<1x4x256xf32>, vector<8xf32>
// CHECK-NOT:         vector.load
// CHECK:             vector.shuffle %[[MERGED:.+]], %[[MERGED]] [0, 4, 1, 5, 2, 6, 3, 7]
func.func @several_windows(%x: tensor<1x4x256xf32>) -> tensor<1x4x64xf32> {
  %0 = pool.max_pool %x kernel [4] strides [4] nan_mode propagate
     : tensor<1x4x256xf32> -> tensor<1x4x64xf32>
  return %0 : tensor<1x4x64xf32>
}

// -----

// Windows of five columns: the last vector begins three columns earlier, to end
// with the row. Other lanes than the window's add nothing.

// CHECK-LABEL: func.func @part_of_a_vector(
// CHECK-DAG:     %[[FIRST:.+]] = arith.constant dense<[true, true, true, true, true, false, false, false]>
// CHECK-DAG:     %[[LAST:.+]] = arith.constant dense<[false, false, false, true, true, true, true, true]>
// CHECK-DAG:     %[[NOTHING:.+]] = arith.constant dense<0.000000e+00> : vector<8xf32>
// CHECK:         %[[A:.+]] = vector.load %{{.+}}[%{{.+}}, %{{.+}}, %c0]
// CHECK:         %[[B:.+]] = vector.load %{{.+}}[%{{.+}}, %{{.+}}, %c2]
// CHECK-DAG:     arith.select %[[FIRST]], %{{.+}}, %[[NOTHING]]
// CHECK-DAG:     arith.select %[[LAST]], %{{.+}}, %[[NOTHING]]
// CHECK:         vector.store {{.+}}, vector<2xf32>
func.func @part_of_a_vector(%x: tensor<1x4x10xf32>) -> tensor<1x4x2xf32> {
  %0 = pool.avg_pool %x kernel [5] strides [5] {pool.plan = #pool.plan<"merged">}
     : tensor<1x4x10xf32> -> tensor<1x4x2xf32>
  return %0 : tensor<1x4x2xf32>
}

// -----

// A window of twelve columns is loaded in two parts that overlap. The maximum
// takes four lanes twice.

// CHECK-LABEL: func.func @two_parts(
// CHECK:         vector.load %{{.+}}[%{{.+}}, %{{.+}}, %c0]
// CHECK:         vector.load %{{.+}}[%{{.+}}, %{{.+}}, %c4]
// CHECK-NOT:     arith.select
// CHECK:         return
func.func @two_parts(%x: tensor<1x4x12xf32>) -> tensor<1x4x1xf32> {
  %0 = pool.max_pool %x kernel [12] nan_mode propagate {pool.plan = #pool.plan<"merged">}
     : tensor<1x4x12xf32> -> tensor<1x4x1xf32>
  return %0 : tensor<1x4x1xf32>
}

// -----

// Rows of unknown width with fewer than eight windows have strips of four, two
// or one. Positions of 32 bits are merged with their values.

// CHECK-LABEL: func.func @unknown_width(
// CHECK:         arith.cmpi sge, %{{.+}}, %c8
// CHECK:         scf.if
// CHECK:           scf.for %{{.+}} = %c0 to %{{.+}} step %c8
// CHECK:         } else {
// CHECK:           arith.cmpi sge, %{{.+}}, %c4
// CHECK:           scf.for %{{.+}} = %c0 to %{{.+}} step %c4
// CHECK:           arith.cmpi sge, %{{.+}}, %c2
// CHECK:           scf.for %{{.+}} = %c0 to %{{.+}} step %c2
// CHECK:           scf.for %{{.+}} = %c0 to %{{.+}} step %c1
func.func @unknown_width(%x: tensor<1x4x?xf32>) -> (tensor<1x4x?xf32>, tensor<1x4x?xi64>) {
  %0, %1 = pool.max_pool %x kernel [8] strides [8] axis 2 {pool.plan = #pool.plan<"merged">}
     : tensor<1x4x?xf32> -> tensor<1x4x?xf32>, tensor<1x4x?xi64>
  return %0, %1 : tensor<1x4x?xf32>, tensor<1x4x?xi64>
}

// -----

// Windows of three columns are not chosen.

// PLAN-LABEL: func.func @short_windows(
// PLAN:         #pool.plan<"planes"
func.func @short_windows(%x: tensor<1x4x64x64xf32>) -> tensor<1x4x8x8xf32> {
  %0 = pool.max_pool %x kernel [3, 3] strides [8, 8]
     : tensor<1x4x64x64xf32> -> tensor<1x4x8x8xf32>
  return %0 : tensor<1x4x8x8xf32>
}
