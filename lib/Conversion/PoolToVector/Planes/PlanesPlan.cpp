// The strategy of straight code for rows of planes: its plans, and whether a
// pinned one fits.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Planes/RowRuns.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Straight code for rows, or strips of them. `otherwise` is for rows that are
/// wider than `columns`, where the cut is `narrow` and the width unknown.
struct PlanesPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "planes", kWhole = "";
  PlaneShape shape;

  void visit(PlanFields &fields) {
    fields.keyword("cut", shape.cut, {"row", "narrow", "strips"});
    fields.integer("columns", shape.numColumns, 1, 1 << 20);
    fields.integer("rows", shape.groupRows, 1, cost::kMaxGroupRows);
    if (shape.cut == RowCut::Row)
      fields.integer("first_column", shape.firstColumn, -(1 << 30), 0);
    fields.flag("carry", shape.carriesRows);
    if (shape.carriesRows) {
      fields.integer("part_rows", shape.partRows, 1, 1 << 20);
      fields.flag("interleave", shape.interleaves);
    }
    fields.flag("prefetch", shape.prefetches);
    fields.flag("stream", shape.streams);
  }

  static LogicalResult admit(const Problem &problem, std::string &reason) {
    if (failed(problem.checkLanes(Layout::ChannelsFirst, reason)))
      return failure();
    if (problem.reduction.hasWideSums())
      return refuse(reason, "sums are of 128 bits");
    if (problem.isUniform && !problem.hasUniformPlanes())
      return refuse(
          reason, "the kernel is too large for straight code on every machine");
    auto isLong = [](const KernelDim &dim) {
      return std::max(dim.getExtent(), dim.stride) > cost::kMaxCodeSize;
    };
    if (isLong(problem.getRows()) || isLong(problem.getColumns()))
      return refuse(
          reason, "windows of {0} x {1} positions are no straight code",
          problem.getRows().getExtent(), problem.getColumns().getExtent());
    return problem.checkArgmax(reason);
  }

  FailureOr<double> choose(const Problem &problem, std::string &reason) {
    FailureOr<SmallVector<PlaneShape>> planned = choosePlanes(problem, reason);
    if (failed(planned))
      return failure();
    SmallVector<PlaneShape> &shapes = *planned;
    double planCost = shapes.back().getCost(problem);
    if (problem.reduction.hasPositions())
      planCost *= problem.target.costs.indexFactor;
    MLIRContext *context = problem.reduction.getType().getContext();
    // Wide rows of unknown width are in blocks where these are faster.
    if (!problem.getColumns().knownOutput)
      if (Candidate blocks = kVanHerk.plan(context, problem);
          blocks.plan && blocks.cost < planCost) {
        otherwise = blocks.plan;
        planCost = blocks.cost;
        shapes.pop_back();
      }
    for (const PlaneShape &later : llvm::reverse(ArrayRef(shapes).drop_front()))
      otherwise = writePlan(context, PlanesPlan{{otherwise}, later});
    shape = shapes.front();
    return planCost;
  }

  LogicalResult check(const Problem &problem, PlanScope &scope,
                      std::string &reason) const {
    ProblemDim rows = problem.getRows();
    const ProblemDim &columns = problem.getColumns();
    if (rows.knownOutput && shape.groupRows > *rows.knownOutput)
      return refuse(reason, "rows is {0}, but a plane has {1}", shape.groupRows,
                    *rows.knownOutput);
    bool isDispatched = shape.cut == RowCut::Narrow && !columns.knownOutput;
    if (isDispatched != static_cast<bool>(otherwise))
      return refuse(reason,
                    isDispatched
                        ? "rows may be wider at run time: otherwise is missing"
                        : "it is for all rows: otherwise has no meaning");
    switch (shape.cut) {
    case RowCut::Row:
      if (!columns.knownOutput || !columns.knownInput || !columns.knownPad)
        return refuse(
            reason,
            "cut is \"row\", but the width or its padding is not known");
      if (shape.numColumns != *columns.knownOutput ||
          shape.firstColumn < -*columns.knownPad)
        return refuse(reason,
                      "a row has {0} columns and {1} of padding, not columns = "
                      "{2}, first_column = {3}",
                      *columns.knownOutput, *columns.knownPad, shape.numColumns,
                      shape.firstColumn);
      break;
    case RowCut::Narrow:
      if (columns.knownOutput && shape.numColumns < *columns.knownOutput)
        return refuse(reason, "columns is {0}, but a row has {1}",
                      shape.numColumns, *columns.knownOutput);
      scope.minColumns = shape.numColumns + 1;
      break;
    case RowCut::Strips: {
      int64_t most = columns.knownOutput.value_or(scope.minColumns);
      if (shape.numColumns > most)
        return refuse(
            reason,
            "strips have {0} columns, but a row may have no more than {1}",
            shape.numColumns, most);
    }
    }
    // Prefetches count elements in one dimension, and alignment is known for a
    // result's first row only. So there must be no gaps between rows.
    if ((shape.prefetches || shape.streams) && !problem.isPacked)
      return refuse(reason,
                    "prefetch and stream are for buffers that are packed");
    if (shape.interleaves && rows.getSharingDistance() == 1)
      return refuse(reason,
                    "interleave is for windows whose neighbours share no rows, "
                    "but dilation {0} divides stride {1}",
                    rows.dilation, rows.stride);
    if (shape.prefetches && shape.interleaves)
      return refuse(reason, "prefetch is for rows that follow each other, not "
                            "for those that interleave");
    if (shape.prefetches && !problem.hasRows())
      return refuse(reason, "there are no rows to prefetch");
    RowRuns runs(problem, shape, shape.groupRows);
    if (failed(checkCodeSize("a group", runs.getCodeSize(), reason)) ||
        failed(runs.checkArgmaxBits(reason)))
      return failure();
    if (!shape.carriesRows)
      return success();
    if (problem.reduction.hasPositions())
      return refuse(reason, "rows with an argmax are not carried");
    if (runs.getNumCarried() == 0)
      return refuse(reason, "groups share no rows to carry");
    return checkKept("carried", runs.getNumCarried(), problem.target, reason);
  }

  void emit(WindowKernel &kernel) const { emitPlanes(kernel, shape); }

  Value createCondition(WindowKernel &kernel) const {
    if (!otherwise)
      return {};
    KernelBuilder &at = kernel.at;
    return at.isAtLeast(at.index(shape.numColumns), kernel.dims.back().output);
  }
};
} // namespace

const WindowStrategy pool::kPlanes = WindowStrategy::of<PlanesPlan>();
