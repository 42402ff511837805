// Passes of the pool-to-llvm pipeline on tensors, and bufferisation.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PIPELINES_TENSORPASSES
#define POOL_PIPELINES_TENSORPASSES

include "mlir/Pass/PassBase.td"

def StripQuantTypes : Pass<"pool-strip-quant-types", "ModuleOp"> {
  let summary = "Replace quantised element types by the stored integers";
  let description = [{
    Replaces quantised element types by stored integers in functions and in all
    operations that move elements: slices, loops, branches, calls. Operations of
    pool and quant keep their types, behind `quant.scast`. Upstream's
    `strip-func-quant-types` changes only functions, and rejects functions with
    branches.

    ```mlir
    !q = !quant.uniform<i8:f32, 0.5>
    %e = tensor.empty() : tensor<4x!q>
    %y = tensor.insert_slice %x into %e[0] [2] [1] : tensor<2x!q> into tensor<4x!q>
    ```
    becomes
    ```mlir
    %e = tensor.empty() : tensor<4xi8>
    %y = tensor.insert_slice %x into %e[0] [2] [1] : tensor<2xi8> into tensor<4xi8>
    ```
  }];
  let dependentDialects = ["quant::QuantDialect"];
}

def ArithmeticToLinalg : Pass<"pool-arithmetic-to-linalg"> {
  let summary = "Turn arithmetic on tensors into linalg.generic";
  let description = [{
    Rewrites elementwise operations of arith and math on tensors to
    `linalg.generic`, so that `convert-pool-to-vector` can fuse them into a
    pooling. Unlike upstream's `convert-elementwise-to-linalg`, the pass gives
    each operation a destination of its own, and turns splat constants into
    scalars. Also decomposes `linalg.softmax`, which upstream does not lower to
    loops.

    ```mlir
    %two = arith.constant dense<2.0> : tensor<4xf32>
    %y = arith.mulf %x, %two : tensor<4xf32>
    ```
    becomes
    ```mlir
    #id = affine_map<(i) -> (i)>
    #scalar = affine_map<(i) -> ()>
    %two = arith.constant 2.0 : f32
    %e = tensor.empty() : tensor<4xf32>
    %y = linalg.generic {indexing_maps = [#id, #scalar, #id], iterator_types = ["parallel"]}
        ins(%x, %two : tensor<4xf32>, f32) outs(%e : tensor<4xf32>) {
    ^bb0(%in: f32, %factor: f32, %out: f32):
      %0 = arith.mulf %in, %factor : f32
      linalg.yield %0 : f32
    } -> tensor<4xf32>
    ```
  }];
  let dependentDialects = [
    "arith::ArithDialect", "linalg::LinalgDialect", "tensor::TensorDialect"
  ];
}

def SeparateDestinations : Pass<"pool-separate-destinations"> {
  let summary = "Give each linalg operation a destination of its own";
  let description = [{
    Gives every linalg operation, `pool.window_reduce` and `pool.on_buffers` its
    own copy of its `tensor.empty` and `linalg.fill`. Run it before
    bufferisation. After CSE, operations with results of one type share one
    `tensor.empty`, and reductions share one `linalg.fill`. Bufferisation then
    copies the fill for each, and compares all uses of the shared tensor with
    each other. If an operation reads the result of another one and writes to
    the same tensor, both still share the tensor: the operation may overwrite
    that result element by element.

    ```mlir
    %e = tensor.empty() : tensor<4xf32>
    %f = linalg.fill ins(%c : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %a = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
    %b = linalg.reduce { arith.addf } ins(%y : tensor<4x8xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
    ```
    becomes
    ```mlir
    %e = tensor.empty() : tensor<4xf32>
    %f = linalg.fill ins(%c : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %a = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
    %e2 = tensor.empty() : tensor<4xf32>
    %f2 = linalg.fill ins(%c : f32) outs(%e2 : tensor<4xf32>) -> tensor<4xf32>
    %b = linalg.reduce { arith.addf } ins(%y : tensor<4x8xf32>) outs(%f2 : tensor<4xf32>) dimensions = [1]
    ```
  }];
  let dependentDialects = ["linalg::LinalgDialect", "tensor::TensorDialect"];
  let statistics = [
    Statistic<"numCopied", "num-copied", "Destinations copied">,
  ];
}

def RequireBufferizable : Pass<"pool-require-bufferizable", "ModuleOp"> {
  let summary = "Reject operations on tensors that do not bufferise";
  let description = [{
    Reports an error at the first operation on tensors that upstream's
    bufferisation does not support. The error names passes that lower the
    operation's dialect, if any are known: `--convert-tosa-to-pool` and
    `--tosa-to-linalg` for `tosa.max_pool2d`. Upstream only says "op was not
    bufferized". An operation that is not registered is an error, too: some of
    upstream's passes crash on it (docs/Internals/upstream/passes.md). The pass
    also verifies casts and operations on tensors, for callers that do not verify
    between passes.
  }];
}

def PoolBufferize : Pass<"pool-bufferize", "ModuleOp"> {
  let summary = "Bufferize; function arguments and results are contiguous";
  let description = [{
    Runs upstream's one-shot bufferisation on all functions of a module.
    Arguments and results become memrefs without a layout: row-major and without
    gaps. Loops may carry tensors that each iteration allocates anew.

    Upstream casts a slice of unknown strides to such a memref, and a user of
    the memref then reads wrong elements
    (docs/Internals/upstream/bufferization.md). This pass copies the slice
    instead. It keeps the casts that the module had before.

    Upstream leaves a copy of a slice to itself where a tile was computed in
    place, and loops that carry the buffer of the result. This pass removes
    both.

    ```mlir
    func.func @f(%x: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
      %c0 = arith.constant 0 : index
      %rows = tensor.dim %x, %c0 : tensor<?x?xf32>
      %y = tensor.extract_slice %x[0, 0] [%rows, %n] [1, 1]
          : tensor<?x?xf32> to tensor<?x?xf32>
      return %y : tensor<?x?xf32>
    }
    ```
    becomes
    ```mlir
    func.func @f(%x: memref<?x?xf32>, %n: index) -> memref<?x?xf32> {
      %c0 = arith.constant 0 : index
      %rows = memref.dim %x, %c0 : memref<?x?xf32>
      %view = memref.subview %x[0, 0] [%rows, %n] [1, 1]
          : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
      %y = memref.alloc(%rows, %n) {alignment = 64 : i64} : memref<?x?xf32>
      memref.copy %view, %y
          : memref<?x?xf32, strided<[?, 1]>> to memref<?x?xf32>
      return %y : memref<?x?xf32>
    }
    ```
  }];
  let dependentDialects = [
    "arith::ArithDialect", "bufferization::BufferizationDialect",
    "memref::MemRefDialect"
  ];
  let options = [
    Option<"alignment", "alignment", "uint64_t", /*default=*/"64",
           "Alignment of allocated buffers in bytes; 0 for any">,
  ];
}

#endif // POOL_PIPELINES_TENSORPASSES
