// The dialect must reject a plan (`pool.plan`) with invalid syntax, or on an
// operation that cannot have one. Whether a plan fits its operation is tested
// with convert-pool-to-vector.

// RUN: pool-opt %s --split-input-file --verify-diagnostics

func.func @other_dialect(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'math.sqrt' op cannot have the attribute 'pool.plan', which is for operations of the pool dialect}}
  %0 = math.sqrt %x {pool.plan = #pool.plan<"planes">} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error@+1 {{'func.func' op cannot have the attribute 'pool.plan', which is for operations of the pool dialect}}
func.func @function() attributes {pool.plan = #pool.plan<"planes">} {
  return
}

// -----

func.func @no_plan(%x: tensor<1x4x8xf32>) {
  // expected-error@+1 {{'pool.max_pool' op attribute 'pool.plan' must be a #pool.plan}}
  %0 = pool.max_pool %x kernel [2] {pool.plan = "planes"} : tensor<1x4x8xf32> -> tensor<1x4x7xf32>
  return
}

// -----

func.func @dictionary(%x: tensor<1x4x8xf32>) {
  // expected-error@+1 {{'pool.max_pool' op attribute 'pool.plan' must be a #pool.plan}}
  %0 = pool.max_pool %x kernel [2] {pool.plan = {rows = 1}} : tensor<1x4x8xf32> -> tensor<1x4x7xf32>
  return
}

// -----

func.func @unit(%x: tensor<1x4x8xf32>) {
  // expected-error@+1 {{'pool.max_pool' op attribute 'pool.plan' must be a #pool.plan}}
  %0 = pool.max_pool %x kernel [2] {pool.plan} : tensor<1x4x8xf32> -> tensor<1x4x7xf32>
  return
}

// -----

// expected-error@+1 {{a plan names a strategy}}
module attributes {my.plan = #pool.plan<"">} {}

// -----

// expected-error@+1 {{parameter 'rows' of a plan is an i64, a bool, a string or a plan, but is 1 : i32}}
module attributes {my.plan = #pool.plan<"planes", rows = 1 : i32>} {}

// -----

// expected-error@+1 {{parameter 'rows' of a plan is an i64, a bool, a string or a plan, but is 1.000000e+00 : f64}}
module attributes {my.plan = #pool.plan<"planes", rows = 1.0>} {}

// -----

// expected-error@+1 {{parameter 'rows' of a plan is an i64, a bool, a string or a plan, but is [1]}}
module attributes {my.plan = #pool.plan<"planes", rows = [1]>} {}

// -----

// expected-error@+1 {{parameter 'rows' of a plan is an i64, a bool, a string or a plan, but is 1 : index}}
module attributes {my.plan = #pool.plan<"planes", fallback = #pool.plan<"planes", rows = 1 : index>>} {}

// -----

// expected-error@+1 {{parameter 'rows' of a plan is an i64, a bool, a string or a plan, but is unit}}
module attributes {my.plan = #pool.plan<"planes", rows = unit>} {}

// -----

// expected-error@+1 {{parameter 'rows' is given twice}}
module attributes {my.plan = #pool.plan<"planes", rows = 1, columns = 2, rows = 1>} {}

// -----

// expected-error@+1 {{integer constant out of range for attribute}}
module attributes {my.plan = #pool.plan<"planes", rows = 18446744073709551616>} {}

// -----

// expected-error@+1 {{expected string}}
module attributes {my.plan = #pool.plan<planes>} {}

// -----

// expected-error@+1 {{expected '='}}
module attributes {my.plan = #pool.plan<"planes", carry>} {}

// -----

// expected-error@+1 {{expected valid keyword}}
module attributes {my.plan = #pool.plan<"planes", "rows" = 1>} {}

// -----

// expected-error@+1 {{expected '>'}}
module attributes {my.plan = #pool.plan<"planes" rows = 1>} {}

// -----

// expected-error@+1 {{expected '<'}}
module attributes {my.plan = #pool.plan} {}
