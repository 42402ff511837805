// Parses and compiles modules.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compiled.h"
#include "pool/InitAll.h"

#include "Diagnostics.h"
#include "Kernel.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::python;

struct Compiled::State {
  Origin origin;
  std::unique_ptr<Program> program;
};

/// Limits for the reuse of a module's context: bytes of the module's source,
/// and elements of each constant. The context of a larger module is destroyed,
/// because it would keep the memory of the module's constants.
static constexpr size_t kMaxKeptSource = size_t{64} * 1024;
static constexpr int64_t kMaxKeptElements = int64_t{16} * 1024;

/// True if no constant of `module` has more than kMaxKeptElements elements. The
/// size of the text does not tell this: a splat may be short and still have
/// many elements.
static bool isSmall(ModuleOp module) {
  return !module
              ->walk([](Operation *op) {
                for (Type type : op->getResultTypes()) {
                  auto shaped = dyn_cast<ShapedType>(type);
                  if (op->hasTrait<OpTrait::ConstantLike>() && shaped &&
                      (!shaped.hasStaticShape() ||
                       ShapedType::getNumElements(shaped.getShape()) >
                           kMaxKeptElements))
                    return WalkResult::interrupt();
                }
                return WalkResult::advance();
              })
              .wasInterrupted();
}

namespace {
/// Parses a module in a context that no other module uses meanwhile, and
/// collects the diagnostics of this context. If the module is small, later
/// modules reuse the context.
class Parsed {
public:
  Parsed(std::string source, const std::string &name)
      : os(text), handler(sourceMgr, context, os) {
    // Do not reuse the context of a large source, nor of a source that mentions
    // the llvm dialect. That dialect has named structs: a context keeps one
    // body for each name, but two modules may use the same name for different
    // bodies.
    if (source.size() > kMaxKeptSource || StringRef(source).contains("llvm"))
      context.drop();
    sourceMgr.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(source, name), llvm::SMLoc());
    module = parseSourceFile<ModuleOp>(sourceMgr, context.get());
    if (!module || !isSmall(*module))
      context.drop();
  }

  ModuleOp get() const { return *module; }
  CompileContext &getContext() { return context; }

  /// Returns the collected diagnostics as an error, or `error` if there are
  /// none.
  llvm::Error explain(llvm::Error error) const {
    StringRef diagnostics = StringRef(text).rtrim();
    if (diagnostics.empty())
      return error;
    llvm::consumeError(std::move(error));
    return makeInvalid(diagnostics);
  }

private:
  CompileContext context{getExecutionRegistry()};
  llvm::SourceMgr sourceMgr;
  std::string text;
  llvm::raw_string_ostream os;
  SourceMgrDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
};
} // namespace

llvm::Expected<Compiled> Compiled::compile(Origin origin,
                                           std::vector<std::string> entries) {
  CompileOptions options;
  options.cpu = origin.cpu;
  options.threads = origin.threads;
  options.entries = std::move(entries);
  options.cache = CodeCache::getDefault();
  auto state = std::make_shared<State>();
  state->origin = std::move(origin);
  const std::string &name = state->origin.name;
  if (options.cache) {
    // The name is in the key of the cache, since messages of failed run-time
    // checks contain it.
    options.source = "module " + std::to_string(name.size()) + "\n" + name +
                     "\n" + state->origin.source;
    state->program = Program::find(options);
  }
  if (!state->program) {
    llvm::Expected<std::unique_ptr<Program>> program =
        compile(state->origin.source, name, options);
    if (!program)
      return program.takeError();
    state->program = std::move(*program);
  }
  std::vector<std::string> names = state->program->getEntryNames().vec();
  return Compiled(std::move(state), std::move(names));
}

