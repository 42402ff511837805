// Lowers pool.window_reduce on buffers to affine loops. The loops over the taps
// of a window have affine bounds that leave out taps outside the input.
//
// createByRows() also splits the loop over a row of windows (index-set
// splitting), so that most tap loops have constant bounds, which LLVM unrolls
// and vectorizes. Kernel 3, stride 1, one element of padding at each end, eight
// windows:
//
//   window   |  0 |  1   2   3   4   5   6 |  7 |
//   taps     | 1-2|          0-2           | 0-1|   inside the input
//   range    |  A |           B            |  C |   a loop for each range
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Remarks.h"

#include "mlir/Dialect/Affine/Analysis/AffineAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "pool/Conversion/Passes.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"
#include "pool/Dialect/Pool/Transforms/WindowLoops.h"
#include "pool/Dialect/Pool/Utils/SymbolicWindowRules.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::pool {
#define GEN_PASS_DEF_CONVERTPOOLTOAFFINE
#include "pool/Conversion/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

static constexpr StringRef kPass = "convert-pool-to-affine";

/// If a window has at most this many taps, LLVM unrolls the loops over them,
/// and then vectorizes the loop over a row around them. Chosen by measurements:
/// 3x3, 5x5 and 3x3x3 taps are below the limit, 7x7 above.
static constexpr int64_t kMaxUnrolledTaps = 32;

/// If at most this many windows of a row reach past an end of the input, each
/// of them gets its own tap loops with constant bounds. One loop over these
/// windows would contain a tap loop whose number of iterations changes each
/// time, which the processor's branch predictor cannot predict.
static constexpr int64_t kMaxCutWindows = 8;

/// LLVM uses masks for a loop that has at most this many iterations if they do
/// not fill whole vectors. The processor does not forward a masked store to a
/// later load. So if the outputs are loaded again later, such a loop is split
/// into loops whose lengths are powers of two.
static constexpr int64_t kMaxMaskedWindows = 15;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Composes `map` with those of `operands` that are constants or results of
/// affine.apply, and simplifies it. Returns the result, and sets `values` to
/// its operands.
static AffineMap compose(Builder &b, AffineMap map,
                         ArrayRef<OpFoldResult> operands,
                         SmallVector<Value> &values) {
  map = foldAttributesIntoMap(b, map, operands, values);
  affine::fullyComposeAffineMapAndOperands(&map, &values);
  affine::canonicalizeMapAndOperands(&map, &values);
  return simplifyAffineMap(map);
}

namespace {
/// A loop bound: a map, its operands, and the value of the bound if it is
/// known.
struct Bound {
  AffineMap map;
  SmallVector<Value> operands;
  std::optional<int64_t> known;
};
} // namespace

/// Returns a bound of a loop. If `isLower`, this is the lower bound, the
/// largest result of `map`. Otherwise it is the upper bound, the smallest
/// result.
static Bound getBound(Builder &b, AffineMap map,
                      ArrayRef<OpFoldResult> operands, bool isLower) {
  Bound bound;
  bound.map = compose(b, map, operands, bound.operands);
  for (AffineExpr expr : bound.map.getResults()) {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    if (!constant) {
      bound.known = std::nullopt;
      return bound;
    }
    int64_t value = constant.getValue();
    int64_t other = bound.known.value_or(value);
    bound.known = isLower ? std::max(value, other) : std::min(value, other);
  }
  bound.map = b.getConstantAffineMap(*bound.known);
  return bound;
}

/// Returns the bounds of a loop over all indices of a dimension of `extent`.
static LoopBounds getAllOf(MLIRContext *context, OpFoldResult extent) {
  return {AffineMap::get(1, 0, getAffineConstantExpr(0, context)),
          AffineMap::get(1, 0, getAffineDimExpr(0, context)),
          {extent}};
}

/// Returns the bounds of a loop over the indices [begin, end).
static LoopBounds getBetween(MLIRContext *context, int64_t begin, int64_t end) {
  return {AffineMap::getConstantMap(begin, context),
          AffineMap::getConstantMap(end, context),
          {}};
}

namespace {
/// Builds the loops of one window_reduce on buffers.
class AffineWindows {
public:
  /// `input` and `output` are the extents of the buffers.
  AffineWindows(const OpBuilder &b, WindowReduceOp op,
                ArrayRef<OpFoldResult> input, ArrayRef<OpFoldResult> output)
      : b(b, op.getLoc()), op(op), window(op.getWindow()),
        dims(getWindowDims(op, input)), extents(output),
        coordinates(output.size()), reach(dims.size()) {}

