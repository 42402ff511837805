// convert-pool-to-linalg on averages of integers. The sum must be exact, in an
// accumulator that cannot overflow, and the division must round exactly as
// integer_rounding says.

// RUN: pool-opt %s --convert-pool-to-linalg --split-input-file | FileCheck %s

// The accumulator needs the element's bits, the bits of the window's size, and
// 2 for the sign and the zero point: 8 + 2 + 2, 16 + 2 + 2, 32 + 2 + 2, 64 + 2
// + 2 bits.

// CHECK-LABEL: func @accumulators(
// CHECK:         linalg.pooling_ncw_sum {{.+}} ins(%{{.+}} : tensor<1x2x8xi8>, {{.+}} outs(%{{.+}} : tensor<1x2x6xi32>)
// CHECK:         linalg.pooling_ncw_sum {{.+}} ins(%{{.+}} : tensor<1x2x8xi16>, {{.+}} outs(%{{.+}} : tensor<1x2x6xi32>)
// CHECK:         linalg.pooling_ncw_sum {{.+}} ins(%{{.+}} : tensor<1x2x8xi32>, {{.+}} outs(%{{.+}} : tensor<1x2x6xi64>)
// CHECK:         linalg.pooling_ncw_sum {{.+}} ins(%{{.+}} : tensor<1x2x8xi64>, {{.+}} outs(%{{.+}} : tensor<1x2x6xi128>)
func.func @accumulators(%i8: tensor<1x2x8xi8>, %i16: tensor<1x2x8xi16>,
                        %i32: tensor<1x2x8xi32>, %i64: tensor<1x2x8xi64>) {
  %0 = pool.avg_pool %i8 kernel [3] : tensor<1x2x8xi8> -> tensor<1x2x6xi8>
  %1 = pool.avg_pool %i16 kernel [3] : tensor<1x2x8xi16> -> tensor<1x2x6xi16>
  %2 = pool.avg_pool %i32 kernel [3] : tensor<1x2x8xi32> -> tensor<1x2x6xi32>
  %3 = pool.avg_pool %i64 kernel [3] : tensor<1x2x8xi64> -> tensor<1x2x6xi64>
  return
}

// -----

// Large windows and divisors need wider accumulators. 8 + 22 + 2 bits fit in
// 32, but 8 + 23 + 2 bits do not, and neither does a divisor of 2^31.

// CHECK-LABEL: func @wider_accumulators(
// CHECK:         linalg.pooling_ncw_sum {{.+}} outs(%{{.+}} : tensor<1x2x1xi32>)
// CHECK:         linalg.pooling_ncw_sum {{.+}} outs(%{{.+}} : tensor<1x2x1xi64>)
// CHECK:         linalg.pooling_ncw_sum {{.+}} outs(%{{.+}} : tensor<1x2x8388601xi64>)
func.func @wider_accumulators(%x: tensor<1x2x4194304xi8>,
                              %y: tensor<1x2x8388608xi8>) {
  %0 = pool.avg_pool %x kernel [4194304]
     : tensor<1x2x4194304xi8> -> tensor<1x2x1xi8>
  %1 = pool.avg_pool %y kernel [8388608]
     : tensor<1x2x8388608xi8> -> tensor<1x2x1xi8>
  %2 = pool.avg_pool %y kernel [8] divisor_override 2147483648
     : tensor<1x2x8388608xi8> -> tensor<1x2x8388601xi8>
  return
}

// -----

// A sum of at most 64 bits is multiplied by a reciprocal in floats. Adding 3 *
// 2^22 to the product rounds it to an integer. This integer is the float's bits
// minus 0x4B400000 = 1262485504.
//
// half_even: a first addition rounds to a multiple of 2^-3, which makes ties
// exact. The next addition subtracts 3 * 2^19 and adds 3 * 2^22.

