// avg_pool and lp_pool.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Arguments.h"
#include "Call.h"
#include "Docstrings.h"
#include "Functions.h"

#include <nanobind/stl/optional.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace mlir::pool;
using namespace mlir::pool::python;

static nb::object avgPool(nb::handle x, nb::handle kernel, nb::handle strides,
                          nb::handle padsBegin, nb::handle padsEnd,
                          nb::handle dilations, Name roundingType, Name autoPad,
                          Name sameOutput, Name layout, Name divisor,
                          std::optional<int64_t> divisorOverride,
                          Name integerRounding, int64_t inputZp,
                          int64_t outputZp, nb::handle out) {
  InputArray input(x, "x");
  Request request =
      makeWindowRequest("pool.avg_pool", input,
                        {kernel, strides, padsBegin, padsEnd, dilations,
                         roundingType, autoPad, sameOutput, layout});
  addDivisor(request, divisor, divisorOverride);
  addIntegerAverage(request, integerRounding, inputZp, outputZp);
  return call(request, {&input}, out);
}

static nb::object lpPool(nb::handle x, nb::handle kernel, nb::handle strides,
                         nb::handle padsBegin, nb::handle padsEnd,
                         nb::handle dilations, Name roundingType, Name autoPad,
                         Name sameOutput, Name layout, int64_t p,
                         nb::handle out) {
  InputArray input(x, "x");
  Request request =
      makeWindowRequest("pool.lp_pool", input,
                        {kernel, strides, padsBegin, padsEnd, dilations,
                         roundingType, autoPad, sameOutput, layout});
  request.integers.push_back({"p", p});
  return call(request, {&input}, out);
}

void mlir::pool::python::addWindowFunctions(nb::module_ &module) {
  module.def("avg_pool", &avgPool, "x"_a, "kernel"_a.none(),
             "strides"_a = nb::none(), "pads_begin"_a = nb::none(),
             "pads_end"_a = nb::none(), "dilations"_a = nb::none(),
             "rounding_type"_a = "floor", "auto_pad"_a = "explicit",
             "same_output"_a = "input", "layout"_a = "channels_first",
             "divisor"_a = "valid", "divisor_override"_a = nb::none(),
             "integer_rounding"_a = "half_even", "input_zp"_a = 0,
             "output_zp"_a = 0, "out"_a = nb::none(), getAvgPoolDoc().c_str());
  module.def("lp_pool", &lpPool, "x"_a, "kernel"_a.none(),
             "strides"_a = nb::none(), "pads_begin"_a = nb::none(),
             "pads_end"_a = nb::none(), "dilations"_a = nb::none(),
             "rounding_type"_a = "floor", "auto_pad"_a = "explicit",
             "same_output"_a = "input", "layout"_a = "channels_first",
             "p"_a = 2, "out"_a = nb::none(), getLpPoolDoc().c_str());
}
