// Pooling on uniform quantised types: the verifier must accept these
// operations, and the lowerings to window_reduce must work on the stored
// integers.

// RUN: pool-opt %s --split-input-file | pool-opt --split-input-file | FileCheck %s
// RUN: pool-opt %s --split-input-file --pool-decompose | FileCheck %s --check-prefix=FORM
// RUN: pool-opt %s --split-input-file --canonicalize | FileCheck %s --check-prefix=CANON

!signed = !quant.uniform<i8:f32, 5.000000e-01:3>
// CHECK-LABEL: func @max_pool(
// CHECK:         pool.max_pool %{{.+}} kernel [2] : tensor<1x2x5x!quant.uniform<i8:f32, 5.000000e-01:3>> -> tensor<1x2x4x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<1x2x4xi64>
// FORM-LABEL: func @max_pool(
// FORM-SAME:      %[[X:[^:]+]]: tensor
// FORM:         %[[STORED:.+]] = quant.scast %[[X]] : tensor<1x2x5x!quant.uniform<i8:f32, 5.000000e-01:3>> to tensor<1x2x5xi8>
// FORM:         %[[MAX:.+]]:2 = pool.window_reduce <max> ins(%[[STORED]] : tensor<1x2x5xi8>)
// FORM:         linalg.generic
// FORM:         quant.scast %[[MAX]]#0 : tensor<1x2x4xi8> to tensor<1x2x4x!quant.uniform
func.func @max_pool(%x: tensor<1x2x5x!signed>) -> (tensor<1x2x4x!signed>, tensor<1x2x4xi64>) {
  %0, %1 = pool.max_pool %x kernel [2]
         : tensor<1x2x5x!signed> -> tensor<1x2x4x!signed>, tensor<1x2x4xi64>
  return %0, %1 : tensor<1x2x4x!signed>, tensor<1x2x4xi64>
}

// -----

// Channels may have different scales, because a window has one channel.

!channels = !quant.uniform<i8:f32:1, {5.000000e-01, 2.500000e-01:7}>
// CHECK-LABEL: func @max_pool_per_channel(
// CHECK:         pool.max_pool
// FORM-LABEL: func @max_pool_per_channel(
// FORM:         pool.window_reduce <max> ins(%{{.+}} : tensor<1x2x5xi8>)
func.func @max_pool_per_channel(%x: tensor<1x2x5x!channels>) -> tensor<1x2x4x!channels> {
  %0 = pool.max_pool %x kernel [2] : tensor<1x2x5x!channels> -> tensor<1x2x4x!channels>
  return %0 : tensor<1x2x4x!channels>
}

// -----

// The storage is unsigned, and its range is limited. Padding must lie in this
// range. tensor.dim reads the extent of the stored integers, because these have
// a buffer.

!narrow = !quant.uniform<u8<1:255>:f32, 5.000000e-01:128>
// FORM-LABEL: func @max_pool_unsigned_narrow(
// FORM-SAME:      %[[X:[^:]+]]: tensor
// FORM:         %[[STORED:.+]] = quant.scast %[[X]] : {{.+}} to tensor<1x2x?xi8>
// FORM:         tensor.dim %[[STORED]]
// FORM:         %[[UNSIGNED:.+]] = linalg.generic {{.+}} ins(%[[STORED]] : tensor<1x2x?xi8>) outs(%{{.+}} : tensor<1x2x?xui8>)
// FORM:         %[[MAX:.+]] = pool.window_reduce <max> ins(%[[UNSIGNED]] : tensor<1x2x?xui8>)
// FORM:         %[[STORE:.+]] = linalg.generic {{.+}} ins(%[[MAX]] : tensor<1x2x?xui8>) outs(%{{.+}} : tensor<1x2x?xi8>)
// FORM:           arith.maxui %{{.+}}, %c1_i8
// FORM:         quant.scast %[[STORE]]
func.func @max_pool_unsigned_narrow(%x: tensor<1x2x?x!narrow>) -> tensor<1x2x?x!narrow> {
  %0 = pool.max_pool %x kernel [2] pads_begin [3]
     : tensor<1x2x?x!narrow> -> tensor<1x2x?x!narrow>
  return %0 : tensor<1x2x?x!narrow>
}

// -----

// Input and output have the same parameters. So the operation is an integer
// average with zero points.

!signed = !quant.uniform<i8:f32, 5.000000e-01:3>
// CHECK-LABEL: func @avg_pool(
// FORM-LABEL: func @avg_pool(
// FORM:         pool.window_reduce <sum> ins(%{{.+}} : tensor<1x2x5xi8>) outs(%{{.+}} : tensor<1x2x4xi32>)
// FORM-NOT:     arith.shrsi
// FORM:         quant.scast
func.func @avg_pool(%x: tensor<1x2x5x!signed>) -> tensor<1x2x4x!signed> {
  %0 = pool.avg_pool %x kernel [2] : tensor<1x2x5x!signed> -> tensor<1x2x4x!signed>
  return %0 : tensor<1x2x4x!signed>
}

// -----

// The parameters differ, so a rescaling follows: the factor 0.5 / 0.25 is 2^30
// >> 29.

!from = !quant.uniform<i8:f32, 5.000000e-01:3>
!to = !quant.uniform<i8:f32, 2.500000e-01:-5>
// CHECK-LABEL: func @avg_pool_requantised(
// CHECK:         pool.avg_pool %{{.+}} kernel [2] : tensor<1x2x5x!quant.uniform<i8:f32, 5.000000e-01:3>> -> tensor<1x2x?x!quant.uniform<i8:f32, 2.500000e-01:-5>>
// FORM-LABEL: func @avg_pool_requantised(
// FORM-DAG:     %[[SHIFT:.+]] = arith.constant 29 : i64
// FORM-DAG:     %[[HALF:.+]] = arith.constant 268435456 : i64
// FORM-DAG:     %[[MULTIPLIER:.+]] = arith.constant 1073741824 : i64
// FORM:         %[[PRODUCT:.+]] = arith.muli %{{.+}}, %[[MULTIPLIER]] : i64
// FORM:         %[[ROUNDED:.+]] = arith.addi %[[PRODUCT]], %[[HALF]] : i64
// FORM:         arith.shrsi %[[ROUNDED]], %[[SHIFT]] : i64
// CANON-LABEL: func @avg_pool_requantised(
// CANON:         pool.avg_pool %{{.+}} kernel [2] : tensor<1x2x5x!quant.uniform<i8:f32, 5.000000e-01:3>> -> tensor<1x2x4x!quant.uniform<i8:f32, 2.500000e-01:-5>>
func.func @avg_pool_requantised(%x: tensor<1x2x5x!from>) -> tensor<1x2x?x!to> {
  %0 = pool.avg_pool %x kernel [2] : tensor<1x2x5x!from> -> tensor<1x2x?x!to>
  return %0 : tensor<1x2x?x!to>
}

// -----

// If the parameters change, a window of one element is no identity.

!from = !quant.uniform<i8:f32, 5.000000e-01:3>
!to = !quant.uniform<i8:f32, 2.500000e-01:-5>
// CANON-LABEL: func @avg_pool_of_one(
// CANON:         pool.avg_pool
func.func @avg_pool_of_one(%x: tensor<1x2x5x!from>) -> tensor<1x2x5x!to> {
  %0 = pool.avg_pool %x kernel [1] : tensor<1x2x5x!from> -> tensor<1x2x5x!to>
  return %0 : tensor<1x2x5x!to>
}
