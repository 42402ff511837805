/* A program in C99 that builds pooling with MLIR's C API, lowers it by a pass
 * and by the pipeline, imports a model, writes it and reads it again.
 *
 * RUN: %host_cc -std=c99 -Wall -Wextra -Werror %s -o %t %pool_mlir_c
 * RUN: %t %src_root/test/Import/OpenVINO/Inputs/pooling.xml \
 * RUN:   missing.xml %t.xml \
 * RUN:   %src_root/test/Import/OpenVINO/Inputs/without-pooling.xml \
 * RUN:   %src_root/test/Import/OpenVINO/Inputs/branches.xml 2>&1 | FileCheck %s
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"
#include "pool-c/Dialect.h"
#include "pool-c/Import.h"
#include "pool-c/Partition.h"
#include "pool-c/Passes.h"
#include "pool-c/Pipelines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(bool condition, const char *what) {
  if (condition)
    return;
  printf("failed: %s\n", what);
  exit(1);
}

static MlirStringRef str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static void print(MlirStringRef text, void *user) {
  (void)user;
  printf("%.*s", (int)text.length, text.data);
}

static MlirLogicalResult report(MlirDiagnostic diagnostic, void *user) {
  printf("diagnostic: ");
  mlirDiagnosticPrint(diagnostic, print, user);
  printf("\n");
  return mlirLogicalResultSuccess();
}

static void printModule(const char *title, MlirModule module) {
  printf("// %s\n", title);
  mlirOperationPrint(mlirModuleGetOperation(module), print, NULL);
  printf("\n");
}

static MlirNamedAttribute named(MlirContext context, const char *name,
                                MlirAttribute attribute) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, str(name)),
                               attribute);
}

/* Builds func.func @pool(%x: tensor<1x2x5x5xf32>) with a maximum whose extents
 * are rounded up. */
static MlirModule build(MlirContext context) {
  MlirLocation loc = mlirLocationUnknownGet(context);
  MlirModule module = mlirModuleCreateEmpty(loc);
  const int64_t inputShape[] = {1, 2, 5, 5}, two[] = {2, 2};
  MlirType input = mlirRankedTensorTypeGet(4, inputShape,
                                           mlirF32TypeGet(context),
                                           mlirAttributeGetNull());

  MlirRegion body = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(1, &input, &loc);
  mlirRegionAppendOwnedBlock(body, block);

  MlirValue x = mlirBlockGetArgument(block, 0);
  const MlirNamedAttribute attributes[] = {
      named(context, "kernel", mlirDenseI64ArrayGet(context, 2, two)),
      named(context, "strides", mlirDenseI64ArrayGet(context, 2, two)),
      named(context, "rounding_type",
            poolRoundingTypeAttrGet(context, str("ceil"))),
      named(context, "nan_mode", poolNanModeAttrGet(context, str("propagate"))),
  };
  MlirOperation max = poolOperationCreate(loc, str("pool.max_pool"), 1, &x, 4,
                                          attributes, 0, NULL);
  check(!mlirOperationIsNull(max), "creating pool.max_pool");
  MlirAttribute kernel = mlirDictionaryAttrGetElementByName(
      poolOperationGetProperties(max), str("kernel"));
  check(mlirDenseI64ArrayGetElement(kernel, 1) == 2, "its kernel");
  mlirBlockAppendOwnedOperation(block, max);

  MlirValue y = mlirOperationGetResult(max, 0);
  MlirType output = mlirValueGetType(y);
  MlirOperationState ret = mlirOperationStateGet(str("func.return"), loc);
  mlirOperationStateAddOperands(&ret, 1, &y);
  mlirBlockAppendOwnedOperation(block, mlirOperationCreate(&ret));

  MlirOperationState func = mlirOperationStateGet(str("func.func"), loc);
  const MlirNamedAttribute funcAttributes[] = {
      named(context, "sym_name", mlirStringAttrGet(context, str("pool"))),
      named(context, "function_type",
            mlirTypeAttrGet(
                mlirFunctionTypeGet(context, 1, &input, 1, &output))),
  };
  mlirOperationStateAddAttributes(&func, 2, funcAttributes);
  mlirOperationStateAddOwnedRegions(&func, 1, &body);
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(module),
                                mlirOperationCreate(&func));
  check(mlirOperationVerify(mlirModuleGetOperation(module)), "verifying");
  return module;
}

