// Limits of the strategies. Beyond a limit, another way is faster, or code is
// not worth the time to compile it. The weights of costs are in
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
// A limit is the largest allowed value, unless its comment says otherwise.
// Operations are vector operations. A group is the outputs that one piece of
// straight-line code computes; docs/Glossary.md has a drawing.
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

/// Operations in the code of one group of outputs.
constexpr int64_t kMaxCodeSize = 700;
/// Operations in all code for rows of unknown width, which has variants for
/// different widths. There, a load that may need tests counts as kTestedLoadOps
/// operations more than a load without tests.
constexpr int64_t kMaxTotalCodeSize = 6000, kTestedLoadOps = 6;
/// Operations in the code of a pinned plan. Such code compiles in a few
/// seconds.
constexpr int64_t kMaxPinnedCodeSize = 10'000;

//===----------------------------------------------------------------------===//
// Sizes of kernels. Measured by benchmarks/uniform_sums.py.
//===----------------------------------------------------------------------===//

/// Limits of a window's rows, of its extent along a row, and of its stride
/// along a row. With `pool.uniform_sums`, kernels within these limits get
/// straight-line code, and larger ones get loops. Within the limits, the code
/// for one vector of outputs has at most kMaxPinnedCodeSize operations on every
/// machine.
constexpr int64_t kMaxUniformRows = 64, kMaxUniformExtent = 128;
constexpr int64_t kMaxUniformStride = 8;
/// kMaxKernel: taps of a kernel in one dimension. kMaxStep: strides and
/// dilations. With more, the span of several windows could exceed 64 bits.
constexpr int64_t kMaxKernel = int64_t(1) << 30, kMaxStep = int64_t(1) << 20;

//===----------------------------------------------------------------------===//
// Output rows of a group, with channels first. Measured by compare.py --only
// stem spp_k inception.
//===----------------------------------------------------------------------===//

/// The number of output rows that is assumed if it is unknown.
constexpr int64_t kUsualRows = 24;
/// Output rows of a group.
constexpr int64_t kMaxGroupRows = 64;
/// Output rows of a small plane that becomes one group.
constexpr int64_t kMaxPlaneRows = 8;
/// If a window has more rows than kMaxSeparateStrides times the stride, the
/// whole plane becomes one group, because its windows share most of their rows.
/// If it also has at least kMinSharingRows rows, the group's code may have
/// kMaxPlaneCodeSize operations.
constexpr int64_t kMaxSeparateStrides = 4, kMaxPlaneCodeSize = 2100;
/// Least number of rows of a window for which groups get many rows, because
/// neighboring windows share most of their rows.
constexpr int64_t kMinSharingRows = 9;
/// Vectors of outputs in all rows of a group.
constexpr int64_t kMaxGroupVectors = 40;
/// Output rows of a group that is made small because its code would be too long
/// otherwise.
constexpr int64_t kMaxShortRows = 4;
/// A variant with longer code is chosen only if its cost is below this share of
/// the shorter variant's cost.
constexpr double kMaxLongerCost = 0.95;

//===----------------------------------------------------------------------===//
// Input rows that are carried in registers from one group to the next. Measured
// by compare.py --only stem batch, and for parts of planes with --threads 1 2.
//===----------------------------------------------------------------------===//

/// Vectors that are carried in registers from one group to the next, and their
/// bytes. These limits are for up to three rows, if windows have fewer than
/// kMinSharingRows rows. More rows may take half of the registers, and larger
/// windows a quarter. A group of several rows, with what it carries, may take
/// three quarters.
constexpr int64_t kMaxCarriedVectors = 32, kMaxCarriedBytes = 2048;
/// Vectors that a pinned plan keeps in registers, as a multiple of the number
/// of registers. The compiler spills what does not fit.
constexpr int64_t kMaxSpilledFactor = 4;
/// Output rows of a part of a plane. Rows are carried within a part. Parts run
/// on different threads, and a part loads again the input rows that it shares
/// with the part before it.
constexpr int64_t kMaxPartRows = 64;
/// Output rows of a part if rows are cut into strips. For one strip, all rows
/// of the part are read before the next strip begins.
constexpr int64_t kMaxStripPartRows = 32;

