// Limits of the strategies. Beyond a limit, another strategy or plan is faster,
// or the code takes too long to compile. The weights of costs are in
// pool/Target/Costs.def, and facts about machines in pool/Target/Target.h.
//
// Each section names the command that measures its limits. To try another
// value, build twice, once with each value, and time both builds in one run:
//
//   benchmarks/compare.py --only NAMES --peers none --threads 1
//       --variant before=path=vector@OTHER/build
//
// NAMES are parts of the names of workloads. docs/Guides/PinAPlan.md shows how
// to pin a plan, and so how to time plans on either side of a limit.
//
// A limit is the largest allowed value, unless its comment says otherwise. Most
// comments name only what is limited: "Output rows of a group" means that a
// group has at most that many.
//
// Operations are vector operations. A group is the outputs that one piece of
// straight-line code computes. A strip is the part of a row that one group
// covers. docs/Glossary.md has drawings of both.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PROBLEM_LIMITS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PROBLEM_LIMITS_H

#include <cstdint>

namespace mlir::pool::cost {

//===----------------------------------------------------------------------===//
// Code size, in vector operations. Measured by benchmarks/run.py costs and
// benchmarks/run.py latency.
//===----------------------------------------------------------------------===//

/// Operations in the code of one group of outputs.
constexpr int64_t kMaxCodeSize = 700;
/// kMaxTotalCodeSize: operations in all variants of the code together. If the
/// width of rows is unknown, there are variants for different widths.
/// kTestedLoadOps: operations that are added for each load if its lanes may be
/// outside of the input, because it then needs tests.
constexpr int64_t kMaxTotalCodeSize = 6000, kTestedLoadOps = 6;
/// Operations in the code of a pinned plan, which is a plan that the user
/// chose. Code of this size compiles in a few seconds.
constexpr int64_t kMaxPinnedCodeSize = 10'000;

//===----------------------------------------------------------------------===//
// Sizes of windows. Measured by benchmarks/run.py uniform_sums.
//===----------------------------------------------------------------------===//

/// Rows of a window, its extent along a row, and its stride along a row. With
/// `pool.uniform_sums` and channels first, windows within these limits get
/// straight-line code, and larger windows get loops; see
/// Problem::hasUniformPlanes(). Within the limits, the code for one vector of
/// outputs has at most kMaxPinnedCodeSize operations on every machine.
constexpr int64_t kMaxUniformRows = 64, kMaxUniformExtent = 128;
constexpr int64_t kMaxUniformStride = 8;
/// kMaxKernel: taps of a window in one dimension. kMaxStep: strides and
/// dilations. With larger values, positions in several windows could need more
/// than 64 bits.
constexpr int64_t kMaxKernel = int64_t(1) << 30, kMaxStep = int64_t(1) << 20;

//===----------------------------------------------------------------------===//
// Output rows of a group, with channels first. Measured by compare.py --only
// stem spp_k inception.
//===----------------------------------------------------------------------===//

/// Number of output rows of a plane that is assumed if the number is unknown.
constexpr int64_t kUsualRows = 24;
/// Output rows of a group.
constexpr int64_t kMaxGroupRows = 64;
/// Output rows of a plane for which it is tried to compute the whole plane as
/// one group.
constexpr int64_t kMaxPlaneRows = 8;
/// If windows have more rows than kMaxSeparateStrides times the stride, and
/// there is no argmax, planes of more than kMaxPlaneRows rows are tried as one
/// group, too. The reason is that their windows share most of their rows. If
/// windows also have at least kMinSharingRows rows, the code of that group may
/// have kMaxPlaneCodeSize operations.
constexpr int64_t kMaxSeparateStrides = 4, kMaxPlaneCodeSize = 2100;
/// Least number of rows of a window for which groups get many rows, because
/// neighboring windows share most of their rows.
constexpr int64_t kMinSharingRows = 9;
/// Vectors of outputs in all rows of a group together.
constexpr int64_t kMaxGroupVectors = 40;
/// Output rows of a group in the plans that are tried if the code of the usual
/// plan is too long.
constexpr int64_t kMaxShortRows = 4;
/// Longer code is chosen only if its cost is less than this multiple of the
/// cost of shorter code.
constexpr double kMaxLongerCost = 0.95;

//===----------------------------------------------------------------------===//
// Input rows that are carried in registers from one group to the next. Measured
// by compare.py --only stem batch, and for parts of planes with --threads 1 2.
//===----------------------------------------------------------------------===//

/// Number and bytes of the vectors that one group carries to the next in
/// registers. These limits are for up to three carried rows, if they allow more
/// than half of the registers. Otherwise the limit is half of the registers. If
/// windows have kMinSharingRows rows or more, it is a quarter of the registers.
constexpr int64_t kMaxCarriedVectors = 32, kMaxCarriedBytes = 2048;
/// Vectors that a pinned plan keeps in registers, as a multiple of the number
/// of registers. The compiler spills vectors that do not fit.
constexpr int64_t kMaxSpilledFactor = 4;
/// Output rows of a part of a plane, if rows are carried. Different threads may
/// compute the parts. Rows are carried within a part only, so a part loads
/// again the input rows that it shares with the part before.
constexpr int64_t kMaxPartRows = 64;
/// The same limit if rows are cut into strips. Then all rows of the part are
/// computed for one strip, before those for the next strip.
constexpr int64_t kMaxStripPartRows = 32;

//===----------------------------------------------------------------------===//
// Division of a row into strips. Measured by compare.py --only odd_ wave1d
// unet_pool1.
//===----------------------------------------------------------------------===//

/// Vectors of outputs in a row of known width that is not cut into strips.
constexpr int64_t kMaxRowVectors = 16;
/// kNumStripVectors: the usual number of vectors of outputs in a strip, a power
/// of two. kMaxSeparateVectors: the largest number, if the width of rows is
/// unknown and windows do not overlap along the row.
constexpr int64_t kNumStripVectors = 4, kMaxSeparateVectors = 2;
/// Strips of a row of known width that load positions outside of the input.
/// Each such strip gets its own code. If there are more, all strips share one
/// loop, which tests positions.
constexpr int64_t kMaxKnownStrips = 2;

//===----------------------------------------------------------------------===//
// Strategies that reduce one dimension after the other. Measured by compare.py
// --only nhwc big_ spp_k13.
//===----------------------------------------------------------------------===//

/// A block is the windows that van Herk's algorithm reduces together; see
/// Reduce/BlockReduction.h. kMaxStageBytes: bytes of the buffers for a block.
/// kMaxUnknownBlock: windows of a block if the number of outputs is unknown;
/// also the windows of all blocks that one thread computes with one buffer.
constexpr int64_t kMaxStageBytes = 1 << 23, kMaxUnknownBlock = 256;
/// Neighboring vectors that are reduced together in a block; an argmax and sums
/// of 128 bits halve the number. With channels first, the vectors also have at
/// most kPlaneStripBytes bytes.
constexpr int64_t kBlockStripVectors = 8, kPlaneStripBytes = 256;
/// Bytes of outputs of a part of a row, if the row is reduced by SlidingWindow.
constexpr int64_t kBlockPartBytes = 4096;
/// Positions that a window of a block has in addition to those of the window
/// before. If there are more, a loop combines them.
constexpr int64_t kMaxStraightStride = 4;
/// Number of outputs in a dimension that is assumed if the number is unknown.
constexpr int64_t kUsualExtent = 64;
/// Cost, in operations, of loading a vector that is at least as long as a cache
/// line. Such a load is seldom aligned, so it reads two lines. A load of a
/// shorter vector costs 1.
constexpr double kLineLoadOps = 3.25;
/// Least number of lanes per channel for which `staged`, for an extremum with
/// channels last, treats columns and channels as one dimension. With fewer
/// lanes per channel, lanes are channels only, and the other lanes are unused.
/// Measured by benchmarks/run.py holes --only 'last 2d c3'.
constexpr int64_t kMinUnusedLanes = 8;

//===----------------------------------------------------------------------===//
// Stores past the caches, and prefetches. Measured by compare.py --only batch
// huge unet_pool1 segnet_indices.
//===----------------------------------------------------------------------===//

/// Least bytes of a non-temporal store, which bypasses the caches. A store may
/// be shorter than a cache line, because the processor collects stores until
/// the line is complete, usually by the stores of the next row.
constexpr int64_t kMinStoreBytes = 16;
/// Prefetch distances in bytes: one for channels first, one for channels last.
/// The second is rounded up to a multiple of the bytes by which one group is
/// ahead of the group before. It is at least kMinPrefetchGroups times these
/// bytes.
constexpr int64_t kPrefetchBytes = 12288, kChannelPrefetchBytes = 4096;
constexpr int64_t kMinPrefetchGroups = 2;
/// Cache lines that the code of a group prefetches. With more, the group
/// prefetches none.
constexpr int64_t kMaxPrefetches = 64;
/// If input and results together have at least this multiple of
/// `Target::streamedBytes`, they are assumed to come from memory, not from a
/// cache that cores share. Then two prefetches for each cache line are faster
/// than one.
constexpr int64_t kMemoryFactor = 2;
/// Bytes of an input row for which the processor's own prefetcher suffices, if
/// rows are carried and stores are non-temporal.
constexpr int64_t kMaxFollowedBytes = 512;
/// Locality hints of memref.prefetch for the first and the second cache.
constexpr unsigned kFirstCache = 3, kSecondCache = 2;

//===----------------------------------------------------------------------===//
// The strategies `global` and `merged`. Measured by compare.py --only global_
// stride4 1d_max.
//===----------------------------------------------------------------------===//

/// Elements of a plane. For larger planes, the computed code size could need
/// more than 64 bits.
constexpr int64_t kMaxPlaneElements = int64_t(1) << 40;
/// Number of independent accumulators, which hide the latency of a combination.
/// kNumPlaneAccumulators is for a loop over a plane. kNumStraightAccumulators
/// is for straight-line code, if each accumulator combines at least four
/// vectors; with fewer vectors, there is one accumulator.
constexpr int64_t kNumPlaneAccumulators = 8, kNumStraightAccumulators = 4;
/// Least number of elements of a plane for which the strategy `global` is
/// chosen if only a test at run time tells whether windows are whole planes.
constexpr int64_t kMinTestedElements = 16;
/// Least number of columns of a window for the strategy `merged`. For fewer
/// columns, the strategy `planes` needs few shuffles.
constexpr int64_t kMinMergedColumns = 4;

//===----------------------------------------------------------------------===//
// Strategies for channels last. Measured by compare.py --only nhwc.
//===----------------------------------------------------------------------===//

/// Outputs of a group: in one dimension, and in all dimensions together.
constexpr int64_t kMaxGroupExtent = 12, kMaxGroupOutputs = 50;
/// A memory stream is a range of addresses that the code reads in order. The
/// cost of n * m streams is proportional to n - 1, where m is the number of
/// streams that the processor's prefetcher follows. kMaxCrowding is the largest
/// n - 1. If streams fall into few sets of the first cache, m is the number of
/// cache lines that these sets hold, and kMaxSetCrowding is the largest n - 1.
constexpr double kMaxCrowding = 2, kMaxSetCrowding = 4;
/// Share of the registers that hold the results of reduced input rows. The
/// other registers are for the input row that is being reduced.
constexpr double kLineRegisters = 1.0 / 3;
/// Number and bytes of the vectors of channels that are reduced together. Many
/// vectors are fast, because they are consecutive in memory.
constexpr int64_t kMaxChannelVectors = 12, kMaxChannelBytes = 512;
/// Limits of a strip in the strategy `few-channels`: the vectors of input that
/// it reads, its shuffles, and the output columns that a vector could have, but
/// that the strip leaves out in order to read fewer vectors of input.
constexpr int64_t kMaxFewVectors = 8, kMaxFewShuffles = 40;
constexpr int64_t kMaxColumnsLeftOut = 8;

//===----------------------------------------------------------------------===//
// Adaptive pooling, and the strategy `direct`. Measured by
// benchmarks/run.py adaptive.
//===----------------------------------------------------------------------===//

/// Lanes of a vector in the strategies `direct` and `merged`, if there is an
/// argmax. Positions of 64 bits would need many registers for more lanes.
constexpr int64_t kMaxPositionLanes = 16;
/// Output rows that a thread computes one after the other with one buffer.
constexpr int64_t kRowsTogether = 16;
/// Limits of adaptive pooling if the rows of windows are combined in a buffer.
/// kMaxMergedWindows: windows in a vector of outputs that is computed by
/// straight-line code; a loop computes more windows. kAdaptiveStripVectors:
/// vectors of a row that are combined at the same time.
constexpr int64_t kMaxMergedWindows = 16, kAdaptiveStripVectors = 4;

//===----------------------------------------------------------------------===//
// Unpooling and gradients. Measured by benchmarks/run.py scatter.
//===----------------------------------------------------------------------===//

/// Elements of a block. In the strategy `blocks`, each element of the source
/// has a block of the result, which is zero except for that element.
constexpr int64_t kMaxBlock = 16;
/// Windows that one thread computes with one set of buffers. If planes have
/// fewer windows, the thread computes several planes one after the other.
constexpr int64_t kWindowsTogether = 4096;
/// Copies of the code of a strip, in the strategies that gather gradients for a
/// row of windows. Each strip at the ends of the row has a copy, and one loop
/// has a copy for all other strips.
constexpr int64_t kMaxWindowStrips = 5;
/// In gradients of extrema, the windows of a dimension may span twice the
/// extent of the input plus this number of elements. Buffers are as long as
/// this span.
constexpr int64_t kMaxReachBeyond = 256;
/// Strides along a row for which shuffles distribute the sums of windows to the
/// elements of the input. kMaxGatherStride is for gradients of extrema, and
/// kMaxShuffledStride for gradients of averages.
constexpr int64_t kMaxGatherStride = 8, kMaxShuffledStride = 64;
/// Windows that are added to one sum without a loop, in gradients of averages.
constexpr int64_t kMaxStraightWindows = 4;

} // namespace mlir::pool::cost

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PROBLEM_LIMITS_H
