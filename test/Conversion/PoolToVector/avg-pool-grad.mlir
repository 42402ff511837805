// The gradient of an average is a division, and a sum over windows of what it
// gives where they move by single elements; other strides have loops.

// RUN: pool-opt %s --convert-pool-to-vector="vector-bits=128" --canonicalize --cse --split-input-file | FileCheck %s -enable-var-scope
// RUN: pool-opt %s --convert-pool-to-vector --split-input-file --remarks-filter=convert-pool-to-vector \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Of a reach of three, one is padding in front: the first window of the sum
// begins two elements before the quotients. Its taps are three apart.

// CHECK-LABEL: func.func @flipped(
// CHECK-SAME:    %[[GRAD:.+]]: tensor<1x3x18xf32>)
// CHECK-DAG:     %[[BEGIN:.+]] = arith.constant -2 : index
// CHECK-DAG:     %[[INSIDE:.+]] = arith.constant dense<[false, false, true, true]>
// CHECK-DAG:     %[[DIVISOR:.+]] = arith.constant dense<2.000000e+00> : vector<4xf32>
// CHECK-DAG:     %[[G:.+]] = bufferization.to_buffer %[[GRAD]] read_only
// CHECK:         %[[QUOTIENTS:.+]] = memref.alloc() : memref<1x3x18xf32>
// CHECK:         scf.parallel
// CHECK:           %[[ELEMENTS:.+]] = vector.load %[[G]]
// CHECK:           %[[QUOTIENT:.+]] = arith.divf %[[ELEMENTS]], %[[DIVISOR]]
// CHECK:           vector.store %[[QUOTIENT]], %[[QUOTIENTS]]
// CHECK:         %[[SUMS:.+]] = memref.alloc() : memref<1x3x16xf32>
// CHECK:         scf.parallel
// CHECK:           %[[FIRST:.+]] = vector.maskedload %[[QUOTIENTS]][%{{.+}}, %{{.+}}, %[[BEGIN]]], %[[INSIDE]]
// CHECK:           %[[NEXT:.+]] = vector.load %[[QUOTIENTS]]
// CHECK:           %[[SECOND:.+]] = vector.shuffle %[[FIRST]], %[[NEXT]] [3, 4, 5, 6]
// CHECK:           %[[SUM:.+]] = arith.addf %[[FIRST]], %[[SECOND]]
// CHECK:           vector.store %[[SUM]], %[[SUMS]]
// CHECK:         %[[RESULT:.+]] = bufferization.to_tensor %[[SUMS]] restrict writable
// CHECK:         return %[[RESULT]]
func.func @flipped(%g: tensor<1x3x18xf32>) -> tensor<1x3x16xf32> {
  %0 = pool.avg_pool_grad %g kernel [2] dilations [3] pads_begin [1]
       pads_end [4] divisor kernel : tensor<1x3x18xf32> -> tensor<1x3x16xf32>
  return %0 : tensor<1x3x16xf32>
}

// -----

// Counts that differ are a vector each, computed once. Sums are of f32 and are
// rounded where they are stored.

// CHECK-LABEL: func.func @counted(
// CHECK:         %[[COUNTS:.+]] = linalg.generic
// CHECK:           arith.sitofp %{{.+}} : i64 to f32
// CHECK:         %[[COUNT_BUFFER:.+]] = bufferization.to_buffer %[[COUNTS]] read_only
// CHECK:         scf.parallel
// CHECK:           %[[ELEMENTS:.+]] = arith.extf %{{.+}} : vector<4xf16> to vector<4xf32>
// CHECK:           %[[COUNT:.+]] = vector.load %[[COUNT_BUFFER]]
// CHECK:           arith.divf %[[ELEMENTS]], %[[COUNT]]
// CHECK:         scf.parallel
// CHECK:           arith.addf
// CHECK:           arith.truncf %{{.+}} : vector<4xf32> to vector<4xf16>
func.func @counted(%g: tensor<1x3x4xf16>) -> tensor<1x3x4xf16> {
  %0 = pool.avg_pool_grad %g kernel [3] pads_begin [1] pads_end [1]
    : tensor<1x3x4xf16> -> tensor<1x3x4xf16>
  return %0 : tensor<1x3x4xf16>
}

// -----

// The first two windows are padding alone: no element is theirs.

// CHECK-LABEL: func.func @padding_alone(
// CHECK-SAME:    %[[GRAD:.+]]: tensor<1x1x6xf32>)
// CHECK:         %[[SLICE:.+]] = tensor.extract_slice %[[GRAD]][0, 0, 2] [1, 1, 4] [1, 1, 1]
// CHECK:         bufferization.to_buffer %[[SLICE]] read_only
// CHECK-NOT:     pool.
func.func @padding_alone(%g: tensor<1x1x6xf32>) -> tensor<1x1x4xf32> {
  %0 = pool.avg_pool_grad %g kernel [1] pads_begin [2] divisor_override 3
    : tensor<1x1x6xf32> -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}

// -----

// Strides and dilations at once have no gather.

