// Defines the enumerations of the pool dialect.
//
// They are in a file without operations, because the window arithmetic in
// Support/WindowRules.h, which does not use IR, needs them too.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_POOLENUMS_TD
#define POOL_DIALECT_POOL_IR_POOLENUMS_TD

include "mlir/IR/EnumAttr.td"
include "pool/Dialect/Pool/IR/PoolBase.td"

/// A case of an enumeration. The reference and Python's help() show its meaning.
class Pool_Case<string symbol, int value, string keyword, string words>
    : I32EnumCase<symbol, value, keyword> {
  string meaning = words;
}
class Pool_Enum<string name, string summary, list<Pool_Case> cases>
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::mlir::pool";
  let description = !interleave(!foreach(case, cases,
      "* `" # case.str # "`: " # case.meaning), "\n");
}

class Pool_EnumAttr<EnumInfo info, string mnemonic>
    : EnumAttr<Pool_Dialect, info, mnemonic> {
  // Replaces the default format, because with that one an unknown case is
  // reported twice: by the parser of the case and by the parser of the
  // attribute.
  let assemblyFormat = "`<` custom<Case>($value) `>`";
}

/// A property that holds an enumeration. In the generic form of an operation it
/// is `#pool.<mnemonic><case>`, and in the pretty form the bare keyword.
class Pool_StoredEnumProp<EnumInfo info, Attr attr, string mnemonic>
    : EnumPropWithAttrForm<info, attr> {
  let storeInCustomAttribute = 1;
  // Replaces upstream's conversion, which also takes an integer of any width and
  // truncates it.
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
      Pool_Case<"Floor", 0, "floor", "rounded down">,
      Pool_Case<"Ceil", 1, "ceil", "rounded up">,
      Pool_Case<"CeilTorch", 2, "ceil_torch",
        "rounded up, without a last window that starts in the end padding">]>;
def Pool_RoundingTypeAttr : Pool_EnumAttr<Pool_RoundingType, "rounding_type">;

def Pool_AutoPad : Pool_Enum<"AutoPad", "source of the padding", [
      Pool_Case<"Explicit", 0, "explicit", "`pads_begin` and `pads_end`">,
      Pool_Case<"SameUpper", 1, "same_upper",
        "as much as the output extent needs, an odd element at the end">,
      Pool_Case<"SameLower", 2, "same_lower",
        "as much as the output extent needs, an odd element at the beginning">,
      Pool_Case<"Valid", 3, "valid", "no padding">]>;
def Pool_AutoPadAttr : Pool_EnumAttr<Pool_AutoPad, "auto_pad">;

def Pool_SameOutput : Pool_Enum<"SameOutput",
    "output extent under same_upper and same_lower", [
      Pool_Case<"Input", 0, "input", "that of the input">,
      Pool_Case<"Strided", 1, "strided",
        "that of the input over the stride, rounded up">]>;
def Pool_SameOutputAttr : Pool_EnumAttr<Pool_SameOutput, "same_output">;

def Pool_Layout : Pool_Enum<"Layout", "place of the channels", [
      Pool_Case<"ChannelsFirst", 0, "channels_first", "`[N, C, d1..dn]`">,
      Pool_Case<"ChannelsLast", 1, "channels_last", "`[N, d1..dn, C]`">]>;
def Pool_LayoutAttr : Pool_EnumAttr<Pool_Layout, "layout">;

def Pool_PadValue : Pool_Enum<"PadValue", "value of the padding in an extremum", [
      Pool_Case<"NegInf", 0, "neg_inf", "minus infinity, or the smallest integer">,
      Pool_Case<"Zero", 1, "zero", "zero">,
      Pool_Case<"PosInf", 2, "pos_inf", "plus infinity, or the largest integer">]>;
def Pool_PadValueAttr : Pool_EnumAttr<Pool_PadValue, "pad_value">;

def Pool_NanMode : Pool_Enum<"NanMode", "treatment of NaN in an extremum", [
      Pool_Case<"Ignore", 0, "ignore", "NaN is not chosen">,
      Pool_Case<"Propagate", 1, "propagate", "a window with NaN gives NaN">]>;
def Pool_NanModeAttr : Pool_EnumAttr<Pool_NanMode, "nan_mode">;

def Pool_Divisor : Pool_Enum<"Divisor", "positions that an average counts", [
      Pool_Case<"Valid", 0, "valid", "elements of the input">,
      Pool_Case<"Padded", 1, "padded", "elements of the input and padding">,
      Pool_Case<"Kernel", 2, "kernel", "every position of the window">]>;
def Pool_DivisorAttr : Pool_EnumAttr<Pool_Divisor, "divisor">;

def Pool_IntegerRounding : Pool_Enum<"IntegerRounding",
    "rounding of an integer average", [
      Pool_Case<"HalfEven", 0, "half_even", "2.5 gives 2, -2.5 gives -2">,
      Pool_Case<"HalfUp", 1, "half_up", "2.5 gives 3, -2.5 gives -2">,
      Pool_Case<"HalfAway", 2, "half_away", "2.5 gives 3, -2.5 gives -3">]>;
def Pool_IntegerRoundingAttr
    : Pool_EnumAttr<Pool_IntegerRounding, "integer_rounding">;

def Pool_Reduction : Pool_Enum<"Reduction", "reduction of a window", [
      Pool_Case<"Max", 0, "max", "the largest element">,
      Pool_Case<"Sum", 1, "sum", "the sum">,
      Pool_Case<"PowerSum", 2, "power_sum", "the sum of `|x|^p`">,
      Pool_Case<"Min", 3, "min", "the smallest element">]>;
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