static void testAttributes(MlirContext context) {
  MlirAttribute ceil = poolRoundingTypeAttrGet(context, str("ceil"));
  check(poolAttributeIsARoundingType(ceil), "ceil is a rounding type");
  check(!poolAttributeIsADivisor(ceil), "ceil is no divisor");
  check(mlirStringRefEqual(poolRoundingTypeAttrGetValue(ceil), str("ceil")),
        "its value is ceil");
  check(mlirAttributeIsNull(poolRoundingTypeAttrGet(context, str("up"))),
        "there is no rounding type up");
  check(!poolAttributeIsARoundingType(mlirAttributeGetNull()),
        "null is no rounding type");
  const MlirAttribute all[] = {
      poolRoundingTypeAttrGet(context, str("ceil_torch")),
      poolAutoPadAttrGet(context, str("same_lower")),
      poolSameOutputAttrGet(context, str("strided")),
      poolLayoutAttrGet(context, str("channels_last")),
      poolPadValueAttrGet(context, str("zero")),
      poolNanModeAttrGet(context, str("ignore")),
      poolDivisorAttrGet(context, str("padded")),
      poolIntegerRoundingAttrGet(context, str("half_away")),
      poolReductionAttrGet(context, str("sum")),
  };
  for (size_t i = 0; i < sizeof(all) / sizeof(*all); ++i) {
    mlirAttributePrint(all[i], print, NULL);
    printf("\n");
  }
}
/* CHECK:      #pool.rounding_type<ceil_torch>
 * CHECK-NEXT: #pool.auto_pad<same_lower>
 * CHECK-NEXT: #pool.same_output<strided>
 * CHECK-NEXT: #pool.layout<channels_last>
 * CHECK-NEXT: #pool.pad_value<zero>
 * CHECK-NEXT: #pool.nan_mode<ignore>
 * CHECK-NEXT: #pool.divisor<padded>
 * CHECK-NEXT: #pool.integer_rounding<half_away>
 * CHECK-NEXT: #pool.reduction<sum>
 */

/* Operations that cannot be created are null, with a diagnostic. */
static void testRefusals(MlirContext context) {
  MlirLocation loc = mlirLocationUnknownGet(context);
  const int64_t shape[] = {1, 2, 5}, three = 3;
  MlirType type = mlirRankedTensorTypeGet(3, shape, mlirF32TypeGet(context),
                                          mlirAttributeGetNull());
  MlirBlock block = mlirBlockCreate(1, &type, &loc);
  MlirValue x = mlirBlockGetArgument(block, 0);
  const MlirNamedAttribute kernel = named(
      context, "kernel", mlirDenseI64ArrayGet(context, 1, &three));
  const MlirNamedAttribute misspelt = named(
      context, "kernels", mlirDenseI64ArrayGet(context, 1, &three));
  const MlirNamedAttribute mistyped =
      named(context, "kernel", mlirUnitAttrGet(context));
  const struct {
    const char *name;
    MlirNamedAttribute attribute;
  } refused[] = {
      {"pool.max_pool", misspelt},
      {"pool.max_pool", mistyped},
      {"pool.max_unpool", kernel},
      {"pool.mean_pool", kernel},
      {"func.return", kernel},
  };
  for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); ++i)
    check(mlirOperationIsNull(poolOperationCreate(loc, str(refused[i].name), 1,
                                                  &x, 1, &refused[i].attribute,
                                                  0, NULL)),
          "a refusal");
  const MlirType types[] = {
      type, mlirRankedTensorTypeGet(3, shape, mlirIntegerTypeGet(context, 64),
                                    mlirAttributeGetNull())};
  check(mlirOperationIsNull(poolOperationCreate(loc, str("pool.min_pool"), 0,
                                                NULL, 1, &kernel, 0, NULL)),
        "no operands");
  const MlirNamedAttribute twice[] = {kernel, kernel};
  check(mlirOperationIsNull(poolOperationCreate(loc, str("pool.max_pool"), 1,
                                                &x, 2, twice, 0, NULL)),
        "an attribute twice");
  /* A second result type declares indices. The types do not follow the rule, so
   * the verifier rejects the operation. */
  MlirOperation max = poolOperationCreate(loc, str("pool.max_pool"), 1, &x, 1,
                                          &kernel, 2, types);
  check(mlirOperationGetNumResults(max) == 2, "two results");
  check(!mlirOperationVerify(max), "a shape that is not the rule's");
  mlirOperationDestroy(max);
  mlirBlockDestroy(block);
}
/* CHECK-NEXT: diagnostic: {{.*}}'kernels' is not an attribute
 * CHECK-NEXT: diagnostic: {{.*}}'kernel':
 * CHECK-NEXT: diagnostic: 'pool.max_unpool' op {{.*}}'kernel' is not an attribute
 * CHECK-NEXT: diagnostic: 'pool.mean_pool' is no operation of the pool dialect
 * CHECK-NEXT: diagnostic: 'func.return' is no operation of the pool dialect
 * CHECK-NEXT: diagnostic: 'pool.min_pool' op takes tensors
 * CHECK-NEXT: diagnostic: 'pool.max_pool' op 'kernel' is given twice
 * CHECK-NEXT: diagnostic: 'pool.max_pool' op (Window.C11) values, dimension 2: the extent is 5, the rule gives 3
 */

