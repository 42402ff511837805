// Reports an interface that the context's registry lacks.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Utils/Promises.h"

using namespace mlir;

LogicalResult mlir::pool::emitBrokenPromise(Operation *op,
                                            StringRef interface) {
  return op->emitError("'")
         << op->getName() << "' op needs "
         << interface << ", which the dialect '"
         << op->getName().getDialectNamespace()
         << "' promises and the context's registry lacks; call "
            "mlir::pool::registerAllDialects(registry) of pool/InitAll.h";
}
