// The C interface by which libraries exchange arrays without a call of Python:
// `__dlpack_c_exchange_api__`, DLPack 1.3. It costs a fiftieth of `__dlpack__`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_EXCHANGE_H
#define POOL_PYTHON_EXCHANGE_H

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

namespace mlir::pool::python {

/// DLPack's DLTensor.
struct ExchangeTensor {
  /// Address of the first element. Arrays without elements, which have none,
  /// get one that is never read: no kernel takes a null pointer.
  char *getElements() const;

  void *data;
  int32_t deviceType, deviceId;
  int32_t rank;
  nanobind::dlpack::dtype dtype;
  int64_t *shape;
  /// In elements.
  int64_t *strides;
  uint64_t byteOffset;
};

/// DLPack's DLManagedTensorVersioned.
struct ManagedTensor {
  uint32_t major, minor;
  void *context;
  void (*deleter)(ManagedTensor *self);
  uint64_t flags;
  ExchangeTensor tensor;
};

/// DLPack's DLPackExchangeAPI. Functions return 0, or -1 with Python's error
/// set. What they give belongs to the caller.
struct ExchangeAPI {
  using SetErrorFn = void (*)(void *context, const char *kind,
                              const char *message);

  uint32_t major, minor;
  const ExchangeAPI *previous;
  int (*allocate)(ExchangeTensor *prototype, ManagedTensor **out, void *context,
                  SetErrorFn setError);
  int (*getManaged)(void *object, ManagedTensor **out);
  /// Takes the tensor over.
  int (*getObject)(ManagedTensor *tensor, void **out);
  /// The array stays the object's, which the caller keeps alive. Null where the
  /// library does not offer it.
  int (*borrow)(void *object, ExchangeTensor *out);
  int (*getStream)(int32_t deviceType, int32_t deviceId, void **out);

  /// The interface of the library of `object`; null if it has none that is
  /// known here.
  static const ExchangeAPI *get(nanobind::handle object);

  /// A new array in the CPU's memory with the address of its elements, which
  /// are not set; `strides` are in elements, none means row-major. Raises what
  /// the library does.
  nanobind::object makeArray(nanobind::dlpack::dtype dtype, size_t rank,
                             const int64_t *shape, const int64_t *strides,
                             void *&data) const;

  /// An array of these elements in the CPU's memory, which `owner` keeps.
  nanobind::object wrapArray(nanobind::dlpack::dtype dtype, size_t rank,
                             const int64_t *shape, const int64_t *strides,
                             void *data, nanobind::handle owner) const;
};

} // namespace mlir::pool::python

#endif // POOL_PYTHON_EXCHANGE_H
