// Creates and checks the arrays for results.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Results.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::python;

/// Returns `type` with its extents reordered from memory order to the
/// dimensions of the array. See `add` for `order`.
static ArrayType permute(const ArrayType &type, ArrayRef<unsigned> order) {
  ArrayType result = type;
  for (auto [i, dim] : llvm::enumerate(order))
    result.shape[dim] = type.shape[i];
  return result;
}

static bool overlap(const BorrowedArray &a, const BorrowedArray &b) {
  auto [beginA, endA] = a.getRange();
  auto [beginB, endB] = b.getRange();
  return beginA < endB && beginB < endA;
}

/// Tells torch that a tensor is written to, as its own functions do. Autograd
/// then refuses a gradient that needs the old elements. Raises torch's error if
/// the tensor may not be written to.
static void countWrite(nb::handle array) {
  nb::object modules = nb::module_::import_("sys").attr("modules");
  nb::object torch = modules.attr("get")("torch");
  if (!torch.is_none() && nb::isinstance(array, torch.attr("Tensor")))
    torch.attr("autograd").attr("graph").attr("increment_version")(array);
}

Results::Results(nb::handle out, size_t count,
                 ArrayRef<const BorrowedArray *> inputs)
    : out(out), count(count), inputs(inputs) {
  for (const BorrowedArray *input : inputs)
    if (!likeness.is_valid())
      likeness = input->getLikeness();
  if (out.is_none() || count == 1)
    return;
  if (!PyTuple_Check(out.ptr()) ||
      PyTuple_Size(out.ptr()) != static_cast<Py_ssize_t>(count))
    raise(PyExc_TypeError, "out must be a tuple of " + llvm::Twine(count) +
                               " arrays, one for each result, or None");
}

nb::handle Results::getOut() const {
  if (out.is_none())
    return nb::handle();
  nb::handle object =
      count == 1 ? out : nb::handle(PyTuple_GetItem(out.ptr(), arrays.size()));
  return object.is_none() ? nb::handle() : object;
}

std::string Results::getOutName() const {
  if (count == 1)
    return "out";
  return ("out[" + llvm::Twine(arrays.size()) + "]").str();
}

void Results::add(const ArrayType &type, ArrayRef<unsigned> order) {
  nb::handle object = getOut();
  if (!object.is_valid()) {
    arrays.push_back(makeArray(permute(type, order), likeness, order));
    pointers.push_back(arrays.back().data);
    return;
  }

  std::string name = getOutName();
  BorrowedArray &array =
      borrowed.emplace_back(object, name.c_str(), BorrowedArray::Access::Write);
  ArrayType expected = permute(type, order);
  if (array.dtype != expected.dtype ||
      ArrayRef(array.shape) != ArrayRef(expected.shape))
    raise(PyExc_ValueError,
          name + " must be " + expected.str() + ", but is " +
              ArrayType{array.dtype, {array.shape.begin(), array.shape.end()}}
                  .str());
  std::optional<Extents> strides = array.getElementStrides();
  Extents inMemory;
  if (strides)
    for (size_t i = 0; i < strides->size(); ++i)
      inMemory.push_back((*strides)[order.empty() ? i : order[i]]);
  if (!strides || !isRowMajor(type.shape, inMemory))
    raise(PyExc_ValueError, name + " must be row-major without gaps, or like "
                                   "the argument in memory");
  for (const BorrowedArray *input : inputs)
    if (overlap(array, *input))
      raise(PyExc_ValueError, name + " overlaps an argument");
  for (const BorrowedArray &other : borrowed)
    if (&other != &array && overlap(array, other))
      raise(PyExc_ValueError, name + " overlaps another result");
  countWrite(object);
  pointers.push_back(array.data);
  arrays.push_back({nb::borrow(object), array.data, nb::object()});
}

void Results::addLater(const char *what) {
  if (getOut().is_valid())
    raise(PyExc_ValueError, getOutName() + " must be None: " + what);
  pointers.push_back(nullptr);
  arrays.emplace_back();
}

nb::object Results::getObject() {
  if (arrays.size() == 1)
    return arrays.front().get();
  nb::object tuple = nb::steal(PyTuple_New(arrays.size()));
  for (auto [i, array] : llvm::enumerate(arrays))
    PyTuple_SetItem(tuple.ptr(), i, array.get().release().ptr());
  return tuple;
}
