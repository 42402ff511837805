/* The pool dialect in MLIR's C API: its handle and its attributes.
 *
 * An operation stores as its properties the attributes that
 * docs/Reference/Operations.md lists for it. MLIR's C API has no functions for
 * properties, so this header declares some.
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
 * dialect. Registering the handle registers only the operations. Call
 * poolRegisterAllDialects to register also what passes need. */
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Pool, pool);

/** Adds the pool dialect and upstream's dialects to `registry`, with the
 * external interface models of both. */
MLIR_CAPI_EXPORTED void poolRegisterAllDialects(MlirDialectRegistry registry);

/** Creates the pooling operation `name`. The pool dialect must be loaded.
 * `properties` are attributes of the operation; those that are missing get
 * their defaults. If `numResults` is 0, the result types are inferred. Emits a
 * diagnostic and returns null if the operation or one of its attributes does
 * not exist, if an attribute has a wrong type or is given twice, or if the
 * result types cannot be inferred. mlirOperationVerify checks everything else.
 */
MLIR_CAPI_EXPORTED MlirOperation poolOperationCreate(
    MlirLocation location, MlirStringRef name, intptr_t numOperands,
    const MlirValue *operands, intptr_t numProperties,
    const MlirNamedAttribute *properties, intptr_t numResults,
    const MlirType *results);

/** Returns the properties of `operation` as a dictionary. Returns null if it
 * has no properties. */
MLIR_CAPI_EXPORTED MlirAttribute
poolOperationGetProperties(MlirOperation operation);

/* Each enumeration NAME has three functions:
 *
 * - poolNAMEAttrGet returns the attribute with the value that IR spells as
 *   `value`. Returns the null attribute if there is no such value.
 * - poolAttributeIsANAME returns true for an attribute of this enumeration.
 * - poolNAMEAttrGetValue returns the spelling of an attribute's value. The
 *   attribute must be of this enumeration. The string is never freed. */
#define POOL_DECLARE_CAPI_ENUM_ATTRIBUTE(Name)                                 \
  MLIR_CAPI_EXPORTED MlirAttribute pool##Name##AttrGet(MlirContext context,    \
                                                       MlirStringRef value);   \
  MLIR_CAPI_EXPORTED bool poolAttributeIsA##Name(MlirAttribute attribute);     \
  MLIR_CAPI_EXPORTED MlirStringRef pool##Name##AttrGetValue(                   \
      MlirAttribute attribute)

/** Values: floor, ceil, ceil_torch. */
POOL_DECLARE_CAPI_ENUM_ATTRIBUTE(RoundingType);
/** Values: explicit, same_upper, same_lower, valid. */
POOL_DECLARE_CAPI_ENUM_ATTRIBUTE(AutoPad);
/** Values: input, strided. */
POOL_DECLARE_CAPI_ENUM_ATTRIBUTE(SameOutput);
/** Values: channels_first, channels_last. */
POOL_DECLARE_CAPI_ENUM_ATTRIBUTE(Layout);
/** Values: neg_inf, zero, pos_inf. */
POOL_DECLARE_CAPI_ENUM_ATTRIBUTE(PadValue);
/** Values: ignore, propagate. */
POOL_DECLARE_CAPI_ENUM_ATTRIBUTE(NanMode);
/** Values: valid, padded, kernel. */
POOL_DECLARE_CAPI_ENUM_ATTRIBUTE(Divisor);
/** Values: half_even, half_up, half_away. */
POOL_DECLARE_CAPI_ENUM_ATTRIBUTE(IntegerRounding);
/** Values: max, sum, power_sum, min. */
POOL_DECLARE_CAPI_ENUM_ATTRIBUTE(Reduction);

#ifdef __cplusplus
}
#endif

#endif /* POOL_C_DIALECT_H */
