// Emits the C functions through which callers call compiled code. A C function
// converts pointers and extents to MLIR's calling convention, and converts the
// results back.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CInterface.h"

#include "llvm/IR/IRBuilder.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
class CFunctionBuilder {
public:
  CFunctionBuilder(llvm::Module &module, bool isPacked, bool runtimeChecks)
      : module(module), b(module.getContext()), isPacked(isPacked),
        runtimeChecks(runtimeChecks) {}

  /// Adds `function` to the module. It calls `callee`. Fails if its name is
  /// taken.
  llvm::Error add(const CFunction &function, llvm::Function *callee);
  /// Makes calls of malloc and aligned_alloc fail a check if they return null
  /// for a size above 0.
  void checkAllocations();
  /// Defines the handler of failed checks, if the module calls it. Fails if the
  /// module already defines a function of that name.
  llvm::Error defineCheckFailed();

private:
  llvm::Type *getType(const CParameter &parameter);
  /// Sets `parameters` to the values with which the caller called `function`.
  void addParameters(const CFunction &function);
  /// Emits a check that fails with `message` unless `condition` holds. Emits
  /// nothing if run-time checks are off.
  void check(llvm::Value *condition, const llvm::Twine &message);
  /// Appends the fields of a memref descriptor of `data` to `operands`. `shape`
  /// points to all extents, or is null if the type is static. Emits checks that
  /// the extents fit the type; their messages begin with `what`.
  void addDescriptor(const ValueSpec &spec, llvm::Value *data,
                     llvm::Value *shape, const llvm::Twine &what,
                     SmallVectorImpl<llvm::Value *> &operands);
  void addOperands(const CFunction &function, llvm::Function *callee,
                   SmallVectorImpl<llvm::Value *> &operands);
  void storeResults(const CFunction &function, llvm::CallInst *call);
  /// Returns the alignment of a scalar in memory. Callers of packed functions
  /// promise no alignment.
  llvm::Align getAlignment(const CParameter &parameter) {
    return llvm::Align(isPacked ? 1 : parameter.spec->dtype.size);
  }
  llvm::Function *current() { return b.GetInsertBlock()->getParent(); }
  llvm::Value *getSlot(llvm::Value *shape, unsigned i) {
    return b.CreateConstGEP1_32(b.getInt64Ty(), shape, i);
  }

  llvm::Module &module;
  llvm::IRBuilder<> b;
  bool isPacked;
  bool runtimeChecks;
  /// Values of the current function's parameters, as the caller passed them.
  SmallVector<llvm::Value *> parameters;
};
} // namespace

llvm::Type *CFunctionBuilder::getType(const CParameter &parameter) {
  if (parameter.kind != CParameter::Value)
    return b.getPtrTy();
  const DType &dtype = parameter.spec->dtype;
  // Pass 16-bit floats as integers: not every C compiler has such float types.
  if (dtype.kind == DType::Kind::Float && dtype.size != 2)
    return dtype.size == 4 ? b.getFloatTy() : b.getDoubleTy();
  return b.getIntNTy(dtype.size * 8);
}

void CFunctionBuilder::addParameters(const CFunction &function) {
  parameters.clear();
  for (auto [i, parameter] : llvm::enumerate(function.parameters)) {
    llvm::Value *value = current()->getArg(isPacked ? 0 : i);
    if (isPacked) {
      value = b.CreateLoad(b.getPtrTy(),
                           b.CreateConstGEP1_32(b.getPtrTy(), value, i));
      if (parameter.kind == CParameter::Value)
        value = b.CreateAlignedLoad(getType(parameter), value,
                                    getAlignment(parameter));
    }
    value->setName(parameter.name);
    parameters.push_back(value);
  }
}

void CFunctionBuilder::check(llvm::Value *condition,
                             const llvm::Twine &message) {
  if (!runtimeChecks)
    return;
  llvm::LLVMContext &context = module.getContext();
  auto *failed = llvm::BasicBlock::Create(context, "", current());
  auto *next = llvm::BasicBlock::Create(context, "", current());
  b.CreateCondBr(condition, next, failed);
  b.SetInsertPoint(failed);
  llvm::FunctionCallee handler =
      module.getOrInsertFunction(kCheckFailed, b.getVoidTy(), b.getPtrTy());
  b.CreateCall(handler, b.CreateGlobalString(message.str()));
  b.CreateUnreachable();
  b.SetInsertPoint(next);
}

