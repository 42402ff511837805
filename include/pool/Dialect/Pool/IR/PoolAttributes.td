// Defines the attributes of the pool dialect that are not enumerations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_POOLATTRIBUTES_TD
#define POOL_DIALECT_POOL_IR_POOLATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "pool/Dialect/Pool/IR/PoolEnums.td"

def Pool_PlanAttr : AttrDef<Pool_Dialect, "Plan"> {
  let mnemonic = "plan";
  let summary = "How convert-pool-to-vector lowers an operation";
  let description = [{
    The name of a strategy and its parameters. An operation that
    `convert-pool-to-vector` or `pool-to-gpu` lowers may have it as the
    discardable attribute `pool.plan`:

    ```mlir
    %0 = pool.max_pool %x kernel [3, 3] strides [2, 2]
       {pool.plan = #pool.plan<"planes", columns = 55, cut = "row",
                               first_column = 0, rows = 1>}
       : tensor<1x64x111x111xf32> -> tensor<1x64x55x55xf32>
    ```

    `pool-select-plan` writes it, and a user may edit it. Decomposition and
    bufferisation keep it, tiling drops it. A parameter is an integer, `true` or
    `false`, a string, or another plan: `fallback` is the plan to use if the
    operation turns out at run time not to fit this plan. The dialect verifies
    only this syntax. The conversion verifies that the strategy exists and that
    the plan fits the operation. docs/Internals/Plans.md has the strategies.
  }];
  let parameters = (ins "::mlir::StringAttr":$strategy,
                        "::mlir::DictionaryAttr":$parameters);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the name of the discardable attribute that holds the plan of an
    /// operation.
    static constexpr ::llvm::StringLiteral getName() { return "pool.plan"; }
    /// Returns the plan of `op`, or null if `op` has none.
    static PlanAttr getOf(::mlir::Operation *op) {
      return op->getAttrOfType<PlanAttr>(getName());
    }
  }];
}

#endif // POOL_DIALECT_POOL_IR_POOLATTRIBUTES_TD
