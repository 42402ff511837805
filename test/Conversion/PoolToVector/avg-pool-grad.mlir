// convert-pool-to-vector on the gradient of an average. It divides each
// gradient once, and then adds the quotients. With stride 1, the addition is a
// pooling of the quotients. Other strides have separate loops.

// RUN: pool-opt %s --convert-pool-to-vector="target=x86_64-linux-gnu mcpu=x86-64-v4 vector-bits=128" --canonicalize --cse --split-input-file | FileCheck %s -enable-var-scope
// RUN: pool-opt %s --convert-pool-to-vector --split-input-file --remarks-filter=convert-pool-to-vector \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The taps of a window are three elements apart, and there is one element of
// padding. So the first window of the sum begins two elements before the
// quotients. Its taps are three apart, too.

// CHECK-LABEL: func.func @flipped(
// CHECK-SAME:    %[[GRAD:.+]]: tensor<1x3x18xf32>)
// CHECK-DAG:     %[[BEGIN:.+]] = arith.constant -2 : index
// CHECK-DAG:     %[[INSIDE:.+]] = arith.constant dense<[false, false, true, true]>
// CHECK-DAG:     %[[DIVISOR:.+]] = arith.constant dense<2.000000e+00> : vector<4xf32>
// CHECK:         %[[DIVIDED:.+]] = pool.on_buffers ins(%[[GRAD]] :
// CHECK-NEXT:    ^bb0(%[[G:.+]]: memref<1x3x18xf32>, %[[QUOTIENTS_OUT:.+]]: memref<1x3x18xf32>):
// CHECK:         scf.parallel
// CHECK:           %[[ELEMENTS:.+]] = vector.load %[[G]]
// CHECK:           %[[QUOTIENT:.+]] = arith.divf %[[ELEMENTS]], %[[DIVISOR]]
// CHECK:           vector.store %[[QUOTIENT]], %[[QUOTIENTS_OUT]]
// CHECK:         %[[RESULT:.+]] = pool.on_buffers ins(%[[DIVIDED]] :
// CHECK-NEXT:    ^bb0(%[[QUOTIENTS:.+]]: memref<1x3x18xf32>, %[[SUMS:.+]]: memref<1x3x16xf32>):
// CHECK:         scf.parallel
// CHECK:           %[[FIRST:.+]] = vector.maskedload %[[QUOTIENTS]][%{{.+}}, %{{.+}}, %[[BEGIN]]], %[[INSIDE]]
// CHECK:           %[[NEXT:.+]] = vector.load %[[QUOTIENTS]]
// CHECK:           %[[SECOND:.+]] = vector.shuffle %[[FIRST]], %[[NEXT]] [3, 4, 5, 6]
// CHECK:           %[[SUM:.+]] = arith.addf %[[FIRST]], %[[SECOND]]
// CHECK:           vector.store %[[SUM]], %[[SUMS]]
// CHECK:         return %[[RESULT]]
func.func @flipped(%g: tensor<1x3x18xf32>) -> tensor<1x3x16xf32> {
  %0 = pool.avg_pool_grad %g kernel [2] dilations [3] pads_begin [1]
       pads_end [4] divisor kernel : tensor<1x3x18xf32> -> tensor<1x3x16xf32>
  return %0 : tensor<1x3x16xf32>
}

// -----

// If windows have different counts, lanes count the taps of their windows that
// are inside the input. Here all counts are known. Sums are f32, and rounded
// before they are stored.

