// Creates the run-time checks of the window operations and of adaptive pooling.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckBuilder.h"

#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/AdaptiveInference.h"
#include "pool/Dialect/Pool/Utils/SymbolicAdaptiveRules.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>

using namespace mlir;
using namespace mlir::pool;
using llvm::formatv;

/// Creates the checks of Window.C7 to Window.C10 and of the number of bytes of
/// the padded input. With indices, also creates the check of Extremum.C2.
void pool::generateChecks(OpBuilder &b, Location loc, WindowOpInterface op,
                          MessageFn generateErrorMessage) {
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!type)
    return;
  CheckBuilder checks(b, loc, op, generateErrorMessage);
  SmallVector<OpFoldResult> shape = checks.getExtents(op.getInput());
  checks.checkWindow(shape, op.getWindow());
  checks.checkCovered(type, shape, op.getWindow());
  auto extremum = dyn_cast<ExtremumOpInterface>(op.getOperation());
  if (extremum && extremum.getIndices())
    checks.checkIndexBound(shape, extremum.getNormalizedAxis(),
                           getElementTypeOrSelf(extremum.getIndices()));
}

/// Creates the checks of Adaptive.C3 and Adaptive.C5 for dynamic extents, and
/// of the number of bytes of the output.
static void generateExtentChecks(CheckBuilder &checks, OpBuilder &b,
                                 AdaptiveOpInterface op) {
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!type)
    return;
  SmallVector<OpFoldResult> shape = checks.getExtents(op.getInput());
  SmallVector<int64_t> output(type.getShape());
  WindowAttrs dims = getAdaptiveLayout(op.getOutputSize(), op.getLayout());
  unsigned channelDim = dims.getChannelDim();
  checks.checkMinimum(
      shape[channelDim], 1,
      formatv("dimension {0}: the channel extent must be at least 1",
              channelDim));
  for (auto [i, outputSize] : llvm::enumerate(op.getOutputSize())) {
    unsigned d = dims.getSpatialDim(i);
    InputRange range = getAdaptiveInputRange(outputSize);
    checks.checkMinimum(shape[d], range.min,
                        formatv("dimension {0}: the input extent must be at "
                                "least {1}",
                                d, range.min));
    if (range.max < std::numeric_limits<int64_t>::max())
      checks.checkMaximum(
          shape[d], range.max,
          formatv("dimension {0}: the product of the input extent and "
                  "output_size {1} leaves a 64-bit integer above an extent of "
                  "{2}",
                  d, outputSize, range.max));
    shape[d] = b.getIndexAttr(outputSize);
    output[d] = outputSize;
  }
  if (mayLackByteCount(output, type))
    checks.checkByteCount(shape, "the output");
}

void pool::generateChecks(OpBuilder &b, Location loc, AdaptiveOpInterface op,
                          MessageFn generateErrorMessage) {
  CheckBuilder checks(b, loc, op, generateErrorMessage);
  generateExtentChecks(checks, b, op);
  auto maximum = dyn_cast<AdaptiveMaxPoolOp>(op.getOperation());
  if (maximum && maximum.getIndices() &&
      isa<RankedTensorType>(op.getInput().getType()))
    checks.checkIndexBound(checks.getExtents(op.getInput()),
                           maximum.getNormalizedAxis(),
                           getElementTypeOrSelf(maximum.getIndices()));
}
