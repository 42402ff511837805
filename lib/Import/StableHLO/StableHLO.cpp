// Imports StableHLO: inlines the functions that JAX calls, raises pooling, and
// checks that jaxlib and the passes of this project can lower the other
// operations. Imports TOSA in the same way, but upstream's passes lower the
// other operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Import/StableHLO/StableHLO.h"

#include "LowerUnsignedTypes.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "pool/Conversion/Passes.h"
#include "pool/Conversion/UnregisteredStablehlo.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Replaces calls by the bodies of the functions that they call. JAX lowers
/// each jitted Python function to a function, so padding or a ReLU may be a
/// call.
class Inliner {
public:
  explicit Inliner(ModuleOp module) : module(module) {}

  LogicalResult run();

private:
  LogicalResult inlineCalls(func::FuncOp function);
  LogicalResult inlineCall(func::CallOp call);

  ModuleOp module;
  llvm::SetVector<Operation *> active;
  llvm::DenseSet<Operation *> done;
};
} // namespace

LogicalResult Inliner::inlineCall(func::CallOp call) {
  // The module is not verified yet, so the call may have any types or no
  // callee.
  FlatSymbolRefAttr name = call.getCalleeAttr();
  auto callee =
      name ? module.lookupSymbol<func::FuncOp>(name.getAttr()) : func::FuncOp();
  Block *block = callee && callee.getBody().hasOneBlock()
                     ? &callee.getBody().front()
                     : nullptr;
  auto end = block && !block->empty() ? dyn_cast<func::ReturnOp>(block->back())
                                      : func::ReturnOp();
  if (!end ||
      TypeRange(block->getArgumentTypes()) != TypeRange(call.getOperands()) ||
      TypeRange(end.getOperands()) != TypeRange(call.getResultTypes()))
    return call.emitError("calls no function of one block and of its types");
  if (failed(inlineCalls(callee)))
    return failure();
  IRMapping mapping;
  mapping.map(callee.getArguments(), call.getOperands());
  OpBuilder b(call);
  Block &body = callee.getBody().front();
  for (Operation &op : body.without_terminator())
    b.clone(op, mapping);
  for (auto [result, value] :
       llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
  return success();
}

LogicalResult Inliner::inlineCalls(func::FuncOp function) {
  if (done.contains(function))
    return success();
  if (!active.insert(function))
    return function.emitError("it calls itself");
  SmallVector<func::CallOp> calls;
  function.walk([&](func::CallOp call) { calls.push_back(call); });
  for (func::CallOp call : calls)
    if (failed(inlineCall(call)))
      return failure();
  active.remove(function);
  done.insert(function);
  return success();
}

LogicalResult Inliner::run() {
  SmallVector<func::FuncOp> inlined;
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (main && main.isPrivate())
    main = {};
  for (auto function : module.getOps<func::FuncOp>()) {
    if (failed(inlineCalls(function)))
      return failure();
    // Also erase public functions beside @main: JAX leaves bodies of reductions
    // there, which nothing calls.
    if (function.isPrivate() || (main && function != main))
      inlined.push_back(function);
  }
  for (func::FuncOp function : inlined)
    function.erase();
  return success();
}

/// Erases unused operations. For example, if the module returns only a
/// gradient, the forward pass may be unused.
static void eraseDead(ModuleOp module) {
  // Visit users before producers, so that one walk erases whole chains.
  module.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    bool isDead = hlo::getName(op).empty() ? isOpTriviallyDead(op)
                                           : op->use_empty() && hlo::isPure(op);
    if (isDead)
      op->erase();
  });
}

/// Removes attributes of dialects that are not loaded, such as those of JAX.
static void dropForeignAttributes(ModuleOp module) {
  MLIRContext *context = module.getContext();
  auto keep = [](ArrayRef<NamedAttribute> attrs) {
    return llvm::filter_to_vector(attrs, [](NamedAttribute attr) {
      return attr.getNameDialect() || !attr.getName().getValue().contains('.');
    });
  };
  module.walk([&](Operation *op) {
    op->setDiscardableAttrs(DictionaryAttr::get(
        context, keep(llvm::to_vector(op->getDiscardableAttrs()))));
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!function)
      return;
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      function.setArgAttrs(i, keep(function.getArgAttrs(i)));
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      function.setResultAttrs(i, keep(function.getResultAttrs(i)));
  });
}

static bool isPool(Operation *op) {
  return isa_and_present<PoolDialect>(op->getDialect());
}