// CHECK-LABEL: func @half_even(
// CHECK:         linalg.generic
// CHECK:         ^bb0(%[[SUM:.+]]: i32, %{{.+}}: i8):
// CHECK-DAG:       %[[RECIPROCAL:.+]] = arith.constant 0.333333343 : f32
// CHECK-DAG:       %[[FLOAT:.+]] = arith.sitofp %[[SUM]] : i32 to f32
// CHECK-DAG:       %[[PRODUCT:.+]] = arith.mulf %[[FLOAT]], %[[RECIPROCAL]]
// CHECK-DAG:       %[[GRID:.+]] = arith.constant 0x49C00000 : f32
// CHECK-DAG:       %[[EXACT:.+]] = arith.addf %[[PRODUCT]], %[[GRID]]
// CHECK-DAG:       %[[REST:.+]] = arith.constant 0x4B280000 : f32
// CHECK-DAG:       %[[NEAREST:.+]] = arith.addf %[[EXACT]], %[[REST]]
// CHECK-DAG:       %[[BITS:.+]] = arith.bitcast %[[NEAREST]] : f32 to i32
// CHECK-DAG:       %[[MAGIC:.+]] = arith.constant 1262485504 : i32
// CHECK-DAG:       %[[ROUNDED:.+]] = arith.subi %[[BITS]], %[[MAGIC]]
// CHECK-NOT:       arith.maxsi
// CHECK-NOT:       arith.minsi
// CHECK:           %[[RESULT:.+]] = arith.trunci %[[ROUNDED]] : i32 to i8
// CHECK:           linalg.yield %[[RESULT]]
func.func @half_even(%x: tensor<1x2x8xi8>) -> tensor<1x2x6xi8> {
  %0 = pool.avg_pool %x kernel [3] : tensor<1x2x8xi8> -> tensor<1x2x6xi8>
  return %0 : tensor<1x2x6xi8>
}

// -----

// half_up: adds 1/4 to the sum, so that no quotient is a tie.

// CHECK-LABEL: func @half_up(
// CHECK:         linalg.generic
// CHECK:           %[[FLOAT:.+]] = arith.sitofp %{{.+}} : i32 to f32
// CHECK:           %[[QUARTER:.+]] = arith.constant 2.500000e-01 : f32
// CHECK:           %[[SHIFTED:.+]] = arith.addf %[[FLOAT]], %[[QUARTER]]
// CHECK:           %[[PRODUCT:.+]] = arith.mulf %[[SHIFTED]], %{{.+}}
// CHECK:           %[[MAGIC:.+]] = arith.constant 0x4B400000 : f32
// CHECK:           arith.addf %[[PRODUCT]], %[[MAGIC]]
func.func @half_up(%x: tensor<1x2x8xi8>) -> tensor<1x2x6xi8> {
  %0 = pool.avg_pool %x kernel [3] integer_rounding half_up
     : tensor<1x2x8xi8> -> tensor<1x2x6xi8>
  return %0 : tensor<1x2x6xi8>
}

// -----

// half_away: adds 1/4 with the sign of the sum.

// CHECK-LABEL: func @half_away(
// CHECK:         linalg.generic
// CHECK:         ^bb0(%[[SUM:.+]]: i32, %{{.+}}: i8):
// CHECK-DAG:       %[[ZERO:.+]] = arith.constant 0 : i32
// CHECK-DAG:       %[[NEGATIVE:.+]] = arith.cmpi slt, %[[SUM]], %[[ZERO]]
// CHECK-DAG:       %[[MINUS:.+]] = arith.constant -2.500000e-01 : f32
// CHECK-DAG:       %[[PLUS:.+]] = arith.constant 2.500000e-01 : f32
// CHECK:           %[[SHIFT:.+]] = arith.select %[[NEGATIVE]], %[[MINUS]], %[[PLUS]]
// CHECK:           arith.addf %{{.+}}, %[[SHIFT]]
func.func @half_away(%x: tensor<1x2x8xi8>) -> tensor<1x2x6xi8> {
  %0 = pool.avg_pool %x kernel [3] integer_rounding half_away
     : tensor<1x2x8xi8> -> tensor<1x2x6xi8>
  return %0 : tensor<1x2x6xi8>
}

// -----

// Quotients of 32-bit elements are computed in f64 and read from the float's
// bits. So are quotients of 16-bit elements over more than 32 positions, since
// (2^15 + 1) * 2^7 exceeds 2^22.

