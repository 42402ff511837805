// Computes the types of entry points, and checks whether arrays fit them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/ExecutionEngine/Signature.h"

#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace mlir::pool;

bool ValueSpec::accepts(const ArrayType &type) const {
  return type.dtype == dtype && type.shape.size() == shape.size() &&
         llvm::all_of_zip(
             shape, type.shape, [](int64_t expected, int64_t given) {
               return ShapedType::isDynamic(expected) || expected == given;
             });
}

/// Returns a description of `type`, or none if no array can hold its values.
static std::optional<ValueSpec> getSpec(Type type) {
  ValueSpec spec;
  spec.text = debugString(type);
  Type elementType = type;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    if (tensor.getEncoding())
      return std::nullopt;
    spec.isTensor = true;
    spec.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
    elementType = tensor.getElementType();
  }
  std::optional<DType> dtype = getDType(elementType);
  if (!dtype)
    return std::nullopt;
  spec.dtype = *dtype;
  return spec;
}

llvm::Expected<Signature> Signature::get(func::FuncOp func) {
  Signature signature;
  auto add = [&](TypeRange types, SmallVectorImpl<ValueSpec> &specs,
                 StringRef what) -> llvm::Error {
    for (auto [i, type] : llvm::enumerate(types)) {
      std::optional<ValueSpec> spec = getSpec(type);
      if (!spec)
        return llvm::createStringError(
            what + " " + llvm::Twine(i) + " of '" + func.getName() +
            "' has type " + debugString(type) +
            ", which no array can be passed as: ranked tensors and scalars of "
            "f16, bf16, f32, f64, 8- to 64-bit integers, quantised types "
            "that store such, i1 and index can");
      specs.push_back(std::move(*spec));
    }
    return llvm::Error::success();
  };
  if (llvm::Error error =
          add(func.getArgumentTypes(), signature.arguments, "argument"))
    return std::move(error);
  if (llvm::Error error =
          add(func.getResultTypes(), signature.results, "result"))
    return std::move(error);
  return signature;
}

llvm::Error Signature::checkArguments(ArrayRef<ArrayType> types,
                                      ArrayRef<std::string> names) const {
  if (types.size() != arguments.size())
    return llvm::createStringError(
        "the function takes " + llvm::Twine(arguments.size()) +
        " argument(s), but " + llvm::Twine(types.size()) + " given");
  for (auto [i, spec, type] : llvm::enumerate(arguments, types)) {
    if (spec.accepts(type))
      continue;
    std::string where = names.empty() ? "" : " (" + names[i] + ")";
    return llvm::createStringError(
        "argument " + llvm::Twine(i) + where + ": expected " + spec.text +
        ", which is " + spec.dtype.getName() + " of rank " +
        llvm::Twine(spec.shape.size()) + ", but given " + type.str());
  }
  return llvm::Error::success();
}

llvm::Expected<func::FuncOp>
mlir::pool::findEntry(ModuleOp module, StringRef name, StringRef option) {
  SmallVector<func::FuncOp> entries;
  std::string names;
  for (auto func : module.getOps<func::FuncOp>()) {
    if (!func.isPublic() || func.isExternal())
      continue;
    if (func.getName() == name)
      return func;
    // List only ten functions, because a module may have hundreds.
    constexpr size_t maxNames = 10;
    if (entries.size() < maxNames)
      names += (entries.empty() ? "'" : ", '") + func.getName().str() + "'";
    else if (entries.size() == maxNames)
      names += ", ...";
    entries.push_back(func);
  }
  if (entries.empty())
    return llvm::createStringError("the module has no public function with a "
                                   "body");
  if (!name.empty())
    return llvm::createStringError("no public function '" + name +
                                   "' with a body; there is " + names);
  if (entries.size() > 1)
    return llvm::createStringError(
        "the module has " + llvm::Twine(entries.size()) +
        " public functions, name one by " + option + ": " + names);
  return entries.front();
}
