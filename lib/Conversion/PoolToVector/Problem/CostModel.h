// The limits that strategies keep to. What they choose by is in
// pool/Target/Costs.h: a cost is in cycles per output of a core that starts
// `kOpsPerCycle` operations on vectors in each cycle.
//
// Each was found by timing kernels on either side of it, alone and in turns:
// `benchmarks/compare.py --only NAMES` on the workloads that the comment names
// by their kind, with plans pinned as docs/Guides/PinAPlan.md shows.
// docs/Internals/Rationale.md has the measurements.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PROBLEM_COSTMODEL_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PROBLEM_COSTMODEL_H

#include <cstdint>

namespace mlir::pool::cost {

//===----------------------------------------------------------------------===//
// What a machine does in a cycle
//===----------------------------------------------------------------------===//

/// Operations on vectors that start in a cycle.
constexpr double kOpsPerCycle = 2;

//===----------------------------------------------------------------------===//
// What is worth its compilation, in operations on vectors
//===----------------------------------------------------------------------===//

/// Straight code, of one group of outputs.
constexpr int64_t kMaxCodeSize = 700;
/// All that is emitted for rows of unknown width; a load with tests has
/// kTestedLoadOps more.
constexpr int64_t kMaxTotalCodeSize = 6000, kTestedLoadOps = 6;
/// Columns that go into a buffer, above which loops are as fast.
constexpr int64_t kMaxStraightColumnsSize = 270;
/// Of a plan that a hand has pinned: as much as compiles in a few seconds.
constexpr int64_t kMaxPinnedCodeSize = 10'000;
/// Windows whose sums are added in the order of planes where that may depend on
/// the kernel alone: the rows of a window, its extent along the row and the
/// stride there. With as many, one row of one vector is no more than
/// kMaxPinnedCodeSize on any machine.
constexpr int64_t kMaxUniformRows = 64, kMaxUniformExtent = 128;
constexpr int64_t kMaxUniformStride = 8;
/// Extents of windows, strides and dilations: with more, spans of several
/// windows could leave 64 bits.
constexpr int64_t kMaxKernel = int64_t(1) << 30, kMaxStep = int64_t(1) << 20;

//===----------------------------------------------------------------------===//
// Planes of channels-first buffers
//===----------------------------------------------------------------------===//

/// What planes of unknown height are taken to have.
constexpr int64_t kUsualRows = 24;
/// Rows of a group.
constexpr int64_t kMaxGroupRows = 64;
/// Rows of a plane that is one group.
constexpr int64_t kMaxPlaneRows = 8;
/// Strides of a window, above which the rows of a plane share so much that it
/// is one group whatever their number; and operations of such a group of
/// windows of kMinSharingRows.
constexpr int64_t kMaxSeparateStrides = 4, kMaxPlaneCodeSize = 2100;
/// Vectors of outputs of a group of rows.
constexpr int64_t kMaxGroupVectors = 40;
/// Rows of a group that is made shorter so that its code is short.
constexpr int64_t kMaxShortRows = 4;
/// Windows of so many rows are cheap in groups of many, which share most of
/// them.
constexpr int64_t kMinSharingRows = 9;
/// Vectors that are carried, and their bytes, of up to three rows of smaller
/// windows. More rows take no more than half of the registers, those of larger
/// windows a quarter. A group of several rows takes, with what is carried,
/// three quarters.
constexpr int64_t kMaxCarriedVectors = 32, kMaxCarriedBytes = 2048;
/// How many times more vectors than there are registers may be carried.
constexpr int64_t kMaxSpilledFactor = 4;
/// Vectors that a known row is kept in at once, so that it need not be cut.
constexpr int64_t kMaxRowVectors = 16;
/// Vectors of other rows and strips, a power of two; and of those of unknown
/// width whose windows do not overlap along the row.
constexpr int64_t kNumStripVectors = 4, kMaxSeparateVectors = 2;
/// Strips of a known row that have code of their own, because they reach over
/// its ends.
constexpr int64_t kMaxKnownStrips = 2;
/// Output rows of a part of a plane whose groups carry rows. Parts run on
/// different threads; each loads the rows that it shares with the one before.
constexpr int64_t kMaxPartRows = 64;
/// The same where a row may be many strips, each of which is read for all rows
/// of a part before the next.
constexpr int64_t kMaxStripPartRows = 32;
/// Rows of a group that are kept in a buffer, and vectors of them that loops
/// reduce at once, so that rows are read in long runs.
constexpr int64_t kMaxBufferedRows = 32, kMaxLoopVectors = 4;
/// Strides whose rows a loop over rows appends by straight code.
constexpr int64_t kMaxStraightStride = 4;
/// The fewest rows of a window that van Herk's blocks are better for, and the
/// most taps of outer dimensions, which are straight code.
constexpr int64_t kMinBlockRows = 13, kMaxBlockTaps = 16;
/// Bytes of vectors of outputs of a part of a block, so that what is kept of it
/// is bounded, and vectors that are reduced at once.
constexpr int64_t kBlockPartBytes = 4096, kBlockStripVectors = 8;
/// Bytes of the buffers of a block of stages.
constexpr int64_t kMaxStageBytes = 1 << 23;
/// The shortest stores past the caches: the processor joins those of a line,
/// whose rest the next row stores soon.
constexpr int64_t kMinStoreBytes = 16;
/// How far ahead of what is read memory is fetched, and the most cache lines of
/// a group that are worth it.
constexpr int64_t kPrefetchBytes = 12288, kChannelPrefetchBytes = 8192;
constexpr int64_t kMaxPrefetches = 64;
/// From how many times `streamedBytes` on buffers come from memory rather than
/// from a cache that cores share. Each of their lines is asked for twice, which
/// is measured to be worth it there and nowhere else.
constexpr int64_t kMemoryFactor = 2;
/// The longest rows that need no fetching.
constexpr int64_t kMaxFollowedBytes = 512;
/// Locality hints of caches that memory is fetched into.
constexpr unsigned kFirstCache = 3, kSecondCache = 2;

//===----------------------------------------------------------------------===//
// Whole planes
//===----------------------------------------------------------------------===//

/// Elements of a plane; with more, sizes of code could leave 64 bits.
constexpr int64_t kMaxPlaneElements = int64_t(1) << 40;
/// Accumulators of a long plane, which hide how long a combination takes, and
/// of straight code for one, where there are several vectors for each.
constexpr int64_t kNumPlaneAccumulators = 8, kNumStraightAccumulators = 4;
/// The fewest elements of a window that a test at run time is worth.
constexpr int64_t kMinTestedElements = 16;

//===----------------------------------------------------------------------===//
// Channels-last buffers
//===----------------------------------------------------------------------===//

/// Outputs of a group in each dimension, and of all of it.
constexpr int64_t kMaxGroupExtent = 12, kMaxGroupOutputs = 50;
/// Places that are read at once: with more, they are too many for the hardware
/// to fetch ahead, where there are so many bytes.
constexpr double kMaxStreams = 32, kManyBytes = 1 << 18;
/// How many times too many still make a difference, and of those that share the
/// ways of a set.
constexpr double kMaxCrowding = 2, kMaxSetCrowding = 4;
/// Of the first cache: bytes and ways, and of a line and of all lines of a way.
constexpr int64_t kFirstCacheBytes = 1 << 15, kNumWays = 8;
constexpr int64_t kLineBytes = 64, kPageBytes = kFirstCacheBytes / kNumWays;
/// Of all registers, those for what lines are reduced to: the rest hold the
/// line that is reduced.
constexpr double kLineRegisters = 1.0 / 3;
/// Vectors of channels that are reduced at once, and their bytes: long runs are
/// read fast.
constexpr int64_t kMaxChannelVectors = 12, kMaxChannelBytes = 512;
/// Of few channels, vectors of input and shuffles of a strip.
constexpr int64_t kMaxFewVectors = 8, kMaxFewShuffles = 40;

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

/// Lanes of narrow elements that have positions, of 64 bits, in loops
/// over taps.
constexpr int64_t kMaxPositionLanes = 16;
/// Rows that share a buffer one after the other.
constexpr int64_t kRowsTogether = 16;
/// Adaptive windows that are read from a buffer by straight code, and vectors
/// combined for it at once.
constexpr int64_t kMaxMergedWindows = 16, kAdaptiveStripVectors = 4;
/// Elements of a block that a scattered element is written with.
constexpr int64_t kMaxBlock = 16;
/// Windows of planes that share buffers, one plane after the other.
constexpr int64_t kWindowsTogether = 4096;
/// Strips of a row of windows with code of their own, and those of the loop for
/// the others, where positions gather from them.
constexpr int64_t kMaxWindowStrips = 5;
/// Elements that windows may reach over beyond twice the extent, where buffers
/// are as long.
constexpr int64_t kMaxReachBeyond = 256;
/// Strides of gathers that are as many vectors, each of shuffles; and the most
/// vectors of a stride that masks are for.
constexpr int64_t kMaxGatherStride = 8, kMaxGatherVectors = 4;

} // namespace mlir::pool::cost

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PROBLEM_COSTMODEL_H
