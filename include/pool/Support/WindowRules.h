// The arithmetic of pooling windows: output extents, pads, counts, bounds.
//
// Every rule stands here once, as 64-bit signed integer arithmetic without IR
// types, for the verifier, type inference, lowerings, interpreter and
// importers alike. Nothing overflows: a quantity that leaves int64 is an error
// value. SymbolicWindowRules.h has the same rules over extents that only run
// time knows.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_SUPPORT_WINDOWRULES_H
#define POOL_SUPPORT_WINDOWRULES_H

#include "pool/Dialect/Pool/IR/PoolEnums.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <variant>

namespace mlir::pool {

/// True if every entry is `value`; so it is of an empty list.
bool isAll(ArrayRef<int64_t> list, int64_t value);

/// Why a rule gives no value. Callers word the message; they have the numbers.
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

/// The modes that derive extents and pads, common to all spatial dimensions.
struct WindowModes {
  RoundingType rounding = RoundingType::Floor;
  AutoPad autoPad = AutoPad::Explicit;
  SameOutput sameOutput = SameOutput::Input;

  bool isSame() const {
    return autoPad == AutoPad::SameUpper || autoPad == AutoPad::SameLower;
  }
};

/// The window parameters of an operation, as it stores them: views that live as
/// long as the operation. An absent (empty) list holds its defaults.
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
    return layout == Layout::ChannelsFirst ? i + 2 : i + 1;
  }
  unsigned getChannelDim() const {
    return layout == Layout::ChannelsFirst ? 1 : getRank() - 1;
  }
  /// Window of spatial dimension `i`; lists must have been checked (Window.C2).
  WindowDim getDim(unsigned i) const {
    WindowDim dim;
    dim.kernel = kernel[i];
    dim.stride = strides.empty() ? 1 : strides[i];
    dim.dilation = dilations.empty() ? 1 : dilations[i];
    dim.padBegin = padsBegin.empty() ? 0 : padsBegin[i];
    dim.padEnd = padsEnd.empty() ? 0 : padsEnd[i];
    return dim;
  }
};

/// WindowAttrs that owns its lists, for a window that no operation holds.
struct OwnedWindow {
  SmallVector<int64_t> kernel, strides, dilations, padsBegin, padsEnd;
  WindowModes modes;
  Layout layout = Layout::ChannelsFirst;

  /// A window of `kernel` with the defaults for all else, in full lists.
  static OwnedWindow get(ArrayRef<int64_t> kernel, Layout layout);

  /// The same as views, as long as this object lives.
  WindowAttrs getAttrs() const {
    return {kernel, strides, dilations, padsBegin, padsEnd, modes, layout};
  }
  /// True if a pad is not 0. Pads are explicit.
  bool hasPadding() const;
};

/// A dimension whose input extent is known, with pads resolved and the output
/// extent computed. `padBegin` and `padEnd` are those that take effect.
struct ResolvedDim {
  int64_t input;
  int64_t output;
  int64_t kernel;
  int64_t stride;
  int64_t dilation;
  int64_t padBegin;
  int64_t padEnd;
  /// Positions that the last window covers past the padded input, at least 0.
  int64_t overhang;

  /// First position of window `o`, relative to the input's first element.
  int64_t getStart(int64_t o) const { return o * stride - padBegin; }
  /// Positions past the input's last element that windows cover, padding and
  /// overhang, at least 0: the end padding to materialise.
  int64_t getCoveredEnd() const;
};

/// `E = (kernel - 1) * dilation + 1` of a dimension with kernel, dilation >= 1.
RuleOr<int64_t> getWindowExtent(const WindowDim &dim);

/// Checks what does not depend on the input extent: Window.C3 to Window.C6, and
/// Window.C10 for the window extent and its sum with the pads.
std::optional<RuleViolation> checkDim(const WindowDim &dim);

/// Resolves pads and output extent for `input` elements (the table in
/// docs/Reference/Semantics.md, "One dimension"): Window.C3 to Window.C10.
RuleOr<ResolvedDim> resolveDim(int64_t input, const WindowDim &dim,
                               const WindowModes &modes);

/// The input extents that `resolveDim` accepts, an interval: what a run-time
/// check compares with. Empty (`min > max`) if no extent is accepted.
struct InputRange {
  int64_t min;
  int64_t max;
};
InputRange getInputRange(const WindowDim &dim, const WindowModes &modes);

/// A half-open interval of window positions 0 <= t < kernel.
struct TapRange {
  int64_t begin;
  int64_t end;
  int64_t size() const { return end > begin ? end - begin : 0; }
};

/// The window positions of output `o` that lie inside the input.
TapRange getValidTaps(const ResolvedDim &dim, int64_t o);

/// The number of window positions of output `o` that a divisor counts in this
/// dimension; the divisor of an average is the product over the dimensions.
int64_t getCount(const ResolvedDim &dim, Divisor divisor, int64_t o);

/// The first output whose window counts nothing under `divisor` in this
/// dimension, so that an average over it is ill-defined; none for `kernel`.
/// Time is logarithmic in the extents.
std::optional<int64_t> getFirstEmptyWindow(const ResolvedDim &dim,
                                           Divisor divisor);

/// Begin and end pads which, with rounding floor and without `auto_pad`, give
/// the same outputs as `dim`. With
/// `countsPadding` (divisor `padded`) only if no window has an overhang, which
/// padding would turn into something counted.
std::optional<std::pair<int64_t, int64_t>>
getExplicitPads(const ResolvedDim &dim, bool countsPadding);

/// Product of the extents, or none if it leaves int64. All extents >= 0.
std::optional<int64_t> getProduct(ArrayRef<int64_t> extents);

/// No tensor has as many bytes: address spaces have at most 57 bits.
constexpr int64_t kAddressable = int64_t(1) << 57;

/// Number of positions that an index of type i32 can name.
constexpr int64_t kMaxI32IndexBound = int64_t(1) << 31;

/// The position that pool.window_reduce gives where it chose no element.
constexpr int64_t kNoPosition = -1;

} // namespace mlir::pool

#endif // POOL_SUPPORT_WINDOWRULES_H
