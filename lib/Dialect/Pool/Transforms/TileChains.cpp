// Tiles a chain of pooling and elementwise operations together (tile and fuse),
// so that tensors between them are only as large as a tile. Here a max_pool
// with kernel 3 and stride 1 reads a relu of 8 elements, and its 6 outputs are
// computed in 2 tiles:
//
//   relu       a  b  c  d  e  f  g  h
//   tile 0    [             ]             outputs 0 to 2 read a to e
//   tile 1             [             ]    outputs 3 to 5 read d to h
//
// Neighboring tiles both compute the halo, d and e.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/IR/TypeInference.h"
#include "pool/Dialect/Pool/Utils/Promises.h"
#include "pool/Support/WindowTiles.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::pool {
#define GEN_PASS_DEF_POOLTILECHAINS
#include "pool/Dialect/Pool/Transforms/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

/// True for a linalg operation on tensors that is elementwise: each result
/// element depends only on the input elements at the same position.
static bool isElementwise(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.hasPureTensorSemantics() &&
         linalg::isElementwise(linalgOp) &&
         llvm::all_of(linalgOp.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isIdentity(); });
}

static bool isLink(Operation *op) {
  if (!isa<WindowOpInterface>(op))
    return isElementwise(op);
  return llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>) &&
         llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

/// Returns the tensors that `link`, an operation of a chain, pools or reads
/// elementwise.
static SmallVector<Value> getInputs(Operation *link) {
  if (auto pooling = dyn_cast<WindowOpInterface>(link))
    return {pooling.getInput()};
  return cast<linalg::LinalgOp>(link).getDpsInputs();
}

/// Returns the extents of the operation's results. For a pooling, infers them
/// from the input, because the result's type may be less static.
static SmallVector<int64_t> getResultShape(Operation *link) {
  if (auto pooling = dyn_cast<WindowOpInterface>(link))
    // inferWindowShape succeeds, because the operation has been verified.
    return *inferWindowShape(
        [](const Twine &) { return failure(); },
        cast<RankedTensorType>(pooling.getInput().getType()),
        pooling.getWindow());
  return llvm::to_vector(
      cast<ShapedType>(link->getResult(0).getType()).getShape());
}

/// True if the types show that a tensor of the chain has no elements.
static bool isEmpty(const llvm::SetVector<Operation *> &chain) {
  auto isEmptyType = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && llvm::is_contained(tensor.getShape(), 0);
  };
  return llvm::any_of(chain, [&](Operation *op) {
    return llvm::any_of(op->getOperandTypes(), isEmptyType) ||
           llvm::any_of(op->getResultTypes(), isEmptyType);
  });
}

static bool isQuantized(Value tensor) {
  return isa<quant::QuantizedType>(getElementTypeOrSelf(tensor.getType()));
}

/// True if `op` can be computed in the tiles of its only user. False if the
/// result of `op` is quantized: tiles compute on stored values, so there would
/// be a cast between the tiles of `op` and of its user.
static bool isFusable(Operation *op) {
  return op->hasOneUse() && isLink(op) && !isQuantized(op->getResult(0));
}

/// Returns the last operation of the chain that contains `op`.
static Operation *getEnd(Operation *op) {
  while (isFusable(op)) {
    OpOperand &use = *op->use_begin();
    Operation *user = use.getOwner();
    // Check the order: in a graph region, an operation may use the result of a
    // later operation.
    if (user->getBlock() != op->getBlock() || !op->isBeforeInBlock(user) ||
        !isLink(user) || !llvm::is_contained(getInputs(user), use.get()))
      break;
    op = user;
  }
  return op;
}

/// Returns the operations of the chain whose last operation is `end`. `end`
/// comes first in the list. The other operations are fusable, in the block of
/// `end`, and their only user is in the chain.
static llvm::SetVector<Operation *> getChain(Operation *end) {
  llvm::SetVector<Operation *> chain;
  chain.insert(end);
  for (unsigned i = 0; i < chain.size(); ++i)
    for (Value input : getInputs(chain[i])) {
      Operation *op = input.getDefiningOp();
      if (op && op->getBlock() == end->getBlock() &&
          op->isBeforeInBlock(chain[i]) && isFusable(op))
        chain.insert(op);
    }
  return chain;
}

namespace {
/// Computes how many bytes the tensors of one tile of a chain have together.
class WorkingSet {
public:
  explicit WorkingSet(const llvm::SetVector<Operation *> &chain)
      : chain(chain) {}

  /// The largest number of bytes. Sums and products that would be larger become
  /// this number.
  static constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

