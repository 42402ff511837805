// Properties of the target machine on which lowerings depend.
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

/// Properties of a machine that decide between plans. They do not restrict
/// where code can run: code is correct on every machine for which LLVM compiles
/// it, and fast on a machine with these properties.
struct Target {
  /// Returns a generic machine with registers of `vectorBits` bits, a power of
  /// two of at least 64. From 512 bits on, the machine is like AVX-512: it has
  /// 32 registers and masks for lanes of all widths. Narrower machines have 16
  /// registers. With 256 bits it is like AVX2: only loads of lanes of at least
  /// 32 bits can be masked.
  static Target getGeneric(int64_t vectorBits);

  /// Returns the properties that LLVM reports for `machine`. For x86-64, some
  /// are derived from the features instead. A machine without vector registers
  /// counts as one with 16 registers of 128 bits, because LLVM compiles vector
  /// code for it to scalar code. If `vectorBits` is not 0, it replaces the
  /// register width.
  static Target get(const llvm::TargetMachine &machine, int64_t vectorBits = 0);

  /// Returns the properties of the machine that `names` describe. Fails if
  /// createTargetMachine fails.
  static llvm::Expected<Target> get(const TargetNames &names,
                                    int64_t vectorBits = 0);

  /// Returns the properties of the host. Only the first call queries LLVM. If
  /// LLVM has no code generator for the host, returns a generic machine.
  static const Target &getHost();

  /// Bits of a vector register.
  int64_t vectorBits = 512;
  /// Number of vector registers.
  int64_t numVectorRegisters = 32;
  /// Bits of the narrowest lanes for which masked loads and masked stores are
  /// fast. 128 if there are no such lanes.
  int64_t leastMaskedLoadBits = 8, leastMaskedStoreBits = 8;
  /// True if prefetching speeds up masked loads as it does other loads. It does
  /// not for AVX's masked loads.
  bool followsMaskedLoads = true;
  /// `masksBF16` is true if loads of bf16 can be masked. `masksPairs` is true
  /// if loads of a vector that fills two registers can be masked.
  bool masksBF16 = true, masksPairs = true;
  /// Bits of the narrowest lanes for which there are mask registers, which have
  /// one bit for each lane. 128 if there are no mask registers. A mask is then
  /// a vector that is as wide as the vector it selects from.
  int64_t leastMaskRegisterBits = 8;
  /// Number of vector operations that can start in a cycle. It is the same for
  /// all machines, because LLVM does not report it.
  double vectorOpsPerCycle = 2;
  /// Size of a cache line in bytes.
  int64_t cacheLineBytes = 64;
  /// Sizes of the L1 data cache and of the L2 cache in bytes.
  int64_t firstCacheBytes = 1 << 15, secondCacheBytes = 1 << 18;
  /// Associativity of the L1 data cache.
  int64_t firstCacheWays = 8;
  /// Largest number of streams of reads that the hardware can prefetch at the
  /// same time. It is the same for all machines, because LLVM does not report
  /// it.
  double maxStreams = 32;
  /// If input and output together have at least this many bytes, they are
  /// assumed not to stay in the caches. Code for them may use non-temporal
  /// stores and prefetching.
  int64_t streamedBytes = 16'000'000;
  /// Weights of the cost model.
  Costs costs;

  /// True if masks can be used for vectors of `numLanes` lanes of `laneBits`
  /// bits, according to `masksBF16` and `masksPairs`. Does not check
  /// leastMaskedLoadBits and leastMaskedStoreBits.
  bool hasMasks(int64_t laneBits, int64_t numLanes, bool isBF16) const {
    return (masksBF16 || !isBF16) &&
           (masksPairs || laneBits * numLanes <= vectorBits);
  }
  /// True if there are mask registers for lanes of `laneBits` bits.
  bool hasMaskRegisters(int64_t laneBits) const {
    return laneBits >= leastMaskRegisterBits;
  }
  /// Returns the size of one way of the L1 data cache in bytes. Addresses whose
  /// distance is a multiple of this size fall into the same set.
  int64_t getFirstCacheWayBytes() const {
    return firstCacheBytes / firstCacheWays;
  }
  /// True if a masked load of `numLanes` lanes of `laneBits` bits is as fast as
  /// an unmasked load.
  bool hasFastMaskedLoads(int64_t laneBits, int64_t numLanes,
                          bool isBF16) const {
    return followsMaskedLoads && laneBits >= leastMaskedLoadBits &&
           hasMasks(laneBits, numLanes, isBF16);
  }
};

/// Properties of a GPU that decide between plans.
struct GPU {
  /// Number of neighboring threads that run together and exchange values by
  /// shuffles. 0 if it differs between devices of the target.
  int64_t subgroupWidth = 0;
  /// Number of threads in a block, or 0 if any number is possible.
  int64_t block = 0;
};

} // namespace mlir::pool

#endif // POOL_TARGET_TARGET_H
