// MLIR contexts that compile one module after the other.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_EXECUTIONENGINE_COMPILECONTEXT_H
#define POOL_EXECUTIONENGINE_COMPILECONTEXT_H

#include "pool/Pipelines/Pipelines.h"

#include <memory>

namespace mlir {
class MLIRContext;
class PassManager;

namespace pool {

/// An MLIR context without threads, for one module at a time, and the passes
/// that lowered the last module. Its diagnostics do not print operations.
///
/// Contexts are reused, because loading dialects and collecting patterns is a
/// tenth of the time of compiling a kernel. Two objects never use one context
/// at the same time. An object must outlive the modules and diagnostic handlers
/// in its context.
class CompileContext {
public:
  /// Takes an idle context, or makes one with the dialects of
  /// `getExecutionRegistry`.
  CompileContext();
  /// Puts the context back for others. Destroys it after 64 modules, because it
  /// keeps the types and attributes of all of them.
  ~CompileContext();

  MLIRContext *get() const;
  operator MLIRContext *() const { return get(); }
  MLIRContext *operator->() const { return get(); }

  /// Destroys the context instead of putting it back: for large modules.
  void drop() { isKept = false; }

  /// Returns the passes of `addLowering`. Reuses those of the last call if the
  /// options are equal.
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
