// Rejects functions that have the name of a library function that lowered code
// calls.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

namespace mlir::pool {
#define GEN_PASS_DEF_CHECKFUNCTIONNAMES
#include "pool/Pipelines/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;

/// Functions of the C library that lowered code calls to allocate, copy and
/// fill memory, and to report failed checks.
static constexpr StringLiteral kCFunctions[] = {
    "abort",   "aligned_alloc", "free", "malloc",  "memcpy",
    "memmove", "memset",        "puts", "snprintf"};

/// Returns the name of the libm function that may compute `op` for doubles. For
/// most operations of the math dialect, this is the operation's own name, even
/// if libm has no such function. Returns an empty string for an operation that
/// needs no libm function. LLVM's code generators may call the function even if
/// `op` becomes an intrinsic.
static StringRef getMathName(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name.consume_front("math."))
    return llvm::StringSwitch<StringRef>(name)
        .Case("absf", "fabs")
        .Case("expm1", "exp") // Lowered to exp(x) - 1.
        .Case("log1p", "log") // Lowered to log(1 + x).
        .Case("powf", "pow")
        .Case("rsqrt", "sqrt")
        .Default(name);
  return llvm::StringSwitch<StringRef>(name)
      .Case("arith.maxnumf", "fmax")
      .Case("arith.minnumf", "fmin")
      .Case("arith.remf", "fmod")
      .Default("");
}

/// Adds the name and the type of the libm function that the lowering of `op`
/// may call, if there is one.
static void addMathFunction(Operation *op,
                            llvm::StringMap<FunctionType> &functions) {
  StringRef name = getMathName(op);
  if (name.empty() || op->getNumResults() != 1)
    return;
  Type type = getElementTypeOrSelf(op->getResult(0));
  if (llvm::any_of(op->getOperandTypes(), [&](Type operand) {
        return getElementTypeOrSelf(operand) != type;
      }))
    return;
  // f16 and bf16 are converted to f32 for the call.
  if (isa<Float16Type, BFloat16Type>(type))
    type = Float32Type::get(op->getContext());
  if (!isa<Float32Type, Float64Type>(type))
    return;
  SmallVector<Type> inputs(op->getNumOperands(), type);
  functions.try_emplace(type.isF32() ? (name + "f").str() : name.str(),
                        FunctionType::get(op->getContext(), inputs, type));
}

/// Emits an error if `func` has the name of a library function that lowered
/// code calls. Accepts a declaration of a libm function with the right type.
/// `mathFunctions` are the libm functions that the module may call.
static LogicalResult
checkName(func::FuncOp func,
          const llvm::StringMap<FunctionType> &mathFunctions) {
  StringRef name = func.getName();
  FunctionType type = mathFunctions.lookup(name);
  if (!type && !llvm::is_contained(kCFunctions, name))
    return success();
  // Upstream's lowerings would call this function instead of the library's.
  // Some of them would rename their declaration, and then call a function that
  // does not exist.
  if (!func.isExternal())
    return func.emitError("'")
           << name << "' is the name of a C library function that lowered code "
           << "calls: give this function another name";
  if (!type)
    return func.emitError("'")
           << name << "' is a C library function that lowered code calls: "
           << "declare it by llvm.func";
  if (func.getFunctionType() == type)
    return success();
  return func.emitError("'")
         << name << "' is a C library function that lowered code calls with "
         << "the type " << type << ", but the declaration has "
         << func.getFunctionType() << ": give it the former";
}

namespace {
struct CheckFunctionNames
    : pool::impl::CheckFunctionNamesBase<CheckFunctionNames> {
  void runOnOperation() override {
    llvm::StringMap<FunctionType> mathFunctions;
    getOperation()->walk(
        [&](Operation *op) { addMathFunction(op, mathFunctions); });
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (failed(checkName(func, mathFunctions)))
        return signalPassFailure();
  }
};
} // namespace