  /// Builds the loops over all outputs and, inside them, the loops over taps.
  void createByWindows();
  /// Builds loops over rows of outputs, and splits each row into ranges of
  /// windows that reach past the same ends of the input. There are two kinds of
  /// windows:
  /// - At most kMaxUnrolledTaps taps, and inside the input in all dimensions
  ///   except the last. All tap loops are innermost, and LLVM unrolls them.
  /// - All others. Only the tap loop of the last dimension is innermost. The
  ///   other tap loops lie around the loop over a row, which loads and stores
  ///   its outputs in each of their iterations.
  /// To tell the two kinds apart if windows have few taps, splits the other
  /// spatial dimensions into ranges, too.
  void createByRows();

private:
  /// Builds a loop and sets the insertion point to the start of its body.
  /// Returns null and builds nothing if the loop is known to have no iteration.
  affine::AffineForOp createLoop(const LoopBounds &bounds,
                                 ValueRange inits = {});
  /// Builds loops over the outputs' dimensions [first, last) around `body`.
  void createOutputLoops(unsigned first, unsigned last,
                         function_ref<void()> body);
  /// Builds loops over the windows of spatial dimension `i`, and calls `body`
  /// in each of them. All windows of one loop reach past the same ends of the
  /// input. `reach[i]` has these ends while `body` runs.
  void createRangeLoops(unsigned i, function_ref<void()> body);
  /// Builds the loops over the spatial dimensions from `i` on, and then calls
  /// createRow(). `isUnrolled` is true if windows have at most kMaxUnrolledTaps
  /// taps, and lie inside the input in the dimensions before `i`.
  void createRows(unsigned i, bool isUnrolled);
  /// Builds the loops over a row, inside tap loops of the first `numOuter`
  /// dimensions. If there are such tap loops, first initializes the outputs of
  /// the row, which then serve as accumulators.
  void createRow(unsigned numOuter);
  /// Builds tap loops for the spatial dimensions below `numDims` that do not
  /// yet enclose the insertion point, and calls `body` in the innermost. `body`
  /// takes the accumulators and returns the updated ones. Returns the
  /// accumulators after the loops.
  SmallVector<Value>
  createTapLoops(unsigned numDims, ValueRange accs,
                 function_ref<SmallVector<Value>(ValueRange)> body);
  /// Builds all tap loops that do not yet enclose the insertion point. Starts
  /// from `accs`, and returns the accumulators after the loops.
  SmallVector<Value> reduce(ValueRange accs);
  /// Loads the element at the current tap, and returns `accs` combined with it.
  SmallVector<Value> accumulate(ValueRange accs);

  SmallVector<Value> createInits();
  /// Loads the accumulators from the outputs.
  SmallVector<Value> load();
  void store(ValueRange accs);

  ElementBuilder b;
  WindowReduceOp op;
  WindowAttrs window;
  SmallVector<SymbolicDim> dims;
  SmallVector<OpFoldResult> extents;
  /// Induction variables of the loops that enclose the insertion point.
  /// `coordinates` has those over the output, by dimension. `taps` has those
  /// over the taps, by spatial dimension.
  SmallVector<Value> coordinates, taps;
  /// Ends of the input past which the current window may reach, by spatial
  /// dimension.
  SmallVector<Reach> reach;
};
} // namespace

affine::AffineForOp AffineWindows::createLoop(const LoopBounds &bounds,
                                              ValueRange inits) {
  Bound lower = getBound(b, bounds.lower, bounds.operands, /*isLower=*/true);
  Bound upper = getBound(b, bounds.upper, bounds.operands, /*isLower=*/false);
  if (lower.known && upper.known && *lower.known >= *upper.known)
    return nullptr;
  auto loop =
      affine::AffineForOp::create(b, lower.operands, lower.map, upper.operands,
                                  upper.map, /*step=*/1, inits);
  b.setInsertionPointToStart(loop.getBody());
  return loop;
}

void AffineWindows::createOutputLoops(unsigned first, unsigned last,
                                      function_ref<void()> body) {
  if (first == last)
    return body();
  OpBuilder::InsertionGuard guard(b);
  auto loop = createLoop(getAllOf(b.getContext(), extents[first]));
  if (!loop)
    return;
  coordinates[first] = loop.getInductionVar();
  createOutputLoops(first + 1, last, body);
}

