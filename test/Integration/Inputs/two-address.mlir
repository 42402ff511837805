// An int8 maximum with indices over the channels; all extents are unknown.
// Compiling it crashed LLVM's two-address pass once in eight times
// (test/Integration/crash_repeats.py).
func.func @main(%x: tensor<?x?x?xi8>) -> (tensor<?x?x?xi8>, tensor<?x?x?xi64>) {
  %v, %i = "pool.max_pool"(%x) <{kernel = array<i64: 1>, axis = 1 : i64, nan_mode = #pool.nan_mode<propagate>, strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 2>, pads_end = array<i64: 2>, rounding_type = #pool.rounding_type<ceil>, auto_pad = #pool.auto_pad<same_lower>, same_output = #pool.same_output<strided>}> : (tensor<?x?x?xi8>) -> (tensor<?x?x?xi8>, tensor<?x?x?xi64>)
  return %v, %i : tensor<?x?x?xi8>, tensor<?x?x?xi64>
}
