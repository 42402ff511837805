// convert-pool-to-affine must leave an operation if one of its operands is
// neither an affine symbol nor an affine dimension: affine loops could not use
// it. A remark names the operand, and convert-pool-to-loops then lowers the
// operation.

// RUN: pool-opt %s --convert-pool-to-affine --remarks-filter=convert-pool-to-affine \
// RUN:   -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t
// RUN: pool-opt %s --convert-pool-to-affine -o /dev/null 2>&1 | count 0
// RUN: pool-opt %s --convert-pool-to-affine --convert-pool-to-loops \
// RUN:   | FileCheck %s --check-prefix=LOOPS --implicit-check-not=pool.

// LOOPS-COUNT-3: scf.parallel

// CHECK-LABEL: func.func @pad(
// CHECK-NOT:     affine.for
// CHECK:         pool.window_reduce
// CHECK-NOT:     affine.for
func.func @pad(%x: memref<1x3x8xf32>, %y: memref<1x3x8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %pad = arith.subi %n, %i : index
    // REMARK: left-alone.mlir:[[#@LINE+1]]:{{.*}} [Missed] LeftAlone | Category:convert-pool-to-affine | Reason="pads_end[0] is no affine symbol or dimension", Remark="pool.window_reduce left alone"
    pool.window_reduce <sum> ins(%x : memref<1x3x8xf32>)
      outs(%y : memref<1x3x8xf32>) kernel [3] strides [1] dilations [1]
      pads_begin [1] pads_end [%pad]
  }
  return
}

// CHECK-LABEL: func.func @extents(
// CHECK:         scf.for
// CHECK-NEXT:      %[[X:.+]] = func.call
// CHECK-NEXT:      pool.window_reduce
// CHECK-NEXT:      pool.window_reduce
// CHECK-NEXT:    }
func.func private @get() -> memref<1x3x?xf32>
func.func @extents(%y: memref<1x3x8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = func.call @get() : () -> memref<1x3x?xf32>
    // REMARK: left-alone.mlir:[[#@LINE+1]]:{{.*}} Reason="extent 2 of the input is no affine symbol or dimension"
    pool.window_reduce <sum> ins(%x : memref<1x3x?xf32>)
      outs(%y : memref<1x3x8xf32>) kernel [3] strides [1] dilations [1]
      pads_begin [1] pads_end [1]
    // REMARK: left-alone.mlir:[[#@LINE+1]]:{{.*}} Reason="extent 2 of the output is no affine symbol or dimension"
    pool.window_reduce <sum> ins(%y : memref<1x3x8xf32>)
      outs(%x : memref<1x3x?xf32>) kernel [3] strides [1] dilations [1]
      pads_begin [1] pads_end [1]
  }
  return
}

// REMARK-NOT: Missed

// Both operands are affine: %pad is computed outside of all loops, so it is a
// symbol; %p is the variable of an affine loop, so it is a dimension.

// CHECK-LABEL: func.func @symbols(
// CHECK-SAME:    %{{.+}}: memref<1x3x8xf32>, %{{.+}}: memref<1x3x8xf32>, %[[N:.+]]: index
// CHECK:         %[[PAD:.+]] = arith.addi %[[N]], %[[N]]
// CHECK:         scf.for
// CHECK:           affine.for %[[P:.+]] = 0 to 2 {
// CHECK:             affine.for %[[O:.+]] = 0 to 8 {
// CHECK:               affine.for %{{.+}} = max #{{.+}}(%[[O]], %[[P]]) to min #{{.+}}(%[[O]], %[[P]])
// CHECK-NOT:     pool.window_reduce
func.func @symbols(%x: memref<1x3x8xf32>, %y: memref<1x3x8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.addi %n, %n : index
  scf.for %i = %c0 to %n step %c1 {
    affine.for %p = 0 to 2 {
      pool.window_reduce <sum> ins(%x : memref<1x3x8xf32>)
        outs(%y : memref<1x3x8xf32>) kernel [3] strides [1] dilations [1]
        pads_begin [%p] pads_end [%pad]
    }
  }
  return
}
