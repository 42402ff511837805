// Chooses plans for adaptive pooling, and replaces operations by the loops of
// their plans.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptive/AdaptivePlan.h"

#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/Transforms/AdaptiveForm.h"

using namespace mlir;
using namespace mlir::pool;

FailureOr<Problem> pool::getAdaptiveProblem(AdaptiveOpInterface op,
                                            const Target &target,
                                            std::string &reason) {
  auto type = cast<RankedTensorType>(op.getInput().getType());
  ElementReduction elements = op.getElementReduction();
  if (!elements.isExtremum() && isa<FloatType>(elements.accType) &&
      op->hasAttr(PoolDialect::UniformSumsAttrHelper::getNameStr()))
    return refuse(reason, "{0} asks for the order of linalg's sums",
                  PoolDialect::UniformSumsAttrHelper::getNameStr());
  // All element types of adaptive pooling have vectors.
  Problem problem(target, *LaneReduction::get(elements, target.vectorBits));
  problem.layout = op.getLayout();
  ArrayRef<int64_t> inputs = type.getShape().drop_front(
      problem.layout == Layout::ChannelsFirst ? 2 : 1);
  for (auto [output, input] : llvm::zip(op.getOutputSize(), inputs)) {
    ProblemDim &dim = problem.dims.emplace_back();
    dim.knownOutput = output;
    dim.knownInput = ShapedType::isDynamic(input)
                         ? std::nullopt
                         : std::optional<int64_t>(input);
  }
  return problem;
}

//===----------------------------------------------------------------------===//
// Strategies
//===----------------------------------------------------------------------===//

/// Returns the estimated cost of one output element, in cycles. Each element of
/// its window takes a load and a combination, which are done for `numLanes`
/// outputs at once. An unknown extent of the input is assumed to be twice that
/// of the output.
static double getCost(const Problem &problem, double numLanes) {
  double numOps = 2;
  for (const ProblemDim &dim : problem.dims)
    numOps *= std::ceil(double(dim.knownInput.value_or(2 * *dim.knownOutput)) /
                        *dim.knownOutput);
  return numOps / problem.target.vectorOpsPerCycle / numLanes;
}

namespace {
/// The strategy `adaptive-planes`, for channels first. Lanes are columns.
struct AdaptivePlanesPlan : AdaptivePlan {
  AdaptivePlanesPlan() : AdaptivePlan("adaptive-planes") {}
  RowPlace place = RowPlace::Buffer;

  void declareParameters(PlanFields &fields) override {
    fields.keyword("row", place, {"plane", "register", "buffer"});
  }

  /// Returns the number of operations in the straight-line code for a row in
  /// registers or, if `place` is Plane, for a plane of such rows. Fails, with
  /// the reason, if there cannot be such code.
  static FailureOr<int64_t> getCodeSize(const Problem &problem, RowPlace place,
                                        std::string &reason) {
    std::optional<int64_t> height = problem.dims[0].knownInput;
    std::optional<int64_t> width = problem.getColumns().knownInput;
    int64_t numRows = *problem.dims[0].knownOutput;
    int64_t numColumns = *problem.getColumns().knownOutput;
    // A row may take half of the registers.
    int64_t mostVectors = problem.target.numVectorRegisters / 2;
    int64_t length = problem.getLength();
    if (!width || *width < 1)
      return refuse(reason, "the width is not known");
    if (*width > mostVectors * length)
      return refuse(reason, "a row has {0} columns, more than {1} vectors",
                    *width, mostVectors);
    if (numColumns > cost::kMaxCodeSize)
      return refuse(reason, "{0} outputs are no straight code", numColumns);
    int64_t rowSize =
        getRowWindows(problem.reduction, {*width, numColumns}).getCodeSize();
    if (place == RowPlace::Row)
      return rowSize;
    if (problem.dims.size() != 2 || !height || *height < 1 ||
        std::max(*height, numRows) > cost::kMaxPinnedCodeSize)
      return refuse(reason, "a plane is no straight code");
    // Neighboring windows have at most one row in common. Both load it.
    int64_t numLoads = (*height + numRows) * llvm::divideCeil(*width, length);
    return 2 * numLoads + numRows * rowSize;
  }

  LogicalResult supports(const Problem &problem,
                         std::string &reason) const override {
    return checkLayout(problem.layout, Layout::ChannelsFirst, reason);
  }
  FailureOr<double> chooseParameters(const Problem &problem,
                                     std::string &reason) override {
    for (RowPlace straight : {RowPlace::Row, RowPlace::Plane}) {
      FailureOr<int64_t> size = getCodeSize(problem, straight, reason);
      if (succeeded(size) && *size <= cost::kMaxCodeSize)
        place = straight;
    }
    return getCost(problem, std::min(problem.getLength(),
                                     *problem.getColumns().knownOutput));
  }
  LogicalResult check(const Problem &problem, PlanScope &,
                      std::string &reason) const override {
    if (place == RowPlace::Buffer)
      return success();
    FailureOr<int64_t> size = getCodeSize(problem, place, reason);
    if (failed(size))
      return failure();
    return checkCodeSize(place == RowPlace::Plane ? "a plane" : "a row", *size,
                         reason);
  }

  void emit(AdaptiveLoops &loops) const override {
    loops.createForPlanes(place);
  }
};

/// The strategy `adaptive-channels`, for channels last. Lanes are channels.
struct AdaptiveChannelsPlan : AdaptivePlan {
  AdaptiveChannelsPlan() : AdaptivePlan("adaptive-channels") {}
  /// Number of vectors of channels that are computed together.
  int64_t numVectors = cost::kAdaptiveStripVectors;

  void declareParameters(PlanFields &fields) override {
    fields.integer("vectors", numVectors, 1, 16);
  }
  LogicalResult supports(const Problem &problem,
                         std::string &reason) const override {
    return checkLayout(problem.layout, Layout::ChannelsLast, reason);
  }
  FailureOr<double> chooseParameters(const Problem &problem,
                                     std::string &) override {
    return getCost(problem, problem.getLength());
  }
  void emit(AdaptiveLoops &loops) const override {
    loops.createForChannels(numVectors);
  }
};
} // namespace

ArrayRef<AdaptiveStrategy> pool::getAdaptiveStrategies() {
  static constexpr AdaptiveStrategy strategies[] = {
      createPlan<AdaptivePlan, AdaptivePlanesPlan>,
      createPlan<AdaptivePlan, AdaptiveChannelsPlan>,
  };
  return strategies;
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

SmallVector<Value> pool::replaceByLoops(RewriterBase &rewriter,
                                        AdaptiveOpInterface op,
                                        const Problem &problem,
                                        const AdaptivePlan &plan,
                                        ValueRange values) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  AdaptiveForm form(rewriter, op);
  SmallVector<Finish> finishes = form.getFinishes();
  SmallVector<Value> outs;
  for (const Finish &finish : finishes)
    outs.push_back(form.createEmpty(finish.elementType));
  FusedResults fused(op->getResults(), outs, finishes);
  auto emitLoops = [&](Value buffer) {
    KernelBuilder b(rewriter, loc, problem.target);
    AdaptiveLoops loops(b, problem, getCarriedAxis(op), buffer, fused);
    plan.emit(loops);
  };
  SmallVector<Value> replaced =
      fused.replace(rewriter, loc, op.getInput(), /*needPackedOutputs=*/false,
                    values, emitLoops);
  rewriter.eraseOp(op);
  return replaced;
}