// CHECK-LABEL: func.func @counted(
// CHECK-DAG:     %[[COUNTS:.+]] = arith.constant dense<[2.000000e+00, 3.000000e+00, 3.000000e+00, 2.000000e+00]> : vector<4xf32>
// CHECK:         pool.on_buffers
// CHECK-NEXT:    ^bb0(%{{.+}}: memref<1x3x4xf16>, %{{.+}}: memref<1x3x4xf32>):
// CHECK:         scf.parallel
// CHECK:           %[[ELEMENTS:.+]] = arith.extf %{{.+}} : vector<4xf16> to vector<4xf32>
// CHECK:           arith.divf %[[ELEMENTS]], %[[COUNTS]]
// CHECK:         scf.parallel
// CHECK:           arith.addf
// CHECK:           arith.truncf %{{.+}} : vector<4xf32> to vector<4xf16>
func.func @counted(%g: tensor<1x3x4xf16>) -> tensor<1x3x4xf16> {
  %0 = pool.avg_pool_grad %g kernel [3] pads_begin [1] pads_end [1]
    : tensor<1x3x4xf16> -> tensor<1x3x4xf16>
  return %0 : tensor<1x3x4xf16>
}

// -----

// The first two windows have only padding, so the sum skips their gradients.

// CHECK-LABEL: func.func @padding_alone(
// CHECK-SAME:    %[[GRAD:.+]]: tensor<1x1x6xf32>)
// CHECK:         %[[SLICE:.+]] = tensor.extract_slice %[[GRAD]][0, 0, 2] [1, 1, 4] [1, 1, 1]
// CHECK:         pool.on_buffers ins(%[[SLICE]] :
// CHECK-NEXT:    memref<1x1x4xf32, strided<[?, ?, 1], offset: ?>>
func.func @padding_alone(%g: tensor<1x1x6xf32>) -> tensor<1x1x4xf32> {
  %0 = pool.avg_pool_grad %g kernel [1] pads_begin [2] divisor_override 3
    : tensor<1x1x6xf32> -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}

// -----

// Taps are two elements apart, and so are windows. So two windows cover the
// first element of each stride, and no window covers the second.

// CHECK-LABEL: func.func @strided_dilated(
// CHECK-DAG:     %[[ONE:.+]] = arith.constant 1 : index
// CHECK:         scf.for %[[O:.+]] =
// CHECK:           scf.if
// CHECK:             %[[P:.+]] = arith.subi %[[O]], %[[ONE]]
// CHECK:             %[[BEFORE:.+]] = vector.load %[[QUOTIENTS:.+]][%{{.+}}, %[[C:.+]], %[[P]]]
// CHECK:             %[[FIRST:.+]] = arith.addf %[[BEFORE]], %{{.+}}
// CHECK:             %[[OWN:.+]] = vector.load %[[QUOTIENTS]][%{{.+}}, %[[C]], %[[O]]]
// CHECK:             %[[SUM:.+]] = arith.addf %[[FIRST]], %[[OWN]]
// CHECK:             vector.shuffle %{{.+}}, %[[SUM]] [4, 1, 5, 3]
func.func @strided_dilated(%g: tensor<1x3x8xf32>) -> tensor<1x3x17xf32> {
  %0 = pool.avg_pool_grad %g kernel [2] strides [2] dilations [2]
    : tensor<1x3x8xf32> -> tensor<1x3x17xf32>
  return %0 : tensor<1x3x17xf32>
}

// -----

// The dilation in the row dimension is 3, and the stride is 2. So window o
// covers row h only if 2 * o = h modulo 3, which is o = 2 * h modulo 3.

// CHECK-LABEL: func.func @congruent(
// CHECK-DAG:     %[[TWO:.+]] = arith.constant 2 : index
// CHECK-DAG:     %[[THREE:.+]] = arith.constant 3 : index
// CHECK:         scf.parallel (%[[H:.+]]) =
// CHECK:           %[[H3:.+]] = arith.remui %[[H]], %[[THREE]]
// CHECK:           %[[TWICE:.+]] = arith.muli %[[H3]], %[[TWO]]
// CHECK:           arith.remui %[[TWICE]], %[[THREE]]
// CHECK:           scf.for %{{.+}} = %{{.+}} to %{{.+}} step %[[THREE]]
func.func @congruent(%g: tensor<1x1x9x8xf32>) -> tensor<1x1x23x8xf32> {
  %0 = pool.avg_pool_grad %g kernel [3, 1] strides [2, 1] dilations [3, 1]
    : tensor<1x1x9x8xf32> -> tensor<1x1x23x8xf32>
  return %0 : tensor<1x1x23x8xf32>
}

