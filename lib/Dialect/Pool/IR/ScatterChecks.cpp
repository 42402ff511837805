// Run-time checks of max_unpool and the gradients. Operands must have equal
// extents where the rules say so, and all indices must be in bounds before the
// first index is used.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Support/SymbolicWindowRules.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>

using namespace mlir;
using namespace mlir::pool;
using llvm::formatv;

//===----------------------------------------------------------------------===//
// MaxUnpoolOp
//===----------------------------------------------------------------------===//

void MaxUnpoolOp::generateRuntimeVerification(OpBuilder &b, Location loc,
                                              MessageFn generateErrorMessage) {
  if (!getValues().getType().hasRank() || !getIndices().getType().hasRank())
    return;
  CheckBuilder checks(b, loc, *this, generateErrorMessage);
  SmallVector<OpFoldResult> output = getMixedSizes();
  SmallVector<OpFoldResult> values = checks.getExtents(getValues());
  SmallVector<OpFoldResult> indices = checks.getExtents(getIndices());
  unsigned rank = output.size(), axis = getNormalizedAxis();

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

  // Count the result's own element size: no lowering allocates a buffer of
  // wider elements here.
  checks.checkByteCount(output, "the result",
                        getOutput().getType().getElementTypeBitWidth() / 8);
  checks.checkIndexBound(output, axis, getIndices().getType().getElementType());
  checks.checkIndices(getIndices(), output, axis, "result");
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// Checks that `outputGrad` has the extents that pooling `input` gives.
static void checkOutputGrad(CheckBuilder &checks, ArrayRef<OpFoldResult> input,
                            ArrayRef<OpFoldResult> outputGrad,
                            const WindowAttrs &window) {
  SmallVector<SymbolicDim> dims =
      resolveDims(checks, checks.getLoc(), input, window);
  checks.checkEqual(
      outputGrad, getOutputShape(input, dims, window), outputGrad.size(),
      "the gradient of the output has not the extent that the rule gives");
}

void pool::detail::generateExtremumGradChecks(OpBuilder &b, Location loc,
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
    // Without indices, a pooling recomputes them. The lowering of this pooling
    // may allocate the padded input.
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

void AvgPoolGradOp::generateRuntimeVerification(
    OpBuilder &b, Location loc, MessageFn generateErrorMessage) {
  if (!getOutputGrad().getType().hasRank())
    return;
  CheckBuilder checks(b, loc, *this, generateErrorMessage);
  SmallVector<OpFoldResult> input = getMixedSizes();
  checks.checkMinimum(
      input[0], 0, "dimension 0: the extent of the result must be at least 0");
  // The result does not exist yet, so its extents may exceed the address space.
  // Therefore also check upper bounds beyond the address space.
  checks.checkWindow(input, getWindow(),
                     std::numeric_limits<int64_t>::max() / kElementBytes);
  checks.checkByteCount(input, "the result");
  checkOutputGrad(checks, input, checks.getExtents(getOutputGrad()),
                  getWindow());
}
