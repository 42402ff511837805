// The passes that pool-to-llvm needs between upstream's own: they settle what a
// caller of the compiled functions sees and close gaps on the way to LLVM.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PIPELINES_PASSES
#define POOL_PIPELINES_PASSES

include "mlir/Pass/PassBase.td"
include "pool/Pipelines/TensorPasses.td"

def ResultsToOutParams : Pass<"pool-results-to-out-params", "ModuleOp"> {
  let summary = "Pass results of static shape as trailing arguments";
  let description = [{
    Runs after bufferization, before deallocation. Each memref result of static
    shape, of every function and declaration, becomes a trailing argument, in
    the order of the results; all other results stay results. A result that the
    function allocates itself is written in place, any other is copied.

    Results that stay and that might share one allocation are made distinct, so
    that the caller may free each of them.

    ```mlir
    func.func private @g(memref<4xf32>) -> memref<?xf32>
    func.func @f(%x: memref<4xf32>) -> (memref<4xf32>, memref<?xf32>) {
      %y = memref.alloc() : memref<4xf32>
      linalg.exp ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
      %z = call @g(%y) : (memref<4xf32>) -> memref<?xf32>
      return %y, %z : memref<4xf32>, memref<?xf32>
    }
    ```
    becomes
    ```mlir
    func.func private @g(memref<4xf32>) -> memref<?xf32>
    func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) -> memref<?xf32> {
      linalg.exp ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
      %z = call @g(%y) : (memref<4xf32>) -> memref<?xf32>
      return %z : memref<?xf32>
    }
    ```

    It differs from upstream's `buffer-results-to-out-params`, which turns
    dynamic results into arguments too, whose extents no caller can know, and
    which does not expect one buffer to be returned twice.
  }];
  let dependentDialects = [
    "bufferization::BufferizationDialect", "memref::MemRefDialect"
  ];
  let statistics = [
    Statistic<"numInPlace", "num-in-place", "Results written in place">,
    Statistic<"numCopied", "num-copied", "Results copied">,
  ];
}

