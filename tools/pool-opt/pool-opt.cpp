// The program pool-opt; lib/Tools/Opt.cpp implements it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Tools/Tools.h"

int main(int argc, char **argv) { return mlir::pool::optMain(argc, argv); }
