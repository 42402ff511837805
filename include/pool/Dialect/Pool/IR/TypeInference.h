// Result types and constraints of the pooling operations, independent of op
// classes. Verifier, type inference and canonicalisation share these functions.
// Parameters are named and ordered as in PoolOps.td.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_TYPEINFERENCE_H
#define POOL_DIALECT_POOL_IR_TYPEINFERENCE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "pool/Support/WindowRules.h"
#include "llvm/ADT/Twine.h"

namespace mlir::pool {

/// Reports a violated constraint and returns failure.
using ErrorFn = function_ref<LogicalResult(const Twine &message)>;

/// Reports errors at an operation. An ErrorFn of it needs it to live.
struct OpErrors {
  Operation *op;

  LogicalResult operator()(const Twine &message) const {
    return op->emitOpError(message);
  }
};

/// Infers the shape of the results. Unknown extents are dynamic; for an
/// unranked input all of them are. Reports violations of Window.C1 to
/// Window.C10.
FailureOr<SmallVector<int64_t>> inferWindowShape(ErrorFn emitError,
                                                 TensorType input,
                                                 const WindowAttrs &window);

/// All modes of an extremum besides the window. Code that must handle every
/// mode destructures this struct, and so does not compile after a mode is added
/// here.
struct ExtremumModes {
  ExtremumModes(int64_t axis, PadValue padValue, NanMode nanMode)
      : axis(axis), padValue(padValue), nanMode(nanMode) {}

  int64_t axis;
  PadValue padValue;
  NanMode nanMode;
};

namespace detail {
/// Returns `axis` counted from the first of `rank` dimensions; a negative
/// `axis` counts from the end.
inline int64_t normalizeAxis(int64_t axis, int64_t rank) {
  return axis < 0 ? axis + rank : axis;
}

/// Returns the modes in an operation's properties. `padValue` is a parameter
/// because adaptive pooling has none.
template <typename Properties>
ExtremumModes viewModes(const Properties &properties, PadValue padValue) {
  return {properties.axis, padValue, properties.nan_mode};
}

/// Sets the modes of an operation that has all of them.
template <typename Properties>
void setModes(Properties &properties, const ExtremumModes &modes) {
  const auto &[axis, padValue, nanMode] = modes;
  properties.axis = axis;
  properties.pad_value = padValue;
  properties.nan_mode = nanMode;
}
} // namespace detail

/// All modes of avg_pool besides the window.
struct AverageModes {
  Divisor divisor = Divisor::Valid;
  std::optional<int64_t> divisorOverride;
  IntegerRounding integerRounding = IntegerRounding::HalfEven;
  int64_t inputZp = 0;
  int64_t outputZp = 0;
};

/// Infers the type of the values of max_pool or min_pool. Reports violations of
/// Window.C1 to Window.C10, Extremum.C1 to Extremum.C4, Quant.C1 and Quant.C2.
/// `indexElementType` is null for an operation without indices.
FailureOr<RankedTensorType>
inferExtremumPool(ErrorFn emitError, TensorType input,
                  const WindowAttrs &window, Reduction reduction,
                  const ExtremumModes &modes, Type indexElementType);

/// Checks Extremum.C1: `axis`, which may be negative, names one of `rank`
/// dimensions.
LogicalResult verifyAxis(ErrorFn emitError, int64_t rank, int64_t axis);

/// Checks Extremum.C2 for the known extents: an index of `indexElementType` can
/// name every position in the dimensions from `axis` on, and an int64 every
/// position of one image. Requires `axis >= 0`.
LogicalResult verifyIndexBound(ErrorFn emitError, TensorType input,
                               int64_t axis, Type indexElementType);

/// Checks Average.C2 for the attribute `name`: its value `zeroPoint` is a value
/// of the element type.
LogicalResult verifyZeroPoint(ErrorFn emitError, StringRef name,
                              int64_t zeroPoint, Type elementType);

/// Checks Quant.C1 and Quant.C2: all elements of a window have the same
/// quantisation parameters, and with zero padding the zero point is 0.
LogicalResult verifyQuantizedExtremum(ErrorFn emitError, Type elementType,
                                      const WindowAttrs &window,
                                      PadValue padValue);
/// Checks Quant.C3 and Quant.C4 for an avg_pool whose input and output have
/// `elementType`.
LogicalResult verifyQuantizedAvgPool(ErrorFn emitError, Type elementType);
/// Checks Quant.C3 to Quant.C6 for an avg_pool from element type `input` to a
/// different element type `output`.
LogicalResult verifyRequantizedAvgPool(ErrorFn emitError, Type input,
                                       Type output);

/// Infers the type of avg_pool's result, quantised like the input. Reports
/// violations of Window.C1 to Window.C10, Average.C1, Average.C2, Quant.C3 and
/// Quant.C4.
FailureOr<RankedTensorType> inferAvgPool(ErrorFn emitError, TensorType input,
                                         const WindowAttrs &window,
                                         const AverageModes &modes);

/// Checks Average.C3 in the dimensions of known extent: the divisor counts at
/// least one position of every window. Requires that type inference succeeded.
LogicalResult verifyCounts(ErrorFn emitError, TensorType input,
                           const WindowAttrs &window,
                           const AverageModes &modes);

/// Infers the type of lp_pool's result. Reports violations of Window.C1 to
/// Window.C10 and Lp.C1.
FailureOr<RankedTensorType> inferLpPool(ErrorFn emitError, TensorType input,
                                        const WindowAttrs &window, int64_t p);

/// Checks the type `declared` of a result against the inferred type
/// (Window.C11). `name` is the result's name in ODS.
LogicalResult verifyResultType(ErrorFn emitError, StringRef name,
                               TensorType declared, RankedTensorType inferred,
                               TensorType input, const WindowAttrs &window);

/// True if `declared` equals `inferred` or is less static.
bool isLessStatic(Type declared, Type inferred);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_TYPEINFERENCE_H
