// adaptive_avg_pool and adaptive_max_pool.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Arguments.h"
#include "Call.h"
#include "Docstrings.h"
#include "Functions.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace mlir::pool;
using namespace mlir::pool::python;

static void addOutputSize(Request &request, nb::handle outputSize,
                          const BorrowedArray &input, Name layout) {
  size_t rank = input.shape.size();
  request.add("output_size",
              getIntegers(outputSize, "output_size", rank > 2 ? rank - 2 : 0));
  request.enumerations.push_back({"layout", layout});
}

static nb::object adaptiveMaxPool(nb::handle x, nb::handle outputSize,
                                  Name layout, int64_t axis, Name nanMode,
                                  bool returnIndices, Name indexElementType,
                                  nb::handle out) {
  InputArray input(x, "x");
  Request request;
  request.operation = "pool.adaptive_max_pool";
  addOutputSize(request, outputSize, input, layout);
  request.integers.push_back({"axis", axis});
  request.enumerations.push_back({"nan_mode", nanMode});
  unsigned bits = getIndexBits(indexElementType);
  request.indexBits = returnIndices ? bits : 0;
  return call(request, {&input}, out);
}

static nb::object adaptiveAvgPool(nb::handle x, nb::handle outputSize,
                                  Name layout, Name integerRounding,
                                  int64_t inputZp, int64_t outputZp,
                                  nb::handle out) {
  InputArray input(x, "x");
  Request request;
  request.operation = "pool.adaptive_avg_pool";
  addOutputSize(request, outputSize, input, layout);
  addIntegerAverage(request, integerRounding, inputZp, outputZp);
  return call(request, {&input}, out);
}

void mlir::pool::python::addAdaptiveFunctions(nb::module_ &module) {
  module.def("adaptive_max_pool", &adaptiveMaxPool, "x"_a,
             "output_size"_a.none(), "layout"_a = "channels_first",
             "axis"_a = 0, "nan_mode"_a = "ignore", "return_indices"_a = false,
             "index_element_type"_a = "i64", "out"_a = nb::none(),
             getAdaptiveMaxPoolDoc().c_str());
  module.def("adaptive_avg_pool", &adaptiveAvgPool, "x"_a,
             "output_size"_a.none(), "layout"_a = "channels_first",
             "integer_rounding"_a = "half_even", "input_zp"_a = 0,
             "output_zp"_a = 0, "out"_a = nb::none(),
             getAdaptiveAvgPoolDoc().c_str());
}
