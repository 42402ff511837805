// The problem of an operation: all facts on which its plan may depend. These
// are the facts about the window reduction that are known when it is lowered,
// and the machine.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PROBLEM_PROBLEM_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PROBLEM_PROBLEM_H

#include "Emit/LaneReduction.h"
#include "Plans/PlanFields.h"
#include "Problem/Limits.h"

#include <numeric>

namespace mlir::pool {

/// The windows of one dimension. Tap `t` of window `o` is at position `o *
/// stride + t * dilation`, for `t` from 0 to `kernel - 1`. Positions count from
/// tap 0 of window 0. So they do not depend on padding.
///
/// With kernel 3, stride 2 and dilation 3, getSharingDistance() is 3 and
/// getSharingStride() is 2. Tap 0 of window 3 is tap 2 of window 0:
///
///   position   0   1   2   3   4   5   6   7   8   9  10  11  12
///   window 0   t0          t1          t2
///   window 1           t0          t1          t2
///   window 2                   t0          t1          t2
///   window 3                           t0          t1          t2
struct KernelDim {
  int64_t kernel = 1, stride = 1, dilation = 1;

  int64_t getExtent() const { return (kernel - 1) * dilation + 1; }
  /// Returns the number of positions from the first to the last tap of
  /// `numOutputs` neighboring windows. Positions between taps count, too.
  int64_t getSpan(int64_t numOutputs) const {
    return (numOutputs - 1) * stride + getExtent();
  }
  /// Returns the different positions of all taps of `numOutputs` neighboring
  /// windows, in ascending order. getNumPositions() returns their number.
  SmallVector<int64_t> getPositions(int64_t numOutputs) const;
  int64_t getNumPositions(int64_t numOutputs) const;
  /// Returns the least distance, in outputs, between two windows that may have
  /// positions in common. Such windows begin a multiple of the dilation apart.
  int64_t getSharingDistance() const {
    return dilation / std::gcd(stride, dilation);
  }
  /// Returns the number of taps by which two windows are shifted that are
  /// getSharingDistance() apart.
  int64_t getSharingStride() const {
    return stride / std::gcd(stride, dilation);
  }
};

/// A spatial dimension. The default is one window of one element.
struct ProblemDim : KernelDim {
  /// The extents of input and output, and the padding before the input. Each
  /// is std::nullopt if unknown.
  std::optional<int64_t> knownInput = 1, knownOutput = 1, knownPad = 0;
  /// True if a window may reach over an end of the input.
  bool coversPadding = false;
};

/// Returns the number of taps of a window with the dimensions `dims`. If there
/// are more than 2^31, returns 2^31, which suffices to estimate costs and code
/// sizes.
inline int64_t getNumTaps(ArrayRef<ProblemDim> dims) {
  constexpr int64_t kMost = int64_t(1) << 31;
  int64_t numTaps = 1;
  for (const ProblemDim &dim : dims)
    numTaps = std::min(numTaps * std::min(dim.kernel, kMost), kMost);
  return numTaps;
}

/// Fails, with the reason, if `layout` is not `expected`.
LogicalResult checkLayout(Layout layout, Layout expected, std::string &reason);

struct Problem {
  /// Returns the problem of the reduction `op`, or of the reduction that `op`
  /// will be decomposed to. The input must be ranked. Fails, with the reason,
  /// if no strategy can support the reduction. Examples are elements without
  /// vectors, windows so large that positions could exceed 64 bits, outputs
  /// that are known to be empty, and tensors mixed with buffers.
  static FailureOr<Problem> get(WindowReduceOp op, const Target &target,
                                std::string &reason);
  static FailureOr<Problem> get(WindowOpInterface op, const Target &target,
                                std::string &reason);

  Problem(const Target &target, const LaneReduction &reduction)
      : target(target), reduction(reduction) {}

