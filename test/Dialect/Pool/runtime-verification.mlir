// Run-time checks of facts that dynamic extents hide from the verifier.
// Upstream's generate-runtime-verification, or the option runtime-checks of the
// lowering, inserts them. Each unknown fact must be checked, and no known one.

// RUN: pool-opt %s --generate-runtime-verification --split-input-file | FileCheck %s
// RUN: pool-opt %s --convert-pool-to-linalg=runtime-checks --split-input-file | FileCheck %s --check-prefixes=CHECK,LOWERED
// RUN: pool-opt %s --convert-pool-to-linalg --split-input-file | FileCheck %s --check-prefix=NONE
// RUN: %to_minima %s > %t.mlir
// RUN: pool-opt %t.mlir --generate-runtime-verification --split-input-file | FileCheck %t.mlir

// NONE-NOT: cf.assert

// Window.C7 and Window.C8 are checked for the dynamic channels, and for the
// dynamic rows: at least 5 - 1 are needed. The batch may have any extent, and
// the columns are known.

// CHECK-LABEL:  func @max_pool_extents(
// CHECK-SAME:     %[[X:.+]]: tensor<?x?x?x8xf32>)
// CHECK-DAG:      %[[D1:.+]] = arith.constant 1 : index
// CHECK-DAG:      %[[C:.+]] = tensor.dim %[[X]], %[[D1]]
// CHECK-DAG:      %[[D2:.+]] = arith.constant 2 : index
// CHECK-DAG:      %[[H:.+]] = tensor.dim %[[X]], %[[D2]]
// CHECK:          %[[ONE:.+]] = arith.constant 1 : index
// CHECK:          %[[HAS_C:.+]] = arith.cmpi sge, %[[C]], %[[ONE]]
// CHECK:          cf.assert %[[HAS_C]], "{{.*}}dimension 1: the channel extent must be at least 1
// CHECK:          %[[FOUR:.+]] = arith.constant 4 : index
// CHECK:          %[[HAS_H:.+]] = arith.cmpi sge, %[[H]], %[[FOUR]]
// CHECK:          cf.assert %[[HAS_H]], "{{.*}}dimension 2: the input extent must be at least 4: the window covers 5 = (3 - 1) * 2 + 1 elements, the pads are 1 and 0
// CHECK-NOT:      cf.assert
func.func @max_pool_extents(%x: tensor<?x?x?x8xf32>) -> tensor<?x?x?x7xf32> {
  %0 = pool.max_pool %x kernel [3, 2] strides [2, 1] dilations [2, 1]
         pads_begin [1, 0] : tensor<?x?x?x8xf32> -> tensor<?x?x?x7xf32>
  return %0 : tensor<?x?x?x7xf32>
}

// -----

// The lowering's messages name the operation and its location.

// CHECK-LABEL:  func @avg_pool_extents(
// CHECK:          cf.assert
// LOWERED-SAME:     "pool.avg_pool at loc(\22reduction\22): dimension 2: the channel extent must be at least 1"
// CHECK:          cf.assert
// LOWERED-SAME:     "pool.avg_pool at loc(\22reduction\22): dimension 1: the input extent must be at least 3: the window covers 3 = (3 - 1) * 1 + 1 elements, the pads are 0 and 0"
// CHECK-NOT:      cf.assert
func.func @avg_pool_extents(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = pool.avg_pool %x kernel [3] layout channels_last
     : tensor<?x?x?xf32> -> tensor<?x?x?xf32> loc("reduction")
  return %0 : tensor<?x?x?xf32>
}

// -----

// The smallest valid extent. Pads that auto_pad ignores do not reduce it. If
// the pads cover a window, or auto_pad computes them, one element is enough.
// ceil_torch accepts windows that exceed the padded input by less than a
// stride.

