// Implements sharding over batch and channels.
//
// The model returns the loops and indexing maps of an elementwise operation, so
// that upstream's propagation gives all tensors the same sharding. A sharding
// that a pooling operation does not support is rejected in two places. The
// first is getShardingAnnotations(), because the propagation skips an option
// that fails there. The second is partition(), because annotations may be
// written by hand.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Transforms/ShardingInterfaceImpl.h"

#include "Models.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/Dialect/Shard/Interfaces/ShardingInterface.h"
#include "mlir/Dialect/Shard/Interfaces/ShardingInterfaceImpl.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::pool;
using llvm::formatv;

namespace {
/// The facts about an operation that restrict its sharding.
struct Dims {
  /// The dimensions that windows slide over.
  SmallVector<unsigned> windowed;
  /// `axis`, the first dimension that indices count. None if the operation has
  /// no indices, and for max_unpool.
  std::optional<unsigned> firstIndexed;
  /// `axis` of max_unpool, else none. An element may be written to any position
  /// in the dimensions from `axis` on.
  std::optional<unsigned> firstScattered;
  bool hasExtentOperands = false;
};
} // namespace

static Dims getDims(Operation *op) {
  Dims dims;
  WindowAttrs attrs;
  if (auto window = dyn_cast<WindowAttrsOpInterface>(op)) {
    attrs = window.getWindow();
  } else if (auto adaptive = dyn_cast<AdaptiveOpInterface>(op)) {
    attrs.kernel = adaptive.getOutputSize();
    attrs.layout = adaptive.getLayout();
  }
  for (unsigned i = 0; i < attrs.getNumSpatialDims(); ++i)
    dims.windowed.push_back(attrs.getSpatialDim(i));
  auto setIndexed = [&](auto chooser) {
    if (chooser && chooser.getIndices())
      dims.firstIndexed = chooser.getNormalizedAxis();
  };
  setIndexed(dyn_cast<ExtremumOpInterface>(op));
  setIndexed(dyn_cast<ExtremumGradOpInterface>(op));
  setIndexed(dyn_cast<AdaptiveMaxPoolOp>(op));
  if (auto unpool = dyn_cast<MaxUnpoolOp>(op)) {
    dims.firstScattered = unpool.getNormalizedAxis();
    dims.hasExtentOperands = !unpool.getDynamicExtents().empty();
  }
  if (auto grad = dyn_cast<AvgPoolGradOp>(op))
    dims.hasExtentOperands = !grad.getDynamicExtents().empty();
  return dims;
}

/// Returns the reason why dimension `d` cannot be sharded, or an empty string.
static std::string getReasonAgainst(Operation *op, unsigned d) {
  Dims dims = getDims(op);
  if (llvm::is_contained(dims.windowed, d))
    return "windows slide over it, and shards would need halos, which are not "
           "exchanged for it";
  if (dims.firstScattered && d >= *dims.firstScattered)
    return formatv("from axis {0} on an index may name any position",
                   *dims.firstScattered);
  if (dims.firstIndexed && d >= *dims.firstIndexed)
    return formatv("indices count it, from axis {0} on, so that those of a "
                   "shard are not those of the whole",
                   *dims.firstIndexed);
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  if (dims.hasExtentOperands && result.isDynamicDim(d))
    return "its extent is an operand, which is that of the whole";
  for (Type type : op->getOperandTypes())
    if (auto perAxis = dyn_cast<quant::UniformQuantizedPerAxisType>(
            getElementTypeOrSelf(type)))
      if (perAxis.getQuantizedDimension() == static_cast<int32_t>(d))
        return formatv("{0} has a scale for each of its elements", perAxis);
  return "";
}

/// Fails with a diagnostic if dimension `d` cannot be sharded.
static LogicalResult verifyDim(Operation *op, unsigned d) {
  std::string reason = getReasonAgainst(op, d);
  if (reason.empty())
    return success();
  return op->emitOpError("cannot be sharded in dimension ")
         << d << ": " << reason;
}

/// Returns the axes of the grid of devices that dimension `d` is split along.
static ArrayRef<shard::GridAxis> getAxes(const shard::Sharding &sharding,
                                         unsigned d) {
  if (d >= sharding.getSplitAxes().size())
    return {};
  return sharding.getSplitAxes()[d].asArrayRef();
}

