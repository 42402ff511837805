// The run-time checks of the window operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckBuilder.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::pool;

/// Builds the checks of Window.C7 to Window.C10, of the byte count of the
/// padded input and, with indices, of Extremum.C2.
void pool::detail::generateWindowChecks(OpBuilder &b, Location loc,
                                        WindowOpInterface op,
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
