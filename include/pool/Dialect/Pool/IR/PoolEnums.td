// Enumerations of the pool dialect.
//
// They stand apart from the operations because the window arithmetic in
// Support/WindowRules, which knows no IR, switches over them too.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_POOLENUMS_TD
#define POOL_DIALECT_POOL_IR_POOLENUMS_TD

include "mlir/IR/EnumAttr.td"
include "pool/Dialect/Pool/IR/PoolBase.td"

class Pool_Enum<string name, string summary, list<EnumCase> cases>
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::mlir::pool";
}

class Pool_EnumAttr<EnumInfo info, string mnemonic>
    : EnumAttr<Pool_Dialect, info, mnemonic> {
  // By default the parser of the case and the parser of the attribute report
  // an error each.
  let assemblyFormat = "`<` custom<Case>($value) `>`";
}

/// An enumeration held in an op's properties; `#pool.<mnemonic><case>` in the
/// generic form, the bare keyword in the pretty form.
class Pool_StoredEnumProp<EnumInfo info, Attr attr, string mnemonic>
    : EnumPropWithAttrForm<info, attr> {
  let storeInCustomAttribute = 1;
  // Upstream also takes an integer of any width and truncates it.
  let convertFromAttribute = [{
    auto enumAttr = ::llvm::dyn_cast_if_present<}] # attr.storageType # [{>($_attr);
    if (!enumAttr)
      return $_diag() << "expected #pool.}] # mnemonic # [{<...>, not " << $_attr;
    $_storage = enumAttr.getValue();
    return ::mlir::success();
  }];
}
class Pool_EnumProp<EnumInfo info, EnumAttr attr, string default>
    : DefaultValuedProp<Pool_StoredEnumProp<info, attr, attr.mnemonic>,
                        "::mlir::pool::" # info.className # "::" # default>;

def Pool_RoundingType : Pool_Enum<"RoundingType",
    "rounding of an output extent", [
      I32EnumCase<"Floor", 0, "floor">,
      I32EnumCase<"Ceil", 1, "ceil">,
      I32EnumCase<"CeilTorch", 2, "ceil_torch">]>;
def Pool_RoundingTypeAttr : Pool_EnumAttr<Pool_RoundingType, "rounding_type">;

def Pool_AutoPad : Pool_Enum<"AutoPad", "source of the padding", [
      I32EnumCase<"Explicit", 0, "explicit">,
      I32EnumCase<"SameUpper", 1, "same_upper">,
      I32EnumCase<"SameLower", 2, "same_lower">,
      I32EnumCase<"Valid", 3, "valid">]>;
def Pool_AutoPadAttr : Pool_EnumAttr<Pool_AutoPad, "auto_pad">;

def Pool_SameOutput : Pool_Enum<"SameOutput",
    "output extent under same_upper and same_lower", [
      I32EnumCase<"Input", 0, "input">,
      I32EnumCase<"Strided", 1, "strided">]>;
def Pool_SameOutputAttr : Pool_EnumAttr<Pool_SameOutput, "same_output">;

def Pool_Layout : Pool_Enum<"Layout", "place of the channels", [
      I32EnumCase<"ChannelsFirst", 0, "channels_first">,
      I32EnumCase<"ChannelsLast", 1, "channels_last">]>;
def Pool_LayoutAttr : Pool_EnumAttr<Pool_Layout, "layout">;

def Pool_PadValue : Pool_Enum<"PadValue", "value of the padding in an extremum", [
      I32EnumCase<"NegInf", 0, "neg_inf">,
      I32EnumCase<"Zero", 1, "zero">,
      I32EnumCase<"PosInf", 2, "pos_inf">]>;
def Pool_PadValueAttr : Pool_EnumAttr<Pool_PadValue, "pad_value">;

def Pool_NanMode : Pool_Enum<"NanMode", "treatment of NaN in an extremum", [
      I32EnumCase<"Ignore", 0, "ignore">,
      I32EnumCase<"Propagate", 1, "propagate">]>;
def Pool_NanModeAttr : Pool_EnumAttr<Pool_NanMode, "nan_mode">;

def Pool_Divisor : Pool_Enum<"Divisor", "positions that an average counts", [
      I32EnumCase<"Valid", 0, "valid">,
      I32EnumCase<"Padded", 1, "padded">,
      I32EnumCase<"Kernel", 2, "kernel">]>;
def Pool_DivisorAttr : Pool_EnumAttr<Pool_Divisor, "divisor">;

def Pool_IntegerRounding : Pool_Enum<"IntegerRounding",
    "rounding of an integer average", [
      I32EnumCase<"HalfEven", 0, "half_even">,
      I32EnumCase<"HalfUp", 1, "half_up">,
      I32EnumCase<"HalfAway", 2, "half_away">]>;
def Pool_IntegerRoundingAttr
    : Pool_EnumAttr<Pool_IntegerRounding, "integer_rounding">;

def Pool_Reduction : Pool_Enum<"Reduction", "reduction of a window", [
      I32EnumCase<"Max", 0, "max">,
      I32EnumCase<"Sum", 1, "sum">,
      I32EnumCase<"PowerSum", 2, "power_sum">,
      I32EnumCase<"Min", 3, "min">]>;
def Pool_ReductionAttr : Pool_EnumAttr<Pool_Reduction, "reduction">;

def Pool_RoundingTypeProp
    : Pool_EnumProp<Pool_RoundingType, Pool_RoundingTypeAttr, "Floor">;
def Pool_AutoPadProp
    : Pool_EnumProp<Pool_AutoPad, Pool_AutoPadAttr, "Explicit">;
def Pool_SameOutputProp
    : Pool_EnumProp<Pool_SameOutput, Pool_SameOutputAttr, "Input">;
def Pool_LayoutProp
    : Pool_EnumProp<Pool_Layout, Pool_LayoutAttr, "ChannelsFirst">;
class Pool_PadValueProp<string default>
    : Pool_EnumProp<Pool_PadValue, Pool_PadValueAttr, default>;
def Pool_NanModeProp
    : Pool_EnumProp<Pool_NanMode, Pool_NanModeAttr, "Ignore">;
def Pool_DivisorProp
    : Pool_EnumProp<Pool_Divisor, Pool_DivisorAttr, "Valid">;
def Pool_IntegerRoundingProp
    : Pool_EnumProp<Pool_IntegerRounding, Pool_IntegerRoundingAttr, "HalfEven">;

#endif // POOL_DIALECT_POOL_IR_POOLENUMS_TD
