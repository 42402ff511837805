// What lowering asks of machines.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Target/Target.h"

using namespace mlir::pool;

Target Target::getGeneric(int64_t vectorBits) {
  Target target;
  target.vectorBits = vectorBits;
  target.numVectorRegisters = vectorBits < 512 ? 16 : 32;
  return target;
}
