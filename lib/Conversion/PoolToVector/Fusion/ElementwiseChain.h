// Fuses elementwise operations into the pooling before them. They are emitted
// on vectors of results, before these are stored: the division of an average,
// indices from positions, a bias, an activation.
//
//   sums = pool.window_reduce        for each vector of outputs:
//   mean = linalg: sums / count        lanes = reduced windows
//   relu = linalg: max(mean, 0)        lanes = lanes / count
//                                      lanes = max(lanes, 0)
//                                      store lanes to the buffer of relu
//
// `sums` and `mean` are never stored. This requires that they have no other
// users.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_FUSION_ELEMENTWISECHAIN_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_FUSION_ELEMENTWISECHAIN_H

#include "Emit/LaneMask.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "pool/Dialect/Pool/Transforms/Finish.h"

namespace mlir::pool {

/// The output coordinates of a vector of elements, or of a single element.
struct ElementPlace {
  /// A single element. The caller sets its coordinates.
  ElementPlace() = default;
  /// A vector of neighbors in the last dimension. Lane 0 is at `coordinates`.
  ElementPlace(ArrayRef<Value> coordinates, int64_t numLanes,
               const LaneRange &existing)
      : coordinates(coordinates), laneDim(coordinates.size() - 1),
        numLanes(numLanes), existing(existing) {}

  /// Coordinates of lane 0, or of the single element, in the output.
  SmallVector<Value> coordinates;
  /// The dimension in which lanes are neighbors. std::nullopt for a single
  /// element.
  std::optional<unsigned> laneDim;
  /// If there are more lanes than this, it is the extent of `laneDim`. Lane
  /// `lanesPerStep` then has the first coordinate of `laneDim` again, but is
  /// one further in the dimension before. Three channels last, six lanes:
  ///
  ///   lane      0 1 2 3 4 5
  ///   channel   0 1 2 0 1 2    laneDim
  ///   column    0 0 0 1 1 1    the dimension before
  int64_t lanesPerStep = std::numeric_limits<int64_t>::max();
  int64_t numLanes = 1;
  /// The lanes that exist. The range begins with lane 0.
  LaneRange existing;
  /// If not 0, stores are non-temporal, and lane 0 is stored at a multiple of
  /// this number of bytes.
  int64_t streamAlignment = 0;

  /// Returns the number of lanes that exist, if it is known.
  std::optional<int64_t> getNumExisting() const {
    auto known = existing.getKnown(numLanes);
    return known ? std::optional(known->second) : std::nullopt;
  }
  /// Returns the type of this place's elements: a vector of `element`, or
  /// `element` for a single one.
  Type getType(Type element) const {
    return laneDim ? VectorType::get(numLanes, element) : element;
  }
  /// True if lanes have different coordinates in `dim`.
  bool hasLanes(unsigned dim) const {
    return laneDim == dim || (laneDim == dim + 1 && lanesPerStep < numLanes);
  }
  /// Returns the coordinate of `lane` in `dim`, minus that of lane 0.
  int64_t getStep(unsigned dim, int64_t lane) const {
    return laneDim == dim       ? lane % lanesPerStep
           : laneDim == dim + 1 ? lane / lanesPerStep
                                : 0;
  }
};

/// Facts about the elements at an ElementPlace that allow faster code.
struct ElementFacts {
  /// For counting the elements of windows. Empty, or one coordinate for each
  /// dimension, which may be null. A window at this coordinate has the same
  /// number of elements as the windows of all lanes. In loops, it changes less
  /// often than the coordinates of lanes, so the count can be computed outside.
  SmallVector<Value> countCoordinates;
  /// True if no position is kNoPosition: each window has chosen an element.
  bool hasPosition = false;
};

/// A chain of fused operations. First, windows are reduced. A `finish`, if
/// there is one, computes an operation's result from that, for example by a
/// division. Then come linalg ops, each of which uses the result of the one
/// before.
class ElementwiseChain {
public:
  /// Creates a chain without linalg ops. With a `finish`, `result` is a result
  /// of the operation that the `finish` belongs to. Without, it is a result of
  /// a reduction, or a buffer that a reduction writes. `finish` must outlive
  /// the chain.
  explicit ElementwiseChain(Value result, const Finish *finish = nullptr)
      : start(result), finish(finish) {}

  /// Appends all linalg ops that can be fused. Each must be the only user of
  /// the value before it, work element by element, and have a body that can be
  /// emitted on vectors.
  void appendUsers();

  /// Returns the last result of the chain, the only one that is stored.
  Value getResult() const {
    return ops.empty() ? start : Value(ops.back()->getResult(0));
  }
  /// True if `value` is the first result of the chain, or the result of one of
  /// its linalg ops.
  bool has(Value value) const {
    return value == start || llvm::any_of(ops, [&](linalg::LinalgOp op) {
             return op->getResult(0) == value;
           });
  }
  Operation *getLastOp() const { return getResult().getDefiningOp(); }
  ArrayRef<linalg::LinalgOp> getOps() const { return ops; }
  /// Removes the last linalg op from the chain.
  void cutLast() { ops.pop_back(); }

  /// Returns the tensors that linalg ops read, other than results of the chain.
  /// emit() requires a call of setBuffer() for each.
  SmallVector<Value> getOperands() const;
  void setBuffer(Value tensor, Value buffer) { buffers[tensor] = buffer; }

  /// Emits the chain at `place`, on `value`: signless elements that windows
  /// were reduced to. Returns elements of getResult().
  Value emit(KernelBuilder &b, Value value, const ElementPlace &place,
             const ElementFacts &facts) const;
  /// Emits the chain, and stores the elements of getResult() to `buffer`.
  void store(KernelBuilder &b, Value value, Value buffer,
             const ElementPlace &place, const ElementFacts &facts) const;

private:
  /// The result of the reduction or, if there is a `finish`, of the operation
  /// that it belongs to.
  Value start;
  const Finish *finish;
  SmallVector<linalg::LinalgOp> ops;
  DenseMap<Value, Value> buffers;
};

/// All results of an operation on tensors, each with the chain that is fused
/// into it, and the buffers that they are stored to.
struct FusedResults {
  /// Makes a chain for each of `results`, which are those of one operation. All
  /// chains are computed at one place of the code. Where that is not possible,
  /// because a result is used before or an op reads two results, chains are
  /// cut.
  ///
  /// `outs` are the operation's destinations, of types that may be more static
  /// than those of the results. Without `finishes`, the results are those of a
  /// reduction.
  FusedResults(ValueRange results, ValueRange outs,
               ArrayRef<Finish> finishes = {});

  /// Replaces the chains by one pool.on_buffers. `emitLoops` gets the buffer of
  /// `input`, and emits code that stores to `buffers`. Afterwards, if only some
  /// results have users, stores of the others are erased. Returns `values`, in
  /// which each value of a chain is exchanged for the chain's new result.
  /// Erases `outs` that have no users any more. The caller erases the
  /// operation.
  SmallVector<Value> replace(RewriterBase &rewriter, Location loc, Value input,
                             bool needPackedOutputs, ValueRange values,
                             function_ref<void(Value input)> emitLoops);

  SmallVector<ElementwiseChain> chains;
  SmallVector<Value> buffers;

private:
  SmallVector<Value> outs;
  Operation *last;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_FUSION_ELEMENTWISECHAIN_H
