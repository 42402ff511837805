// Tells which parameters of a window have no effect, for the canonicalisations
// of all window operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_DIALECT_POOL_IR_WINDOWFOLDS_H
#define POOL_LIB_DIALECT_POOL_IR_WINDOWFOLDS_H

#include "mlir/IR/BuiltinTypes.h"
#include "pool/Support/WindowRules.h"

namespace mlir::pool {

/// True if the attributes alone show that no window covers padding or an
/// overhang.
bool touchesNoPadding(const WindowAttrs &window);

/// True if windows are single elements, one for each element of the input.
bool isIdentityWindow(const WindowAttrs &window);

/// True if rounding floor is known to give the output extents of `window`, and
/// no window has an overhang.
bool roundsLikeFloor(const WindowAttrs &window, TensorType input);

/// Sets window properties without effect to their defaults.
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
