// Keys of requests, and modules made from them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Request.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "pool/Dialect/Pool/IR/Pool.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::python;

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

namespace {
/// Appends numbers as they are in memory, and lists behind their lengths.
class KeyWriter {
public:
  explicit KeyWriter(SmallVectorImpl<char> &key) : key(key) {}

  template <typename T>
  void add(T value) {
    auto *bytes = reinterpret_cast<const char *>(&value);
    key.append(bytes, bytes + sizeof(T));
  }
  void add(StringRef text) {
    add(text.size());
    key.append(text.begin(), text.end());
  }
  void add(const Extents &values) {
    add(values.size());
    auto *bytes = reinterpret_cast<const char *>(values.data());
    key.append(bytes, bytes + values.size() * sizeof(int64_t));
  }

private:
  SmallVectorImpl<char> &key;
};
} // namespace

void Request::appendKey(SmallVectorImpl<char> &key) const {
  KeyWriter writer(key);
  writer.add(operation);
  writer.add(threads);
  writer.add(indexBits);
  writer.add(operands.size());
  for (const Operand &operand : operands) {
    writer.add(operand.dtype.kind);
    writer.add(operand.dtype.size);
    writer.add(operand.shape);
    writer.add(operand.part.extents);
    writer.add(operand.part.steps);
  }
  writer.add(lists.size());
  for (const List &list : lists) {
    writer.add(list.name);
    writer.add(list.values);
  }
  writer.add(integers.size());
  for (const Integer &integer : integers) {
    writer.add(integer.name);
    writer.add(integer.value);
  }
  writer.add(enumerations.size());
  for (const Enumeration &enumeration : enumerations) {
    writer.add(enumeration.name);
    writer.add(enumeration.value);
  }
  writer.add(resultShape.has_value());
  if (resultShape)
    writer.add(*resultShape);
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

Type mlir::pool::python::getElementType(const DType &dtype,
                                        MLIRContext *context) {
  Builder b(context);
  switch (dtype.kind) {
  case DType::Kind::Bool:
    return b.getI1Type();
  case DType::Kind::Signed:
    return b.getIntegerType(dtype.size * 8);
  case DType::Kind::Unsigned:
    return b.getIntegerType(dtype.size * 8, /*isSigned=*/false);
  case DType::Kind::BFloat:
    return b.getBF16Type();
  case DType::Kind::Float:
    if (dtype.size == 2)
      return b.getF16Type();
    return dtype.size == 4 ? Type(b.getF32Type()) : Type(b.getF64Type());
  }
  llvm_unreachable("all kinds handled");
}

/// The enumeration attribute, or an error that lists the keywords there are.
template <typename AttrT, typename EnumT>
static Attribute getEnumAttr(const Request::Enumeration &given,
                             EnumT lastKeyword, Location loc) {
  if (std::optional<EnumT> value = symbolizeEnum<EnumT>(given.value))
    return AttrT::get(loc.getContext(), *value);
  InFlightDiagnostic error = emitError(loc)
                             << given.name << " is '" << given.value
                             << "', but must be one of";
  for (unsigned i = 0; i <= static_cast<unsigned>(lastKeyword); ++i)
    error << (i == 0 ? " " : ", ") << stringifyEnum(static_cast<EnumT>(i));
  return nullptr;
}

static Attribute getEnumAttr(const Request::Enumeration &given, Location loc) {
  if (given.name == "rounding_type")
    return getEnumAttr<RoundingTypeAttr>(
        given, RoundingType(getMaxEnumValForRoundingType()), loc);
  if (given.name == "auto_pad")
    return getEnumAttr<AutoPadAttr>(given, AutoPad(getMaxEnumValForAutoPad()),
                                    loc);
  if (given.name == "same_output")
    return getEnumAttr<SameOutputAttr>(
        given, SameOutput(getMaxEnumValForSameOutput()), loc);
  if (given.name == "layout")
    return getEnumAttr<LayoutAttr>(given, Layout(getMaxEnumValForLayout()),
                                   loc);
  if (given.name == "pad_value")
    return getEnumAttr<PadValueAttr>(given,
                                     PadValue(getMaxEnumValForPadValue()), loc);
  if (given.name == "nan_mode")
    return getEnumAttr<NanModeAttr>(given, NanMode(getMaxEnumValForNanMode()),
                                    loc);
  if (given.name == "divisor")
    return getEnumAttr<DivisorAttr>(given, Divisor(getMaxEnumValForDivisor()),
                                    loc);
  if (given.name == "integer_rounding")
    return getEnumAttr<IntegerRoundingAttr>(
        given, IntegerRounding(getMaxEnumValForIntegerRounding()), loc);
  llvm_unreachable("an enumeration that no operation has");
}

/// The attributes as a dictionary; null after an error.
static DictionaryAttr getAttributes(const Request &request, Location loc) {
  Builder b(loc.getContext());
  SmallVector<NamedAttribute> attributes;
  for (const Request::List &list : request.lists)
    attributes.push_back(
        b.getNamedAttr(list.name, b.getDenseI64ArrayAttr(list.values)));
  for (const Request::Integer &integer : request.integers)
    attributes.push_back(
        b.getNamedAttr(integer.name, b.getI64IntegerAttr(integer.value)));
  for (const Request::Enumeration &enumeration : request.enumerations) {
    Attribute attribute = getEnumAttr(enumeration, loc);
    if (!attribute)
      return nullptr;
    attributes.push_back(b.getNamedAttr(enumeration.name, attribute));
  }
  return b.getDictionaryAttr(attributes);
}

/// Types of the results by the operation's own inference.
template <typename OpTy>
static LogicalResult inferTypes(Location loc, ValueRange operands,
                                DictionaryAttr attributes,
                                SmallVectorImpl<Type> &types) {
  typename OpTy::Properties properties;
  if (failed(OpTy::setPropertiesFromAttr(properties, attributes,
                                         [&] { return emitError(loc); })))
    return failure();
  return OpTy::inferReturnTypes(loc.getContext(), loc, operands, attributes,
                                &properties, /*regions=*/{}, types);
}

/// The operation's name, and the types of its results.
static FailureOr<StringRef> inferTypes(const Request &request, Location loc,
                                       ValueRange operands,
                                       DictionaryAttr attributes,
                                       SmallVectorImpl<Type> &types) {
  auto infer = [&](auto op) -> FailureOr<StringRef> {
    using OpTy = decltype(op);
    if (failed(inferTypes<OpTy>(loc, operands, attributes, types)))
      return failure();
    return OpTy::getOperationName();
  };
  // The shape that the caller gives is that of the result's type.
  auto declare = [&](auto op) -> FailureOr<StringRef> {
    Type elementType = getElementTypeOrSelf(operands.front());
    if (llvm::any_of(*request.resultShape,
                     [](int64_t extent) { return extent < 0; }))
      return emitError(loc) << "a shape has a negative extent";
    types.push_back(RankedTensorType::get(*request.resultShape, elementType));
    return decltype(op)::getOperationName();
  };
  switch (request.operation) {
  case OpKind::MaxPool:
    return infer(MaxPoolOp());
  case OpKind::AvgPool:
    return infer(AvgPoolOp());
  case OpKind::LpPool:
    return infer(LpPoolOp());
  case OpKind::AdaptiveMaxPool:
    return infer(AdaptiveMaxPoolOp());
  case OpKind::AdaptiveAvgPool:
    return infer(AdaptiveAvgPoolOp());
  case OpKind::MaxPoolGrad:
    return infer(MaxPoolGradOp());
  case OpKind::MaxUnpool:
    return declare(MaxUnpoolOp());
  case OpKind::AvgPoolGrad:
    return declare(AvgPoolGradOp());
  }
  llvm_unreachable("all operations handled");
}

/// The operand as the operation sees it, from the function's argument.
static Value addOperand(OpBuilder &b, Location loc,
                        const Request::Operand &operand, Value argument) {
  if (operand.part.extents.empty())
    return argument;
  SmallVector<OpFoldResult> offsets(operand.shape.size(), b.getIndexAttr(0));
  return tensor::ExtractSliceOp::create(
      b, loc, argument, offsets,
      getAsIndexOpFoldResult(b.getContext(), operand.shape),
      getAsIndexOpFoldResult(b.getContext(), operand.part.steps));
}

OwningOpRef<ModuleOp> mlir::pool::python::buildModule(const Request &request,
                                                      MLIRContext *context) {
  context->loadDialect<PoolDialect, func::FuncDialect, tensor::TensorDialect>();
  Location loc = UnknownLoc::get(context);
  DictionaryAttr attributes = getAttributes(request, loc);
  if (!attributes)
    return nullptr;

  OpBuilder b(context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  b.setInsertionPointToEnd(module->getBody());
  SmallVector<Type> arguments;
  for (const Request::Operand &operand : request.operands)
    arguments.push_back(RankedTensorType::get(
        operand.part.extents.empty() ? operand.shape : operand.part.extents,
        getElementType(operand.dtype, context)));
  auto func =
      func::FuncOp::create(b, loc, kEntry, b.getFunctionType(arguments, {}));
  b.setInsertionPointToStart(func.addEntryBlock());
  SmallVector<Value> operands;
  for (auto [operand, argument] :
       llvm::zip_equal(request.operands, func.getArguments()))
    operands.push_back(addOperand(b, loc, operand, argument));

  SmallVector<Type> types;
  FailureOr<StringRef> name =
      inferTypes(request, loc, operands, attributes, types);
  if (failed(name))
    return nullptr;
  if (request.indexBits != 0)
    types.push_back(cast<RankedTensorType>(types.front())
                        .clone(b.getIntegerType(request.indexBits)));
  OperationState state(loc, *name);
  state.addOperands(operands);
  state.addTypes(types);
  state.propertiesAttr = attributes;
  mlir::Operation *op = b.create(state);
  func::ReturnOp::create(b, loc, op->getResults());
  func.setType(b.getFunctionType(arguments, types));
  if (failed(verify(*module)))
    return nullptr;
  return module;
}
