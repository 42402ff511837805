// pool-lower-gpu-windows lowers windows on buffers by their plans for GPUs. In
// "gpu-subgroup", neighbouring threads reduce a whole plane together, by
// shuffles; in "gpu-output", each thread computes an output.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-lower-gpu-windows --canonicalize --cse | FileCheck %s
// RUN: pool-opt %s --pool-lower-gpu-windows --convert-pool-to-loops --lower-affine --pool-map-to-gpu --canonicalize --cse | FileCheck %s --check-prefix=GPU

// A lane has the elements lane, lane + 2, ... of a plane. Both lanes combine
// their results.
// CHECK-LABEL: func.func @max(
// CHECK-DAG: %[[WIDTH:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[END:.*]] = arith.constant 12 : index
// CHECK: %[[PLANES:.*]] = memref.collapse_shape %{{.*}} {{\[}}[0], [1], [2, 3]] : memref<2x96x3x4xi32> into memref<2x96x12xi32>
// CHECK: scf.parallel (%[[N:.*]], %[[C:.*]]) =
// CHECK: %[[LANE:.*]] = gpu.lane_id upper_bound 2
// CHECK: %[[MAX:.*]] = scf.for %[[E:[^ ]*]] = %[[LANE]] to %[[END]] step %[[WIDTH]] iter_args(%[[ACC:.*]] = %{{.*}}) -> (i32)
// CHECK: memref.load %[[PLANES]][%[[N]], %[[C]], %[[E]]]
// CHECK: %[[OTHER:.*]], %{{.*}} = gpu.shuffle  xor %[[MAX]], %{{.*}}, %{{.*}} : i32
// CHECK: %[[RESULT:.*]] = arith.maxsi %[[MAX]], %[[OTHER]]
// CHECK: memref.store %[[RESULT]]