  Target target;
  LaneReduction reduction;
  Layout layout = Layout::ChannelsFirst;
  /// The spatial dimensions, the outermost first. There is at least one.
  SmallVector<ProblemDim> dims;
  std::optional<int64_t> channels;
  /// True if each buffer has stride 1 in its last dimension.
  bool hasContiguousLanes = true;
  /// True if the input and the results are contiguous in all dimensions and not
  /// known to be empty, so that dimensions can be collapsed. Results on tensors
  /// count as contiguous: a plan that collapses them demands contiguous buffers
  /// by Plan::needsPackedResults().
  bool isPacked = true;
  /// True if a tap in padding may be replaced by a tap of the same window that
  /// is inside the input. This requires that every window is known to have a
  /// tap inside the input. It also requires an extremum whose padding is never
  /// chosen, so any `pad_value` except `zero`.
  bool mayClamp = false;
  /// True if floats must be added in an order that depends on the kernel only;
  /// see `pool.uniform_sums`. Then the strategy must depend only on the kernel
  /// and the layout. With channels first, the strategy is `planes` if
  /// hasUniformPlanes() is true, else `direct`.
  bool isUniform = false;
  /// Bytes of the input and all results together. std::nullopt if unknown.
  std::optional<double> numBytes;
  /// True if the input and the results together have at least
  /// Target::streamedBytes, so that they do not stay in the caches.
  /// std::nullopt if their size is unknown.
  std::optional<bool> isLarge;
  /// Bytes of one element of the input, and of one element of each result.
  int64_t inputBytes = 1;
  SmallVector<int64_t> resultBytes;

  /// Fails, with the reason, if the layout is not `expected` or the last
  /// dimension of a buffer is not contiguous.
  LogicalResult checkLanes(Layout expected, std::string &reason) const;
  /// Fails, with the reason, if there is an argmax and `mayClamp` is false.
  /// Then padding may be chosen, or a window may have no element of the input.
  LogicalResult checkArgmax(std::string &reason) const;

  bool hasRows() const { return dims.size() > 1; }
  /// Returns the second-last spatial dimension. If there is only one, returns a
  /// dimension of one row.
  ProblemDim getRows() const {
    return hasRows() ? dims[dims.size() - 2] : ProblemDim();
  }
  const ProblemDim &getColumns() const { return dims.back(); }
  /// Returns the spatial dimensions before the last two; possibly none.
  ArrayRef<ProblemDim> getOuter() const {
    return ArrayRef(dims).drop_back(std::min<size_t>(dims.size(), 2));
  }
  int64_t getNumOuterTaps() const { return getNumTaps(getOuter()); }
  /// Returns the distance, in positions, from the first tap of a window to tap
  /// `tap` of the dimensions of getOuter(): one number for each of these
  /// dimensions. `tap` is from 0 to getNumOuterTaps() - 1, in row-major order.
  SmallVector<int64_t> getOuterOffsets(int64_t tap) const;
  /// True if channels are last, and their number is known and at most half a
  /// vector.
  bool hasFewChannels() const {
    return layout == Layout::ChannelsLast && channels &&
           2 * *channels <= getLength();
  }
  /// True if channels are first, and windows are within the limits of
  /// cost::kMaxUniformRows etc. Then straight-line code for a vector of outputs
  /// is short enough on every machine. The result depends only on the kernel
  /// and the layout.
  bool hasUniformPlanes() const;
  /// Returns the number of elements of the input in a cache line.
  int64_t getLineLength() const { return target.cacheLineBytes / inputBytes; }
  /// Returns the distance, in elements of the input, between prefetches into
  /// the second cache. It is a cache line. For buffers that are known to come
  /// from memory, it is half a cache line, so that each line is prefetched
  /// twice; see cost::kMemoryFactor.
  int64_t getFetchLength() const;
  /// Returns the number of lanes of a vector.
  int64_t getLength() const { return reduction.getLength(); }
};

/// Fails, with the reason, if `size` operations are more than `most`. The
/// default of `most` is the limit of pinned plans. `what` names the code in the
/// reason.
LogicalResult checkCodeSize(StringRef what, int64_t size, std::string &reason,
                            int64_t most = cost::kMaxPinnedCodeSize);

/// Fails, with the reason, if `number` vectors are more than
/// cost::kMaxSpilledFactor times the registers. (Up to that number, the
/// compiler spills vectors.) `how` says in the reason what is done with the
/// vectors, such as "carried".
LogicalResult checkKept(StringRef how, int64_t number, const Target &target,
                        std::string &reason);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PROBLEM_PROBLEM_H
