// What the definitions of the operations share: element types, window
// parameters, how they are written.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_POOLOPBASE_TD
#define POOL_DIALECT_POOL_IR_POOLOPBASE_TD

include "pool/Dialect/Pool/IR/PoolBase.td"
include "pool/Dialect/Pool/IR/PoolEnums.td"
include "pool/Dialect/Pool/IR/PoolInterfaces.td"
include "mlir/IR/Properties.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/RuntimeVerifiableOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Pool_Float : AnyTypeOf<[F16, BF16, F32, F64]>;
def Pool_Integer : AnyTypeOf<[
    I8, I16, I32, I64, SI8, SI16, SI32, SI64, UI8, UI16, UI32, UI64]>;
def Pool_Tensor : TensorOf<[Pool_Float, Pool_Integer]>;
def Pool_RankedTensor : RankedTensorOf<[Pool_Float, Pool_Integer]>;
def Pool_FloatTensor : TensorOf<[Pool_Float]>;
def Pool_RankedFloatTensor : RankedTensorOf<[Pool_Float]>;
def Pool_IndexTensor : TensorOf<[I32, I64]>;

/// A 64-bit integer; in the generic form an attribute of type i64. Upstream's
/// takes an integer of any width and truncates it.
def Pool_I64Prop : IntProp<"int64_t"> {
  let convertFromAttribute = [{
    auto integer = ::llvm::dyn_cast_if_present<::mlir::IntegerAttr>($_attr);
    if (!integer || !integer.getType().isSignlessInteger(64))
      return $_diag() << "expected an integer of type i64, not " << $_attr;
    $_storage = integer.getInt();
    return ::mlir::success();
  }];
}

/// A list with one entry for each spatial dimension; empty where absent.
def Pool_WindowListProp : DefaultValuedProp<IntArrayProp<I64Prop>,
    "::llvm::ArrayRef<int64_t>{}", "::llvm::SmallVector<int64_t>{}">;

/// The parameters of a window, in the order of all operations that have one.
defvar Pool_WindowProperties = (ins
    IntArrayProp<I64Prop>:$kernel,
    Pool_WindowListProp:$strides,
    Pool_WindowListProp:$dilations,
    Pool_WindowListProp:$pads_begin,
    Pool_WindowListProp:$pads_end,
    Pool_RoundingTypeProp:$rounding_type,
    Pool_AutoPadProp:$auto_pad,
    Pool_SameOutputProp:$same_output,
    Pool_LayoutProp:$layout);

/// What is left out has its default.
defvar Pool_WindowFormat = [{
    `kernel` $kernel (`strides` $strides^)? (`dilations` $dilations^)?
    (`pads_begin` $pads_begin^)? (`pads_end` $pads_end^)?
    (`rounding_type` $rounding_type^)? (`auto_pad` $auto_pad^)?
    (`same_output` $same_output^)? (`layout` $layout^)?
  }];

#endif // POOL_DIALECT_POOL_IR_POOLOPBASE_TD
