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

/// Converts an int, or another object with `__index__`, to int64. Raises
/// TypeError for a bool and for an object without `__index__`, and ValueError
/// if the integer needs more than 64 bits.
static int64_t getInteger(nb::handle object, const char *name) {
  auto refuse = [&] {
    raise(PyExc_TypeError, llvm::Twine(name) + " must be integers, not " +
                               nb::inst_name(object).c_str());
  };
  // Without this check True would be 1, although NumPy's True is no integer.
  if (PyBool_Check(object.ptr()))
    refuse();
  nb::object index = nb::steal(PyNumber_Index(object.ptr()));
  if (!index.is_valid()) {
    // Pass on other errors of __index__, such as an interrupt.
    if (!PyErr_ExceptionMatches(PyExc_TypeError))
      throw nb::python_error();
    PyErr_Clear();
    refuse();
  }
  int64_t value = PyLong_AsLongLong(index.ptr());
  if (value == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    raise(PyExc_ValueError, llvm::Twine(name) + ": " + toString(index) +
                                " leaves a 64-bit signed integer");
  }
  return value;
}

/// True for a set or a mapping. The order in which these iterate is not an
/// order of dimensions.
static bool isUnordered(nb::handle object) {
  if (PyTuple_Check(object.ptr()) || PyList_Check(object.ptr()))
    return false;
  nb::module_ abc = nb::module_::import_("collections.abc");
  return nb::isinstance(object, abc.attr("Set")) ||
         nb::isinstance(object, abc.attr("Mapping"));
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
  // Take a copy, since converting an element may run code that changes the
  // list.
  nb::object sequence;
  if (!isUnordered(object))
    sequence = nb::steal(PySequence_Tuple(object.ptr()));
  if (!sequence.is_valid()) {
    if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_TypeError))
      throw nb::python_error();
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

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

namespace {
/// Frees the copy of an array that no kernel can read in place.
struct Free {
  void operator()(void *data) const { std::free(data); }
};
using Memory = std::unique_ptr<void, Free>;

/// Operand arrays of one call.
class Operands {
public:
  /// Adds an operand to `request` for each of `arrays`. A kernel reads an array
  /// in place if it is row-major, or if it is a `Part` of a row-major array.
  /// `copy` copies all other arrays later.
  ///
  /// The memory of the first array may have its channels last while its shape
  /// has them first, or the reverse. Then the constructor exchanges the layout
  /// of `request`, and reorders all shapes in `request` as in memory.
  /// `getOrder` then returns this order. The layout does not change for an
  /// operation with indices, nor if `out` is row-major.
  ///
  /// The memory of the first array may have its channels last while its shape
  /// has them first, or the reverse. Then the constructor changes the layout of
  /// the request, and all shapes in it to the order of memory. `getOrder`
  /// returns this order. The layout does not change for an operation with
  /// indices, nor if `out` is row-major.
  Operands(Request &request, ArrayRef<const BorrowedArray *> arrays,
           nb::handle out);

  ArrayRef<unsigned> getOrder() const { return order; }

  /// Undoes a change of the layout: `request` gets the layout and the shapes of
  /// the caller's arrays again, so that diagnostics fit them. Requires that
  /// `getOrder` is not empty.
  void restore(Request &request, ArrayRef<const BorrowedArray *> arrays) const;

  ArrayRef<const void *> getPointers() const { return pointers; }

  /// Copies the operands that no kernel can read in place. Needs no GIL.
  llvm::Error copy();

private:
  /// An operand that no kernel can read in place. `strides` are in bytes, and
  /// `place` is the operand's index in `pointers`.
  struct Copy {
    const BorrowedArray *array;
    Extents shape, strides;
    unsigned place;
  };

  Extents inOrder(ArrayRef<int64_t> values) const;
  bool chooseOrder(Request &request, const BorrowedArray &array);
  void add(Request &request, const BorrowedArray &array);

  SmallVector<const void *, 3> pointers;
  SmallVector<unsigned, 6> order;
  SmallVector<Copy, 3> copies;
  SmallVector<Memory, 3> memory;
};
} // namespace

/// Returns the array of these extents and strides as a part of a row-major
/// array. Returns nothing if that is impossible or `elementStrides` is empty.
static std::optional<Part>
findPart(ArrayRef<int64_t> shape,
         const std::optional<Extents> &elementStrides) {
  return elementStrides ? getPart(shape, *elementStrides) : std::nullopt;
}

Extents Operands::inOrder(ArrayRef<int64_t> values) const {
  if (order.empty())
    return Extents(values);
  return llvm::map_to_vector<6>(order,
                                [&](unsigned dim) { return values[dim]; });
}

