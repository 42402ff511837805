// Infers the result types of the pooling operations and checks their
// constraints. The functions take types and attributes instead of operations.
// Verifiers, type inference and canonicalization share these functions.
// Parameters have the names and the order of PoolOps.td.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_TYPEINFERENCE_H
#define POOL_DIALECT_POOL_IR_TYPEINFERENCE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "pool/Support/WindowRules.h"
#include "llvm/ADT/Twine.h"

namespace mlir::pool {

/// A function that reports a violated constraint and returns failure.
using ErrorFn = function_ref<LogicalResult(const Twine &message)>;

/// A function object that reports errors at `op`. Name the object and pass it
/// as an ErrorFn: the ErrorFn only refers to it.
struct OpErrors {
  Operation *op;

  LogicalResult operator()(const Twine &message) const {
    return op->emitOpError(message);
  }
};

/// Returns the shape of the results. Extents that cannot be inferred are
/// dynamic; for an unranked input all extents are. Fails after reporting a
/// violation of Window.C1 to Window.C10.
FailureOr<SmallVector<int64_t>> inferWindowShape(ErrorFn emitError,
                                                 TensorType input,
                                                 const WindowAttrs &window);

/// All modes of an extremum except the window. Code that must handle every mode
/// uses a structured binding of this struct. When a mode is added here, that
/// code does not compile until it handles the mode.
struct ExtremumModes {
  ExtremumModes(int64_t axis, PadValue padValue, NanMode nanMode)
      : axis(axis), padValue(padValue), nanMode(nanMode) {}

  int64_t axis;
  PadValue padValue;
  NanMode nanMode;
};

/// Returns the nonnegative number of the dimension `axis`. A negative `axis`
/// counts from the end: -1 is the last of `rank` dimensions.
inline int64_t normalizeAxis(int64_t axis, int64_t rank) {
  return axis < 0 ? axis + rank : axis;
}

/// Returns the modes of an operation's properties. `padValue` is a parameter,
/// because adaptive pooling has no such property.
template <typename Properties>
ExtremumModes viewModes(const Properties &properties, PadValue padValue) {
  return {properties.axis, padValue, properties.nan_mode};
}

/// Sets the modes in `properties`, which must have a member for each mode.
template <typename Properties>
void setModes(Properties &properties, const ExtremumModes &modes) {
  const auto &[axis, padValue, nanMode] = modes;
  properties.axis = axis;
  properties.pad_value = padValue;
  properties.nan_mode = nanMode;
}

/// All modes of avg_pool except the window.
struct AverageModes {
  Divisor divisor = Divisor::Valid;
  std::optional<int64_t> divisorOverride;
  IntegerRounding integerRounding = IntegerRounding::HalfEven;
  int64_t inputZp = 0;
  int64_t outputZp = 0;
};

/// Returns the type of the values of max_pool or min_pool. Fails after
/// reporting a violation of Window.C1 to Window.C10, Extremum.C1 to
/// Extremum.C4, Quant.C1 or Quant.C2. `indexElementType` is null for an
/// operation without indices.
FailureOr<RankedTensorType>
inferExtremumPool(ErrorFn emitError, TensorType input,
                  const WindowAttrs &window, Reduction reduction,
                  const ExtremumModes &modes, Type indexElementType);

/// Checks Extremum.C1: `axis` must be one of `rank` dimensions. It may be
/// negative and then counts from the end.
LogicalResult verifyAxis(ErrorFn emitError, int64_t rank, int64_t axis);

/// Checks Extremum.C2 for the known extents. An index of `indexElementType`
/// must be able to name every position in the dimensions from `axis` on. An
/// int64 must be able to name every position of one image. Requires `axis >=
/// 0`.
LogicalResult verifyIndexBound(ErrorFn emitError, TensorType input,
                               int64_t axis, Type indexElementType);

/// Checks Average.C2: `zeroPoint`, the value of the attribute `name`, must be a
/// value of `elementType` if that is an integer type, and 0 for any other type.
LogicalResult verifyZeroPoint(ErrorFn emitError, StringRef name,
                              int64_t zeroPoint, Type elementType);

/// Checks Quant.C1 and Quant.C2: all elements of a window have the same
/// quantization parameters, and with zero padding the zero point is 0.
LogicalResult verifyQuantizedExtremum(ErrorFn emitError, Type elementType,
                                      const WindowAttrs &window,
                                      PadValue padValue);
/// Checks Quant.C3 and Quant.C4 for an avg_pool whose input and output have
/// `elementType`: it is not quantized per axis, and its zero point is a stored
/// value. Succeeds for a type that is not quantized.
LogicalResult verifyQuantizedAvgPool(ErrorFn emitError, Type elementType);
/// Checks Quant.C3 to Quant.C6 for an avg_pool from the quantized type `input`
/// to a different quantized type `output`: they store the same integers, and
/// TOSA can express the ratio of their scales. Requires that
/// verifyQuantizedAvgPool() accepts `input`.
LogicalResult verifyRequantizedAvgPool(ErrorFn emitError, Type input,
                                       Type output);

/// Returns the type of avg_pool's result, quantized like the input. Fails after
/// reporting a violation of Window.C1 to Window.C10, Average.C1, Average.C2,
/// Quant.C3 or Quant.C4.
FailureOr<RankedTensorType> inferAvgPool(ErrorFn emitError, TensorType input,
                                         const WindowAttrs &window,
                                         const AverageModes &modes);

/// Checks Average.C3 in the dimensions of known extent: the divisor must count
/// at least one position of every window. Requires that type inference
/// succeeded.
LogicalResult verifyCounts(ErrorFn emitError, TensorType input,
                           const WindowAttrs &window,
                           const AverageModes &modes);

/// Returns the type of lp_pool's result. Fails after reporting a violation of
/// Window.C1 to Window.C10 or Lp.C1.
FailureOr<RankedTensorType> inferLpPool(ErrorFn emitError, TensorType input,
                                        const WindowAttrs &window, int64_t p);

/// Checks Window.C11: `declared`, the type of the result that ODS calls `name`,
/// must equal `inferred` or be less static. `input` and `window` are only used
/// to explain an error.
LogicalResult verifyResultType(ErrorFn emitError, StringRef name,
                               TensorType declared, RankedTensorType inferred,
                               TensorType input, const WindowAttrs &window);

/// True if `declared` equals `inferred` or is less static.
bool isLessStatic(Type declared, Type inferred);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_TYPEINFERENCE_H
