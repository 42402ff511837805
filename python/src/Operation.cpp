// Operations that are prepared once and called many times.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Prepared.h"

#include "Call.h"
#include "Functions.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>

namespace nb = nanobind;
using namespace nb::literals;
using namespace mlir::pool;
using namespace mlir::pool::python;

namespace {
struct OperandArray : BorrowedArray {
  OperandArray(nb::handle object, const char *name)
      : BorrowedArray(object, name, Access::ReadDetached) {}
};
} // namespace

Prepared::Prepared(const std::string &name, const nb::dict &attributes,
                   unsigned indexBits, bool hasUniformSums,
                   const std::optional<std::string> &resultType) {
  request.operation = keep("pool." + name);
  request.indexBits = indexBits;
  request.hasUniformSums = hasUniformSums;
  if (resultType)
    request.resultType = makeOperand(*resultType, {}).dtype;
  for (auto [key, value] : attributes) {
    const std::string &attribute = keep(nb::cast<std::string>(key));
    if (nb::isinstance<nb::str>(value))
      request.enumerations.push_back(
          {attribute, keep(nb::cast<std::string>(value))});
    else if (nb::isinstance<nb::int_>(value))
      request.integers.push_back({attribute, nb::cast<int64_t>(value)});
    else
      request.add(attribute,
                  getIntegers(value, attribute.c_str(), /*count=*/0));
  }
}

nb::object Prepared::call(nb::handle x, nb::handle y, nb::handle z,
                          unsigned threads, nb::handle shape) const {
  Request called = request;
  called.threads = threads ? checkThreads(threads) : 0;
  called.resultShape = getIntegers(shape, "shape", /*count=*/0);
  OperandArray first(x, "x");
  std::optional<OperandArray> second, third;
  mlir::SmallVector<const BorrowedArray *, 3> operands = {&first};
  if (!y.is_none())
    operands.push_back(&second.emplace(y, "y"));
  if (!z.is_none())
    operands.push_back(&third.emplace(z, "z"));
  return python::call(called, operands, nb::none());
}

void mlir::pool::python::addOperation(nb::module_ &module) {
  nb::class_<Prepared>(module, "_Operation")
      .def(nb::init<const std::string &, const nb::dict &, unsigned, bool,
                    const std::optional<std::string> &>(),
           "name"_a, "attributes"_a, "index_bits"_a = 0,
           "uniform_sums"_a = false, "result_type"_a = nb::none())
      .def("__call__", &Prepared::call, "x"_a, "y"_a = nb::none(),
           "z"_a = nb::none(), "threads"_a = 0, "shape"_a = nb::none());
}
