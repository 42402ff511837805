// convert-pool-to-linalg on maxima with indices: one reduction of pairs (value,
// position in the plane). Among equal values, the first position must win. Then
// an elementwise op turns positions into indices over the dimensions from
// `axis` on.

// RUN: pool-opt %s --convert-pool-to-linalg --split-input-file | FileCheck %s

// Without padding, every position is in the input. Among equal values the
// smaller position wins, so the order of the loops does not matter. The initial
// position -1 is the largest unsigned number, so every position is smaller.

// CHECK-DAG:   #[[$SUM:.+]] = affine_map<()[s0, s1] -> (s0 + s1)>
// CHECK-DAG:   #[[$ID:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-LABEL: func @integers(
// CHECK-SAME:    %[[X:.+]]: tensor<3x2x6x8xi8>)
// CHECK:         %[[LOWEST:.+]] = arith.constant -128 : i8
// CHECK:         %[[VALUES:.+]] = linalg.fill ins(%[[LOWEST]] :
// CHECK:         %[[NONE:.+]] = arith.constant -1 : i64
// CHECK:         %[[POSITIONS:.+]] = linalg.fill ins(%[[NONE]] :
// CHECK:         %[[REDUCED:.+]]:2 = linalg.generic
// CHECK-SAME:      ins(%[[X]], %{{.+}} : tensor<3x2x6x8xi8>, tensor<2x2xi8>)
// CHECK-SAME:      outs(%[[VALUES]], %[[POSITIONS]] : tensor<3x2x5x7xi8>, tensor<3x2x5x7xi64>)
// CHECK:         ^bb0(%[[ELEMENT:.+]]: i8, %{{.+}}: i8, %[[ACC:.+]]: i8, %[[ACC_POSITION:.+]]: i64):
// CHECK-DAG:       %[[ROW:.+]] = affine.apply #[[$SUM]]()
// CHECK-DAG:       %[[WIDTH:.+]] = arith.constant 8 : index
// CHECK-DAG:       %[[ROW_OFFSET:.+]] = arith.muli %[[ROW]], %[[WIDTH]]
// CHECK:           %[[COLUMN:.+]] = affine.apply #[[$SUM]]()
// CHECK:           %[[PLANE:.+]] = arith.addi %[[ROW_OFFSET]], %[[COLUMN]]
// CHECK-NOT:       arith.cmpi ult, %[[COLUMN]]
// CHECK:           %[[POSITION:.+]] = arith.index_cast %[[PLANE]] : index to i64
// CHECK-DAG:       %[[EARLIER:.+]] = arith.cmpi ult, %[[POSITION]], %[[ACC_POSITION]]
// CHECK-DAG:       %[[EQUAL:.+]] = arith.cmpi eq, %[[ELEMENT]], %[[ACC]]
// CHECK-DAG:       %[[GREATER:.+]] = arith.cmpi sgt, %[[ELEMENT]], %[[ACC]]
// CHECK:           %[[FIRST:.+]] = arith.andi %[[EQUAL]], %[[EARLIER]]
// CHECK:           %[[CHOSEN:.+]] = arith.ori %[[GREATER]], %[[FIRST]]
// CHECK:           %[[VALUE:.+]] = arith.select %[[CHOSEN]], %[[ELEMENT]], %[[ACC]]
// CHECK:           %[[NEW_POSITION:.+]] = arith.select %[[CHOSEN]], %[[POSITION]], %[[ACC_POSITION]]
// CHECK:           linalg.yield %[[VALUE]], %[[NEW_POSITION]]
// CHECK:         %[[INDICES:.+]] = linalg.generic {indexing_maps = [#[[$ID]], #[[$ID]]],
// CHECK-SAME:      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
// CHECK-SAME:      ins(%[[REDUCED]]#1 :
// CHECK:         return %[[REDUCED]]#0, %[[INDICES]]
func.func @integers(%x: tensor<3x2x6x8xi8>)
    -> (tensor<3x2x5x7xi8>, tensor<3x2x5x7xi64>) {
  %0, %1 = pool.max_pool %x kernel [2, 2]
         : tensor<3x2x6x8xi8> -> tensor<3x2x5x7xi8>, tensor<3x2x5x7xi64>
  return %0, %1 : tensor<3x2x5x7xi8>, tensor<3x2x5x7xi64>
}

