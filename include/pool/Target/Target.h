// Properties of the target machine that the lowering uses.
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

/// The properties of a machine that decide between plans. The properties do not
/// restrict where code runs. Code is correct on every machine that LLVM
/// compiles it for, and fast on a machine with these properties.
struct Target {
  /// Returns a machine known only by its register width, a power of two of at
  /// least 64. From 512 bits on, it is like AVX-512: 32 registers, and masks
  /// for lanes of all widths. With fewer bits it has 16 registers. With 256
  /// bits it is like AVX2, and has masks only for loads of lanes of 32 bits and
  /// more.
  static Target getGeneric(int64_t vectorBits);

  /// Returns the properties that LLVM reports for `machine`; for x86-64, some
  /// follow from the features. A machine without vectors, for which LLVM
  /// scalarises vector code, counts as one with 16 registers of 128 bits.
  /// Unless it is 0, `vectorBits` replaces the register width.
  static Target get(const llvm::TargetMachine &machine, int64_t vectorBits = 0);

  /// Returns the properties of the machine that `names` names. Fails when
  /// createTargetMachine does.
  static llvm::Expected<Target> get(const TargetNames &names,
                                    int64_t vectorBits = 0);

  /// Returns the properties of the host. Only the first call asks LLVM for
  /// them. If LLVM has no code generator for the host, returns a generic
  /// machine.
  static const Target &getHost();

  /// Bits of a vector register.
  int64_t vectorBits = 512;
  /// Number of vector registers.
  int64_t numVectorRegisters = 32;
  /// Bits of the narrowest lanes that have fast masked loads, and the same for
  /// masked stores. 128 if no lanes have them.
  int64_t leastMaskedLoadBits = 8, leastMaskedStoreBits = 8;
  /// True if masked loads profit from prefetching as other loads do. AVX's
  /// masked loads do not: they wait as if nothing were prefetched.
  bool followsMaskedLoads = true;
  /// `masksBF16` is true if loads of bf16 can be masked, `masksPairs` if loads
  /// of vectors as wide as two registers can.
  bool masksBF16 = true, masksPairs = true;
  /// Bits of the narrowest lanes that a mask register with one bit for each
  /// lane can select. 128 if there are no mask registers: a mask is then a
  /// vector as wide as the vector that it selects from.
  int64_t leastMaskRegisterBits = 8;
  /// Number of vector operations that can start in a cycle. The same for all
  /// machines, because LLVM does not report it.
  double vectorOpsPerCycle = 2;
  /// Bytes of a cache line.
  int64_t cacheLineBytes = 64;
  /// Bytes of the L1 data cache and of the L2 cache.
  int64_t firstCacheBytes = 1 << 15, secondCacheBytes = 1 << 18;
  /// Associativity of the L1 data cache.
  int64_t firstCacheWays = 8;
  /// Largest number of streams of reads that the hardware can prefetch at once.
  /// The same for all machines, because LLVM does not report it.
  double maxStreams = 32;
  /// Size of input and output together, in bytes, from which they are assumed
  /// not to stay in the caches. Code for such sizes may use non-temporal stores
  /// and prefetching.
  int64_t streamedBytes = 16'000'000;
  /// Weights of the cost model.
  Costs costs;

  /// True if a vector of `numLanes` lanes of `laneBits` can be masked. Does not
  /// check the limits leastMaskedLoadBits and leastMaskedStoreBits.
  bool hasMasks(int64_t laneBits, int64_t numLanes, bool isBF16) const {
    return (masksBF16 || !isBF16) &&
           (masksPairs || laneBits * numLanes <= vectorBits);
  }
  /// True if mask registers select lanes of `laneBits`.
  bool hasMaskRegisters(int64_t laneBits) const {
    return laneBits >= leastMaskRegisterBits;
  }
  /// Returns the bytes of one way of the L1 data cache. Addresses whose
  /// distance is a multiple of it share a set.
  int64_t getFirstCacheWayBytes() const {
    return firstCacheBytes / firstCacheWays;
  }
  /// True if a masked load of a vector of `numLanes` lanes of `laneBits` is as
  /// fast as an unmasked load.
  bool hasFastMaskedLoads(int64_t laneBits, int64_t numLanes,
                          bool isBF16) const {
    return followsMaskedLoads && laneBits >= leastMaskedLoadBits &&
           hasMasks(laneBits, numLanes, isBF16);
  }
};

/// The properties of a GPU that decide between plans.
struct GPU {
  /// Number of neighbouring threads that run together and exchange values by
  /// shuffles; 0 if it differs between the target's devices.
  int64_t subgroupWidth = 0;
  /// Threads of a block; 0 if any number will do.
  int64_t block = 0;
};

} // namespace mlir::pool

#endif // POOL_TARGET_TARGET_H