// A block has 128 subgroups, so 192 planes need two blocks. The first lane
// stores.
// GPU-LABEL: func.func @max(
// GPU-DAG: %[[TWO:.*]] = arith.constant 2 : index
// GPU-DAG: %[[BLOCK:.*]] = arith.constant 256 : index
// GPU: gpu.launch blocks(%[[B:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %[[TWO]], {{.*}} threads(%[[T:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %[[BLOCK]],
// GPU-DAG: %[[SUBGROUP:.*]] = arith.divui %[[T]], %{{.*}}
// GPU-DAG: %[[FIRST:.*]] = arith.muli %[[B]], %c128
// GPU-DAG: %[[ID:.*]] = arith.addi %[[FIRST]], %[[SUBGROUP]]
// GPU: arith.cmpi ult, %[[ID]], %c192
// GPU: %[[LANE:.*]] = arith.remui %[[T]], %[[TWO]]
// GPU: scf.for %{{.*}} = %[[LANE]] to
// GPU: gpu.shuffle
// GPU: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[LANE]], %c0
// GPU: scf.if %[[IS_FIRST]] {
// GPU-NEXT: memref.store
func.func @max(%x: memref<2x96x3x4xi32>, %y: memref<2x96x1x1xi32>) {
  pool.window_reduce <max> ins(%x : memref<2x96x3x4xi32>) outs(%y : memref<2x96x1x1xi32>)
    kernel [3, 4] strides [1, 1] dilations [1, 1] pads_begin [0, 0] pads_end [0, 0]
    {pool.plan = #pool.plan<"gpu-subgroup", width = 2>}
  return
}

// Planes with gaps keep their dimensions.
// CHECK-LABEL: func.func @gaps(
// CHECK-DAG: %[[ROW:.*]] = arith.constant 4 : index
// CHECK: scf.for %[[E:[^ ]*]] =
// CHECK: %[[X:.*]] = arith.remui %[[E]], %[[ROW]]
// CHECK: %[[Y:.*]] = arith.divui %[[E]], %[[ROW]]
// CHECK: memref.load %{{.*}}[%{{.*}}, %{{.*}}, %[[Y]], %[[X]]]
func.func @gaps(%x: memref<2x96x3x4xi32, strided<[1920, 20, 5, 1]>>, %y: memref<2x96x1x1xi32>) {
  pool.window_reduce <max> ins(%x : memref<2x96x3x4xi32, strided<[1920, 20, 5, 1]>>) outs(%y : memref<2x96x1x1xi32>)
    kernel [3, 4] strides [1, 1] dilations [1, 1] pads_begin [0, 0] pads_end [0, 0]
    {pool.plan = #pool.plan<"gpu-subgroup", width = 2>}
  return
}

// A shuffle moves 32 bits: narrower numbers are extended, and wider ones are
// moved in parts.
// CHECK-LABEL: func.func @f16(
// CHECK: arith.bitcast %{{.*}} : f16 to i16
// CHECK: arith.extui %{{.*}} : i16 to i32
// CHECK: gpu.shuffle  xor %{{.*}} : i32
// CHECK: arith.trunci %{{.*}} : i32 to i16
// CHECK: arith.bitcast %{{.*}} : i16 to f16
func.func @f16(%x: memref<2x3x40xf16>, %y: memref<2x3x1xf16>) {
  pool.window_reduce <max> ins(%x : memref<2x3x40xf16>) outs(%y : memref<2x3x1xf16>)
    kernel [40] strides [1] dilations [1] pads_begin [0] pads_end [0]
    {pool.plan = #pool.plan<"gpu-subgroup", width = 2>}
  return
}

// CHECK-LABEL: func.func @f64(
// CHECK-COUNT-2: gpu.shuffle  xor
// CHECK-NOT: gpu.shuffle
func.func @f64(%x: memref<2x3x40xf64>, %y: memref<2x3x1xf64>) {
  pool.window_reduce <sum> ins(%x : memref<2x3x40xf64>) outs(%y : memref<2x3x1xf64>)
    kernel [40] strides [1] dilations [1] pads_begin [0] pads_end [0]
    {pool.plan = #pool.plan<"gpu-subgroup", width = 2>}
  return
}

// With clamped coordinates, a loop goes over all taps. Without, it ends with the
// input.
// CHECK-LABEL: func.func @clamped(
// CHECK: scf.parallel
// CHECK: scf.for %[[TAP:[^ ]*]] = %c0 to %c3 step %c1
// CHECK: %[[AT:.*]] = affine.apply
// CHECK: %[[LEAST:.*]] = arith.maxsi %[[AT]], %c0
// CHECK: %[[INSIDE:.*]] = arith.minsi %[[LEAST]], %c7
// CHECK: memref.load %{{.*}}[%{{.*}}, %{{.*}}, %[[INSIDE]]]
// CHECK: scf.parallel
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{[^c].*}} step
// CHECK-NOT: arith.minsi
// CHECK: return
func.func @clamped(%x: memref<2x96x8xi32>, %y: memref<2x96x8xi32>) {
  pool.window_reduce <max> ins(%x : memref<2x96x8xi32>) outs(%y : memref<2x96x8xi32>)
    kernel [3] strides [1] dilations [1] pads_begin [1] pads_end [1]
    {pool.plan = #pool.plan<"gpu-output", clamp = true>}
  pool.window_reduce <max> ins(%x : memref<2x96x8xi32>) outs(%y : memref<2x96x8xi32>)
    kernel [3] strides [1] dilations [1] pads_begin [1] pads_end [1]
    {pool.plan = #pool.plan<"gpu-output">}
  return
}

// Without a plan, nothing is lowered here.
// CHECK-LABEL: func.func @no_plan(
// CHECK-NEXT: pool.window_reduce
func.func @no_plan(%x: memref<2x96x8xi32>, %y: memref<2x96x6xi32>) {
  pool.window_reduce <max> ins(%x : memref<2x96x8xi32>) outs(%y : memref<2x96x6xi32>)
    kernel [3] strides [1] dilations [1] pads_begin [0] pads_end [0]
  return
}
