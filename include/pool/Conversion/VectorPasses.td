// The passes that lower to loops over vectors, for a machine.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_VECTORPASSES_TD
#define POOL_CONVERSION_VECTORPASSES_TD

include "mlir/Pass/PassBase.td"

/// The machine to lower for; see resolveTarget().
defvar PoolMachineOptions = [
  Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"0",
         "Bits of a vector register; 0 for those of the machine that target, "
         "mcpu and mattr name, or 512 without">,
  Option<"triple", "target", "std::string", /*default=*/"",
         "The triple of the machine to compile for">,
  Option<"cpu", "mcpu", "std::string", /*default=*/"",
         "Its processor, or native for this machine's">,
  Option<"features", "mattr", "std::string", /*default=*/"",
         "Features that it has or lacks, like +avx2,-fma">
];

def ConvertPoolToVector : Pass<"convert-pool-to-vector"> {
  let summary = "Lower pooling to loops over vectors, at memory speed";
  let description = [{
    Lowers windowed operations on tensors, and `pool.window_reduce` on tensors or
    buffers, to loops over vectors. On tensors the elementwise operations that
    follow are part of the loops: the division of an average, indices, and any
    linalg operation that is the only user of what is before, such as a bias, an
    activation, a requantisation.

    What the pass has no kernel for it leaves alone, with a remark (category
    `convert-pool-to-vector`): run `convert-pool-to-linalg` and, for buffers,
    `convert-pool-to-loops` after it. `pool-to-llvm` does.

    Within a plane of a channels-first buffer, groups of output rows share what
    they read: columns are reduced first, rows are taken apart by the stride and
    reduced by slides between registers, and rows that the next group needs too
    stay in registers. Padding costs neither a copy nor a test in the interior.
    Large windows keep reduced columns in buffers that are allocated in the loops:
    run buffer deallocation afterwards. Rows of unknown width have a loop nest for
    each of a few widths. Lanes of channels-last buffers are channels. Windows that
    are whole planes are reduced many planes at once. Averages of floats are
    multiplied by the reciprocal of their count. Buffers of 16 MB and more are
    prefetched and stored with nontemporal stores where rows, or vectors of
    channels, are aligned;
    `pool-fence-streamed-stores` orders these, and `pool-align-allocations` has
    results begin where they need them to.

    Adaptive pooling whose windows are not those of an ordinary operation combines
    the rows of a window vector by vector, in registers, or in a buffer where rows
    are wide or of unknown width, and then the columns of the row that this gives.

    The gradient of an average is a sum over the windows that cover an element, of
    the output's gradient, each element of it divided before: by the kernels of
    sums where windows move by single elements, else by rows of windows that
    shuffles spread, or, where strides are of more than eight elements, masks. Only
    where computing with dilations modulo strides leaves 64 bits it is left alone.
    Unpooling and the gradient of a maximum write one slice after the other, the
    dimensions from `axis` on: cleared by vectors, then element by element. Where
    the result's known extents are whole multiples of the values', each value's
    block is written by vectors at once, and what indices of other blocks name
    afterwards. Where windows of known extents overlap a little, vectors of
    positions compare the indices of the windows that cover them.

    `target`, `mcpu` and `mattr` name the machine that the code is for, as LLVM's
    tools do: a triple, by default this machine's; a processor, by default the least
    of the architecture, or `native` for this machine's; features that it has or
    lacks. Unknown names are errors. `vector-bits` says how many bits its vector
    registers have instead: any power of two from 64 to 65536 works on any machine, others
    than its own are slower. Without these options it has 32 registers of 512 bits.

    For example

    ```mlir
    %0 = pool.max_pool %x kernel [2, 1] strides [2, 1]
       : tensor<1x3x40x16xi32> -> tensor<1x3x20x16xi32>
    ```

    becomes

    ```mlir
    %in = bufferization.to_buffer %x read_only {read = distinct[0]<>}
        : tensor<1x3x40x16xi32> to memref<1x3x40x16xi32>
    %out = memref.alloc() : memref<1x3x20x16xi32>
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
    %0 = bufferization.to_tensor %out restrict
       : memref<1x3x20x16xi32> to tensor<1x3x20x16xi32>
    ```
  }];
  let options = PoolMachineOptions # [
    Option<"runtimeChecks", "runtime-checks", "bool", /*default=*/"false",
           "Check at run time what the verifier could not know, of all "
           "operations of the dialect">
  ];
  let statistics = [
    Statistic<"numLowered", "ops-lowered", "Pooling operations lowered">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::quant::QuantDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect"
  ];
}