// -----

// Padding is never chosen. One unsigned comparison detects coordinates before
// and after the input. Dimensions without padding need no comparison.

// CHECK-DAG:   #[[$COORDINATE:.+]] = affine_map<()[s0, s1] -> (s0 + s1 - 1)>
// CHECK-LABEL: func @padding(
// CHECK:         tensor.pad %{{.+}} low[0, 0, 0, 1] high[0, 0, 0, 0]
// CHECK:         linalg.generic
// CHECK:           %[[COLUMN:.+]] = affine.apply #[[$COORDINATE]]()
// CHECK:           %[[WIDTH:.+]] = arith.constant 8 : index
// CHECK:           %[[INSIDE:.+]] = arith.cmpi ult, %[[COLUMN]], %[[WIDTH]] : index
// CHECK:           %[[BETTER:.+]] = arith.ori
// CHECK-NEXT:      %[[CHOSEN:.+]] = arith.andi %[[BETTER]], %[[INSIDE]]
// CHECK:           arith.select %[[CHOSEN]]
// CHECK:           arith.select %[[CHOSEN]]
func.func @padding(%x: tensor<1x2x6x8xi8>) -> tensor<1x2x5x8xi64> {
  %0, %1 = pool.max_pool %x kernel [2, 2] pads_begin [0, 1]
         : tensor<1x2x6x8xi8> -> tensor<1x2x5x8xi8>, tensor<1x2x5x8xi64>
  return %1 : tensor<1x2x5x8xi64>
}

// -----

// Under propagate, a NaN beats every number and every later NaN.

// CHECK-LABEL: func @propagate(
// CHECK:         linalg.generic
// CHECK:         ^bb0(%[[ELEMENT:.+]]: f32, %{{.+}}: f32, %[[ACC:.+]]: f32, %[[ACC_POSITION:.+]]: i64):
// CHECK-DAG:       %[[EARLIER:.+]] = arith.cmpi ult, %{{.+}}, %[[ACC_POSITION]]
// CHECK-DAG:       %[[NUMBER:.+]] = arith.cmpf ord, %[[ACC]], %[[ACC]]
// CHECK-DAG:       %[[FIRST:.+]] = arith.ori %[[NUMBER]], %[[EARLIER]]
// CHECK-DAG:       %[[NAN:.+]] = arith.cmpf uno, %[[ELEMENT]], %[[ELEMENT]]
// CHECK-DAG:       %[[FIRST_NAN:.+]] = arith.andi %[[NAN]], %[[FIRST]]
// CHECK:           %[[CHOSEN:.+]] = arith.ori %{{.+}}, %[[FIRST_NAN]]
// CHECK:           arith.select %[[CHOSEN]], %[[ELEMENT]], %[[ACC]]
// Every window chooses an element here, so no select replaces the position.
// CHECK:         linalg.generic
// CHECK-NOT:       arith.select
// CHECK:           linalg.yield
func.func @propagate(%x: tensor<1x1x8xf32>) -> tensor<1x1x7xi64> {
  %0, %1 = pool.max_pool %x kernel [2] axis 2 nan_mode propagate
         : tensor<1x1x8xf32> -> tensor<1x1x7xf32>, tensor<1x1x7xi64>
  return %1 : tensor<1x1x7xi64>
}

// -----

// Under ignore, all elements of a window may be NaN. Then the index names the
// window's first element inside the input.

