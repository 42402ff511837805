// Infers result types and checks constraints of the pooling operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/TypeInference.h"

#include "pool/Dialect/Pool/IR/ElementReduction.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::pool;
using llvm::formatv;

/// Returns the formula of the output extent, with the numbers filled in, for a
/// diagnostic.
static std::string describeOutput(const ResolvedDim &dim,
                                  const WindowModes &modes) {
  if (modes.isSame() && keepsExtent(modes.sameOutput))
    return "the input extent, same_output = input";
  if (modes.isSame())
    return formatv("ceil({0} / {1}), same_output = strided", dim.input,
                   dim.stride);
  return formatv("{0}(({1} + {2} + {3} - {4}) / {5}) + 1{6}",
                 roundsUp(modes.rounding) ? "ceil" : "floor", dim.input,
                 dim.padBegin, dim.padEnd, (dim.kernel - 1) * dim.dilation + 1,
                 dim.stride,
                 dropsWindowInEndPadding(modes.rounding)
                     ? ", less 1 for a last window in the end padding"
                     : "");
}

/// Returns the message for a violation of Window.C3 to Window.C10 in dimension
/// `d` of the input.
static std::string describeViolation(RuleViolation violation, unsigned d,
                                     int64_t input, const WindowDim &dim,
                                     const WindowModes &modes) {
  auto [padBegin, padEnd] = getGivenPads(dim, modes);
  auto message = [&](StringRef label, const auto &text) {
    return formatv("{0} dimension {1}: {2}", label, d, text).str();
  };
  switch (violation) {
  case RuleViolation::KernelBelowOne:
    return message("(Window.C3)",
                   formatv("kernel is {0}, must be at least 1", dim.kernel));
  case RuleViolation::DilationBelowOne:
    return message("(Window.C4)", formatv("dilation is {0}, must be at least 1",
                                          dim.dilation));
  case RuleViolation::StrideBelowOne:
    return message("(Window.C5)",
                   formatv("stride is {0}, must be at least 1", dim.stride));
  case RuleViolation::NegativePad:
    return message("(Window.C6)",
                   formatv("pads are {0} and {1}, must be at least 0",
                           dim.padBegin, dim.padEnd));
  case RuleViolation::InputBelowOne:
    return message("(Window.C7)",
                   formatv("input extent is {0}, must be at least 1", input));
  case RuleViolation::WindowExceedsInput:
    return message(
        "(Window.C8)",
        formatv("the window covers {0} = ({1} - 1) * {2} + 1 elements, "
                "the padded input has {3} = {4} + {5} + {6}",
                (dim.kernel - 1) * dim.dilation + 1, dim.kernel, dim.dilation,
                input + padBegin + padEnd, input, padBegin, padEnd));
  case RuleViolation::OutputBelowOne:
    return message("(Window.C9)",
                   formatv("the output extent is below 1: input {0}, "
                           "pads {1} and {2}, kernel {3}, stride {4}, "
                           "dilation {5}",
                           input, padBegin, padEnd, dim.kernel, dim.stride,
                           dim.dilation));
  case RuleViolation::Overflow:
    break;
  }
  return message(
      "(Window.C10)",
      formatv("the extents leave a 64-bit integer: input {0}, pads {1} "
              "and {2}, kernel {3}, stride {4}, dilation {5}",
              ShapedType::isDynamic(input) ? std::string("?")
                                           : std::to_string(input),
              padBegin, padEnd, dim.kernel, dim.stride, dim.dilation));
}

/// Checks Window.C2: `kernel` is not empty, and each other list is empty or has
/// the length of `kernel`.
static LogicalResult verifyLists(ErrorFn emitError, const WindowAttrs &window) {
  if (window.kernel.empty())
    return emitError(
        "(Window.C2) kernel is empty, must name at least one dimension");
  const std::pair<StringRef, ArrayRef<int64_t>> lists[] = {
      {"strides", window.strides},
      {"dilations", window.dilations},
      {"pads_begin", window.padsBegin},
      {"pads_end", window.padsEnd}};
  for (auto [name, list] : lists)
    if (!list.empty() && list.size() != window.kernel.size())
      return emitError(
          formatv("(Window.C2) {0} has {1} entries, kernel has {2}", name,
                  list.size(), window.kernel.size()));
  return success();
}