def PoolExpandMaskedAccesses : Pass<"pool-expand-masked-accesses"> {
  let summary = "Take loads and stores with masks apart where a machine has none";
  let description = [{
    Runs on loops over vectors before control flow is flattened. A machine without
    fast instructions for masks of lanes as narrow as a vector's (AVX2 has them for
    loads of 32 bits and more, SSE and NEON for none) would test a mask and move an
    element lane by lane. Here masks that are ranges of lanes, as `convert-pool-to-vector`
    and canonicalization leave them, are taken apart. A known range is two parts that
    overlap. Of an unknown one, the whole vector is loaded where it is within the buffer,
    whatever row, and lanes outside of the range are replaced; elsewhere, or where the
    buffer's layout is not the identity, a loop loads element by element. The first lanes
    are stored as a part for each bit of their number. Nothing beyond the buffer is read,
    and nothing beyond the range written; elements beside the range may be read while other
    threads write them, and are not used.

    Left alone are other masks, stores of an unknown range that does not begin at the
    first lane, vectors whose length or element's bits are no power of two, and what is
    aligned to less than an element. `target`, `mcpu`, `mattr` and `vector-bits` are those
    of `convert-pool-to-vector`: without them a machine has all masks, and nothing changes.

    With `vector-bits=128`

    ```mlir
    %mask = vector.constant_mask [3] : vector<4xi1>
    vector.maskedstore %buffer[%i], %mask, %x
        : memref<?xf32>, vector<4xi1>, vector<4xf32>
    ```
    becomes
    ```mlir
    %first = vector.shuffle %x, %x [0, 1] : vector<4xf32>, vector<4xf32>
    vector.store %first, %buffer[%i] : memref<?xf32>, vector<2xf32>
    %last = vector.shuffle %x, %x [1, 2] : vector<4xf32>, vector<4xf32>
    %next = arith.addi %i, %c1 : index
    vector.store %last, %buffer[%next] : memref<?xf32>, vector<2xf32>
    ```
  }];
  let options = PoolMachineOptions;
  let statistics = [
    Statistic<"numExpanded", "num-expanded", "Loads and stores taken apart">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def PoolSelectPlan : Pass<"pool-select-plan"> {
  let summary = "Write on pooling how convert-pool-to-vector would lower it";
  let description = [{
    Sets `pool.plan` on every operation that `convert-pool-to-vector` has a
    strategy for and that has no plan: the cheapest, as that pass chooses it.
    Nothing else changes. A plan that is there already is checked; one that does
    not fit is an error, with the reason.

    What was printed can be edited, and pinned by hand: the conversion follows it.
    docs/Plans.md has the strategies and their parameters. `costs` sets weights
    that strategies are chosen by, `loop-ops:12` for one; the conversion without
    plans has the weights of pool/Target/Costs.def. Remarks (category
    `pool-select-plan`) say which plan was chosen (passed), why each other
    strategy was not (analysis), and why an operation has none (missed).

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
               "Weights of the choice that are others, each as NAME:NUMBER">
  ];
  let statistics = [
    Statistic<"numPlanned", "ops-planned", "Pooling operations with a plan">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::quant::QuantDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

#endif // POOL_CONVERSION_VECTORPASSES_TD