//===----------------------------------------------------------------------===//
// Division of a row into strips. Measured by compare.py --only odd_ wave1d
// unet_pool1.
//===----------------------------------------------------------------------===//

/// Vectors of outputs of a row of known width that is computed as a whole, in
/// registers.
constexpr int64_t kMaxRowVectors = 16;
/// The usual number of vectors of outputs in a strip, if a row is not computed
/// as a whole. It is a power of two. If the width is unknown and windows do not
/// overlap along the row, strips have at most kMaxSeparateVectors.
constexpr int64_t kNumStripVectors = 4, kMaxSeparateVectors = 2;
/// Strips of a row of known width that get their own code, because they load
/// positions outside of the input. With more such strips, all strips share one
/// piece of code.
constexpr int64_t kMaxKnownStrips = 2;

//===----------------------------------------------------------------------===//
// Strategies that reduce one dimension after the other. Measured by compare.py
// --only nhwc big_ spp_k13.
//===----------------------------------------------------------------------===//

/// kMaxStageBytes: bytes of the buffers that a block of windows needs.
/// kMaxUnknownBlock: windows of a block if the number of outputs is unknown,
/// and windows of all blocks that use the same buffers in turn.
constexpr int64_t kMaxStageBytes = 1 << 23, kMaxUnknownBlock = 256;
/// Neighboring vectors that are reduced together, if a dimension is reduced
/// across vectors. With channels first, their bytes are limited, too.
constexpr int64_t kBlockStripVectors = 8, kPlaneStripBytes = 256;
/// Bytes of outputs of a part of a row, if the row is reduced by SlidingWindow.
constexpr int64_t kBlockPartBytes = 4096;
/// In a block of windows, each window adds some positions to those of the
/// window before. Up to this number, they are combined without a loop.
constexpr int64_t kMaxStraightStride = 4;
/// The number of outputs that is assumed for a dimension if it is unknown.
constexpr int64_t kUsualExtent = 64;
/// Cost of loading a vector that is as long as a cache line. It is seldom
/// aligned, so it reads two lines. A load of a shorter vector costs 1.
constexpr double kLineLoadOps = 3.25;
/// Least number of lanes per channel for which `staged`, with channels last,
/// treats columns and channels as one dimension for an extremum. Measured by
/// benchmarks/holes.py --only 'last 2d c3'.
constexpr int64_t kMinUnusedLanes = 8;

//===----------------------------------------------------------------------===//
// Stores past the caches, and prefetches. Measured by compare.py --only batch
// huge unet_pool1 segnet_indices.
//===----------------------------------------------------------------------===//

/// Least bytes of a non-temporal store, which bypasses the caches. The
/// processor joins the stores to a cache line; the rest of a line is stored
/// soon, with the next row.
constexpr int64_t kMinStoreBytes = 16;
/// Prefetch distances in bytes: one for channels first, one for channels last.
/// The second is rounded up to a multiple of the bytes that a group reads, and
/// is at least kMinPrefetchGroups times these bytes.
constexpr int64_t kPrefetchBytes = 12288, kChannelPrefetchBytes = 4096;
constexpr int64_t kMinPrefetchGroups = 2;
/// Cache lines that the code of a group prefetches.
constexpr int64_t kMaxPrefetches = 64;
/// Buffers that are at least this multiple of `Target::streamedBytes` are read
/// from memory, not from a cache that cores share. Only then is it faster to
/// request each line twice.
constexpr int64_t kMemoryFactor = 2;
/// Bytes of an input row up to which the processor's own prefetcher suffices.
constexpr int64_t kMaxFollowedBytes = 512;
/// Locality hints of memref.prefetch for the first and the second cache.
constexpr unsigned kFirstCache = 3, kSecondCache = 2;

//===----------------------------------------------------------------------===//
// The strategies `global` and `merged`. Measured by compare.py --only global_
// stride4 1d_max.
//===----------------------------------------------------------------------===//