// CHECK-LABEL:  func @minimum_extent(
// CHECK:          cf.assert %{{.+}}, "{{.*}}dimension 2: the input extent must be at least 5: the window covers 5 = (5 - 1) * 1 + 1 elements, the pads are 0 and 0
// CHECK:          cf.assert %{{.+}}, "{{.*}}dimension 2: the input extent must be at least 1{{("|\\0A)}}
// CHECK:          cf.assert %{{.+}}, "{{.*}}dimension 2: the input extent must be at least 1{{("|\\0A)}}
// CHECK:          cf.assert %{{.+}}, "{{.*}}dimension 2: the input extent must be at least 3: the window covers 5 = (5 - 1) * 1 + 1 elements, the pads are 0 and 0
func.func @minimum_extent(%x: tensor<1x1x?xf32>)
    -> (tensor<1x1x?xf32>, tensor<1x1x?xf32>, tensor<1x1x?xf32>,
        tensor<1x1x?xf32>) {
  %0 = pool.max_pool %x kernel [5] pads_begin [2] pads_end [2] auto_pad valid
     : tensor<1x1x?xf32> -> tensor<1x1x?xf32>
  %1 = pool.max_pool %x kernel [5] pads_begin [2] pads_end [4]
     : tensor<1x1x?xf32> -> tensor<1x1x?xf32>
  %2 = pool.max_pool %x kernel [5] auto_pad same_upper
     : tensor<1x1x?xf32> -> tensor<1x1x?xf32>
  %3 = pool.max_pool %x kernel [5] strides [3] rounding_type ceil_torch
     : tensor<1x1x?xf32> -> tensor<1x1x?xf32>
  return %0, %1, %2, %3 : tensor<1x1x?xf32>, tensor<1x1x?xf32>,
         tensor<1x1x?xf32>, tensor<1x1x?xf32>
}

// -----

// Window.C10: an upper bound of the extent. It is checked only if a tensor in
// memory could reach it.

// CHECK-LABEL:  func @maximum_extent(
// CHECK:          %[[W:.+]] = tensor.dim
// CHECK:          cf.assert %{{.+}}, "{{.*}}dimension 2: the input extent must be at least 1
// CHECK:          %[[MAX:.+]] = arith.constant 2 : index
// CHECK:          %[[FITS:.+]] = arith.cmpi sle, %[[W]], %[[MAX]]
// CHECK:          cf.assert %[[FITS]], "{{.*}}dimension 2: an input extent above 2 leaves a 64-bit integer
func.func @maximum_extent(%x: tensor<1x1x?xf32>) -> tensor<1x1x?xf32> {
  %0 = pool.max_pool %x kernel [2] strides [4611686018427387904]
         auto_pad same_upper : tensor<1x1x?xf32> -> tensor<1x1x?xf32>
  return %0 : tensor<1x1x?xf32>
}

// -----

// Extremum.C2: i32 indices can name 2^31 positions. There are 8 rows, so the
// check compares the width with a constant, and no product can wrap around.

// CHECK-LABEL:  func @index_bound(
// CHECK-SAME:     %[[X:.+]]: tensor<?x3x8x?xf32>)
// CHECK:          %[[D3:.+]] = arith.constant 3 : index
// CHECK:          %[[W:.+]] = tensor.dim %[[X]], %[[D3]]
// CHECK:          cf.assert %{{.+}}, "{{.*}}dimension 3: the input extent
// CHECK:          %[[LIMIT:.+]] = arith.constant 268435456 : index
// CHECK:          %[[FITS:.+]] = arith.cmpi ule, %[[W]], %[[LIMIT]]
// CHECK:          cf.assert %[[FITS]], "{{.*}}indices of type i32 cannot name more than 2147483648 positions of the dimensions from axis 2 on
// CHECK-NOT:      cf.assert
func.func @index_bound(%x: tensor<?x3x8x?xf32>)
    -> (tensor<?x3x7x?xf32>, tensor<?x3x7x?xi32>) {
  %0, %1 = pool.max_pool %x kernel [2, 2] axis -2
         : tensor<?x3x8x?xf32> -> tensor<?x3x7x?xf32>, tensor<?x3x7x?xi32>
  return %0, %1 : tensor<?x3x7x?xf32>, tensor<?x3x7x?xi32>
}

// -----

// Two extents are unknown. The bound for the second extent depends on the
// first.

