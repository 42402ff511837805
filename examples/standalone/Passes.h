// The passes of this project.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef STANDALONE_PASSES_H
#define STANDALONE_PASSES_H

/// Registers the pass `separate-windows`, which replaces a maximum over a
/// window by two maxima over smaller windows.
void registerSeparateWindows();

/// Registers the pass `lower-one-by-one`, which lowers pooling to vectors, one
/// operation at a time.
void registerLowerOneByOne();

#endif // STANDALONE_PASSES_H
