// Arguments shared by several pooling functions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_ARGUMENTS_H
#define POOL_PYTHON_ARGUMENTS_H

#include "Array.h"
#include "Request.h"

#include <nanobind/nanobind.h>

#include <cstring>

namespace mlir::pool::python {

/// A string without null characters: they would end it for C.
struct Name {
  const char *text = nullptr;
  operator const char *() const { return text; }
  operator llvm::StringRef() const { return text; }
};

/// A window as the caller passed it. Lists are a sequence of integers, one
/// integer for all spatial dimensions, or None.
struct WindowArguments {
  nanobind::handle kernel, strides, padsBegin, padsEnd, dilations;
  const char *roundingType, *autoPad, *sameOutput, *layout;
};

/// An array that is read; `name` is the argument's name in messages.
struct InputArray : BorrowedArray {
  InputArray(nanobind::handle object, const char *name)
      : BorrowedArray(object, name, Access::Read) {
    refuseBools(name);
  }
};

/// Makes the request for `operation` with the window, on arrays of the rank of
/// `array`.
Request makeWindowRequest(llvm::StringRef operation, const BorrowedArray &array,
                          const WindowArguments &window);

/// Adds the divisor of an average and its override.
void addDivisor(Request &request, const char *divisor,
                std::optional<int64_t> divisorOverride);

/// Adds the attributes of an average of integers.
void addIntegerAverage(Request &request, const char *rounding, int64_t inputZp,
                       int64_t outputZp);

/// An operand by NumPy's name of its element type; raises TypeError for one
/// that operations do not take.
Request::Operand makeOperand(const std::string &dtype,
                             llvm::ArrayRef<int64_t> shape);

/// Bits of an index type: 32 for i32, 64 for i64; raises ValueError for others.
unsigned getIndexBits(const char *type);

} // namespace mlir::pool::python

template <>
struct nanobind::detail::type_caster<mlir::pool::python::Name> {
  NB_TYPE_CASTER(mlir::pool::python::Name, const_name("str"))

  bool from_python(handle source, uint8_t, cleanup_list *) noexcept {
    Py_ssize_t size = 0;
    value.text = PyUnicode_Check(source.ptr())
                     ? PyUnicode_AsUTF8AndSize(source.ptr(), &size)
                     : nullptr;
    if (!value.text)
      PyErr_Clear();
    return value.text && std::strlen(value.text) == size_t(size);
  }
};

#endif // POOL_PYTHON_ARGUMENTS_H
