// Reads windows of StableHLO and places them on pooling's dimensions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HloWindow.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/Casts.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::pool;

FailureOr<HloWindow> pool::readWindow(Operation *op, unsigned rank,
                                      std::string &reason) {
  HloWindow window(rank);
  auto read = [&](StringRef name, int64_t HloDim::*field) {
    auto list = hlo::getIntegers(op, name, rank, /*absent=*/1);
    if (!list || llvm::any_of(*list, [](int64_t i) { return i < 1; }))
      return fail(reason,
                  llvm::formatv(
                      "its {0} is no list of {1} positive integers of 32 bits",
                      name, rank));
    for (auto [dim, entry] : llvm::zip_equal(window, *list))
      dim.*field = entry;
    return success();
  };
  if (!op->hasAttr("window_dimensions") && hlo::getName(op) == "reduce_window")
    return fail(reason, "it has no window_dimensions");
  if (failed(read("window_dimensions", &HloDim::size)) ||
      failed(read("window_strides", &HloDim::stride)) ||
      failed(read("window_dilations", &HloDim::dilation)) ||
      failed(read("base_dilations", &HloDim::baseDilation)))
    return failure();
  auto padding = hlo::getPadding(op, rank);
  if (!padding)
    return fail(
        reason,
        llvm::formatv(
            "its padding is no constant of {0} pairs of integers of 32 bits",
            rank));
  for (auto [dim, pair] : llvm::zip_equal(window, *padding))
    std::tie(dim.low, dim.high) = pair;
  return window;
}

bool pool::hasPadding(const HloWindow &window) {
  return llvm::any_of(
      window, [](const HloDim &dim) { return dim.low != 0 || dim.high != 0; });
}

bool pool::hasNegativePadding(const HloWindow &window) {
  return llvm::any_of(
      window, [](const HloDim &dim) { return dim.low < 0 || dim.high < 0; });
}

bool pool::hasBaseDilation(const HloWindow &window) {
  return llvm::any_of(window,
                      [](const HloDim &dim) { return dim.baseDilation != 1; });
}

std::optional<HloPad> pool::matchPad(Value value) {
  Operation *op = hlo::getProducer(value, "pad", 2);
  auto type = op ? dyn_cast<RankedTensorType>(op->getOperand(0).getType())
                 : RankedTensorType();
  auto result = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !result || type.getRank() != result.getRank() ||
      type.getElementType() != result.getElementType() ||
      getElementTypeOrSelf(op->getOperand(1).getType()) !=
          type.getElementType())
    return std::nullopt;
  unsigned rank = type.getRank();
  auto low = hlo::getIntegers(op, "edge_padding_low", rank, 0);
  auto high = hlo::getIntegers(op, "edge_padding_high", rank, 0);
  auto interior = hlo::getIntegers(op, "interior_padding", rank, 0);
  HloPad pad{op->getOperand(0), hlo::getSplat(op->getOperand(1)), {}};
  if (!low || !high || !interior || !pad.value)
    return std::nullopt;
  for (unsigned d = 0; d < rank; ++d) {
    if ((*interior)[d] < 0)
      return std::nullopt;
    HloDim &dim = pad.amounts.emplace_back();
    dim.low = (*low)[d];
    dim.high = (*high)[d];
    dim.baseDilation = (*interior)[d] + 1;
    // Check the result type: a malformed pad must not become a window that
    // fits.
    int64_t extent = type.getDimSize(d), padded = result.getDimSize(d);
    if (ShapedType::isDynamic(extent) != ShapedType::isDynamic(padded))
      return std::nullopt;
    if (ShapedType::isDynamic(extent))
      continue;
    if (extent < 1 || !llvm::isInt<32>(extent) ||
        padded != (extent - 1) * dim.baseDilation + 1 + dim.low + dim.high)
      return std::nullopt;
  }
  return pad;
}

bool pool::foldPad(HloWindow &window, const HloPad &pad) {
  HloWindow folded = window;
  for (auto [dim, amount] : llvm::zip_equal(folded, pad.amounts)) {
    bool isPadded = amount.low != 0 || amount.high != 0;
    if (dim.baseDilation != 1 && (isPadded || amount.baseDilation != 1))
      return false;
    auto add = [](int64_t &sum, int64_t more) {
      bool agrees = (sum >= 0 && more >= 0) || (sum <= 0 && more <= 0);
      sum += more;
      return agrees && llvm::isInt<32>(sum);
    };
    if (!add(dim.low, amount.low) || !add(dim.high, amount.high))
      return false;
    dim.baseDilation *= amount.baseDilation;
  }
  window = std::move(folded);
  return true;
}

//===----------------------------------------------------------------------===//
// Placement
//===----------------------------------------------------------------------===//

/// Chooses a layout in which every dimension with a window is spatial. Sets
/// `numUnitDims` to the number of unit dimensions that this layout needs in
/// front.
static Layout chooseLayout(const HloWindow &window, unsigned &numUnitDims) {
  unsigned rank = window.size(), first = 0, last = rank;
  while (first < rank && window[first].isTrivial())
    ++first;
  while (last > first && window[last - 1].isTrivial())
    --last;
  if (first == rank)
    first = last = rank - 1;
  bool isChannelsLast = last < rank && last > first;
  numUnitDims = isChannelsLast ? (first < 1) : 2 - std::min(first, 2u);
  // Prefer channels last if the last dimension has no window: vectors along the
  // channels are cheapest. Other dimensions without a window may become
  // spatial, with windows of one element.
  return isChannelsLast ? Layout::ChannelsLast : Layout::ChannelsFirst;
}