SmallVector<Value> AffineWindows::createTapLoops(
    unsigned numDims, ValueRange accs,
    function_ref<SmallVector<Value>(ValueRange)> body) {
  unsigned i = taps.size();
  if (i == numDims)
    return body(accs);
  OpBuilder::InsertionGuard guard(b);
  auto loop =
      createLoop(getValidTaps(b.getContext(), dims[i],
                              coordinates[window.getSpatialDim(i)], reach[i]),
                 accs);
  if (!loop)
    return accs;
  taps.push_back(loop.getInductionVar());
  SmallVector<Value> results =
      createTapLoops(numDims, loop.getRegionIterArgs(), body);
  taps.pop_back();
  if (!results.empty())
    affine::AffineYieldOp::create(b, results);
  return llvm::to_vector_of<Value>(loop.getResults());
}

SmallVector<Value> AffineWindows::reduce(ValueRange accs) {
  return createTapLoops(dims.size(), accs,
                        [&](ValueRange accs) { return accumulate(accs); });
}

SmallVector<Value> AffineWindows::accumulate(ValueRange accs) {
  SmallVector<OpFoldResult> position(coordinates.begin(), coordinates.end());
  for (auto [i, dim] : llvm::enumerate(dims)) {
    OpFoldResult &coordinate = position[window.getSpatialDim(i)];
    coordinate = pool::getPosition({b, b.getLoc()}, dim, coordinate, taps[i]);
  }
  SmallVector<Value> values = b.value(position);
  SmallVector<Value> operands;
  AffineMap map =
      compose(b, b.getMultiDimIdentityMap(position.size()), position, operands);
  Value stored = affine::AffineLoadOp::create(b, op.getInput(), map, operands);
  SmallVector<Value> results = accumulateInWindow(b, op, stored, values, accs);
  // Only an argmax uses `values`, because the map of the load already contains
  // the position. Erase the coordinates that are not used.
  for (Value value : values)
    if (auto apply = value.getDefiningOp<affine::AffineApplyOp>();
        apply && apply->use_empty())
      apply.erase();
  return results;
}

SmallVector<Value> AffineWindows::createInits() {
  Value isWhole = createIsWholeWindow(b, op, dims, [&](unsigned i) {
    return getCount({b, b.getLoc()}, dims[i], Divisor::Valid,
                    coordinates[window.getSpatialDim(i)]);
  });
  return createWindowInits(b, op, isWhole);
}

SmallVector<Value> AffineWindows::load() {
  SmallVector<Value> accs;
  for (Value out : op.getOuts())
    accs.push_back(castToSignless(
        b, b.getLoc(), affine::AffineLoadOp::create(b, out, coordinates)));
  return accs;
}

void AffineWindows::store(ValueRange accs) {
  for (auto [acc, out] : llvm::zip_equal(accs, op.getOuts())) {
    Type type = cast<MemRefType>(out.getType()).getElementType();
    affine::AffineStoreOp::create(b, castFromSignless(b, b.getLoc(), acc, type),
                                  out, coordinates);
  }
}

void AffineWindows::createByWindows() {
  createOutputLoops(0, extents.size(), [&] { store(reduce(createInits())); });
}

void AffineWindows::createRangeLoops(unsigned i, function_ref<void()> body) {
  unsigned d = window.getSpatialDim(i);
  auto createWindows = [&](const LoopBounds &windows) {
    OpBuilder::InsertionGuard guard(b);
    auto loop = createLoop(windows);
    if (!loop)
      return;
    coordinates[d] = loop.getInductionVar();
    body();
  };
  for (const WindowRange &range :
       getWindowRanges(b.getContext(), dims[i], extents[d])) {
    reach[i] = range.reach;
    const LoopBounds &windows = range.windows;
    Bound begin = getBound(b, windows.lower, windows.operands, true);
    Bound end = getBound(b, windows.upper, windows.operands, false);
    bool isCut = reach[i].begin || reach[i].end;
    // Split only short loops over a row. Among these, split a loop over windows
    // of the interior only if outputs are loaded again.
    int64_t most = i + 1 != dims.size() ? 0
                   : isCut              ? kMaxCutWindows
                   : taps.empty()       ? 0
                                        : kMaxMaskedWindows;
    if (!begin.known || !end.known || *end.known - *begin.known > most) {
      createWindows(windows);
      continue;
    }
    for (int64_t o = *begin.known, size; o < *end.known; o += size) {
      size = isCut ? 1 : llvm::bit_floor<uint64_t>(*end.known - o);
      createWindows(getBetween(b.getContext(), o, o + size));
    }
  }
  reach[i] = {};
}