// CHECK-DAG:   #[[$TAP:.+]] = affine_map<()[s0] -> (-(s0 - 1), 0)>
// CHECK-DAG:   #[[$COORDINATE:.+]] = affine_map<()[s0, s1] -> (s0 + s1 - 1)>
// CHECK-LABEL: func @ignore(
// CHECK:         linalg.generic
// CHECK-NOT:       arith.cmpf uno
// CHECK-NOT:       arith.cmpf ord
// CHECK:           linalg.yield
// CHECK:         linalg.generic
// CHECK:         ^bb0(%[[POSITION:.+]]: i64, %{{.+}}: i64):
// CHECK-DAG:       %[[CHOSEN:.+]] = arith.index_cast %[[POSITION]] : i64 to index
// CHECK-DAG:       %[[MINUS_ONE:.+]] = arith.constant -1 : i64
// CHECK-DAG:       %[[NONE:.+]] = arith.cmpi eq, %[[POSITION]], %[[MINUS_ONE]]
// CHECK-DAG:       %[[O:.+]] = linalg.index 2 : index
// CHECK-DAG:       %[[FIRST_TAP:.+]] = affine.max #[[$TAP]]()[%[[O]]]
// CHECK-DAG:       %[[FIRST:.+]] = affine.apply #[[$COORDINATE]]()[%[[O]], %[[FIRST_TAP]]]
// CHECK:           %[[INDEX:.+]] = arith.select %[[NONE]], %[[FIRST]], %[[CHOSEN]]
// CHECK:           %[[RESULT:.+]] = arith.index_cast %[[INDEX]] : index to i64
// CHECK:           linalg.yield %[[RESULT]]
func.func @ignore(%x: tensor<1x1x8xf32>) -> tensor<1x1x8xi64> {
  %0, %1 = pool.max_pool %x kernel [2] pads_begin [1] axis 2
         : tensor<1x1x8xf32> -> tensor<1x1x8xf32>, tensor<1x1x8xi64>
  return %1 : tensor<1x1x8xi64>
}

// -----

// A window of only padding has index 0.

// CHECK-LABEL: func @empty_window(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK:           %[[ZERO:.+]] = arith.constant 0 : index
// CHECK:           %[[EMPTY:.+]] = arith.cmpi eq, %{{.+}}, %[[ZERO]] : index
// CHECK:           %[[INDEX_OF_NONE:.+]] = arith.constant 0 : index
// CHECK:           %[[INDEX:.+]] = arith.select %[[EMPTY]], %[[INDEX_OF_NONE]], %{{.+}} : index
// CHECK:           %[[RESULT:.+]] = arith.index_cast %[[INDEX]] : index to i32
// CHECK:           linalg.yield %[[RESULT]] : i32
func.func @empty_window(%x: tensor<1x1x8xi8>) -> tensor<1x1x10xi32> {
  %0, %1 = pool.max_pool %x kernel [2] pads_begin [3]
         : tensor<1x1x8xi8> -> tensor<1x1x10xi8>, tensor<1x1x10xi32>
  return %1 : tensor<1x1x10xi32>
}

// -----

// axis 0: batch and channels count. The index is (batch * 2 + channel) * 6 * 8
// + position: there are 2 channels, 6 rows and 8 columns.

// CHECK-LABEL: func @axis_0(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK:         ^bb0(%[[P:.+]]: i64,
// CHECK-DAG:       %[[POSITION:.+]] = arith.index_cast %[[P]] : i64 to index
// CHECK-DAG:       %[[C:.+]] = linalg.index 1 : index
// CHECK-DAG:       %[[N:.+]] = linalg.index 0 : index
// CHECK-DAG:       %[[CHANNELS:.+]] = arith.constant 2 : index
// CHECK:           %[[IMAGE:.+]] = arith.muli %[[N]], %[[CHANNELS]]
// CHECK:           %[[PLANE:.+]] = arith.addi %[[IMAGE]], %[[C]]
// CHECK:           %[[ROWS:.+]] = arith.muli %[[PLANE]], %c6
// CHECK:           %[[BASE:.+]] = arith.muli %[[ROWS]], %c8
// CHECK:           arith.addi %[[BASE]], %[[POSITION]]
func.func @axis_0(%x: tensor<3x2x6x8xi8>) -> tensor<3x2x5x7xi64> {
  %0, %1 = pool.max_pool %x kernel [2, 2]
         : tensor<3x2x6x8xi8> -> tensor<3x2x5x7xi8>, tensor<3x2x5x7xi64>
  return %1 : tensor<3x2x5x7xi64>
}

// -----

