// What lowering asks of the machine that code is made for.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_TARGET_TARGET_H
#define POOL_TARGET_TARGET_H

#include "pool/Target/Costs.h"

#include "llvm/Support/Error.h"

#include <cstdint>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace mlir::pool {

struct TargetNames;

/// The properties of a machine that decide between plans. Whatever they are,
/// code is right on every machine; it is fast on one that has them.
struct Target {
  /// A machine of which no more is known than the bits of its vector registers,
  /// a power of two of at least 64: 32 registers and masks for all lanes where
  /// these have 512 bits, as AVX-512 has, else 16, and masks for loads of 32
  /// bits and more where they have 256, as x86-64 has with AVX2.
  static Target getGeneric(int64_t vectorBits);

  /// What LLVM knows of `machine`. One without vectors, which LLVM takes apart,
  /// counts as one with 16 registers of 128 bits.
  static Target get(const llvm::TargetMachine &machine);

  /// The machine that `names` names. Fails as `createTargetMachine` does.
  static llvm::Expected<Target> get(const TargetNames &names);

  /// This machine. It is asked once.
  static const Target &getHost();

  /// Bits of a vector register.
  int64_t vectorBits = 512;
  /// Vector registers.
  int64_t numVectorRegisters = 32;
  /// Bits of the narrowest lanes that loads with masks, and stores, are fast
  /// of; 128 where there are none.
  int64_t leastMaskedLoadBits = 8, leastMaskedStoreBits = 8;
  /// Whether loads with masks wait for memory no longer than others. AVX's do,
  /// as if nothing were fetched ahead of them.
  bool followsMaskedLoads = true;
  /// Whether these masks are for bf16 too, and for vectors of two registers.
  bool masksBF16 = true, masksPairs = true;
  /// Bytes of a cache line.
  int64_t cacheLineBytes = 64;
  /// Bytes in and out from which on buffers do not stay in the caches: stores
  /// then go past these, and rows are fetched ahead.
  int64_t streamedBytes = 16'000'000;
  /// What strategies weigh.
  Costs costs;

  /// Whether vectors have masks if their lanes' bits alone are considered.
  bool hasMasks(int64_t laneBits, int64_t numLanes, bool isBF16) const {
    return (masksBF16 || !isBF16) &&
           (masksPairs || laneBits * numLanes <= vectorBits);
  }
  /// Whether loads with masks are as fast as without.
  bool hasFastMaskedLoads(int64_t laneBits, int64_t numLanes,
                          bool isBF16) const {
    return followsMaskedLoads && laneBits >= leastMaskedLoadBits &&
           hasMasks(laneBits, numLanes, isBF16);
  }
};

} // namespace mlir::pool

#endif // POOL_TARGET_TARGET_H