// CHECK-LABEL: func.func @strided_dilated(
// CHECK:         pool.avg_pool_grad
// REMARK: [Missed] LeftAlone | Category:convert-pool-to-vector | Reason="no gather is for its windows", Remark="pool.avg_pool_grad left alone"
func.func @strided_dilated(%g: tensor<1x3x8xf32>) -> tensor<1x3x17xf32> {
  %0 = pool.avg_pool_grad %g kernel [2] strides [2] dilations [2]
    : tensor<1x3x8xf32> -> tensor<1x3x17xf32>
  return %0 : tensor<1x3x17xf32>
}

// -----

// An element is covered by the window of its stride and the one before it, whose
// last tap is the first of a stride. Strips at the ends are masked.

// CHECK-LABEL: func.func @strided(
// CHECK-DAG:     %[[ONE:.+]] = arith.constant 1 : index
// CHECK-DAG:     %[[TWO:.+]] = arith.constant 2 : index
// CHECK-DAG:     %[[FOUR:.+]] = arith.constant 4 : index
// CHECK-DAG:     %[[NINE:.+]] = arith.constant 9 : index
// CHECK:         %[[QUOTIENTS:.+]] = memref.alloc() : memref<1x3x8xf32>
// CHECK:         %[[SUMS:.+]] = memref.alloc() : memref<1x3x16xf32>
// CHECK:         scf.parallel (%[[C:.+]]) =
// CHECK:           scf.for %[[O:.+]] = %{{.+}} to %[[NINE]] step %[[FOUR]]
// CHECK:             %[[STRIDE:.+]] = arith.muli %[[O]], %[[TWO]]
// CHECK:             %[[I:.+]] = arith.subi %[[STRIDE]], %[[ONE]]
// CHECK:             scf.if
// CHECK:               vector.load %[[QUOTIENTS]][%{{.+}}, %[[C]], %[[O]]]
// CHECK:               %[[OWN:.+]] = arith.addf
// CHECK:               %[[P:.+]] = arith.subi %[[O]], %[[ONE]]
// CHECK:               vector.load %[[QUOTIENTS]][%{{.+}}, %[[C]], %[[P]]]
// CHECK:               %[[BEFORE:.+]] = arith.addf
// CHECK:               %[[TWICE:.+]] = vector.shuffle %[[OWN]], %{{.+}} [0, 0, 1, 1]
// CHECK:               %[[ONCE:.+]] = vector.shuffle %[[BEFORE]], %{{.+}} [0, 4, 1, 4]
// CHECK:               %[[SUM:.+]] = arith.addf %[[TWICE]], %[[ONCE]]
// CHECK:               vector.store %[[SUM]], %[[SUMS]][%{{.+}}, %[[C]], %[[I]]]
// CHECK:             } else {
// CHECK:               vector.maskedload
// CHECK:               vector.maskedstore
func.func @strided(%g: tensor<1x3x8xf32>) -> tensor<1x3x16xf32> {
  %0 = pool.avg_pool_grad %g kernel [3] strides [2] pads_begin [1]
       divisor kernel : tensor<1x3x8xf32> -> tensor<1x3x16xf32>
  return %0 : tensor<1x3x16xf32>
}

// -----

// Lanes that are channels are each their own window.

// CHECK-LABEL: func.func @channels(
// CHECK:             scf.if
// CHECK:               %[[SUM:.+]] = scf.for %[[O:[^ ]+]] = {{.+}} -> (vector<4xf32>)
// CHECK:                 vector.load %{{.+}}[%{{.+}}, %[[O]], %[[C:.+]]]
// CHECK:               vector.store %[[SUM]], %{{.+}}[%{{.+}}, %{{.+}}, %[[C]]]
func.func @channels(%g: tensor<2x?x64xf32>, %n: index) -> tensor<2x?x64xf32> {
  %0 = pool.avg_pool_grad %g extents(%n) kernel [3] strides [2]
       layout channels_last : tensor<2x?x64xf32> -> tensor<2x?x64xf32>
  return %0 : tensor<2x?x64xf32>
}

// -----

// Single windows move nowhere.

// CHECK-LABEL: func.func @single(
// CHECK-NOT:     pool.
// CHECK:         return
func.func @single(%g: tensor<?x3x1xf32>, %n: index) -> tensor<?x3x16xf32> {
  %0 = pool.avg_pool_grad %g extents(%n) kernel [16] strides [16]
    : tensor<?x3x1xf32> -> tensor<?x3x16xf32>
  return %0 : tensor<?x3x16xf32>
}

// -----

// Unless it is of padding alone: it has strides, and no element is its.

// CHECK-LABEL: func.func @single_padding(
// CHECK-NOT:     pool.
// CHECK:         vector.maskedstore
func.func @single_padding(%g: tensor<1x1x1xf32>) -> tensor<1x1x2xf32> {
  %0 = pool.avg_pool_grad %g kernel [1] strides [3] pads_begin [1]
       divisor kernel : tensor<1x1x1xf32> -> tensor<1x1x2xf32>
  return %0 : tensor<1x1x2xf32>
}
