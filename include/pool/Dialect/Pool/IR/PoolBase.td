// Defines the pool dialect itself. Other files define its operations,
// enumerations and plans.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_POOLBASE_TD
#define POOL_DIALECT_POOL_IR_POOLBASE_TD

include "mlir/IR/OpBase.td"

def Pool_Dialect : Dialect {
  let name = "pool";
  let cppNamespace = "::mlir::pool";
  let summary = "Pooling with the exact rules of the front ends that define it";
  let description = [{
    The dialect has operations on tensors for pooling, for its inverse and for
    its gradients. Their attributes express the pooling of OpenVINO, nGraph,
    BNNS, ONNX, PyTorch and TOSA. They have asymmetric and automatic padding,
    dilation, and three roundings (floor, ceil and PyTorch's ceil). There are
    three divisors of an average, indices of the maxima, and two treatments of
    NaN. A tensor
    has any number n >= 1 of spatial dimensions, channels first (`[N, C, d_1 ..
    d_n]`) or last (`[N, d_1 .. d_n, C]`), with static or dynamic extents.

    For compiler engineers: this page is the reference of the operations and
    their attributes. [Semantics.md](Semantics.md) defines the results.

    ```mlir
    // The 3 x 3 maximum of stride 2, and the positions of the maxima in their planes.
    %values, %indices = pool.max_pool %x kernel [3, 3] strides [2, 2]
        pads_begin [1, 1] pads_end [1, 1] axis 2
      : tensor<1x64x?x112xf32> -> tensor<1x64x?x56xf32>, tensor<1x64x?x56xi64>
    ```

    ## How a window is written

    `kernel` comes first. The other clauses follow in any order, each at most
    once; an absent clause has its default value. The printer uses the order of
    the operation's syntax. The generic form holds all clauses as properties,
    for example `<{kernel = array<i64: 2, 2>, axis = 2 : i64}>`. The parser
    rejects a key that the operation does not have.

    ## The rule of one dimension

    With input extent `I`, pads `pb` and `pe`, kernel `k`, stride `s`, dilation
    `d` and window extent `E = (k - 1) * d + 1`, the output extent is
    `floor((I + pb + pe - E) / s) + 1`. [Semantics.md](Semantics.md#one-dimension)
    has the extents of the other rounding modes and of `auto_pad`.

    Under a ceil mode, the last window may reach past the end padding. The
    positions there are the *overhang*. No lowering reads them: a maximum treats
    them as padding, and an average counts them only under `divisor = kernel`.

    ## Constraints of every window

    The verifier checks each constraint and names it in its diagnostic. A label
    is the name of a table and a number. The constraints of the table `Window`
    apply to all windows. Each operation lists the other constraints that apply
    to it.

    - (Window.C1) The input has rank n + 2, where n is the length of `kernel`,
      or is unranked; it has no encoding.
    - (Window.C2) `kernel` names at least one dimension; `strides`, `dilations`,
      `pads_begin` and `pads_end` are absent or as long as `kernel`.
    - (Window.C3) Every kernel extent is at least 1.
    - (Window.C4) Every dilation is at least 1.
    - (Window.C5) Every stride is at least 1.
    - (Window.C6) Every pad is at least 0, also where `auto_pad` makes it unused.
    - (Window.C7) The channel extent and the spatial extents are at least 1.
      The batch may be empty.
    - (Window.C8) The window fits the padded input: `E <= I + pb + pe`. Under
      `ceil_torch` the window may be larger if the formula still gives one
      window.
    - (Window.C9) Every output extent is at least 1.
    - (Window.C10) No quantity in the formulas above leaves a 64-bit signed
      integer.
    - (Window.C11) A result has the extents that the formulas give, and no
      encoding. Values and averages have the element type of the input. The
      declared type of a result may be less static than the inferred one, never
      different.

    A dynamic input extent gives a dynamic output extent. Constraints on dynamic
    extents are checked at run time, if run-time checks are generated
    (`pool-insert-runtime-checks`).

    ## Constraints of quantised types

    `pool.max_pool` and `pool.min_pool` accept a uniform quantised type and
    return the same type:

    - (Quant.C1) All elements of a window have the same quantisation parameters:
      the type is not quantised along a spatial dimension.
    - (Quant.C2) With `pad_value = zero`, which means the stored value 0, the
      zero point is 0.

    `pool.avg_pool` computes with the quantisation parameters of its types:

    - (Quant.C3) The type is quantised per tensor.
    - (Quant.C4) The zero point is one of the stored values.
    - (Quant.C5) Input and output have the same storage type.
    - (Quant.C6) TOSA can express the ratio of the two scales.

    ## Interfaces that are registered apart

    The operations on tensors also implement `TilingInterface`,
    `ReifyRankedShapedTypeOpInterface`, `ValueBoundsOpInterface`,
    `RuntimeVerifiableOpInterface` and `shard::ShardingInterface`.
    `pool.window_reduce` implements the first two and, with `pool.on_buffers`,
    `BufferizableOpInterface`. These implementations build operations of other
    dialects, so they are external models.
    `mlir::pool::registerExternalModels(registry)` registers them, and
    `registerPoolDialect` and `registerAllDialects` of `pool/InitAll.h` call it.

    ## Facts about other operations

    Unit attributes on operations of other dialects record the purpose that the
    operation was built for, so that later passes need not derive it from the
    body. Dropping such an attribute only costs speed. A transformation that
    changes the operation's meaning must drop it. `convert-pool-to-linalg` and
    `convert-pool-to-vector` remove `pool.divides_by_count` when they finish.

    | attribute | on | meaning |
    |---|---|---|
    | `pool.divides_by_count` | `linalg.generic` | The operation divides sums by counts. From `linalg.index` it computes only numbers of window positions, so its `arith.divf` may become a multiplication by the reciprocal. |
    | `pool.reports_values` | `cf.assert` | The condition is an `arith.cmpi`, and the message is about the values that it compares. A failed check reports the values that are not constant. The attribute stays until checks are lowered. |

    ## Requests to the lowering

    Discardable attributes on operations of the dialect say how to lower them.
    They change no result except the last bits of float sums.

    | attribute | on | request |
    |---|---|---|
    | `pool.plan` | any operation | Use a strategy and its parameters, given as `#pool.plan`; [Plans.md](../Internals/Plans.md) has them. Decomposition and bufferisation keep the attribute, tiling drops it. |
    | `pool.uniform_sums` | any operation | Add floats in an order that depends on the kernel alone, not on the place of the window. Parts of the output that are computed separately, such as tiles, then equal the whole bit by bit, except for the sign of zero. Decomposition, bufferisation and tiling keep the attribute. |
  }];
  // The dialect creates constants (arith) and casts (tensor), and has tensors
  // of quantized types. registerExternalModels() in Transforms also loads the
  // dialects whose operations tiling and run-time checks create.
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::quant::QuantDialect",
    "::mlir::tensor::TensorDialect"
  ];
  let useDefaultAttributePrinterParser = 1;
  // The first two attributes state facts about operations of other dialects.
  // uniform_sums is a request to the lowering of a pooling operation.
  // DiscardableAttrs.cpp checks which operation may have which attribute.
  let discardableAttrs = (ins
    "::mlir::UnitAttr":$divides_by_count,
    "::mlir::UnitAttr":$reports_values,
    "::mlir::UnitAttr":$uniform_sums
  );
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Returns the version of the dialect's bytecode. Raise it with every
    /// change that an earlier reader would not understand; see
    /// docs/Reference/Bytecode.md.
    static constexpr uint64_t getBytecodeVersion() { return 1; }

    /// The parser of MLIR calls this for an operation `name` that the dialect
    /// does not have. Returns a parser that rejects the operation and suggests
    /// a name that exists.
    std::optional<ParseOpHook>
    getParseOperationHook(::llvm::StringRef name) const override;
  }];
}

#endif // POOL_DIALECT_POOL_IR_POOLBASE_TD
