// Creates linalg operations for elementwise layers. Operands broadcast by
// NumPy's rule, or from a dimension that the layer chooses:
//
//   output      2  3  4  5
//   operand 0   2  3  4  5
//   operand 1         4  1     NumPy's rule: the last dimensions align
//   operand 1      3           Broadcast::secondBegin is 1
//
// If unknown extents must be equal, an assertion checks them at run time. f16
// and bf16 are computed in f32.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ElementwiseLayers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Dialect/Pool/IR/Casts.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/Dialect/Pool/Utils/Elementwise.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::openvino;

namespace {
/// Maps the dimensions of the operands to those of the result, and back.
class Alignment {
public:
  Alignment(LayerConversion &c, const Broadcast &broadcast) : c(c) {
    for (unsigned operand = 0; operand < c.inputs.size(); ++operand)
      rank = std::max(rank, c.getInputType(operand).getRank());
    for (unsigned operand = 0; operand < c.inputs.size(); ++operand)
      begins.push_back(rank - c.getInputType(operand).getRank());
    if (broadcast.secondBegin)
      begins[1] = *broadcast.secondBegin;
  }

  int64_t getRank() const { return rank; }

  /// Returns the dimension of the result with which `dim` of `operand` aligns.
  int64_t getResultDim(unsigned operand, int64_t dim) const {
    return begins[operand] + dim;
  }

  /// Returns the dimension of `operand` that aligns with dimension `d` of the
  /// result, if there is one.
  std::optional<unsigned> getOperandDim(unsigned operand, int64_t d) const {
    int64_t dim = d - begins[operand];
    if (dim < 0 || dim >= c.getInputType(operand).getRank())
      return std::nullopt;
    return dim;
  }

private:
  LayerConversion &c;
  int64_t rank = 0;
  SmallVector<int64_t> begins;
};
} // namespace

/// Infers the common shape of the broadcast operands. Emits an error and fails
/// if extents do not fit.
static FailureOr<SmallVector<int64_t>>
broadcastShapes(LayerConversion &c, const Alignment &alignment) {
  SmallVector<int64_t> shape(alignment.getRank(), 1);
  for (unsigned operand = 0; operand < c.inputs.size(); ++operand) {
    RankedTensorType type = c.getInputType(operand);
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      int64_t d = alignment.getResultDim(operand, dim);
      int64_t extent = type.getDimSize(dim);
      if (extent == 1 || extent == shape[d])
        continue;
      if (shape[d] == 1 || ShapedType::isDynamic(shape[d]))
        shape[d] = extent;
      else if (!ShapedType::isDynamic(extent))
        return c.emitError() << "extents " << shape[d] << " and " << extent
                             << " in dimension " << d << " do not broadcast";
    }
  }
  return shape;
}

/// Emits an error and fails unless all operands broadcast to the shape of the
/// first operand. `shape` is the common shape of all operands. A dynamic extent
/// of the first operand fits any extent, because assertExtents() checks it at
/// run time.
static LogicalResult checkFirstShape(LayerConversion &c,
                                     ArrayRef<int64_t> shape) {
  RankedTensorType first = c.getInputType(0);
  bool isFirst = size_t(first.getRank()) == shape.size() &&
                 llvm::all_of_zip(first.getShape(), shape,
                                  [](int64_t extent, int64_t result) {
                                    return extent == result ||
                                           ShapedType::isDynamic(extent);
                                  });
  if (isFirst)
    return success();
  return c.emitError() << "its inputs do not broadcast to the shape of input 0";
}

namespace {
/// The extent of one dimension of the result.
struct Extent {
  OpFoldResult size;
  /// Number of the operand that a dynamic extent is read from, or kKnown for a
  /// static extent.
  unsigned operand;
};
constexpr unsigned kKnown = ~0u;
} // namespace

