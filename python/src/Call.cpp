// Calls kernels on arrays.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Call.h"

#include "Kernel.h"
#include "Results.h"
#include "llvm/ADT/Twine.h"

#include <atomic>
#include <memory>

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::python;

static std::atomic<unsigned> numThreads = 1;

unsigned mlir::pool::python::getNumThreads() { return numThreads; }

unsigned mlir::pool::python::checkThreads(int64_t count) {
  if (count < 1 || count > kMaxThreads)
    raise(PyExc_ValueError, "the number of threads must be 1 to " +
                                llvm::Twine(kMaxThreads) + ", but is " +
                                llvm::Twine(count));
  return count;
}

void mlir::pool::python::setNumThreads(int64_t count) {
  numThreads = checkThreads(count);
}

/// Converts an int, or any object with __index__.
static int64_t getInteger(nb::handle object, const char *name) {
  nb::object index = nb::steal(PyNumber_Index(object.ptr()));
  if (!index.is_valid()) {
    PyErr_Clear();
    raise(PyExc_TypeError, llvm::Twine(name) + " must be integers, not " +
                               nb::inst_name(object).c_str());
  }
  int64_t value = PyLong_AsLongLong(index.ptr());
  if (value == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    raise(PyExc_ValueError, llvm::Twine(name) + ": " + toString(index) +
                                " leaves a 64-bit signed integer");
  }
  return value;
}