void CFunctionBuilder::addDescriptor(const ValueSpec &spec, llvm::Value *data,
                                     llvm::Value *shape,
                                     const llvm::Twine &what,
                                     SmallVectorImpl<llvm::Value *> &operands) {
  SmallVector<llvm::Value *> extents, strides;
  for (auto [i, extent] : llvm::enumerate(spec.shape)) {
    llvm::Value *given =
        shape ? b.CreateAlignedLoad(b.getInt64Ty(), getSlot(shape, i),
                                    llvm::Align(8))
              : nullptr;
    if (ShapedType::isDynamic(extent)) {
      check(b.CreateICmpSGE(given, b.getInt64(0)),
            what + ": the extent of dimension " + llvm::Twine(i) +
                " must not be negative");
      extents.push_back(given);
      continue;
    }
    extents.push_back(b.getInt64(extent));
    if (given)
      check(b.CreateICmpEQ(given, extents.back()),
            what + ": the extent of dimension " + llvm::Twine(i) + " must be " +
                llvm::Twine(extent));
  }
  llvm::Value *stride = b.getInt64(1);
  for (llvm::Value *extent : llvm::reverse(extents)) {
    strides.insert(strides.begin(), stride);
    stride = b.CreateMul(stride, extent);
  }
  operands.append({data, data, b.getInt64(0)});
  llvm::append_range(operands, extents);
  llvm::append_range(operands, strides);
}

void CFunctionBuilder::addOperands(const CFunction &function,
                                   llvm::Function *callee,
                                   SmallVectorImpl<llvm::Value *> &operands) {
  unsigned number = 0;
  for (auto [i, parameter] : llvm::enumerate(function.parameters)) {
    llvm::Value *value = parameters[i];
    switch (parameter.kind) {
    case CParameter::Value: {
      llvm::Type *type = callee->getArg(operands.size())->getType();
      if (type->isIntegerTy(1))
        value = b.CreateICmpNE(value, b.getInt8(0));
      operands.push_back(b.CreateBitCast(value, type));
      ++number;
      break;
    }
    case CParameter::Data: {
      bool isStatic = parameter.spec->hasStaticShape();
      addDescriptor(
          *parameter.spec, value, isStatic ? nullptr : parameters[i + 1],
          function.name + ": argument " + llvm::Twine(number), operands);
      ++number;
      break;
    }
    case CParameter::OutData:
      addDescriptor(*parameter.spec, value, /*shape=*/nullptr, "", operands);
      break;
    case CParameter::Shape:
    case CParameter::OutValue:
    case CParameter::OutPointer:
    case CParameter::OutShape:
      break;
    }
  }
}

void CFunctionBuilder::storeResults(const CFunction &function,
                                    llvm::CallInst *call) {
  unsigned numReturned =
      llvm::count_if(function.parameters, [](const CParameter &parameter) {
        return parameter.kind == CParameter::OutValue ||
               parameter.kind == CParameter::OutPointer;
      });
  unsigned next = 0;
  auto getReturned = [&]() -> llvm::Value * {
    return numReturned == 1 ? call : b.CreateExtractValue(call, next++);
  };
  for (auto [i, parameter] : llvm::enumerate(function.parameters)) {
    llvm::Value *target = parameters[i];
    if (parameter.kind == CParameter::OutValue) {
      llvm::Value *value = getReturned();
      if (value->getType()->isIntegerTy(1))
        value = b.CreateZExt(value, b.getInt8Ty());
      b.CreateAlignedStore(value, target, getAlignment(parameter));
    } else if (parameter.kind == CParameter::OutPointer) {
      llvm::Value *descriptor = getReturned();
      b.CreateStore(b.CreateExtractValue(descriptor, 1), target);
      for (unsigned d = 0, rank = parameter.spec->shape.size(); d < rank; ++d)
        b.CreateAlignedStore(b.CreateExtractValue(descriptor, {3, d}),
                             getSlot(parameters[i + 1], d), llvm::Align(8));
    }
  }
}

