// Upstream's generate-runtime-verification inserts checks before max_unpool and
// the gradients. They must first compare extents that must agree, and then
// check every index.

// RUN: pool-opt %s --generate-runtime-verification --canonicalize | FileCheck %s
// RUN: %to_minima %s > %t.mlir
// RUN: pool-opt %t.mlir --generate-runtime-verification --canonicalize | FileCheck %t.mlir

// If all extents are known, only the indices are checked.

// CHECK-LABEL: func @max_unpool_static(
// CHECK-SAME:    %[[V:.+]]: tensor<1x2x3xf32>, %[[I:.+]]: tensor<1x2x3xi32>)
// CHECK-DAG:     %[[BOUND:.+]] = arith.constant 9 : index
// CHECK:         %[[LARGEST:.+]] = pool.largest_index %[[I]] : tensor<1x2x3xi32>
// CHECK:         %[[OK:.+]] = arith.cmpi ult, %[[LARGEST]], %[[BOUND]]
// CHECK:         cf.assert %[[OK]], "{{.*}}an index is negative or not below the number of positions of the result's dimensions from axis 2 on
// CHECK:         pool.max_unpool
func.func @max_unpool_static(%v: tensor<1x2x3xf32>, %i: tensor<1x2x3xi32>)
    -> tensor<1x2x9xf32> {
  %0 = pool.max_unpool %v, %i axis 2
     : tensor<1x2x3xf32>, tensor<1x2x3xi32> -> tensor<1x2x9xf32>
  return %0 : tensor<1x2x9xf32>
}

// With an empty batch there may be no indices at all. Then none of them is too
// large.

// CHECK-LABEL: func @max_unpool_dynamic(
// CHECK:         cf.assert %{{.+}}, "{{.*}}dimension 0: the extent of the result must be at least 0
// CHECK:         cf.assert %{{.+}}, "{{.*}}dimension 1: the extent of the values must be at least 1
// CHECK:         cf.assert %{{.+}}, "{{.*}}dimension 2: the extent of the result must be at least 1
// CHECK:         cf.assert %{{.+}}, "{{.*}}dimension 0: values and indices have different extents
// CHECK:         cf.assert %{{.+}}, "{{.*}}dimension 0: values and result have different extents before the axis
// CHECK:         cf.assert %{{.+}}, "{{.*}}dimension 1: values and result have different extents before the axis
// CHECK:         cf.assert %{{.+}}, "{{.*}}the result has more bytes than a 64-bit integer counts
// CHECK:         cf.assert %{{.+}}, "{{.*}}indices of type i32 cannot name more than 2147483648 positions of the dimensions from axis 2 on
// CHECK:         %[[IN:.+]] = arith.cmpi ult
// CHECK:         %[[OK:.+]] = arith.ori %[[IN]], %{{.+}}
// CHECK:         cf.assert %[[OK]], "{{.*}}an index is negative
func.func @max_unpool_dynamic(%v: tensor<?x?x?xf32>, %i: tensor<?x?x?xi32>,
                              %n: index, %w: index) -> tensor<?x2x?xf32> {
  %0 = pool.max_unpool %v, %i extents(%n, %w) axis 2
     : tensor<?x?x?xf32>, tensor<?x?x?xi32> -> tensor<?x2x?xf32>
  return %0 : tensor<?x2x?xf32>
}

// A product of extents may wrap around, so a division checks it.