// axis 1: the index counts channels but not the batch. axis 2: the index is the
// position. axis 3: the index does not count rows.

// CHECK-LABEL: func @axes(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-NOT:       linalg.index 0
// CHECK:           %[[C:.+]] = linalg.index 1 : index
// CHECK:           %[[ROWS:.+]] = arith.muli %[[C]], %c6
// CHECK:           %[[BASE:.+]] = arith.muli %[[ROWS]], %c8
// CHECK:           arith.addi %[[BASE]], %{{.+}} : index
// CHECK:           linalg.yield
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK:         ^bb0(%[[P2:.+]]: i64,
// CHECK-NEXT:      %[[POSITION:.+]] = arith.index_cast %[[P2]] : i64 to index
// CHECK-NEXT:      %[[RESULT:.+]] = arith.index_cast %[[POSITION]] : index to i64
// CHECK-NEXT:      linalg.yield %[[RESULT]]
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK:           arith.remui %{{.+}}, %c8
func.func @axes(%x: tensor<3x2x6x8xi8>)
    -> (tensor<3x2x5x7xi64>, tensor<3x2x5x7xi64>, tensor<3x2x5x7xi64>) {
  %0, %1 = pool.max_pool %x kernel [2, 2] axis 1
         : tensor<3x2x6x8xi8> -> tensor<3x2x5x7xi8>, tensor<3x2x5x7xi64>
  %2, %3 = pool.max_pool %x kernel [2, 2] axis 2
         : tensor<3x2x6x8xi8> -> tensor<3x2x5x7xi8>, tensor<3x2x5x7xi64>
  %4, %5 = pool.max_pool %x kernel [2, 2] axis -1
         : tensor<3x2x6x8xi8> -> tensor<3x2x5x7xi8>, tensor<3x2x5x7xi64>
  return %1, %3, %5
       : tensor<3x2x5x7xi64>, tensor<3x2x5x7xi64>, tensor<3x2x5x7xi64>
}

// -----

// Channels last: indices count elements in the order in which they are stored.
// So neighbours in a row are two apart, since there are two channels.

// CHECK-LABEL: func @channels_last(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK:         ^bb0(%[[P:.+]]: i64,
// CHECK-DAG:       %[[POSITION:.+]] = arith.index_cast %[[P]] : i64 to index
// CHECK-DAG:       %[[N:.+]] = linalg.index 0 : index
// CHECK:           %[[ROWS:.+]] = arith.muli %[[N]], %c6
// CHECK:           %[[IMAGE:.+]] = arith.muli %[[ROWS]], %c8
// CHECK:           %[[PIXEL:.+]] = arith.addi %[[IMAGE]], %[[POSITION]]
// CHECK:           %[[BASE:.+]] = arith.muli %[[PIXEL]], %c2
// CHECK:           %[[C:.+]] = linalg.index 3 : index
// CHECK:           arith.addi %[[BASE]], %[[C]]
func.func @channels_last(%x: tensor<3x6x8x2xi8>) -> tensor<3x5x7x2xi64> {
  %0, %1 = pool.max_pool %x kernel [2, 2] layout channels_last
         : tensor<3x6x8x2xi8> -> tensor<3x5x7x2xi8>, tensor<3x5x7x2xi64>
  return %1 : tensor<3x5x7x2xi64>
}

// -----

// Both results are cast if their declared types are less static.

// CHECK-LABEL: func @less_static(
// CHECK-DAG:     %[[V:.+]] = tensor.cast %{{.+}} : tensor<1x1x7xi8> to tensor<?x?x?xi8>
// CHECK-DAG:     %[[I:.+]] = tensor.cast %{{.+}} : tensor<1x1x7xi32> to tensor<*xi32>
// CHECK:         return %[[V]], %[[I]]
func.func @less_static(%x: tensor<1x1x8xi8>)
    -> (tensor<?x?x?xi8>, tensor<*xi32>) {
  %0, %1 = pool.max_pool %x kernel [2]
         : tensor<1x1x8xi8> -> tensor<?x?x?xi8>, tensor<*xi32>
  return %0, %1 : tensor<?x?x?xi8>, tensor<*xi32>
}
