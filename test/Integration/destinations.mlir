// Results of pooling that are inserted into other tensors, which the vector
// path writes in place. The input may be the destination, and the destination
// may have other readers, so a write in place may overwrite data too early. All
// results must equal the results of path=linalg.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/compare_paths.py %s %t

// A loop pools a part of the tensor that it also writes to. So each tile reads
// what earlier tiles wrote.
func.func @own_input(%x: tensor<1x4x24x40xf32>) -> tensor<1x4x24x40xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c20 = arith.constant 20 : index
  %0 = scf.for %i = %c0 to %c20 step %c2 iter_args(%t = %x) -> tensor<1x4x24x40xf32> {
    %part = tensor.extract_slice %t[0, 0, %i, 0] [1, 4, 5, 40] [1, 1, 1, 1]
      : tensor<1x4x24x40xf32> to tensor<1x4x5x40xf32>
    %max = pool.max_pool %part kernel [2, 3] pads_begin [0, 1] pads_end [0, 1]
      : tensor<1x4x5x40xf32> -> tensor<1x4x4x40xf32>
    %j = arith.addi %i, %c0 : index
    %u = tensor.insert_slice %max into %t[0, 0, %j, 0] [1, 4, 4, 40] [1, 1, 1, 1]
      : tensor<1x4x4x40xf32> into tensor<1x4x24x40xf32>
    scf.yield %u : tensor<1x4x24x40xf32>
  }
  return %0 : tensor<1x4x24x40xf32>
}

// The pooling reads the whole tensor, and its result overwrites a part of it.
func.func @whole_input(%x: tensor<1x4x24x40xf32>) -> tensor<1x4x24x40xf32> {
  %e = tensor.empty() : tensor<1x4x24x40xf32>
  %y = linalg.negf ins(%x : tensor<1x4x24x40xf32>) outs(%e : tensor<1x4x24x40xf32>) -> tensor<1x4x24x40xf32>
  %max = pool.max_pool %y kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1]
    : tensor<1x4x24x40xf32> -> tensor<1x4x12x20xf32>
  %z = tensor.insert_slice %max into %y[0, 0, 3, 5] [1, 4, 12, 20] [1, 1, 1, 1]
    : tensor<1x4x12x20xf32> into tensor<1x4x24x40xf32>
  return %z : tensor<1x4x24x40xf32>
}

// The destination without the insertion has another reader, and so has the
// pooled result.
func.func @other_readers(%x: tensor<1x4x24x40xf32>)
    -> (tensor<1x4x24x40xf32>, tensor<1x4x24x40xf32>, tensor<1x4x24x20xf32>) {
  %e = tensor.empty() : tensor<1x4x24x40xf32>
  %d = linalg.negf ins(%x : tensor<1x4x24x40xf32>) outs(%e : tensor<1x4x24x40xf32>) -> tensor<1x4x24x40xf32>
  %max = pool.max_pool %x kernel [1, 2] strides [1, 2]
    : tensor<1x4x24x40xf32> -> tensor<1x4x24x20xf32>
  %z = tensor.insert_slice %max into %d[0, 0, 0, 7] [1, 4, 24, 20] [1, 1, 1, 1]
    : tensor<1x4x24x20xf32> into tensor<1x4x24x40xf32>
  return %z, %d, %max : tensor<1x4x24x40xf32>, tensor<1x4x24x40xf32>, tensor<1x4x24x20xf32>
}