FailureOr<SmallVector<int64_t>>
pool::inferWindowShape(ErrorFn emitError, TensorType input,
                       const WindowAttrs &window) {
  if (failed(verifyLists(emitError, window)))
    return failure();

  unsigned rank = window.getRank();
  SmallVector<int64_t> shape(rank, ShapedType::kDynamic);
  if (auto ranked = dyn_cast<RankedTensorType>(input)) {
    if (ranked.getEncoding())
      return emitError("(Window.C1) tensor encodings are not supported");
    if (ranked.getRank() != static_cast<int64_t>(rank))
      return emitError(
          formatv("(Window.C1) the input has rank {0}, must have rank {1}: "
                  "batch, channels and the {2} dimensions of kernel",
                  ranked.getRank(), rank, window.kernel.size()));
    llvm::copy(ranked.getShape(), shape.begin());
    unsigned channelDim = window.getChannelDim();
    if (shape[channelDim] == 0)
      return emitError(formatv("(Window.C7) dimension {0}: channel extent is "
                               "0, must be at least 1",
                               channelDim));
  }

  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    WindowDim dim = window.getDim(i);
    unsigned d = window.getSpatialDim(i);
    int64_t &extent = shape[d];
    std::optional<RuleViolation> violation = checkDim(dim);
    if (!violation && ShapedType::isDynamic(extent)) {
      InputRange range = getInputRange(dim, window.modes);
      if (range.min > range.max)
        violation = RuleViolation::Overflow;
    } else if (!violation) {
      RuleOr<ResolvedDim> resolved = resolveDim(extent, dim, window.modes);
      if (resolved) {
        extent = resolved->output;
        continue;
      }
      violation = resolved.violation();
    }
    if (violation)
      return emitError(
          describeViolation(*violation, d, extent, dim, window.modes));
  }
  if (!getProduct(window.kernel))
    return emitError("(Window.C10) the number of window positions, the product "
                     "of kernel, leaves a 64-bit integer");
  return shape;
}

LogicalResult pool::verifyAxis(ErrorFn emitError, int64_t rank, int64_t axis) {
  if (axis >= -rank && axis < rank)
    return success();
  return emitError(formatv("(Extremum.C1) axis is {0}, must lie in [{1}, {2}]",
                           axis, -rank, rank - 1));
}

LogicalResult pool::verifyIndexBound(ErrorFn emitError, TensorType input,
                                     int64_t axis, Type indexElementType) {
  if (!input.hasRank())
    return success();
  // Leave out unknown extents. They are at least 1 (the batch is not included),
  // so the true product is at least the product of the known extents.
  SmallVector<int64_t> image(input.getShape().drop_front());
  llvm::erase_if(image, ShapedType::isDynamic);
  if (!getProduct(image))
    return emitError(formatv("(Extremum.C2) the positions of one image leave a "
                             "64-bit integer: its known extents are {0:$[ x ]}",
                             llvm::make_range(image.begin(), image.end())));
  SmallVector<int64_t> dims(input.getShape().drop_front(axis));
  if (axis == 0 && input.isDynamicDim(0))
    return success();
  llvm::erase_if(dims, ShapedType::isDynamic);
  std::optional<int64_t> bound = getProduct(dims);
  if (!bound || (indexElementType.isInteger(32) && *bound > kMaxI32IndexBound))
    return emitError(formatv(
        "(Extremum.C2) indices of type {0} cannot name the {1} "
        "positions of the dimensions from axis {2} on",
        indexElementType,
        bound ? std::to_string(*bound) : std::string("2^63 or more"), axis));
  return success();
}