/* Partitions three windows of 3 over 7 elements, with padding at the begin
 * only, into parts of two windows and one. */
static void testPartition(MlirContext context) {
  MlirLocation loc = mlirLocationUnknownGet(context);
  const int64_t shape[] = {1, 2, 7}, three = 3, two = 2, one = 1;
  MlirType type = mlirRankedTensorTypeGet(3, shape, mlirF32TypeGet(context),
                                          mlirAttributeGetNull());
  MlirBlock block = mlirBlockCreate(1, &type, &loc);
  MlirValue x = mlirBlockGetArgument(block, 0);
  const MlirNamedAttribute window[] = {
      named(context, "kernel", mlirDenseI64ArrayGet(context, 1, &three)),
      named(context, "strides", mlirDenseI64ArrayGet(context, 1, &two)),
      named(context, "pads_begin", mlirDenseI64ArrayGet(context, 1, &one))};
  MlirOperation max = poolOperationCreate(loc, str("pool.max_pool"), 1, &x, 3,
                                          window, 0, NULL);
  const intptr_t numParts[] = {1, 1, 2};
  const int64_t sizes[] = {1, 2, 2, 1}, wrong[] = {1, 2, 2, 2};
  PoolPartition *partition = poolPartitionCreate(max, 3, numParts, sizes);
  check(partition && !poolPartitionNeedsAll(partition) &&
            !poolPartitionHasExplicitPads(partition) &&
            poolPartitionGetBase(partition) == 0 &&
            poolPartitionGetWeight(partition, 2) == 0,
        "a partition");
  for (intptr_t i = 0; i < 2; ++i) {
    PoolPartDim part = poolPartitionGetPart(partition, 2, i);
    printf("part of [%d, +%d) needs [%d, +%d), pads %d and %d\n",
           (int)part.result.offset, (int)part.result.size,
           (int)part.input.offset, (int)part.input.size, (int)part.padBegin,
           (int)part.padEnd);
  }
  poolPartitionDestroy(partition);
  check(!poolPartitionCreate(max, 3, numParts, wrong), "sizes that do not fit");
  mlirOperationDestroy(max);
  mlirBlockDestroy(block);
}
/* CHECK-NEXT: part of [0, +2) needs [0, +4), pads 1 and 0
 * CHECK-NEXT: part of [2, +1) needs [3, +3), pads 0 and 0
 * CHECK-NEXT: diagnostic: 'pool.max_pool' op cannot be cut in dimension 2: part 1 has 2 elements from 2 on, the result has 3
 */

static void run(MlirPassManager passes, MlirModule module) {
  check(mlirLogicalResultIsSuccess(
            mlirPassManagerRunOnOp(passes, mlirModuleGetOperation(module))),
        "running passes");
  mlirPassManagerDestroy(passes);
}

