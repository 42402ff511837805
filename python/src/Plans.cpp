// Gives Python the plans of modules, for `python -m pool_mlir inspect --plans`
// and for compile(...).plan.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Plans.h"

#include "Array.h"
#include "Compiled.h"
#include "Functions.h"

#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace mlir::pool;
using namespace mlir::pool::python;

nb::list mlir::pool::python::getDicts(const std::vector<OperationPlan> &plans) {
  auto getOrNone = [](const std::string &text) -> nb::object {
    return text.empty() ? nb::none() : nb::object(nb::cast(text));
  };
  nb::list result;
  for (const OperationPlan &plan : plans) {
    nb::dict dict, rejected;
    dict["function"] = plan.function;
    dict["operation"] = plan.operation;
    dict["location"] = plan.location;
    dict["plan"] = getOrNone(plan.plan);
    dict["pinned"] = plan.isPinned;
    dict["cycles"] =
        plan.cycles ? nb::object(nb::float_(*plan.cycles)) : nb::none();
    dict["reason"] = getOrNone(plan.reason);
    for (const auto &[strategy, why] : plan.rejected)
      rejected[strategy.c_str()] = why;
    dict["rejected"] = rejected;
    result.append(dict);
  }
  return result;
}

static nb::list plan(const std::string &source, const std::string &name,
                     const std::string &target, const std::string &cpu,
                     const std::string &features, int64_t vectorBits) {
  auto run = [&] {
    nb::gil_scoped_release release;
    return Compiled::plan(source, name,
                          {{target, cpu, features}, vectorBits, {}});
  };
  llvm::Expected<std::vector<OperationPlan>> plans = run();
  if (!plans)
    raise(plans.takeError(), PyExc_ValueError);
  return getDicts(*plans);
}

void mlir::pool::python::addPlans(nb::module_ &module) {
  module.def(
      "_plan", &plan, "source"_a, "name"_a = "<string>", nb::kw_only(),
      "target"_a = "", "cpu"_a = "", "features"_a = "", "vector_bits"_a = 0,
      "The plans of a module as text, as Compiled.plan has them, for any "
      "machine.");
}
