// Pooling functions that choose an element of each window, and their gradients.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Arguments.h"
#include "Call.h"
#include "Docstrings.h"
#include "Functions.h"

#include <optional>

namespace nb = nanobind;
using namespace nb::literals;
using namespace mlir::pool;
using namespace mlir::pool::python;

namespace {
/// Names of one function and its gradient, in literals.
struct ExtremumNames {
  const char *pool, *grad;
  /// Names of the operations.
  const char *poolOp, *gradOp;
  /// Adjective of the chosen element in help().
  const char *chosen;
  /// Default of pad_value.
  const char *neverChosen;
};
} // namespace

static constexpr ExtremumNames kExtrema[] = {
    {"max_pool", "max_pool_grad", "pool.max_pool", "pool.max_pool_grad",
     "largest", "neg_inf"},
    {"min_pool", "min_pool_grad", "pool.min_pool", "pool.min_pool_grad",
     "smallest", "pos_inf"},
};

static void addPool(nb::module_ &module, const ExtremumNames &names) {
  module.def(
      names.pool,
      [&names](nb::handle x, nb::handle kernel, nb::handle strides,
               nb::handle padsBegin, nb::handle padsEnd, nb::handle dilations,
               Name roundingType, Name autoPad, Name sameOutput, Name layout,
               int64_t axis, Name padValue, Name nanMode, bool returnIndices,
               Name indexElementType, nb::handle out) {
        InputArray input(x, "x");
        Request request =
            makeWindowRequest(names.poolOp, input,
                              {kernel, strides, padsBegin, padsEnd, dilations,
                               roundingType, autoPad, sameOutput, layout});
        request.integers.push_back({"axis", axis});
        request.enumerations.push_back({"pad_value", padValue});
        request.enumerations.push_back({"nan_mode", nanMode});
        unsigned bits = getIndexBits(indexElementType);
        request.indexBits = returnIndices ? bits : 0;
        return call(request, {&input}, out);
      },
      "x"_a, "kernel"_a.none(), "strides"_a = nb::none(),
      "pads_begin"_a = nb::none(), "pads_end"_a = nb::none(),
      "dilations"_a = nb::none(), "rounding_type"_a = "floor",
      "auto_pad"_a = "explicit", "same_output"_a = "input",
      "layout"_a = "channels_first", "axis"_a = 0,
      "pad_value"_a = names.neverChosen, "nan_mode"_a = "ignore",
      "return_indices"_a = false, "index_element_type"_a = "i64",
      "out"_a = nb::none(),
      getExtremumPoolDoc(names.chosen, names.neverChosen).c_str());
}

static void addGrad(nb::module_ &module, const ExtremumNames &names) {
  module.def(
      names.grad,
      [&names](nb::handle x, nb::handle outputGrad, nb::handle kernel,
               nb::handle strides, nb::handle padsBegin, nb::handle padsEnd,
               nb::handle dilations, Name roundingType, Name autoPad,
               Name sameOutput, Name layout, int64_t axis, Name nanMode,
               nb::handle indices, nb::handle out) {
        InputArray input(x, "x");
        InputArray grad(outputGrad, "output_grad");
        std::optional<InputArray> positions;
        mlir::SmallVector<const BorrowedArray *, 3> operands = {&input, &grad};
        if (!indices.is_none())
          operands.push_back(&positions.emplace(indices, "indices"));
        Request request =
            makeWindowRequest(names.gradOp, input,
                              {kernel, strides, padsBegin, padsEnd, dilations,
                               roundingType, autoPad, sameOutput, layout});
        request.integers.push_back({"axis", axis});
        request.enumerations.push_back({"nan_mode", nanMode});
        return call(request, operands, out);
      },
      "x"_a, "output_grad"_a, "kernel"_a.none(), "strides"_a = nb::none(),
      "pads_begin"_a = nb::none(), "pads_end"_a = nb::none(),
      "dilations"_a = nb::none(), "rounding_type"_a = "floor",
      "auto_pad"_a = "explicit", "same_output"_a = "input",
      "layout"_a = "channels_first", "axis"_a = 0, "nan_mode"_a = "ignore",
      "indices"_a = nb::none(), "out"_a = nb::none(),
      getExtremumGradDoc(names.pool).c_str());
}

void mlir::pool::python::addExtremumFunctions(nb::module_ &module) {
  for (const ExtremumNames &names : kExtrema) {
    addPool(module, names);
    addGrad(module, names);
  }
}
