// pool-tile-chains before pool-to-gpu. An intermediate result of a tile must
// get a slice of the tile's size, known before the launch, although padding
// makes the tiles at the borders smaller.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-tile-chains=grid=1,4,7,2 --pool-to-gpu=target=vulkan --mlir-print-ir-after=pool-map-to-gpu -o /dev/null 2>&1 | FileCheck %s

// CHECK-LABEL: func.func @padded(
// CHECK: memref.alloc() {{.*}}: memref<1x4x28x28xf32>
// CHECK: memref.alloc() : memref<4x7x2x1x1x6x16xf32>
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch
func.func @padded(%x: tensor<1x4x28x28xf32>) -> tensor<1x4x28x28xf32> {
  %t = pool.max_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1] : tensor<1x4x28x28xf32> -> tensor<1x4x28x28xf32>
  %y = pool.max_pool %t kernel [3, 3] pads_begin [1, 1] pads_end [1, 1] : tensor<1x4x28x28xf32> -> tensor<1x4x28x28xf32>
  return %y : tensor<1x4x28x28xf32>
}
