// Registers dialects, external models, passes and pipelines with a context or a
// tool.
//
// registerAllDialects() and registerAllPasses() include upstream's, so a tool
// that calls both needs nothing else for this project's pipelines. pool-opt
// calls the same functions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_INITALL_H
#define POOL_INITALL_H

namespace mlir {
class DialectRegistry;

namespace pool {

/// Adds to `registry` the pool dialect, all of upstream's dialects, the
/// external models and extensions of both, and the translations to LLVM IR. A
/// context loads a dialect only when something needs it. `registry` may contain
/// any of them already.
void registerAllDialects(DialectRegistry &registry);

/// Returns a registry on which registerAllDialects() was called. All calls
/// return the same registry, which is never destroyed. For the contexts of
/// `CompileContext` and for modules that `Program` compiles.
const DialectRegistry &getExecutionRegistry();

/// Adds to `registry` the pool dialect and its external models alone. For a
/// plugin, which is loaded by a tool that has upstream's dialects.
void registerPoolDialect(DialectRegistry &registry);

/// Registers the passes and pipelines of this project and of upstream by their
/// names, such as `pool-to-llvm` and `canonicalize`. Call it once in each
/// process, and mlir::registerAllPasses() not at all. A pipeline that C++
/// builds needs no registered pass.
void registerAllPasses();

/// Registers the passes and pipelines of this project alone. For a plugin,
/// which is loaded by a tool that has upstream's.
void registerPoolPasses();

/// Adds this project's version to the output of a tool's `--version`. Call it
/// before options are parsed.
void addVersionPrinter();

/// Removes the command-line options that LLVM's libraries register, except for
/// generic ones such as --help. Otherwise a tool would accept LLVM's options,
/// though they have no effect on it. It could also not use their names for its
/// own options. Call this function before the tool declares its options.
void removeForeignOptions();

} // namespace pool
} // namespace mlir

#endif // POOL_INITALL_H
