// The time of pool-tile-chains must grow about linearly with the length of a
// chain, although the tile of each pooling depends on the tiles of all later
// ones. It once grew with the fourth power: this chain would have taken hours.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %python -c "t = 'tensor<1x1x4096xf32>'; print('func.func @chain(%%v0:', t, ') ->', t, '{'); [print(f'%%v{i + 1} = pool.max_pool %%v{i} kernel [3] pads_begin [1] pads_end [1] : {t} -> {t}') for i in range(200)]; print('return %%v200 :', t, '}')" > %t.mlir
// RUN: pool-opt %t.mlir --pool-tile-chains=grid=1,1,2 | FileCheck %s

// CHECK-LABEL:     func.func @chain(
// CHECK:           scf.forall
// CHECK-COUNT-200: pool.window_reduce <max>
// CHECK-NOT:       pool.