FailureOr<RankedTensorType>
pool::inferExtremumPool(ErrorFn emitError, TensorType input,
                        const WindowAttrs &window, Reduction reduction,
                        const ExtremumModes &modes, Type indexElementType) {
  FailureOr<SmallVector<int64_t>> shape =
      inferWindowShape(emitError, input, window);
  if (failed(shape))
    return failure();

  const auto [axis, padValue, nanMode] = modes;
  (void)nanMode; // Every NaN mode is valid for every type.
  int64_t rank = window.getRank();
  PadValue neverChosen = getNeverChosen(reduction);
  if (failed(verifyAxis(emitError, rank, axis)))
    return failure();
  if (padValue != neverChosen && !isZero(padValue))
    return emitError(formatv("(Extremum.C4) pad_value is {0}, which would "
                             "always be chosen, must be {1} or zero",
                             stringifyPadValue(padValue),
                             stringifyPadValue(neverChosen)));
  if (indexElementType) {
    if (failed(verifyIndexBound(emitError, input,
                                pool::normalizeAxis(axis, rank),
                                indexElementType)))
      return failure();
    if (padValue != neverChosen)
      return emitError(formatv("(Extremum.C3) indices are defined for "
                               "pad_value = {0} only, pad_value is {1}",
                               stringifyPadValue(neverChosen),
                               stringifyPadValue(padValue)));
  }
  if (failed(verifyQuantizedExtremum(emitError, input.getElementType(), window,
                                     padValue)))
    return failure();
  return RankedTensorType::get(*shape, input.getElementType());
}

LogicalResult pool::verifyZeroPoint(ErrorFn emitError, StringRef name,
                                    int64_t zeroPoint, Type elementType) {
  if (zeroPoint == 0)
    return success();
  auto integer = dyn_cast<IntegerType>(elementType);
  if (!integer)
    return emitError(formatv("(Average.C2) {0} is {1}, must be 0 for {2}", name,
                             zeroPoint, elementType));
  unsigned width = integer.getWidth();
  bool fits = integer.isUnsigned()
                  ? zeroPoint >= 0 && llvm::isUIntN(width, zeroPoint)
                  : llvm::isIntN(width, zeroPoint);
  if (!fits)
    return emitError(
        formatv("(Average.C2) {0} is {1}, which is not a value of {2}", name,
                zeroPoint, elementType));
  return success();
}

FailureOr<RankedTensorType> pool::inferAvgPool(ErrorFn emitError,
                                               TensorType input,
                                               const WindowAttrs &window,
                                               const AverageModes &modes) {
  FailureOr<SmallVector<int64_t>> shape =
      inferWindowShape(emitError, input, window);
  if (failed(shape))
    return failure();

  Type elementType = input.getElementType();
  if (modes.divisorOverride == 0)
    return emitError(
        "(Average.C1) divisor_override is 0, must be another number");
  if (failed(
          verifyZeroPoint(emitError, "input_zp", modes.inputZp, elementType)) ||
      failed(verifyZeroPoint(emitError, "output_zp", modes.outputZp,
                             elementType)) ||
      failed(verifyQuantizedAvgPool(emitError, elementType)))
    return failure();

  return RankedTensorType::get(*shape, elementType);
}

LogicalResult pool::verifyCounts(ErrorFn emitError, TensorType input,
                                 const WindowAttrs &window,
                                 const AverageModes &modes) {
  if (modes.divisorOverride || !input.hasRank())
    return success();
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    unsigned d = window.getSpatialDim(i);
    if (input.isDynamicDim(d))
      continue;
    ResolvedDim dim =
        *resolveDim(input.getDimSize(d), window.getDim(i), window.modes);
    std::optional<int64_t> empty = getFirstEmptyWindow(dim, modes.divisor);
    if (!empty)
      continue;
    return emitError(
        formatv("(Average.C3) dimension {0}: the average at output position "
                "{1} is 0/0: its window starts at {2} with dilation {3} and "
                "counts no element under divisor = {4} (input {5}, pads {6} "
                "and {7}, kernel {8})",
                d, *empty, dim.getStart(*empty), dim.dilation,
                stringifyDivisor(modes.divisor), dim.input, dim.padBegin,
                dim.padEnd, dim.kernel));
  }
  return success();
}

