// Elementwise operations that follow a pooling, emitted on the vectors of its
// results before these are stored: the division of an average, indices from
// positions, a bias, an activation.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_FUSION_ELEMENTWISECHAIN_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_FUSION_ELEMENTWISECHAIN_H

#include "Emit/LaneMask.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "pool/Dialect/Pool/Transforms/Finish.h"

namespace mlir::pool {

/// Output coordinates of the elements that an expression is emitted for.
struct ElementPlace {
  /// A single element, whose coordinates are to be set.
  ElementPlace() = default;
  /// Lanes of the last dimension from `coordinates` on.
  ElementPlace(ArrayRef<Value> coordinates, int64_t numLanes,
               const LaneRange &existing)
      : coordinates(coordinates), laneDim(coordinates.size() - 1),
        numLanes(numLanes), existing(existing) {}

  /// Coordinates in the output, of the first lane.
  SmallVector<Value> coordinates;
  /// The dimension that lanes are consecutive in; none for a single element.
  std::optional<unsigned> laneDim;
  /// If there are more lanes, the extent of `laneDim`: after so many lanes, the
  /// next ones are one further in the dimension before.
  int64_t lanesPerStep = std::numeric_limits<int64_t>::max();
  int64_t numLanes = 1;
  /// Lanes that exist, from the first one on.
  LaneRange existing;
  /// If not 0, stores are non-temporal, and the first element is at a multiple
  /// of so many bytes in the buffer.
  int64_t streamAlignment = 0;

  /// How many lanes exist, if that is known.
  std::optional<int64_t> getNumExisting() const {
    auto known = existing.getKnown(numLanes);
    return known ? std::optional(known->second) : std::nullopt;
  }
  /// The type of values that have `element` in each lane.
  Type getType(Type element) const {
    return laneDim ? VectorType::get(numLanes, element) : element;
  }
  /// Whether coordinates of `dim` differ between lanes.
  bool hasLanes(unsigned dim) const {
    return laneDim == dim || (laneDim == dim + 1 && lanesPerStep < numLanes);
  }
  /// How much further `lane` is in `dim` than the first one.
  int64_t getStep(unsigned dim, int64_t lane) const {
    return laneDim == dim       ? lane % lanesPerStep
           : laneDim == dim + 1 ? lane / lanesPerStep
                                : 0;
  }
};

/// Facts about the elements of an ElementPlace that allow faster code.
struct ElementFacts {
  /// Empty, or for each dimension a coordinate of a window that has as many
  /// elements as those of all lanes here, or null. It changes with fewer loops
  /// than the coordinate here.
  SmallVector<Value> countCoordinates;
  /// True if no position is kNoPosition.
  bool hasPosition = false;
};

/// A result of an operation on tensors, from the reduction of its windows on,
/// and the values computed of it.
class ElementwiseChain {
public:
  /// No chain: a buffer that a reduction writes, or a tensor.
  explicit ElementwiseChain(Value result, const Finish *finish = nullptr)
      : start(result), finish(finish) {}

  /// Appends linalg ops, each the only user of the value before, whose bodies
  /// have vector forms.
  void appendUsers();

  /// The tensor to produce in place of them all.
  Value getResult() const {
    return ops.empty() ? start : Value(ops.back()->getResult(0));
  }
  /// True if `value` is the reduction's result or that of an op of the chain.
  bool has(Value value) const {
    return value == start || llvm::any_of(ops, [&](linalg::LinalgOp op) {
             return op->getResult(0) == value;
           });
  }
  Operation *getLastOp() const { return getResult().getDefiningOp(); }
  ArrayRef<linalg::LinalgOp> getOps() const { return ops; }
  /// Ends the chain before its last op.
  void cutLast() { ops.pop_back(); }

  /// Returns the other tensors that are read. Each needs setBuffer().
  SmallVector<Value> getOperands() const;
  void setBuffer(Value tensor, Value buffer) { buffers[tensor] = buffer; }

  /// The elements of the result from the reduction's, which are signless.
  Value emit(KernelBuilder &b, Value value, const ElementPlace &place,
             const ElementFacts &facts) const;
  /// Stores the result of emit() to `buffer`.
  void store(KernelBuilder &b, Value value, Value buffer,
             const ElementPlace &place, const ElementFacts &facts) const;

private:
  /// The result of the reduction or, with a `finish`, of an operation that ends
  /// so.
  Value start;
  const Finish *finish;
  SmallVector<linalg::LinalgOp> ops;
  DenseMap<Value, Value> buffers;
};

/// The results of an operation on tensors, each with the values computed of it
/// element by element, on their way to buffers.
struct FusedResults {
  /// Makes a chain for each of `results`, which are of one operation. Ends
  /// chains early where this lets all of them be produced at once. `outs` are
  /// the destinations of the operation, of types that may be more static than
  /// those of the results. Without `finishes`, the results are those of a
  /// reduction.
  FusedResults(ValueRange results, ValueRange outs,
               ArrayRef<Finish> finishes = {});

  /// Replaces the chains by pool.on_buffers. `emitLoops` loads from the buffer
  /// of `input`, which it receives, and stores to `buffers`. If only some
  /// results have users, stores of the others are erased. Returns `values`,
  /// with the new result of a chain in place of every value in it. Erases
  /// `outs` that are not needed.
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
