// Represents bf16 values by i16 values with the same bits, because some code
// generators add conversions to values that are only moved. These i16 values
// are called bits here.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Upstream/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::pool {
#define GEN_PASS_DEF_CARRYBF16
#include "pool/Upstream/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;

/// True if a value of `type` may contain bf16. True for every named struct:
/// such a struct may contain itself, so a search in it might not end.
static bool mayHoldBF16(Type type) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return mayHoldBF16(array.getElementType());
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type))
    return structure.isIdentified() ||
           llvm::any_of(structure.getBody(), mayHoldBF16);
  return getElementTypeOrSelf(type).isBF16();
}

/// Returns `type` with i16 in place of bf16. Supports scalars, vectors, and
/// literal structs of them, in which functions return several results. Returns
/// null if `type` contains no bf16, or a literal struct also contains bf16 in
/// an array or in a named struct.
static Type getBits(Type type) {
  if (type.isBF16())
    return IntegerType::get(type.getContext(), 16);
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getElementType().isBF16()
               ? vector.clone(getBits(vector.getElementType()))
               : Type();
  auto structure = dyn_cast<LLVM::LLVMStructType>(type);
  if (!structure || structure.isIdentified())
    return Type();
  SmallVector<Type> elements(structure.getBody());
  bool isChanged = false;
  for (Type &element : elements) {
    if (Type bits = getBits(element)) {
      element = bits;
      isChanged = true;
    } else if (mayHoldBF16(element)) {
      return Type();
    }
  }
  return isChanged ? LLVM::LLVMStructType::getLiteral(
                         type.getContext(), elements, structure.isPacked())
                   : Type();
}

static bool hasBF16(Type type) { return getBits(type) != Type(); }

static bool isStructWithBF16(Type type) {
  return isa<LLVM::LLVMStructType>(type) && hasBF16(type);
}

/// True for operations that move values and do not compute with them.
static bool isMove(Operation *op) {
  return isa<LLVM::BitcastOp, LLVM::BrOp, LLVM::CondBrOp,
             LLVM::ExtractElementOp, LLVM::ExtractValueOp, LLVM::FreezeOp,
             LLVM::InsertElementOp, LLVM::InsertValueOp, LLVM::LoadOp,
             LLVM::MaskedLoadOp, LLVM::MaskedStoreOp, LLVM::PoisonOp,
             LLVM::SelectOp, LLVM::ShuffleVectorOp, LLVM::StoreOp,
             LLVM::SwitchOp, LLVM::UndefOp, LLVM::ZeroOp,
             LLVM::masked_compressstore, LLVM::masked_expandload,
             LLVM::masked_gather, LLVM::masked_scatter, LLVM::vector_extract,
             LLVM::vector_insert>(op);
}

namespace {
struct CarryBF16 : pool::impl::CarryBF16Base<CarryBF16> {
  using CarryBF16Base::CarryBF16Base;

  void runOnOperation() override;

private:
  void findFunctions();
  bool canChangeStructs();
  bool isBF16(Type type) {
    return hasBF16(type) &&
           (changesStructs || !isa<LLVM::LLVMStructType>(type));
  }
  void carry(Value value) {
    if (isBF16(value.getType())) {
      value.setType(getBits(value.getType()));
      carried.insert(value);
    }
  }
  /// True if `op` is a call of one of `functions` or a return from one.
  bool isCallOrReturn(Operation *op) {
    return calls.contains(op) ||
           (isa<LLVM::ReturnOp>(op) && functions.contains(op->getParentOp()));
  }
  bool takesBits(OpOperand &operand);
  void rewriteSignature(LLVM::LLVMFuncOp function);
  void rewriteResults(Operation *op);
  void rewriteOperands(Operation *op);

  /// Functions whose bf16 arguments and results become bits, and the calls of
  /// these functions.
  DenseSet<Operation *> functions, calls;
  bool changesStructs = false;
  /// Values whose type had bf16 and now has i16 in its place.
  DenseSet<Value> carried;
};
} // namespace

/// Finds the functions with bf16 in their signature whose arguments and results
/// can become bits. Such a function has a body and is used only by direct
/// calls. It is private, unless the option `asBits` says that outside callers
/// pass bits.
void CarryBF16::findFunctions() {
  functions.clear();
  calls.clear();
  std::optional<SymbolTableCollection> symbols;
  std::optional<SymbolUserMap> users;
  for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
    LLVM::LLVMFunctionType type = function.getFunctionType();
    bool isOurs = asBits || function.isPrivate();
    if (function.isExternal() || !isOurs || type.isVarArg() ||
        !(hasBF16(type.getReturnType()) ||
          llvm::any_of(type.getParams(), hasBF16)))
      continue;
    if (!users)
      users.emplace(symbols.emplace(), getOperation());
    ArrayRef<Operation *> named = users->getUsers(function);
    if (!llvm::all_of(named, llvm::IsaPred<LLVM::CallOp>))
      continue;
    functions.insert(function);
    calls.insert(named.begin(), named.end());
  }
}