// The branches of an inception block are concatenated. One branch reduces whole
// planes, and its strategy requires a packed result.
func.func @concatenated(%x: tensor<1x32x7x7xi32>) -> tensor<1x96x7x7xi32> {
  %e = tensor.empty() : tensor<1x96x7x7xi32>
  %max = pool.max_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
    : tensor<1x32x7x7xi32> -> tensor<1x32x7x7xi32>
  %min = pool.min_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
    : tensor<1x32x7x7xi32> -> tensor<1x32x7x7xi32>
  %average = pool.avg_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
    : tensor<1x32x7x7xi32> -> tensor<1x32x7x7xi32>
  %0 = tensor.insert_slice %max into %e[0, 0, 0, 0] [1, 32, 7, 7] [1, 1, 1, 1]
    : tensor<1x32x7x7xi32> into tensor<1x96x7x7xi32>
  %1 = tensor.insert_slice %min into %0[0, 32, 0, 0] [1, 32, 7, 7] [1, 1, 1, 1]
    : tensor<1x32x7x7xi32> into tensor<1x96x7x7xi32>
  %2 = tensor.insert_slice %average into %1[0, 64, 0, 0] [1, 32, 7, 7] [1, 1, 1, 1]
    : tensor<1x32x7x7xi32> into tensor<1x96x7x7xi32>
  return %2 : tensor<1x96x7x7xi32>
}
func.func @whole_planes(%x: tensor<1x32x7x7xi32>) -> tensor<1x64x3x1xi32> {
  %e = arith.constant dense<7> : tensor<1x64x3x1xi32>
  %max = pool.max_pool %x kernel [7, 7] : tensor<1x32x7x7xi32> -> tensor<1x32x1x1xi32>
  %0 = tensor.insert_slice %max into %e[0, 9, 1, 0] [1, 32, 1, 1] [1, 1, 1, 1]
    : tensor<1x32x1x1xi32> into tensor<1x64x3x1xi32>
  return %0 : tensor<1x64x3x1xi32>
}
func.func @few_channels(%x: tensor<1x9x33x3xf32>) -> tensor<1x9x40x5xf32> {
  %e = arith.constant dense<7.0> : tensor<1x9x40x5xf32>
  %max = pool.max_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1] layout channels_last
    : tensor<1x9x33x3xf32> -> tensor<1x9x33x3xf32>
  %0 = tensor.insert_slice %max into %e[0, 0, 2, 1] [1, 9, 33, 3] [1, 1, 1, 1]
    : tensor<1x9x33x3xf32> into tensor<1x9x40x5xf32>
  return %0 : tensor<1x9x40x5xf32>
}

// Slices with a dropped dimension and with strides, in one, two and three
// dimensions.
func.func @dropped_dimension(%x: tensor<2x3x50xf16>) -> tensor<2x5x3x25xf16> {
  %e = arith.constant dense<7.0> : tensor<2x5x3x25xf16>
  %max = pool.max_pool %x kernel [2] strides [2] : tensor<2x3x50xf16> -> tensor<2x3x25xf16>
  %0 = tensor.insert_slice %max into %e[0, 4, 0, 0] [2, 1, 3, 25] [1, 1, 1, 1]
    : tensor<2x3x25xf16> into tensor<2x5x3x25xf16>
  return %0 : tensor<2x5x3x25xf16>
}
func.func @interleaved(%x: tensor<1x4x24x40xi8>) -> tensor<1x4x48x40xi8> {
  %e = arith.constant dense<7> : tensor<1x4x48x40xi8>
  %max = pool.max_pool %x kernel [3, 2] strides [1, 2] pads_begin [1, 0] pads_end [1, 0]
    : tensor<1x4x24x40xi8> -> tensor<1x4x24x20xi8>
  %0 = tensor.insert_slice %max into %e[0, 0, 1, 1] [1, 4, 24, 20] [1, 1, 2, 2]
    : tensor<1x4x24x20xi8> into tensor<1x4x48x40xi8>
  return %0 : tensor<1x4x48x40xi8>
}
func.func @indices(%x: tensor<1x3x6x7x40xi64>) -> (tensor<1x5x6x7x40xi64>, tensor<1x5x6x7x40xi64>) {
  %e = arith.constant dense<7> : tensor<1x5x6x7x40xi64>
  %max, %index = pool.max_pool %x kernel [2, 3, 3] pads_begin [1, 1, 1] pads_end [0, 1, 1]
    : tensor<1x3x6x7x40xi64> -> tensor<1x3x6x7x40xi64>, tensor<1x3x6x7x40xi64>
  %0 = tensor.insert_slice %max into %e[0, 1, 0, 0, 0] [1, 3, 6, 7, 40] [1, 1, 1, 1, 1]
    : tensor<1x3x6x7x40xi64> into tensor<1x5x6x7x40xi64>
  %1 = tensor.insert_slice %index into %e[0, 2, 0, 0, 0] [1, 3, 6, 7, 40] [1, 1, 1, 1, 1]
    : tensor<1x3x6x7x40xi64> into tensor<1x5x6x7x40xi64>
  return %0, %1 : tensor<1x5x6x7x40xi64>, tensor<1x5x6x7x40xi64>
}

