// The strategy of convert-pool-to-vector for windows that fit no other one: the
// code loops over their taps. It must load only lanes that lie in the input.

// RUN: pool-opt %s --convert-pool-to-vector --canonicalize --cse --split-input-file | FileCheck %s --enable-var-scope

// Positions, with windows that may have only padding: taps are 2 columns apart,
// and a row may have a single column. A lane whose tap lies outside the input
// gets no position.

// CHECK-LABEL: func.func @positions(
// CHECK-SAME:    %[[X:.+]]: tensor<1x4x?x?xi32>
// CHECK-DAG:     %[[LOWEST:.+]] = arith.constant dense<-2147483648> : vector<{{.+}}xi32>
// CHECK-DAG:     %[[NONE:.+]] = arith.constant dense<-1> : vector<{{.+}}xi64>
// CHECK:         pool.on_buffers ins(%[[X]] :
// CHECK-NEXT:    ^bb0(%[[IN:.+]]: memref<1x4x?x?xi32>, %{{.+}}: memref<1x4x?x?xi32>, %{{.+}}: memref<1x4x?x?xi64>):
// CHECK:         scf.parallel
// CHECK:           scf.for
// CHECK:             %[[RESULTS:.+]]:2 = scf.for {{.*}} iter_args(%{{.+}} = %[[LOWEST]], %{{.+}} = %[[NONE]])
// CHECK:               scf.for {{.*}} iter_args(%[[ACC:.+]] = %{{.+}}, %[[POSITION:.+]] = %{{.+}})
// CHECK:                 %[[INSIDE:.+]] = arith.andi
// CHECK:                 %[[ELEMENT:.+]] = vector.maskedload %[[IN]]{{.+}}, %[[INSIDE]], %[[LOWEST]]
// CHECK:                 %[[HERE:.+]] = arith.select %[[INSIDE]], %{{.+}}, %[[NONE]]
// CHECK:                 %[[EARLIER:.+]] = arith.cmpi ult, %[[HERE]], %[[POSITION]]
// CHECK:                 %[[EQUAL:.+]] = arith.cmpi eq, %[[ELEMENT]], %[[ACC]]
// CHECK:                 %[[GREATER:.+]] = arith.cmpi sgt, %[[ELEMENT]], %[[ACC]]
// CHECK:                 %[[FIRST:.+]] = arith.andi %[[EQUAL]], %[[EARLIER]]
// CHECK:                 %[[CHOSEN:.+]] = arith.ori %[[GREATER]], %[[FIRST]]
// CHECK:                 arith.select %[[CHOSEN]], %[[ELEMENT]], %[[ACC]]
// CHECK:                 arith.select %[[CHOSEN]], %[[HERE]], %[[POSITION]]
// CHECK:             vector.maskedstore {{.+}}, %[[RESULTS]]#0
// CHECK-NOT:     {{pool\.(max|min|avg|lp|adaptive|window)_}}
func.func @positions(%x: tensor<1x4x?x?xi32>) -> (tensor<1x4x?x?xi32>, tensor<1x4x?x?xi64>) {
  %0, %1 = pool.max_pool %x kernel [3, 3] dilations [2, 2] pads_begin [2, 2] pads_end [2, 2]
     {pool.plan = #pool.plan<"direct", lanes = 16>}
     : tensor<1x4x?x?xi32> -> tensor<1x4x?x?xi32>, tensor<1x4x?x?xi64>
  return %0, %1 : tensor<1x4x?x?xi32>, tensor<1x4x?x?xi64>
}

// -----

// With a stride, lanes are loaded one by one, and only if they lie in the
// input.

// CHECK-LABEL: func.func @strided(
// CHECK:         ^bb0(%[[IN:[a-z0-9]+]]: memref<1x1x60x60xf64>,
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           scf.for {{.*}} iter_args
// CHECK-COUNT-2:     memref.load %[[IN]]
// CHECK:             vector.from_elements
// CHECK:             arith.select %{{.+}}, %{{.+}}, %{{.+}} : vector<{{.+}}xi1>, vector<{{.+}}xf64>
// CHECK-NOT:     {{pool\.(max|min|avg|lp|adaptive|window)_}}
func.func @strided(%x: tensor<1x1x60x60xf64>) -> (tensor<1x1x15x15xf64>, tensor<1x1x15x15xi64>) {
  %0, %1 = pool.max_pool %x kernel [31, 31] strides [2, 2] {pool.plan = #pool.plan<"direct", lanes = 8>} : tensor<1x1x60x60xf64> -> tensor<1x1x15x15xf64>, tensor<1x1x15x15xi64>
  return %0, %1 : tensor<1x1x15x15xf64>, tensor<1x1x15x15xi64>
}

// -----

// With channels last, lanes are channels. So all lanes of a tap lie inside the
// input, or none.

// CHECK-LABEL: func.func @channels_last(
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           scf.for {{.*}} iter_args
// CHECK:             vector.maskedload
// CHECK:             vector.broadcast
// CHECK-NOT:     vector.from_elements
// CHECK-NOT:     {{pool\.(max|min|avg|lp|adaptive|window)_}}
func.func @channels_last(%x: tensor<1x4x4x20xf32>) -> (tensor<1x4x4x20xf32>, tensor<1x4x4x20xi64>) {
  %0, %1 = pool.max_pool %x kernel [2, 2] dilations [1, 9] pads_begin [1, 9] pads_end [0, 0] layout channels_last
     : tensor<1x4x4x20xf32> -> tensor<1x4x4x20xf32>, tensor<1x4x4x20xi64>
  return %0, %1 : tensor<1x4x4x20xf32>, tensor<1x4x4x20xi64>
}

// -----

// The window has far too many taps for straight code. The batch is empty, so no
// loop is left.

// CHECK-LABEL: func.func @many_taps(
// CHECK-NOT:     scf.
// CHECK:         return
func.func @many_taps(%x: tensor<0x1x1073741824x1073741824x8x8xf32>) -> tensor<0x1x1x1x7x7xf32> {
  %0 = pool.max_pool %x kernel [1073741824, 1073741824, 2, 2]
     : tensor<0x1x1073741824x1073741824x8x8xf32> -> tensor<0x1x1x1x7x7xf32>
  return %0 : tensor<0x1x1x1x7x7xf32>
}

// -----

// Until a 128-bit sum is divided, it is two vectors, with the low and the high
// halves. Carries connect them.

// CHECK-LABEL: func.func @wide_sums(
// CHECK:         %[[SUM:.+]]:2 = scf.for {{.*}} -> (vector<8xi64>, vector<8xi64>)
// CHECK:           scf.for {{.*}} iter_args(%[[LOW:.+]] = %{{.+}}, %[[HIGH:.+]] = %{{.+}}) ->
// CHECK:             %[[ELEMENT:.+]] = vector.maskedload
// CHECK:             %[[SIGN:.+]] = arith.shrsi %[[ELEMENT]]
// CHECK:             %[[ADDED:.+]] = arith.addi %[[LOW]], %[[ELEMENT]]
// CHECK:             arith.cmpi ult, %[[ADDED]], %[[LOW]]
// CHECK:             arith.addi %[[HIGH]], %[[SIGN]]
// CHECK:         arith.extui %[[SUM]]#0 : vector<8xi64> to vector<8xi128>
// CHECK:         arith.extsi %[[SUM]]#1 : vector<8xi64> to vector<8xi128>
func.func @wide_sums(%x: tensor<1x4x8x8xi64>) -> tensor<1x4x7x7xi64> {
  %0 = pool.avg_pool %x kernel [2, 2] : tensor<1x4x8x8xi64> -> tensor<1x4x7x7xi64>
  return %0 : tensor<1x4x7x7xi64>
}
