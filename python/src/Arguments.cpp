// Adds arguments to requests.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Arguments.h"

#include "Call.h"

using namespace mlir::pool::python;

Request mlir::pool::python::makeWindowRequest(llvm::StringRef operation,
                                              const BorrowedArray &array,
                                              const WindowArguments &window) {
  size_t rank = array.shape.size();
  size_t count = rank > 2 ? rank - 2 : 0;
  Request request;
  request.operation = operation;
  request.add("kernel", getIntegers(window.kernel, "kernel", count));
  request.add("strides", getIntegers(window.strides, "strides", count));
  request.add("pads_begin", getIntegers(window.padsBegin, "pads_begin", count));
  request.add("pads_end", getIntegers(window.padsEnd, "pads_end", count));
  request.add("dilations", getIntegers(window.dilations, "dilations", count));
  request.enumerations.push_back({"rounding_type", window.roundingType});
  request.enumerations.push_back({"auto_pad", window.autoPad});
  request.enumerations.push_back({"same_output", window.sameOutput});
  request.enumerations.push_back({"layout", window.layout});
  return request;
}

void mlir::pool::python::addDivisor(Request &request, const char *divisor,
                                    std::optional<int64_t> divisorOverride) {
  request.enumerations.push_back({"divisor", divisor});
  if (divisorOverride)
    request.integers.push_back({"divisor_override", *divisorOverride});
}

void mlir::pool::python::addIntegerAverage(Request &request,
                                           const char *rounding,
                                           int64_t inputZp, int64_t outputZp) {
  request.enumerations.push_back({"integer_rounding", rounding});
  request.integers.push_back({"input_zp", inputZp});
  request.integers.push_back({"output_zp", outputZp});
}

Request::Operand
mlir::pool::python::makeOperand(const std::string &dtype,
                                llvm::ArrayRef<int64_t> shape) {
  using Kind = DType::Kind;
  static constexpr DType kTypes[] = {
      {Kind::Float, 2},    {Kind::BFloat, 2},   {Kind::Float, 4},
      {Kind::Float, 8},    {Kind::Signed, 1},   {Kind::Signed, 2},
      {Kind::Signed, 4},   {Kind::Signed, 8},   {Kind::Unsigned, 1},
      {Kind::Unsigned, 2}, {Kind::Unsigned, 4}, {Kind::Unsigned, 8}};
  for (const DType &type : kTypes)
    if (type.getName() == dtype)
      return {type, Extents(shape.begin(), shape.end()), Part()};
  raise(PyExc_TypeError, "pool operations do not take " + dtype);
}

unsigned mlir::pool::python::getIndexBits(const char *type) {
  llvm::StringRef name(type);
  if (name == "i32")
    return 32;
  if (name == "i64")
    return 64;
  raise(PyExc_ValueError,
        "index_element_type is '" + name + "', but must be i32 or i64");
}
