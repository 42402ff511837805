// Upstream's generate-runtime-verification inserts checks before adaptive
// pooling with unknown extents. Each fact that the verifier cannot know must be
// checked; a fact that it knows needs no check.

// RUN: pool-opt %s --generate-runtime-verification | FileCheck %s

// CHECK-LABEL: func @adaptive_avg_pool(
// CHECK-SAME:    %[[X:.+]]: tensor<?x?x?x5xf32>)
// CHECK-DAG:     %[[D1:.+]] = arith.constant 1 : index
// CHECK-DAG:     %[[C:.+]] = tensor.dim %[[X]], %[[D1]]
// CHECK-DAG:     %[[D2:.+]] = arith.constant 2 : index
// CHECK-DAG:     %[[H:.+]] = tensor.dim %[[X]], %[[D2]]
// CHECK:         arith.cmpi sge, %[[C]]
// CHECK:         cf.assert %{{.+}}, "{{.*}}dimension 1: the channel extent must be at least 1
// CHECK:         arith.cmpi sge, %[[H]]
// CHECK:         cf.assert %{{.+}}, "{{.*}}dimension 2: the input extent must be at least 1
// CHECK:         %[[LIMIT:.+]] = arith.constant 3074457345618258602 : index
// CHECK:         arith.cmpi sle, %{{.+}}, %[[LIMIT]]
// CHECK:         cf.assert %{{.+}}, "{{.*}}dimension 2: the product of the input extent and output_size 3 leaves a 64-bit integer above an extent of 3074457345618258602
// CHECK-NOT:     cf.assert
func.func @adaptive_avg_pool(%x: tensor<?x?x?x5xf32>) -> tensor<?x?x3x2xf32> {
  %0 = pool.adaptive_avg_pool %x output_size [3, 2]
     : tensor<?x?x?x5xf32> -> tensor<?x?x3x2xf32>
  return %0 : tensor<?x?x3x2xf32>
}

// Global pooling cannot overflow, so the extent needs no check for that. But
// the number of positions must fit i32 indices.

// CHECK-LABEL: func @adaptive_max_pool_indices(
// CHECK:         cf.assert %{{.+}}, "{{.*}}dimension 2: the input extent must be at least 1
// CHECK:         cf.assert %{{.+}}, "{{.*}}indices of type i32 cannot name more than 2147483648 positions of the dimensions from axis 2 on
// CHECK-NOT:     cf.assert
func.func @adaptive_max_pool_indices(%x: tensor<1x2x?xf32>)
    -> (tensor<1x2x1xf32>, tensor<1x2x1xi32>) {
  %v, %i = pool.adaptive_max_pool %x output_size [1] axis 2
     : tensor<1x2x?xf32> -> tensor<1x2x1xf32>, tensor<1x2x1xi32>
  return %v, %i : tensor<1x2x1xf32>, tensor<1x2x1xi32>
}

// The output may exceed any memory, although no single extent does. So the
// number of its elements is checked.

// CHECK-LABEL: func @adaptive_output_size(
// CHECK:         cf.assert %{{.+}}, "{{.*}}the output has more bytes than a 64-bit integer counts
func.func @adaptive_output_size(%x: tensor<?x1x7xf32>)
    -> tensor<?x1x1073741824xf32> {
  %0 = pool.adaptive_avg_pool %x output_size [1073741824]
     : tensor<?x1x7xf32> -> tensor<?x1x1073741824xf32>
  return %0 : tensor<?x1x1073741824xf32>
}

// All extents are known, so no check is needed.

// CHECK-LABEL: func @static(
// CHECK-NOT:     cf.assert
func.func @static(%x: tensor<1x2x7xf32>)
    -> (tensor<1x2x3xf32>, tensor<1x2x3xi32>) {
  %v, %i = pool.adaptive_max_pool %x output_size [3]
     : tensor<1x2x7xf32> -> tensor<1x2x3xf32>, tensor<1x2x3xi32>
  return %v, %i : tensor<1x2x3xf32>, tensor<1x2x3xi32>
}
