// The pool dialect itself.
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
    Operations on tensors for pooling, its inverse and its gradients, with every attribute that
    OpenVINO, nGraph, BNNS, ONNX, PyTorch and TOSA give them: asymmetric and
    automatic padding, dilation, floor, ceil and PyTorch's ceil rounding, the
    three divisors of an average, indices of the maxima, the two treatments of
    NaN. Any number n >= 1 of spatial dimensions, channels first
    (`[N, C, d_1 .. d_n]`) or last (`[N, d_1 .. d_n, C]`), static or dynamic.

    ## How a window is written

    `kernel` comes first, the other clauses follow in any order, each at most
    once; a clause that is left out has its default. They are printed in the
    order of the operation's syntax. The generic form holds all of them as
    properties, `<{kernel = array<i64: 2, 2>, axis = 2 : i64}>`; a key that the
    operation does not have is refused.

    ## The rule of one dimension

    With input extent `I`, pads `pb` and `pe`, kernel `k`, stride `s`, dilation
    `d` and window extent `E = (k - 1) * d + 1`, the output extent is

    | auto_pad | rounding_type | output extent |
    |---|---|---|
    | explicit | floor | `floor((I + pb + pe - E) / s) + 1` |
    | explicit | ceil | `ceil((I + pb + pe - E) / s) + 1` |
    | explicit | ceil_torch | as ceil, less one if the last window would start in the end padding, `(out - 1) * s >= I + pb` |
    | valid | any | pads are 0, then the row of that rounding_type |
    | same_upper, same_lower | any | `I` (`same_output = input`) or `ceil(I / s)` (`same_output = strided`); the pads total `max(0, (out - 1) * s + E - I)`, the odd one at the end (upper) or the beginning (lower) |

    What the last window of a ceil mode covers past the padding is the
    *overhang*. It is never read; a maximum treats it as padding, an average
    counts it only under `divisor = kernel`.

    ## Constraints of every window

    The verifier checks each constraint and names it in its diagnostic. A label
    is a table and a number: `Window` has what all windows share, and an
    operation says which other tables hold for it.

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
      `ceil_torch` it may exceed it where the formula still gives one window.
    - (Window.C9) Every output extent is at least 1.
    - (Window.C10) No quantity of the rule leaves a 64-bit signed integer.
    - (Window.C11) A result has the extents of the rule and no encoding; values
      and averages have the element type of the input. A result may be less
      static than the rule, never different.

    An extent that is not known stays unknown in the result; what it would
    violate is checked when the program runs, where a lowering is asked to.

    ## Constraints of quantised types

    `pool.max_pool` and `pool.min_pool` pass a uniform quantised type through:

    - (Quant.C1) The parameters are the same within a window: the type is not
      quantised along a spatial dimension.
    - (Quant.C2) With `pad_value = zero`, which is the stored zero, the zero
      point is 0.

    `pool.avg_pool` computes with the parameters of its types:

    - (Quant.C3) The type is quantised per tensor.
    - (Quant.C4) The zero point is one of the stored values.
    - (Quant.C5) Input and output have the same storage.
    - (Quant.C6) TOSA can express the ratio of the two scales.

    ## Facts about other operations

    Unit attributes on operations of other dialects say what these were built
    for, so that nobody has to find it out from what they are made of. A
    transformation that drops one costs speed and nothing else; one that makes an
    operation do anything else must drop it. Conversions of tensors end with
    removing those that are left.

    | attribute | on | says |
    |---|---|---|
    | `pool.divides_by_count` | `linalg.generic` | It makes averages of sums. What it computes from `linalg.index` are numbers of positions of the window there and nothing else; its `arith.divf` may become a product with the reciprocal. |
    | `pool.largest_index` | `scf.for` | Its only result, an index, is the largest as unsigned of what it begins with and of all elements, cast to index, of the one tensor that it reads. Ignored on the `scf.while` that `--scf-for-to-while` makes of it. |
    | `pool.reports_values` | `cf.assert` | Its message is about the values that its condition, an `arith.cmpi`, compares: a failed check reports those that are not constant. It stays until checks are lowered. |

    ## What is asked of the lowering

    Discardable attributes on operations of the dialect say how they are to be
    lowered. They change no result but the last bits of float sums.

    | attribute | on | asks |
    |---|---|---|
    | `pool.plan` | any operation | for a strategy and its parameters, a `#pool.plan`; docs/Internals/Plans.md has them. Decomposition and bufferisation keep it, tiling drops it. |
    | `pool.uniform_sums` | any operation | for an order of float sums that depends on the kernel alone, not on the place of the window too: parts of the output that are computed apart, or tiles, equal the whole, bit by bit but for the sign of zero. Decomposition, bufferisation and tiling keep it. |
  }];
  // What reification, run-time verification, tiling and canonicalisation build.
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::quant::QuantDialect",
    "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
  let useDefaultAttributePrinterParser = 1;
  // Facts on other dialects' operations, and what is asked of the lowering of
  // ours; who may have one: DiscardableAttrs.cpp.
  let discardableAttrs = (ins
    "::mlir::UnitAttr":$divides_by_count,
    "::mlir::UnitAttr":$largest_index,
    "::mlir::UnitAttr":$reports_values,
    "::mlir::UnitAttr":$uniform_sums
  );
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    /// The version of what bytecode holds of this dialect: raised with every
    /// change that an earlier reader would not understand, see
    /// docs/Reference/Bytecode.md.
    static constexpr uint64_t getBytecodeVersion() { return 1; }
  }];
}

#endif // POOL_DIALECT_POOL_IR_POOLBASE_TD
