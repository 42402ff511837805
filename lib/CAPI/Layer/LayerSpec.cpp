// Checks the parameters of a layer field by field.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayerSpec.h"

#include "LayerError.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"
#include "pool/ExecutionEngine/Program.h"

#include <cmath>
#include <thread>

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::capi;

char LayerError::ID;

/// Names of the fields for one axis, for messages. `padBegin` and `padEnd` are
/// positions in the field `pad`.
namespace {
struct AxisNames {
  const char *kernel, *stride, *dilation, *padding;
  unsigned padBegin, padEnd;
  const char *extent;
};
} // namespace

/// Field names of the height (0) and of the width (1), in the order of
/// LayerSpec::window.
static constexpr AxisNames kAxes[] = {
    {"k_height", "y_stride", "y_dilation_stride", "y_padding", 2, 3, "height"},
    {"k_width", "x_stride", "x_dilation_stride", "x_padding", 0, 1, "width"},
};

/// Returns the position of the extent of axis `i` in the field `size` of a
/// descriptor.
static unsigned getSizeField(const ImageSpec &image, unsigned i) {
  return isChannelsFirst(image.layout) ? 1 - i : 2 - i;
}

static std::string getExtentName(StringRef descriptor, const ImageSpec &image,
                                 unsigned i) {
  return (descriptor + ".size[" + llvm::Twine(getSizeField(image, i)) +
          "] (the " + kAxes[i].extent + ")")
      .str();
}

//===----------------------------------------------------------------------===//
// Window
//===----------------------------------------------------------------------===//

static llvm::Expected<WindowDim> readWindow(const PoolLayerParameters &p,
                                            unsigned axis) {
  const AxisNames &names = kAxes[axis];
  const bool isWidth = axis == 1;
  struct Field {
    int64_t WindowDim::*field;
    std::string name;
    size_t value;
    uint64_t least;
  };
  auto getPad = [&](int64_t WindowDim::*field, unsigned i) {
    if (llvm::any_of(p.pad, [](size_t pad) { return pad != 0; }))
      return Field{field, "pad[" + std::to_string(i) + "]", p.pad[i], 0};
    return Field{field, names.padding, isWidth ? p.x_padding : p.y_padding, 0};
  };
  const Field fields[] = {
      {&WindowDim::kernel, names.kernel, isWidth ? p.k_width : p.k_height, 1},
      {&WindowDim::stride, names.stride, isWidth ? p.x_stride : p.y_stride, 1},
      {&WindowDim::dilation, names.dilation,
       std::max<size_t>(isWidth ? p.x_dilation_stride : p.y_dilation_stride, 1),
       1},
      getPad(&WindowDim::padBegin, names.padBegin),
      getPad(&WindowDim::padEnd, names.padEnd)};
  WindowDim dim;
  for (const auto &[field, name, value, least] : fields) {
    if (value < least)
      return makeFieldError(name, "is " + llvm::Twine(value) +
                                      ", but must be at least " +
                                      llvm::Twine(least));
    if (value > static_cast<uint64_t>(kAddressable))
      return makeFieldError(name, "is " + llvm::Twine(value) +
                                      ", which is larger than any memory");
    dim.*field = static_cast<int64_t>(value);
  }
  return dim;
}

/// Makes an error that says why the image has no windows along `axis`.
static llvm::Error makeWindowError(RuleViolation violation,
                                   const WindowDim &dim, int64_t extent,
                                   unsigned axis, StringRef extentName) {
  const AxisNames &names = kAxes[axis];
  if (violation != RuleViolation::WindowExceedsInput)
    return makeFieldError(names.kernel,
                          "and " + llvm::Twine(names.dilation) +
                              " make a window that is larger than any memory");
  // The extent of the window does not overflow, because resolveDim() has
  // compared it with the input.
  RuleOr<int64_t> window = getWindowExtent(dim);
  return makeFieldError(
      names.kernel,
      "is " + llvm::Twine(dim.kernel) + ": the window covers " +
          llvm::Twine(window ? *window : 0) + " element(s), but " + extentName +
          " is " + llvm::Twine(extent) + " with a padding of " +
          llvm::Twine(dim.padBegin) + " and " + llvm::Twine(dim.padEnd));
}

