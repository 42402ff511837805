// The arithmetic of pooling windows: output extents, pads, counts and bounds.
//
// The rules compute with signed 64-bit integers and do not use IR. Verifiers,
// type inference, lowerings, the interpreter and importers share them. If a
// quantity does not fit int64, a rule returns a RuleViolation.
// SymbolicWindowRules.h has the same rules for extents that are known only at
// run time.
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

/// True if every entry of `list` equals `value`. Also true for an empty list.
bool isAll(ArrayRef<int64_t> list, int64_t value);

/// The constraint that the arguments of a rule violate, so that the rule has no
/// result. Callers write the error message, because only they know the numbers
/// to print.
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

/// The result of a rule, or the violated constraint. Converts to true if it
/// holds a result. violation() requires that it holds none.
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

/// The window of one spatial dimension. All numbers count elements.
struct WindowDim {
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t padBegin = 0;
  int64_t padEnd = 0;
};

/// Modes that determine output extents and pads. All spatial dimensions have
/// the same modes.
struct WindowModes {
  RoundingType rounding = RoundingType::Floor;
  AutoPad autoPad = AutoPad::Explicit;
  SameOutput sameOutput = SameOutput::Input;

  bool isSame() const { return pool::isSame(autoPad); }
};

/// Window parameters as an operation stores them. The views live as long as the
/// operation. An empty list means the default for all dimensions; only `kernel`
/// must not be empty.
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
  /// Returns the number of the tensor dimension that is spatial dimension `i`.
  unsigned getSpatialDim(unsigned i) const {
    return isChannelsFirst(layout) ? i + 2 : i + 1;
  }
  /// Returns the number of the tensor dimension that holds the channels.
  unsigned getChannelDim() const {
    return isChannelsFirst(layout) ? 1 : getRank() - 1;
  }
  /// Returns the window of spatial dimension `i`, with defaults for empty
  /// lists. Requires that each list is empty or has getNumSpatialDims() entries
  /// (Window.C2).
  WindowDim getDim(unsigned i) const {
    WindowDim dim;
    dim.kernel = kernel[i];
    dim.stride = strides.empty() ? 1 : strides[i];
    dim.dilation = dilations.empty() ? 1 : dilations[i];
    dim.padBegin = padsBegin.empty() ? 0 : padsBegin[i];
    dim.padEnd = padsEnd.empty() ? 0 : padsEnd[i];
    return dim;
  }
  /// True if `auto_pad` is `explicit` and some pad is not 0.
  bool hasExplicitPads() const;
};

/// Like WindowAttrs, but owns the lists. Use it for a window that is not stored
/// in an operation.
struct OwnedWindow {
  SmallVector<int64_t> kernel, strides, dilations, padsBegin, padsEnd;
  WindowModes modes;
  Layout layout = Layout::ChannelsFirst;

  /// Returns a window with `kernel`, `layout` and default values. The lists
  /// contain the default values, and are not empty.
  static OwnedWindow get(ArrayRef<int64_t> kernel, Layout layout);

  /// Returns views that live as long as this object.
  WindowAttrs getAttrs() const {
    return {kernel, strides, dilations, padsBegin, padsEnd, modes, layout};
  }
  /// True if some pad is not 0. Requires that `auto_pad` is `explicit`.
  bool hasPadding() const;
};

/// The window of a dimension whose input extent is known. `padBegin` and
/// `padEnd` are the effective pads: the given pads, or the pads that `auto_pad`
/// implies.
struct ResolvedDim {
  int64_t input;
  int64_t output;
  int64_t kernel;
  int64_t stride;
  int64_t dilation;
  int64_t padBegin;
  int64_t padEnd;
  /// Number of positions after the padded input that the last window covers, at
  /// least 0.
  int64_t overhang;

  /// Returns the first position of window `o`, relative to the first element of
  /// the input.
  int64_t getStart(int64_t o) const { return o * stride - padBegin; }
  /// Returns the number of positions after the last element of the input that
  /// windows cover, at least 0. These are padding and overhang. A padded copy
  /// of the input needs this number of elements after the input.
  int64_t getCoveredEnd() const;
};

