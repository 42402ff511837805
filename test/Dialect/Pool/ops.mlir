// Prints and parses pooling operations: every attribute, several ranks, both
// layouts, known and unknown extents. The pretty form, the generic form and
// bytecode must keep all of these.

// RUN: pool-opt %s | FileCheck %s
// RUN: pool-opt %s --mlir-print-op-generic | pool-opt | FileCheck %s
// RUN: pool-opt %s --emit-bytecode | pool-opt | FileCheck %s
// RUN: pool-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: %to_minima %s > %t.mlir
// RUN: pool-opt %t.mlir | FileCheck %t.mlir
// RUN: pool-opt %t.mlir --mlir-print-op-generic | FileCheck %t.mlir --check-prefix=GENERIC

// Attributes with default values are not printed.

// CHECK-LABEL: func @max_pool_defaults(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x3x3xf32>)
// CHECK:         %[[V:.+]] = pool.max_pool %[[X]] kernel [2, 2] : tensor<1x2x3x3xf32> -> tensor<1x2x2x2xf32>
// CHECK:         return %[[V]]
// GENERIC-LABEL: sym_name = "max_pool_defaults"
// GENERIC:         "pool.max_pool"(%{{.+}}) <{
// GENERIC-SAME:      auto_pad = #pool.auto_pad<explicit>
// GENERIC-SAME:      axis = 0 : i64
// GENERIC-SAME:      dilations = array<i64>
// GENERIC-SAME:      kernel = array<i64: 2, 2>
// GENERIC-SAME:      layout = #pool.layout<channels_first>
// GENERIC-SAME:      nan_mode = #pool.nan_mode<ignore>
// GENERIC-SAME:      pad_value = #pool.pad_value<neg_inf>
// GENERIC-SAME:      pads_begin = array<i64>
// GENERIC-SAME:      pads_end = array<i64>
// GENERIC-SAME:      rounding_type = #pool.rounding_type<floor>
// GENERIC-SAME:      same_output = #pool.same_output<input>
// GENERIC-SAME:      strides = array<i64>
func.func @max_pool_defaults(%x: tensor<1x2x3x3xf32>) -> tensor<1x2x2x2xf32> {
  %v = pool.max_pool %x kernel [2, 2]
     : tensor<1x2x3x3xf32> -> tensor<1x2x2x2xf32>
  return %v : tensor<1x2x2x2xf32>
}

// CHECK-LABEL: func @max_pool_written_defaults(
// CHECK:         pool.max_pool %{{.+}} kernel [2, 2] : tensor<1x2x3x3xf32> -> tensor<1x2x2x2xf32>
func.func @max_pool_written_defaults(%x: tensor<1x2x3x3xf32>)
    -> tensor<1x2x2x2xf32> {
  %v = pool.max_pool %x kernel [2, 2] rounding_type floor auto_pad explicit
         same_output input layout channels_first axis 0 pad_value neg_inf
         nan_mode ignore : tensor<1x2x3x3xf32> -> tensor<1x2x2x2xf32>
  return %v : tensor<1x2x2x2xf32>
}

// A list that is given is printed, even if it repeats the default.

// CHECK-LABEL: func @max_pool_all_lists(
// CHECK:         pool.max_pool %{{.+}} kernel [3, 2] strides [2, 1] dilations [1, 1] pads_begin [1, 0] pads_end [0, 2]
// CHECK-SAME:      : tensor<1x2x8x8xf32> -> tensor<1x2x4x9xf32>
// GENERIC-LABEL: sym_name = "max_pool_all_lists"
// GENERIC:         "pool.max_pool"(%{{.+}}) <{
// GENERIC-SAME:      dilations = array<i64: 1, 1>
// GENERIC-SAME:      kernel = array<i64: 3, 2>
// GENERIC-SAME:      pads_begin = array<i64: 1, 0>
// GENERIC-SAME:      pads_end = array<i64: 0, 2>
// GENERIC-SAME:      strides = array<i64: 2, 1>
func.func @max_pool_all_lists(%x: tensor<1x2x8x8xf32>) -> tensor<1x2x4x9xf32> {
  %v = pool.max_pool %x kernel [3, 2] strides [2, 1] dilations [1, 1]
         pads_begin [1, 0] pads_end [0, 2]
     : tensor<1x2x8x8xf32> -> tensor<1x2x4x9xf32>
  return %v : tensor<1x2x4x9xf32>
}

// Every case that is not the default.