void Operands::add(Request &request, const BorrowedArray &array) {
  std::optional<Extents> strides = array.getElementStrides();
  if (strides)
    strides = inOrder(*strides);
  Extents shape = inOrder(array.shape);
  std::optional<Part> part = findPart(shape, strides);
  if (!part)
    copies.push_back(
        {&array, shape, inOrder(array.strides), unsigned(pointers.size())});
  pointers.push_back(part ? array.data : nullptr);
  request.operands.push_back(
      {array.dtype, std::move(shape), part ? std::move(*part) : Part()});
}

static auto *findLayout(Request &request) {
  return llvm::find_if(request.enumerations, [](auto &enumeration) {
    return enumeration.name == "layout";
  });
}

static void setOtherLayout(Request &request) {
  auto *layout = findLayout(request);
  layout->value =
      layout->value == "channels_first" ? "channels_last" : "channels_first";
}

bool Operands::chooseOrder(Request &request, const BorrowedArray &array) {
  auto *layout = findLayout(request);
  std::optional<Extents> strides = array.getElementStrides();
  size_t rank = array.shape.size();
  if (layout == request.enumerations.end() || !strides || rank < 3 ||
      findPart(array.shape, strides))
    return false;
  bool isFirst = layout->value == "channels_first";
  if (!isFirst && layout->value != "channels_last")
    return false;
  order.push_back(0);
  if (!isFirst)
    order.push_back(rank - 1);
  for (unsigned i = isFirst ? 2 : 1; i < (isFirst ? rank : rank - 1); ++i)
    order.push_back(i);
  if (isFirst)
    order.push_back(1);
  if (!findPart(inOrder(array.shape), inOrder(*strides))) {
    order.clear();
    return false;
  }
  setOtherLayout(request);
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

Operands::Operands(Request &request, ArrayRef<const BorrowedArray *> arrays,
                   nb::handle out) {
  // Indices depend on the layout, so the layout must not change if there are
  // indices. They are the second result, or a gradient's third operand.
  bool hasPositions = request.indexBits != 0 || arrays.size() > 2;
  // Arrays of different ranks have no common order, and the verifier refuses
  // them later.
  size_t rank = arrays.front()->shape.size();
  bool haveRank =
      llvm::all_of(arrays, [&](auto *a) { return a->shape.size() == rank; }) &&
      (!request.resultShape || request.resultShape->size() == rank);
  if (!hasPositions && haveRank && !isRowMajorOut(out) &&
      chooseOrder(request, *arrays.front()) && request.resultShape)
    request.resultShape = inOrder(*request.resultShape);
  for (const BorrowedArray *array : arrays)
    add(request, *array);
}

void Operands::restore(Request &request,
                       ArrayRef<const BorrowedArray *> arrays) const {
  setOtherLayout(request);
  if (request.resultShape) {
    Extents shape = *request.resultShape;
    for (auto [dim, extent] : llvm::zip_equal(order, shape))
      (*request.resultShape)[dim] = extent;
  }
  request.operands.clear();
  for (const BorrowedArray *array : arrays)
    request.operands.push_back({array->dtype, array->shape, Part()});
}

llvm::Error Operands::copy() {
  for (const auto &[array, shape, strides, place] : copies) {
    std::optional<int64_t> numBytes =
        ArrayType{array->dtype, shape}.getNumBytes();
    Memory block(numBytes ? std::malloc(std::max<size_t>(*numBytes, 1))
                          : nullptr);
    if (!block)
      return llvm::createStringError(
          std::make_error_code(std::errc::not_enough_memory),
          "out of memory for a copy of an array that is not row-major");
    copyRowMajor(array->data, shape, strides, array->dtype.size,
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

static llvm::Expected<std::shared_ptr<Kernel>>
findOrCompile(const Request &request) {
  SmallVector<char, 512> key;
  request.appendKey(key);
  StringRef text(key.data(), key.size());
  KernelCache &cache = KernelCache::get();
  if (std::shared_ptr<Kernel> kernel = cache.find(text))
    return kernel;
  nb::gil_scoped_release release;
  return cache.findOrCompile(text, request);
}

/// Returns the kernel for `request`, compiled if it is not cached. Raises the
/// error of a failed compilation. That error names dimensions of the caller's
/// arrays, even if `operands` changed the layout.
static std::shared_ptr<Kernel>
getKernel(Request &request, const Operands &operands,
          ArrayRef<const BorrowedArray *> inputs) {
  llvm::Expected<std::shared_ptr<Kernel>> kernel = findOrCompile(request);
  if (!kernel && !operands.getOrder().empty()) {
    operands.restore(request, inputs);
    // Compile again, so that the error names the caller's dimensions.
    if (auto again = findOrCompile(request); !again) {
      llvm::consumeError(kernel.takeError());
      raise(again.takeError(), PyExc_RuntimeError);
    }
  }
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
  Operands operands(request, inputs, out);
  std::shared_ptr<Kernel> kernel = getKernel(request, operands, inputs);
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