// -----

// With strides of more than 64, each quotient is added to the taps of its
// window, in the result. LLVM makes vectors of the loop over taps.

// CHECK-LABEL: func.func @large_strides(
// CHECK:         scf.parallel
// CHECK:           scf.for %[[O:.+]] =
// CHECK:             %[[QUOTIENT:.+]] = memref.load %{{.+}}[%{{.+}}, %{{.+}}, %[[O]]]
// CHECK:             scf.for %[[TAP:.+]] = %{{.+}} to %{{.+}} step %c1 {
// CHECK-NEXT:          %[[I:.+]] = arith.addi %{{.+}}, %[[TAP]]
// CHECK-NEXT:          %[[SUM:.+]] = memref.load %[[SUMS:.+]][%{{.+}}, %{{.+}}, %[[I]]] :
// CHECK-NEXT:          %[[ADDED:.+]] = arith.addf %[[SUM]], %[[QUOTIENT]]
// CHECK-NEXT:          memref.store %[[ADDED]], %[[SUMS]][%{{.+}}, %{{.+}}, %[[I]]]
// CHECK-NEXT:        }
func.func @large_strides(%g: tensor<1x3x8xf32>) -> tensor<1x3x565xf32> {
  %0 = pool.avg_pool_grad %g kernel [10] strides [70] pads_begin [1]
    : tensor<1x3x8xf32> -> tensor<1x3x565xf32>
  return %0 : tensor<1x3x565xf32>
}

// -----

// Here taps are apart.

// CHECK-LABEL: func.func @far_taps(
// CHECK:         scf.parallel
// CHECK:             %[[QUOTIENT:.+]] = memref.load
// CHECK:               scf.for %[[TAP:.+]] = %{{.+}} to %{{.+}} step %c1 {
// CHECK-NEXT:            %[[DISTANCE:.+]] = arith.muli %[[TAP]], %c10
// CHECK-NEXT:            %[[I:.+]] = arith.addi %{{.+}}, %[[DISTANCE]]
// CHECK-NEXT:            %[[SUM:.+]] = memref.load %[[SUMS:.+]][%{{.+}}, %{{.+}}, %{{.+}}, %[[I]]]
// CHECK-NEXT:            %[[ADDED:.+]] = arith.addf %[[SUM]], %[[QUOTIENT]]
// CHECK-NEXT:            memref.store %[[ADDED]], %[[SUMS]][%{{.+}}, %{{.+}}, %{{.+}}, %[[I]]]
func.func @far_taps(%g: tensor<1x2x8x9xf32>) -> tensor<1x2x9x566xf32> {
  %0 = pool.avg_pool_grad %g kernel [2, 2] strides [1, 70] dilations [1, 10]
         pads_begin [0, 9] : tensor<1x2x8x9xf32> -> tensor<1x2x9x566xf32>
  return %0 : tensor<1x2x9x566xf32>
}

// -----

// Windows of ten elements lie apart at stride 14. Shuffles spread four windows
// over the 14 vectors of their strides. Lanes between windows stay 0.

