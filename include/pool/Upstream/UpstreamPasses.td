// Passes that only work around faults of MLIR and LLVM 22. The table in
// docs/Internals/upstream/README.md has the reproducer of each fault, and the
// condition for the removal of the pass.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_UPSTREAM_UPSTREAMPASSES_TD
#define POOL_UPSTREAM_UPSTREAMPASSES_TD

include "mlir/Pass/PassBase.td"

def CarryBF16 : Pass<"pool-carry-bf16", "ModuleOp"> {
  let summary = "Represent bf16 values by their bits, as i16";
  let description = [{
    Turns bf16 values that are loaded, stored, selected and moved into i16, and
    also arguments and results of private functions. With `as-bits` it includes
    public functions. Run it when everything is in the llvm dialect and computes
    with bf16 by integers or f32.

    LLVM 22's X86 backend keeps a bf16 that lives across blocks as f32. To
    convert back it uses an instruction that flushes subnormal numbers to zero
    on processors with AVX512-BF16 or AVX-NE-CONVERT, and calls of a run-time
    library on others (docs/Internals/upstream/bf16-blocks.md).

    ```mlir
    llvm.func @copy(%p: !llvm.ptr, %q: !llvm.ptr) {
      %x = llvm.load %p : !llvm.ptr -> bf16
      llvm.br ^next(%x : bf16)
    ^next(%y: bf16):
      llvm.store %y, %q : bf16, !llvm.ptr
      llvm.return
    }
    ```
    becomes
    ```mlir
    llvm.func @copy(%p: !llvm.ptr, %q: !llvm.ptr) {
      %x = llvm.load %p : !llvm.ptr -> i16
      llvm.br ^next(%x : i16)
    ^next(%y: i16):
      llvm.store %y, %q : i16, !llvm.ptr
      llvm.return
    }
    ```
  }];
  let dependentDialects = ["LLVM::LLVMDialect"];
  let options = [
    Option<"asBits", "as-bits", "bool", /*default=*/"false",
           "Pass and return bf16 as i16 in public functions too">,
  ];
}

def EliminateEmptyTensors : Pass<"pool-eliminate-empty-tensors"> {
  let summary = "Compute results in the slices that they are inserted into";
  let description = [{
    Does the same as upstream's `eliminate-empty-tensors`, except for one case.
    A `tensor.empty` within an `scf.if` or a loop may become a result of that
    operation and be inserted into a slice of that result. Upstream creates the
    slice at the `tensor.empty`, before the result exists. This pass leaves such
    a tensor.
  }];
  let dependentDialects = [
    "bufferization::BufferizationDialect", "tensor::TensorDialect"
  ];
}

def KeepRoundings : Pass<"pool-keep-roundings"> {
  let summary = "Keep every rounding to a small float type";
  let description = [{
    Removes the flag `contract` from `arith.truncf`, so that every rounding
    stays. Run it after `arith-emulate-unsupported-floats` and
    `math-extend-to-supported-types`. These compute small floats in a wider type
    and mark the conversions between the two `contract`. A later fold may then
    remove a rounding and the extension that follows it, but only if nothing
    stands between the two. Then the same sum could differ in its last bits
    between places in the code.

    ```mlir
    %sum = arith.truncf %wide fastmath<contract> : f32 to bf16
    ```
    becomes
    ```mlir
    %sum = arith.truncf %wide : f32 to bf16
    ```
  }];
  let statistics = [
    Statistic<"numKept", "num-kept", "Roundings that a fold might have removed">,
  ];
}

def LegalizeSlices : Pass<"pool-legalize-slices"> {
  let summary = "Rewrite slices, pads and concatenations that upstream makes invalid";
  let description = [{
    A slice of reduced rank drops dimensions of extent 1. When upstream's
    `canonicalize` finds that an operand of the slice is a constant, it drops the first
    such dimensions. These may be others, so that the result is an invalid cast or a
    crash (docs/Internals/upstream/slices.md). This pass splits such a slice into one
    of full rank and a reshape. It leaves other slices, which bufferise in
    place.

    Bufferisation makes a slice of each pad's source and of each operand of a
    concatenation. Upstream's verifier rejects a slice without elements that begins at
    the end of its tensor. So this pass fills the result of a pad whose source is known to be
    empty, and leaves empty operands out of concatenations.

    ```mlir
    %s = tensor.extract_slice %x[0, 0, 0] [%n, 2, 1] [1, 1, 1]
        : tensor<4x2x8xf32> to tensor<?x2xf32>
    %c = tensor.concat dim(0) %a, %b : (tensor<4xf32>, tensor<0xf32>) -> tensor<4xf32>
    ```
    becomes
    ```mlir
    %w = tensor.extract_slice %x[0, 0, 0] [%n, 2, 1] [1, 1, 1]
        : tensor<4x2x8xf32> to tensor<?x2x1xf32>
    %s = tensor.collapse_shape %w [[0], [1, 2]] : tensor<?x2x1xf32> into tensor<?x2xf32>
    ```
    with `%a` in place of `%c`.
  }];
  let dependentDialects = ["arith::ArithDialect", "tensor::TensorDialect"];
}

