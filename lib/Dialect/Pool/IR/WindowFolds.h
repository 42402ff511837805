// Tells which parameters of a window have no effect. The canonicalizations of
// all window operations use this.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_DIALECT_POOL_IR_WINDOWFOLDS_H
#define POOL_LIB_DIALECT_POOL_IR_WINDOWFOLDS_H

#include "mlir/IR/BuiltinTypes.h"
#include "pool/Support/WindowRules.h"

namespace mlir::pool {

/// True if the attributes show, without knowledge of extents, that no window
/// covers padding or overhang.
bool touchesNoPadding(const WindowAttrs &window);

/// True if window o is exactly element o of the input, for any input: kernel
/// and strides are 1, and there is no padding.
bool isIdentityWindow(const WindowAttrs &window);

/// True if it is known that rounding floor gives the same output extents as the
/// rounding of `window`, and that no window covers overhang.
bool roundsLikeFloor(const WindowAttrs &window, TensorType input);

/// Sets window properties that have no effect to their defaults. `window` is
/// the window of `properties`, and `input` the type of the pooled tensor.
template <typename Properties>
void normalizeWindow(Properties &properties, const WindowAttrs &window,
                     TensorType input) {
  for (unsigned i = 0; i < properties.dilations.size(); ++i)
    if (window.kernel[i] == 1)
      properties.dilations[i] = 1;
  if (isAll(properties.dilations, 1))
    properties.dilations.clear();
  if (isAll(window.strides, 1))
    properties.strides.clear();

  bool explicitPads = readsPads(window.modes.autoPad);
  if (!explicitPads || isAll(window.padsBegin, 0))
    properties.pads_begin.clear();
  if (!explicitPads || isAll(window.padsEnd, 0))
    properties.pads_end.clear();

  // With stride 1, both values of same_output give the same extent.
  if (!window.modes.isSame() || isAll(window.strides, 1))
    properties.same_output = SameOutput::Input;
  if (roundsLikeFloor(window, input))
    properties.rounding_type = RoundingType::Floor;
}

} // namespace mlir::pool

#endif // POOL_LIB_DIALECT_POOL_IR_WINDOWFOLDS_H