def SplitDeallocations : Pass<"pool-split-deallocations"> {
  let summary = "Deallocate on its own what is certainly no other buffer";
  let description = [{
    Runs after `ownership-based-buffer-deallocation`, which deallocates all that a
    block owns by one operation. Upstream's `buffer-deallocation-simplification`
    takes it apart by comparing each buffer with each. This pass does so where all
    its buffers are arguments of the function or results of `memref.alloc`, of
    which no two are one.

    Functions in which upstream has something left to compare are folded first. It
    crashes where a cast of a buffer folds meanwhile
    (docs/upstream/bufferization.md).

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
    "bufferization::BufferizationDialect", "memref::MemRefDialect"
  ];
  let statistics = [
    Statistic<"numSplit", "num-split", "Buffers deallocated on their own">,
  ];
}

def LowerAffineLoops : Pass<"pool-lower-affine-loops"> {
  let summary = "Lower affine loops, with their branches, loads and stores";
  let description = [{
    Upstream's `lower-affine`, but `affine.apply`, `affine.min` and `affine.max` stay,
    which bound the extents of tiles. A function without affine loops stays as it is.
    Runs before anything is folded: a fold takes all bounds from a loop that is never
    reached (docs/upstream/passes.md).
  }];
  let dependentDialects = [
    "arith::ArithDialect", "memref::MemRefDialect", "scf::SCFDialect",
    "vector::VectorDialect"
  ];
}

def ExpandStridedCopies : Pass<"pool-expand-strided-copies"> {
  let summary = "Turn copies between strided buffers into loops";
  let description = [{
    `memref.copy` between two buffers of identity layout becomes a `memcpy`; any
    other becomes a call to `memrefCopy` of MLIR's runtime library, which
    compiled code should not depend on. This pass rewrites those to loops.

    ```mlir
    memref.copy %a, %b : memref<4x4xf32> to memref<4x4xf32, strided<[8, 1]>>
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %c0 to %c4 step %c1 {
        %0 = memref.load %a[%i, %j] : memref<4x4xf32>
        memref.store %0, %b[%i, %j] : memref<4x4xf32, strided<[8, 1]>>
      }
    }
    ```
  }];
  let dependentDialects = [
    "arith::ArithDialect", "memref::MemRefDialect", "scf::SCFDialect"
  ];
  let options = [
    Option<"parallel", "parallel", "bool", /*default=*/"false",
           "Make `scf.parallel` loops">,
  ];
}

def LowerAssertions : Pass<"pool-lower-assertions", "ModuleOp"> {
  let summary = "Turn assertions into calls of a function of your choice";
  let description = [{
    Upstream lowers `cf.assert` to `puts` and `abort`. A library that others link
    should not print and end the process behind their back: here the condition
    guards a call of `handler`, C's `void handler(const char *message)`, which
    must not return. Runs after `convert-scf-to-cf`. With `handler=handler`

    ```mlir
    func.func @f(%ok: i1) {
      cf.assert %ok, "the window does not fit"
      return
    }
    ```
    becomes
    ```mlir
    llvm.func @handler(!llvm.ptr) attributes {passthrough = ["cold", "noreturn"]}
    llvm.mlir.global internal constant @message("the window does not fit\00")
    func.func @f(%ok: i1) {
      cf.cond_br %ok, ^next, ^failed
    ^next:
      return
    ^failed:
      %message = llvm.mlir.addressof @message : !llvm.ptr
      llvm.call @handler(%message) : (!llvm.ptr) -> ()
      llvm.unreachable
    }
    ```

    The attribute `pool.reports_values` of an assertion adds the values that its
    condition compares: "...; it is 3". C's `snprintf` writes them.
  }];
  let dependentDialects = [
    "arith::ArithDialect", "cf::ControlFlowDialect", "LLVM::LLVMDialect"
  ];
  let options = [
    Option<"handler", "handler", "std::string", /*default=*/"",
           "The function to call; there is no default">,
  ];
}

def SeparateMaskedLoads : Pass<"pool-separate-masked-loads", "LLVM::LLVMFuncOp"> {
  let summary = "Load masked-off lanes as zeros, and add what they are to be";
  let description = [{
    LLVM 22's X86 backend can crash, or read memory that was freed, after it has
    turned a masked load that keeps lanes of another vector into a blend (see
    docs/upstream/two-address.md). `pool-run`, `pool-compile` and the Python and C
    interfaces repair that while they generate code; for code generators that do
    not, this pass leaves no such load of integers and floats. Where masked-off lanes
    are zero or poison, nothing changes. It is the last pass but the renaming ones of `pool-to-llvm`;
    a pipeline of your own, for `llc` or clang 22, runs it where all is in the llvm
    dialect.

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

    Floats are added as their bits. A selection in place of the sum would be made
    one with the load again.
  }];
  let statistics = [
    Statistic<"numSeparated", "num-separated", "Masked loads separated">,
  ];
}

def KeepRoundings : Pass<"pool-keep-roundings"> {
  let summary = "Round small floats wherever the program rounds them";
  let description = [{
    Runs after `arith-emulate-unsupported-floats` and
    `math-extend-to-supported-types`. These compute small floats in a wider type and
    mark the conversions between the two `contract`. A later fold may then remove a
    rounding and the extension that follows it, but only where nothing stands between
    the two. Equal sums would differ by the code around them. This pass removes the
    mark from `arith.truncf`, so that every rounding stays.

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

def CarryBF16 : Pass<"pool-carry-bf16", "ModuleOp"> {
  let summary = "Carry bf16 as its bits";
  let description = [{
    LLVM 22's X86 backend keeps a bf16 that lives across blocks as f32. For processors
    with AVX512-BF16 or AVX-NE-CONVERT it converts back by an instruction that makes
    zeros of subnormal numbers, and for others by calls of a run-time library
    (docs/upstream/bf16-blocks.md). Runs when all is in the llvm dialect and computes
    with bf16 by integers or f32. Values that are loaded, stored, chosen and moved
    become i16, and so do arguments and results of private functions; with `as-bits`,
    of public functions too.

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
           "Pass bf16 to public functions, and back, as i16">,
  ];
}

def SelectParallelLoops : Pass<"pool-select-parallel-loops"> {
  let summary = "Leave scf.parallel where threads pay, loops elsewhere";
  let description = [{
    Runs before `convert-scf-to-openmp`, which starts threads for each
    `scf.parallel`, however small or deeply nested. Of the outermost ones this
    pass leaves those that have enough work, as one `scf.parallel` over as few
    leading dimensions as make enough pieces; everything else becomes `scf.for`.

    Work is counted in bytes of elements computed, loaded or stored: those of the
    body, an inner loop's times its trip count. A trip count that is not known
    where the loop stands counts as 4. Where the count depends on values, both
    forms are emitted and the work decides at run time:

    ```mlir
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      memref.store %x, %m[%i] : memref<?xf32>
    }
    ```
    becomes
    ```mlir
    %bytes = arith.muli %n, %c5 : index
    %enough = arith.cmpi sge, %bytes, %grain : index
    scf.if %enough {
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        memref.store %x, %m[%i] : memref<?xf32>
      }
    } else {
      scf.for %i = %c0 to %n step %c1 {
        memref.store %x, %m[%i] : memref<?xf32>
      }
    }
    ```

    A loop that may end early stays on the calling thread, which alone can say so:
    one with an assertion or a call in it, and one that reduces, whose result
    would depend on the threads.

    OpenMP finds the numbers of an iteration of several loops by divisions. Where
    these are by extents that are not known, the numbers pass an `llvm.freeze`, so
    that LLVM does not repeat the division in inner loops.

    The default of 512 KiB is what one core computes in 3 microseconds, if it is
    vector code at 200 bytes a nanosecond, to 20, if it is scalar: more than the 1
    to 2 microseconds that libomp takes to start threads which have worked before.
    `pool-run --repeat` with and without `--threads` shows both.
  }];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect",
                           "scf::SCFDialect"];
  let options = [
    Option<"grain", "grain", "int64_t", /*default=*/"524288",
           "The least work, in bytes, to start threads for">,
  ];
  let statistics = [
    Statistic<"numParallelLoops", "num-parallel", "Loops left parallel">,
    Statistic<"numDynamic", "num-dynamic", "Loops that decide at run time">,
    Statistic<"numSequential", "num-sequential", "Outermost loops made scf.for">,
  ];
}

def FlattenControlFlow : Pass<"pool-flatten-control-flow"> {
  let summary = "Turn loops and branches into blocks, in linear time";
  let description = [{
    Applies the patterns of upstream's `convert-scf-to-cf`, to the same operations
    and with the same result, from the last operation to the first. Upstream's
    pass begins with the first, and each loop moves all that follows it to a new
    block, with a record of each move for the case that the conversion fails:
    time and memory grow with the square of the number of loops in a block.

    ```mlir
    scf.if %c {
      memref.store %x, %m[] : memref<f32>
    }
    ```
    becomes
    ```mlir
      cf.cond_br %c, ^then, ^next
    ^then:
      memref.store %x, %m[] : memref<f32>
      cf.br ^next
    ^next:
    ```
  }];
  let dependentDialects = [
    "arith::ArithDialect", "cf::ControlFlowDialect", "scf::SCFDialect"
  ];
}

def LowerInParts : Pass<"pool-lower-in-parts", "ModuleOp"> {
  let summary = "Lower large functions a part at a time";
  let description = [{
    Runs a pipeline on a module. From functions with many operations on buffers it
    takes parts first, and runs the pipeline on each alone: what a pass needs is then
    in the processor's caches, where it left them. In the end their code is back where
    it was taken from. A part is a run of operations without results, at least `size`
    of them; a linalg operation counts 64, and with all that is in it none more than 256.
    The pipeline has to lower all to the llvm dialect.

    A function with fewer is lowered as if the pipeline had run by itself.

    ```mlir
    func.func @f(%x: memref<f32>, %v: f32) {
      memref.store %v, %x[] : memref<f32>
      return
    }
    ```
    becomes, with `size=1 pipeline=convert-to-llvm,reconcile-unrealized-casts`,
    ```mlir
    llvm.func @f(%allocated: !llvm.ptr, %x: !llvm.ptr, %offset: i64, %v: f32) {
      llvm.store %v, %x : f32, !llvm.ptr
      llvm.return
    }
    ```
  }];
  let dependentDialects = ["LLVM::LLVMDialect"];
  let options = [
    Option<"size", "size", "unsigned", /*default=*/"4096",
           "The operations of a part; 0 to take none">,
    Option<"pipeline", "pipeline", "std::string", /*default=*/"",
           "What to lower with">,
  ];
  let statistics = [
    Statistic<"numParts", "num-parts", "Parts taken">,
  ];
}

def AlignAllocations : Pass<"pool-align-allocations"> {
  let summary = "Align buffers that are allocated without an alignment";
  let description = [{
    `convert-pool-to-vector` allocates results without a word about alignment,
    and asks at run time whether they begin where stores past the caches need
    them to, which the memory of `malloc` does not as a rule. Gives `memref.alloc`
    of numbers without an alignment one of `alignment` bytes, a power of two.

    ```mlir
    %0 = memref.alloc(%n) : memref<?x64x56x56xf32>
    ```
    becomes
    ```mlir
    %0 = memref.alloc(%n) {alignment = 64 : i64} : memref<?x64x56x56xf32>
    ```
  }];
  let options = [
    Option<"alignment", "alignment", "uint64_t", /*default=*/"64",
           "Bytes, a power of two">
  ];
  let dependentDialects = ["memref::MemRefDialect"];
}

def FenceStreamedStores
    : Pass<"pool-fence-streamed-stores", "LLVM::LLVMFuncOp"> {
  let summary = "Order nontemporal stores before what follows a function";
  let description = [{
    Processors do not order stores that go past their caches before a later
    release, as callers and other threads expect of all stores. Adds a fence at
    each end of a function, or of an OpenMP parallel region within it, that has
    a `nontemporal` store. It comes last: bufferization's deallocation refuses
    fences.

    ```mlir
    llvm.store %v, %p {nontemporal} : vector<16xf32>, !llvm.ptr
    llvm.return
    ```
    becomes
    ```mlir
    llvm.store %v, %p {nontemporal} : vector<16xf32>, !llvm.ptr
    llvm.fence seq_cst
    llvm.return
    ```
  }];
  let dependentDialects = ["LLVM::LLVMDialect"];
}

def MarkOutParams : Pass<"pool-mark-out-params", "ModuleOp"> {
  let summary = "Tell LLVM that results' buffers overlap nothing";
  let description = [{
    Runs on functions in the llvm dialect that pool-results-to-out-params gave
    trailing arguments. It left their ranks in `pool.out_param_ranks`: the
    conversion to the llvm dialect keeps attributes of arguments only where an
    argument stays one. The pointer through which elements are stored becomes
    `llvm.noalias`, as the calling convention says it may.

    ```mlir
    llvm.func @f(%alloc: !llvm.ptr, %aligned: !llvm.ptr, %offset: i64,
                 %size: i64, %stride: i64)
        attributes {pool.out_param_ranks = array<i64: 1>}
    ```
    becomes
    ```mlir
    llvm.func @f(%alloc: !llvm.ptr, %aligned: !llvm.ptr {llvm.noalias},
                 %offset: i64, %size: i64, %stride: i64)
    ```
  }];
  let dependentDialects = ["LLVM::LLVMDialect"];
}

def InternalizeFunctions : Pass<"pool-internalize-functions", "ModuleOp"> {
  let summary = "Give private functions in the llvm dialect internal linkage";
  let description = [{
    The conversion to the llvm dialect keeps a function's visibility, but makes
    it an external symbol all the same. Two modules could not be linked, and
    LLVM could not drop a function once it is inlined.

    ```mlir
    llvm.func @helper() attributes {sym_visibility = "private"} {
      llvm.return
    }
    ```
    becomes
    ```mlir
    llvm.func internal @helper() attributes {sym_visibility = "private"} {
      llvm.return
    }
    ```
  }];
  let dependentDialects = ["LLVM::LLVMDialect"];
}

def RequireLLVM : Pass<"pool-require-llvm", "ModuleOp"> {
  let summary = "Refuse operations that are left outside the llvm dialect";
  let description = [{
    Upstream's conversions leave what they do not know, and the failure comes
    when the module is translated. OpenMP's operations are translated too. This pass
    reports it where it happened:

    ```
    error: 'spirv.Undef' op cannot be lowered to the llvm dialect by this pipeline
    ```
  }];
}

#endif // POOL_PIPELINES_PASSES
