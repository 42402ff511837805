// convert-pool-to-vector after upstream's tiling, and then bufferisation. Each
// tile must be written directly to its slice of the whole result. No tile may
// allocate a result or copy it.

// DEFINE: %{route} = channels
// DEFINE: %{tile} = pool-opt %s --transform-preload-library=transform-library-paths=%S/Inputs/tile.mlir --transform-interpreter=entry-point=%{route} --canonicalize --cse
// DEFINE: %{bufferize} = --convert-pool-to-vector --canonicalize --cse --pool-separate-destinations --pool-eliminate-empty-tensors --pool-bufferize --pool-results-to-out-params --canonicalize
// DEFINE: %{check} = FileCheck %s --implicit-check-not=memref.alloc --implicit-check-not=memref.copy --check-prefix

// RUN: %{tile} %{bufferize} | %{check} FOR
// REDEFINE: %{route} = rows
// RUN: %{tile} %{bufferize} | %{check} FOR
// REDEFINE: %{route} = channels_and_rows
// RUN: %{tile} %{bufferize} | %{check} FOR
// REDEFINE: %{route} = parallel
// RUN: %{tile} %{bufferize} | %{check} FORALL
// REDEFINE: %{route} = threads
// RUN: %{tile} %{bufferize} | %{check} FORALL
// RUN: pool-opt %s --pool-tile-chains=grid=1,4 %{bufferize} | %{check} FORALL
// RUN: pool-opt %s --pool-decompose -o %t.mlir
// RUN: pool-opt %t.mlir --transform-preload-library=transform-library-paths=%S/Inputs/tile.mlir --transform-interpreter=entry-point=rows --canonicalize --cse %{bufferize} | FileCheck %s --check-prefix=WINDOW

// Tiles of `pool.window_reduce` have a slice of the loop's tensor as destination.

// WINDOW-LABEL: func.func @stem(
// WINDOW-NOT:     memref.alloc
// WINDOW-NOT:     memref.copy
// WINDOW:         scf.for
// WINDOW-NOT:     memref.alloc
// WINDOW-NOT:     memref.copy
// WINDOW:         return

// FOR-LABEL: func.func @stem(
// FOR-SAME:    %{{.+}}: memref<1x64x112x112xf32>, %[[OUT:.+]]: memref<1x64x56x56xf32>)
// FOR:         scf.for
// FOR:           %[[SLICE:.+]] = memref.subview %[[OUT]]
// FOR:           vector.{{(masked)?}}store {{.*}}%[[SLICE]][
// FORALL-LABEL: func.func @stem(
// FORALL-SAME:    %{{.+}}: memref<1x64x112x112xf32>, %[[OUT:.+]]: memref<1x64x56x56xf32>)
// FORALL:         scf.forall
// FORALL:           %[[SLICE:.+]] = memref.subview %[[OUT]]
// FORALL:           vector.{{(masked)?}}store {{.*}}%[[SLICE]][
func.func @stem(%x: tensor<1x64x112x112xf32>) -> tensor<1x64x56x56xf32> {
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1]
     : tensor<1x64x112x112xf32> -> tensor<1x64x56x56xf32>
  return %0 : tensor<1x64x56x56xf32>
}

// Both results of a maximum with indices, and an average with its division.

// FOR-LABEL: func.func @indices(
// FOR-SAME:    %[[VALUES:[a-z0-9]+]]: memref<1x64x56x56xf16>, %[[INDICES:[a-z0-9]+]]: memref<1x64x56x56xi64>)
// FOR:         scf.for
// FOR-DAG:       memref.subview %[[VALUES]]
// FOR-DAG:       memref.subview %[[INDICES]]
// FORALL-LABEL: func.func @indices(
func.func @indices(%x: tensor<1x64x112x112xf16>) -> (tensor<1x64x56x56xf16>, tensor<1x64x56x56xi64>) {
  %0, %1 = pool.max_pool %x kernel [2, 2] strides [2, 2]
     : tensor<1x64x112x112xf16> -> tensor<1x64x56x56xf16>, tensor<1x64x56x56xi64>
  return %0, %1 : tensor<1x64x56x56xf16>, tensor<1x64x56x56xi64>
}

// FOR-LABEL: func.func @average(
// FOR:         scf.for
// FORALL-LABEL: func.func @average(
// FORALL:         scf.forall
func.func @average(%x: tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32> {
  %0 = pool.avg_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
     : tensor<1x64x56x56xf32> -> tensor<1x64x56x56xf32>
  return %0 : tensor<1x64x56x56xf32>
}
