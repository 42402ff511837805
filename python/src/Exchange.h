// The C interface `__dlpack_c_exchange_api__` of DLPack 1.3. Libraries exchange
// arrays by it without a call of Python, in a fiftieth of the time of
// `__dlpack__`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_EXCHANGE_H
#define POOL_PYTHON_EXCHANGE_H

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

namespace mlir::pool::python {

/// DLPack's DLTensor.
struct ExchangeTensor {
  /// Returns the address of the first element. If `data` is null, as in an
  /// array without elements, returns another address that is not null, since no
  /// kernel accepts null.
  char *getElements() const;

  void *data;
  int32_t deviceType, deviceId;
  int32_t rank;
  nanobind::dlpack::dtype dtype;
  int64_t *shape;
  /// Strides in elements.
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

/// DLPack's DLPackExchangeAPI. Functions return 0, or -1 on failure. On failure
/// `allocate` calls its argument `setError`, and the others set Python's error.
/// The caller owns their results, except for the tensor that `borrow` fills.
struct ExchangeAPI {
  using SetErrorFn = void (*)(void *context, const char *kind,
                              const char *message);

  uint32_t major, minor;
  const ExchangeAPI *previous;
  int (*allocate)(ExchangeTensor *prototype, ManagedTensor **out, void *context,
                  SetErrorFn setError);
  int (*getManaged)(void *object, ManagedTensor **out);
  /// Makes an array of the tensor, and takes ownership of the tensor.
  int (*getObject)(ManagedTensor *tensor, void **out);
  /// Fills `out` with the array of `object`. The object still owns the memory,
  /// so the caller must keep the object alive. `borrow` itself is null if the
  /// library does not have this function.
  int (*borrow)(void *object, ExchangeTensor *out);
  int (*getStream)(int32_t deviceType, int32_t deviceId, void **out);

  /// Returns the interface of the library of `object`. Returns null if the
  /// library has no interface of version 1, or if its interface has no
  /// `borrow`.
  static const ExchangeAPI *get(nanobind::handle object);

  /// Creates an uninitialized array in the CPU's memory, and sets `data` to the
  /// address of its elements. `strides` are in elements; null means row-major.
  /// Raises the library's error.
  nanobind::object makeArray(nanobind::dlpack::dtype dtype, size_t rank,
                             const int64_t *shape, const int64_t *strides,
                             void *&data) const;

  /// Creates an array of the elements at `data`, which must be in the CPU's
  /// memory. `owner` owns the elements, and the array keeps it alive. `strides`
  /// are in elements and must not be null. Raises the library's error.
  nanobind::object wrapArray(nanobind::dlpack::dtype dtype, size_t rank,
                             const int64_t *shape, const int64_t *strides,
                             void *data, nanobind::handle owner) const;
};

} // namespace mlir::pool::python

#endif // POOL_PYTHON_EXCHANGE_H
