// The arithmetic of pooling windows: output extents, pads, counts, bounds.
//
// Every rule stands here once, as 64-bit signed integer arithmetic without IR
// types. Verifier, type inference, lowerings, interpreter and importers share
// it. Nothing overflows: a quantity that leaves int64 is an error value.
// SymbolicWindowRules.h has the same rules over extents that are known only at
// run time.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_SUPPORT_WINDOWRULES_H
#define POOL_SUPPORT_WINDOWRULES_H

#include "pool/Dialect/Pool/IR/PoolEnums.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

namespace mlir::pool {

/// True if every entry is `value`, also for an empty list.
bool isAll(ArrayRef<int64_t> list, int64_t value);

/// Reasons why a rule gives no value. Callers word the message, because they
/// have the numbers.
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

/// The modes that extents and pads are derived from, common to all spatial
/// dimensions.
struct WindowModes {
  RoundingType rounding = RoundingType::Floor;
  AutoPad autoPad = AutoPad::Explicit;
  SameOutput sameOutput = SameOutput::Input;

  bool isSame() const { return pool::isSame(autoPad); }
};

/// The window parameters as an operation stores them, in views that live as
/// long as the operation. An empty list stands for its defaults.
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
  /// Positions of the spatial dimensions and of the channels in the shape.
  unsigned getSpatialDim(unsigned i) const {
    return isChannelsFirst(layout) ? i + 2 : i + 1;
  }
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
  /// True if a pad that takes effect is not 0; false for `same_*`.
  bool hasExplicitPads() const;
};

/// WindowAttrs that owns its lists, for a window that no operation holds.
struct OwnedWindow {
  SmallVector<int64_t> kernel, strides, dilations, padsBegin, padsEnd;
  WindowModes modes;
  Layout layout = Layout::ChannelsFirst;

  /// Returns a window of `kernel` with defaults for everything else, in full
  /// lists.
  static OwnedWindow get(ArrayRef<int64_t> kernel, Layout layout);

  /// Returns views that live as long as this object.
  WindowAttrs getAttrs() const {
    return {kernel, strides, dilations, padsBegin, padsEnd, modes, layout};
  }
  /// True if a pad is not 0. Requires explicit pads.
  bool hasPadding() const;
};

/// A dimension of known input extent, with resolved pads and the output extent.
/// `padBegin` and `padEnd` are the effective pads.
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
  /// cover, padding and overhang, at least 0: the end padding to materialise.
  int64_t getCoveredEnd() const;
};

/// Returns begin and end pads of `dim` if `modes` reads them, else 0.
std::pair<int64_t, int64_t> getGivenPads(const WindowDim &dim,
                                         const WindowModes &modes);

/// Returns `(kernel - 1) * dilation + 1`. Requires kernel, dilation >= 1.
RuleOr<int64_t> getWindowExtent(const WindowDim &dim);

/// Checks the constraints that do not depend on the input extent: Window.C3 to
/// Window.C6, and Window.C10 for the window extent and its sum with the pads.
std::optional<RuleViolation> checkDim(const WindowDim &dim);

/// Resolves pads and output extent for `input` elements, and checks Window.C3
/// to Window.C10 (docs/Reference/Semantics.md, "One dimension").
RuleOr<ResolvedDim> resolveDim(int64_t input, const WindowDim &dim,
                               const WindowModes &modes);

/// Interval of the input extents that `resolveDim` accepts, for run-time
/// checks. Empty (`min > max`) if it accepts none.
struct InputRange {
  int64_t min;
  int64_t max;
};
InputRange getInputRange(const WindowDim &dim, const WindowModes &modes);

/// A half-open interval of taps 0 <= t < kernel.
struct TapRange {
  int64_t begin;
  int64_t end;
  int64_t size() const { return end > begin ? end - begin : 0; }
};

/// Returns the taps of output `o` inside the input.
TapRange getValidTaps(const ResolvedDim &dim, int64_t o);

/// Returns the number of taps of output `o` that a divisor counts in this
/// dimension. The divisor of an average is the product over the dimensions.
int64_t getCount(const ResolvedDim &dim, Divisor divisor, int64_t o);

/// Returns the first output whose window counts nothing under `divisor` in this
/// dimension, so that its average is undefined. Returns none if there is no
/// such window, as always for `kernel`. Time is logarithmic in the extents.
std::optional<int64_t> getFirstEmptyWindow(const ResolvedDim &dim,
                                           Divisor divisor);

/// Returns begin and end pads that give the same outputs as `dim` with rounding
/// floor and without `auto_pad`. With `countsPadding` (divisor `padded`),
/// returns none if a window has an overhang, because padding would be counted
/// there.
std::optional<std::pair<int64_t, int64_t>>
getExplicitPads(const ResolvedDim &dim, bool countsPadding);

/// Returns the product of the extents, or none if it leaves int64. Requires
/// extents >= 0.
std::optional<int64_t> getProduct(ArrayRef<int64_t> extents);

/// More bytes than any tensor has: address spaces have at most 57 bits.
constexpr int64_t kAddressable = int64_t(1) << 57;

/// Number of positions that an index of type i32 can name.
constexpr int64_t kMaxI32IndexBound = int64_t(1) << 31;

/// The position that pool.window_reduce returns if it chose no element.
constexpr int64_t kNoPosition = -1;

} // namespace mlir::pool

#endif // POOL_SUPPORT_WINDOWRULES_H
