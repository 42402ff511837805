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

/// Adds to `registry` the pool dialect, all dialects of upstream, the external
/// models and extensions of both, and the translations to LLVM IR. A context
/// loads a dialect only when something needs it. It is no error if `registry`
/// already contains some of them.
void registerAllDialects(DialectRegistry &registry);

/// Returns a registry to which registerAllDialects() has added everything. All
/// calls return the same registry, and it is never destroyed. A CompileContext
/// needs a registry with this property.
const DialectRegistry &getExecutionRegistry();

/// Adds to `registry` only the pool dialect and its external models. Use it in
/// a plugin: the tool that loads a plugin has upstream's dialects.
void registerPoolDialect(DialectRegistry &registry);

/// Registers the passes and pipelines of this project and of upstream by their
/// names, such as `pool-to-llvm` and `canonicalize`. Call it at most once in a
/// process, and do not call mlir::registerAllPasses() as well. A pipeline that
/// is built in C++ works without registered passes.
void registerAllPasses();

/// Registers only the passes and pipelines of this project. Use it in a plugin:
/// the tool that loads a plugin has upstream's passes.
void registerPoolPasses();

/// Adds this project's version to the output of a tool's `--version`. Call it
/// before options are parsed.
void addVersionPrinter();

/// Removes the command-line options that LLVM's libraries register, except for
/// generic ones such as --help. Without this call, a tool accepts LLVM's
/// options, which have no effect on it, and cannot use their names for options
/// of its own. Call this function before the tool declares its options.
void removeForeignOptions();

} // namespace pool
} // namespace mlir

#endif // POOL_INITALL_H
