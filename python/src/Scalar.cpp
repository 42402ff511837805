// Converts Python numbers to and from elements.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scalar.h"

#include "Array.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::python;

static const llvm::fltSemantics &getSemantics(const DType &dtype) {
  if (dtype.kind == DType::Kind::BFloat)
    return llvm::APFloat::BFloat();
  if (dtype.size == 2)
    return llvm::APFloat::IEEEhalf();
  return dtype.size == 4 ? llvm::APFloat::IEEEsingle()
                         : llvm::APFloat::IEEEdouble();
}

static bool isFloat(const DType &dtype) {
  return dtype.kind == DType::Kind::Float || dtype.kind == DType::Kind::BFloat;
}

bool mlir::pool::python::isNumber(nb::handle object) {
  return PyNumber_Check(object.ptr()) && !nb::hasattr(object, "shape");
}

Scalar mlir::pool::python::getScalar(nb::handle object, const ValueSpec &spec,
                                     const std::string &name) {
  Scalar scalar;
  const DType &dtype = spec.dtype;
  auto store = [&](uint64_t bits) {
    std::memcpy(scalar.bytes, &bits, dtype.size);
    return scalar;
  };
  if (isFloat(dtype)) {
    double value = PyFloat_AsDouble(object.ptr());
    if (value == -1 && PyErr_Occurred())
      throw nb::python_error();
    llvm::APFloat number(value);
    bool losesInfo;
    number.convert(getSemantics(dtype), llvm::APFloat::rmNearestTiesToEven,
                   &losesInfo);
    return store(number.bitcastToAPInt().getZExtValue());
  }

  nb::object index = nb::steal(PyNumber_Index(object.ptr()));
  if (!index.is_valid()) {
    PyErr_Clear();
    raise(PyExc_TypeError, name + " of type " + spec.text +
                               " must be an integer, not " +
                               nb::inst_name(object).c_str());
  }
  unsigned bits = dtype.size * 8;
  if (dtype.kind == DType::Kind::Signed) {
    int64_t value = PyLong_AsLongLong(index.ptr());
    if (!PyErr_Occurred() && llvm::isIntN(bits, value))
      return store(value);
  } else {
    uint64_t value = PyLong_AsUnsignedLongLong(index.ptr());
    if (!PyErr_Occurred() && llvm::isUIntN(bits, value) &&
        (dtype.kind != DType::Kind::Bool || value < 2))
      return store(value);
  }
  PyErr_Clear();
  raise(PyExc_ValueError, name + " is " + toString(index) + ", which type " +
                              spec.text + " has no room for");
}

nb::object mlir::pool::python::getNumber(const void *data,
                                         const ValueSpec &spec) {
  const DType &dtype = spec.dtype;
  uint64_t bits = 0;
  std::memcpy(&bits, data, dtype.size);
  if (isFloat(dtype)) {
    llvm::APFloat number(getSemantics(dtype),
                         llvm::APInt(dtype.size * 8, bits));
    bool losesInfo;
    number.convert(llvm::APFloat::IEEEdouble(),
                   llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return nb::float_(number.convertToDouble());
  }
  if (dtype.kind == DType::Kind::Bool)
    return nb::bool_(bits != 0);
  if (dtype.kind == DType::Kind::Signed)
    return nb::int_(llvm::SignExtend64(bits, dtype.size * 8));
  return nb::int_(bits);
}
