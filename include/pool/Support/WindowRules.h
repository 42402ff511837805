// The arithmetic of pooling windows: output extents, pads, counts, bounds.
//
// The rules are signed 64-bit integer arithmetic without IR types. Verifier,
// type inference, lowerings, interpreter and importers share them. A quantity
// that does not fit int64 becomes a RuleViolation, so nothing overflows.
// SymbolicWindowRules.h has the rules over extents that are known only at run
// time.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_SUPPORT_WINDOWRULES_H
#define POOL_SUPPORT_WINDOWRULES_H

#include "pool/Support/PoolEnums.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

namespace mlir::pool {

/// True if every entry of `list` is `value`. True for an empty list.
bool isAll(ArrayRef<int64_t> list, int64_t value);

/// Reasons why a rule gives no value. Callers write the error message, because
/// they know the numbers that belong in it.
enum class RuleViolation {
  KernelBelowOne,
  StrideBelowOne,
  DilationBelowOne,
  NegativePad,
  InputBelowOne,
  WindowExceedsInput,
  OutputBelowOne,
  Overflow,
};

/// A value or the violation that prevents it.
template <typename T>
class RuleOr {
public:
  RuleOr(T value) : storage(std::move(value)) {}
  RuleOr(RuleViolation violation) : storage(violation) {}

  explicit operator bool() const { return std::holds_alternative<T>(storage); }
  const T &operator*() const { return std::get<T>(storage); }
  const T *operator->() const { return &std::get<T>(storage); }
  RuleViolation violation() const { return std::get<RuleViolation>(storage); }

private:
  std::variant<T, RuleViolation> storage;
};

/// The window of one spatial dimension, in elements of that dimension.
struct WindowDim {
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t padBegin = 0;
  int64_t padEnd = 0;
};

/// The modes by which output extents and pads are computed. All spatial
/// dimensions share them.
struct WindowModes {
  RoundingType rounding = RoundingType::Floor;
  AutoPad autoPad = AutoPad::Explicit;
  SameOutput sameOutput = SameOutput::Input;

  bool isSame() const { return pool::isSame(autoPad); }
};

/// The window parameters as an operation stores them, in views that live as
/// long as the operation. An empty list other than `kernel` stands for the
/// default values.
struct WindowAttrs {
  ArrayRef<int64_t> kernel;
  ArrayRef<int64_t> strides;
  ArrayRef<int64_t> dilations;
  ArrayRef<int64_t> padsBegin;
  ArrayRef<int64_t> padsEnd;
  WindowModes modes;
  Layout layout = Layout::ChannelsFirst;

  unsigned getNumSpatialDims() const { return kernel.size(); }
  unsigned getRank() const { return kernel.size() + 2; }
  /// Returns the index of spatial dimension `i` in the shape.
  unsigned getSpatialDim(unsigned i) const {
    return isChannelsFirst(layout) ? i + 2 : i + 1;
  }
  /// Returns the index of the channel dimension in the shape.
  unsigned getChannelDim() const {
    return isChannelsFirst(layout) ? 1 : getRank() - 1;
  }
  /// Returns the window of spatial dimension `i`. Requires lists that satisfy
  /// Window.C2.
  WindowDim getDim(unsigned i) const {
    WindowDim dim;
    dim.kernel = kernel[i];
    dim.stride = strides.empty() ? 1 : strides[i];
    dim.dilation = dilations.empty() ? 1 : dilations[i];
    dim.padBegin = padsBegin.empty() ? 0 : padsBegin[i];
    dim.padEnd = padsEnd.empty() ? 0 : padsEnd[i];
    return dim;
  }
  /// True if `auto_pad` is `explicit` and a pad is not 0.
  bool hasExplicitPads() const;
};

/// A window like WindowAttrs that owns its lists, for use without an operation.
struct OwnedWindow {
  SmallVector<int64_t> kernel, strides, dilations, padsBegin, padsEnd;
  WindowModes modes;
  Layout layout = Layout::ChannelsFirst;

  /// Returns a window with `kernel`, `layout` and defaults for everything else.
  /// No list is empty.
  static OwnedWindow get(ArrayRef<int64_t> kernel, Layout layout);

  /// Returns views that live as long as this object.
  WindowAttrs getAttrs() const {
    return {kernel, strides, dilations, padsBegin, padsEnd, modes, layout};
  }
  /// True if a pad is not 0. Requires that `auto_pad` is `explicit`.
  bool hasPadding() const;
};

/// A dimension of known input extent. `padBegin` and `padEnd` are the effective
/// pads, which `auto_pad` may have computed.
struct ResolvedDim {
  int64_t input;
  int64_t output;
  int64_t kernel;
  int64_t stride;
  int64_t dilation;
  int64_t padBegin;
  int64_t padEnd;
  /// Positions past the padded input that the last window covers, at least 0.
  int64_t overhang;

