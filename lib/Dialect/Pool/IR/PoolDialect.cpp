// Registers the operations, attributes and promised interfaces of the dialect.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/Pool.h"

#include "Clauses.h"
#include "PoolBytecode.h"
#include "StrictProperties.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Shard/Interfaces/ShardingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/RuntimeVerifiableOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "pool/Support/Names.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pool;

#include "pool/Dialect/Pool/IR/PoolDialect.cpp.inc"

#include "pool/Dialect/Pool/IR/PoolInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "pool/Dialect/Pool/IR/PoolAttributes.cpp.inc"

void PoolDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "pool/Dialect/Pool/IR/PoolAttributes.cpp.inc"
      >();
  pool::detail::addStrictOperations<
#define GET_OP_LIST
#include "pool/Dialect/Pool/IR/PoolOps.cpp.inc"
      >(*this);
  pool::detail::addBytecodeInterface(*this);
  declarePromisedInterfaces<bufferization::BufferizableOpInterface,
                            WindowReduceOp, OnBuffersOp>();
  // pool::registerExternalModels() registers the promised implementations.
  auto promise = [&](auto *interface) {
    using InterfaceT = std::remove_pointer_t<decltype(interface)>;
    declarePromisedInterfaces<InterfaceT, MaxPoolOp, MinPoolOp, AvgPoolOp,
                              LpPoolOp, AdaptiveMaxPoolOp, AdaptiveAvgPoolOp,
                              MaxUnpoolOp, MaxPoolGradOp, MinPoolGradOp,
                              AvgPoolGradOp>();
  };
  promise(static_cast<shard::ShardingInterface *>(nullptr));
  promise(static_cast<RuntimeVerifiableOpInterface *>(nullptr));
  promise(static_cast<ValueBoundsOpInterface *>(nullptr));
  promise(static_cast<TilingInterface *>(nullptr));
  promise(static_cast<ReifyRankedShapedTypeOpInterface *>(nullptr));
  declarePromisedInterfaces<TilingInterface, WindowReduceOp>();
  declarePromisedInterfaces<ReifyRankedShapedTypeOpInterface, WindowReduceOp>();
}

/// Parse hook for an operation that the dialect does not have: emits an error
/// that suggests an existing name, and fails. The parser puts the operation's
/// name before the message.
static ParseResult rejectOperation(OpAsmParser &parser, OperationState &state) {
  SmallVector<StringRef> names;
  for (RegisteredOperationName name :
       parser.getContext()->getRegisteredOperations())
    if (name.getDialectNamespace() == PoolDialect::getDialectNamespace())
      names.push_back(name.getStringRef());
  llvm::sort(names);
  return parser.emitError(parser.getNameLoc())
         << "is unknown; "
         << suggestName(state.name.getStringRef(), names, "operation");
}

std::optional<Dialect::ParseOpHook>
PoolDialect::getParseOperationHook(StringRef) const {
  return ParseOpHook(rejectOperation);
}
