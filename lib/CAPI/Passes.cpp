// C API of passes and pipelines.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool-c/Passes.h"

#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "pool-c/Pipelines.h"
#include "pool/Conversion/Passes.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"
#include "pool/InitAll.h"
#include "pool/Pipelines/Passes.h"
#include "pool/Pipelines/Pipelines.h"

using namespace mlir::pool;

#include "pool-c/ConversionPasses.cpp.inc"
#include "pool-c/PipelinePasses.cpp.inc"
#include "pool-c/TransformPasses.cpp.inc"

// The casts below require that the enumerations have equal values in C and C++.
static_assert(static_cast<int>(LoweringPath::Vector) ==
                  PoolLoweringPathVector &&
              static_cast<int>(LoweringPath::Linalg) ==
                  PoolLoweringPathLinalg &&
              static_cast<int>(LoweringPath::Affine) == PoolLoweringPathAffine);

void poolRegisterAllPasses(void) { registerAllPasses(); }

::PoolToLLVMOptions poolToLLVMOptionsGetDefault(void) {
  mlir::pool::PoolToLLVMOptions defaults;
  ::PoolToLLVMOptions options;
  options.path = static_cast<PoolLoweringPath>(defaults.path.getValue());
  options.vectorBits = defaults.vectorBits;
  options.target = options.cpu = options.features = mlirStringRefCreate("", 0);
  options.runtimeChecks = defaults.runtimeChecks;
  options.cWrappers = defaults.cWrappers;
  options.bufferAlignment = defaults.bufferAlignment;
  options.threads = defaults.threads == ThreadModel::OpenMP
                        ? PoolThreadModelOpenMP
                        : PoolThreadModelNone;
  options.assertHandler = mlirStringRefCreate("", 0);
  return options;
}

void poolOpPassManagerAddPoolToLLVM(MlirOpPassManager passManager,
                                    ::PoolToLLVMOptions options) {
  mlir::pool::PoolToLLVMOptions pipeline;
  pipeline.path = static_cast<LoweringPath>(options.path);
  pipeline.vectorBits = options.vectorBits;
  pipeline.triple = unwrap(options.target).str();
  pipeline.cpu = unwrap(options.cpu).str();
  pipeline.features = unwrap(options.features).str();
  pipeline.runtimeChecks = options.runtimeChecks;
  pipeline.cWrappers = options.cWrappers;
  pipeline.bufferAlignment = options.bufferAlignment;
  pipeline.threads = options.threads == PoolThreadModelOpenMP
                         ? ThreadModel::OpenMP
                         : ThreadModel::None;
  pipeline.assertHandler = unwrap(options.assertHandler).str();
  buildPoolToLLVMPipeline(*unwrap(passManager), pipeline);
}
