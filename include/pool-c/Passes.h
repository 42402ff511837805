/* The passes in MLIR's C API, as mlir-tblgen declares them: for each a function
 * that creates it and one that registers it by its name, for each group one
 * that registers all.
 *
 * A pass with other options than the defaults comes from its text:
 * mlirParsePassPipeline or mlirOpPassManagerAddPipeline, once it is registered.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#ifndef POOL_C_PASSES_H
#define POOL_C_PASSES_H

#include "pool-c/ConversionPasses.h.inc"
#include "pool-c/PipelinePasses.h.inc"
#include "pool-c/TransformPasses.h.inc"

#endif /* POOL_C_PASSES_H */