// Values and indices are inserted into the same tensor.
func.func @one_destination(%x: tensor<1x4x24x40xi64>) -> tensor<1x8x24x40xi64> {
  %e = tensor.empty() : tensor<1x8x24x40xi64>
  %max, %index = pool.max_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
    : tensor<1x4x24x40xi64> -> tensor<1x4x24x40xi64>, tensor<1x4x24x40xi64>
  %0 = tensor.insert_slice %max into %e[0, 0, 0, 0] [1, 4, 24, 40] [1, 1, 1, 1]
    : tensor<1x4x24x40xi64> into tensor<1x8x24x40xi64>
  %1 = tensor.insert_slice %index into %0[0, 4, 0, 0] [1, 4, 24, 40] [1, 1, 1, 1]
    : tensor<1x4x24x40xi64> into tensor<1x8x24x40xi64>
  return %1 : tensor<1x8x24x40xi64>
}

// A gradient and an unpooled tensor are inserted.
func.func @unpooled(%x: tensor<1x4x24x40xf32>) -> tensor<1x9x24x40xf32> {
  %e = arith.constant dense<7.0> : tensor<1x9x24x40xf32>
  %max, %index = pool.max_pool %x kernel [2, 2] strides [2, 2] axis 2
    : tensor<1x4x24x40xf32> -> tensor<1x4x12x20xf32>, tensor<1x4x12x20xi64>
  %grad = pool.max_pool_grad %x, %max kernel [2, 2] strides [2, 2]
    : tensor<1x4x24x40xf32>, tensor<1x4x12x20xf32> -> tensor<1x4x24x40xf32>
  %all = pool.max_unpool %max, %index axis 2
    : tensor<1x4x12x20xf32>, tensor<1x4x12x20xi64> -> tensor<1x4x24x40xf32>
  %0 = tensor.insert_slice %grad into %e[0, 0, 0, 0] [1, 4, 24, 40] [1, 1, 1, 1]
    : tensor<1x4x24x40xf32> into tensor<1x9x24x40xf32>
  %1 = tensor.insert_slice %all into %0[0, 5, 0, 0] [1, 4, 24, 40] [1, 1, 1, 1]
    : tensor<1x4x24x40xf32> into tensor<1x9x24x40xf32>
  return %1 : tensor<1x9x24x40xf32>
}

// The result of adaptive pooling with windows of several sizes is inserted.
func.func @adaptive(%x: tensor<1x4x24x40xf32>) -> tensor<1x9x7x9xf32> {
  %e = arith.constant dense<7.0> : tensor<1x9x7x9xf32>
  %max = pool.adaptive_max_pool %x output_size [7, 9]
    : tensor<1x4x24x40xf32> -> tensor<1x4x7x9xf32>
  %0 = tensor.insert_slice %max into %e[0, 3, 0, 0] [1, 4, 7, 9] [1, 1, 1, 1]
    : tensor<1x4x7x9xf32> into tensor<1x9x7x9xf32>
  return %0 : tensor<1x9x7x9xf32>
}

// The destinations have unknown extents. A strategy that requires a packed
// result writes to a separate buffer, which is then copied.
func.func @unknown_slice(%x: tensor<1x2x7x3xf32>) -> tensor<1x4x7x3xf32> {
  %c2 = arith.constant 2 : index
  %y = tensor.cast %x : tensor<1x2x7x3xf32> to tensor<1x?x7x3xf32>
  %e = arith.constant dense<7.0> : tensor<1x4x7x3xf32>
  %d = tensor.cast %e : tensor<1x4x7x3xf32> to tensor<1x?x7x3xf32>
  %max = pool.max_pool %y kernel [3, 3] pads_begin [1, 1] pads_end [1, 1] layout channels_last
    : tensor<1x?x7x3xf32> -> tensor<1x?x7x3xf32>
  %0 = tensor.insert_slice %max into %d[0, 0, 0, 0] [1, %c2, 7, 3] [1, 1, 1, 1]
    : tensor<1x?x7x3xf32> into tensor<1x?x7x3xf32>
  %1 = tensor.cast %0 : tensor<1x?x7x3xf32> to tensor<1x4x7x3xf32>
  return %1 : tensor<1x4x7x3xf32>
}
func.func @unknown_planes(%x: tensor<2x32x7x7xi32>) -> tensor<3x40x1x1xi32> {
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %y = tensor.cast %x : tensor<2x32x7x7xi32> to tensor<?x?x7x7xi32>
  %e = arith.constant dense<7> : tensor<3x40x1x1xi32>
  %d = tensor.cast %e : tensor<3x40x1x1xi32> to tensor<?x?x1x1xi32>
  %max = pool.max_pool %y kernel [7, 7] : tensor<?x?x7x7xi32> -> tensor<?x?x1x1xi32>
  %0 = tensor.insert_slice %max into %d[0, 0, 0, 0] [%c2, %c32, 1, 1] [1, 1, 1, 1]
    : tensor<?x?x1x1xi32> into tensor<?x?x1x1xi32>
  %1 = tensor.cast %0 : tensor<?x?x1x1xi32> to tensor<3x40x1x1xi32>
  return %1 : tensor<3x40x1x1xi32>
}
func.func @unknown_concatenation(%a: tensor<1x2x3x2xi8>) -> tensor<1x2x9x2xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %b = tensor.cast %a : tensor<1x2x3x2xi8> to tensor<1x2x?x2xi8>
  %x = tensor.concat dim(2) %b, %a, %a
    : (tensor<1x2x?x2xi8>, tensor<1x2x3x2xi8>, tensor<1x2x3x2xi8>) -> tensor<1x2x?x2xi8>
  %r:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%u = %x, %v = %x)
      -> (tensor<1x2x?x2xi8>, tensor<1x2x?x2xi8>) {
    %average = pool.avg_pool %v kernel [3, 4] auto_pad same_lower divisor kernel divisor_override 3
      : tensor<1x2x?x2xi8> -> tensor<1x2x?x2xi8>
    %w = tensor.insert_slice %average into %v[%i, 0, 0, 0] [1, 2, %c9, 2] [1, 1, 1, 1]
      : tensor<1x2x?x2xi8> into tensor<1x2x?x2xi8>
    scf.yield %w, %u : tensor<1x2x?x2xi8>, tensor<1x2x?x2xi8>
  }
  %z = tensor.cast %r#0 : tensor<1x2x?x2xi8> to tensor<1x2x9x2xi8>
  return %z : tensor<1x2x9x2xi8>
}

