// Table of element types.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Precision.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::pool::openvino;

namespace {
struct Entry {
  StringLiteral precision;
  StringLiteral name;
  Type (*getType)(MLIRContext *);
};
} // namespace

template <unsigned width, IntegerType::SignednessSemantics signedness>
static Type getInteger(MLIRContext *context) {
  return IntegerType::get(context, width, signedness);
}
template <typename T>
static Type getFloat(MLIRContext *context) {
  return T::get(context);
}

static constexpr auto kSignless = IntegerType::Signless;
static constexpr auto kUnsigned = IntegerType::Unsigned;

static constexpr Entry kEntries[] = {
    {"FP16", "f16", getFloat<Float16Type>},
    {"BF16", "bf16", getFloat<BFloat16Type>},
    {"FP32", "f32", getFloat<Float32Type>},
    {"FP64", "f64", getFloat<Float64Type>},
    {"I8", "i8", getInteger<8, kSignless>},
    {"I16", "i16", getInteger<16, kSignless>},
    {"I32", "i32", getInteger<32, kSignless>},
    {"I64", "i64", getInteger<64, kSignless>},
    {"U8", "u8", getInteger<8, kUnsigned>},
    {"U16", "u16", getInteger<16, kUnsigned>},
    {"U32", "u32", getInteger<32, kUnsigned>},
    {"U64", "u64", getInteger<64, kUnsigned>},
    {"BOOL", "boolean", getInteger<1, kSignless>},
};

static Type find(MLIRContext *context, StringLiteral Entry::*column,
                 StringRef text) {
  const Entry *entry = llvm::find_if(
      kEntries, [&](const Entry &entry) { return entry.*column == text; });
  return entry == std::end(kEntries) ? Type() : entry->getType(context);
}

static StringRef find(StringLiteral Entry::*column, Type type) {
  if (type.isSignedInteger())
    type = IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth());
  for (const Entry &entry : kEntries)
    if (entry.getType(type.getContext()) == type)
      return entry.*column;
  return "";
}

Type pool::openvino::getTypeOfPrecision(MLIRContext *context,
                                        StringRef precision) {
  return find(context, &Entry::precision, precision);
}

Type pool::openvino::getTypeOfName(MLIRContext *context, StringRef name) {
  return find(context, &Entry::name, name);
}

StringRef pool::openvino::getPrecision(Type type) {
  return find(&Entry::precision, type);
}

StringRef pool::openvino::getName(Type type) {
  return find(&Entry::name, type);
}

unsigned pool::openvino::getElementBytes(Type type) {
  return (type.getIntOrFloatBitWidth() + 7) / 8;
}
