// Registers everything of this project with a context or a tool.
//
// Upstream's dialects and passes are not included: a tool that wants them adds
// mlir/InitAllDialects.h and its kin, as pool-opt does.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_INITALL_H
#define POOL_INITALL_H

namespace mlir {
class DialectRegistry;

namespace pool {

/// Adds the pool dialect, its extensions and the external models of its
/// interfaces to `registry`.
void registerAllDialects(DialectRegistry &registry);

/// Registers the project's passes and pass pipelines with the global registry.
/// Call it once for each process; the pipelines name passes of upstream, which
/// need no registration for that.
void registerAllPasses();

/// Makes a tool's `--version` name this project's version beside LLVM's. Call
/// it before options are parsed.
void addVersionPrinter();

/// LLVM's libraries register options of their own, which a tool would accept
/// without any effect that it promises, and whose names it could not use. Only
/// the generic ones (--help and its kin) stay. Call it before the tool's own
/// options are declared.
void removeForeignOptions();

} // namespace pool
} // namespace mlir

#endif // POOL_INITALL_H
