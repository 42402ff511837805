// Attributes of the dialect that state facts about operations of other
// dialects. Tests their forms, and which operations may have them.

// RUN: pool-opt %s --split-input-file --verify-diagnostics | FileCheck %s
// RUN: pool-opt %s --split-input-file --verify-diagnostics --scf-for-to-while \
// RUN:   | FileCheck %s --check-prefix=WHILE

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @facts(
// CHECK:         linalg.generic {{.*}} attrs = {pool.divides_by_count} {
// CHECK:         } {pool.largest_index}
// WHILE-LABEL: func.func @facts(
// WHILE:         scf.while
// WHILE:         attributes {pool.largest_index}
func.func @facts(%x: tensor<4xf32>, %i: tensor<4xi64>, %out: tensor<4xf32>)
    -> (tensor<4xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %two = arith.constant 2.0 : f32
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%out : tensor<4xf32>)
      attrs = {pool.divides_by_count} {
  ^bb0(%in: f32, %unused: f32):
    %average = arith.divf %in, %two : f32
    linalg.yield %average : f32
  } -> tensor<4xf32>
  %1 = scf.for %p = %c0 to %c4 step %c1 iter_args(%most = %c0) -> (index) {
    %element = tensor.extract %i[%p] : tensor<4xi64>
    %index = arith.index_cast %element : i64 to index
    %next = arith.maxui %most, %index : index
    scf.yield %next : index
  } {pool.largest_index}
  return %0, %1 : tensor<4xf32>, index
}

// -----

// The dialect does not check attribute names that it does not know, even with
// its prefix.

// CHECK-LABEL: func.func @own_note(
// CHECK:         {pool.note = 7 : i64}
func.func @own_note(%x: tensor<1x1x8xf32>) -> tensor<1x1x7xf32> {
  %0 = pool.max_pool %x kernel [2] {pool.note = 7 : i64}
    : tensor<1x1x8xf32> -> tensor<1x1x7xf32>
  return %0 : tensor<1x1x7xf32>
}

// -----

func.func @divides_by_count_elsewhere(%x: tensor<1x1x8xf32>) -> tensor<1x1x7xf32> {
  // expected-error@+1 {{'pool.avg_pool' op cannot have the attribute 'pool.divides_by_count', which is for 'linalg.generic'}}
  %0 = pool.avg_pool %x kernel [2] {pool.divides_by_count}
    : tensor<1x1x8xf32> -> tensor<1x1x7xf32>
  return %0 : tensor<1x1x7xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @divides_by_count_with_value(%x: tensor<4xf32>, %out: tensor<4xf32>)
    -> tensor<4xf32> {
  // expected-error@+1 {{'linalg.generic' op attribute 'pool.divides_by_count' must have no value}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%out : tensor<4xf32>)
      attrs = {pool.divides_by_count = true} {
  ^bb0(%in: f32, %unused: f32):
    linalg.yield %in : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error@+1 {{'func.func' op cannot have the attribute 'pool.largest_index', which is for 'scf.for'}}
func.func @largest_index_elsewhere() attributes {pool.largest_index} {
  return
}

// -----

func.func @largest_index_of_nothing(%c: index) {
  // expected-error@+1 {{'scf.for' op with the attribute 'pool.largest_index' must have one result, an index}}
  scf.for %p = %c to %c step %c {
  } {pool.largest_index}
  return
}

// -----

func.func @reports_values_elsewhere(%x: tensor<1x1x8xf32>) -> tensor<1x1x7xf32> {
  // expected-error@+1 {{'pool.avg_pool' op cannot have the attribute 'pool.reports_values', which is for 'cf.assert'}}
  %0 = pool.avg_pool %x kernel [2] {pool.reports_values}
    : tensor<1x1x8xf32> -> tensor<1x1x7xf32>
  return %0 : tensor<1x1x7xf32>
}
