// Makes keys of requests, and modules from requests.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Request.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::python;

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

namespace {
/// Appends values to a key. A number is written as its bytes in native byte
/// order. A text or list is written as its length and then its elements, so
/// that no two sequences of values give the same key.
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
  writer.add(hasUniformSums);
  writer.add(resultShape.has_value());
  if (resultShape)
    writer.add(*resultShape);
  writer.add(resultType.has_value());
  if (resultType) {
    writer.add(resultType->kind);
    writer.add(resultType->size);
  }
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

/// Returns the attribute `#pool.name<keyword>`. If the parser fails, returns
/// null, emits nothing, and sets the empty `message` to the parser's first
/// error.
static Attribute parseEnumAttr(StringRef name, StringRef keyword,
                               MLIRContext *context, std::string &message) {
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (message.empty())
      message = diagnostic.str();
    return success();
  });
  return parseAttribute(("#pool." + name + "<" + keyword + ">").str(), context);
}

/// Returns the attribute for the enumeration `given`. If its keyword is
/// unknown, emits an error that lists the known keywords, and returns null.
/// Also fails if no enumeration has this name.
static Attribute getEnumAttr(const Request::Enumeration &given, Location loc) {
  MLIRContext *context = loc.getContext();
  bool isWord = !given.value.empty() && llvm::all_of(given.value, [](char c) {
    return llvm::isAlnum(c) || c == '_';
  });
  std::string message;
  if (Attribute attribute =
          isWord ? parseEnumAttr(given.name, given.value, context, message)
                 : Attribute())
    return attribute;
  // For an unknown keyword, the parser's error lists the known keywords in
  // brackets.
  message.clear();
  parseEnumAttr(given.name, "_", context, message);
  StringRef keywords = StringRef(message).split('[').second.split(']').first;
  if (keywords.empty()) {
    emitError(loc) << "'" << given.name << "', which is '" << given.value
                   << "', is not an attribute whose values are keywords";
    return nullptr;
  }
  emitError(loc) << given.name << " is '" << given.value
                 << "', but must be one of " << keywords;
  return nullptr;
}

/// Appends the attributes of `request` to `attributes`. Emits an error and
/// fails if the keyword of an enumeration is unknown.
static LogicalResult
getAttributes(const Request &request, Location loc,
              SmallVectorImpl<NamedAttribute> &attributes) {
  Builder b(loc.getContext());
  for (const Request::List &list : request.lists)
    attributes.push_back(
        b.getNamedAttr(list.name, b.getDenseI64ArrayAttr(list.values)));
  for (const Request::Integer &integer : request.integers)
    attributes.push_back(
        b.getNamedAttr(integer.name, b.getI64IntegerAttr(integer.value)));
  for (const Request::Enumeration &enumeration : request.enumerations) {
    Attribute attribute = getEnumAttr(enumeration, loc);
    if (!attribute)
      return failure();
    attributes.push_back(b.getNamedAttr(enumeration.name, attribute));
  }
  return success();
}

/// Appends the destinations of pool.window_reduce to `operands`: an empty
/// tensor of each of `types`. Appends the sizes of the operand groups to
/// `attributes`.
static void addDestinations(OpBuilder &b, Location loc, ArrayRef<Type> types,
                            SmallVectorImpl<Value> &operands,
                            SmallVectorImpl<NamedAttribute> &attributes) {
  for (Type type : types)
    operands.push_back(tensor::EmptyOp::create(
        b, loc, cast<RankedTensorType>(type), ValueRange()));
  // The groups are the input, the destinations, pads_begin, pads_end and
  // positions. The last three are empty, because a request gives them as
  // attributes.
  auto count = static_cast<int32_t>(types.size());
  attributes.push_back(b.getNamedAttr(
      "operandSegmentSizes", b.getDenseI32ArrayAttr({1, count, 0, 0, 0})));
}

Operation *mlir::pool::python::createOperation(OpBuilder &b, Location loc,
                                               const Request &request,
                                               SmallVector<Value> operands) {
  SmallVector<NamedAttribute> attributes;
  if (failed(getAttributes(request, loc, attributes)))
    return nullptr;
  SmallVector<Type> types;
  // If the caller gave the result's shape, use it instead of inferring the
  // type.
  if (request.resultShape && !operands.empty()) {
    if (llvm::any_of(*request.resultShape,
                     [](int64_t extent) { return extent < 0; })) {
      emitError(loc) << "a shape has a negative extent";
      return nullptr;
    }
    types.push_back(RankedTensorType::get(
        *request.resultShape,
        request.resultType ? getElementType(*request.resultType, b.getContext())
                           : getElementTypeOrSelf(operands.front())));
  }
  Type indexElementType =
      request.indexBits ? Type(b.getIntegerType(request.indexBits)) : Type();
  if (request.operation == WindowReduceOp::getOperationName()) {
    if (indexElementType && !types.empty())
      types.push_back(
          cast<RankedTensorType>(types.front()).clone(indexElementType));
    addDestinations(b, loc, types, operands, attributes);
    indexElementType = {};
  }
  Operation *op = createByName(loc, request.operation, operands, attributes,
                               types, indexElementType);
  return op ? b.insert(op) : nullptr;
}

/// Returns the value to pool: `argument`, or a slice of it if the operand is a
/// part of a larger array.
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

  Operation *op = createOperation(b, loc, request, std::move(operands));
  if (!op)
    return nullptr;
  if (request.hasUniformSums)
    op->setAttr(PoolDialect::UniformSumsAttrHelper::getNameStr(),
                b.getUnitAttr());
  func::ReturnOp::create(b, loc, op->getResults());
  func.setType(b.getFunctionType(arguments, op->getResultTypes()));
  if (failed(verify(*module)))
    return nullptr;
  return module;
}
