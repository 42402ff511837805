// Fuses elementwise operations into the pooling before them. Examples are the
// division of an average, a bias and an activation. They are emitted on vectors
// of results, before these vectors are stored:
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
  /// Number of lanes with the same coordinate in the dimension before
  /// `laneDim`. If there are more lanes, they continue at the next coordinate
  /// of that dimension. Then this number must be the extent of `laneDim`. For
  /// example, three channels last and six lanes:
  ///
  ///   lane      0 1 2 3 4 5
  ///   channel   0 1 2 0 1 2    laneDim
  ///   column    0 0 0 1 1 1    the dimension before
  int64_t lanesPerStep = std::numeric_limits<int64_t>::max();
  int64_t numLanes = 1;
  /// The lanes that have an output. The range begins with lane 0.
  LaneRange existing;
  /// If not 0, lane 0 is stored at an address that is a multiple of this number
  /// of bytes, and stores may be non-temporal.
  int64_t streamAlignment = 0;

  /// Returns the number of lanes in `existing`. Returns std::nullopt if it is
  /// unknown.
  std::optional<int64_t> getNumExisting() const {
    auto known = existing.getKnown(numLanes);
    return known ? std::optional(known->second) : std::nullopt;
  }
  /// Returns the type of the elements at this place: a vector of `element`, or
  /// `element` itself for a single element.
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
  /// Coordinates that replace those of the lanes when the elements of windows
  /// are counted. Empty, or one coordinate for each dimension; null if nothing
  /// replaces the lanes' coordinate. A window at the coordinate has the same
  /// number of elements in this dimension as the windows of all lanes. The
  /// coordinate changes in fewer loops than those of lanes, so that the count
  /// can be computed outside of the other loops.
  SmallVector<Value> countCoordinates;
  /// True if no position is kNoPosition: each window has chosen an element.
  bool hasPosition = false;
};

/// A chain of fused operations, which begins with reduced windows. The first
/// step is a `finish`, if there is one: it computes the result of an operation
/// such as pool.avg_pool from reduced windows. The next steps are linalg ops,
/// each of which uses the result of the step before.
class ElementwiseChain {
public:
  /// Creates a chain without linalg ops. With a `finish`, `result` is a result
  /// of the operation that the `finish` belongs to. Without, it is a result of
  /// a reduction, or a buffer that a reduction writes. `finish` must outlive
  /// the chain.
  explicit ElementwiseChain(Value result, const Finish *finish = nullptr)
      : start(result), finish(finish) {}

  /// Appends all linalg ops that can be fused. Each of them must be the only
  /// user of the result of the step before, work element by element, and have a
  /// body that can be emitted on vectors.
  void appendUsers();

  /// Returns the result of the last step, the only result that is stored.
  Value getResult() const {
    return ops.empty() ? start : Value(ops.back()->getResult(0));
  }
  /// True if `value` is the `result` that the chain was created with, or the
  /// result of one of its linalg ops.
  bool has(Value value) const {
    return value == start || llvm::any_of(ops, [&](linalg::LinalgOp op) {
             return op->getResult(0) == value;
           });
  }
  Operation *getLastOp() const { return getResult().getDefiningOp(); }
  ArrayRef<linalg::LinalgOp> getOps() const { return ops; }
  /// Removes the last linalg op from the chain.
  void cutLast() { ops.pop_back(); }

  /// Returns the tensors that the linalg ops read, except results of the chain.
  /// Before emit(), setBuffer() must be called for each of these tensors.
  SmallVector<Value> getOperands() const;
  void setBuffer(Value tensor, Value buffer) { buffers[tensor] = buffer; }

  /// Emits the chain for the elements at `place`. `value` has the results of
  /// the reduction there, with signless elements. Returns the elements of
  /// getResult() at `place`.
  Value emit(KernelBuilder &b, Value value, const ElementPlace &place,
             const ElementFacts &facts) const;
  /// Does the same as emit(), but stores the elements to `buffer` at `place`.
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

/// The chains of all results of one operation on tensors, and the buffers that
/// the results of the chains are stored to.
struct FusedResults {
  /// Creates a chain for each of `results`, the results of one operation. One
  /// pool.on_buffers will compute all chains. This is not possible if it would
  /// come after a user of a chain's result, or if an op reads the results of
  /// two chains. Then removes the last linalg ops of chains until it is.
  ///
  /// `outs` are the destinations of the operation. Their types may be more
  /// static than those of the results. `finishes` has one finish for each
  /// result; if it is empty, the operation is a reduction.
  FusedResults(ValueRange results, ValueRange outs,
               ArrayRef<Finish> finishes = {});

  /// Replaces the results of the chains by those of one pool.on_buffers, and
  /// erases the linalg ops of the chains. Sets `buffers`, and calls `emitLoops`
  /// with the buffer of `input`. `emitLoops` must emit code that stores to
  /// `buffers`. If some results have users, the stores of results without users
  /// are erased. Operations that define `outs` are erased if they become dead.
  /// The caller must erase the operation itself.
  ///
  /// Returns a copy of `values` in which each value of a chain is replaced by
  /// the chain's new result.
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