llvm::Error CFunctionBuilder::add(const CFunction &function,
                                  llvm::Function *callee) {
  if (module.getNamedValue(function.name) || function.name == kCheckFailed)
    return llvm::createStringError("'" + function.entry->name +
                                   "' would be called '" + function.name +
                                   "' in C, but that name is taken");
  SmallVector<llvm::Type *> types;
  if (isPacked)
    types.push_back(b.getPtrTy());
  else
    for (const CParameter &parameter : function.parameters)
      types.push_back(getType(parameter));
  auto *result = llvm::Function::Create(
      llvm::FunctionType::get(b.getVoidTy(), types, /*isVarArg=*/false),
      llvm::Function::ExternalLinkage, function.name, module);
  b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", result));
  addParameters(function);
  SmallVector<llvm::Value *> operands;
  addOperands(function, callee, operands);
  storeResults(function, b.CreateCall(callee, operands));
  b.CreateRetVoid();
  return llvm::Error::success();
}

void CFunctionBuilder::checkAllocations() {
  bool wasChecking = std::exchange(runtimeChecks, true);
  for (StringRef name : {"malloc", "aligned_alloc"}) {
    llvm::Function *allocate = module.getFunction(name);
    if (!allocate || !allocate->isDeclaration() || allocate->use_empty())
      continue;
    auto *checked = llvm::Function::Create(allocate->getFunctionType(),
                                           llvm::Function::InternalLinkage,
                                           "pool.checked." + name, module);
    allocate->replaceAllUsesWith(checked);
    b.SetInsertPoint(
        llvm::BasicBlock::Create(module.getContext(), "", checked));
    SmallVector<llvm::Value *> arguments(
        llvm::make_pointer_range(checked->args()));
    llvm::Value *block = b.CreateCall(allocate, arguments);
    // malloc(0) may return null without an error.
    llvm::Value *size = arguments.back();
    check(b.CreateOr(b.CreateIsNotNull(block), b.CreateIsNull(size)),
          "out of memory");
    b.CreateRet(block);
  }
  runtimeChecks = wasChecking;
}

llvm::Error CFunctionBuilder::defineCheckFailed() {
  llvm::Function *function = module.getFunction(kCheckFailed);
  if (!function)
    return llvm::Error::success();
  if (!function->isDeclaration())
    return llvm::createStringError("the module defines '" + kCheckFailed +
                                   "', which failed checks call");
  function->setLinkage(llvm::Function::WeakAnyLinkage);
  function->addFnAttr(llvm::Attribute::Cold);
  function->addFnAttr(llvm::Attribute::NoReturn);
  b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", function));
  // Print with dprintf, which has no buffer: `abort` would not flush a buffer.
  llvm::FunctionCallee print = module.getOrInsertFunction(
      "dprintf",
      llvm::FunctionType::get(b.getInt32Ty(), {b.getInt32Ty(), b.getPtrTy()},
                              /*isVarArg=*/true));
  constexpr int standardError = 2;
  b.CreateCall(print, {b.getInt32(standardError), b.CreateGlobalString("%s\n"),
                       function->getArg(0)});
  b.CreateCall(module.getOrInsertFunction("abort", b.getVoidTy()));
  b.CreateUnreachable();
  return llvm::Error::success();
}

llvm::Error mlir::pool::addCFunctions(llvm::Module &module,
                                      ArrayRef<CFunction> functions,
                                      ArrayRef<llvm::Function *> callees,
                                      bool runtimeChecks) {
  CFunctionBuilder builder(module, /*isPacked=*/false, runtimeChecks);
  for (auto [function, callee] : llvm::zip_equal(functions, callees))
    if (llvm::Error error = builder.add(function, callee))
      return error;
  builder.checkAllocations();
  return builder.defineCheckFailed();
}

std::string mlir::pool::getPackedName(StringRef entry) {
  return ("pool.packed." + entry).str();
}

llvm::Error mlir::pool::addPackedFunctions(llvm::Module &module,
                                           ArrayRef<EntryPoint> entries,
                                           ArrayRef<llvm::Function *> callees) {
  CFunctionBuilder builder(module, /*isPacked=*/true, /*runtimeChecks=*/false);
  for (auto [entry, callee] : llvm::zip_equal(entries, callees))
    if (llvm::Error error = builder.add({getPackedName(entry.name), &entry,
                                         getCParameters(entry.signature)},
                                        callee))
      return error;
  return llvm::Error::success();
}