void AffineWindows::createRow(unsigned numOuter) {
  unsigned last = dims.size() - 1, column = window.getSpatialDim(last);
  unsigned rank = extents.size();
  if (numOuter)
    createOutputLoops(column, rank, [&] { store(createInits()); });
  createTapLoops(numOuter, /*accs=*/{}, [&](ValueRange) {
    createRangeLoops(last, [&] {
      createOutputLoops(column + 1, rank, [&] {
        store(reduce(numOuter ? load() : createInits()));
      });
    });
    return SmallVector<Value>();
  });
}

void AffineWindows::createRows(unsigned i, bool isUnrolled) {
  unsigned last = dims.size() - 1, d = window.getSpatialDim(i);
  if (i == last)
    return createRow(isUnrolled ? 0 : last);
  if (!isUnrolled)
    return createOutputLoops(d, d + 1, [&] { createRows(i + 1, false); });
  createRangeLoops(i, [&] {
    createRows(i + 1, /*isUnrolled=*/!reach[i].begin && !reach[i].end);
  });
}

void AffineWindows::createByRows() {
  int64_t numTaps = 1;
  for (const SymbolicDim &dim : dims)
    numTaps = std::min(numTaps * std::min(dim.kernel, kMaxUnrolledTaps + 1),
                       kMaxUnrolledTaps + 1);
  createOutputLoops(0, window.getSpatialDim(0), [&] {
    createRows(0, /*isUnrolled=*/numTaps <= kMaxUnrolledTaps);
  });
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Returns the reason why an operation cannot become affine loops, or an empty
/// string.
static std::string findNonAffine(WindowReduceOp op,
                                 ArrayRef<OpFoldResult> input,
                                 ArrayRef<OpFoldResult> output) {
  Region *scope = affine::getAffineScope(op);
  if (!scope)
    return "no operation around it is a scope of affine symbols";
  const std::pair<const char *, SmallVector<OpFoldResult>> lists[] = {
      {"extent {0} of the input", llvm::to_vector(input)},
      {"extent {0} of the output", llvm::to_vector(output)},
      {"pads_begin[{0}]", op.getMixedPadsBegin()},
      {"pads_end[{0}]", op.getMixedPadsEnd()}};
  for (const auto &[name, list] : lists)
    for (auto [i, value] : llvm::enumerate(list))
      if (auto operand = dyn_cast<Value>(value);
          operand && !affine::isValidDim(operand, scope))
        return llvm::formatv(name, i).str() +
               " is no affine symbol or dimension";
  return "";
}

namespace {
struct ConvertPoolToAffinePass
    : pool::impl::ConvertPoolToAffineBase<ConvertPoolToAffinePass> {
  using ConvertPoolToAffineBase::ConvertPoolToAffineBase;

  void runOnOperation() override {
    SmallVector<WindowReduceOp> ops;
    getOperation()->walk([&](WindowReduceOp op) {
      if (op.hasPureBufferSemantics())
        ops.push_back(op);
    });
    for (WindowReduceOp op : ops)
      convert(op);
    removeFactsOnBuffers(getOperation());
  }

private:
  /// Replaces `root` and the loops in it by affine.parallel wherever iterations
  /// are independent. Sets `root` to the loop that replaces it.
  static void makeParallel(Operation *&root) {
    SmallVector<affine::AffineForOp> loops;
    root->walk<WalkOrder::PreOrder>([&](affine::AffineForOp loop) {
      if (affine::isLoopParallel(loop))
        loops.push_back(loop);
    });
    for (affine::AffineForOp loop : loops) {
      affine::AffineParallelOp made;
      bool isRoot = loop == root;
      if (succeeded(affine::affineParallelize(loop, {}, &made)) && isRoot)
        root = made;
    }
  }

  void convert(WindowReduceOp op) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    Operation *before = op->getPrevNode();
    SmallVector<OpFoldResult> input =
        memref::getMixedSizes(b, loc, op.getInput());
    SmallVector<OpFoldResult> output =
        memref::getMixedSizes(b, loc, op.getOuts()[0]);
    std::string reason = findNonAffine(op, input, output);
    if (reason.empty()) {
      AffineWindows loops(b, op, input, output);
      byRows ? loops.createByRows() : loops.createByWindows();
      ++numLowered;
    } else {
      remarkLeftAlone(kPass, op, reason);
      ++numLeftAlone;
    }
    if (parallel)
      for (Operation *it = op->getPrevNode(); it != before;
           it = it->getPrevNode())
        makeParallel(it);
    // Erase unused extents.
    for (Operation *it = op->getPrevNode(); it != before;) {
      Operation *previous = it->getPrevNode();
      if (isOpTriviallyDead(it))
        it->erase();
      it = previous;
    }
    if (reason.empty())
      op.erase();
  }
};
} // namespace