// CHECK-LABEL:  func @index_bound_of_two(
// CHECK-DAG:      %[[D2:.+]] = arith.constant 2 : index
// CHECK-DAG:      %[[H:.+]] = tensor.dim %{{.+}}, %[[D2]]
// CHECK-DAG:      %[[D3:.+]] = arith.constant 3 : index
// CHECK-DAG:      %[[W:.+]] = tensor.dim %{{.+}}, %[[D3]]
// CHECK:          %[[H_FITS:.+]] = arith.cmpi ule, %[[H]], %{{.+}}
// CHECK:          %[[LIMIT:.+]] = arith.constant 2147483648 : index
// CHECK:          %[[SAFE:.+]] = arith.maxui %[[H]], %{{.+}}
// CHECK:          %[[ROOM:.+]] = arith.divui %[[LIMIT]], %[[SAFE]]
// CHECK:          %[[W_FITS:.+]] = arith.cmpi ule, %[[W]], %[[ROOM]]
// CHECK:          %[[FITS:.+]] = arith.andi %[[H_FITS]], %[[W_FITS]]
// CHECK:          cf.assert %[[FITS]], "{{.*}}indices of type i32
func.func @index_bound_of_two(%x: tensor<1x3x?x?xf32>)
    -> (tensor<1x3x?x?xf32>, tensor<1x3x?x?xi32>) {
  %0, %1 = pool.max_pool %x kernel [2, 2] axis 2
         : tensor<1x3x?x?xf32> -> tensor<1x3x?x?xf32>, tensor<1x3x?x?xi32>
  return %0, %1 : tensor<1x3x?x?xf32>, tensor<1x3x?x?xi32>
}

// -----

// The check limits the number of bytes that a lowering allocates, with padding,
// at 16 bytes per element. It is inserted if this number could exceed 64 bits
// for a tensor that fits memory.

// CHECK-LABEL:  func @covered(
// CHECK-SAME:     %[[X:.+]]: tensor<1x1x?xf32>)
// CHECK:          %[[W:.+]] = tensor.dim %[[X]]
// CHECK:          %[[BEGIN:.+]] = affine.apply
// CHECK:          %[[END:.+]] = affine.apply
// CHECK:          %[[A:.+]] = arith.addi %[[W]], %[[BEGIN]]
// CHECK:          %[[B:.+]] = arith.addi %[[A]], %[[END]]
// CHECK:          %[[LIMIT:.+]] = arith.constant 576460752303423487 : index
// CHECK:          %[[FITS:.+]] = arith.cmpi ule, %[[B]], %[[LIMIT]]
// CHECK:          cf.assert %[[FITS]], "{{.*}}the input with its padding has more bytes than a 64-bit integer counts
func.func @covered(%x: tensor<1x1x?xf32>) -> tensor<1x1x?xf32> {
  %0 = pool.max_pool %x kernel [2] strides [1099511627776] auto_pad same_upper
     : tensor<1x1x?xf32> -> tensor<1x1x?xf32>
  return %0 : tensor<1x1x?xf32>
}

// -----

// The padding is known, but a large batch may need too many bytes.

// CHECK-LABEL:  func @covered_batch(
// CHECK:          %[[N:.+]] = tensor.dim
// CHECK:          arith.cmpi ule, %[[N]], %{{.+}}
// CHECK:          cf.assert %{{.+}}, "{{.*}}the input with its padding has more bytes
func.func @covered_batch(%x: tensor<?x1x1xf32>) -> tensor<?x1x1xf32> {
  %0 = pool.avg_pool %x kernel [1000] pads_end [999]
     : tensor<?x1x1xf32> -> tensor<?x1x1xf32>
  return %0 : tensor<?x1x1xf32>
}

// -----

// No check is needed: i64 indices can name any position, and the verifier has
// checked the known extents from the axis on. The batch may have any extent,
// even 0.

// CHECK-LABEL:  func @nothing_to_check(
// CHECK-NOT:      cf.assert
func.func @nothing_to_check(%x: tensor<?x3x8x8xf32>)
    -> (tensor<?x3x7x7xi64>, tensor<?x3x7x7xi32>, tensor<?x3x7x7xf32>) {
  %0, %1 = pool.max_pool %x kernel [2, 2]
         : tensor<?x3x8x8xf32> -> tensor<?x3x7x7xf32>, tensor<?x3x7x7xi64>
  %2, %3 = pool.max_pool %x kernel [2, 2] axis 1
         : tensor<?x3x8x8xf32> -> tensor<?x3x7x7xf32>, tensor<?x3x7x7xi32>
  %4 = pool.avg_pool %x kernel [2, 2]
     : tensor<?x3x8x8xf32> -> tensor<?x3x7x7xf32>
  return %1, %3, %4
       : tensor<?x3x7x7xi64>, tensor<?x3x7x7xi32>, tensor<?x3x7x7xf32>
}