// CHECK-LABEL: func @in_f64(
// CHECK:         linalg.generic
// CHECK:         ^bb0(%[[SUM:.+]]: i64, %{{.+}}: i32):
// CHECK-DAG:       %[[MAGIC_BITS:.+]] = arith.constant 4843621399236968448 : i64
// CHECK-DAG:       %[[BITS:.+]] = arith.addi %[[SUM]], %[[MAGIC_BITS]]
// CHECK-DAG:       %[[BIASED:.+]] = arith.bitcast %[[BITS]] : i64 to f64
// CHECK:           %[[MAGIC:.+]] = arith.constant 0x4338000000000000 : f64
// CHECK:           arith.subf %[[BIASED]], %[[MAGIC]]
// CHECK:         linalg.generic
// CHECK:           arith.sitofp %{{.+}} : i32 to f32
// CHECK:         linalg.generic
// CHECK:           arith.sitofp %{{.+}} : i32 to f64
// CHECK:           arith.trunci %{{.+}} : i64 to i32
func.func @in_f64(%x: tensor<1x2x8xi32>, %y: tensor<1x2x40xi16>)
    -> (tensor<1x2x6xi32>, tensor<1x2x9xi16>, tensor<1x2x8xi16>) {
  %0 = pool.avg_pool %x kernel [3] : tensor<1x2x8xi32> -> tensor<1x2x6xi32>
  %1 = pool.avg_pool %y kernel [32] : tensor<1x2x40xi16> -> tensor<1x2x9xi16>
  %2 = pool.avg_pool %y kernel [33] : tensor<1x2x40xi16> -> tensor<1x2x8xi16>
  return %0, %1, %2 : tensor<1x2x6xi32>, tensor<1x2x9xi16>, tensor<1x2x8xi16>
}

// -----

// Sums of 128 bits are divided as integers.
//
// half_even: divides towards minus infinity. Adds one if the remainder exceeds
// the divisor minus the remainder, or if both are equal and the quotient is
// odd. An average without zero points needs no saturation.

// CHECK-LABEL: func @wide_half_even(
// CHECK:         linalg.generic
// CHECK:         ^bb0(%[[SUM:.+]]: i128, %{{.+}}: i64):
// CHECK-DAG:       %[[DIVISOR:.+]] = arith.constant 3 : i128
// CHECK-DAG:       %[[ZERO:.+]] = arith.constant 0 : i128
// CHECK-DAG:       %[[ONE:.+]] = arith.constant 1 : i128
// CHECK-DAG:       %[[Q0:.+]] = arith.divsi %[[SUM]], %[[DIVISOR]]
// CHECK-DAG:       %[[R0:.+]] = arith.remsi %[[SUM]], %[[DIVISOR]]
// CHECK-DAG:       %[[NEGATIVE:.+]] = arith.cmpi slt, %[[R0]], %[[ZERO]]
// CHECK-DAG:       %[[Q_DOWN:.+]] = arith.subi %[[Q0]], %[[ONE]]
// CHECK-DAG:       %[[Q:.+]] = arith.select %[[NEGATIVE]], %[[Q_DOWN]], %[[Q0]]
// CHECK-DAG:       %[[R_UP:.+]] = arith.addi %[[R0]], %[[DIVISOR]]
// CHECK-DAG:       %[[R:.+]] = arith.select %[[NEGATIVE]], %[[R_UP]], %[[R0]]
// CHECK-DAG:       %[[MISSING:.+]] = arith.subi %[[DIVISOR]], %[[R]]
// CHECK-DAG:       %[[LOW_BIT:.+]] = arith.andi %[[Q]], %[[ONE]]
// CHECK-DAG:       %[[ODD:.+]] = arith.cmpi eq, %[[LOW_BIT]], %[[ONE]]
// CHECK-DAG:       %[[HALF:.+]] = arith.cmpi eq, %[[R]], %[[MISSING]]
// CHECK-DAG:       %[[MORE:.+]] = arith.cmpi sgt, %[[R]], %[[MISSING]]
// CHECK-DAG:       %[[HALF_UP:.+]] = arith.andi %[[HALF]], %[[ODD]]
// CHECK-DAG:       %[[UP:.+]] = arith.ori %[[MORE]], %[[HALF_UP]]
// CHECK-DAG:       %[[Q_UP:.+]] = arith.addi %[[Q]], %[[ONE]]
// CHECK:           %[[ROUNDED:.+]] = arith.select %[[UP]], %[[Q_UP]], %[[Q]]
// CHECK-NOT:       arith.maxsi
// CHECK-NOT:       arith.minsi
// CHECK:           %[[RESULT:.+]] = arith.trunci %[[ROUNDED]] : i128 to i64
// CHECK:           linalg.yield %[[RESULT]]
func.func @wide_half_even(%x: tensor<1x2x8xi64>) -> tensor<1x2x6xi64> {
  %0 = pool.avg_pool %x kernel [3] : tensor<1x2x8xi64> -> tensor<1x2x6xi64>
  return %0 : tensor<1x2x6xi64>
}

// -----

// half_up: adds one if the remainder is at least the divisor minus the
// remainder.

