// Registers the external models of the dialect.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Transforms/ExternalModels.h"

#include "Models.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Dialect/Pool/Transforms/BufferizableOpInterfaceImpl.h"
#include "pool/Dialect/Pool/Transforms/ShardingInterfaceImpl.h"

using namespace mlir;
using namespace mlir::pool;

void pool::registerExternalModels(DialectRegistry &registry) {
  registerBufferizableOpInterfaceExternalModels(registry);
  registerShardingInterfaceExternalModels(registry);
  registry.addExtension(+[](MLIRContext *context, PoolDialect *) {
    attachWindowTiling(context);
    attachScatterTiling(context);
    attachChecks(context);
    attachReification(context);
    attachValueBounds(context);
    context->loadDialect<affine::AffineDialect, arith::ArithDialect,
                         cf::ControlFlowDialect, linalg::LinalgDialect,
                         math::MathDialect, memref::MemRefDialect,
                         scf::SCFDialect, tensor::TensorDialect>();
  });
}
