// Declares a pass that replaces a maximum over a window by two maxima over
// smaller windows.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef STANDALONE_SEPARATEWINDOWS_H
#define STANDALONE_SEPARATEWINDOWS_H

/// Registers the pass `separate-windows`.
void registerSeparateWindows();

#endif // STANDALONE_SEPARATEWINDOWS_H
