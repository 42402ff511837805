// Inlines what JAX calls, raises pooling, lowers what is around it, and leaves
// behind what only StableHLO understands.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Import/StableHLO/StableHLO.h"

#include "../../Conversion/Hlo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "pool/Conversion/Passes.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::pool;

void pool::registerStablehloDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
                  PoolDialect, tensor::TensorDialect>();
}

namespace {
/// Replaces calls by the bodies of their functions: JAX makes one of every
/// function that was jitted, and padding or a ReLU may be one.
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
  // Nothing is verified yet.
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
    // JAX leaves bodies of reductions beside @main that nothing calls.
    if (function.isPrivate() || (main && function != main))
      inlined.push_back(function);
  }
  for (func::FuncOp function : inlined)
    function.erase();
  return success();
}

/// Erases what nobody uses: the results of a function that was inlined, or the
/// forward pass of a gradient that does not need it.
static void eraseDead(ModuleOp module) {
  // Users come first.
  module.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    bool isDead = hlo::getName(op).empty() ? isOpTriviallyDead(op)
                                           : op->use_empty() && hlo::isPure(op);
    if (isDead)
      op->erase();
  });
}

/// Removes attributes of dialects that are not loaded, JAX's own among them.
static void dropForeignAttributes(ModuleOp module) {
  MLIRContext *context = module.getContext();
  auto isForeign = [&](NamedAttribute attr) {
    return attr.getNameDialect() == nullptr &&
           attr.getName().getValue().contains('.');
  };
  auto keep = [&](ArrayRef<NamedAttribute> attrs) {
    return llvm::filter_to_vector(
        attrs, [&](NamedAttribute attr) { return !isForeign(attr); });
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

/// A function for each operation of the pool dialect, in place of all others.
static void keepPools(ModuleOp module) {
  SmallVector<Operation *> pools;
  module.walk([&](Operation *op) {
    if (isa_and_present<PoolDialect>(op->getDialect()))
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
  // In a module what is used may stand behind its users.
  for (Operation *op : others)
    op->dropAllReferences();
  for (Operation *op : others)
    op->erase();
}

/// True for what JAX computes extents and positions with. It is left where what
/// needs it is.
static bool isShapeArithmetic(Operation *op) {
  return !op->use_empty() && llvm::all_of(op->getResultTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() <= 2 && tensor.hasStaticShape() &&
           isa<IntegerType>(tensor.getElementType());
  });
}

/// Reports the first operation that no dialect of ours has.
static LogicalResult verifyKnown(ModuleOp module) {
  Operation *unknown = nullptr;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->isRegistered())
      return WalkResult::advance();
    bool isShape = isShapeArithmetic(op);
    if (!unknown || !isShape)
      unknown = op;
    return isShape ? WalkResult::skip() : WalkResult::interrupt();
  });
  if (!unknown)
    return success();
  InFlightDiagnostic error = unknown->emitError("'") << unknown->getName();
  if (auto target = unknown->getAttrOfType<StringAttr>("call_target_name"))
    error << "' of '" << target.getValue();
  return error << "' is neither pooling nor elementwise as it stands; "
                  "its pools alone can be imported";
}

OwningOpRef<ModuleOp>
pool::importStablehlo(llvm::MemoryBufferRef text, MLIRContext *context,
                      const StablehloImportOptions &options) {
  context->loadAllAvailableDialects();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(text, /*RequiresNullTerminator=*/false),
      llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(
      sources, ParserConfig(context, /*verifyAfterParse=*/false));
  // A call in the region of an unregistered operation verifies only once it is
  // inlined: it might be in another symbol table.
  if (!module || failed(Inliner(*module).run()) || failed(verify(*module)))
    return {};
  eraseDead(*module);
  PassManager passes(context);
  passes.addPass(createConvertStablehloToPool());
  if (!options.poolLayers)
    passes.addPass(createConvertStablehloToLinalg());
  passes.addPass(createCSEPass());
  if (failed(passes.run(*module)))
    return {};
  eraseDead(*module);
  if (options.poolLayers)
    keepPools(*module);
  if (failed(verifyKnown(*module)))
    return {};
  dropForeignAttributes(*module);
  return module;
}
