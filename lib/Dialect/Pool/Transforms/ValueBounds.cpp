// Implements ValueBoundsOpInterface: bounds of result extents in terms of
// operand extents. pool.window_reduce needs no model, because upstream derives
// its result extents from its destinations.
//
// Also implements isWholeDim(), which recognizes whole dimensions even in
// chains that are too long for upstream's constraint sets.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Models.h"
#include "WholeDim.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "pool/Dialect/Pool/IR/AdaptiveInference.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Utils/IndexBounds.h"
#include "pool/Dialect/Pool/Utils/SymbolicWindowRules.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pool;

/// Returns i if dimension `dim` of the tensor is spatial dimension i, counted
/// from 0. Returns none for the batch and the channels.
static std::optional<unsigned> getSpatialIndex(const WindowAttrs &window,
                                               int64_t dim) {
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i)
    if (window.getSpatialDim(i) == dim)
      return i;
  return std::nullopt;
}

static void populateBounds(WindowOpInterface op, Value value, int64_t dim,
                           ValueBoundsConstraintSet &cstr) {
  if (!isa<RankedTensorType>(op.getInput().getType()))
    return;
  WindowAttrs window = op.getWindow();
  AffineExpr input = cstr.getExpr(op.getInput(), dim);
  std::optional<unsigned> i = getSpatialIndex(window, dim);
  if (!i) {
    cstr.bound(value)[dim] == input;
    return;
  }
  OutputBounds bounds = getOutputBounds(input, window.getDim(*i), window.modes);
  if (bounds.lower == bounds.upper) {
    cstr.bound(value)[dim] == bounds.upper;
    return;
  }
  cstr.bound(value)[dim] >= bounds.lower;
  cstr.bound(value)[dim] <= bounds.upper;
}

static void populateBounds(AdaptiveOpInterface op, Value value, int64_t dim,
                           ValueBoundsConstraintSet &cstr) {
  WindowAttrs dims = getAdaptiveLayout(op.getOutputSize(), op.getLayout());
  if (std::optional<unsigned> i = getSpatialIndex(dims, dim))
    cstr.bound(value)[dim] == op.getOutputSize()[*i];
  else if (isa<RankedTensorType>(op.getInput().getType()))
    cstr.bound(value)[dim] == cstr.getExpr(op.getInput(), dim);
}

static void populateBounds(ExtremumGradOpInterface op, Value value, int64_t dim,
                           ValueBoundsConstraintSet &cstr) {
  if (isa<RankedTensorType>(op.getInput().getType()))
    cstr.bound(value)[dim] == cstr.getExpr(op.getInput(), dim);
}

static void populateBounds(MaxUnpoolOp op, Value value, int64_t dim,
                           ValueBoundsConstraintSet &cstr) {
  cstr.bound(value)[dim] == op.getMixedSizes()[dim];
}

static void populateBounds(AvgPoolGradOp op, Value value, int64_t dim,
                           ValueBoundsConstraintSet &cstr) {
  cstr.bound(value)[dim] == op.getMixedSizes()[dim];
}

namespace {
template <typename OpT>
struct BoundsModel
    : ValueBoundsOpInterface::ExternalModel<BoundsModel<OpT>, OpT> {
  void populateBoundsForShapedValueDim(Operation *op, Value value, int64_t dim,
                                       ValueBoundsConstraintSet &cstr) const {
    populateBounds(cast<OpT>(op), value, dim, cstr);
  }
};
} // namespace

void pool::attachValueBounds(MLIRContext *context) {
  attachToPoolings<BoundsModel>(context);
  attachToScatters<BoundsModel>(context);
}

//===----------------------------------------------------------------------===//
// Whole dimensions
//===----------------------------------------------------------------------===//

namespace {
/// The extent of the tensor `value` in dimension `dim`. If `dim` is none,
/// `value` is an index, and is the extent itself.
struct Extent {
  Value value;
  std::optional<int64_t> dim;

  bool operator==(const Extent &other) const {
    return value == other.value && dim == other.dim;
  }
};
} // namespace

/// If the operation that defines `extent` copies it from an operand, returns
/// what it copies: an extent of a tensor operand, or an operand of type index.
/// Returns none otherwise: for block arguments, constants, and computed
/// extents.
static std::optional<Extent> getCopied(const Extent &extent) {
  Operation *op = extent.value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (!extent.dim) {
    auto dimOp = dyn_cast<tensor::DimOp>(op);
    if (!dimOp || !dimOp.getConstantIndex())
      return std::nullopt;
    return Extent{dimOp.getSource(), dimOp.getConstantIndex()};
  }
  int64_t dim = *extent.dim;
  using Result = std::optional<Extent>;
  auto getSize = [&](auto sized) -> Result {
    auto size = dyn_cast<Value>(sized.getMixedSizes()[dim]);
    return size ? Result({size, std::nullopt}) : std::nullopt;
  };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](WindowOpInterface window) -> Result {
        if (getSpatialIndex(window.getWindow(), dim))
          return std::nullopt;
        return Extent{window.getInput(), dim};
      })
      .Case([&](ExtremumGradOpInterface grad) {
        return Extent{grad.getInput(), dim};
      })
      .Case<AvgPoolGradOp, MaxUnpoolOp>(getSize)
      .Default(Result());
}

bool pool::isWholeDim(OpFoldResult size, Value tensor, unsigned d) {
  auto getOrigin = [](Extent extent) {
    // Limit the number of steps, because values of a graph region may form a
    // cycle.
    for (unsigned numSteps = 0; numSteps < 1000; ++numSteps) {
      std::optional<Extent> copied = getCopied(extent);
      if (!copied)
        break;
      extent = *copied;
    }
    return extent;
  };
  // Compare origins first: tiles of a chain of operations copy an extent along
  // the chain, and isProven() gives up after a few copies.
  if (auto value = dyn_cast<Value>(size))
    if (getOrigin({value, std::nullopt}) == getOrigin({tensor, d}))
      return true;
  using Bounds = ValueBoundsConstraintSet;
  return isProven(size, Bounds::EQ, Bounds::Variable(tensor, d));
}