  /// Returns the first position of window `o`, relative to the input's first
  /// element.
  int64_t getStart(int64_t o) const { return o * stride - padBegin; }
  /// Returns the number of positions past the input's last element that windows
  /// cover, at least 0. They are padding and overhang, and a padded copy of the
  /// input needs as many elements there.
  int64_t getCoveredEnd() const;
};

/// Returns the begin and end pads of `dim` if `auto_pad` is `explicit`, else
/// two zeros.
std::pair<int64_t, int64_t> getGivenPads(const WindowDim &dim,
                                         const WindowModes &modes);

/// Returns `(kernel - 1) * dilation + 1`, or a violation if that does not fit
/// int64. Requires that kernel and dilation are at least 1.
RuleOr<int64_t> getWindowExtent(const WindowDim &dim);

/// Returns the first violation of the constraints that do not depend on the
/// input extent, or none. These constraints are Window.C3 to Window.C6, and
/// Window.C10 for the window's extent.
std::optional<RuleViolation> checkDim(const WindowDim &dim);

/// Resolves pads and output extent for `input` elements
/// (docs/Reference/Semantics.md, "One dimension"). Returns a violation of
/// Window.C3 to Window.C10 if there is one.
RuleOr<ResolvedDim> resolveDim(int64_t input, const WindowDim &dim,
                               const WindowModes &modes);

/// A range [min, max] of input extents; empty if `min > max`.
struct InputRange {
  int64_t min;
  int64_t max;
};

/// Returns the range of the input extents that resolveDim accepts, for run-time
/// checks.
InputRange getInputRange(const WindowDim &dim, const WindowModes &modes);

/// The padding and overhang that the windows of a dimension cover.
struct PadBounds {
  /// The numbers of positions before and after the input; none if they depend
  /// on an unknown extent.
  std::optional<int64_t> padBegin, coveredEnd;
  /// False only if no window leaves the input.
  bool coversPadding = true;
  /// Upper bounds of the same; none if there is no bound.
  std::optional<int64_t> mostBegin, mostEnd;
};

/// Returns what is known of the pads of a dimension of unknown extent. Requires
/// that checkDim accepts `dim`.
PadBounds getPadBounds(const WindowDim &dim, const WindowModes &modes);

/// The taps `begin <= t < end` of a window. There are none if `end <= begin`.
struct TapRange {
  int64_t begin;
  int64_t end;
  int64_t size() const { return end > begin ? end - begin : 0; }
};

/// Returns the taps of window `o` that lie inside the input; there may be none.
TapRange getValidTaps(const ResolvedDim &dim, int64_t o);

/// Returns the number of taps of output `o` that `divisor` counts in this
/// dimension. An average divides by the product of these numbers over all
/// dimensions.
int64_t getCount(const ResolvedDim &dim, Divisor divisor, int64_t o);

/// Returns the first output for which getCount is 0, so that its average is
/// undefined. Returns none if there is no such output, for example under
/// Divisor::Kernel. Takes time logarithmic in the extents.
std::optional<int64_t> getFirstEmptyWindow(const ResolvedDim &dim,
                                           Divisor divisor);

/// Returns explicit begin and end pads that, with rounding floor, give the same
/// outputs as `dim`. An overhang becomes padding. So with `countsPadding`
/// (divisor `padded`), returns none if there is an overhang, because `padded`
/// would count the new padding.
std::optional<std::pair<int64_t, int64_t>>
getExplicitPads(const ResolvedDim &dim, bool countsPadding);

/// Returns the product of the extents, or none if it does not fit int64.
/// Requires that no extent is negative.
std::optional<int64_t> getProduct(ArrayRef<int64_t> extents);

/// Upper bound of the bytes of a tensor in memory: the address spaces of
/// today's processors have at most 57 bits.
constexpr int64_t kAddressable = int64_t(1) << 57;

/// Number of positions that an index of type i32 can name.
constexpr int64_t kMaxI32IndexBound = int64_t(1) << 31;

/// The position that pool.window_reduce returns for a window in which it chose
/// no element.
constexpr int64_t kNoPosition = -1;

} // namespace mlir::pool

#endif // POOL_SUPPORT_WINDOWRULES_H