// CHECK-LABEL: func.func @apart(
// CHECK-DAG:     %[[ZEROS:.+]] = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK:           %[[SUMS:.+]] = arith.addf %{{.+}}, %[[ZEROS]] : vector<4xf32>
// CHECK-NEXT:      vector.shuffle %[[SUMS]], %[[SUMS]] [0, 0, 0, 0]
// CHECK:           vector.shuffle %[[ZEROS]], %[[SUMS]] [4, 4, 2, 3]
// CHECK:           vector.shuffle %[[ZEROS]], %[[SUMS]] [0, 1, 5, 5]
// CHECK-NOT:       memref.load
// CHECK:         return
func.func @apart(%g: tensor<1x3x8xf32>) -> tensor<1x3x117xf32> {
  %0 = pool.avg_pool_grad %g kernel [10] strides [14] pads_begin [1]
    : tensor<1x3x8xf32> -> tensor<1x3x117xf32>
  return %0 : tensor<1x3x117xf32>
}

// -----

// Seven windows cover the first element of a stride and six the second one, so
// they are added by loops.

// CHECK-LABEL: func.func @many_windows(
// CHECK:             scf.if
// CHECK:               %[[SEVEN:.+]] = scf.for
// CHECK:                 vector.load
// CHECK:                 scf.yield
// CHECK:               %[[SIX:.+]] = scf.for
// CHECK:               vector.shuffle %[[SEVEN]], %[[SIX]] [0, 4, 1, 5]
func.func @many_windows(%g: tensor<1x3x8xf32>) -> tensor<1x3x27xf32> {
  %0 = pool.avg_pool_grad %g kernel [13] strides [2]
    : tensor<1x3x8xf32> -> tensor<1x3x27xf32>
  return %0 : tensor<1x3x27xf32>
}

// -----

// Windows of this length fit no kernel for sums. So the quotients are gathered,
// as for other strides.

// CHECK-LABEL: func.func @long_windows(
// CHECK-NOT:     {{pool\.(max|min|avg|lp|adaptive|window)_}}
// CHECK:         return
func.func @long_windows(%g: tensor<1x2x201xf32>) -> tensor<1x2x1000xf32> {
  %0 = pool.avg_pool_grad %g kernel [800] divisor kernel
    : tensor<1x2x201xf32> -> tensor<1x2x1000xf32>
  return %0 : tensor<1x2x1000xf32>
}

// -----

// f32 may not represent the count exactly, so the count stays an integer until
// one final rounding.

// CHECK-LABEL: func.func @large_counts(
// CHECK-DAG:     %[[COLUMNS:.+]] = arith.constant dense<[4999, 5000, 5000, 5000]> : vector<4xi32>
// CHECK:         %[[PRODUCT:.+]] = arith.muli %{{.+}}, %[[COLUMNS]] : vector<4xi32>
// CHECK:         arith.sitofp %[[PRODUCT]] : vector<4xi32> to vector<4xf32>
func.func @large_counts(%g: tensor<1x1x5x4xf32>) -> tensor<1x1x4999x5002xf32> {
  %0 = pool.avg_pool_grad %g kernel [5000, 5000] pads_begin [2, 1]
       pads_end [3, 0] : tensor<1x1x5x4xf32> -> tensor<1x1x4999x5002xf32>
  return %0 : tensor<1x1x4999x5002xf32>
}

// -----

// Products of strides and dilations overflow 64 bits here. The conversion must
// not crash.

// CHECK-LABEL: func.func @large_steps(
// CHECK:         pool.avg_pool_grad
// REMARK: [Missed] LeftAlone | Category:convert-pool-to-vector | Reason="its dilations modulo its strides leave 64 bits", Remark="pool.avg_pool_grad left alone"
func.func @large_steps(%g: tensor<1x1x2xf32>) -> tensor<1x1x2xf32> {
  %0 = pool.avg_pool_grad %g kernel [2] strides [4611686018427387903]
       dilations [4611686018427387901] pads_begin [4611686018427387903]
       pads_end [4611686018427387900] divisor kernel
    : tensor<1x1x2xf32> -> tensor<1x1x2xf32>
  return %0 : tensor<1x1x2xf32>
}

// -----

// An element is covered by the window of its own stride and perhaps by the
// window before, which ends with the first element of a stride. The first strip
// is masked, and so is the last element, whose stride has no window.

