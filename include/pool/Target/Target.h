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

/// The properties of a machine that decide between plans. Code for any values
/// is correct on every machine; it is fast on a machine with these properties.
struct Target {
  /// Returns a machine known only by its register width, a power of two of at
  /// least 64. With 512 bits, like AVX-512, it has 32 registers and masks for
  /// all lanes. Otherwise it has 16 registers. With 256 bits, like AVX2, it has
  /// masks for loads of 32 bits and more.
  static Target getGeneric(int64_t vectorBits);

  /// Returns the properties that LLVM reports for `machine`. A machine without
  /// vectors, whose vector code LLVM scalarises, counts as one with 16
  /// registers of 128 bits. `vectorBits` replaces LLVM's register width, unless
  /// it is 0.
  static Target get(const llvm::TargetMachine &machine, int64_t vectorBits = 0);

  /// Returns the machine that `names` names. Fails as `createTargetMachine`
  /// does.
  static llvm::Expected<Target> get(const TargetNames &names,
                                    int64_t vectorBits = 0);

  /// Returns the host, queried once.
  static const Target &getHost();

  /// Bits of a vector register.
  int64_t vectorBits = 512;
  /// Number of vector registers.
  int64_t numVectorRegisters = 32;
  /// Bits of the narrowest lanes with fast masked loads, and stores; 128 if
  /// there are none.
  int64_t leastMaskedLoadBits = 8, leastMaskedStoreBits = 8;
  /// True if masked loads wait for memory no longer than others. AVX's masked
  /// loads wait as if nothing were prefetched.
  bool followsMaskedLoads = true;
  /// True if these masks support bf16, and vectors of two registers.
  bool masksBF16 = true, masksPairs = true;
  /// Bits of the narrowest lanes that mask registers select, with one bit for
  /// each lane; 128 if masks are vectors as wide as what they select.
  int64_t leastMaskRegisterBits = 8;
  /// Vector operations that start in a cycle. LLVM does not know it.
  double vectorOpsPerCycle = 2;
  /// Bytes of a cache line.
  int64_t cacheLineBytes = 64;
  /// Bytes of the first and of the second cache, and ways of the first one.
  int64_t firstCacheBytes = 1 << 15, secondCacheBytes = 1 << 18;
  int64_t firstCacheWays = 8;
  /// Most places of memory whose reads the hardware follows and fetches ahead.
  /// LLVM does not know it.
  double maxStreams = 32;
  /// Bytes of input and output from which buffers do not stay in the caches.
  /// Such buffers use nontemporal stores and prefetching.
  int64_t streamedBytes = 16'000'000;
  /// Weights of the cost model.
  Costs costs;

  /// True if vectors have masks, apart from the limit on lane widths.
  bool hasMasks(int64_t laneBits, int64_t numLanes, bool isBF16) const {
    return (masksBF16 || !isBF16) &&
           (masksPairs || laneBits * numLanes <= vectorBits);
  }
  /// True if masks of lanes of `laneBits` have a bit for each lane.
  bool hasMaskRegisters(int64_t laneBits) const {
    return laneBits >= leastMaskRegisterBits;
  }
  /// Bytes of one way of the first cache: addresses that are a multiple of it
  /// apart share a set.
  int64_t getFirstCacheWayBytes() const {
    return firstCacheBytes / firstCacheWays;
  }
  /// True if masked loads are as fast as others.
  bool hasFastMaskedLoads(int64_t laneBits, int64_t numLanes,
                          bool isBF16) const {
    return followsMaskedLoads && laneBits >= leastMaskedLoadBits &&
           hasMasks(laneBits, numLanes, isBF16);
  }
};

} // namespace mlir::pool

#endif // POOL_TARGET_TARGET_H
