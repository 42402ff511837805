// Conversions from and to the pool dialect.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_PASSES_TD
#define POOL_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertPoolToLinalg : Pass<"convert-pool-to-linalg"> {
  let summary = "Lower pooling to linalg on tensors";
  let description = [{
    Lowers every pooling operation on ranked tensors, static or dynamic, to
    linalg ops that upstream passes tile, fuse, bufferise and lower further.

    Padding and overhang become a `tensor.pad`, so that nothing outside the
    input is read. The reduction is a named op (`linalg.pooling_nchw_max`,
    `linalg.pooling_nhwc_sum`, ...) where upstream has one with exactly these
    semantics: maxima of signless integers, maxima of floats under
    `nan_mode = propagate`, sums. Else it is a `linalg.generic`. Averages and
    indices are finished by an elementwise `linalg.generic`.

    max_unpool and the gradients become scf.for loops in row-major order over
    the tensor that they read, which carry the one that they write and bufferise
    in place. A position is checked before it is written.

    Signed and unsigned integers appear as signless ones within the regions,
    behind `builtin.unrealized_conversion_cast`, which the conversion to LLVM
    removes. Ops that are not pooling operations are left as they are. An
    unranked input is an error.

    For example

    ```mlir
    %0 = pool.max_pool %x kernel [2, 2] nan_mode propagate
       : tensor<1x3x8x8xf32> -> tensor<1x3x7x7xf32>
    ```

    becomes

    ```mlir
    %cst = arith.constant 0xFF800000 : f32
    %1 = tensor.empty() : tensor<1x3x7x7xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<1x3x7x7xf32>)
           -> tensor<1x3x7x7xf32>
    %3 = tensor.empty() : tensor<2x2xf32>
    %0 = linalg.pooling_nchw_max
           {dilations = dense<1> : vector<2xi64>,
            strides = dense<1> : vector<2xi64>}
           ins(%x, %3 : tensor<1x3x8x8xf32>, tensor<2x2xf32>)
           outs(%2 : tensor<1x3x7x7xf32>) -> tensor<1x3x7x7xf32>
    ```
  }];
  let options = [
    Option<"runtimeChecks", "runtime-checks", "bool", /*default=*/"false",
           "Insert a cf.assert before each operation for what the verifier "
           "could not know because an extent is dynamic">
  ];
  let statistics = [
    Statistic<"numLowered", "ops-lowered", "Pooling operations lowered">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

#endif // POOL_CONVERSION_PASSES_TD