FailureOr<PlacedWindow> pool::placeWindow(Value source, const HloWindow &window,
                                          std::string &reason) {
  auto type = cast<RankedTensorType>(source.getType());
  unsigned rank = type.getRank();
  if (rank == 0)
    return fail(reason, "its input has no dimensions");
  if (hasBaseDilation(window))
    return fail(reason, "it dilates its input, which pooling does not");
  PlacedWindow placed;
  placed.source = source;
  Layout layout = chooseLayout(window, placed.numUnitDims);
  SmallVector<int64_t> shape(type.getShape());
  if (hasNegativePadding(window)) {
    for (auto [d, dim] : llvm::enumerate(window)) {
      auto [low, high] = placed.cuts.emplace_back(
          std::max<int64_t>(-dim.low, 0), std::max<int64_t>(-dim.high, 0));
      if (low + high == 0)
        continue;
      if (ShapedType::isDynamic(shape[d]) || shape[d] - low - high < 1)
        return fail(reason, llvm::formatv(
                                "its negative padding cuts {0} elements off "
                                "dimension {1}, of which there may be no more",
                                low + high, d));
      shape[d] -= low + high;
    }
  }
  shape.insert(shape.begin(), placed.numUnitDims, 1);
  placed.type = RankedTensorType::get(shape, type.getElementType());
  placed.window =
      OwnedWindow::get(SmallVector<int64_t>(shape.size() - 2, 1), layout);
  for (unsigned i = 0; i < shape.size() - 2; ++i) {
    unsigned d = placed.window.getAttrs().getSpatialDim(i);
    if (d < placed.numUnitDims)
      continue;
    const HloDim &dim = window[d - placed.numUnitDims];
    placed.window.kernel[i] = dim.size;
    placed.window.strides[i] = dim.stride;
    // The dilation of a window of one element has no effect, so use 1.
    placed.window.dilations[i] = dim.size == 1 ? 1 : dim.dilation;
    placed.window.padsBegin[i] = std::max<int64_t>(dim.low, 0);
    placed.window.padsEnd[i] = std::max<int64_t>(dim.high, 0);
  }
  return placed;
}

/// Returns {[0 .. numUnitDims], [numUnitDims + 1], ...}, the reassociation that
/// collapses the unit dimensions and the first dimension after them into one.
static SmallVector<ReassociationIndices> getReassociation(unsigned numUnitDims,
                                                          unsigned rank) {
  SmallVector<ReassociationIndices> groups(rank);
  for (unsigned d = 0; d < rank + numUnitDims; ++d)
    groups[d < numUnitDims ? 0 : d - numUnitDims].push_back(d);
  return groups;
}

RankedTensorType pool::addUnitDims(const PlacedWindow &placed,
                                   RankedTensorType type) {
  SmallVector<int64_t> shape(placed.numUnitDims, 1);
  shape.append(type.getShape().begin(), type.getShape().end());
  return RankedTensorType::get(shape, type.getElementType());
}

Value pool::addUnitDims(OpBuilder &b, Location loc, const PlacedWindow &placed,
                        Value value) {
  if (placed.numUnitDims == 0)
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  return tensor::ExpandShapeOp::create(
      b, loc, addUnitDims(placed, type), value,
      getReassociation(placed.numUnitDims, type.getRank()));
}

Value pool::removeUnitDims(OpBuilder &b, Location loc,
                           const PlacedWindow &placed, Value value,
                           Type declared) {
  if (placed.numUnitDims != 0) {
    auto type = cast<RankedTensorType>(value.getType());
    unsigned rank = type.getRank() - placed.numUnitDims;
    value = tensor::CollapseShapeOp::create(
        b, loc, value, getReassociation(placed.numUnitDims, rank));
  }
  return castTo(b, loc, value, declared);
}

Value pool::createSource(OpBuilder &b, Location loc,
                         const PlacedWindow &placed) {
  Value value = placed.source;
  if (!placed.cuts.empty()) {
    SmallVector<OpFoldResult> offsets, sizes, strides;
    for (auto [d, cut] : llvm::enumerate(placed.cuts)) {
      offsets.push_back(b.getIndexAttr(cut.first));
      int64_t extent = placed.type.getDimSize(d + placed.numUnitDims);
      sizes.push_back(
          ShapedType::isDynamic(extent)
              ? OpFoldResult(
                    tensor::DimOp::create(b, loc, value, d).getResult())
              : b.getIndexAttr(extent));
      strides.push_back(b.getIndexAttr(1));
    }
    value =
        tensor::ExtractSliceOp::create(b, loc, value, offsets, sizes, strides);
  }
  return addUnitDims(b, loc, placed, value);
}

bool pool::fitsResult(const PlacedWindow &placed,
                      FailureOr<RankedTensorType> inferred,
                      RankedTensorType declared, std::string &reason) {
  if (failed(inferred))
    return false;
  RankedTensorType expected = addUnitDims(placed, declared);
  if (tensor::CastOp::areCastCompatible(*inferred, expected))
    return true;
  reason = "its result type is not the one of its windows";
  return false;
}
