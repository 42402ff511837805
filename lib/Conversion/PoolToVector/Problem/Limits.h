// The limits of the strategies: from which size on an alternative is better, or
// code is not worth its compilation. Weights of the costs are in
// pool/Target/Costs.def, facts about machines in pool/Target/Target.h.
//
// Each section names the command that measures its limits. To try a value,
// build twice, once with each value, and time both builds in one run:
//
//   benchmarks/compare.py --only NAMES --peers none --threads 1
//       --variant before=path=vector@OTHER/build
//
// NAMES are parts of the names of workloads. docs/Guides/PinAPlan.md shows how
// to pin the plans on either side of a limit.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PROBLEM_LIMITS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PROBLEM_LIMITS_H

#include <cstdint>

namespace mlir::pool::cost {

//===----------------------------------------------------------------------===//
// Code size, in vector operations. Measured by benchmarks/costs.py and
// benchmarks/latency.py.
//===----------------------------------------------------------------------===//

/// Straight code for one group of outputs.
constexpr int64_t kMaxCodeSize = 700;
/// All code for rows of unknown width, and how much more a load with tests
/// counts than a load without.
constexpr int64_t kMaxTotalCodeSize = 6000, kTestedLoadOps = 6;
/// Code of a pinned plan: as much as compiles in a few seconds.
constexpr int64_t kMaxPinnedCodeSize = 10'000;

//===----------------------------------------------------------------------===//
// Kernels. Measured by benchmarks/uniform_sums.py.
//===----------------------------------------------------------------------===//

/// `pool.uniform_sums` leaves kernels up to these limits to straight code:
/// rows of a window, its extent along the row, and the stride there. Up to
/// them, one row of one vector is at most kMaxPinnedCodeSize on every machine.
constexpr int64_t kMaxUniformRows = 64, kMaxUniformExtent = 128;
constexpr int64_t kMaxUniformStride = 8;
/// Kernel extents, strides and dilations. Larger ones could make the span of
/// several windows exceed 64 bits.
constexpr int64_t kMaxKernel = int64_t(1) << 30, kMaxStep = int64_t(1) << 20;

//===----------------------------------------------------------------------===//
// Rows of a group, with channels first. Measured by compare.py --only stem
// spp_k inception.
//===----------------------------------------------------------------------===//

/// Assumed height of planes of unknown height.
constexpr int64_t kUsualRows = 24;
/// Rows of a group.
constexpr int64_t kMaxGroupRows = 64;
/// Rows of a plane that is one group.
constexpr int64_t kMaxPlaneRows = 8;
/// A window of more strides than kMaxSeparateStrides makes the whole plane one
/// group, whatever its height, because its rows share so much. From
/// kMinSharingRows rows of a window on, the group's code may have
/// kMaxPlaneCodeSize.
constexpr int64_t kMaxSeparateStrides = 4, kMaxPlaneCodeSize = 2100;
/// Least rows of windows that share most of their rows in groups of many rows.
constexpr int64_t kMinSharingRows = 9;
/// Vectors of outputs of a group of rows.
constexpr int64_t kMaxGroupVectors = 40;
/// Rows of a group that is made shorter to shorten its code.
constexpr int64_t kMaxShortRows = 4;
/// A longer or larger variant is chosen if its cost is below this share of the
/// shorter one's.
constexpr double kMaxLongerCost = 0.95;

//===----------------------------------------------------------------------===//
// Rows that are carried in registers. Measured by compare.py --only stem batch,
// parts of planes with --threads 1 2.
//===----------------------------------------------------------------------===//

/// Carried vectors and their bytes, for up to three rows of smaller windows.
/// More rows may take half of the registers, and rows of larger windows a
/// quarter. A group of several rows and its carried rows may take three
/// quarters.
constexpr int64_t kMaxCarriedVectors = 32, kMaxCarriedBytes = 2048;
/// Carried vectors of a pinned plan, as a multiple of the registers.
constexpr int64_t kMaxSpilledFactor = 4;
/// Output rows of a part of a plane. Parts run on different threads, and each
/// loads the rows again that it shares with the part before.
constexpr int64_t kMaxPartRows = 64;
/// Such rows if a row may have many strips: all rows of a part are read for one
/// strip before the next strip.
constexpr int64_t kMaxStripPartRows = 32;

//===----------------------------------------------------------------------===//
// Cuts of a row. Measured by compare.py --only odd_ wave1d unet_pool1.
//===----------------------------------------------------------------------===//

/// Vectors of a known row that is kept in registers as a whole.
constexpr int64_t kMaxRowVectors = 16;
/// Vectors of a strip of any other row, a power of two; and of a strip of
/// unknown width whose windows do not overlap along the row.
constexpr int64_t kNumStripVectors = 4, kMaxSeparateVectors = 2;
/// Strips of a known row that reach over its ends. Each has its own code.
constexpr int64_t kMaxKnownStrips = 2;

//===----------------------------------------------------------------------===//
// One dimension after the other. Measured by compare.py --only nhwc big_
// spp_k13.
//===----------------------------------------------------------------------===//

/// Bytes of the buffers of a block of stages. Most windows of a block, if the
/// number of outputs is unknown. Blocks that share buffers have as many in all.
constexpr int64_t kMaxStageBytes = 1 << 23, kMaxUnknownBlock = 256;
/// Vectors that are reduced at once across the lanes, and their bytes with
/// channels first.
constexpr int64_t kBlockStripVectors = 8, kPlaneStripBytes = 256;
/// Bytes of outputs of a part of a row, if windows slide in registers.
constexpr int64_t kBlockPartBytes = 4096;
/// Positions that a window adds to the ones before in straight code, at most.
constexpr int64_t kMaxStraightStride = 4;
/// Assumed extent of unknown dimensions.
constexpr int64_t kUsualExtent = 64;
/// Cost of a load of as many bytes as a cache line, which is seldom aligned: it
/// reads two lines. Shorter loads cost 1.
constexpr double kLineLoadOps = 3.25;
/// Lanes for each channel from which on stages join few channels with columns
/// for an extremum: benchmarks/holes.py --only 'last 2d c3'.
constexpr int64_t kMinUnusedLanes = 8;

//===----------------------------------------------------------------------===//
// Memory. Measured by compare.py --only batch huge unet_pool1 segnet_indices.
//===----------------------------------------------------------------------===//

/// Bytes of the shortest non-temporal store. The processor joins the stores of
/// a line; the next row soon stores the rest of it.
constexpr int64_t kMinStoreBytes = 16;
/// Prefetch distance in bytes, with channels first and last. With channels last
/// it is rounded up to whole groups, at least kMinPrefetchGroups.
constexpr int64_t kPrefetchBytes = 12288, kChannelPrefetchBytes = 4096;
constexpr int64_t kMinPrefetchGroups = 2;
/// Most cache lines that a group fetches.
constexpr int64_t kMaxPrefetches = 64;
/// Buffers of this multiple of `Target::streamedBytes` come from memory, not
/// from a cache that cores share. Only then is it faster to ask for each line
/// twice.
constexpr int64_t kMemoryFactor = 2;
/// Bytes of the longest rows that need no prefetching.
constexpr int64_t kMaxFollowedBytes = 512;
/// Locality hints of the caches that memory is fetched into.
constexpr unsigned kFirstCache = 3, kSecondCache = 2;

//===----------------------------------------------------------------------===//
// Whole planes, and windows whose lanes are merged. Measured by compare.py
// --only global_ stride4 1d_max.
//===----------------------------------------------------------------------===//

/// Elements of a plane. Larger ones could make sizes of code exceed 64 bits.
constexpr int64_t kMaxPlaneElements = int64_t(1) << 40;
/// Accumulators of a loop over a plane, which hide the latency of a
/// combination; and of straight code, if each gets several vectors.
constexpr int64_t kNumPlaneAccumulators = 8, kNumStraightAccumulators = 4;
/// Least elements of a window that are worth a test at run time.
constexpr int64_t kMinTestedElements = 16;
/// Least columns of a window whose lanes are merged. Straight code needs few
/// shuffles for fewer.
constexpr int64_t kMinMergedColumns = 4;

//===----------------------------------------------------------------------===//
// Channels last. Measured by compare.py --only nhwc.
//===----------------------------------------------------------------------===//

/// Outputs of a group in one dimension, and in all.
constexpr int64_t kMaxGroupExtent = 12, kMaxGroupOutputs = 50;
/// How many times more places than the hardware follows still make a
/// difference; and the same for places that share the ways of a set.
constexpr double kMaxCrowding = 2, kMaxSetCrowding = 4;
/// Share of the registers for the lines that were reduced. The rest hold the
/// line that is being reduced.
constexpr double kLineRegisters = 1.0 / 3;
/// Vectors of channels that are reduced at once, and their bytes: long runs are
/// read fast.
constexpr int64_t kMaxChannelVectors = 12, kMaxChannelBytes = 512;
/// With few channels: vectors of input and shuffles of a strip, and columns
/// that fit into a vector but may be left to the next one.
constexpr int64_t kMaxFewVectors = 8, kMaxFewShuffles = 40;
constexpr int64_t kMaxColumnsLeftOut = 8;

//===----------------------------------------------------------------------===//
// Adaptive pooling and loops over taps. Measured by benchmarks/adaptive.py.
//===----------------------------------------------------------------------===//

/// Lanes in loops over taps whose narrow elements have positions of 64 bits.
constexpr int64_t kMaxPositionLanes = 16;
/// Rows that share a buffer, one after the other.
constexpr int64_t kRowsTogether = 16;
/// Adaptive windows that straight code reads from a buffer, and vectors that
/// are combined for it at once.
constexpr int64_t kMaxMergedWindows = 16, kAdaptiveStripVectors = 4;

//===----------------------------------------------------------------------===//
// Unpooling and gradients. Measured by benchmarks/scatter.py.
//===----------------------------------------------------------------------===//

/// Elements of a block that one scattered element is written with.
constexpr int64_t kMaxBlock = 16;
/// Windows of planes that share buffers, one plane after the other.
constexpr int64_t kWindowsTogether = 4096;
/// If positions gather from a row of windows: strips of the row with their own
/// code, and strips of the loop for the others.
constexpr int64_t kMaxWindowStrips = 5;
/// Elements beyond twice the extent that windows may reach over. Buffers are as
/// long.
constexpr int64_t kMaxReachBeyond = 256;
/// Strides up to which shuffles spread sums over the elements of a stride: in
/// gradients of extrema and of averages.
constexpr int64_t kMaxGatherStride = 8, kMaxShuffledStride = 64;
/// Windows of one kind that are added without a loop.
constexpr int64_t kMaxStraightWindows = 4;

} // namespace mlir::pool::cost

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PROBLEM_LIMITS_H
