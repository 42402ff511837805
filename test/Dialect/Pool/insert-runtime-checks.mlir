// pool-insert-runtime-checks inserts checks before each operation of the
// dialect, of facts that are known only at run time. The option runtime-checks
// of the conversions must insert the same checks.

// RUN: pool-opt %s --pool-insert-runtime-checks --canonicalize --cse | FileCheck %s --enable-var-scope

// The conversions' option runtime-checks inserts the same checks before all
// other steps. For a gradient, they must also cover the pooling that its
// lowering creates.

// RUN: pool-opt %s --convert-pool-to-vector=runtime-checks > %t.option
// RUN: pool-opt %s --pool-insert-runtime-checks --convert-pool-to-vector > %t.pass
// RUN: diff -u %t.option %t.pass
// RUN: pool-opt %s --pool-insert-runtime-checks --pool-recompute-indices --pool-adaptive-to-window --convert-pool-to-vector > %t.steps
// RUN: diff -u %t.option %t.steps
// RUN: pool-opt %s --convert-pool-to-linalg=runtime-checks > %t.option
// RUN: pool-opt %s --pool-insert-runtime-checks --pool-recompute-indices --pool-adaptive-to-window --convert-pool-to-linalg > %t.steps
// RUN: diff -u %t.option %t.steps

// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME:    %[[X:[^:]+]]: tensor<1x8x?xf32>
// CHECK-DAG:     %[[TWO:.+]] = arith.constant 2 : index
// CHECK-DAG:     %[[EXTENT:.+]] = tensor.dim %[[X]], %[[TWO]]
// CHECK:         %[[FITS:.+]] = arith.cmpi sge, %[[EXTENT]], %[[TWO]]
// CHECK:         cf.assert %[[FITS]], "pool.max_pool at {{.*}}: dimension 2: the input extent must be at least 2
// CHECK-NEXT:    pool.max_pool %[[X]]
func.func @dynamic(%x: tensor<1x8x?xf32>) -> tensor<1x8x?xf32> {
  %0 = pool.max_pool %x kernel [2] : tensor<1x8x?xf32> -> tensor<1x8x?xf32>
  return %0 : tensor<1x8x?xf32>
}

// Here the types show all that must be checked. The verifier has checked it, so
// the pass inserts no check.

// CHECK-LABEL: func.func @fixed(
// CHECK-NEXT:    pool.max_pool
func.func @fixed(%x: tensor<1x8x6xf32>) -> tensor<1x8x5xf32> {
  %0 = pool.max_pool %x kernel [2] : tensor<1x8x6xf32> -> tensor<1x8x5xf32>
  return %0 : tensor<1x8x5xf32>
}

// A check of indices reads their values: it asks for the largest.

// CHECK-LABEL: func.func @indices(
// CHECK:         %[[LARGEST:.+]] = pool.largest_index %{{.+}} : tensor<1x3x5xi64>
// CHECK:         %[[INSIDE:.+]] = arith.cmpi ult, %[[LARGEST]]
// CHECK:         cf.assert %[[INSIDE]], "pool.max_unpool at {{.*}}an index is negative
// CHECK-NEXT:    pool.max_unpool
func.func @indices(%v: tensor<1x3x5xf32>, %i: tensor<1x3x5xi64>)
    -> tensor<1x3x9xf32> {
  %0 = pool.max_unpool %v, %i axis 2
    : tensor<1x3x5xf32>, tensor<1x3x5xi64> -> tensor<1x3x9xf32>
  return %0 : tensor<1x3x9xf32>
}

// CHECK-LABEL: func.func @gradient(
// CHECK:         cf.assert {{.*}}"pool.max_pool_grad at
// CHECK:         pool.max_pool_grad
func.func @gradient(%x: tensor<1x8x?xf32>, %grad: tensor<1x8x?xf32>)
    -> tensor<1x8x?xf32> {
  %0 = pool.max_pool_grad %x, %grad kernel [2] strides [2]
    : tensor<1x8x?xf32>, tensor<1x8x?xf32> -> tensor<1x8x?xf32>
  return %0 : tensor<1x8x?xf32>
}

// CHECK-LABEL: func.func @adaptive(
// CHECK:         cf.assert {{.*}}"pool.adaptive_max_pool at
// CHECK-NEXT:    pool.max_pool
func.func @adaptive(%x: tensor<?x?x13xf32>) -> tensor<?x?x6xf32> {
  %0 = pool.adaptive_max_pool %x output_size [6]
    : tensor<?x?x13xf32> -> tensor<?x?x6xf32>
  return %0 : tensor<?x?x6xf32>
}