/// Sets the end padding so that rounding floor gives the extent of the pooled
/// image, which is the output (for UnMax, the input). Fails if neither floor
/// nor ceil gives that extent with the user's padding. Also fails if the
/// function is AverageCountExcludePadding and a window contains only padding.
static llvm::Error fitWindow(LayerSpec &spec, unsigned axis) {
  const bool isUnMax = spec.isUnMax();
  const ImageSpec &image = isUnMax ? spec.output : spec.input;
  const ImageSpec &pooled = isUnMax ? spec.input : spec.output;
  std::string imageName =
      getExtentName(isUnMax ? "o_desc" : "i_desc", image, axis);
  std::string pooledName =
      getExtentName(isUnMax ? "i_desc" : "o_desc", pooled, axis);
  WindowDim &dim = spec.window[axis];
  int64_t extent = image.getSpatialExtent(axis);
  int64_t given = pooled.getSpatialExtent(axis);

  SmallVector<int64_t, 2> accepted;
  for (RoundingType rounding : {RoundingType::Floor, RoundingType::Ceil}) {
    WindowModes modes;
    modes.rounding = rounding;
    RuleOr<ResolvedDim> resolved = resolveDim(extent, dim, modes);
    if (!resolved)
      return makeWindowError(resolved.violation(), dim, extent, axis,
                             imageName);
    accepted.push_back(resolved->output);
    if (resolved->output != given)
      continue;
    dim.padEnd = resolved->padEnd + resolved->overhang;
    if (spec.function != PoolLayerFunctionAverageCountExcludePadding)
      return llvm::Error::success();
    if (std::optional<int64_t> empty =
            getFirstEmptyWindow(*resolved, Divisor::Valid))
      return makeFieldError("pooling_function",
                            "is AverageCountExcludePadding, but window " +
                                llvm::Twine(*empty) + " of " + pooledName +
                                " lies in padding alone");
    return llvm::Error::success();
  }
  std::string numbers = llvm::Twine(accepted[0]).str();
  if (accepted[1] != accepted[0])
    numbers +=
        (" (rounded down) or " + llvm::Twine(accepted[1]) + " (rounded up)")
            .str();
  return makeFieldError(pooledName, "is " + llvm::Twine(given) +
                                        ", but the window gives " + numbers +
                                        " of " + llvm::Twine(extent));
}

/// Fails if the padded input would be larger than any memory, because a
/// lowering may allocate a padded copy of the input.
static llvm::Error checkPaddedSize(const LayerSpec &spec) {
  if (spec.isUnMax())
    return llvm::Error::success();
  SmallVector<int64_t, 4> extents = {sizeof(double),
                                     spec.input.getNumChannels()};
  for (unsigned axis : {0, 1}) {
    const WindowDim &dim = spec.window[axis];
    // The sum fits int64, because none of the numbers is greater than twice
    // kAddressable.
    extents.push_back(spec.input.getSpatialExtent(axis) + dim.padBegin +
                      dim.padEnd);
  }
  std::optional<int64_t> bytes = getProduct(extents);
  if (bytes && *bytes <= kAddressable)
    return llvm::Error::success();
  return makeFieldError("i_desc.size", "is larger than any memory with the "
                                       "padding of the window");
}

//===----------------------------------------------------------------------===//
// Activation
//===----------------------------------------------------------------------===//

namespace {
struct ActivationRule {
  ActivationKind kind;
  bool usesAlpha, usesBeta;
};
} // namespace

/// The rules in the order of PoolLayerActivationFunction.
static constexpr ActivationRule kActivationRules[] = {
    {ActivationKind::Identity, false, false},
    {ActivationKind::RectifiedLinear, false, false},
    {ActivationKind::LeakyRectifiedLinear, true, false},
    {ActivationKind::Sigmoid, false, false},
    {ActivationKind::Tanh, false, false},
    {ActivationKind::ScaledTanh, true, true},
    {ActivationKind::Abs, false, false},
    {ActivationKind::Linear, true, false},
    {ActivationKind::Clamp, true, true},
    {ActivationKind::Softplus, false, false},
    {ActivationKind::Softmax, false, false},
    {ActivationKind::GELU, false, false},
    {ActivationKind::SiLU, false, false},
    {ActivationKind::HardSigmoid, true, true}};
static_assert(PoolLayerActivationHardSigmoid + 1 ==
              std::size(kActivationRules));

static llvm::Expected<Activation>
readActivation(const PoolLayerActivation &activation) {
  auto function = static_cast<size_t>(activation.function);
  if (function >= std::size(kActivationRules))
    return makeFieldError("activation.function",
                          "is " + llvm::Twine(activation.function) +
                              ", which is no PoolLayerActivationFunction");
  const ActivationRule &rule = kActivationRules[function];
  auto check = [&](StringRef field, float value, bool isUsed) -> llvm::Error {
    if (isUsed ? std::isnan(value) : value != 0 || std::isnan(value))
      return makeFieldError(field, isUsed ? "is not a number"
                                          : "is not 0, but the activation "
                                            "function does not use it");
    return llvm::Error::success();
  };
  if (llvm::Error error =
          check("activation.alpha", activation.alpha, rule.usesAlpha))
    return std::move(error);
  if (llvm::Error error =
          check("activation.beta", activation.beta, rule.usesBeta))
    return std::move(error);
  if (rule.kind == ActivationKind::Clamp && activation.alpha > activation.beta)
    return makeFieldError("activation.alpha",
                          "is greater than activation.beta: a clamp needs them "
                          "in order");
  return Activation{rule.kind, activation.alpha, activation.beta};
}

