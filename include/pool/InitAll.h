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
/// Call it once for each process. Passes of upstream that the pipelines use
/// need no registration.
void registerAllPasses();

/// Adds this project's version to the output of a tool's `--version`. Call it
/// before options are parsed.
void addVersionPrinter();

/// Removes the options that LLVM's libraries register, except for the generic
/// ones such as --help. A tool would accept the others without effect, and
/// could not reuse their names. Call it before the tool's own options are
/// declared.
void removeForeignOptions();

} // namespace pool
} // namespace mlir

#endif // POOL_INITALL_H
