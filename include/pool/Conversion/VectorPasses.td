// Defines the passes that lower to loops over vectors for a given machine.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_VECTORPASSES_TD
#define POOL_CONVERSION_VECTORPASSES_TD

include "mlir/Pass/PassBase.td"

/// Options that name the machine to lower for; see resolveTarget().
defvar PoolMachineOptions = [
  Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"0",
         "Bits of a vector register; 0 for the machine that target, mcpu and "
         "mattr name, or 512 without them">,
  Option<"triple", "target", "std::string", /*default=*/"",
         "Triple of the machine to compile for">,
  Option<"cpu", "mcpu", "std::string", /*default=*/"",
         "Processor of that machine, or native for this machine's">,
  Option<"features", "mattr", "std::string", /*default=*/"",
         "Features to add or remove, like +avx2,-fma">
];

def ConvertPoolToVector : Pass<"convert-pool-to-vector"> {
  let summary = "Lower pooling to loops over vectors";
  let description = [{
    Lowers windowed operations on tensors, and `pool.window_reduce` on tensors
    or buffers, to loops over vectors. On tensors, the loops also contain the
    elementwise operations that follow: the division of an average and the
    indices of a maximum. They include a following linalg operation, such as a
    bias, an activation or a requantisation, if no other operation uses its
    input.

    On tensors, the loops are the body of `pool.on_buffers`; bufferisation
    replaces this operation by its body. The destination of a result is a
    `tensor.empty`. So run `pool-eliminate-empty-tensors` or upstream's
    `eliminate-empty-tensors` before bufferisation. Then a result that is only
    inserted into a slice, such as a tile, is written to that slice directly.

    An operation that no strategy supports stays, with a remark of the category
    `convert-pool-to-vector`. Run `convert-pool-to-linalg` and, for buffers,
    `convert-pool-to-loops` afterwards, as `pool-to-llvm` does.

    Channels first: within a plane, groups of output rows share the input rows
    that they read. The loops reduce columns first. They split rows by the
    stride, reduce them by slides between registers, and keep input rows in
    registers for the next group. Padding costs neither a copy nor a test in the
    interior. Large windows keep reduced columns in buffers that are allocated
    in the loops, so run buffer deallocation afterwards. Rows of unknown width
    get a loop nest for each of a few widths. If windows are whole planes, many
    planes are reduced at once.

    Channels last: the lanes of a vector are channels.

    Float averages are multiplied by the reciprocal of their count. Buffers of
    16 MB and more are prefetched, and stored with nontemporal stores if rows,
    or vectors of channels, are aligned. Large windows of planes that exceed the
    second cache fetch rows, too. `pool-fence-streamed-stores` orders
    these stores, and `pool-align-allocations` aligns the results for them.

    Adaptive pooling, unless canonicalisation makes it an ordinary operation,
    combines the rows of a window vector by vector. The combined row is in
    registers, or in a buffer if rows are wide or of unknown width. Then the
    columns of that row are reduced.

    The gradient of an average divides each output gradient first, and then
    sums, for each element, the windows that cover it. If the stride is 1, the
    code for sums does this. Otherwise shuffles spread rows of windows; for
    strides of more than 64 elements, a loop adds window by window. The operation
    stays only if computing with dilations modulo strides overflows 64 bits.

    Unpooling and the gradient of a maximum write one slice (the dimensions from
    `axis` on) after the other: vectors clear it, then elements are written one
    by one. If the result's known extents are whole multiples of the values',
    vectors write each value's block at once; indices that name other blocks are
    handled afterwards. If windows of known extents overlap a little, vectors of
    positions compare the indices of the windows that cover them.

    `target`, `mcpu` and `mattr` name the machine, as in LLVM's tools. `target`
    is a triple, by default this machine's. `mcpu` is a processor, by default
    the least of the architecture, or `native` for this machine's. `mattr` adds
    or removes features. Unknown names are errors. `vector-bits` overrides the
    width of a vector register: any power of two from 64 to 65536 works on any
    machine, but widths that the machine lacks are slower. Without these options
    the machine has 32 registers of 512 bits.

    For example

    ```mlir
    %0 = pool.max_pool %x kernel [2, 1] strides [2, 1]
       : tensor<1x3x40x16xi32> -> tensor<1x3x20x16xi32>
    ```

    becomes

    ```mlir
    %init = tensor.empty() : tensor<1x3x20x16xi32>
    %0 = pool.on_buffers ins(%x : tensor<1x3x40x16xi32>)
                         outs(%init : tensor<1x3x20x16xi32>) {
    ^bb0(%in: memref<1x3x40x16xi32>, %out: memref<1x3x20x16xi32>):
      scf.parallel (%c, %o) = (%c0, %c0) to (%c3, %c20) step (%c1, %c1) {
        %row = arith.muli %o, %c2 : index
        %1 = vector.load %in[%c0, %c, %row, %c0]
           : memref<1x3x40x16xi32>, vector<16xi32>
        %next = arith.addi %row, %c1 : index
        %2 = vector.load %in[%c0, %c, %next, %c0]
           : memref<1x3x40x16xi32>, vector<16xi32>
        %3 = arith.maxsi %1, %2 : vector<16xi32>
        vector.store %3, %out[%c0, %c, %o, %c0]
           : memref<1x3x20x16xi32>, vector<16xi32>
        scf.reduce
      }
    } -> tensor<1x3x20x16xi32>
    ```
  }];
  let options = PoolMachineOptions # [
    Option<"runtimeChecks", "runtime-checks", "bool", /*default=*/"false",
           "Check at run time the constraints on dynamic extents of all "
           "operations of the dialect">
  ];
  let statistics = [
    Statistic<"numLowered", "ops-lowered", "Pooling operations lowered">
  ];
  // The other dialects of the emitted loops are loaded already, because the
  // pool dialect depends on them.
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def PoolSelectPlan : Pass<"pool-select-plan"> {
  let summary = "Attach the plans of convert-pool-to-vector or pool-to-gpu";
  let description = [{
    Sets `pool.plan` on every operation that has no plan and that
    `convert-pool-to-vector` has a strategy for. The plan is the one that
    `convert-pool-to-vector` would choose, the cheapest. Nothing else changes.
    The pass checks existing plans; one that does not fit the operation is an
    error that gives the reason.

    The printed plan can be edited and pinned by hand: the conversion follows
    it. docs/Internals/Plans.md has the strategies and their parameters. `costs`
    replaces weights of the cost model, for example `loop-ops:12`; the defaults
    are in pool/Target/Costs.def. Remarks of the category `pool-select-plan`
    tell which plan was chosen (passed), why other strategies were not
    (analysis), and why an operation has no plan (missed).

    If `target` is the triple of a GPU, such as `nvptx64-nvidia-cuda`, windows
    get the plans by which `pool-to-gpu` makes kernels. `pool-to-gpu` runs this
    pass itself. `vector-bits` and `costs` are for CPUs, and errors then.
    `block` is for GPUs. Plans use subgroups only if a block has a whole number
    of them.

    For example

    ```mlir
    %0 = pool.max_pool %x kernel [2, 2] strides [2, 2]
       : tensor<1x64x224x224xf32> -> tensor<1x64x112x112xf32>
    ```

    becomes

    ```mlir
    %0 = pool.max_pool %x kernel [2, 2] strides [2, 2]
       {pool.plan = #pool.plan<"planes", columns = 112, cut = "row",
                               first_column = 0, prefetch = true, rows = 1,
                               stream = true>}
       : tensor<1x64x224x224xf32> -> tensor<1x64x112x112xf32>
    ```
  }];
  let options = PoolMachineOptions # [
    ListOption<"costs", "costs", "std::string",
               "Weights of the cost model to replace, each as NAME:NUMBER">,
    Option<"block", "block", "int64_t", /*default=*/"0",
           "Threads of a block on a GPU, 1 to 1024; 0 if any number will do">
  ];
  let statistics = [
    Statistic<"numPlanned", "ops-planned", "Pooling operations with a plan">
  ];
}

#endif // POOL_CONVERSION_VECTORPASSES_TD
