// Borrows Python arrays.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Array.h"

#include "Exchange.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdlib>

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::python;

void mlir::pool::python::raise(PyObject *type, const llvm::Twine &message) {
  PyErr_SetString(type, message.str().c_str());
  throw nb::python_error();
}

std::string mlir::pool::python::toString(nb::handle object) {
  return nb::str(object).c_str();
}

void mlir::pool::python::raise(llvm::Error error, PyObject *other) {
  std::string message;
  PyObject *type = other;
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &info) {
    message = info.message();
    std::error_code code = info.convertToErrorCode();
    if (code == std::errc::invalid_argument)
      type = PyExc_ValueError;
    else if (code == std::errc::not_enough_memory)
      type = PyExc_MemoryError;
  });
  raise(type, message);
}

NumPy mlir::pool::python::numpy;

void mlir::pool::python::importNumPy() {
  numpy.module = nb::module_::import_("numpy").release();
  numpy.arrayType = nb::object(numpy.module.attr("ndarray")).release();
  numpy.empty = nb::object(numpy.module.attr("empty")).release();
}

//===----------------------------------------------------------------------===//
// Borrowed arrays
//===----------------------------------------------------------------------===//

[[noreturn]] static void raiseElementType(const char *name,
                                          const std::string &type) {
  raise(PyExc_TypeError,
        llvm::Twine(name) + " has elements of type " + type +
            ": f16, bf16, f32, f64 and integers of 8 to 64 bits can be pooled");
}

/// Returns the element type of a buffer with elements of `size` bytes. `format`
/// has the syntax of Python's module struct; null means bytes. Returns nothing
/// if no kernel supports this type or this byte order.
static std::optional<DType> parseFormat(const char *format, size_t size) {
  if (!format)
    format = "B";
  if (*format == '@' || *format == '=' || *format == '<')
    ++format;
  if (format[0] == '\0' || format[1] != '\0' ||
      (size != 1 && size != 2 && size != 4 && size != 8))
    return std::nullopt;
  auto bytes = static_cast<uint8_t>(size);
  if (llvm::StringRef("bhilqn").contains(format[0]))
    return DType{DType::Kind::Signed, bytes};
  if (llvm::StringRef("BHILQN").contains(format[0]))
    return DType{DType::Kind::Unsigned, bytes};
  if (llvm::StringRef("efd").contains(format[0]))
    return DType{DType::Kind::Float, bytes};
  if (format[0] == '?')
    return DType{DType::Kind::Bool, bytes};
  return std::nullopt;
}

static std::optional<DType> getDType(nb::dlpack::dtype type) {
  using Code = nb::dlpack::dtype_code;
  if (type.lanes != 1 ||
      (type.bits != 8 && type.bits != 16 && type.bits != 32 && type.bits != 64))
    return std::nullopt;
  auto bytes = static_cast<uint8_t>(type.bits / 8);
  switch (static_cast<Code>(type.code)) {
  case Code::Int:
    return DType{DType::Kind::Signed, bytes};
  case Code::UInt:
    return DType{DType::Kind::Unsigned, bytes};
  case Code::Float:
    if (bytes == 1)
      return std::nullopt;
    return DType{DType::Kind::Float, bytes};
  case Code::Bfloat:
    if (bytes != 2)
      return std::nullopt;
    return DType{DType::Kind::BFloat, bytes};
  case Code::Bool:
    return DType{DType::Kind::Bool, bytes};
  default:
    return std::nullopt;
  }
}

BorrowedArray::BorrowedArray(nb::handle object, const char *name,
                             Access access) {
  if (object.type().is(numpy.arrayType)) {
    borrowBuffer(object, name, access);
  } else if (nb::isinstance(object, numpy.arrayType)) {
    if (nb::hasattr(object, "mask"))
      raise(PyExc_TypeError, llvm::Twine(name) +
                                 " is a masked array, whose mask would be "
                                 "ignored: pass what its filled() gives");
    borrowBuffer(object, name, access);
  } else if (const ExchangeAPI *api = ExchangeAPI::get(object)) {
    borrowExchange(object, *api, name, access);
  } else if (nb::hasattr(object, "__dlpack__")) {
    borrowDLPack(object, name, access);
  } else if (PyObject_CheckBuffer(object.ptr())) {
    borrowBuffer(object, name, access);
  } else if (access != Access::Write && nb::hasattr(object, "__array__")) {
    owner = numpy.module.attr("asarray")(object);
    borrowBuffer(owner, name, access);
  } else {
    raise(PyExc_TypeError, llvm::Twine(name) +
                               " must be an array (NumPy's, or any with "
                               "__dlpack__ or the buffer protocol), not " +
                               nb::inst_name(object).c_str());
  }
}

