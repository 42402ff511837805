// Sets the window properties of an operation that is about to be created. This
// is the inverse of WindowAttrsOpInterface::getWindow().
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_WINDOWPROPERTIES_H
#define POOL_DIALECT_POOL_IR_WINDOWPROPERTIES_H

#include "pool/Support/WindowRules.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::pool {

/// Sets the window properties in `properties` to `attrs`. A list that equals
/// its default stays empty. Requires that the lists in `properties` are empty.
template <typename Properties>
void setWindow(Properties &properties, const WindowAttrs &attrs) {
  const auto &[kernel, strides, dilations, padsBegin, padsEnd, modes, layout] =
      attrs;
  const auto &[rounding, autoPad, sameOutput] = modes;
  auto set = [](SmallVector<int64_t> &property, ArrayRef<int64_t> list,
                int64_t absent) {
    if (!isAll(list, absent))
      property = llvm::to_vector(list);
  };
  properties.kernel = llvm::to_vector(kernel);
  set(properties.strides, strides, 1);
  set(properties.dilations, dilations, 1);
  set(properties.pads_begin, padsBegin, 0);
  set(properties.pads_end, padsEnd, 0);
  properties.rounding_type = rounding;
  properties.auto_pad = autoPad;
  properties.same_output = sameOutput;
  properties.layout = layout;
}

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_WINDOWPROPERTIES_H
