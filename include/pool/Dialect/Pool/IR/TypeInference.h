// Result types and constraints of the pooling operations, free of op classes:
// one set of functions for verifier, type inference and canonicalisation.
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

/// The shape that the rule gives the results: ranked, unknown extents dynamic.
/// Reports violations of Window.C1 to Window.C10. An unranked input gives
/// unknown extents.
FailureOr<SmallVector<int64_t>> inferWindowShape(ErrorFn emitError,
                                                 TensorType input,
                                                 const WindowAttrs &window);

/// Everything but the window that decides what an extremum chooses and how it
/// says so. Who must handle all of it destructures it, so that a mode that is
/// forgotten does not compile.
struct ExtremumModes {
  ExtremumModes(int64_t axis, PadValue padValue, NanMode nanMode)
      : axis(axis), padValue(padValue), nanMode(nanMode) {}

  int64_t axis;
  PadValue padValue;
  NanMode nanMode;
};

namespace detail {
/// The modes in an operation's properties; adaptive pooling has no `padValue`.
template <typename Properties>
ExtremumModes viewModes(const Properties &properties, PadValue padValue) {
  return {properties.axis, padValue, properties.nan_mode};
}

/// The same the other way round, for an operation that has all of them.
template <typename Properties>
void setModes(Properties &properties, const ExtremumModes &modes) {
  const auto &[axis, padValue, nanMode] = modes;
  properties.axis = axis;
  properties.pad_value = padValue;
  properties.nan_mode = nanMode;
}
} // namespace detail

/// What avg_pool has besides its window, in the same way.
struct AverageModes {
  Divisor divisor = Divisor::Valid;
  std::optional<int64_t> divisorOverride;
  IntegerRounding integerRounding = IntegerRounding::HalfEven;
  int64_t inputZp = 0;
  int64_t outputZp = 0;
};

/// The type of the values of an extremum, as of max_pool; reports Window.C1 to
/// Window.C10, Extremum, Quant.C1 and Quant.C2. `indexElementType` is null for
/// an operation without indices.
FailureOr<RankedTensorType>
inferExtremumPool(ErrorFn emitError, TensorType input,
                  const WindowAttrs &window, Reduction reduction,
                  const ExtremumModes &modes, Type indexElementType);

/// Extremum.C1: `axis` is one of the input's.
LogicalResult verifyAxis(ErrorFn emitError, int64_t rank, int64_t axis);

/// Extremum.C2: every position over `dims[axis:]` has an index, and every
/// position in an image a number.
LogicalResult verifyIndexBound(ErrorFn emitError, TensorType input,
                               int64_t axis, Type indexElementType);

/// Average.C2: the zero point `name` is a value of the element type.
LogicalResult verifyZeroPoint(ErrorFn emitError, StringRef name,
                              int64_t zeroPoint, Type elementType);

/// Quant.C1 and Quant.C2: a window has one set of quantisation parameters.
LogicalResult verifyQuantizedExtremum(ErrorFn emitError, Type elementType,
                                      const WindowAttrs &window,
                                      PadValue padValue);
/// Quant.C3 and Quant.C4 for one type of avg_pool; and for two types that
/// differ, Quant.C3 to Quant.C6.
LogicalResult verifyQuantizedAvgPool(ErrorFn emitError, Type elementType);
LogicalResult verifyRequantizedAvgPool(ErrorFn emitError, Type input,
                                       Type output);

/// The type of avg_pool's result, quantised as its input is; reports Window.C1
/// to Window.C10, Average.C1, Average.C2, Quant.C3 and Quant.C4.
FailureOr<RankedTensorType> inferAvgPool(ErrorFn emitError, TensorType input,
                                         const WindowAttrs &window,
                                         const AverageModes &modes);

/// Average.C3 over the known extents: no window counts nothing. The type
/// has been inferred.
LogicalResult verifyCounts(ErrorFn emitError, TensorType input,
                           const WindowAttrs &window,
                           const AverageModes &modes);

/// The type of lp_pool's result; reports Window.C1 to Window.C10 and
/// Lp.C1.
FailureOr<RankedTensorType> inferLpPool(ErrorFn emitError, TensorType input,
                                        const WindowAttrs &window, int64_t p);

/// Checks a declared result against the rule's type (Window.C11). `name` is the
/// result's in the ODS.
LogicalResult verifyResultType(ErrorFn emitError, StringRef name,
                               TensorType declared, RankedTensorType inferred,
                               TensorType input, const WindowAttrs &window);

/// True if `declared` is `inferred` or less static.
bool isLessStatic(Type declared, Type inferred);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_TYPEINFERENCE_H
