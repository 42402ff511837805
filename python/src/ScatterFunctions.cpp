// max_unpool and avg_pool_grad.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Arguments.h"
#include "Call.h"
#include "Docstrings.h"
#include "Functions.h"

#include <nanobind/stl/optional.h>

#include <optional>

namespace nb = nanobind;
using namespace nb::literals;
using namespace mlir::pool;
using namespace mlir::pool::python;

/// The result's shape, as the caller gave it.
static Extents getShape(nb::handle object, const char *name) {
  if (object.is_none())
    raise(PyExc_TypeError, llvm::Twine(name) + " must be a list of integers");
  return *getIntegers(object, name, /*count=*/0);
}

static nb::object maxUnpool(nb::handle values, nb::handle indices,
                            nb::handle outputShape, int64_t axis,
                            nb::handle out) {
  InputArray first(values, "values");
  InputArray second(indices, "indices");
  Request request;
  request.operation = "pool.max_unpool";
  request.resultShape = getShape(outputShape, "output_shape");
  request.integers.push_back({"axis", axis});
  return call(request, {&first, &second}, out);
}

static nb::object
avgPoolGrad(nb::handle outputGrad, nb::handle inputShape, nb::handle kernel,
            nb::handle strides, nb::handle padsBegin, nb::handle padsEnd,
            nb::handle dilations, Name roundingType, Name autoPad,
            Name sameOutput, Name layout, Name divisor,
            std::optional<int64_t> divisorOverride, nb::handle out) {
  InputArray grad(outputGrad, "output_grad");
  Request request =
      makeWindowRequest("pool.avg_pool_grad", grad,
                        {kernel, strides, padsBegin, padsEnd, dilations,
                         roundingType, autoPad, sameOutput, layout});
  request.resultShape = getShape(inputShape, "input_shape");
  addDivisor(request, divisor, divisorOverride);
  return call(request, {&grad}, out);
}

void mlir::pool::python::addScatterFunctions(nb::module_ &module) {
  module.def("max_unpool", &maxUnpool, "values"_a, "indices"_a,
             "output_shape"_a.none(), "axis"_a = 0, "out"_a = nb::none(),
             getMaxUnpoolDoc().c_str());
  module.def("avg_pool_grad", &avgPoolGrad, "output_grad"_a,
             "input_shape"_a.none(), "kernel"_a.none(),
             "strides"_a = nb::none(), "pads_begin"_a = nb::none(),
             "pads_end"_a = nb::none(), "dilations"_a = nb::none(),
             "rounding_type"_a = "floor", "auto_pad"_a = "explicit",
             "same_output"_a = "input", "layout"_a = "channels_first",
             "divisor"_a = "valid", "divisor_override"_a = nb::none(),
             "out"_a = nb::none(), getAvgPoolGradDoc().c_str());
}
