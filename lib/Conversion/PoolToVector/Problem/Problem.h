// All that a plan depends on: a window reduction as far as it is known when it
// is lowered, and the machine.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PROBLEM_PROBLEM_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PROBLEM_PROBLEM_H

#include "Emit/LaneReduction.h"
#include "Plans/PlanFields.h"
#include "Problem/Limits.h"

#include <numeric>

namespace mlir::pool {

/// The windows of one dimension: output `o` covers the positions
/// `o * stride + t * dilation`.
struct KernelDim {
  int64_t kernel = 1, stride = 1, dilation = 1;

  int64_t getExtent() const { return (kernel - 1) * dilation + 1; }
  /// The positions that the windows of `numOutputs` outputs reach over.
  int64_t getSpan(int64_t numOutputs) const {
    return (numOutputs - 1) * stride + getExtent();
  }
  /// Returns the positions that have a tap, in order.
  SmallVector<int64_t> getPositions(int64_t numOutputs) const;
  int64_t getNumPositions(int64_t numOutputs) const;
  /// Outputs that are so far apart begin a whole number of dilations apart, and
  /// have taps in common.
  int64_t getSharingDistance() const {
    return dilation / std::gcd(stride, dilation);
  }
  /// By how many taps the windows of two such outputs differ.
  int64_t getSharingStride() const {
    return stride / std::gcd(stride, dilation);
  }
};

/// A spatial dimension. The default is one window of one element.
struct ProblemDim : KernelDim {
  /// Extents of input and output and the padding at the beginning, where known.
  std::optional<int64_t> knownInput = 1, knownOutput = 1, knownPad = 0;
  /// True if windows can reach over either end.
  bool coversPadding = false;
};

/// Returns the number of taps in all of `dims`, limited to a number that no
/// code is emitted for.
inline int64_t getNumTaps(ArrayRef<ProblemDim> dims) {
  constexpr int64_t kMost = int64_t(1) << 31;
  int64_t numTaps = 1;
  for (const ProblemDim &dim : dims)
    numTaps = std::min(numTaps * std::min(dim.kernel, kMost), kMost);
  return numTaps;
}

/// Refuses another layout than `expected`.
LogicalResult checkLayout(Layout layout, Layout expected, std::string &reason);

struct Problem {
  /// The reduction `op`, on tensors or buffers, or the one that `op` is
  /// decomposed to, whose input must be ranked. Fails, with the reason, where
  /// no strategy is for it: elements without vectors, extents that leave 64
  /// bits once several windows are taken together, no outputs.
  static FailureOr<Problem> get(WindowReduceOp op, const Target &target,
                                std::string &reason);
  static FailureOr<Problem> get(WindowOpInterface op, const Target &target,
                                std::string &reason);

  Problem(const Target &target, const LaneReduction &reduction)
      : target(target), reduction(reduction) {}

  Target target;
  LaneReduction reduction;
  Layout layout = Layout::ChannelsFirst;
  /// In order; there is one at least.
  SmallVector<ProblemDim> dims;
  std::optional<int64_t> channels;
  /// True if consecutive elements of the last dimension of each buffer are
  /// consecutive in memory.
  bool hasContiguousLanes = true;
  /// True if all elements of each buffer are, in row-major order, and there may
  /// be some: dimensions of such buffers can be collapsed.
  bool isPacked = true;
  /// True if a position in the padding may be replaced by another position of
  /// the same window. This requires a maximum or minimum whose padding is never
  /// chosen (any `pad_value` but `zero`), and an element of the input in every
  /// window.
  bool mayClamp = false;
  /// True if the order in which floats are added may depend on nothing but the
  /// kernel; see `pool.uniform_sums`. Then the strategy may not, either:
  /// hasUniformPlanes() decides between those for planes and `direct`.
  bool isUniform = false;
  /// Bytes of the input and all results, if known.
  std::optional<double> numBytes;
  /// True if buffers that are read and written together do not stay in the
  /// caches, if that is known.
  std::optional<bool> isLarge;
  /// Bytes of an element of the input, and of each result.
  int64_t inputBytes = 1;
  SmallVector<int64_t> resultBytes;

  /// Refuses another layout than `expected`, or lanes that are not consecutive.
  LogicalResult checkLanes(Layout expected, std::string &reason) const;
  /// Refuses positions if a window may lie in padding alone.
  LogicalResult checkArgmax(std::string &reason) const;

  bool hasRows() const { return dims.size() > 1; }
  /// One row where there is no such dimension.
  ProblemDim getRows() const {
    return hasRows() ? dims[dims.size() - 2] : ProblemDim();
  }
  const ProblemDim &getColumns() const { return dims.back(); }
  /// The dimensions before the rows.
  ArrayRef<ProblemDim> getOuter() const {
    return ArrayRef(dims).drop_back(std::min<size_t>(dims.size(), 2));
  }
  int64_t getNumOuterTaps() const { return getNumTaps(getOuter()); }
  /// Returns where a tap of the outer dimensions is, from the window's start.
  SmallVector<int64_t> getOuterOffsets(int64_t tap) const;
  /// True if lanes are channels, known to be no more than half a vector.
  bool hasFewChannels() const {
    return layout == Layout::ChannelsLast && channels &&
           2 * *channels <= getLength();
  }
  /// True if windows are so small that straight code is for some of them on
  /// every machine. It depends on the kernel alone.
  bool hasUniformPlanes() const;
  /// Elements of the input in a cache line.
  int64_t getLineLength() const { return target.cacheLineBytes / inputBytes; }
  /// Elements of the input from one request to fetch them into the second cache
  /// to the next.
  int64_t getFetchLength() const;
  /// Lanes of a vector.
  int64_t getLength() const { return reduction.getLength(); }
};

/// Fails where the code of `what` is longer than `most` operations. By default,
/// these are as many as a pinned plan may have.
LogicalResult checkCodeSize(StringRef what, int64_t size, std::string &reason,
                            int64_t most = cost::kMaxPinnedCodeSize);

/// Refuses a pinned plan that keeps more vectors than a few times the
/// registers.
LogicalResult checkKept(StringRef how, int64_t number, const Target &target,
                        std::string &reason);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PROBLEM_PROBLEM_H
