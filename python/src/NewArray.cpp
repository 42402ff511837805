// Creates Python arrays.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Array.h"

#include "Exchange.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdlib>

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::python;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Returns NumPy's type object for `dtype`.
static nb::handle getNumPyDType(const DType &dtype) {
  // Type objects that were used before, by kind and by the binary logarithm of
  // the size in bytes.
  static PyObject *types[5][4] = {};
  unsigned log = dtype.size == 1   ? 0
                 : dtype.size == 2 ? 1
                 : dtype.size == 4 ? 2
                                   : 3;
  PyObject *&type = types[static_cast<unsigned>(dtype.kind)][log];
  if (!type) {
    nb::object name =
        dtype.kind == DType::Kind::BFloat
            ? nb::object(nb::module_::import_("ml_dtypes").attr("bfloat16"))
            : nb::object(nb::str(dtype.getName().c_str()));
    type = nb::object(numpy.module.attr("dtype")(name)).release().ptr();
  }
  return type;
}

static nb::dlpack::dtype getDLPackType(const DType &dtype) {
  using Code = nb::dlpack::dtype_code;
  Code code = Code::Float;
  switch (dtype.kind) {
  case DType::Kind::Bool:
    code = Code::Bool;
    break;
  case DType::Kind::Signed:
    code = Code::Int;
    break;
  case DType::Kind::Unsigned:
    code = Code::UInt;
    break;
  case DType::Kind::Float:
    break;
  case DType::Kind::BFloat:
    code = Code::Bfloat;
    break;
  }
  return {static_cast<uint8_t>(code), static_cast<uint8_t>(dtype.size * 8), 1};
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// Returns the function from_dlpack of the library of `array`. It converts an
/// object with `__dlpack__` to an array of this library. Returns null if the
/// library has no such function.
static nb::object getFromDLPack(nb::handle array) {
  nb::object library;
  if (nb::hasattr(array, "__array_namespace__")) {
    library = array.attr("__array_namespace__")();
  } else {
    // Take the top-level package that defines the type, such as torch.
    auto name = nb::cast<std::string>(array.type().attr("__module__"));
    name.resize(std::min(name.find('.'), name.size()));
    nb::object modules = nb::module_::import_("sys").attr("modules");
    library = modules.attr("get")(name.c_str());
  }
  return nb::getattr(library, "from_dlpack", nb::object());
}

/// Returns the inverse of the permutation `order`: the position in memory order
/// of each dimension of the array.
static SmallVector<unsigned, 6> invert(ArrayRef<unsigned> order) {
  SmallVector<unsigned, 6> result(order.size());
  for (auto [i, dim] : llvm::enumerate(order))
    result[dim] = i;
  return result;
}

/// Alignment of a cache line, in bytes. Non-temporal stores need it, and other
/// libraries copy an array whose alignment is smaller.
static constexpr int64_t kAlignment = 64;

/// Returns the address of the first element of a writable NumPy array.
static char *getData(nb::handle array) {
  Py_buffer buffer;
  if (PyObject_GetBuffer(array.ptr(), &buffer, PyBUF_WRITABLE | PyBUF_STRIDES))
    throw nb::python_error();
  PyBuffer_Release(&buffer);
  return static_cast<char *>(buffer.buf);
}

/// Returns an uninitialized NumPy array of shape `extents`. Aligns an array of
/// at least 64 KiB to kAlignment: numpy.empty makes large arrays that begin 16
/// bytes after the begin of a page. The aligned array is a view of a longer
/// NumPy array rather than of other memory, since NumPy's memory uses huge
/// pages.
static nb::object makeEmpty(nb::handle extents, const ArrayType &type) {
  constexpr int64_t isLong = 1 << 16;
  nb::handle dtype = getNumPyDType(type.dtype);
  std::optional<int64_t> numBytes = type.getNumBytes();
  if (!numBytes || *numBytes < isLong ||
      *numBytes > std::numeric_limits<int64_t>::max() - kAlignment)
    return numpy.empty(extents, dtype);
  nb::object memory;
  try {
    memory = numpy.empty(*numBytes + kAlignment, "uint8");
  } catch (nb::python_error &error) {
    if (!error.matches(PyExc_MemoryError))
      throw;
    // The array may fit in memory without the padding. If it does not fit,
    // NumPy's error names its real shape.
    return numpy.empty(extents, dtype);
  }
  auto begin = reinterpret_cast<uintptr_t>(getData(memory));
  return numpy.arrayType(extents, dtype, memory, (0 - begin) % kAlignment);
}

static NewArray makeNumPyArray(const ArrayType &type,
                               ArrayRef<unsigned> order) {
  size_t rank = type.shape.size();
  nb::object extents = nb::steal(PyTuple_New(rank));
  for (size_t i = 0; i < rank; ++i)
    PyTuple_SetItem(
        extents.ptr(), i,
        PyLong_FromLongLong(type.shape[order.empty() ? i : order[i]]));
  nb::object array = makeEmpty(extents, type);
  void *data = getData(type.dtype.kind == DType::Kind::BFloat
                           ? array.attr("view")("uint16")
                           : array);
  if (!order.empty()) {
    nb::list axes;
    for (unsigned dim : invert(order))
      axes.append(dim);
    array = array.attr("transpose")(axes);
  }
  return {std::move(array), data, nb::object()};
}

NewArray mlir::pool::python::makeArray(const ArrayType &type,
                                       nb::handle likeness,
                                       ArrayRef<unsigned> order) {
  const ExchangeAPI *api =
      likeness.is_valid() ? ExchangeAPI::get(likeness) : nullptr;
  nb::object fromDLPack =
      likeness.is_valid() && !api ? getFromDLPack(likeness) : nb::object();
  if (!api && !fromDLPack.is_valid())
    return makeNumPyArray(type, order);

  std::optional<int64_t> numBytes = type.getNumBytes();
  if (!numBytes)
    throw std::bad_alloc();
  Extents memory;
  for (size_t i = 0; i < type.shape.size(); ++i)
    memory.push_back(type.shape[order.empty() ? i : order[i]]);
  Extents strides = getRowMajorStrides(memory);
  if (!order.empty()) {
    Extents permuted(strides.size());
    for (auto [i, dim] : llvm::enumerate(order))
      permuted[dim] = strides[i];
    strides = permuted;
  }
  if (api) {
    void *data = nullptr;
    nb::object array = api->makeArray(
        getDLPackType(type.dtype), type.shape.size(), type.shape.data(),
        order.empty() ? nullptr : strides.data(), data);
    return {std::move(array), data, nb::object()};
  }

  void *data = std::aligned_alloc(
      kAlignment, llvm::alignTo(std::max<int64_t>(*numBytes, 1), kAlignment));
  if (!data)
    throw std::bad_alloc();
  nb::capsule owner(data, [](void *memory) noexcept { std::free(memory); });
  SmallVector<size_t, 6> shape(type.shape.begin(), type.shape.end());
  nb::ndarray<nb::array_api, nb::device::cpu> tensor(
      data, shape.size(), shape.data(), owner, strides.data(),
      getDLPackType(type.dtype));
  return {nb::cast(tensor), data, std::move(fromDLPack)};
}

nb::object mlir::pool::python::wrapArray(const ArrayView &view,
                                         nb::handle owner,
                                         nb::handle likeness) {
  if (const ExchangeAPI *api =
          likeness.is_valid() ? ExchangeAPI::get(likeness) : nullptr)
    return api->wrapArray(getDLPackType(view.type.dtype),
                          view.type.shape.size(), view.type.shape.data(),
                          getRowMajorStrides(view.type.shape).data(), view.data,
                          owner);
  SmallVector<size_t, 6> shape(view.type.shape.begin(), view.type.shape.end());
  nb::object fromDLPack =
      likeness.is_valid() ? getFromDLPack(likeness) : nb::object();
  if (fromDLPack.is_valid())
    return fromDLPack(nb::cast(nb::ndarray<nb::array_api, nb::device::cpu>(
        view.data, shape.size(), shape.data(), owner, /*strides=*/nullptr,
        getDLPackType(view.type.dtype))));
  DType dtype = view.type.dtype;
  bool isBFloat = dtype.kind == DType::Kind::BFloat;
  if (isBFloat)
    dtype.kind = DType::Kind::Unsigned;
  nb::object array = nb::cast(nb::ndarray<nb::numpy, nb::device::cpu>(
      view.data, shape.size(), shape.data(), owner, /*strides=*/nullptr,
      getDLPackType(dtype)));
  return isBFloat ? array.attr("view")(getNumPyDType(view.type.dtype)) : array;
}