llvm::Expected<std::unique_ptr<Program>>
Compiled::compile(const std::string &source, const std::string &name,
                  CompileOptions options) {
  if (llvm::Error error = Program::checkProcessor(options))
    return makeInvalid(llvm::toString(std::move(error)));
  Parsed parsed(source, name);
  if (!parsed.get())
    return parsed.explain(makeInvalid(name + " holds no module"));

  llvm::SetVector<StringRef> names;
  if (options.entries.empty())
    for (auto func : parsed.get().getOps<func::FuncOp>())
      if (func.isPublic() && !func.isExternal())
        names.insert(func.getName());
  for (const std::string &entry : options.entries)
    names.insert(entry);
  if (names.empty())
    // For the empty name, findEntry below fails with an error that says that
    // there is no public function.
    names.insert("");
  for (StringRef entry : names) {
    llvm::Expected<func::FuncOp> func = findEntry(parsed.get(), entry);
    if (!func)
      return makeInvalid(llvm::toString(func.takeError()));
    llvm::Expected<Signature> signature = Signature::get(*func);
    if (!signature)
      return makeInvalid(llvm::toString(signature.takeError()));
  }

  options.context = &parsed.getContext();
  llvm::Expected<std::unique_ptr<Program>> program =
      Program::compile(parsed.get(), options);
  if (!program)
    return parsed.explain(program.takeError());
  return program;
}

static std::string quote(ArrayRef<std::string> names) {
  std::string result;
  for (const std::string &name : names)
    result += (result.empty() ? "'" : ", '") + name + "'";
  return result;
}

llvm::Expected<const Entry *> Compiled::getEntry() const {
  if (entries.size() != 1)
    return makeInvalid("there are " + llvm::Twine(entries.size()) +
                       " functions, name one: " + quote(entries));
  return state->program->lookup(entries.front());
}

llvm::Expected<Compiled> Compiled::select(const std::string &entry) const {
  if (!llvm::is_contained(entries, entry))
    return makeInvalid("no compiled function '" + entry + "'; there is " +
                       quote(entries));
  return Compiled(state, {entry});
}

const Compiled::Origin &Compiled::getOrigin() const { return state->origin; }

static std::string printTypes(ArrayRef<ValueSpec> specs) {
  std::string text;
  for (const ValueSpec &spec : specs)
    text += (text.empty() ? "" : ", ") + spec.text;
  return text;
}

std::string Compiled::str() const {
  std::string text;
  for (const std::string &name : entries) {
    // lookup() knows every entry.
    const Signature &signature =
        llvm::cantFail(state->program->lookup(name))->signature;
    std::string results = printTypes(signature.results);
    if (signature.results.size() != 1)
      results = "(" + results + ")";
    text += (text.empty() ? "" : "\n") + name + "(" +
            printTypes(signature.arguments) + ") -> " + results;
  }
  return text;
}

const CompileTimes &Compiled::getCompileTimes() const {
  return state->program->getCompileTimes();
}

std::string Compiled::getMLIR() const {
  Parsed parsed(state->origin.source, state->origin.name);
  std::string text;
  // Parsing cannot fail, because the same text was parsed to compile it.
  llvm::raw_string_ostream(text) << parsed.get();
  return text;
}

llvm::Expected<std::vector<OperationPlan>>
Compiled::plan(const std::string &source, const std::string &name,
               const PlanOptions &options) {
  Parsed parsed(source, name);
  if (!parsed.get())
    return parsed.explain(makeInvalid(name + " holds no module"));
  llvm::Expected<std::vector<OperationPlan>> plans =
      mlir::pool::getPlans(parsed.get(), options);
  if (!plans)
    return parsed.explain(plans.takeError());
  return plans;
}

llvm::Expected<std::vector<OperationPlan>> Compiled::getPlans() const {
  PlanOptions options;
  options.target.cpu = state->origin.cpu;
  options.entries = entries;
  return plan(state->origin.source, state->origin.name, options);
}

llvm::Expected<std::unique_ptr<Library>>
Compiled::makeLibrary(LibraryOptions options) const {
  if (options.target.triple.empty() && options.target.cpu.empty())
    options.target.cpu =
        state->origin.cpu.empty() ? "native" : state->origin.cpu;
  options.entries = entries;
  Parsed parsed(state->origin.source, state->origin.name);
  if (!parsed.get())
    return parsed.explain(makeInvalid("the module cannot be read back"));
  llvm::Expected<std::unique_ptr<Library>> library =
      Library::compile(parsed.get(), options);
  if (!library)
    return parsed.explain(library.takeError());
  return library;
}
