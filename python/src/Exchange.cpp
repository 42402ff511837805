// Finds the exchange interface of a library, and creates arrays by it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Exchange.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace nb = nanobind;
using namespace mlir::pool::python;

char *ExchangeTensor::getElements() const {
  alignas(64) static char none[64];
  return data ? static_cast<char *>(data) + byteOffset : none;
}

/// Returns the interface in the attribute `__dlpack_c_exchange_api__` of
/// `type`. Returns null if there is no interface of version 1, or if the
/// interface has no `borrow`.
static const ExchangeAPI *find(nb::handle type) {
  nb::object capsule =
      nb::getattr(type, "__dlpack_c_exchange_api__", nb::object());
  if (!capsule.is_valid() || !PyCapsule_CheckExact(capsule.ptr()))
    return nullptr;
  auto *api = static_cast<const ExchangeAPI *>(
      PyCapsule_GetPointer(capsule.ptr(), "dlpack_exchange_api"));
  if (!api)
    PyErr_Clear();
  while (api && api->major > 1)
    api = api->previous;
  return api && api->major == 1 && api->borrow ? api : nullptr;
}

const ExchangeAPI *ExchangeAPI::get(nb::handle object) {
  // Remember one type, since there is nearly always only one. Keep a reference
  // to it, so that no other type gets the same address.
  static PyObject *lastType;
  static const ExchangeAPI *lastAPI;
  nb::handle type = object.type();
  if (type.ptr() == lastType)
    return lastAPI;
  const ExchangeAPI *api = find(type);
  PyObject *before = lastType;
  lastType = type.inc_ref().ptr();
  lastAPI = api;
  // Release the old type last, since this may run code that asks for another
  // type.
  Py_XDECREF(before);
  return api;
}

static void setError(void *, const char *kind, const char *message) {
  PyGILState_STATE state = PyGILState_Ensure();
  PyErr_SetString(std::strcmp(kind, "MemoryError") == 0 ? PyExc_MemoryError
                                                        : PyExc_RuntimeError,
                  message);
  PyGILState_Release(state);
}

namespace {
/// A tensor that this code makes, and that a library's array will own.
struct OwnTensor {
  ManagedTensor managed = {};
  /// Exactly one of `allocated` and `owner` owns the elements: a tensor that
  /// the array's library allocated, or a Python object.
  ManagedTensor *allocated = nullptr;
  PyObject *owner = nullptr;
  std::unique_ptr<int64_t[]> extents;

  static void release(ManagedTensor *self) {
    auto *own = static_cast<OwnTensor *>(self->context);
    if (own->allocated)
      own->allocated->deleter(own->allocated);
    if (own->owner) {
      PyGILState_STATE state = PyGILState_Ensure();
      Py_DECREF(own->owner);
      PyGILState_Release(state);
    }
    delete own;
  }
};
} // namespace

/// Makes a tensor that is equal to `like` except for its extents and strides.
/// The caller sets the owner of the elements.
static OwnTensor *makeOwn(const ExchangeTensor &like, const int64_t *shape,
                          const int64_t *strides) {
  auto *own = new OwnTensor;
  own->extents = std::make_unique<int64_t[]>(2 * size_t(like.rank));
  std::copy_n(shape, like.rank, own->extents.get());
  std::copy_n(strides, like.rank, own->extents.get() + like.rank);
  own->managed.major = 1;
  own->managed.context = own;
  own->managed.deleter = OwnTensor::release;
  own->managed.tensor = like;
  own->managed.tensor.shape = own->extents.get();
  own->managed.tensor.strides = own->extents.get() + like.rank;
  return own;
}

/// Returns the library's array for the tensor. The array then owns the tensor.
static nb::object toObject(const ExchangeAPI &api, ManagedTensor *tensor) {
  void *object = nullptr;
  if (api.getObject(tensor, &object) != 0)
    throw nb::python_error();
  return nb::steal(static_cast<PyObject *>(object));
}

nb::object ExchangeAPI::makeArray(nb::dlpack::dtype dtype, size_t rank,
                                  const int64_t *shape, const int64_t *strides,
                                  void *&data) const {
  ExchangeTensor prototype = {};
  prototype.deviceType = nb::device::cpu::value;
  prototype.rank = static_cast<int32_t>(rank);
  prototype.dtype = dtype;
  prototype.shape = const_cast<int64_t *>(shape);
  ManagedTensor *tensor = nullptr;
  if (allocate(&prototype, &tensor, nullptr, setError) != 0)
    throw nb::python_error();
  data = tensor->tensor.getElements();
  if (strides) {
    OwnTensor *own = makeOwn(tensor->tensor, shape, strides);
    own->allocated = tensor;
    tensor = &own->managed;
  }
  return toObject(*this, tensor);
}

nb::object ExchangeAPI::wrapArray(nb::dlpack::dtype dtype, size_t rank,
                                  const int64_t *shape, const int64_t *strides,
                                  void *data, nb::handle owner) const {
  ExchangeTensor tensor = {};
  tensor.data = data;
  tensor.deviceType = nb::device::cpu::value;
  tensor.rank = static_cast<int32_t>(rank);
  tensor.dtype = dtype;
  OwnTensor *own = makeOwn(tensor, shape, strides);
  own->owner = owner.inc_ref().ptr();
  return toObject(*this, &own->managed);
}
