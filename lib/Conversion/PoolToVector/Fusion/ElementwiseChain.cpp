// Decides which elementwise operations are fused into a pooling, and replaces
// them together with it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fusion/ElementwiseChain.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "pool/Dialect/Pool/IR/Casts.h"
#include "pool/Dialect/Pool/IR/Quantization.h"

using namespace mlir;
using namespace mlir::pool;

/// True if `op` may end the program, for example by a division by zero. Such
/// operations cannot be emitted on vectors, because lanes without an output may
/// have any value. Upstream calls these operations pure nevertheless.
static bool mayTrap(Operation &op) {
  if (!isa<arith::RemSIOp, arith::RemUIOp, arith::FloorDivSIOp, math::IPowIOp>(
          op))
    return false;
  APInt divisor;
  return !matchPattern(op.getOperand(1), m_ConstantInt(&divisor)) ||
         divisor.isZero() || divisor.isAllOnes();
}

/// True if `op`, in the body of a linalg op, can be emitted on vectors.
static bool hasVectorForm(Operation &op) {
  if (mayTrap(op))
    return false;
  if (isa<linalg::IndexOp, linalg::YieldOp, affine::AffineApplyOp,
          affine::AffineMinOp, affine::AffineMaxOp, UnrealizedConversionCastOp>(
          op))
    return true;
  return op.getNumRegions() == 0 && op.getNumResults() == 1 && isPure(&op) &&
         (op.hasTrait<OpTrait::ConstantLike>() ||
          OpTrait::hasElementwiseMappableTraits(&op)) &&
         VectorType::isValidElementType(op.getResult(0).getType());
}

/// True if readElements() supports the indexing map `map` of an operand. Each
/// result of the map must be a constant, or a dimension that no other result
/// is.
static bool hasVectorRead(AffineMap map) {
  llvm::SmallBitVector seen(map.getNumDims());
  return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || seen.test(dim.getPosition()))
      return isa<AffineConstantExpr>(expr);
    seen.set(dim.getPosition());
    return true;
  });
}

/// True if elements of this type take the same number of bits in a vector and
/// in memory. Some do not: in memory, i1 takes one byte, i24 four, and f80
/// sixteen.
static bool isVectorElement(Type element) {
  if (!element.isIntOrFloat())
    return VectorType::isValidElementType(element);
  unsigned width = element.getIntOrFloatBitWidth();
  return width >= 8 && llvm::isPowerOf2_32(width);
}

/// True if `op` computes its only result from `value` element by element, and
/// can be emitted on vectors.
static bool isFusable(linalg::LinalgOp op, Value value) {
  if (op->getNumResults() != 1 || !op.hasPureTensorSemantics() ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      op->getBlock() != value.getDefiningOp()->getBlock())
    return false;
  OpOperand *init = op.getDpsInitOperand(0);
  if (!op.getMatchingIndexingMap(init).isIdentity() ||
      op.payloadUsesValueFromOperand(init) || init->get() == value ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return false;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (operand->get() == value ? !map.isIdentity() : !hasVectorRead(map))
      return false;
    if (!isVectorElement(getElementTypeOrSelf(operand->get())))
      return false;
  }
  Type result = getElementTypeOrSelf(op->getResult(0));
  return result.isIntOrFloat() && isVectorElement(result) &&
         llvm::all_of(*op.getBlock(), hasVectorForm);
}

void ElementwiseChain::appendUsers() {
  while (true) {
    Value value = getResult();
    auto users = value.getUsers();
    if (users.empty() || !llvm::all_equal(users))
      return;
    auto op = dyn_cast<linalg::LinalgOp>(*users.begin());
    if (!op || !isFusable(op, value))
      return;
    ops.push_back(op);
  }
}

SmallVector<Value> ElementwiseChain::getOperands() const {
  SmallVector<Value> operands;
  Value value = start;
  for (linalg::LinalgOp op : ops) {
    for (OpOperand *operand : op.getDpsInputOperands())
      if (operand->get() != value && isa<TensorType>(operand->get().getType()))
        operands.push_back(operand->get());
    value = op->getResult(0);
  }
  return operands;
}

//===----------------------------------------------------------------------===//
// Operations with several results
//===----------------------------------------------------------------------===//

