// Passes by which large functions are lowered in parts.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PIPELINES_PARTPASSES_TD
#define POOL_PIPELINES_PARTPASSES_TD

include "mlir/Pass/PassBase.td"

def OutlineParts : Pass<"pool-outline-parts", "ModuleOp"> {
  let summary = "Split functions of many loops into private functions";
  let description = [{
    Moves the operations on buffers of a function that has many loops, or `linalg`
    operations, to functions of a few, each called once: passes then work on what
    the processor's caches hold, and on threads. Constants are copied, and buffers
    that nobody reads or writes. `pool-inline-parts` takes them back.

    ```mlir
    func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) {
      linalg.exp ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
      linalg.exp ins(%y : memref<4xf32>) outs(%x : memref<4xf32>)
      return
    }
    ```

    becomes, with `least=2 size=1`,

    ```mlir
    func.func private @part(%x: memref<4xf32>, %y: memref<4xf32>) attributes {pool.part} {
      linalg.exp ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
      return
    }
    func.func private @part_0(%y: memref<4xf32>, %x: memref<4xf32>) attributes {pool.part} {
      linalg.exp ins(%y : memref<4xf32>) outs(%x : memref<4xf32>)
      return
    }
    func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) {
      call @part(%x, %y) : (memref<4xf32>, memref<4xf32>) -> ()
      call @part_0(%y, %x) : (memref<4xf32>, memref<4xf32>) -> ()
      return
    }
    ```
  }];
  let dependentDialects = ["func::FuncDialect"];
  let options = [
    Option<"least", "least", "unsigned", /*default=*/"16",
           "The loops that a function has at least to be split">,
    Option<"size", "size", "unsigned", /*default=*/"2048",
           "The operations of a part, of which a linalg operation is to become 64">,
    Option<"hide", "hide", "bool", /*default=*/"false",
           "Put the functions in a module within the module, out of sight of "
           "passes that have nothing to do there">,
  ];
  let statistics = [
    Statistic<"numParts", "num-parts", "Functions made">,
  ];
}

def InlineParts : Pass<"pool-inline-parts", "ModuleOp"> {
  let summary = "Put what pool-outline-parts moved back where it is called";
  let description = [{
    Moves the body of each function that pool-outline-parts made to its call,
    before anything but MLIR's passes sees it: the functions that are left are
    those that were there. Blocks are moved and nothing is copied, in a time that
    grows with the number of operations around the calls.

    ```mlir
    func.func private @part(%x: memref<f32>, %v: f32) attributes {pool.part} {
      memref.store %v, %x[] : memref<f32>
      return
    }
    func.func @f(%x: memref<f32>, %v: f32) {
      call @part(%x, %v) : (memref<f32>, f32) -> ()
      return
    }
    ```

    becomes

    ```mlir
    func.func @f(%x: memref<f32>, %v: f32) {
      memref.store %v, %x[] : memref<f32>
      return
    }
    ```
  }];
  let dependentDialects = ["func::FuncDialect"];
  let statistics = [
    Statistic<"numInlined", "num-inlined", "Functions inlined">,
  ];
}

def ConvertBodiesToLLVM : Pass<"pool-convert-bodies-to-llvm"> {
  let summary = "Convert vectors, arithmetic and branches function by function";
  let description = [{
    Applies the patterns of upstream's `convert-vector-to-llvm`, `convert-arith-to-llvm`
    and `convert-cf-to-llvm` in one conversion, which works on one function. Upstream's
    `convert-to-llvm` works on a module, and what takes it the longer is what the module
    has the more of; `convert-vector-to-llvm` makes its patterns for each function anew.
    The function itself, and what has to declare others, such as assertions, are left.

    ```mlir
    func.func @f(%x: i32, %y: i32) -> i32 {
      %z = arith.addi %x, %y : i32
      return %z : i32
    }
    ```

    becomes

    ```mlir
    func.func @f(%x: i32, %y: i32) -> i32 {
      %z = llvm.add %x, %y : i32
      return %z : i32
    }
    ```
  }];
  let dependentDialects = ["LLVM::LLVMDialect"];
}

#endif // POOL_PIPELINES_PARTPASSES_TD