// CHECK-LABEL: func @max_pool_enumerations(
// CHECK:         pool.max_pool %{{.+}} kernel [2] strides [2] rounding_type ceil :
// CHECK:         pool.max_pool %{{.+}} kernel [2] strides [2] rounding_type ceil_torch :
// CHECK:         pool.max_pool %{{.+}} kernel [2] auto_pad same_upper :
// CHECK:         pool.max_pool %{{.+}} kernel [2] strides [2] auto_pad same_lower same_output strided :
// CHECK:         pool.max_pool %{{.+}} kernel [2] auto_pad valid :
// CHECK:         pool.max_pool %{{.+}} kernel [2] pads_end [1] pad_value zero :
// CHECK:         pool.max_pool %{{.+}} kernel [2] nan_mode propagate :
// GENERIC-LABEL: sym_name = "max_pool_enumerations"
// GENERIC:         rounding_type = #pool.rounding_type<ceil>
// GENERIC:         rounding_type = #pool.rounding_type<ceil_torch>
// GENERIC:         auto_pad = #pool.auto_pad<same_upper>
// GENERIC:         auto_pad = #pool.auto_pad<same_lower>
// GENERIC-SAME:    same_output = #pool.same_output<strided>
// GENERIC:         auto_pad = #pool.auto_pad<valid>
// GENERIC:         pad_value = #pool.pad_value<zero>
// GENERIC:         nan_mode = #pool.nan_mode<propagate>
func.func @max_pool_enumerations(%x: tensor<1x2x5xf32>) {
  %0 = pool.max_pool %x kernel [2] strides [2] rounding_type ceil
     : tensor<1x2x5xf32> -> tensor<1x2x3xf32>
  %1 = pool.max_pool %x kernel [2] strides [2] rounding_type ceil_torch
     : tensor<1x2x5xf32> -> tensor<1x2x3xf32>
  %2 = pool.max_pool %x kernel [2] auto_pad same_upper
     : tensor<1x2x5xf32> -> tensor<1x2x5xf32>
  %3 = pool.max_pool %x kernel [2] strides [2] auto_pad same_lower
         same_output strided : tensor<1x2x5xf32> -> tensor<1x2x3xf32>
  %4 = pool.max_pool %x kernel [2] auto_pad valid
     : tensor<1x2x5xf32> -> tensor<1x2x4xf32>
  %5 = pool.max_pool %x kernel [2] pads_end [1] pad_value zero
     : tensor<1x2x5xf32> -> tensor<1x2x5xf32>
  %6 = pool.max_pool %x kernel [2] nan_mode propagate
     : tensor<1x2x5xf32> -> tensor<1x2x4xf32>
  return
}

// CHECK-LABEL: func @max_pool_indices(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x3x3xf32>)
// CHECK:         %[[V:.+]], %[[I:.+]] = pool.max_pool %[[X]] kernel [2, 2] strides [2, 2] pads_begin [1, 1] pads_end [1, 1] rounding_type ceil axis 2
// CHECK-SAME:      : tensor<1x2x3x3xf32> -> tensor<1x2x3x3xf32>, tensor<1x2x3x3xi64>
// CHECK:         %{{.+}}, %[[J:.+]] = pool.max_pool %[[X]] kernel [2, 2] axis -1
// CHECK-SAME:      : tensor<1x2x3x3xf32> -> tensor<1x2x2x2xf32>, tensor<1x2x2x2xi32>
// CHECK:         return %[[V]], %[[I]], %[[J]]
// GENERIC-LABEL: sym_name = "max_pool_indices"
// GENERIC:         %{{.+}}:2 = "pool.max_pool"(%{{.+}}) <{{.+}} axis = 2 : i64, {{.+}}> : (tensor<1x2x3x3xf32>) -> (tensor<1x2x3x3xf32>, tensor<1x2x3x3xi64>)
// GENERIC:         %{{.+}}:2 = "pool.max_pool"(%{{.+}}) <{{.+}} axis = -1 : i64, {{.+}}> : (tensor<1x2x3x3xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xi32>)
func.func @max_pool_indices(%x: tensor<1x2x3x3xf32>)
    -> (tensor<1x2x3x3xf32>, tensor<1x2x3x3xi64>, tensor<1x2x2x2xi32>) {
  %v, %i = pool.max_pool %x kernel [2, 2] strides [2, 2] pads_begin [1, 1]
             pads_end [1, 1] rounding_type ceil axis 2
         : tensor<1x2x3x3xf32> -> tensor<1x2x3x3xf32>, tensor<1x2x3x3xi64>
  %w, %j = pool.max_pool %x kernel [2, 2] axis -1
         : tensor<1x2x3x3xf32> -> tensor<1x2x2x2xf32>, tensor<1x2x2x2xi32>
  return %v, %i, %j
       : tensor<1x2x3x3xf32>, tensor<1x2x3x3xi64>, tensor<1x2x2x2xi32>
}