//===----------------------------------------------------------------------===//
// The whole specification
//===----------------------------------------------------------------------===//

/// True if f32 cannot represent all values of `dtype`.
static bool needsWide(DType dtype) {
  return dtype.isInteger() ? dtype.size >= 4 : dtype.size == 8;
}

static llvm::Error readFunction(LayerSpec &spec,
                                const PoolLayerParameters &parameters) {
  spec.function = parameters.pooling_function;
  if (spec.function < PoolLayerFunctionMax ||
      spec.function > PoolLayerFunctionMin)
    return makeFieldError("pooling_function",
                          "is " + llvm::Twine(spec.function) +
                              ", which is no PoolLayerFunction");
  if (spec.function == PoolLayerFunctionMax)
    spec.reduction = Reduction::Max;
  else if (spec.function == PoolLayerFunctionMin)
    spec.reduction = Reduction::Min;
  switch (parameters.max_padding) {
  case PoolLayerMaxPaddingZero:
    spec.padValue = PadValue::Zero;
    return llvm::Error::success();
  case PoolLayerMaxPaddingLowest:
    spec.padValue = getNeverChosen(spec.reduction.value_or(Reduction::Max));
    // Also accept Lowest for UnMax, which takes the same parameters as the
    // maximum that it inverts.
    if (!spec.reduction && !spec.isUnMax())
      return makeFieldError("max_padding",
                            "is Lowest, but only Max, Min and UnMax have it");
    return llvm::Error::success();
  default:
    return makeFieldError("max_padding",
                          "is " + llvm::Twine(parameters.max_padding) +
                              ", which is no PoolLayerMaxPadding");
  }
}

static llvm::Error readThreads(LayerSpec &spec,
                               const PoolLayerRuntimeParameters *runtime) {
  size_t threads = runtime ? runtime->n_threads : 0;
  if (threads > kMaxThreads)
    return makeFieldError("n_threads", "is " + llvm::Twine(threads) +
                                           ", but must be at most " +
                                           llvm::Twine(kMaxThreads));
  spec.areThreadsOpen = threads == 0;
  // hardware_concurrency() returns 0 if the number of processors is unknown.
  // Use one thread then.
  spec.threads =
      spec.areThreadsOpen
          ? std::clamp(std::thread::hardware_concurrency(), 1u, kMaxThreads)
          : static_cast<unsigned>(threads);
  return llvm::Error::success();
}

llvm::Expected<LayerSpec>
capi::getLayerSpec(const PoolLayerParameters &parameters,
                   const PoolLayerRuntimeParameters *runtime) {
  LayerSpec spec;
  if (llvm::Error error = readFunction(spec, parameters))
    return std::move(error);
  llvm::Expected<ImageSpec> input = getImageSpec(parameters.i_desc, "i_desc");
  if (!input)
    return input.takeError();
  llvm::Expected<ImageSpec> output = getImageSpec(parameters.o_desc, "o_desc");
  if (!output)
    return output.takeError();
  spec.input = *input;
  spec.output = *output;
  if (input->layout != output->layout)
    return makeFieldError("o_desc.layout", "is not that of i_desc");
  unsigned channelField = isChannelsFirst(input->layout) ? 2 : 0;
  if (input->getNumChannels() != output->getNumChannels())
    return makeFieldError(
        "o_desc.size[" + llvm::Twine(channelField) + "] (the channels)",
        "is " + llvm::Twine(output->getNumChannels()) + ", but i_desc has " +
            llvm::Twine(input->getNumChannels()));
  if (!output->hasDistinctElements())
    return makeFieldError("o_desc.stride", "lets elements overlap");

  for (unsigned axis : {0, 1}) {
    llvm::Expected<WindowDim> dim = readWindow(parameters, axis);
    if (!dim)
      return dim.takeError();
    spec.window[axis] = *dim;
    if (llvm::Error error = fitWindow(spec, axis))
      return std::move(error);
  }
  if (llvm::Error error = checkPaddedSize(spec))
    return std::move(error);
  llvm::Expected<Activation> activation = readActivation(parameters.activation);
  if (!activation)
    return activation.takeError();
  spec.activation = *activation;

  spec.isWide = needsWide(input->element) || needsWide(output->element);
  llvm::Expected<Buffer> bias =
      getChannelBias(parameters.bias, input->getNumChannels(), spec.isWide);
  if (!bias)
    return bias.takeError();
  spec.channelBias = std::move(*bias);
  spec.isIntegral = input->element.isInteger() &&
                    input->element == output->element && !input->hasScale() &&
                    !output->hasScale() && !spec.hasBias() &&
                    spec.activation.kind == ActivationKind::Identity &&
                    spec.function != PoolLayerFunctionL2Norm;
  if (llvm::Error error = readThreads(spec, runtime))
    return std::move(error);
  return std::move(spec);
}
