// Keeps idle contexts and their pass managers, so that later compilations can
// reuse them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/ExecutionEngine/CompileContext.h"

#include "Lowering.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"

#include <mutex>

using namespace mlir;
using namespace mlir::pool;

/// Number of modules after which a context is not reused any more.
static constexpr unsigned kMaxModules = 64;
/// Largest number of idle contexts that the process keeps.
static constexpr unsigned kMaxIdle = 4;

struct CompileContext::State {
  explicit State(const DialectRegistry &registry)
      : registry(registry),
        context(registry, MLIRContext::Threading::DISABLED) {
    context.printOpOnDiagnostic(false);
  }

  const DialectRegistry &registry;
  MLIRContext context;
  unsigned numModules = 0;
  /// The options with which `passes` was built, as text.
  std::string options;
  std::optional<PassManager> passes;
};

/// The idle contexts of the process.
class CompileContext::Idle {
public:
  /// Returns the only object. It is never destroyed, because threads may still
  /// compile when the process ends.
  static Idle &get() {
    static auto *idle = new Idle();
    return *idle;
  }

  /// Removes an idle context that was made with `registry` from this object,
  /// and returns it. Returns null if there is none.
  std::unique_ptr<State> take(const DialectRegistry &registry) {
    std::lock_guard<std::mutex> lock(mutex);
    // Take the context that was used last: its data is likely to be in the
    // processor's caches.
    auto it = llvm::find_if(llvm::reverse(states), [&](const auto &state) {
      return &state->registry == &registry;
    });
    if (it == states.rend())
      return nullptr;
    std::unique_ptr<State> state = std::move(*it);
    states.erase(std::next(it).base());
    return state;
  }

  void put(std::unique_ptr<State> &state) {
    std::lock_guard<std::mutex> lock(mutex);
    // Drop the context that was used longest ago: its registry may never be
    // used again.
    if (states.size() == kMaxIdle)
      states.erase(states.begin());
    states.push_back(std::move(state));
  }

private:
  std::mutex mutex;
  std::vector<std::unique_ptr<State>> states;
};

CompileContext::CompileContext(const DialectRegistry &registry)
    : state(Idle::get().take(registry)) {
  if (!state)
    state = std::make_unique<State>(registry);
  ++state->numModules;
}

CompileContext::~CompileContext() {
  if (isKept && state->numModules < kMaxModules)
    Idle::get().put(state);
}

MLIRContext *CompileContext::get() const { return &state->context; }

PassManager &CompileContext::getPasses(const PoolToLLVMOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  options.print(os);
  if (!state->passes || state->options != text) {
    state->passes.emplace(get());
    state->options = std::move(text);
    addLowering(*state->passes, options);
  }
  return *state->passes;
}