FusedResults::FusedResults(ValueRange results, ValueRange outs,
                           ArrayRef<Finish> finishes)
    : outs(outs) {
  for (auto [i, result] : llvm::enumerate(results)) {
    ElementwiseChain &chain =
        chains.emplace_back(result, finishes.empty() ? nullptr : &finishes[i]);
    // If the type of the result is not that of its destination, users read a
    // cast of what the loops store. So they cannot be fused.
    if (result.getType() == outs[i].getType())
      chain.appendUsers();
  }
  // All chains are computed after `last`, the last op of any chain. So no
  // result of a chain may be used before. An op that reads the results of two
  // chains would end both, and is removed from both.
  while (true) {
    last = chains[0].getLastOp();
    for (ElementwiseChain &chain : chains)
      if (last->isBeforeInBlock(chain.getLastOp()))
        last = chain.getLastOp();
    auto isUsedBefore = [&](ElementwiseChain &chain) {
      return llvm::any_of(chain.getResult().getUsers(), [&](Operation *user) {
        Operation *here = last->getBlock()->findAncestorOpInBlock(*user);
        return here && !last->isBeforeInBlock(here);
      });
    };
    auto endsHere = [&](ElementwiseChain &chain) {
      return !chain.getOps().empty() && chain.getLastOp() == last;
    };
    if (llvm::none_of(chains, isUsedBefore) &&
        llvm::count_if(chains, endsHere) < 2)
      return;
    for (ElementwiseChain &chain : llvm::make_filter_range(chains, endsHere))
      chain.cutLast();
  }
}

/// Erases all stores to `buffer`, if `buffer` has no other users.
static void eraseUnreadStores(RewriterBase &rewriter, Value buffer) {
  if (llvm::all_of(buffer.getUsers(),
                   llvm::IsaPred<memref::StoreOp, vector::StoreOp,
                                 vector::MaskedStoreOp>))
    for (Operation *store : llvm::make_early_inc_range(buffer.getUsers()))
      rewriter.eraseOp(store);
}

SmallVector<Value>
FusedResults::replace(RewriterBase &rewriter, Location loc, Value input,
                      bool needPackedOutputs, ValueRange values,
                      function_ref<void(Value input)> emitLoops) {
  llvm::SetVector<Value> inputs;
  inputs.insert(input);
  SmallVector<Value> inits, results;
  for (auto [chain, out] : llvm::zip_equal(chains, outs)) {
    inputs.insert_range(chain.getOperands());
    SmallVector<linalg::LinalgOp> ops(chain.getOps());
    inits.push_back(ops.empty() ? out : ops.back().getDpsInits()[0]);
    results.push_back(chain.getResult());
  }
  rewriter.setInsertionPointAfter(last);
  auto code = createOnBuffers(
      rewriter, loc, inputs.getArrayRef(), inits, results, needPackedOutputs,
      [&](ValueRange inputBuffers, ValueRange outputBuffers) {
        for (ElementwiseChain &chain : chains)
          for (auto [tensor, buffer] : llvm::zip_equal(inputs, inputBuffers))
            chain.setBuffer(tensor, buffer);
        buffers = llvm::to_vector(outputBuffers);
        emitLoops(inputBuffers[0]);
      });
  bool isUsed =
      llvm::any_of(results, [](Value result) { return !result.use_empty(); });
  SmallVector<Value> replaced(values);
  for (auto [chain, buffer, tensor] :
       llvm::zip_equal(chains, buffers, code.getResults())) {
    Value result = chain.getResult();
    // For example, a gradient recomputes the indices of max_pool. The values of
    // max_pool are computed with them, but have no users.
    if (isUsed && result.use_empty())
      eraseUnreadStores(rewriter, buffer);
    Value declared = castTo(
        rewriter, loc,
        castFromStored(rewriter, loc, tensor, getElementTypeOrSelf(result)),
        result.getType());
    rewriter.replaceAllUsesWith(result, declared);
    for (Value &value : replaced)
      if (chain.has(value))
        value = declared;
  }
  for (ElementwiseChain &chain : chains)
    for (linalg::LinalgOp fused : llvm::reverse(chain.getOps()))
      rewriter.eraseOp(fused);
  for (Value out : outs)
    if (Operation *op = out.getDefiningOp(); op && isOpTriviallyDead(op))
      rewriter.eraseOp(op);
  return replaced;
}

void ElementwiseChain::store(KernelBuilder &b, Value value, Value buffer,
                             const ElementPlace &place,
                             const ElementFacts &facts) const {
  value = emit(b, value, place, facts);
  if (!place.laneDim)
    return b.store(value, buffer, place.coordinates);
  // Non-temporal stores must be aligned to their size. So the vector is stored
  // in pieces of `streamAlignment` bytes.
  int64_t numBytes = getElementBytes(buffer);
  int64_t numLanes = std::min(place.streamAlignment / numBytes, place.numLanes);
  std::optional<int64_t> numExisting = place.getNumExisting();
  if (numLanes == 0 || !numExisting || *numExisting % numLanes != 0)
    return storeLanes(b, value, buffer, place.coordinates, place.existing);
  for (int64_t lane = 0; lane < *numExisting; lane += numLanes) {
    SmallVector<Value> indices = place.coordinates;
    indices.back() = b.add(indices.back(), lane);
    Value piece = value;
    if (numLanes < place.numLanes)
      piece =
          vector::ExtractStridedSliceOp::create(b, value, lane, numLanes, 1);
    vector::StoreOp::create(b, piece, buffer, indices,
                            /*nontemporal=*/true,
                            llvm::MaybeAlign(numLanes * numBytes));
  }
}
