// Passes of the pool-to-llvm pipeline that run between upstream's passes. They
// define the calling convention of compiled functions, and handle what
// upstream's passes do not lower.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PIPELINES_PASSES
#define POOL_PIPELINES_PASSES

include "mlir/Pass/PassBase.td"
include "pool/Pipelines/FunctionPasses.td"
include "pool/Pipelines/TensorPasses.td"
include "pool/Upstream/UpstreamPasses.td"

def ResultsToOutParams : Pass<"pool-results-to-out-params", "ModuleOp"> {
  let summary = "Turn results of static shape into trailing arguments";
  let description = [{
    Turns each memref result of static shape and identity layout, of every
    function and declaration, into a trailing argument, in the order of the
    results. All other results stay results. Run it after bufferisation and
    before deallocation. A result is written in place if the function allocates
    it in its entry block and has one return; any other is copied.

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

    Upstream's `buffer-results-to-out-params` differs in two ways. It also turns
    dynamic results into arguments, whose extents no caller can know. It does
    not support a function that returns one buffer twice.
  }];
  let dependentDialects = [
    "bufferization::BufferizationDialect", "memref::MemRefDialect"
  ];
  let statistics = [
    Statistic<"numInPlace", "num-in-place", "Results written in place">,
    Statistic<"numCopied", "num-copied", "Results copied">,
  ];
}

def ExpandStridedCopies : Pass<"pool-expand-strided-copies"> {
  let summary = "Turn copies between strided buffers into loops";
  let description = [{
    Rewrites copies that would call MLIR's runtime library to loops. Upstream
    lowers a `memref.copy` between two contiguous buffers to a `memcpy`. It
    lowers any other copy to a call to `memrefCopy` of that library, which
    compiled code should not depend on.

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
    Turns each `cf.assert` into a conditional call of `handler`, C's `void
    handler(const char *message)`, which must not return. Upstream lowers
    `cf.assert` to `puts` and `abort`, but a library that others link should
    neither print nor end the process. Run it after `convert-scf-to-cf`. With
    `handler=handler`

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

    If an assertion has the attribute `pool.reports_values`, the message ends
    with the values that its condition compares: "...; it is 3". C's `snprintf`
    writes them.
  }];
  let dependentDialects = [
    "arith::ArithDialect", "cf::ControlFlowDialect", "LLVM::LLVMDialect"
  ];
  let options = [
    Option<"handler", "handler", "std::string", /*default=*/"",
           "Name of the function to call; required">,
  ];
}

def SelectParallelLoops : Pass<"pool-select-parallel-loops"> {
  let summary = "Keep scf.parallel where threads pay, use scf.for elsewhere";
  let description = [{
    Keeps an outermost `scf.parallel` only if it has enough work, over as few
    leading dimensions as give enough pieces. Everything else becomes `scf.for`.
    Run it before `convert-scf-to-openmp`, which starts threads for each
    `scf.parallel`, however small or deeply nested.

    Work is measured in bytes of elements that the body computes, loads or
    stores. An inner loop counts its body times its trip count. If the trip
    count is unknown before the parallel loop, the pass assumes 4, or 32 for a
    loop that carries vectors. If the work depends on values, the pass emits
    both forms, and the work decides at run time:

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

    A loop that may end early stays on the calling thread: one that contains an
    assertion or a call. A loop that reduces stays too, because its result would
    depend on the threads.

    OpenMP computes the indices of a collapsed loop nest by divisions. If the
    divisors are unknown extents, the indices pass through an `llvm.freeze`, so
    that LLVM does not repeat the division in inner loops.

    The default of `grain` is 512 KiB. One core needs 3 microseconds for it in
    vector code, at 200 bytes a nanosecond, and 20 in scalar code. libomp takes
    1 to 2 microseconds to start threads that have worked before. To measure
    both, run `pool-run --repeat` with and without `--threads`.
  }];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect",
                           "scf::SCFDialect"];
  let options = [
    Option<"grain", "grain", "int64_t", /*default=*/"524288",
           "Least work, in bytes, for which threads start">,
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
    Does the same as upstream's `convert-scf-to-cf`, by the same patterns, but
    from the last operation to the first. Upstream's pass begins with the first.
    Each loop then moves all operations after it to a new block, and the
    conversion records each move to be able to undo it. Time and memory grow
    with the square of the number of loops in a block.

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

def AlignAllocations : Pass<"pool-align-allocations"> {
  let summary = "Align allocations that have no alignment";
  let description = [{
    Gives each `memref.alloc` of numbers without an alignment one of `alignment`
    bytes, a power of two. `convert-pool-to-vector` allocates results without an
    alignment. At run time its loops ask whether the results are aligned for
    nontemporal stores; memory from `malloc` usually is not.

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

def CheckAllocations : Pass<"pool-check-allocations"> {
  let summary = "Check the number of bytes of buffers of unknown extents";
  let description = [{
    Inserts a `cf.assert` before each `memref.alloc` of numbers, or of vectors
    of a fixed length, that has dynamic extents. The check fails if an extent is
    negative, or if the bytes are more than a 64-bit integer counts, where an
    extent of 0 counts as 1. Upstream's lowering multiplies extents without a
    check. The product may wrap around, and the buffer is then too small.

    ```mlir
    %0 = memref.alloc(%n) : memref<?xf32>
    ```
    becomes
    ```mlir
    %c2305843009213693952 = arith.constant 2305843009213693952 : index
    %fits = arith.cmpi ule, %n, %c2305843009213693952 : index
    cf.assert %fits, "memref.alloc at ...: a buffer of type memref<?xf32> would have a negative extent, ..."
    %0 = memref.alloc(%n) : memref<?xf32>
    ```
  }];
  let dependentDialects = [
    "arith::ArithDialect", "cf::ControlFlowDialect", "memref::MemRefDialect"
  ];
}

def FenceStreamedStores
    : Pass<"pool-fence-streamed-stores", "LLVM::LLVMFuncOp"> {
  let summary = "Add fences after nontemporal stores";
  let description = [{
    Adds a fence at each end of a function, or of an OpenMP parallel region in
    it, that has a `nontemporal` store. Processors do not order nontemporal
    stores before a later release, as callers and other threads expect of all
    stores. Run it last: bufferisation's deallocation rejects fences.

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

def RequireLLVM : Pass<"pool-require-llvm", "ModuleOp"> {
  let summary = "Reject operations that are not in the llvm dialect";
  let description = [{
    Reports an error at the first operation that is neither in the llvm dialect
    nor in OpenMP's, which is translated too. Upstream's conversions leave
    operations that they do not know, and casts of their operands, which the
    error names only if nothing else is left. Without this pass, the failure would
    come only when the module is translated.

    ```
    error: 'spirv.Undef' op cannot be lowered to the llvm dialect by this pipeline
    ```
  }];
}

#endif // POOL_PIPELINES_PASSES