/// Returns the operation's name, with the target of a custom call.
static std::string describe(Operation *op) {
  std::string name = op->getName().getStringRef().str();
  if (auto target = op->getAttrOfType<StringAttr>("call_target_name"))
    name += "' of '" + target.getValue().str();
  return name;
}

/// Replaces all functions by one function for each operation of the pool
/// dialect.
static void keepPools(ModuleOp module) {
  SmallVector<Operation *> pools;
  module.walk([&](Operation *op) {
    if (isPool(op))
      pools.push_back(op);
  });
  SmallVector<Operation *> others(
      llvm::make_pointer_range(module.getBody()->getOperations()));
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  llvm::StringMap<unsigned> counts;
  for (Operation *op : pools) {
    StringRef kind = op->getName().stripDialect();
    auto function = func::FuncOp::create(
        b, op->getLoc(), (kind + "_" + Twine(counts[kind]++)).str(),
        b.getFunctionType(op->getOperandTypes(), op->getResultTypes()));
    Block *body = function.addEntryBlock();
    OpBuilder inside = OpBuilder::atBlockEnd(body);
    IRMapping mapping;
    mapping.map(op->getOperands(), body->getArguments());
    Operation *pool = inside.clone(*op, mapping);
    func::ReturnOp::create(inside, op->getLoc(), pool->getResults());
  }
  // Drop all uses first: in a module, a user may come before the definition
  // that it uses.
  for (Operation *op : others)
    op->dropAllReferences();
  for (Operation *op : others)
    op->erase();
}

/// True if the results of `op` are used, and are static integer tensors of at
/// most two dimensions. JAX computes extents and positions by such operations.
/// If one is left, the reason is that a user of it was not converted.
static bool isShapeArithmetic(Operation *op) {
  return !op->use_empty() && llvm::all_of(op->getResultTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() <= 2 && tensor.hasStaticShape() &&
           isa<IntegerType>(tensor.getElementType());
  });
}

/// True if jaxlib lowers `op` to operations that compute the same results.
/// False for conversions of floats to integers: if the number does not fit,
/// linalg's conversion is undefined, but XLA's is defined.
static bool isLegalizable(Operation *op) {
  constexpr StringRef kNames =
      "abs add and broadcast_in_dim ceil clamp compare concatenate constant "
      "convert cosine divide dynamic_broadcast_in_dim exponential "
      "exponential_minus_one floor log log_plus_one logistic maximum minimum "
      "multiply negate not or pad power remainder reshape round_nearest_even "
      "rsqrt select sign sine slice sqrt subtract tanh transpose xor";
  constexpr StringRef kChloNames = "chlo.erf chlo.erfc chlo.square";
  auto contains = [](StringRef names, StringRef name) {
    return llvm::is_contained(llvm::split(names, ' '), name);
  };
  if (op->getNumRegions() != 0 || op->getNumResults() != 1 ||
      !(contains(kNames, hlo::getName(op)) ||
        contains(kChloNames, op->getName().getStringRef())))
    return false;
  auto isKnown = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.getEncoding() &&
           (tensor.getElementType().isInteger(1) ||
            isPoolElementType(tensor.getElementType()));
  };
  if (!llvm::all_of(op->getOperandTypes(), isKnown) ||
      !llvm::all_of(op->getResultTypes(), isKnown) ||
      hlo::getKeyword(op, "compare_type") == "TOTALORDER")
    return false;
  return hlo::getName(op) != "convert" || op->getNumOperands() != 1 ||
         isa<IntegerType>(getElementTypeOrSelf(op->getOperand(0))) ||
         isa<FloatType>(getElementTypeOrSelf(op->getResult(0)));
}

/// Fails if an operation is neither registered nor accepted by `isKnown`, and
/// emits an error at the first such operation. Skips shape arithmetic for the
/// error if another such operation exists, because shape arithmetic is left
/// only if a user of it is left. `advice` ends the message.
static LogicalResult verifyKnown(
    ModuleOp module, const Twine &advice = "",
    function_ref<bool(Operation *)> isKnown = [](Operation *) {
      return false;
    }) {
  Operation *unknown = nullptr;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->isRegistered() || isKnown(op))
      return WalkResult::advance();
    bool isShape = isShapeArithmetic(op);
    if (!unknown || !isShape)
      unknown = op;
    return isShape ? WalkResult::skip() : WalkResult::interrupt();
  });
  if (!unknown)
    return success();
  return unknown->emitError("'")
         << describe(unknown)
         << "' is neither pooling nor elementwise as it stands" << advice;
}