// CHECK-LABEL: func.func @strided(
// CHECK-DAG:     %[[ONE:.+]] = arith.constant 1 : index
// CHECK-DAG:     %[[TWO:.+]] = arith.constant 2 : index
// CHECK-DAG:     %[[FOUR:.+]] = arith.constant 4 : index
// CHECK-DAG:     %[[EIGHT:.+]] = arith.constant 8 : index
// CHECK:         ^bb0(%[[QUOTIENTS:.+]]: memref<1x3x8xf32>, %[[SUMS:.+]]: memref<1x3x16xf32>):
// CHECK:         scf.parallel (%[[C:.+]]) =
// CHECK:           scf.for %[[O:.+]] = %{{.+}} to %[[EIGHT]] step %[[FOUR]]
// CHECK:             %[[STRIDE:.+]] = arith.muli %[[O]], %[[TWO]]
// CHECK:             %[[I:.+]] = arith.subi %[[STRIDE]], %[[ONE]]
// CHECK:             scf.if
// CHECK:               %[[P:.+]] = arith.subi %[[O]], %[[ONE]]
// CHECK:               vector.load %[[QUOTIENTS]][%{{.+}}, %[[C]], %[[P]]]
// CHECK:               arith.addf
// CHECK:               vector.load %[[QUOTIENTS]][%{{.+}}, %[[C]], %[[O]]]
// CHECK:               %[[BOTH:.+]] = arith.addf
// CHECK:               %[[OWN:.+]] = arith.addf
// CHECK:               %[[SUM:.+]] = vector.shuffle %[[BOTH]], %[[OWN]] [0, 4, 1, 5]
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

// A strip has four windows, and there are ten. The last strip is moved to the
// end of the row, so that it needs no masks.

// CHECK-LABEL: func.func @moved_strip(
// CHECK-DAG:     %[[SIX:.+]] = arith.constant 6 : index
// CHECK:         scf.for %[[O:.+]] = %{{.+}} to %{{.+}} step
// CHECK:           %[[FIRST:.+]] = arith.minsi %[[O]], %[[SIX]]
// CHECK:           scf.if
// CHECK-NOT:         masked
// CHECK:             vector.load %{{.+}}[%{{.+}}, %{{.+}}, %[[FIRST]]]
// CHECK-NOT:         masked
// CHECK:           } else {
func.func @moved_strip(%g: tensor<1x3x10xf32>) -> tensor<1x3x20xf32> {
  %0 = pool.avg_pool_grad %g kernel [2] strides [2]
    : tensor<1x3x10xf32> -> tensor<1x3x20xf32>
  return %0 : tensor<1x3x20xf32>
}

// -----

// With channels as lanes, the same windows cover all lanes.

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

// The output has a single window, so there are no strides to loop over.

// CHECK-LABEL: func.func @single(
// CHECK-NOT:     {{pool\.(max|min|avg|lp|adaptive|window)_}}
// CHECK:         return
func.func @single(%g: tensor<?x3x1xf32>, %n: index) -> tensor<?x3x16xf32> {
  %0 = pool.avg_pool_grad %g extents(%n) kernel [16] strides [16]
    : tensor<?x3x1xf32> -> tensor<?x3x16xf32>
  return %0 : tensor<?x3x16xf32>
}

// -----

// A single window of only padding covers no element.

// CHECK-LABEL: func.func @single_padding(
// CHECK-NOT:     {{pool\.(max|min|avg|lp|adaptive|window)_}}
// CHECK:         vector.maskedstore
func.func @single_padding(%g: tensor<1x1x1xf32>) -> tensor<1x1x2xf32> {
  %0 = pool.avg_pool_grad %g kernel [1] strides [3] pads_begin [1]
       divisor kernel : tensor<1x1x1xf32> -> tensor<1x1x2xf32>
  return %0 : tensor<1x1x2xf32>
}