  /// Returns the number of bytes of all tensors of a tile whose results have
  /// `shape`: inputs, intermediate tensors and results.
  int64_t getBytes(ArrayRef<int64_t> shape) const {
    Operation *end = chain.front();
    int64_t bytes = 0;
    for (Value result : end->getResults())
      bytes = add(bytes, getBytes(result, shape));
    return add(bytes, getOperandBytes(end, shape));
  }

private:
  static int64_t add(int64_t a, int64_t b) {
    return llvm::SaturatingAdd<uint64_t>(a, b) > uint64_t(kMost) ? kMost
                                                                 : a + b;
  }
  static int64_t getBytes(Value tensor, ArrayRef<int64_t> shape) {
    Type type = getElementTypeOrSelf(tensor.getType());
    if (auto quantized = dyn_cast<quant::QuantizedType>(type))
      type = quantized.getStorageType();
    // Count an element without a width, such as index, as 64 bits.
    uint64_t bytes = type.isIntOrFloat()
                         ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 8)
                         : sizeof(int64_t);
    for (int64_t extent : shape)
      bytes = llvm::SaturatingMultiply<uint64_t>(bytes, extent);
    return std::min<uint64_t>(bytes, kMost);
  }
  int64_t getOperandBytes(Operation *op, ArrayRef<int64_t> shape) const {
    if (auto pooling = dyn_cast<WindowOpInterface>(op))
      return getTreeBytes(pooling.getInput(), getInputShape(pooling, shape));
    int64_t bytes = 0;
    for (Value input : getInputs(op))
      if (isa<TensorType>(input.getType()))
        bytes = add(bytes, getTreeBytes(input, shape));
    return bytes;
  }
  /// Returns the number of bytes of a tensor. If an operation of the chain
  /// computes the tensor, adds the bytes of the operation's operands.
  int64_t getTreeBytes(Value tensor, ArrayRef<int64_t> shape) const {
    int64_t bytes = getBytes(tensor, shape);
    Operation *op = tensor.getDefiningOp();
    if (op && chain.contains(op))
      bytes = add(bytes, getOperandBytes(op, shape));
    return bytes;
  }
  /// Returns the extents of the input slice that a tile of `shape` reads, halo
  /// included. A tile that needs no padding reads the most. So this function
  /// assumes a tile at the input's first element without pads.
  static SmallVector<int64_t> getInputShape(WindowOpInterface op,
                                            ArrayRef<int64_t> shape) {
    auto type = cast<RankedTensorType>(op.getInput().getType());
    SmallVector<int64_t> result(shape);
    WindowAttrs window = op.getWindow();
    for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
      unsigned d = window.getSpatialDim(i);
      WindowDim dim = window.getDim(i);
      dim.padBegin = 0;
      result[d] = getWindowTile(dim, type.getDimSize(d), /*offset=*/0, shape[d])
                      .inputSize;
    }
    return result;
  }

  const llvm::SetVector<Operation *> &chain;
};

struct TileChainsPass : pool::impl::PoolTileChainsBase<TileChainsPass> {
  using PoolTileChainsBase::PoolTileChainsBase;

  void runOnOperation() override;

private:
  LogicalResult checkOptions();
  /// Returns the number of parts in each dimension of the results of the
  /// chain's last operation. All numbers are 1 if a tensor of the chain is
  /// empty, or if the whole chain fits the option `bytes`. Fails with a
  /// diagnostic if the chain cannot be cut as the options ask.
  FailureOr<SmallVector<int64_t>>
  getGrid(const llvm::SetVector<Operation *> &chain);
  LogicalResult cut(const llvm::SetVector<Operation *> &chain,
                    ArrayRef<int64_t> parts);
};
} // namespace

LogicalResult TileChainsPass::checkOptions() {
  Location loc = getOperation()->getLoc();
  if (grid.empty() == (bytes == 0))
    return emitError(loc, "pool-tile-chains needs grid or bytes, and not both");
  if (bytes < 0)
    return emitError(loc, "bytes must be at least 0, but is ")
           << int64_t(bytes);
  for (auto [d, parts] : llvm::enumerate(grid))
    if (parts < 1)
      return emitError(loc, "grid must have at least 1 part in dimension ")
             << d << ", but has " << parts;
  return success();
}

