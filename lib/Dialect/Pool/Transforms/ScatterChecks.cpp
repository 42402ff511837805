// Creates the run-time checks of max_unpool and the gradients. They check
// extents, for example that two operands have equal ones. They also check that
// all indices are in bounds, before the first index is used.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckBuilder.h"

#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/Utils/SymbolicWindowRules.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>

using namespace mlir;
using namespace mlir::pool;
using llvm::formatv;

//===----------------------------------------------------------------------===//
// MaxUnpoolOp
//===----------------------------------------------------------------------===//

void pool::generateChecks(OpBuilder &b, Location loc, MaxUnpoolOp op,
                          MessageFn generateErrorMessage) {
  if (!op.getValues().getType().hasRank() ||
      !op.getIndices().getType().hasRank())
    return;
  CheckBuilder checks(b, loc, op, generateErrorMessage);
  SmallVector<OpFoldResult> output = op.getMixedSizes();
  SmallVector<OpFoldResult> values = checks.getExtents(op.getValues());
  SmallVector<OpFoldResult> indices = checks.getExtents(op.getIndices());
  unsigned rank = output.size(), axis = op.getNormalizedAxis();

  for (unsigned d = 0; d < rank; ++d) {
    int64_t min = d == 0 ? 0 : 1;
    for (auto [extent, what] :
         {std::pair(output[d], "result"), std::pair(values[d], "values")})
      checks.checkMinimum(
          extent, min,
          formatv("dimension {0}: the extent of the {1} must be at least {2}",
                  d, what, min));
  }
  checks.checkEqual(values, indices, rank,
                    "values and indices have different extents");
  checks.checkEqual(values, output, axis,
                    "values and result have different extents before the axis");

  // Count bytes with the result's own element size, because no lowering
  // allocates a buffer of wider elements here.
  checks.checkByteCount(output, "the result",
                        op.getOutput().getType().getElementTypeBitWidth() / 8);
  checks.checkIndexBound(output, axis,
                         op.getIndices().getType().getElementType());
  checks.checkIndices(op.getIndices(), output, axis, "result");
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// Creates checks that `outputGrad`, the extents of the output's gradient,
/// equal the output extents of pooling a tensor with the extents `input`.
static void checkOutputGrad(CheckBuilder &checks, ArrayRef<OpFoldResult> input,
                            ArrayRef<OpFoldResult> outputGrad,
                            const WindowAttrs &window) {
  SmallVector<SymbolicDim> dims =
      resolveDims(checks, checks.getLoc(), input, window);
  checks.checkEqual(
      outputGrad, getOutputShape(input, dims, window), outputGrad.size(),
      "the gradient of the output has not the extent that the rule gives");
}

void pool::generateChecks(OpBuilder &b, Location loc,
                          ExtremumGradOpInterface op,
                          MessageFn generateErrorMessage) {
  if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<UnrankedTensorType>))
    return;
  CheckBuilder checks(b, loc, op, generateErrorMessage);
  WindowAttrs window = op.getWindow();
  SmallVector<OpFoldResult> input = checks.getExtents(op.getInput());
  SmallVector<OpFoldResult> outputGrad = checks.getExtents(op.getOutputGrad());
  checks.checkWindow(input, window);
  checkOutputGrad(checks, input, outputGrad, window);
  Value indices = op.getIndices();
  if (!indices) {
    // If there are no indices, a pooling recomputes them. The lowering of that
    // pooling may allocate the padded input.
    checks.checkCovered(cast<RankedTensorType>(op.getInput().getType()), input,
                        window);
    return;
  }
  checks.checkEqual(
      checks.getExtents(indices), outputGrad, outputGrad.size(),
      "indices and gradient of the output have different extents");
  unsigned axis = op.getNormalizedAxis();
  checks.checkIndexBound(input, axis, getElementTypeOrSelf(indices));
  checks.checkIndices(indices, input, axis, "input");
}

void pool::generateChecks(OpBuilder &b, Location loc, AvgPoolGradOp op,
                          MessageFn generateErrorMessage) {
  if (!op.getOutputGrad().getType().hasRank())
    return;
  CheckBuilder checks(b, loc, op, generateErrorMessage);
  SmallVector<OpFoldResult> input = op.getMixedSizes();
  checks.checkMinimum(
      input[0], 0, "dimension 0: the extent of the result must be at least 0");
  // The result does not exist yet, so its extents may be larger than any tensor
  // in memory. Therefore also check upper bounds that an existing tensor could
  // not reach.
  checks.checkWindow(input, op.getWindow(),
                     std::numeric_limits<int64_t>::max() / kElementBytes);
  checks.checkByteCount(input, "the result");
  checkOutputGrad(checks, input, checks.getExtents(op.getOutputGrad()),
                  op.getWindow());
}