// CHECK-LABEL: func @wide_half_up(
// CHECK:         linalg.generic
// CHECK:           arith.select
// CHECK:           %[[R:.+]] = arith.select
// CHECK:           %[[MISSING:.+]] = arith.subi %{{.+}}, %[[R]] : i128
// CHECK:           %[[UP:.+]] = arith.cmpi sge, %[[R]], %[[MISSING]]
// CHECK:           arith.select %[[UP]]
func.func @wide_half_up(%x: tensor<1x2x8xi64>) -> tensor<1x2x6xi64> {
  %0 = pool.avg_pool %x kernel [3] integer_rounding half_up
     : tensor<1x2x8xi64> -> tensor<1x2x6xi64>
  return %0 : tensor<1x2x6xi64>
}

// -----

// half_away: at a tie, adds one only if the quotient is not negative.

// CHECK-LABEL: func @wide_half_away(
// CHECK:         linalg.generic
// CHECK:           %[[Q:.+]] = arith.select
// CHECK:           %[[R:.+]] = arith.select
// CHECK:           %[[MISSING:.+]] = arith.subi %{{.+}}, %[[R]] : i128
// CHECK-DAG:       %[[POSITIVE:.+]] = arith.cmpi sge, %[[Q]], %c0
// CHECK-DAG:       %[[HALF:.+]] = arith.cmpi eq, %[[R]], %[[MISSING]]
// CHECK-DAG:       %[[MORE:.+]] = arith.cmpi sgt, %[[R]], %[[MISSING]]
// CHECK-DAG:       %[[HALF_UP:.+]] = arith.andi %[[HALF]], %[[POSITIVE]]
// CHECK:           %[[UP:.+]] = arith.ori %[[MORE]], %[[HALF_UP]]
// CHECK:           arith.select %[[UP]]
func.func @wide_half_away(%x: tensor<1x2x8xi64>) -> tensor<1x2x6xi64> {
  %0 = pool.avg_pool %x kernel [3] integer_rounding half_away
     : tensor<1x2x8xi64> -> tensor<1x2x6xi64>
  return %0 : tensor<1x2x6xi64>
}

// -----

// Zero points: input_zp is subtracted for each element, but not for padding.
// Then output_zp is added, and the result saturates.

// CHECK-LABEL: func @zero_points(
// CHECK:         %[[PADDING:.+]] = arith.constant 0 : i8
// CHECK:         tensor.pad
// CHECK:           tensor.yield %[[PADDING]]
// CHECK:         linalg.pooling_ncw_sum
// CHECK:         linalg.generic
// CHECK:         ^bb0(%[[SUM:.+]]: i32, %{{.+}}: i8):
// CHECK:           %[[COUNT:.+]] = arith.index_cast %{{.+}} : index to i32
// CHECK:           %[[IN_ZP:.+]] = arith.constant 5 : i32
// CHECK:           %[[TOTAL:.+]] = arith.muli %[[COUNT]], %[[IN_ZP]]
// CHECK:           %[[CENTRED:.+]] = arith.subi %[[SUM]], %[[TOTAL]]
// CHECK:           arith.sitofp %[[CENTRED]] : i32 to f32
// CHECK:           %[[OUT_ZP:.+]] = arith.constant -9 : i32
// CHECK:           %[[SHIFTED:.+]] = arith.addi %{{.+}}, %[[OUT_ZP]]
// CHECK:           %[[MIN:.+]] = arith.constant -128 : i32
// CHECK:           %[[ABOVE:.+]] = arith.maxsi %[[SHIFTED]], %[[MIN]]
// CHECK:           %[[MAX:.+]] = arith.constant 127 : i32
// CHECK:           %[[WITHIN:.+]] = arith.minsi %[[ABOVE]], %[[MAX]]
// CHECK:           arith.trunci %[[WITHIN]] : i32 to i8
func.func @zero_points(%x: tensor<1x2x8xi8>) -> tensor<1x2x8xi8> {
  %0 = pool.avg_pool %x kernel [3] pads_begin [1] pads_end [1] divisor padded
         input_zp 5 output_zp -9 : tensor<1x2x8xi8> -> tensor<1x2x8xi8>
  return %0 : tensor<1x2x8xi8>
}

// -----

// A result with divisor_override may exceed the type, so it saturates. An
// override of 1 needs no division.