/// Returns the extents of the result. A dynamic extent is read from the first
/// operand that is dynamic in the aligned dimension.
static SmallVector<Extent> getExtents(LayerConversion &c,
                                      const Alignment &alignment,
                                      ArrayRef<int64_t> shape) {
  SmallVector<Extent> extents;
  for (auto [d, extent] : llvm::enumerate(shape)) {
    Extent &result = extents.emplace_back();
    if (!ShapedType::isDynamic(extent)) {
      result = {c.b.getIndexAttr(extent), kKnown};
      continue;
    }
    for (auto [operand, input] : llvm::enumerate(c.inputs)) {
      auto type = cast<RankedTensorType>(input.getType());
      std::optional<unsigned> dim = alignment.getOperandDim(operand, d);
      if (!dim || !type.isDynamicDim(*dim))
        continue;
      Value size = tensor::DimOp::create(c.b, c.loc, input, *dim);
      result = {size, unsigned(operand)};
      break;
    }
  }
  return extents;
}

/// Creates assertions that the extents of an operand equal those of the result,
/// unless the types prove it. A static extent of 1 needs no assertion, because
/// it broadcasts.
static void assertExtents(LayerConversion &c, const Alignment &alignment,
                          unsigned operand, ArrayRef<Extent> extents) {
  Value value = c.inputs[operand];
  auto type = cast<RankedTensorType>(value.getType());
  for (auto [d, extent] : llvm::enumerate(extents)) {
    std::optional<unsigned> dim = alignment.getOperandDim(operand, d);
    if (!dim || type.getDimSize(*dim) == 1 ||
        (extent.operand == kKnown ? !type.isDynamicDim(*dim)
                                  : c.inputs[extent.operand] == value))
      continue;
    ElementBuilder b(c.b, c.loc);
    Value isEqual =
        b.isEqual(tensor::DimOp::create(b, value, *dim), extent.size);
    std::string message = ("layer '" + shorten(c.layer.name) + "' (" +
                           c.layer.type + "): its inputs differ in dimension " +
                           llvm::Twine(d) + " of its output")
                              .str();
    cf::AssertOp::create(b, isEqual, message);
  }
}

LogicalResult pool::openvino::createElementwise(LayerConversion &c,
                                                Type elementType,
                                                ElementFn compute,
                                                const Broadcast &broadcast) {
  Alignment alignment(c, broadcast);
  FailureOr<SmallVector<int64_t>> shape = broadcastShapes(c, alignment);
  if (failed(shape))
    return failure();
  if (broadcast.isToFirst) {
    if (failed(checkFirstShape(c, *shape)))
      return failure();
    // Use the first operand's own shape: a static extent of another operand
    // must not make an extent of the output static.
    shape = llvm::to_vector(c.getInputType(0).getShape());
  }
  FailureOr<RankedTensorType> declared =
      c.getOutputType(0, RankedTensorType::get(*shape, elementType));
  if (failed(declared))
    return failure();

  OpBuilder &b = c.b;
  int64_t rank = shape->size();
  SmallVector<Extent> extents = getExtents(c, alignment, *shape);
  SmallVector<AffineMap> maps;
  for (auto [operand, input] : llvm::enumerate(c.inputs)) {
    auto type = cast<RankedTensorType>(input.getType());
    assertExtents(c, alignment, operand, extents);
    SmallVector<AffineExpr> exprs;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      int64_t d = alignment.getResultDim(operand, dim);
      bool isBroadcast = type.getDimSize(dim) == 1 && (*shape)[d] != 1;
      exprs.push_back(isBroadcast ? b.getAffineConstantExpr(0)
                                  : b.getAffineDimExpr(d));
    }
    maps.push_back(AffineMap::get(rank, 0, exprs, b.getContext()));
  }
  auto sizes = llvm::map_to_vector(
      extents, [](const Extent &extent) { return extent.size; });
  auto generic = pool::createElementwise(
      b, c.loc, c.inputs, sizes, elementType,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        SmallVector<Value> elements;
        for (Value arg : args) {
          Type type = arg.getType();
          elements.push_back(
              isa<FloatType>(type)
                  ? extendElement(b, loc, arg, getFloatAccumulator(type))
                  : castToSignless(b, loc, arg));
        }
        ElementBuilder builder(b, loc);
        Value result = compute(builder, elements);
        return isa<FloatType>(elementType)
                   ? truncateFloat(b, loc, result, elementType)
                   : castFromSignless(b, loc, result, elementType);
      },
      maps);
  c.outputs[0] = castTo(b, c.loc, generic.getResult(0), *declared);
  return success();
}