FailureOr<SmallVector<int64_t>>
TileChainsPass::getGrid(const llvm::SetVector<Operation *> &chain) {
  Operation *end = chain.front();
  auto type = cast<RankedTensorType>(end->getResult(0).getType());
  if (isEmpty(chain))
    return SmallVector<int64_t>(type.getRank(), 1);
  auto perAxis =
      dyn_cast<quant::UniformQuantizedPerAxisType>(type.getElementType());
  if (bytes == 0) {
    if (static_cast<int64_t>(grid.size()) > type.getRank())
      return end->emitOpError("cannot be cut: the grid has ")
             << grid.size() << " dimensions, the result has " << type.getRank();
    for (auto [d, parts] : llvm::enumerate(grid))
      if (perAxis && parts > 1 &&
          static_cast<int64_t>(d) == perAxis.getQuantizedDimension())
        return end->emitOpError("cannot be cut in dimension ")
               << d << ": each of its elements has a scale of its own";
    return SmallVector<int64_t>(grid.begin(), grid.end());
  }
  for (Operation *op : chain)
    for (Type operand : op->getOperandTypes()) {
      auto tensor = dyn_cast<RankedTensorType>(operand);
      if (tensor && !tensor.hasStaticShape())
        return op->emitOpError("cannot be cut by bytes: all extents must be "
                               "known, but there is a ")
               << tensor;
    }

  SmallVector<int64_t> shape = getResultShape(end), tile = shape;
  SmallVector<int64_t> parts(type.getRank(), 1);
  WorkingSet set(chain);
  for (int64_t d = 0; set.getBytes(tile) > bytes;) {
    if (d == type.getRank()) {
      int64_t needed = set.getBytes(tile);
      return end->emitOpError("cannot be cut: its smallest tile needs ")
             << (needed == WorkingSet::kMost ? "at least " : "") << needed
             << " bytes, more than " << int64_t(bytes);
    }
    if (tile[d] <= 1 || (perAxis && d == perAxis.getQuantizedDimension())) {
      ++d;
      continue;
    }
    tile[d] = llvm::divideCeil(tile[d], 2);
    parts[d] = llvm::divideCeil(shape[d], tile[d]);
  }
  return parts;
}

LogicalResult TileChainsPass::cut(const llvm::SetVector<Operation *> &chain,
                                  ArrayRef<int64_t> parts) {
  for (Operation *link : chain)
    if (failed(requireModel<TilingInterface>(link)))
      return failure();
  Operation *end = chain.front();
  IRRewriter rewriter(&getContext());
  rewriter.setInsertionPoint(end);
  auto getSizes = [&](OpBuilder &b, Operation *op) {
    SmallVector<OpFoldResult> sizes;
    for (auto [range, count] :
         llvm::zip(cast<TilingInterface>(op).getIterationDomain(b), parts)) {
      if (count == 1) {
        sizes.push_back(b.getIndexAttr(0));
        continue;
      }
      AffineExpr size = b.getAffineSymbolExpr(0).ceilDiv(count);
      AffineExpr one = b.getAffineConstantExpr(1);
      // A tile size of 0 would mean that the dimension is not tiled.
      sizes.push_back(affine::makeComposedFoldedAffineMax(
          b, op->getLoc(), AffineMap::get(0, 1, {size, one}, b.getContext()),
          range.size));
    }
    return sizes;
  };
  scf::SCFTileAndFuseOptions options;
  options.tilingOptions.setTileSizeComputationFunction(getSizes);
  options.tilingOptions.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  options.setFusionControlFn(
      [&](tensor::ExtractSliceOp, OpResult producer, bool isDestination)
          -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
        if (isDestination || !chain.contains(producer.getOwner()))
          return std::nullopt;
        return scf::SCFTileAndFuseOptions::ControlFnResult{};
      });
  FailureOr<scf::SCFTileAndFuseResult> result =
      scf::tileConsumerAndFuseProducersUsingSCF(
          rewriter, cast<TilingInterface>(end), options);
  if (failed(result))
    return end->emitOpError("cannot be cut into tiles");
  for (OpResult whole : end->getResults())
    if (Value tiled = result->replacements.lookup(whole))
      rewriter.replaceAllUsesWith(whole, tiled);
  ++numChains;
  numFused += 1 + result->fusedProducers.size();
  // Erase the operations of the chain. Before each, erase the unused slices of
  // its results that tiling left behind.
  for (Operation *op : chain) {
    for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
      if (isa<tensor::ExtractSliceOp>(user) && user->use_empty())
        rewriter.eraseOp(user);
    if (op->use_empty())
      rewriter.eraseOp(op);
  }
  // Fold slices of tensor.empty, so that the tensors that tiles are written to
  // are only as large as a tile.
  SmallVector<Operation *> slices;
  for (LoopLikeOpInterface loop : result->loops)
    loop->walk([&](tensor::ExtractSliceOp slice) { slices.push_back(slice); });
  RewritePatternSet patterns(&getContext());
  tensor::populateFoldTensorEmptyPatterns(patterns);
  (void)applyOpPatternsGreedily(slices, std::move(patterns));
  return success();
}

void TileChainsPass::runOnOperation() {
  if (failed(checkOptions()))
    return signalPassFailure();
  llvm::SetVector<Operation *> ends;
  getOperation()->walk([&](WindowOpInterface op) {
    if (isLink(op))
      ends.insert(getEnd(op));
  });
  for (Operation *end : ends) {
    llvm::SetVector<Operation *> chain = getChain(end);
    FailureOr<SmallVector<int64_t>> parts = getGrid(chain);
    if (failed(parts))
      return signalPassFailure();
    if (llvm::all_of(*parts, [](int64_t count) { return count == 1; }))
      continue;
    if (failed(cut(chain, *parts)))
      return signalPassFailure();
  }
}
