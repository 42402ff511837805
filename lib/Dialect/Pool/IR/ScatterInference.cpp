// Checks the constraints of max_unpool and of the gradients.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/ScatterInference.h"

#include "pool/Dialect/Pool/IR/ElementReduction.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::pool;
using llvm::formatv;

/// Fails if `type` has an encoding. The message begins with `label` and calls
/// the type `name`.
static LogicalResult verifyNoEncoding(ErrorFn emitError, StringRef label,
                                      StringRef name, TensorType type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked || !ranked.getEncoding())
    return success();
  return emitError(formatv("{0} {1} has a tensor encoding, which is not "
                           "supported",
                           label, name));
}

/// Checks that a ranked `type` has the rank of `shape`, and the same extents in
/// all dimensions in which both are known. In the message, `source` says where
/// `shape` comes from.
static LogicalResult verifyExtents(ErrorFn emitError, StringRef label,
                                   StringRef name, TensorType type,
                                   ArrayRef<int64_t> shape, StringRef source) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked)
    return success();
  if (ranked.getRank() != static_cast<int64_t>(shape.size()))
    return emitError(formatv("{0} {1} has rank {2}, {3} gives rank {4}", label,
                             name, ranked.getRank(), source, shape.size()));
  for (auto [d, extent] : llvm::enumerate(shape))
    if (!ranked.isDynamicDim(d) && !ShapedType::isDynamic(extent) &&
        ranked.getDimSize(d) != extent)
      return emitError(formatv("{0} {1}, dimension {2}: the extent is {3}, "
                               "{4} gives {5}",
                               label, name, d, ranked.getDimSize(d), source,
                               extent));
  return success();
}

/// Checks that `numDynamicExtents`, the number of operands for extents, is the
/// number of `?` in `type`.
static LogicalResult verifyDynamicExtents(ErrorFn emitError, StringRef label,
                                          size_t numDynamicExtents,
                                          RankedTensorType type) {
  if (static_cast<size_t>(type.getNumDynamicDims()) == numDynamicExtents)
    return success();
  return emitError(formatv("{0} {1} extents are given, the result type has "
                           "{2} unknown extents",
                           label, numDynamicExtents, type.getNumDynamicDims()));
}

//===----------------------------------------------------------------------===//
// max_unpool
//===----------------------------------------------------------------------===//

/// Checks Unpool.C1: all types have the rank of `output`, which is at least 3,
/// and no encoding.
static LogicalResult verifyRanks(ErrorFn emitError, TensorType values,
                                 TensorType indices, RankedTensorType output) {
  int64_t rank = output.getRank();
  if (rank < 3)
    return emitError(formatv("(Unpool.C1) output has rank {0}, must have at "
                             "least 3: batch, channels and a spatial dimension",
                             rank));
  const std::pair<StringRef, TensorType> types[] = {
      {"output", output}, {"values", values}, {"indices", indices}};
  for (auto [name, type] : types) {
    if (failed(verifyNoEncoding(emitError, "(Unpool.C1)", name, type)))
      return failure();
    if (type.hasRank() && type.getRank() != rank)
      return emitError(
          formatv("(Unpool.C1) {0} has rank {1}, output has rank {2}", name,
                  type.getRank(), rank));
  }
  return success();
}

/// Checks Unpool.C7: only the batch may be empty.
static LogicalResult verifyNotEmpty(ErrorFn emitError, StringRef name,
                                    TensorType type) {
  if (!type.hasRank())
    return success();
  for (int64_t d = 1; d < type.getRank(); ++d)
    if (type.getDimSize(d) == 0)
      return emitError(formatv("(Unpool.C7) {0}, dimension {1}: the extent is "
                               "0, must be at least 1",
                               name, d));
  return success();
}

