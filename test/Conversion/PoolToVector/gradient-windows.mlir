// The strategy "gather" of convert-pool-to-vector: the gradient of a maximum
// with overlapping windows and given indices. The code goes over strips of a
// row of windows, and compares distances in the narrowest lanes that suffice.

// RUN: pool-opt %s --convert-pool-to-vector="vector-bits=512" --canonicalize --cse --split-input-file | FileCheck %s -enable-var-scope

// In planes with less than 65,536 positions, the distances between index and
// window fit 16 bits. A loop handles the strips between the first and the last
// ones. The loop carries the distances of this strip and of the previous one,
// and loads without masks.

// CHECK-LABEL: func.func @strips(
// CHECK:         ^bb0({{.*}}, %[[TARGET:[a-z0-9]+]]: memref<1x4x20x130xf32>):
// CHECK:         scf.for %[[R:[a-z0-9]+]] = {{.*}} -> (vector<16xi16>, vector<16xi16>, vector<8xi64>) {
// CHECK:           vector.store %{{.+}}, %[[TARGET]]
// CHECK:           scf.for %[[S:[a-z0-9]+]] = %{{.+}} to %{{.+}} step %c16 iter_args(%[[BEFORE:[a-z0-9]+]] = %{{[^,]+}}, %[[HERE:[a-z0-9]+]] = %{{[^,]+}}, {{.*}} -> (vector<16xi16>, vector<16xi16>, vector<16xi16>, vector<16xi16>, vector<8xi64>) {
// CHECK:             %[[NEXT_FIRST:.+]] = arith.addi %[[S]], %c16
// CHECK:             vector.load %{{.+}}[{{.*}}, %[[R]], %[[NEXT_FIRST]]] : {{.+}}, vector<8xi64>
// CHECK-NOT:         mask
// CHECK:             vector.shuffle %[[BEFORE]], %[[HERE]] [15,
// CHECK-NOT:         mask
// CHECK:             arith.cmpi eq, %[[HERE]],
// CHECK-NOT:         mask
// CHECK:             vector.shuffle %[[HERE]], %[[NEXT:.+]] [1,
// CHECK-NOT:         mask
// CHECK:             scf.yield %[[HERE]], %[[NEXT]],
// CHECK:           vector.maskedload
func.func @strips(%x: tensor<1x4x20x130xf32>, %g: tensor<1x4x20x130xf32>,
                  %i: tensor<1x4x20x130xi64>) -> tensor<1x4x20x130xf32> {
  %0 = pool.max_pool_grad %x, %g, %i kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
         axis 2 {pool.plan = #pool.plan<"gather">}
    : tensor<1x4x20x130xf32>, tensor<1x4x20x130xf32>, tensor<1x4x20x130xi64>
    -> tensor<1x4x20x130xf32>
  return %0 : tensor<1x4x20x130xf32>
}

// -----

// In larger planes, distances have 32 bits, like the indices here.

// CHECK-LABEL: func.func @large(
// CHECK:         scf.for {{.*}} -> (vector<16xi32>, vector<16xi32>) {
// CHECK-NOT:       arith.trunci
// CHECK:         return
func.func @large(%x: tensor<1x4x400x400xf32>, %g: tensor<1x4x400x400xf32>,
                 %i: tensor<1x4x400x400xi32>) -> tensor<1x4x400x400xf32> {
  %0 = pool.max_pool_grad %x, %g, %i kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
         axis 2 {pool.plan = #pool.plan<"gather">}
    : tensor<1x4x400x400xf32>, tensor<1x4x400x400xf32>, tensor<1x4x400x400xi32>
    -> tensor<1x4x400x400xf32>
  return %0 : tensor<1x4x400x400xf32>
}