std::optional<Extents> mlir::pool::python::getIntegers(nb::handle object,
                                                       const char *name,
                                                       size_t count) {
  if (object.is_none())
    return std::nullopt;
  Extents values;
  if (count != 0 && PyIndex_Check(object.ptr()) &&
      !nb::hasattr(object, "__len__")) {
    values.assign(count, getInteger(object, name));
    return values;
  }
  // Copied to a tuple: converting an element may run code that changes a list.
  nb::object sequence = nb::steal(PySequence_Tuple(object.ptr()));
  if (!sequence.is_valid()) {
    PyErr_Clear();
    raise(PyExc_TypeError, llvm::Twine(name) + " must be a list of integers" +
                               (count == 0 ? "" : " or an integer") + ", not " +
                               nb::inst_name(object).c_str());
  }
  Py_ssize_t size = PyTuple_Size(sequence.ptr());
  for (Py_ssize_t i = 0; i < size; ++i)
    values.push_back(getInteger(PyTuple_GetItem(sequence.ptr(), i), name));
  return values;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

namespace {
/// Releases the copy of an array that no kernel can read in place.
struct Free {
  void operator()(void *data) const { std::free(data); }
};
using Memory = std::unique_ptr<void, Free>;

/// Operand arrays of one call.
class Operands {
public:
  /// Adds an operand to `request`: the array in place, alone or as a part of a
  /// larger one, or else a copy, made later by `copy`.
  void add(Request &request, const BorrowedArray &array);

  /// Like `add`, but permutes the dimensions to memory order if a kernel can
  /// then read the array in place, and `out` is None or in that order too. The
  /// request then has the other layout, and `getOrder` is not empty.
  void addImage(Request &request, const BorrowedArray &array, nb::handle out);

  ArrayRef<unsigned> getOrder() const { return order; }
  ArrayRef<const void *> getPointers() const { return pointers; }

  /// Makes the copies.
  llvm::Error copy();

private:
  bool addDirect(Request &request, const BorrowedArray &array);
  bool addPermuted(Request &request, const BorrowedArray &array);

  SmallVector<const void *, 3> pointers;
  SmallVector<unsigned, 6> order;
  SmallVector<std::pair<const BorrowedArray *, unsigned>, 3> copies;
  SmallVector<Memory, 3> memory;
};
} // namespace

bool Operands::addDirect(Request &request, const BorrowedArray &array) {
  std::optional<Extents> strides = array.getElementStrides();
  if (!strides)
    return false;
  std::optional<Part> part = getPart(array.shape, *strides);
  if (!part)
    return false;
  request.operands.push_back({array.dtype, array.shape, std::move(*part)});
  pointers.push_back(array.data);
  return true;
}

void Operands::add(Request &request, const BorrowedArray &array) {
  if (addDirect(request, array))
    return;
  copies.push_back({&array, pointers.size()});
  request.operands.push_back({array.dtype, array.shape, Part()});
  pointers.push_back(nullptr);
}

bool Operands::addPermuted(Request &request, const BorrowedArray &array) {
  auto *layout = llvm::find_if(request.enumerations, [](auto &enumeration) {
    return enumeration.name == "layout";
  });
  std::optional<Extents> strides = array.getElementStrides();
  size_t rank = array.shape.size();
  if (layout == request.enumerations.end())
    return false;
  bool isFirst = layout->value == "channels_first";
  if (!strides || rank < 3 || (!isFirst && layout->value != "channels_last"))
    return false;
  order.push_back(0);
  if (!isFirst)
    order.push_back(rank - 1);
  for (unsigned i = isFirst ? 2 : 1; i < (isFirst ? rank : rank - 1); ++i)
    order.push_back(i);
  if (isFirst)
    order.push_back(1);
  Extents shape, permuted;
  for (unsigned dim : order) {
    shape.push_back(array.shape[dim]);
    permuted.push_back((*strides)[dim]);
  }
  std::optional<Part> part = getPart(shape, permuted);
  if (!part) {
    order.clear();
    return false;
  }
  layout->value = isFirst ? "channels_last" : "channels_first";
  request.operands.push_back({array.dtype, std::move(shape), std::move(*part)});
  pointers.push_back(array.data);
  return true;
}

/// True if `out` is an array that is row-major without gaps.
static bool isRowMajorOut(nb::handle out) {
  if (out.is_none())
    return false;
  BorrowedArray array(out, "out", BorrowedArray::Access::Write);
  std::optional<Extents> strides = array.getElementStrides();
  return strides && isRowMajor(array.shape, *strides);
}

void Operands::addImage(Request &request, const BorrowedArray &array,
                        nb::handle out) {
  // Indices depend on the layout, so with indices it must stay.
  if (addDirect(request, array) ||
      (request.indexBits == 0 && !isRowMajorOut(out) &&
       addPermuted(request, array)))
    return;
  add(request, array);
}

llvm::Error Operands::copy() {
  for (auto [array, place] : copies) {
    std::optional<int64_t> numBytes =
        ArrayType{array->dtype, array->shape}.getNumBytes();
    Memory block(numBytes ? std::malloc(std::max<size_t>(*numBytes, 1))
                          : nullptr);
    if (!block)
      return llvm::createStringError(
          std::make_error_code(std::errc::not_enough_memory),
          "out of memory for a copy of an array that is not row-major");
    copyRowMajor(array->data, array->shape, array->strides, array->dtype.size,
                 static_cast<char *>(block.get()));
    pointers[place] = block.get();
    memory.push_back(std::move(block));
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void mlir::pool::python::warnOfCache() {
  std::string warning = CodeCache::takeWarning();
  if (!warning.empty() &&
      PyErr_WarnEx(PyExc_RuntimeWarning, warning.c_str(), 1) != 0)
    throw nb::python_error();
}

/// Returns the kernel for `request`; raises the compilation's error.
static std::shared_ptr<Kernel> getKernel(const Request &request) {
  SmallVector<char, 512> key;
  request.appendKey(key);
  StringRef text(key.data(), key.size());
  KernelCache &cache = KernelCache::get();
  if (std::shared_ptr<Kernel> kernel = cache.find(text))
    return kernel;
  auto compile = [&] {
    nb::gil_scoped_release release;
    return cache.findOrCompile(text, request);
  };
  llvm::Expected<std::shared_ptr<Kernel>> kernel = compile();
  if (!kernel)
    raise(kernel.takeError(), PyExc_RuntimeError);
  warnOfCache();
  return std::move(*kernel);
}

nb::object mlir::pool::python::call(Request &request,
                                    ArrayRef<const BorrowedArray *> inputs,
                                    nb::handle out) {
  if (request.threads == 0)
    request.threads = getNumThreads();
  Operands operands;
  if (inputs.size() == 1 && !request.resultShape)
    operands.addImage(request, *inputs.front(), out);
  else
    for (const BorrowedArray *input : inputs)
      operands.add(request, *input);
  std::shared_ptr<Kernel> kernel = getKernel(request);
  Results results(out, kernel->getResults().size(), inputs);
  for (const ArrayType &type : kernel->getResults())
    results.add(type, operands.getOrder());
  auto run = [&]() -> llvm::Error {
    nb::gil_scoped_release release;
    if (llvm::Error error = operands.copy())
      return error;
    return kernel->run(operands.getPointers(), results.getPointers());
  };
  if (llvm::Error error = run())
    raise(std::move(error), PyExc_ValueError);
  return results.getObject();
}
