// Custom directives of the operations' assembly formats.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_DIALECT_POOL_IR_DIRECTIVES_H
#define POOL_LIB_DIALECT_POOL_IR_DIRECTIVES_H

#include "Clauses.h"

#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool {

/// `custom<PadValue>`: an optional pad value in its short form, such as
/// `<zero>`. ODS parses an optional attribute in its full form only,
/// `#pool.pad_value<zero>`.
ParseResult parsePadValue(OpAsmParser &parser, PadValueAttr &padValue);
void printPadValue(OpAsmPrinter &printer, Operation *op, PadValueAttr padValue);

} // namespace mlir::pool

#endif // POOL_LIB_DIALECT_POOL_IR_DIRECTIVES_H
