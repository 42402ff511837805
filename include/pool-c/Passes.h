/* The passes in MLIR's C API, as mlir-tblgen declares them. Each pass has a
 * function that creates it and a function that registers it by its name. Each
 * group of passes (Conversion, Pipelines, Transforms) has a function that
 * registers all of its passes.
 *
 * Options can only be given as text: register the pass, then call
 * mlirParsePassPipeline or mlirOpPassManagerAddPipeline.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#ifndef POOL_C_PASSES_H
#define POOL_C_PASSES_H

#include "pool-c/ConversionPasses.h.inc"
#include "pool-c/PipelinePasses.h.inc"
#include "pool-c/TransformPasses.h.inc"

#endif /* POOL_C_PASSES_H */
