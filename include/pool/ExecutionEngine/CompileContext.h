// MLIR contexts that are reused: each compiles one module after another.
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

/// An MLIR context that the owner of this object uses for one module at a time,
/// and the passes that lowered the last module. The context has no threads, and
/// its diagnostics do not print operations.
///
/// Contexts are reused because loading the dialects and collecting the patterns
/// takes a tenth of the time to compile a kernel. Two CompileContexts never
/// share an MLIRContext at the same time. Destroy the modules and diagnostic
/// handlers of the MLIRContext before its CompileContext.
class CompileContext {
public:
  /// Takes an idle context that was made with `registry`, or makes one.
  /// `registry` is recognized by its address: it must outlive the process's
  /// contexts, as the one of getExecutionRegistry() in pool/InitAll.h does. It
  /// must have all dialects, extensions and translations that the passes of
  /// pool-to-llvm use.
  explicit CompileContext(const DialectRegistry &registry);
  explicit CompileContext(DialectRegistry &&registry) = delete;
  /// Keeps the context for later CompileContexts. Destroys it instead after
  /// `drop`, if enough contexts are idle already, or if it has compiled 64
  /// modules: a context keeps the types and attributes of all its modules.
  ~CompileContext();

  MLIRContext *get() const;
  operator MLIRContext *() const { return get(); }
  MLIRContext *operator->() const { return get(); }

  /// Makes the destructor destroy the context instead of keeping it. Use this
  /// for large modules.
  void drop() { isKept = false; }

  /// Returns a pass manager with the passes that lower a module with `options`.
  /// The reference is valid until the next call with other options. A call with
  /// the options of the last call returns the same pass manager.
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
