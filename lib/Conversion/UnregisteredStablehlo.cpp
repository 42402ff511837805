// Reads and checks parts of StableHLO operations, and builds such operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Conversion/UnregisteredStablehlo.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::pool;

StringRef hlo::getName(Operation *op) {
  auto [dialect, name] = op->getName().getStringRef().split('.');
  return dialect == kDialect ? name : StringRef();
}

bool hlo::isPure(Operation *op) {
  static const llvm::StringSet<> kImpure = {"after_all",
                                            "all_gather",
                                            "all_reduce",
                                            "all_to_all",
                                            "collective_permute",
                                            "collective_broadcast",
                                            "custom_call",
                                            "infeed",
                                            "outfeed",
                                            "partition_id",
                                            "recv",
                                            "reduce_scatter",
                                            "replica_id",
                                            "return",
                                            "rng",
                                            "rng_bit_generator",
                                            "send",
                                            "while"};
  auto check = [&](Operation *nested) {
    StringRef name = getName(nested);
    bool isEnd = nested != op && name == "return";
    return name.empty() || (kImpure.contains(name) && !isEnd)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return !op->walk(check).wasInterrupted();
}

Operation *hlo::getProducer(Value value, StringRef name, unsigned numOperands) {
  Operation *op = value.getDefiningOp();
  bool matches = op && getName(op) == name && op->getNumResults() == 1 &&
                 op->getNumOperands() == numOperands &&
                 op->getNumRegions() == 0 && op->getNumSuccessors() == 0;
  return matches ? op : nullptr;
}

Operation *hlo::getBroadcast(Value value) {
  Operation *op = getProducer(value, "broadcast_in_dim", 1);
  return op ? op : getProducer(value, "dynamic_broadcast_in_dim", 2);
}

/// Returns the integers of `attr`, an array or a dense tensor of i64. Returns
/// nothing if `attr` is neither of these, if it does not have `shape`, or if an
/// integer does not fit 32 bits.
static std::optional<SmallVector<int64_t>>
readIntegers(Attribute attr, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> integers;
  if (auto array = dyn_cast<DenseI64ArrayAttr>(attr)) {
    if (shape.size() != 1 || array.size() != shape[0])
      return std::nullopt;
    integers = llvm::to_vector(array.asArrayRef());
  } else if (auto dense = dyn_cast<DenseIntElementsAttr>(attr)) {
    if (dense.getType().getShape() != shape ||
        !dense.getElementType().isInteger(64))
      return std::nullopt;
    integers = llvm::to_vector(dense.getValues<int64_t>());
  } else {
    return std::nullopt;
  }
  // Reject wide integers: callers add or multiply two of these in 64 bits and
  // do not check for overflow.
  if (!llvm::all_of(integers, [](int64_t i) { return llvm::isInt<32>(i); }))
    return std::nullopt;
  return integers;
}

std::optional<SmallVector<int64_t>>
hlo::getIntegers(Operation *op, StringRef name, unsigned size, int64_t absent) {
  Attribute attr = op->getAttr(name);
  return attr ? readIntegers(attr, {size}) : SmallVector<int64_t>(size, absent);
}

std::optional<SmallVector<std::pair<int64_t, int64_t>>>
hlo::getPadding(Operation *op, unsigned rank) {
  SmallVector<std::pair<int64_t, int64_t>> pairs(rank, {0, 0});
  Attribute attr = op->getAttr("padding");
  if (!attr)
    return pairs;
  std::optional<SmallVector<int64_t>> integers = readIntegers(attr, {rank, 2});
  if (!integers)
    return std::nullopt;
  for (size_t d = 0; d < rank; ++d)
    pairs[d] = {(*integers)[2 * d], (*integers)[2 * d + 1]};
  return pairs;
}

std::string hlo::getKeyword(Operation *op, StringRef name) {
  Attribute attr = op->getAttr(name);
  if (!attr)
    return {};
  std::string text;
  llvm::raw_string_ostream os(text);
  attr.print(os, /*elideType=*/true);
  StringRef word = text;
  if (!word.consume_front(("#" + kDialect + "<").str()) ||
      !word.consume_back(">"))
    return {};
  // Drop the kind of the attribute, such as `comparison_direction`.
  return word.split(' ').second.str();
}

DenseElementsAttr hlo::getConstant(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return {};
  DenseElementsAttr elements;
  if (Operation *op = getProducer(value, "constant", 0))
    elements = dyn_cast_if_present<DenseElementsAttr>(op->getAttr("value"));
  else if (!matchPattern(value, m_Constant(&elements)))
    elements = {};
  return elements && elements.getType() == type ? elements
                                                : DenseElementsAttr();
}

/// Returns `number` as a constant of `type`. Supports equal types, and an
/// integer that becomes a float without rounding; otherwise returns null.
static TypedAttr convertNumber(TypedAttr number, Type type) {
  if (number.getType() == type)
    return number;
  auto integer = dyn_cast<IntegerAttr>(number);
  auto floatType = dyn_cast<FloatType>(type);
  if (!integer || !floatType)
    return {};
  APFloat value(floatType.getFloatSemantics());
  APFloat::opStatus status = value.convertFromAPInt(
      integer.getValue(),
      !integer.getType().isUnsignedInteger() && !integer.getType().isInteger(1),
      APFloat::rmNearestTiesToEven);
  return status == APFloat::opOK ? FloatAttr::get(type, value) : FloatAttr();
}

/// Implements getSplat(). `depth` is the number of operations that the search
/// has followed before it reached `value`.
static TypedAttr findSplat(Value value, unsigned depth) {
  Type element = getElementTypeOrSelf(value.getType());
  for (; depth < hlo::kMaxChain; ++depth) {
    Operation *op = hlo::getBroadcast(value);
    if (!op)
      op = hlo::getProducer(value, "reshape", 1);
    if (!op)
      break;
    value = op->getOperand(0);
  }
  if (depth >= hlo::kMaxChain)
    return {};
  if (Operation *op = hlo::getProducer(value, "convert", 1)) {
    TypedAttr number = findSplat(op->getOperand(0), depth + 1);
    return number ? convertNumber(number, element) : TypedAttr();
  }
  DenseElementsAttr constant = hlo::getConstant(value);
  if (!constant || !constant.isSplat() || constant.getElementType() != element)
    return {};
  return dyn_cast<TypedAttr>(constant.getSplatValue<Attribute>());
}

TypedAttr hlo::getSplat(Value value) { return findSplat(value, 0); }

Block *hlo::getScalarBody(Region &region, TypeRange elementTypes,
                          unsigned numArguments, unsigned numResults) {
  if (!region.hasOneBlock())
    return nullptr;
  Block &block = region.front();
  if (block.getNumArguments() != numArguments || block.empty())
    return nullptr;
  for (BlockArgument argument : block.getArguments()) {
    Type element = elementTypes[argument.getArgNumber() % elementTypes.size()];
    if (argument.getType() != RankedTensorType::get({}, element))
      return nullptr;
  }
  Operation &last = block.back();
  if (getName(&last) != "return" || last.getNumOperands() != numResults ||
      last.getNumSuccessors() != 0)
    return nullptr;
  return &block;
}

//===----------------------------------------------------------------------===//
// Builders
//===----------------------------------------------------------------------===//

Value hlo::create(OpBuilder &b, Location loc, StringRef name, Type result,
                  ValueRange operands, ArrayRef<NamedAttribute> properties) {
  OperationState state(loc, (kDialect + "." + name).str(), operands, {result});
  if (!properties.empty())
    state.propertiesAttr = b.getDictionaryAttr(properties);
  return b.create(state)->getResult(0);
}

Value hlo::createConstant(OpBuilder &b, Location loc, DenseElementsAttr value) {
  return create(b, loc, "constant", value.getType(), {},
                b.getNamedAttr("value", value));
}

Value hlo::createScalar(OpBuilder &b, Location loc, TypedAttr value,
                        Type elementType) {
  return createConstant(
      b, loc,
      DenseElementsAttr::get(RankedTensorType::get({}, elementType), value));
}

Value hlo::createBroadcast(OpBuilder &b, Location loc, Value value,
                           RankedTensorType type,
                           ArrayRef<int64_t> dimensions) {
  return create(b, loc, "broadcast_in_dim", type, value,
                b.getNamedAttr("broadcast_dimensions",
                               b.getDenseI64ArrayAttr(dimensions)));
}

Value hlo::createSplat(OpBuilder &b, Location loc, TypedAttr value,
                       RankedTensorType type) {
  return createBroadcast(
      b, loc, createScalar(b, loc, value, type.getElementType()), type, {});
}

Attribute hlo::getOpaque(MLIRContext *context, const Twine &text) {
  return OpaqueAttr::get(StringAttr::get(context, kDialect), text.str(),
                         NoneType::get(context));
}