bool BorrowedArray::Lock::acquire(nb::handle object, int flags) {
  isHeld = PyObject_GetBuffer(object.ptr(), &buffer, flags) == 0;
  return isHeld;
}

void BorrowedArray::Lock::release() {
  if (isHeld)
    PyBuffer_Release(&buffer);
  isHeld = false;
}

void BorrowedArray::borrowBuffer(nb::handle object, const char *name,
                                 Access access) {
  bool isNumPy = nb::isinstance(object, numpy.arrayType);
  int flags = PyBUF_STRIDES | PyBUF_FORMAT;
  if (access == Access::Write)
    flags |= PyBUF_WRITABLE;
  const Py_buffer &buffer = lock.buffer;
  std::optional<DType> type;
  if (lock.acquire(object, flags)) {
    type = parseFormat(buffer.format, buffer.itemsize);
    if (!type && isNumPy && access != Access::Write &&
        !nb::cast<bool>(object.attr("dtype").attr("isnative"))) {
      lock.release();
      nb::object native = object.attr("dtype").attr("newbyteorder")("=");
      owner = object.attr("astype")(native);
      borrowBuffer(owner, name, access);
      return;
    }
  } else {
    // NumPy exports no buffer of a foreign type such as bf16, so view its
    // elements as uint16.
    nb::python_error error;
    bool isBFloat =
        isNumPy &&
        nb::cast<std::string>(object.attr("dtype").attr("name")) == "bfloat16";
    if (isBFloat) {
      owner = object.attr("view")("uint16");
      type = DType{DType::Kind::BFloat, 2};
    }
    if (!isBFloat || !lock.acquire(owner, flags)) {
      PyErr_Clear();
      if (access == Access::Write &&
          !(isNumPy && nb::cast<bool>(object.attr("flags").attr("writeable"))))
        raise(PyExc_ValueError, llvm::Twine(name) + " is read-only");
      if (!isNumPy)
        throw std::move(error);
    }
  }
  if (!type)
    raiseElementType(name, isNumPy ? toString(nb::object(object.attr("dtype")))
                                   : std::string(buffer.format));
  dtype = *type;
  shape.assign(buffer.shape, buffer.shape + buffer.ndim);
  strides.assign(buffer.strides, buffer.strides + buffer.ndim);
  data = static_cast<char *>(buffer.buf);
}

/// True if `object` has the buffer protocol and refuses to lend a writable,
/// contiguous buffer, as JAX's arrays do. DLPack does not report that they are
/// read-only.
static bool isReadOnly(nb::handle object) {
  Py_buffer buffer;
  if (!PyObject_CheckBuffer(object.ptr()))
    return false;
  if (PyObject_GetBuffer(object.ptr(), &buffer, PyBUF_WRITABLE) == 0) {
    PyBuffer_Release(&buffer);
    return false;
  }
  PyErr_Clear();
  return true;
}

/// Raises an exception that says why `object`, which has `__dlpack__`, cannot
/// be borrowed with `access`.
[[noreturn]] static void raiseDLPack(nb::handle object, const char *name,
                                     BorrowedArray::Access access) {
  if (nb::hasattr(object, "__dlpack_device__")) {
    nb::object device = object.attr("__dlpack_device__")();
    int type = 0;
    if (!nb::isinstance<nb::tuple>(device) || nb::len(device) != 2 ||
        !nb::try_cast(device[0], type))
      raise(PyExc_TypeError,
            llvm::Twine(name) + ": __dlpack_device__() gives " +
                toString(nb::repr(device)) + ", not a pair of integers");
    if (type != nb::device::cpu::value)
      raise(PyExc_ValueError,
            llvm::Twine(name) + " is on the device " + toString(device) +
                " of DLPack, but must be in the CPU's memory, (1, 0)");
  }
  // Let the library raise its own error first.
  nb::object capsule = object.attr("__dlpack__")();
  if (access == BorrowedArray::Access::Write)
    raise(PyExc_ValueError, llvm::Twine(name) + " is read-only");
  raise(PyExc_TypeError, llvm::Twine(name) + " cannot be passed by DLPack");
}

/// Raises ValueError for a tensor that requires a gradient, unless `access` is
/// ReadDetached. Autograd would see neither an operation that reads the tensor
/// nor a write to the tensor.
static void refuseGradient(nb::handle object, const char *name,
                           BorrowedArray::Access access) {
  if (access == BorrowedArray::Access::ReadDetached ||
      !nb::getattr(object, "requires_grad", nb::none()).is(Py_True))
    return;
  raise(PyExc_ValueError, llvm::Twine(name) + " requires a gradient, " +
                              (access == BorrowedArray::Access::Read
                                   ? "which a result would not have"
                                   : "which would not know what is written") +
                              ": pass what its detach() gives");
}