// The generic form with only non-default attributes, as other tools write it.

// CHECK-LABEL: func @generic_form(
// CHECK:         pool.max_pool %{{.+}} kernel [2, 2] rounding_type ceil axis 2
// CHECK-SAME:      : tensor<1x2x3x3xf32> -> tensor<1x2x2x2xf32>, tensor<1x2x2x2xi64>
// CHECK:         pool.avg_pool %{{.+}} kernel [2, 2] divisor padded
// CHECK-SAME:      : tensor<1x2x3x3xf32> -> tensor<1x2x2x2xf32>
func.func @generic_form(%x: tensor<1x2x3x3xf32>) {
  %0:2 = "pool.max_pool"(%x) <{kernel = array<i64: 2, 2>,
           rounding_type = #pool.rounding_type<ceil>, axis = 2 : i64}>
       : (tensor<1x2x3x3xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xi64>)
  %1 = "pool.avg_pool"(%x) <{kernel = array<i64: 2, 2>,
         divisor = #pool.divisor<padded>}>
     : (tensor<1x2x3x3xf32>) -> tensor<1x2x2x2xf32>
  return
}

// CHECK-LABEL: func @avg_pool_defaults(
// CHECK:         pool.avg_pool %{{.+}} kernel [2, 2] : tensor<1x2x3x3xf32> -> tensor<1x2x2x2xf32>
// GENERIC-LABEL: sym_name = "avg_pool_defaults"
// GENERIC:         "pool.avg_pool"(%{{.+}}) <{
// GENERIC-SAME:      divisor = #pool.divisor<valid>
// GENERIC-NOT:       divisor_override
// GENERIC-SAME:      input_zp = 0 : i64
// GENERIC-SAME:      integer_rounding = #pool.integer_rounding<half_even>
// GENERIC-SAME:      kernel = array<i64: 2, 2>
// GENERIC-SAME:      output_zp = 0 : i64
func.func @avg_pool_defaults(%x: tensor<1x2x3x3xf32>) -> tensor<1x2x2x2xf32> {
  %0 = pool.avg_pool %x kernel [2, 2] divisor valid integer_rounding half_even
         input_zp 0 output_zp 0 : tensor<1x2x3x3xf32> -> tensor<1x2x2x2xf32>
  return %0 : tensor<1x2x2x2xf32>
}

// CHECK-LABEL: func @avg_pool_attributes(
// CHECK:         pool.avg_pool %{{.+}} kernel [2] strides [2] dilations [2] pads_begin [1] pads_end [1] rounding_type ceil divisor kernel :
// CHECK:         pool.avg_pool %{{.+}} kernel [2] auto_pad same_lower same_output strided layout channels_last divisor padded :
// CHECK:         pool.avg_pool %{{.+}} kernel [2] divisor_override 3 integer_rounding half_up input_zp -128 output_zp 127 :
// CHECK:         pool.avg_pool %{{.+}} kernel [2] integer_rounding half_away :
// GENERIC-LABEL: sym_name = "avg_pool_attributes"
// GENERIC:         divisor = #pool.divisor<kernel>
// GENERIC:         divisor = #pool.divisor<padded>
// GENERIC:         divisor_override = 3 : i64
// GENERIC-SAME:    input_zp = -128 : i64
// GENERIC-SAME:    integer_rounding = #pool.integer_rounding<half_up>
// GENERIC-SAME:    output_zp = 127 : i64
// GENERIC:         integer_rounding = #pool.integer_rounding<half_away>
func.func @avg_pool_attributes(%x: tensor<1x5x2xi8>, %y: tensor<1x2x6xi8>) {
  %0 = pool.avg_pool %y kernel [2] strides [2] dilations [2] pads_begin [1]
         pads_end [1] rounding_type ceil divisor kernel
     : tensor<1x2x6xi8> -> tensor<1x2x4xi8>
  %1 = pool.avg_pool %x kernel [2] auto_pad same_lower same_output strided
         layout channels_last divisor padded
     : tensor<1x5x2xi8> -> tensor<1x5x2xi8>
  %2 = pool.avg_pool %y kernel [2] divisor_override 3 integer_rounding half_up
         input_zp -128 output_zp 127 : tensor<1x2x6xi8> -> tensor<1x2x5xi8>
  %3 = pool.avg_pool %y kernel [2] integer_rounding half_away
     : tensor<1x2x6xi8> -> tensor<1x2x5xi8>
  return
}

// CHECK-LABEL: func @lp_pool(
// CHECK:         pool.lp_pool %{{.+}} kernel [2] : tensor<1x2x5xf32> -> tensor<1x2x4xf32>
// CHECK:         pool.lp_pool %{{.+}} kernel [2] strides [2] rounding_type ceil p 1 : tensor<1x2x5xf32> -> tensor<1x2x3xf32>
// GENERIC-LABEL: sym_name = "lp_pool"
// GENERIC:         "pool.lp_pool"(%{{.+}}) <{
// GENERIC-SAME:      p = 2 : i64
func.func @lp_pool(%x: tensor<1x2x5xf32>) {
  %0 = pool.lp_pool %x kernel [2] p 2
     : tensor<1x2x5xf32> -> tensor<1x2x4xf32>
  %1 = pool.lp_pool %x kernel [2] strides [2] rounding_type ceil p 1
     : tensor<1x2x5xf32> -> tensor<1x2x3xf32>
  return
}

// Discardable attributes stay beside the properties.

// CHECK-LABEL: func @discardable_attributes(
// CHECK:         pool.max_pool %{{.+}} kernel [2] {note.text = "kept"} :
// CHECK:         pool.avg_pool %{{.+}} kernel [2] {note.number = 7 : i64, tag = "mine"} :
func.func @discardable_attributes(%x: tensor<1x2x5xf32>) {
  %0 = pool.max_pool %x kernel [2] {note.text = "kept"}
     : tensor<1x2x5xf32> -> tensor<1x2x4xf32>
  %1 = pool.avg_pool %x kernel [2] {note.number = 7, tag = "mine"}
     : tensor<1x2x5xf32> -> tensor<1x2x4xf32>
  return
}

// Clauses after `kernel` may come in any order. The printer has a fixed order.

// CHECK-LABEL: func @any_order(
// CHECK:         pool.avg_pool %{{.+}} kernel [2] strides [2] pads_begin [1] rounding_type ceil divisor kernel output_zp 3 :
// CHECK:         pool.max_pool %{{.+}} kernel [2] pads_end [1] auto_pad valid axis 2 nan_mode propagate :
func.func @any_order(%x: tensor<1x2x5xi8>, %y: tensor<1x2x5xf32>) {
  %0 = pool.avg_pool %x kernel [2] output_zp 3 divisor kernel
         rounding_type ceil pads_begin [1] strides [2]
     : tensor<1x2x5xi8> -> tensor<1x2x3xi8>
  %1 = pool.max_pool %y kernel [2] nan_mode propagate auto_pad valid axis 2
         pads_end [1]
     : tensor<1x2x5xf32> -> tensor<1x2x4xf32>
  return
}

// One to four spatial dimensions, channels first and last.

// CHECK-LABEL: func @ranks(
// CHECK:         pool.max_pool %{{.+}} kernel [2] : tensor<1x2x5xf32> -> tensor<1x2x4xf32>
// CHECK:         pool.max_pool %{{.+}} kernel [2, 3] : tensor<1x2x5x6xf32> -> tensor<1x2x4x4xf32>
// CHECK:         pool.avg_pool %{{.+}} kernel [2, 3, 1] : tensor<1x2x5x6x7xf32> -> tensor<1x2x4x4x7xf32>
// CHECK:         pool.avg_pool %{{.+}} kernel [2, 3, 1, 4] : tensor<1x2x5x6x7x8xf32> -> tensor<1x2x4x4x7x5xf32>
func.func @ranks(%x: tensor<1x2x5xf32>, %y: tensor<1x2x5x6xf32>,
                 %z: tensor<1x2x5x6x7xf32>, %w: tensor<1x2x5x6x7x8xf32>) {
  %0 = pool.max_pool %x kernel [2] : tensor<1x2x5xf32> -> tensor<1x2x4xf32>
  %1 = pool.max_pool %y kernel [2, 3]
     : tensor<1x2x5x6xf32> -> tensor<1x2x4x4xf32>
  %2 = pool.avg_pool %z kernel [2, 3, 1]
     : tensor<1x2x5x6x7xf32> -> tensor<1x2x4x4x7xf32>
  %3 = pool.avg_pool %w kernel [2, 3, 1, 4]
     : tensor<1x2x5x6x7x8xf32> -> tensor<1x2x4x4x7x5xf32>
  return
}

// CHECK-LABEL: func @channels_last(
// CHECK:         pool.max_pool %{{.+}} kernel [2] layout channels_last : tensor<1x5x2xf32> -> tensor<1x4x2xf32>
// CHECK:         pool.avg_pool %{{.+}} kernel [2, 3] layout channels_last : tensor<1x5x6x2xf32> -> tensor<1x4x4x2xf32>
// CHECK:         pool.max_pool %{{.+}} kernel [2, 3, 1] layout channels_last axis 1 : tensor<1x5x6x7x2xf32> -> tensor<1x4x4x7x2xf32>, tensor<1x4x4x7x2xi32>
func.func @channels_last(%x: tensor<1x5x2xf32>, %y: tensor<1x5x6x2xf32>,
                         %z: tensor<1x5x6x7x2xf32>) {
  %0 = pool.max_pool %x kernel [2] layout channels_last
     : tensor<1x5x2xf32> -> tensor<1x4x2xf32>
  %1 = pool.avg_pool %y kernel [2, 3] layout channels_last
     : tensor<1x5x6x2xf32> -> tensor<1x4x4x2xf32>
  %2, %3 = pool.max_pool %z kernel [2, 3, 1] layout channels_last axis 1
     : tensor<1x5x6x7x2xf32> -> tensor<1x4x4x7x2xf32>, tensor<1x4x4x7x2xi32>
  return
}

// An empty batch is valid.

// CHECK-LABEL: func @empty_batch(
// CHECK:         pool.max_pool %{{.+}} : tensor<0x2x5xf32> -> tensor<0x2x4xf32>, tensor<0x2x4xi64>
// CHECK:         pool.avg_pool %{{.+}} : tensor<0x2x5xf32> -> tensor<0x2x4xf32>
func.func @empty_batch(%x: tensor<0x2x5xf32>) {
  %0, %1 = pool.max_pool %x kernel [2]
     : tensor<0x2x5xf32> -> tensor<0x2x4xf32>, tensor<0x2x4xi64>
  %2 = pool.avg_pool %x kernel [2] : tensor<0x2x5xf32> -> tensor<0x2x4xf32>
  return
}

// Unknown extents stay unknown. A declared type may have fewer known extents
// than the rule gives.

// CHECK-LABEL: func @dynamic(
// CHECK:         pool.max_pool %{{.+}} kernel [2, 2] : tensor<?x3x?x8xf32> -> tensor<?x3x?x7xf32>, tensor<?x3x?x7xi64>
// CHECK:         pool.max_pool %{{.+}} kernel [2, 2] : tensor<?x3x?x8xf32> -> tensor<?x?x?x?xf32>, tensor<?x3x?x?xi64>
// CHECK:         pool.max_pool %{{.+}} kernel [2, 2] : tensor<?x3x?x8xf32> -> tensor<*xf32>, tensor<*xi32>
// CHECK:         pool.avg_pool %{{.+}} kernel [2, 2] : tensor<?x3x?x8xf32> -> tensor<?x3x?x?xf32>
func.func @dynamic(%x: tensor<?x3x?x8xf32>) {
  %0, %1 = pool.max_pool %x kernel [2, 2]
     : tensor<?x3x?x8xf32> -> tensor<?x3x?x7xf32>, tensor<?x3x?x7xi64>
  %2, %3 = pool.max_pool %x kernel [2, 2]
     : tensor<?x3x?x8xf32> -> tensor<?x?x?x?xf32>, tensor<?x3x?x?xi64>
  %4, %5 = pool.max_pool %x kernel [2, 2]
     : tensor<?x3x?x8xf32> -> tensor<*xf32>, tensor<*xi32>
  %6 = pool.avg_pool %x kernel [2, 2]
     : tensor<?x3x?x8xf32> -> tensor<?x3x?x?xf32>
  return
}

// CHECK-LABEL: func @unranked(
// CHECK:         pool.max_pool %{{.+}} kernel [2, 2] : tensor<*xf32> -> tensor<*xf32>, tensor<*xi64>
// CHECK:         pool.avg_pool %{{.+}} kernel [2, 2] : tensor<*xf32> -> tensor<?x?x?x?xf32>
func.func @unranked(%x: tensor<*xf32>) {
  %0, %1 = pool.max_pool %x kernel [2, 2]
     : tensor<*xf32> -> tensor<*xf32>, tensor<*xi64>
  %2 = pool.avg_pool %x kernel [2, 2] : tensor<*xf32> -> tensor<?x?x?x?xf32>
  return
}