def LowerAffineLoops : Pass<"pool-lower-affine-loops"> {
  let summary = "Lower affine loops, with their branches, loads and stores";
  let description = [{
    Does the same as upstream's `lower-affine`, except that `affine.apply`,
    `affine.min` and `affine.max` stay, because they bound the extents of tiles. A
    function without affine loops and branches stays as it is. Run it before
    anything is folded: a fold removes all bounds of a loop that is never reached
    (docs/Internals/upstream/passes.md).
  }];
  let dependentDialects = [
    "arith::ArithDialect", "memref::MemRefDialect", "scf::SCFDialect",
    "vector::VectorDialect"
  ];
}

def SeparateMaskedLoads : Pass<"pool-separate-masked-loads", "LLVM::LLVMFuncOp"> {
  let summary = "Replace masked loads that keep lanes of another vector";
  let description = [{
    Replaces masked loads of integers and floats that keep lanes of another
    vector by a load of zeros and an `or`. LLVM 22's X86 backend can turn such a
    load into a blend and then crash or read freed memory (see
    docs/Internals/upstream/two-address.md). `pool-run`, `pool-compile` and the
    Python and C interfaces repair that while they generate code. This pass is
    for other code generators, such as `llc` or clang 22. If masked-off lanes
    are zero or poison, nothing changes. `pool-to-llvm` runs only renaming
    passes after it. A pipeline of your own runs it when everything is in the
    llvm dialect.

    ```mlir
    %x = llvm.intr.masked.load %p, %mask, %kept {alignment = 4 : i32}
        : (!llvm.ptr, vector<16xi1>, vector<16xi32>) -> vector<16xi32>
    ```
    becomes
    ```mlir
    %zeros = llvm.mlir.constant(dense<0> : vector<16xi32>) : vector<16xi32>
    %others = llvm.select %mask, %zeros, %kept : vector<16xi1>, vector<16xi32>
    %loaded = llvm.intr.masked.load %p, %mask, %zeros {alignment = 4 : i32}
        : (!llvm.ptr, vector<16xi1>, vector<16xi32>) -> vector<16xi32>
    %x = llvm.or %loaded, %others : vector<16xi32>
    ```

    Floats are combined as their bits. LLVM would merge a select, unlike an
    `or`, with the load again.
  }];
  let statistics = [
    Statistic<"numSeparated", "num-separated", "Masked loads separated">,
  ];
}

def SplitDeallocations : Pass<"pool-split-deallocations"> {
  let summary = "Simplify deallocations of buffers that cannot alias";
  let description = [{
    Runs after `ownership-based-buffer-deallocation`, whose
    `bufferization.dealloc` frees all buffers that a block owns. Upstream's
    `buffer-deallocation-simplification` splits that operation, but compares each
    buffer with every other one. This pass splits it without comparisons. It
    requires that every buffer is an argument of the function or the result of a
    `memref.alloc`. Then the result of an allocation shares memory with no other
    buffer. The pass drops a buffer whose condition is `%false`: it is never freed
    here. An allocation that is only retained, such as a result, belongs to the
    caller, and nothing is freed.

    If buffers remain that must be compared, the pass folds the function and runs
    upstream's simplification. Without the folds, upstream would crash if a cast
    of a buffer folds during the comparison
    (docs/Internals/upstream/bufferization.md).

    ```mlir
    bufferization.dealloc (%a, %b : memref<f32>, memref<f32>) if (%true, %true)
    ```
    becomes
    ```mlir
    bufferization.dealloc (%a : memref<f32>) if (%true)
    bufferization.dealloc (%b : memref<f32>) if (%true)
    ```
  }];
  let dependentDialects = [
    "arith::ArithDialect", "bufferization::BufferizationDialect",
    "memref::MemRefDialect"
  ];
  let statistics = [
    Statistic<"numSplit", "num-split", "Buffers deallocated on their own">,
  ];
}

#endif // POOL_UPSTREAM_UPSTREAMPASSES_TD
