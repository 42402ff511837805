/* The pool dialect in MLIR's C API: its handle and its attributes.
 *
 * The attributes that docs/Reference/Operations.md lists for an operation are
 * its properties. MLIR's C API has no functions for properties, so this header
 * declares them.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#ifndef POOL_C_DIALECT_H
#define POOL_C_DIALECT_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Declares mlirGetDialectHandle__pool__(), which returns the handle of the
 * dialect. Registering that handle registers only the operations;
 * poolRegisterAllDialects also registers what passes need. */
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Pool, pool);

/** Adds the dialect, upstream's dialects, and the external models of the
 * interfaces of both. */
MLIR_CAPI_EXPORTED void poolRegisterAllDialects(MlirDialectRegistry registry);

/** Creates the pooling operation `name`. The dialect must be loaded.
 * `properties` are the attributes of the operation; missing ones have their
 * defaults. Without `results`, the result types are inferred. Returns null,
 * after a diagnostic, if there is no such operation or it has no such
 * attribute, if an attribute has another type or is given twice, or if the
 * result types cannot be inferred. mlirOperationVerify checks everything else.
 */
MLIR_CAPI_EXPORTED MlirOperation poolOperationCreate(
    MlirLocation location, MlirStringRef name, intptr_t numOperands,
    const MlirValue *operands, intptr_t numProperties,
    const MlirNamedAttribute *properties, intptr_t numResults,
    const MlirType *results);

/** Returns the properties of an operation as a dictionary, or null if the
 * operation has none. */
MLIR_CAPI_EXPORTED MlirAttribute
poolOperationGetProperties(MlirOperation operation);

/* Each enumeration NAME has three functions:
 *
 * - poolNAMEAttrGet returns the attribute whose value is spelled `value` in IR,
 *   or the null attribute if there is none.
 * - poolAttributeIsANAME is true for an attribute of this enumeration.
 * - poolNAMEAttrGetValue returns the spelling of an attribute's value. The
 *   string lives forever. The attribute must be of this enumeration. */
#define POOL_DECLARE_CAPI_ENUM_ATTRIBUTE(Name)                                 \
  MLIR_CAPI_EXPORTED MlirAttribute pool##Name##AttrGet(MlirContext context,    \
                                                       MlirStringRef value);   \
  MLIR_CAPI_EXPORTED bool poolAttributeIsA##Name(MlirAttribute attribute);     \
  MLIR_CAPI_EXPORTED MlirStringRef pool##Name##AttrGetValue(                   \
      MlirAttribute attribute)

/** floor, ceil, ceil_torch */
POOL_DECLARE_CAPI_ENUM_ATTRIBUTE(RoundingType);
/** explicit, same_upper, same_lower, valid */
POOL_DECLARE_CAPI_ENUM_ATTRIBUTE(AutoPad);
/** input, strided */
POOL_DECLARE_CAPI_ENUM_ATTRIBUTE(SameOutput);
/** channels_first, channels_last */
POOL_DECLARE_CAPI_ENUM_ATTRIBUTE(Layout);
/** neg_inf, zero, pos_inf */
POOL_DECLARE_CAPI_ENUM_ATTRIBUTE(PadValue);
/** ignore, propagate */
POOL_DECLARE_CAPI_ENUM_ATTRIBUTE(NanMode);
/** valid, padded, kernel */
POOL_DECLARE_CAPI_ENUM_ATTRIBUTE(Divisor);
/** half_even, half_up, half_away */
POOL_DECLARE_CAPI_ENUM_ATTRIBUTE(IntegerRounding);
/** max, sum, power_sum, min */
POOL_DECLARE_CAPI_ENUM_ATTRIBUTE(Reduction);

#ifdef __cplusplus
}
#endif

#endif /* POOL_C_DIALECT_H */
