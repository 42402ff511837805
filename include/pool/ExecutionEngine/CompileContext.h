// MLIR contexts that compile one module after the other.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_EXECUTIONENGINE_COMPILECONTEXT_H
#define POOL_EXECUTIONENGINE_COMPILECONTEXT_H

#include "pool/Pipelines/Pipelines.h"

#include <memory>

namespace mlir {
class DialectRegistry;
class MLIRContext;
class PassManager;

namespace pool {

/// An MLIR context for one module at a time, and the passes that lowered the
/// last module. The context has no threads, and its diagnostics do not print
/// operations.
///
/// Contexts are reused, because loading dialects and collecting patterns is a
/// tenth of the time of compiling a kernel. Two CompileContexts never use one
/// MLIRContext at the same time. A CompileContext must outlive the modules and
/// diagnostic handlers in its MLIRContext.
class CompileContext {
public:
  /// Takes an idle context that was made with `registry`, or makes one.
  /// `registry` is recognized by its address: it must outlive the process's
  /// contexts, as the one of getExecutionRegistry() in pool/InitAll.h does. It
  /// must have all dialects, extensions and translations that the passes of
  /// pool-to-llvm use.
  explicit CompileContext(const DialectRegistry &registry);
  /// Puts the context back for later objects. Destroys the context instead if
  /// enough contexts are idle, or if it has had 64 modules: a context keeps the
  /// types and attributes of all its modules.
  ~CompileContext();

  MLIRContext *get() const;
  operator MLIRContext *() const { return get(); }
  MLIRContext *operator->() const { return get(); }

  /// Makes the destructor destroy the context instead of putting it back. For
  /// large modules.
  void drop() { isKept = false; }

  /// Returns a pass manager with the passes that lower a module by `options`.
  /// Reuses the pass manager of the last call if the options are equal.
  PassManager &getPasses(const PoolToLLVMOptions &options);

  CompileContext(const CompileContext &) = delete;
  CompileContext &operator=(const CompileContext &) = delete;

private:
  struct State;
  class Idle;
  std::unique_ptr<State> state;
  bool isKept = true;
};

} // namespace pool
} // namespace mlir

#endif // POOL_EXECUTIONENGINE_COMPILECONTEXT_H