/// Fails with a diagnostic if the operation does not support `sharding` of the
/// operand or result called `what`. Requires that
///
/// - no halos are given, and all shards have equal sizes;
/// - verifyDim() accepts each sharded dimension;
/// - the tensor is split as in `first`, the sharding of operand #0.
static LogicalResult verifySharding(Operation *op, const std::string &what,
                                    RankedTensorType type,
                                    const shard::Sharding &sharding,
                                    const shard::Sharding &first,
                                    shard::GridOp grid) {
  if (!sharding.getStaticHaloSizes().empty())
    return op->emitOpError(what) << " is sharded with halos, which it cannot "
                                    "use";
  if (!sharding.getStaticShardedDimsOffsets().empty())
    return op->emitOpError(what) << " has shards of given sizes, must have "
                                    "equal ones";
  for (int64_t d = 0; d < type.getRank(); ++d) {
    ArrayRef<shard::GridAxis> axes = getAxes(sharding, d);
    if (axes != getAxes(first, d))
      return op->emitOpError(what)
             << " is sharded otherwise than operand #0 in dimension " << d;
    if (axes.empty())
      continue;
    if (failed(verifyDim(op, d)))
      return failure();
    int64_t count = shard::collectiveProcessGroupSize(axes, grid.getShape());
    if (!type.isDynamicDim(d) && ShapedType::isStatic(count) &&
        type.getDimSize(d) % count)
      return op->emitOpError("cannot be sharded in dimension ")
             << d << " of " << what << ": " << type.getDimSize(d)
             << " elements are not divided evenly by " << count << " shards";
  }
  return success();
}

namespace {
template <typename OpTy>
struct ShardingModel
    : shard::ShardingInterface::ExternalModel<ShardingModel<OpTy>, OpTy> {
  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    return SmallVector<utils::IteratorType>(type ? type.getRank() : 0,
                                            utils::IteratorType::parallel);
  }

  SmallVector<AffineMap> getIndexingMaps(Operation *op) const {
    unsigned rank = getLoopIteratorTypes(op).size();
    SmallVector<AffineMap> maps;
    auto add = [&](Type type) {
      maps.push_back(
          isa<RankedTensorType>(type)
              ? AffineMap::getMultiDimIdentityMap(rank, op->getContext())
              : AffineMap::get(rank, 0, op->getContext()));
    };
    llvm::for_each(op->getOperandTypes(), add);
    llvm::for_each(op->getResultTypes(), add);
    return maps;
  }

  FailureOr<std::vector<shard::Sharding>>
  getShardingAnnotations(Operation *op,
                         const shard::ShardingOption &option) const {
    for (auto [d, axes] : llvm::enumerate(option.shardingArray))
      if (!axes.empty() && failed(verifyDim(op, d)))
        return failure();
    return shard::detail::defaultGetShardingAnnotations(op, option);
  }

  LogicalResult partition(Operation *op, ArrayRef<Value> operands,
                          ArrayRef<shard::Sharding> operandShardings,
                          ArrayRef<shard::Sharding> resultShardings,
                          IRMapping &partitionMap,
                          SymbolTableCollection &symbolTable,
                          OpBuilder &builder) const {
    const shard::Sharding &first = operandShardings.front();
    auto verify = [&](const char *what, TypeRange types,
                      ArrayRef<shard::Sharding> shardings) {
      for (auto [i, type, sharding] : llvm::enumerate(types, shardings)) {
        auto ranked = dyn_cast<RankedTensorType>(type);
        if (!ranked || !sharding)
          continue;
        shard::GridOp grid =
            shard::getGrid(op, sharding.getGridAttr(), symbolTable);
        if (failed(verifySharding(op, formatv("{0} #{1}", what, i), ranked,
                                  sharding, first, grid)))
          return failure();
      }
      return success();
    };
    if (failed(verify("operand", op->getOperandTypes(), operandShardings)) ||
        failed(verify("result", op->getResultTypes(), resultShardings)))
      return failure();
    // An unused result may have no sharding. Give it any known sharding,
    // because verifySharding() has checked that all of them split dimensions
    // alike.
    std::vector<shard::Sharding> shardings(resultShardings);
    auto all =
        llvm::concat<const shard::Sharding>(operandShardings, resultShardings);
    auto known = llvm::find_if(
        all, [](const shard::Sharding &sharding) { return bool(sharding); });
    for (auto [result, sharding] :
         llvm::zip_equal(op->getResults(), shardings)) {
      if (sharding)
        continue;
      if (!result.use_empty() || known == all.end())
        return op->emitOpError("result #")
               << result.getResultNumber()
               << " has no sharding; annotate it by shard.shard";
      sharding = *known;
    }
    shard::partitionTriviallyShardableOperation(*op, operands, operandShardings,
                                                shardings, partitionMap,
                                                symbolTable, builder);
    // Drop the plan: it was made for the unsharded shape.
    partitionMap.lookup(op->getResult(0))
        .getDefiningOp()
        ->removeAttr(PlanAttr::getName());
    return success();
  }
};
} // namespace

void pool::registerShardingInterfaceExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PoolDialect *) {
    attachToPoolings<ShardingModel>(context);
    attachToScatters<ShardingModel>(context);
  });
}
