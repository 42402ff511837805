// Registers this project's dialect, passes and pipelines with a context or a
// tool.
//
// Upstream's dialects and passes are not included. A tool that wants them calls
// the functions of mlir/InitAllDialects.h, mlir/InitAllExtensions.h and
// mlir/InitAllPasses.h, too.
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
/// Call it once in each process. The pipelines need no registration of the
/// upstream passes that they use.
void registerAllPasses();

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