/// Returns the begin pad and the end pad of `dim` if `auto_pad` is `explicit`,
/// and otherwise two zeros.
std::pair<int64_t, int64_t> getGivenPads(const WindowDim &dim,
                                         const WindowModes &modes);

/// Returns `(kernel - 1) * dilation + 1`, the number of positions from the
/// first tap to the last. Returns a violation if that does not fit int64.
/// Requires that kernel and dilation are at least 1.
RuleOr<int64_t> getWindowExtent(const WindowDim &dim);

/// Checks the constraints that do not depend on the input extent: Window.C3 to
/// Window.C6, and Window.C10 for the extent of the window. Returns the first
/// violation, or none.
std::optional<RuleViolation> checkDim(const WindowDim &dim);

/// Computes the pads and the output extent for `input` elements by the rules of
/// docs/Reference/Semantics.md, "One dimension". Returns a violation if one of
/// Window.C3 to Window.C10 does not hold.
RuleOr<ResolvedDim> resolveDim(int64_t input, const WindowDim &dim,
                               const WindowModes &modes);

/// A range [min, max] of input extents. It is empty if `min > max`.
struct InputRange {
  int64_t min;
  int64_t max;
};

/// Returns the range of the input extents that resolveDim accepts. Run-time
/// checks use it.
InputRange getInputRange(const WindowDim &dim, const WindowModes &modes);

/// Bounds of the padding and overhang that the windows of a dimension cover.
struct PadBounds {
  /// Numbers of positions that windows cover before the input (`padBegin`) and
  /// after it (`coveredEnd`). None if the number depends on the unknown input
  /// extent.
  std::optional<int64_t> padBegin, coveredEnd;
  /// False if it is known that no window covers a position outside the input.
  bool coversPadding = true;
  /// Upper bounds of `padBegin` and of `coveredEnd`. None if there is no bound.
  std::optional<int64_t> mostBegin, mostEnd;
};

/// Returns the bounds for a dimension whose input extent is unknown. Requires
/// that checkDim accepts `dim`.
PadBounds getPadBounds(const WindowDim &dim, const WindowModes &modes);

/// The taps `begin <= t < end` of a window. The range is empty if `end <=
/// begin`.
struct TapRange {
  int64_t begin;
  int64_t end;
  int64_t size() const { return end > begin ? end - begin : 0; }
};

/// Returns the range of the taps of window `o` that lie inside the input. It
/// may be empty.
TapRange getValidTaps(const ResolvedDim &dim, int64_t o);

/// Returns the number of taps of window `o` in this dimension that `divisor`
/// counts. An average divides by the product of these numbers over all
/// dimensions.
int64_t getCount(const ResolvedDim &dim, Divisor divisor, int64_t o);

/// Returns the first output for which getCount is 0; its average would be 0/0.
/// Returns none if there is no such output, as always under Divisor::Kernel.
/// Takes time logarithmic in the extents.
std::optional<int64_t> getFirstEmptyWindow(const ResolvedDim &dim,
                                           Divisor divisor);

/// Returns begin and end pads with which an explicit window with rounding floor
/// has the same outputs as `dim`. Positions of an overhang become padding. Set
/// `countsPadding` for an average whose divisor is `padded`: the function then
/// returns none if there is an overhang, because the divisor would count the
/// new padding.
std::optional<std::pair<int64_t, int64_t>>
getExplicitPads(const ResolvedDim &dim, bool countsPadding);

/// Returns the product of `extents`, or none if it does not fit int64. Requires
/// that no extent is negative.
std::optional<int64_t> getProduct(ArrayRef<int64_t> extents);

/// Upper bound of the size of a tensor in bytes. The address spaces of today's
/// processors have at most 57 bits.
constexpr int64_t kAddressable = int64_t(1) << 57;

/// Number of positions that an index of type i32 can represent.
constexpr int64_t kMaxI32IndexBound = int64_t(1) << 31;

/// The position that pool.window_reduce returns for a window in which no
/// element was chosen.
constexpr int64_t kNoPosition = -1;

} // namespace mlir::pool

#endif // POOL_SUPPORT_WINDOWRULES_H