/// Elements of a plane. Larger planes could make the computed code size exceed
/// 64 bits.
constexpr int64_t kMaxPlaneElements = int64_t(1) << 40;
/// Number of independent accumulators, which hide the latency of a combination.
/// The first is for a loop over a plane. The second is for straight-line code
/// in which each accumulator combines at least four vectors.
constexpr int64_t kNumPlaneAccumulators = 8, kNumStraightAccumulators = 4;
/// Least elements of a plane for which the strategy `global` tests at run time
/// whether windows are whole planes.
constexpr int64_t kMinTestedElements = 16;
/// Least columns of a window for the strategy `merged`. For fewer columns,
/// straight-line code needs few shuffles.
constexpr int64_t kMinMergedColumns = 4;

//===----------------------------------------------------------------------===//
// Strategies for channels last. Measured by compare.py --only nhwc.
//===----------------------------------------------------------------------===//

/// Outputs of a group: in one dimension, and in all dimensions together.
constexpr int64_t kMaxGroupExtent = 12, kMaxGroupOutputs = 50;
/// Reading from too many places at once (streams) adds a cost. It grows until
/// there are 1 + kMaxCrowding times as many streams as the processor's
/// prefetcher follows. If streams fall into the same sets of the first cache,
/// it grows until there are 1 + kMaxSetCrowding times as many as these sets
/// hold.
constexpr double kMaxCrowding = 2, kMaxSetCrowding = 4;
/// Share of the registers for results of input rows that were reduced before.
/// The other registers are for the row that is being reduced.
constexpr double kLineRegisters = 1.0 / 3;
/// Vectors of channels that are reduced together, and their bytes. It is fast
/// to read many consecutive bytes.
constexpr int64_t kMaxChannelVectors = 12, kMaxChannelBytes = 512;
/// For the strategy `few-channels`: vectors of input that a strip reads, and
/// its shuffles; and the number of columns by which a strip may be narrower
/// than a vector allows, to read fewer vectors.
constexpr int64_t kMaxFewVectors = 8, kMaxFewShuffles = 40;
constexpr int64_t kMaxColumnsLeftOut = 8;

//===----------------------------------------------------------------------===//
// Adaptive pooling, and the strategy `direct`. Measured by
// benchmarks/adaptive.py.
//===----------------------------------------------------------------------===//

/// Lanes of a vector in the strategies `direct` and `merged`, if there is an
/// argmax. Positions of 64 bits would need many registers for more lanes.
constexpr int64_t kMaxPositionLanes = 16;
/// Rows that a thread computes one after the other, with one buffer.
constexpr int64_t kRowsTogether = 16;
/// Adaptive pooling, if the rows of windows are combined in a buffer: windows
/// that straight-line code reads from the buffer, and vectors of a row that are
/// combined together.
constexpr int64_t kMaxMergedWindows = 16, kAdaptiveStripVectors = 4;

//===----------------------------------------------------------------------===//
// Unpooling and gradients. Measured by benchmarks/scatter.py.
//===----------------------------------------------------------------------===//

/// Elements of a block: the part of a result that is written for one element of
/// the source, as zeros except that element.
constexpr int64_t kMaxBlock = 16;
/// Windows that one thread computes one after the other with the same buffers,
/// in all of its planes together.
constexpr int64_t kWindowsTogether = 4096;
/// In the strategies that gather gradients: copies of a strip's code for a row
/// of windows. Strips at the ends of the row have their own code, and one loop
/// has code for the others.
constexpr int64_t kMaxWindowStrips = 5;
/// Windows may reach over twice the extent of the input plus this number of
/// elements. Buffers are as long as windows reach.
constexpr int64_t kMaxReachBeyond = 256;
/// Largest stride for which shuffles distribute the sums of windows to the
/// elements of the input: in gradients of extrema, and in gradients of
/// averages.
constexpr int64_t kMaxGatherStride = 8, kMaxShuffledStride = 64;
/// In gradients of averages: windows that are added to one sum without a loop.
constexpr int64_t kMaxStraightWindows = 4;

} // namespace mlir::pool::cost

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PROBLEM_LIMITS_H