FailureOr<RankedTensorType> pool::inferLpPool(ErrorFn emitError,
                                              TensorType input,
                                              const WindowAttrs &window,
                                              int64_t p) {
  FailureOr<SmallVector<int64_t>> shape =
      inferWindowShape(emitError, input, window);
  if (failed(shape))
    return failure();
  if (p < 1)
    return emitError(formatv("(Lp.C1) p is {0}, must be at least 1", p));
  return RankedTensorType::get(*shape, input.getElementType());
}

bool pool::isLessStatic(Type declared, Type inferred) {
  auto tensor = dyn_cast<TensorType>(declared);
  auto rule = dyn_cast<TensorType>(inferred);
  if (!tensor || !rule || tensor.getElementType() != rule.getElementType())
    return false;
  if (!tensor.hasRank())
    return true;
  if (!rule.hasRank() || tensor.getRank() != rule.getRank())
    return false;
  return llvm::all_of_zip(tensor.getShape(), rule.getShape(),
                          [](int64_t extent, int64_t ruleExtent) {
                            return ShapedType::isDynamic(extent) ||
                                   extent == ruleExtent;
                          });
}

/// Returns the name of the other value of same_output if that value would give
/// a type that `declared` fits. Otherwise, or if auto_pad is not same_*,
/// returns an empty string.
static StringRef getOtherSameOutput(TensorType declared, TensorType input,
                                    WindowAttrs window) {
  if (!window.modes.isSame())
    return "";
  window.modes.sameOutput = keepsExtent(window.modes.sameOutput)
                                ? SameOutput::Strided
                                : SameOutput::Input;
  FailureOr<SmallVector<int64_t>> shape =
      inferWindowShape([](const Twine &) { return failure(); }, input, window);
  if (failed(shape) ||
      !isLessStatic(declared,
                    RankedTensorType::get(*shape, declared.getElementType())))
    return "";
  return stringifySameOutput(window.modes.sameOutput);
}

LogicalResult pool::verifyResultType(ErrorFn emitError, StringRef name,
                                     TensorType declared,
                                     RankedTensorType inferred,
                                     TensorType input,
                                     const WindowAttrs &window) {
  if (declared.getElementType() != inferred.getElementType())
    return emitError(
        formatv("(Window.C11) {0} has element type {1}, must have {2}", name,
                declared.getElementType(), inferred.getElementType()));
  auto ranked = dyn_cast<RankedTensorType>(declared);
  if (!ranked)
    return success();
  if (ranked.getEncoding())
    return emitError(formatv(
        "(Window.C11) {0} has a tensor encoding, which is not supported",
        name));
  if (isLessStatic(ranked, inferred))
    return success();
  if (ranked.getRank() != inferred.getRank())
    return emitError(
        formatv("(Window.C11) {0} has rank {1}, must have rank {2}", name,
                ranked.getRank(), inferred.getRank()));

  int64_t d = 0;
  while (ranked.isDynamicDim(d) ||
         ranked.getDimSize(d) == inferred.getDimSize(d))
    ++d;
  std::string message =
      formatv("(Window.C11) {0}, dimension {1}: the extent is {2}, ", name, d,
              ranked.getDimSize(d));
  if (inferred.isDynamicDim(d)) {
    message += "the rule gives ?, an extent of the input being unknown";
    return emitError(message);
  }
  message += formatv("the rule gives {0}", inferred.getDimSize(d));
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    if (window.getSpatialDim(i) != d)
      continue;
    ResolvedDim dim =
        *resolveDim(input.getDimSize(d), window.getDim(i), window.modes);
    message += " = " + describeOutput(dim, window.modes);
  }
  StringRef other = getOtherSameOutput(declared, input, window);
  if (!other.empty())
    message += formatv("; same_output = {0} would accept this type", other);
  return emitError(message);
}
