// The program pool-translate; lib/Tools/Translate.cpp implements it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Tools/Tools.h"

int main(int argc, char **argv) {
  return mlir::pool::translateMain(argc, argv);
}
