// Rewrites slices, pads and concatenations from which upstream's passes would
// make invalid operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Upstream/Passes.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::pool {
#define GEN_PASS_DEF_LEGALIZESLICES
#include "pool/Upstream/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;

/// Returns, for each dimension of `reduced`, the dimensions of the slice that
/// collapse into it. Returns none if canonicalization keeps the shape of
/// `reduced`.
///
/// Canonicalization may replace an operand of a rank-reduced slice by a
/// constant. It then drops the first dimensions of size 1, which may be others
/// than `reduced` drops. The shape changes if `reduced` keeps a dimension of
/// size 1, then one of another size, and drops a later dimension. For example,
/// from sizes 1x2x1, `reduced` is 1x2 but canonicalization makes 2x1.
static std::optional<SmallVector<ReassociationIndices>>
findAmbiguity(OffsetSizeAndStrideOpInterface slice, RankedTensorType reduced) {
  ArrayRef<int64_t> sizes = slice.getStaticSizes();
  if (slice->getNumOperands() ==
      slice.getOffsetSizeAndStrideStartOperandIndex())
    return std::nullopt;
  std::optional<llvm::SmallDenseSet<unsigned>> dropped =
      computeRankReductionMask(sizes, reduced.getShape());
  if (!dropped || dropped->empty())
    return std::nullopt;
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices leading;
  bool mayDrop = false, isFollowed = false, isAmbiguous = false;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (dropped->contains(i)) {
      isAmbiguous |= isFollowed;
      (groups.empty() ? leading : groups.back()).push_back(i);
      continue;
    }
    isFollowed |= mayDrop && size != 1;
    mayDrop |= size == 1 || ShapedType::isDynamic(size);
    groups.push_back(std::exchange(leading, {}));
    groups.back().push_back(i);
  }
  if (!isAmbiguous)
    return std::nullopt;
  return groups;
}

static void split(tensor::ExtractSliceOp slice) {
  auto groups = findAmbiguity(slice, slice.getType());
  if (!groups)
    return;
  OpBuilder b(slice);
  Value whole = tensor::ExtractSliceOp::create(
      b, slice.getLoc(), slice.getSource(), slice.getMixedOffsets(),
      slice.getMixedSizes(), slice.getMixedStrides());
  slice.replaceAllUsesWith(tensor::CollapseShapeOp::create(b, slice.getLoc(),
                                                           slice.getType(),
                                                           whole, *groups)
                               .getResult());
  slice.erase();
}

/// Splits a `tensor.insert_slice` or `tensor.parallel_insert_slice` in two: a
/// reshape of its source, which is created at `before`, and an insertion of
/// full rank. Does nothing if canonicalization keeps the shape of the source.
template <typename InsertOpT>
static void split(InsertOpT insert, Operation *before) {
  auto groups = findAmbiguity(insert, insert.getSourceType());
  if (!groups)
    return;
  OpBuilder b(before);
  auto whole =
      insert.getDestType().clone(ArrayRef<int64_t>(insert.getStaticSizes()));
  insert.getSourceMutable().assign(tensor::ExpandShapeOp::create(
      b, insert.getLoc(), whole, insert.getSource(), *groups,
      insert.getMixedSizes()));
}

/// True if an extent of `type` is known to be 0. `type` must be a ranked
/// tensor.
static bool isEmpty(Type type) {
  return llvm::is_contained(cast<RankedTensorType>(type).getShape(), 0);
}

/// Returns the unknown extents of the result of `op`. Returns none if they
/// cannot be computed from the operands.
static std::optional<SmallVector<Value>> getDynamicSizes(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (type.hasStaticShape())
    return SmallVector<Value>();
  OpBuilder b(op);
  FailureOr<SmallVector<OpFoldResult>> shape = reifyShapeOfResult(b, op, 0);
  if (failed(shape))
    return std::nullopt;
  SmallVector<Value> sizes;
  for (auto [extent, size] : llvm::zip_equal(type.getShape(), *shape))
    if (ShapedType::isDynamic(extent))
      sizes.push_back(getValueOrCreateConstantIndexOp(b, op->getLoc(), size));
  return sizes;
}

/// Replaces `pad` by a tensor.generate of padding if its source has no
/// elements.
static void legalize(tensor::PadOp pad) {
  if (!isEmpty(pad.getSourceType()))
    return;
  std::optional<SmallVector<Value>> sizes = getDynamicSizes(pad);
  if (!sizes)
    return;
  OpBuilder b(pad);
  auto fill =
      tensor::GenerateOp::create(b, pad.getLoc(), pad.getResultType(), *sizes);
  fill.getBody().takeBody(pad.getRegion());
  pad.replaceAllUsesWith(fill.getResult());
  pad.erase();
}

/// Removes operands whose extent in the dimension of concatenation is 0. If the
/// result is known to have no elements, replaces `concat` by an empty tensor.
static void legalize(tensor::ConcatOp concat) {
  auto extent = [&](Value operand) {
    return cast<RankedTensorType>(operand.getType())
        .getDimSize(concat.getDim());
  };
  SmallVector<Value> operands = llvm::filter_to_vector(
      concat.getInputs(), [&](Value operand) { return extent(operand) != 0; });
  bool isResultEmpty =
      operands.empty() || llvm::any_of(operands, [](Value operand) {
        return isEmpty(operand.getType());
      });
  if (!isResultEmpty && operands.size() == concat.getInputs().size())
    return;
  OpBuilder b(concat);
  Location loc = concat.getLoc();
  Value result;
  if (isResultEmpty) {
    std::optional<SmallVector<Value>> sizes = getDynamicSizes(concat);
    if (!sizes)
      return;
    result = tensor::EmptyOp::create(b, loc, concat.getResultType(), *sizes);
  } else if (operands.size() == 1) {
    result = operands.front();
  } else {
    result = tensor::ConcatOp::create(b, loc, concat.getDim(), operands);
  }
  concat.replaceAllUsesWith(
      b.createOrFold<tensor::CastOp>(loc, concat.getResultType(), result));
  concat.erase();
}

namespace {
struct LegalizeSlices : pool::impl::LegalizeSlicesBase<LegalizeSlices> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (auto pad = dyn_cast<tensor::PadOp>(op))
        legalize(pad);
      else if (auto concat = dyn_cast<tensor::ConcatOp>(op))
        legalize(concat);
      else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
        split(slice);
      else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
        split(insert, op);
      else if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op))
        split(insert, op->getParentOp());
    });
  }
};
} // namespace