int main(int argc, char **argv) {
  check(argc == 6, "five arguments");
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__pool__(), registry);
  poolRegisterAllDialects(registry);
  poolRegisterOpenVINODialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextLoadAllAvailableDialects(context);
  mlirContextAttachDiagnosticHandler(context, report, NULL, NULL);
  MlirDialect dialect = mlirDialectHandleLoadDialect(
      mlirGetDialectHandle__pool__(), context);
  check(mlirStringRefEqual(mlirDialectGetNamespace(dialect), str("pool")),
        "the dialect's namespace");
  testAttributes(context);
  testRefusals(context);
  testPartition(context);

  MlirModule module = build(context);
  printModule("built", module);
  /* CHECK-LABEL: // built
   * CHECK: func.func @pool(%[[X:.*]]: tensor<1x2x5x5xf32>) -> tensor<1x2x3x3xf32>
   * CHECK: pool.max_pool %[[X]] kernel [2, 2] strides [2, 2] rounding_type ceil
   * CHECK-SAME: nan_mode propagate
   * CHECK-SAME: : tensor<1x2x5x5xf32> -> tensor<1x2x3x3xf32>
   */

  MlirPassManager passes = mlirPassManagerCreate(context);
  mlirOpPassManagerAddOwnedPass(
      mlirPassManagerGetNestedUnder(passes, str("func.func")),
      mlirCreatePoolTransformsPoolResolveWindows());
  run(passes, module);
  printModule("resolved", module);
  /* CHECK-LABEL: // resolved
   * CHECK: pool.max_pool %{{.*}} kernel [2, 2] strides [2, 2] pads_end [1, 1]
   * CHECK-NOT: rounding_type
   * CHECK-SAME: nan_mode propagate
   */

  poolRegisterAllPasses();
  passes = mlirPassManagerCreate(context);
  check(mlirLogicalResultIsSuccess(mlirOpPassManagerAddPipeline(
            mlirPassManagerGetAsOpPassManager(passes),
            str("func.func(pool-resolve-windows)"), print, NULL)),
        "a pipeline of text");
  mlirPassManagerDestroy(passes);

  passes = mlirPassManagerCreate(context);
  PoolToLLVMOptions options = poolToLLVMOptionsGetDefault();
  check(options.path == PoolLoweringPathVector && options.cWrappers &&
            !options.runtimeChecks && options.bufferAlignment == 64 &&
            options.threads == PoolThreadModelNone &&
            options.cpu.length == 0,
        "the pipeline's defaults");
  options.path = PoolLoweringPathAffine;
  poolOpPassManagerAddPoolToLLVM(mlirPassManagerGetAsOpPassManager(passes),
                                 options);
  mlirPrintPassPipeline(mlirPassManagerGetAsOpPassManager(passes), print, NULL);
  printf("\n");
  mlirPassManagerDestroy(passes);
  /* CHECK: convert-pool-to-affine{by-rows=true parallel=false}
   */

  passes = mlirPassManagerCreate(context);
  options = poolToLLVMOptionsGetDefault();
  options.cWrappers = false;
  options.assertHandler = str("on_failure");
  options.target = str("aarch64-linux-gnu");
  options.cpu = str("neoverse-n1");
  options.features = str("+sve");
  poolOpPassManagerAddPoolToLLVM(mlirPassManagerGetAsOpPassManager(passes),
                                 options);
  run(passes, module);
  printModule("lowered", module);
  mlirModuleDestroy(module);
  /* CHECK-LABEL: // lowered
   * CHECK-NOT: pool.
   * CHECK-NOT: _mlir_ciface_
   * CHECK: llvm.func @pool(
   * CHECK: vector<4xf32>
   */

  MlirModule imported =
      poolImportOpenVINO(context, str(argv[1]), false, str(""));
  check(!mlirModuleIsNull(imported), "importing");
  printModule("imported", imported);
  check(mlirLogicalResultIsSuccess(
            poolExportOpenVINO(imported, str(argv[3]))),
        "exporting");
  mlirModuleDestroy(imported);
  imported = poolImportOpenVINO(context, str(argv[3]), true, str(""));
  check(!mlirModuleIsNull(imported), "importing what was exported");
  printModule("imported again", imported);
  mlirModuleDestroy(imported);
  /* CHECK-LABEL: // imported
   * CHECK: pool.max_pool
   * CHECK-LABEL: // imported again
   * CHECK: pool.max_pool
   */

  imported = poolImportOpenVINO(context, str(argv[2]), true, str(""));
  check(mlirModuleIsNull(imported), "importing a file that is not there");
  imported = poolImportOpenVINO(context, str(argv[4]), true, str(""));
  check(mlirModuleIsNull(imported), "importing layers without pooling");
  imported = poolImportOpenVINO(context, str(argv[5]), false, str(""));
  check(mlirModuleIsNull(imported), "importing a model with an If");
  /* CHECK: diagnostic: the model cannot be opened
   * CHECK: diagnostic: the model has no pooling layer
   * CHECK: diagnostic: {{.*}}; poolLayers imports the pooling layers
   */
  mlirContextDestroy(context);
  printf("done\n");
  return 0;
  /* CHECK: done
   */
}