/// True if all operations on structs that contain bf16 can also work on structs
/// of bits. If not, no struct changes its type, because structs cannot be cast.
bool CarryBF16::canChangeStructs() {
  WalkResult walk = getOperation()->walk([&](Operation *op) {
    bool hasNone = llvm::none_of(op->getOperandTypes(), isStructWithBF16) &&
                   llvm::none_of(op->getResultTypes(), isStructWithBF16);
    return WalkResult(success(hasNone ||
                              isa<LLVM::ExtractValueOp, LLVM::InsertValueOp,
                                  LLVM::PoisonOp, LLVM::UndefOp>(op) ||
                              isCallOrReturn(op)));
  });
  return !walk.wasInterrupted();
}

void CarryBF16::rewriteSignature(LLVM::LLVMFuncOp function) {
  auto replace = [&](Type type) { return isBF16(type) ? getBits(type) : type; };
  LLVM::LLVMFunctionType type = function.getFunctionType();
  function.setFunctionType(LLVM::LLVMFunctionType::get(
      replace(type.getReturnType()),
      llvm::map_to_vector(type.getParams(), replace)));
  for (BlockArgument argument : function.getArguments())
    carry(argument);
}

/// Changes the result types of `op` to bits if `op` supports bits.
void CarryBF16::rewriteResults(Operation *op) {
  if (auto constant = dyn_cast<LLVM::ConstantOp>(op)) {
    if (!isBF16(constant.getType()))
      return;
    auto i16 = IntegerType::get(&getContext(), 16);
    if (auto value = dyn_cast<FloatAttr>(constant.getValue()))
      constant.setValueAttr(
          IntegerAttr::get(i16, value.getValue().bitcastToAPInt()));
    else if (auto values = dyn_cast<DenseFPElementsAttr>(constant.getValue()))
      constant.setValueAttr(values.mapValues(
          i16, [](const APFloat &value) { return value.bitcastToAPInt(); }));
    else
      return;
    carry(constant.getResult());
    return;
  }
  if (!isMove(op) && !calls.contains(op))
    return;
  // Remove fast-math flags, which operations on integers cannot have.
  if (auto select = dyn_cast<LLVM::SelectOp>(op);
      select && isBF16(select.getType()))
    select.setFastmathFlags(LLVM::FastmathFlags::none);
  // If the container is an array, or a struct whose type does not change, the
  // extracted value remains bf16.
  if (auto extract = dyn_cast<LLVM::ExtractValueOp>(op))
    if (Value container = extract.getContainer();
        !carried.contains(container) && !isBF16(container.getType()))
      return;
  for (OpResult result : op->getResults())
    carry(result);
}

/// True if `operand` must be bits, not bf16, after the rewriting.
bool CarryBF16::takesBits(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (auto branch = dyn_cast<BranchOpInterface>(op))
    if (std::optional<BlockArgument> argument =
            branch.getSuccessorBlockArgument(operand.getOperandNumber()))
      return carried.contains(*argument);
  if (auto insert = dyn_cast<LLVM::InsertValueOp>(op))
    return carried.contains(insert.getResult());
  return isMove(op) || isCallOrReturn(op);
}

/// Inserts casts for operands whose type does not fit `op` any more.
void CarryBF16::rewriteOperands(Operation *op) {
  OpBuilder b(op);
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    Type type = value.getType();
    bool isCarried = carried.contains(value);
    if ((!isCarried && !isBF16(type)) || isCarried == takesBits(operand))
      continue;
    Type wanted = getBits(type);
    if (isCarried) {
      wanted = BFloat16Type::get(&getContext());
      if (auto vector = dyn_cast<VectorType>(type))
        wanted = vector.clone(wanted);
    }
    operand.set(LLVM::BitcastOp::create(b, op->getLoc(), wanted, value));
  }
}

void CarryBF16::runOnOperation() {
  carried.clear();
  findFunctions();
  changesStructs = canChangeStructs();
  SmallVector<Operation *> ops;
  for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
    if (functions.contains(function))
      rewriteSignature(function);
    function.walk([&](Block *block) {
      // An argument becomes bits only if every branch to the block can pass
      // bits.
      if (!block->isEntryBlock() &&
          llvm::all_of(block->getPredecessors(), [](Block *predecessor) {
            return isMove(predecessor->getTerminator());
          }))
        for (BlockArgument argument : block->getArguments())
          carry(argument);
      for (Operation &op : *block)
        ops.push_back(&op);
    });
  }
  for (Operation *op : ops)
    rewriteResults(op);
  for (Operation *op : ops)
    rewriteOperands(op);
  for (Operation *op : ops)
    if (auto cast = dyn_cast<LLVM::BitcastOp>(op);
        cast && cast.getArg().getType() == cast.getType()) {
      cast.replaceAllUsesWith(cast.getArg());
      cast.erase();
    }
}