/// Raises TypeError for a tensor with torch's negative bit, such as
/// `z.conj().imag`: its elements are the negative of the values in memory.
/// torch lends such a tensor, but DLPack cannot pass the bit.
static void refuseNegativeBit(nb::handle object, const char *name) {
  nb::object isNegative = nb::getattr(object, "is_neg", nb::object());
  if (isNegative.is_valid() && isNegative().is(Py_True))
    raise(PyExc_TypeError,
          llvm::Twine(name) +
              " has torch's negative bit set, which DLPack cannot pass: pass "
              "what its resolve_neg() gives");
}

void BorrowedArray::borrowDLPack(nb::handle object, const char *name,
                                 Access access) {
  bool isTaken = false;
  if (access != Access::Write) {
    nb::ndarray<nb::ro, nb::device::cpu> array;
    isTaken = nb::try_cast(object, array, /*convert=*/false);
    tensor = nb::ndarray<nb::ro>(array);
  } else {
    nb::ndarray<nb::device::cpu> array;
    isTaken =
        !isReadOnly(object) && nb::try_cast(object, array, /*convert=*/false);
    tensor = nb::ndarray<nb::ro>(array);
  }
  if (!isTaken) {
    refuseNegativeBit(object, name);
    raiseDLPack(object, name, access);
  }
  refuseGradient(object, name, access);
  setTensor(object, name, tensor.dtype(), tensor.ndim(), tensor.shape_ptr(),
            tensor.stride_ptr(), tensor.data());
}

void BorrowedArray::borrowExchange(nb::handle object, const ExchangeAPI &api,
                                   const char *name, Access access) {
  ExchangeTensor tensor;
  if (api.borrow(object.ptr(), &tensor) != 0) {
    PyErr_Clear();
    refuseNegativeBit(object, name);
    raiseDLPack(object, name, access);
  }
  // torch lends even its zero tensors that have no memory, so that `data` is
  // null. Like `__dlpack__`, refuse them.
  bool isEmpty = std::count(tensor.shape, tensor.shape + tensor.rank, 0) != 0;
  if (tensor.deviceType != nb::device::cpu::value ||
      (!tensor.data && !isEmpty) ||
      (access == Access::Write && isReadOnly(object)))
    raiseDLPack(object, name, access);
  refuseNegativeBit(object, name);
  refuseGradient(object, name, access);
  setTensor(object, name, tensor.dtype, tensor.rank, tensor.shape,
            tensor.strides, tensor.getElements());
}

void BorrowedArray::setTensor(nb::handle object, const char *name,
                              nb::dlpack::dtype elementType, size_t rank,
                              const int64_t *extents, const int64_t *steps,
                              const void *elements) {
  std::optional<DType> type = ::getDType(elementType);
  if (!type)
    raiseElementType(name, nb::hasattr(object, "dtype")
                               ? toString(nb::object(object.attr("dtype")))
                               : std::string("unknown"));
  dtype = *type;
  shape.assign(extents, extents + rank);
  if (!elements && !llvm::is_contained(shape, 0))
    raise(PyExc_ValueError,
          llvm::Twine(name) +
              " has elements, but its address by DLPack is null");
  for (size_t i = 0; i < rank; ++i)
    strides.push_back(steps[i] * dtype.size);
  data = static_cast<char *>(const_cast<void *>(elements));
  likeness = object;
}

void BorrowedArray::refuseBools(const char *name) const {
  if (dtype.kind == DType::Kind::Bool)
    raiseElementType(name, "bool");
}

std::optional<Extents> BorrowedArray::getElementStrides() const {
  if (reinterpret_cast<uintptr_t>(data) % dtype.size != 0)
    return std::nullopt;
  Extents result;
  for (auto [extent, stride] : llvm::zip_equal(shape, strides)) {
    if (extent > 1 && stride % dtype.size != 0)
      return std::nullopt;
    result.push_back(stride / dtype.size);
  }
  return result;
}

std::pair<const char *, const char *> BorrowedArray::getRange() const {
  if (llvm::is_contained(shape, 0))
    return {data, data};
  const char *begin = data, *end = data + dtype.size;
  for (auto [extent, stride] : llvm::zip_equal(shape, strides))
    (stride < 0 ? begin : end) += (extent - 1) * stride;
  return {begin, end};
}