// CHECK-LABEL: func @override(
// CHECK:         linalg.generic
// CHECK:           arith.mulf
// CHECK:           arith.maxsi
// CHECK:           arith.minsi
// CHECK:         linalg.generic
// CHECK-NOT:       arith.mulf
// CHECK:           arith.maxsi
// CHECK:           arith.minsi
// CHECK:           arith.trunci
func.func @override(%x: tensor<1x2x8xi8>)
    -> (tensor<1x2x6xi8>, tensor<1x2x6xi8>) {
  %0 = pool.avg_pool %x kernel [3] divisor_override 2
     : tensor<1x2x8xi8> -> tensor<1x2x6xi8>
  %1 = pool.avg_pool %x kernel [3] divisor_override 1
     : tensor<1x2x8xi8> -> tensor<1x2x6xi8>
  return %0, %1 : tensor<1x2x6xi8>, tensor<1x2x6xi8>
}

// -----

// For a negative divisor, the negated sum is divided by the divisor's
// magnitude. The magnitude of the smallest i64 does not fit into 64 bits. A
// divisor of -1 needs no division.

// CHECK-LABEL: func @negative_override(
// CHECK:         ^bb0(%[[SUM:.+]]: i32, %{{.+}}: i8):
// CHECK:           %[[NEGATED:.+]] = arith.subi %{{.+}}, %[[SUM]] : i32
// CHECK-DAG:       %[[FLOAT:.+]] = arith.sitofp %[[NEGATED]] : i32 to f32
// CHECK-DAG:       %[[HALF:.+]] = arith.constant 5.000000e-01 : f32
// CHECK:           arith.mulf %[[FLOAT]], %[[HALF]]
// CHECK:         ^bb0(%[[SUM1:.+]]: i32, %{{.+}}: i8):
// CHECK-NOT:       arith.mulf
// CHECK:           arith.maxsi
// CHECK:         ^bb0(%[[WIDE:.+]]: i128, %{{.+}}: i8):
// CHECK:           %[[MAGNITUDE:.+]] = arith.constant 9223372036854775808 : i128
// CHECK:           arith.divsi %{{.+}}, %[[MAGNITUDE]] : i128
func.func @negative_override(%x: tensor<1x2x8xi8>)
    -> (tensor<1x2x6xi8>, tensor<1x2x6xi8>, tensor<1x2x6xi8>) {
  %0 = pool.avg_pool %x kernel [3] divisor_override -2
     : tensor<1x2x8xi8> -> tensor<1x2x6xi8>
  %1 = pool.avg_pool %x kernel [3] divisor_override -1
     : tensor<1x2x8xi8> -> tensor<1x2x6xi8>
  %2 = pool.avg_pool %x kernel [3] divisor_override -9223372036854775808
     : tensor<1x2x8xi8> -> tensor<1x2x6xi8>
  return %0, %1, %2 : tensor<1x2x6xi8>, tensor<1x2x6xi8>, tensor<1x2x6xi8>
}

// -----

// Whether a window counts nothing is known only at run time. The code must not
// divide by zero: an average of nothing is 0.

// CHECK-LABEL: func @count_of_zero(
// CHECK:         linalg.generic
// CHECK:           %[[COUNT:.+]] = arith.index_cast %{{.+}} : index to i32
// CHECK:           %[[ONE:.+]] = arith.constant 1 : i32
// CHECK:           %[[DIVISOR:.+]] = arith.maxsi %[[COUNT]], %[[ONE]]
// CHECK:           %[[FLOAT:.+]] = arith.sitofp %[[DIVISOR]] : i32 to f32
// CHECK:           arith.divf %{{.+}}, %[[FLOAT]]
func.func @count_of_zero(%x: tensor<1x2x?xi8>) -> tensor<1x2x?xi8> {
  %0 = pool.avg_pool %x kernel [2] pads_begin [2]
     : tensor<1x2x?xi8> -> tensor<1x2x?xi8>
  return %0 : tensor<1x2x?xi8>
}

// -----

// Here the verifier knows that every window counts something. So the code
// divides by the count without a test for zero.

// CHECK-LABEL: func @count_known(
// CHECK:         linalg.generic
// CHECK-NOT:       arith.maxsi
// CHECK:           arith.divf
func.func @count_known(%x: tensor<1x2x8xi8>) -> tensor<1x2x8xi8> {
  %0 = pool.avg_pool %x kernel [2] pads_begin [1]
     : tensor<1x2x8xi8> -> tensor<1x2x8xi8>
  return %0 : tensor<1x2x8xi8>
}