// The tensor that one loop of tiles writes is the initial destination of the
// next loop.
func.func @chained(%x: tensor<1x4x24x40xf32>) -> tensor<1x4x24x40xf32> {
  %d = tensor.empty() : tensor<1x4x24x40xf32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %first = scf.for %i = %c0 to %c4 step %c2 iter_args(%t = %d) -> tensor<1x4x24x40xf32> {
    %part = tensor.extract_slice %x[0, %i, 0, 0] [1, 2, 24, 40] [1, 1, 1, 1]
      : tensor<1x4x24x40xf32> to tensor<1x2x24x40xf32>
    %max = pool.max_pool %part kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
      : tensor<1x2x24x40xf32> -> tensor<1x2x24x40xf32>
    %u = tensor.insert_slice %max into %t[0, %i, 0, 0] [1, 2, 24, 40] [1, 1, 1, 1]
      : tensor<1x2x24x40xf32> into tensor<1x4x24x40xf32>
    scf.yield %u : tensor<1x4x24x40xf32>
  }
  %e = tensor.empty() : tensor<1x4x24x40xf32>
  %second = scf.for %i = %c0 to %c4 step %c2 iter_args(%t = %e) -> tensor<1x4x24x40xf32> {
    %part = tensor.extract_slice %first[0, %i, 0, 0] [1, 2, 24, 40] [1, 1, 1, 1]
      : tensor<1x4x24x40xf32> to tensor<1x2x24x40xf32>
    %max = pool.max_pool %part kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
      : tensor<1x2x24x40xf32> -> tensor<1x2x24x40xf32>
    %u = tensor.insert_slice %max into %t[0, %i, 0, 0] [1, 2, 24, 40] [1, 1, 1, 1]
      : tensor<1x2x24x40xf32> into tensor<1x4x24x40xf32>
    scf.yield %u : tensor<1x4x24x40xf32>
  }
  %third = scf.for %i = %c0 to %c4 step %c2 iter_args(%t = %first) -> tensor<1x4x24x40xf32> {
    %part = tensor.extract_slice %second[0, %i, 0, 0] [1, 2, 24, 40] [1, 1, 1, 1]
      : tensor<1x4x24x40xf32> to tensor<1x2x24x40xf32>
    %max = pool.max_pool %part kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
      : tensor<1x2x24x40xf32> -> tensor<1x2x24x40xf32>
    %u = tensor.insert_slice %max into %t[0, %i, 0, 0] [1, 2, 24, 40] [1, 1, 1, 1]
      : tensor<1x2x24x40xf32> into tensor<1x4x24x40xf32>
    scf.yield %u : tensor<1x4x24x40xf32>
  }
  return %third : tensor<1x4x24x40xf32>
}