LogicalResult pool::verifyMaxUnpool(ErrorFn emitError, TensorType values,
                                    TensorType indices,
                                    size_t numDynamicExtents, int64_t axis,
                                    RankedTensorType output) {
  if (failed(verifyRanks(emitError, values, indices, output)) ||
      failed(verifyDynamicExtents(emitError, "(Unpool.C2)", numDynamicExtents,
                                  output)))
    return failure();
  if (values.hasRank() &&
      failed(verifyExtents(emitError, "(Unpool.C3)", "indices", indices,
                           values.getShape(), "values")))
    return failure();

  int64_t rank = output.getRank();
  if (axis < -rank || axis >= rank)
    return emitError(formatv("(Unpool.C4) axis is {0}, must lie in [{1}, {2}]",
                             axis, -rank, rank - 1));
  axis = pool::normalizeAxis(axis, rank);
  const std::pair<StringRef, TensorType> sources[] = {{"values", values},
                                                      {"indices", indices}};
  for (auto [name, type] : sources) {
    if (!type.hasRank())
      continue;
    for (int64_t d = 0; d < axis; ++d)
      if (!type.isDynamicDim(d) && !output.isDynamicDim(d) &&
          type.getDimSize(d) != output.getDimSize(d))
        return emitError(formatv("(Unpool.C5) dimension {0} lies before axis "
                                 "{1}, where elements keep their position: {2} "
                                 "has extent {3}, output has {4}",
                                 d, axis, name, type.getDimSize(d),
                                 output.getDimSize(d)));
  }

  ArrayRef<int64_t> dims = output.getShape().drop_front(axis);
  if (!ShapedType::isDynamicShape(dims)) {
    std::optional<int64_t> bound = getProduct(dims);
    Type indexType = indices.getElementType();
    if (!bound || (indexType.isInteger(32) && *bound > kMaxI32IndexBound))
      return emitError(formatv(
          "(Unpool.C6) indices of type {0} cannot name the {1} "
          "positions of the result's dimensions from axis {2} on",
          indexType,
          bound ? std::to_string(*bound) : std::string("2^63 or more"), axis));
  }
  if (failed(verifyNotEmpty(emitError, "values", values)) ||
      failed(verifyNotEmpty(emitError, "indices", indices)) ||
      failed(verifyNotEmpty(emitError, "output", output)))
    return failure();
  if (values.getElementType() != output.getElementType())
    return emitError(
        formatv("(Unpool.C8) output has element type {0}, must have {1}",
                output.getElementType(), values.getElementType()));
  return success();
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

bool pool::isIdentityDim(const WindowDim &dim, const WindowModes &modes) {
  // Look only at explicit pads: with kernel 1 and stride 1, same_* and valid
  // give no padding.
  return dim.kernel == 1 && dim.stride == 1 &&
         getGivenPads(dim, modes) == std::pair<int64_t, int64_t>(0, 0);
}

/// Checks `outputGrad` against `rule`, the inferred type of the output. `label`
/// names the constraint.
static LogicalResult verifyOutputGrad(ErrorFn emitError, StringRef label,
                                      TensorType outputGrad,
                                      RankedTensorType rule) {
  if (failed(verifyNoEncoding(emitError, label, "output_grad", outputGrad)))
    return failure();
  if (outputGrad.getElementType() != rule.getElementType())
    return emitError(formatv("{0} output_grad has element type {1}, must "
                             "have {2}",
                             label, outputGrad.getElementType(),
                             rule.getElementType()));
  return verifyExtents(emitError, label, "output_grad", outputGrad,
                       rule.getShape(), "the rule");
}

LogicalResult pool::verifyExtremumGrad(ErrorFn emitError, TensorType input,
                                       TensorType outputGrad,
                                       TensorType indices,
                                       const WindowAttrs &window,
                                       Reduction reduction, int64_t axis,
                                       TensorType inputGrad) {
  Type indexElementType = indices ? indices.getElementType() : Type();
  ExtremumModes modes(axis, getNeverChosen(reduction), NanMode::Ignore);
  FailureOr<RankedTensorType> rule = inferExtremumPool(
      emitError, input, window, reduction, modes, indexElementType);
  if (failed(rule))
    return failure();
  // If no indices are given, a lowering computes them, in i64 if i32 is too
  // narrow. So check that i64 can name every position.
  if (!indices &&
      failed(verifyIndexBound(emitError, input, window.getSpatialDim(0),
                              IntegerType::get(input.getContext(), 64))))
    return failure();
  if (failed(verifyOutputGrad(emitError, "(Grad.C1)", outputGrad, *rule)))
    return failure();
  if (!isLessStatic(inputGrad, input))
    return emitError(formatv("(Grad.C2) input_grad has type {0}, must have the "
                             "input's, {1}, or one that is less static",
                             inputGrad, input));
  if (!indices)
    return success();

  if (failed(verifyNoEncoding(emitError, "(Grad.C3)", "indices", indices)) ||
      failed(verifyExtents(emitError, "(Grad.C3)", "indices", indices,
                           rule->getShape(), "the rule")))
    return failure();
  if (outputGrad.hasRank() &&
      failed(verifyExtents(emitError, "(Grad.C3)", "indices", indices,
                           outputGrad.getShape(), "output_grad")))
    return failure();

  int64_t rank = window.getRank();
  axis = pool::normalizeAxis(axis, rank);
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    unsigned d = window.getSpatialDim(i);
    WindowDim dim = window.getDim(i);
    if (d < axis && !isIdentityDim(dim, window.modes))
      return emitError(
          formatv("(Grad.C4) dimension {0} lies before axis {1}, so that "
                  "indices do not name a position in it: its window must be "
                  "one element with stride 1 and no padding, kernel is {2}, "
                  "stride {3}, pads {4} and {5}",
                  d, axis, dim.kernel, dim.stride, dim.padBegin, dim.padEnd));
  }
  return success();
}

LogicalResult pool::verifyAvgPoolGrad(ErrorFn emitError, TensorType outputGrad,
                                      size_t numDynamicExtents,
                                      const WindowAttrs &window,
                                      const AverageModes &modes,
                                      RankedTensorType inputGrad) {
  FailureOr<RankedTensorType> rule =
      inferAvgPool(emitError, inputGrad, window, modes);
  if (failed(rule) ||
      failed(verifyDynamicExtents(emitError, "(Grad.C5)", numDynamicExtents,
                                  inputGrad)))
    return failure();
  return verifyOutputGrad(emitError, "(Grad.C1)", outputGrad, *rule);
}
