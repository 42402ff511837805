// Contexts that are used again for one module after the other.
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

/// An MLIR context without threads, of one module at a time, whose diagnostics
/// do not print operations, with the passes that lowered the last one: to load
/// dialects and to collect the patterns of passes takes a tenth of the time of
/// compiling a kernel.
///
/// Nobody else has the context as long as this object lives. Modules and
/// handlers of diagnostics must be gone before it is.
class CompileContext {
public:
  /// Takes a context that nobody uses, or makes one, with the dialects of
  /// `getExecutionRegistry`.
  CompileContext();
  /// Puts the context back, unless it is worn: types and attributes of every
  /// module stay in a context.
  ~CompileContext();

  MLIRContext *get() const;
  operator MLIRContext *() const { return get(); }
  MLIRContext *operator->() const { return get(); }

  /// The context is not put back: what is made in it may be big.
  void drop() { isKept = false; }

  /// Passes of the pipeline of `options`, those of last time if that had the
  /// same. The first removes functions that no public one uses.
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