static bool hasPools(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isPool(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Emits the error that nothing was raised. Names the first operation that may
/// still be a pooling.
static void refuseWithoutPools(ModuleOp module) {
  Operation *similar = nullptr;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    StringRef name = hlo::getName(op);
    if (name != "custom_call" && name != "reduce_window" &&
        name != "select_and_scatter")
      return WalkResult::advance();
    similar = op;
    return WalkResult::interrupt();
  });
  if (similar)
    similar->emitError("it has no pooling that is known; the first operation "
                       "that may be pooling is '")
        << describe(similar) << "'";
  else
    module.emitError("it has no pooling");
}

static OwningOpRef<ModuleOp> parse(llvm::MemoryBufferRef text,
                                   MLIRContext *context) {
  context->loadAllAvailableDialects();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(text, /*RequiresNullTerminator=*/false),
      llvm::SMLoc());
  return parseSourceFile<ModuleOp>(
      sources, ParserConfig(context, /*verifyAfterParse=*/false));
}

/// Calls `options.raiseCall` for each custom call.
static LogicalResult raiseCalls(ModuleOp module,
                                const StablehloImportOptions &options) {
  if (!options.raiseCall)
    return success();
  SmallVector<Operation *> calls;
  module.walk([&](Operation *op) {
    if (hlo::getName(op) == "custom_call")
      calls.push_back(op);
  });
  for (Operation *call : calls)
    if (failed(options.raiseCall(call)))
      return failure();
  return success();
}

OwningOpRef<ModuleOp>
pool::raiseStablehlo(llvm::MemoryBufferRef text, MLIRContext *context,
                     const StablehloImportOptions &options) {
  OwningOpRef<ModuleOp> module = parse(text, context);
  // Verify after inlining. A call in the region of an unregistered operation
  // does not verify, because that operation might be a symbol table of its own.
  if (!module || failed(Inliner(*module).run()) || failed(verify(*module)))
    return {};
  eraseDead(*module);
  if (failed(raiseCalls(*module, options)))
    return {};
  PassManager passes(context);
  passes.addPass(createConvertStablehloToPool());
  if (!options.poolLayers)
    passes.addPass(createLowerStablehloExtents());
  passes.addPass(createCSEPass());
  if (failed(passes.run(*module)))
    return {};
  eraseDead(*module);
  if (options.poolLayers) {
    if (!hasPools(*module)) {
      refuseWithoutPools(*module);
      return {};
    }
    keepPools(*module);
  }
  std::string advice =
      hasPools(*module)
          ? ("; " + options.poolLayersName + " imports its pools alone").str()
          : ", and nothing else is pooling";
  if (failed(options.poolLayers ? verifyKnown(*module)
                                : verifyKnown(*module, advice, isLegalizable)))
    return {};
  dropForeignAttributes(*module);
  return module;
}

/// Runs after jaxlib or upstream's passes have lowered `module` to linalg.
/// Lowers the casts and the narrow floats that are left (see
/// lowerUnsignedTypes()), and fuses elementwise operations.
static LogicalResult finish(ModuleOp module) {
  lowerUnsignedTypes(module);
  PassManager passes(module.getContext());
  passes.addPass(createLinalgElementwiseOpFusionPass());
  passes.addPass(createCSEPass());
  return passes.run(module);
}

OwningOpRef<ModuleOp> pool::importLegalized(llvm::MemoryBufferRef text,
                                            MLIRContext *context) {
  OwningOpRef<ModuleOp> module = parse(text, context);
  if (!module || failed(verifyKnown(*module)) || failed(verify(*module)) ||
      failed(finish(*module)))
    return {};
  return module;
}

OwningOpRef<ModuleOp> pool::importTosa(llvm::MemoryBufferRef text,
                                       MLIRContext *context) {
  OwningOpRef<ModuleOp> module = parse(text, context);
  if (!module || failed(Inliner(*module).run()) ||
      failed(verifyKnown(*module)) || failed(verify(*module)))
    return {};
  dropForeignAttributes(*module);
  PassManager passes(context);
  passes.addPass(createConvertTosaToPool());
  OpPassManager &functions = passes.nest<func::FuncOp>();
  functions.addPass(tosa::createTosaMakeBroadcastablePass());
  functions.addPass(tosa::createTosaToLinalg());
  functions.addPass(createTosaToTensorPass());
  TosaToArithPassOptions options;
  options.includeApplyRescale = true;
  functions.addPass(createTosaToArithPass(options));
  passes.addPass(createCanonicalizerPass());
  if (failed(passes.run(*module)) || failed(finish(*module)))
    return {};
  return module;
}