// CHECK-LABEL: func @max_unpool_i64_bound(
// CHECK-SAME:    %{{.+}}: tensor<1x2x3xi8>, %{{.+}}: tensor<1x2x3xi64>, %[[C:.+]]: index, %[[W:.+]]: index)
// CHECK-DAG:     %[[ONE:.+]] = arith.constant 1 : index
// CHECK-DAG:     %[[LIMIT:.+]] = arith.constant 9223372036854775807 : index
// CHECK:         %[[FIRST:.+]] = arith.cmpi ule, %[[C]], %[[LIMIT]]
// CHECK:         %[[DIVISOR:.+]] = arith.maxui %[[C]], %[[ONE]]
// CHECK:         %[[ROOM:.+]] = arith.divui %[[LIMIT]], %[[DIVISOR]]
// CHECK:         %[[SECOND:.+]] = arith.cmpi ule, %[[W]], %[[ROOM]]
// CHECK:         %[[FITS:.+]] = arith.andi %[[FIRST]], %[[SECOND]]
// CHECK:         cf.assert %[[FITS]], "{{.*}}more bytes
// CHECK-NOT:     i32 cannot name
func.func @max_unpool_i64_bound(%v: tensor<1x2x3xi8>, %i: tensor<1x2x3xi64>,
                                %c: index, %w: index) -> tensor<1x?x?xi8> {
  %0 = pool.max_unpool %v, %i extents(%c, %w)
     : tensor<1x2x3xi8>, tensor<1x2x3xi64> -> tensor<1x?x?xi8>
  return %0 : tensor<1x?x?xi8>
}

// All extents are known, and there are no indices, so no check is needed.

// CHECK-LABEL: func @max_pool_grad_static(
// CHECK-NOT:     cf.assert
// CHECK:         pool.max_pool_grad
func.func @max_pool_grad_static(%x: tensor<1x2x3xf32>, %g: tensor<1x2x2xf32>)
    -> tensor<1x2x3xf32> {
  %0 = pool.max_pool_grad %x, %g kernel [2]
     : tensor<1x2x3xf32>, tensor<1x2x2xf32> -> tensor<1x2x3xf32>
  return %0 : tensor<1x2x3xf32>
}

// CHECK-LABEL: func @max_pool_grad_dynamic(
// CHECK:         cf.assert %{{.+}}, "{{.*}}dimension 2: the input extent must be at least 2
// CHECK:         cf.assert %{{.+}}, "{{.*}}dimension 0: the gradient of the output has not the extent that the rule gives
// CHECK:         cf.assert %{{.+}}, "{{.*}}dimension 2: the gradient of the output has not the extent that the rule gives
// CHECK:         cf.assert %{{.+}}, "{{.*}}dimension 2: indices and gradient of the output have different extents
// CHECK:         cf.assert %{{.+}}, "{{.*}}indices of type i32 cannot name more than 2147483648 positions of the dimensions from axis 0 on
// CHECK:         cf.assert %{{.+}}, "{{.*}}an index is negative or not below the number of positions of the input's dimensions from axis 0 on
// CHECK:         pool.max_pool_grad
func.func @max_pool_grad_dynamic(%x: tensor<1x2x?xf32>, %g: tensor<?x2x?xf32>,
                                 %i: tensor<1x2x?xi32>) -> tensor<1x2x?xf32> {
  %0 = pool.max_pool_grad %x, %g, %i kernel [2]
     : tensor<1x2x?xf32>, tensor<?x2x?xf32>, tensor<1x2x?xi32>
     -> tensor<1x2x?xf32>
  return %0 : tensor<1x2x?xf32>
}

// CHECK-LABEL: func @avg_pool_grad_dynamic(
// CHECK:         cf.assert %{{.+}}, "{{.*}}dimension 0: the extent of the result must be at least 0
// CHECK:         cf.assert %{{.+}}, "{{.*}}dimension 1: the channel extent must be at least 1
// CHECK:         cf.assert %{{.+}}, "{{.*}}dimension 2: the input extent must be at least 2
// CHECK:         cf.assert %{{.+}}, "{{.*}}the result has more bytes than a 64-bit integer counts
// CHECK:         cf.assert %{{.+}}, "{{.*}}dimension 0: the gradient of the output has not the extent that the rule gives
// CHECK:         cf.assert %{{.+}}, "{{.*}}dimension 1: the gradient
// CHECK:         cf.assert %{{.+}}, "{{.*}}dimension 2: the gradient
// CHECK:         pool.avg_pool_grad
func.func @avg_pool_grad_dynamic(%g: tensor<1x2x4xf32>, %n: index, %c: index,
                                 %w: index) -> tensor<?x?x?xf32> {
  %0 = pool.avg_pool_grad %g extents(%n, %c, %w) kernel [2]
     : tensor<1x2x4xf32> -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}
