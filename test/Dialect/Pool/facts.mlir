// Attributes of the dialect that state facts about operations of other
// dialects, such as pool.divides_by_count. Later passes trust these facts. So
// the verifier must reject them on another kind of operation, or with a value.

// RUN: pool-opt %s --split-input-file --verify-diagnostics | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @facts(
// CHECK:         linalg.generic {{.*}} attrs = {pool.divides_by_count} {
func.func @facts(%x: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  %two = arith.constant 2.0 : f32
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%out : tensor<4xf32>)
      attrs = {pool.divides_by_count} {
  ^bb0(%in: f32, %unused: f32):
    %average = arith.divf %in, %two : f32
    linalg.yield %average : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
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

func.func @reports_values_elsewhere(%x: tensor<1x1x8xf32>) -> tensor<1x1x7xf32> {
  // expected-error@+1 {{'pool.avg_pool' op cannot have the attribute 'pool.reports_values', which is for 'cf.assert'}}
  %0 = pool.avg_pool %x kernel [2] {pool.reports_values}
    : tensor<1x1x8xf32> -> tensor<1x1x7xf32>
  return %0 : tensor<1x1x7xf32>
}
