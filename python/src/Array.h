// Python arrays. Arguments are borrowed from their libraries, without a copy if
// possible, and results are created in the library of the arguments.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_ARRAY_H
#define POOL_PYTHON_ARRAY_H

#include "Layout.h"

#include "pool/ExecutionEngine/Program.h"
#include "llvm/Support/Error.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

namespace mlir::pool::python {

struct ExchangeAPI;

/// Raises a Python exception of `type`, such as PyExc_ValueError.
[[noreturn]] void raise(PyObject *type, const llvm::Twine &message);

/// Raises `error` as a Python exception: ValueError if `makeInvalid` made it,
/// MemoryError if memory ran out, otherwise `other`.
[[noreturn]] void raise(llvm::Error error, PyObject *other);

/// Returns `str(object)` of Python.
std::string toString(nanobind::handle object);

/// References to NumPy. They are never released, since the interpreter may be
/// gone when this library is unloaded. They are set when the module is
/// imported, because an import on first use could switch to another thread.
/// That thread might then wait for this one forever.
struct NumPy {
  nanobind::handle module, arrayType, empty;
};
extern NumPy numpy;

/// Must be called once, when the module is imported.
void importNumPy();

/// An array of the caller, borrowed for the lifetime of this object. Arrays of
/// NumPy and of Python itself are borrowed by the buffer protocol, arrays of
/// other libraries by DLPack. Two kinds of objects can only be read, and NumPy
/// first converts them: its own arrays with foreign byte order, and objects
/// whose only interface is `__array__`.
class BorrowedArray {
public:
  /// `ReadDetached` also accepts arrays that require a gradient; the caller
  /// handles the gradient.
  enum class Access { Read, ReadDetached, Write };

  /// Raises TypeError if `object` is no array, is a masked array, or has
  /// elements that no kernel supports. Raises ValueError if the array is on
  /// another device, is read-only with `Write`, or requires a gradient without
  /// `ReadDetached`. `name` is the argument's name in messages.
  BorrowedArray(nanobind::handle object, const char *name, Access access);
  BorrowedArray(const BorrowedArray &) = delete;
  BorrowedArray &operator=(const BorrowedArray &) = delete;

  DType dtype;
  Extents shape;
  /// Strides in bytes.
  Extents strides;
  char *data = nullptr;

  /// Raises TypeError for elements of type bool. Only compiled modules accept
  /// them.
  void refuseBools(const char *name) const;
  /// Returns the strides in elements. Returns nothing if the data, or a stride
  /// of a dimension with several elements, are not aligned to the size of an
  /// element.
  std::optional<Extents> getElementStrides() const;
  /// Returns the lowest address of an element, and the end of the element with
  /// the highest address. Both are equal if the array is empty.
  std::pair<const char *, const char *> getRange() const;

  /// Returns the borrowed array if its library should create the results.
  /// Returns null if NumPy should, as for every array of the buffer protocol.
  nanobind::handle getLikeness() const { return likeness; }

private:
  /// Holds a buffer of the buffer protocol until `release` or its own
  /// destruction.
  struct Lock {
    ~Lock() { release(); }
    /// Gets the buffer of `object` with the PyBUF_* `flags`. Returns false,
    /// with a Python error set, if the object refuses.
    bool acquire(nanobind::handle object, int flags);
    void release();

    Py_buffer buffer;
    bool isHeld = false;
  };

  void borrowBuffer(nanobind::handle object, const char *name, Access access);
  void borrowDLPack(nanobind::handle object, const char *name, Access access);
  void borrowExchange(nanobind::handle object, const ExchangeAPI &api,
                      const char *name, Access access);
  /// Sets all fields from a DLPack tensor of `object`; `steps` are in elements.
  void setTensor(nanobind::handle object, const char *name,
                 nanobind::dlpack::dtype elementType, size_t rank,
                 const int64_t *extents, const int64_t *steps,
                 const void *elements);

  Lock lock;
  nanobind::ndarray<nanobind::ro> tensor;
  nanobind::handle likeness;
  /// A view or copy of the caller's array, if `lock` holds the buffer of that
  /// view or copy. Null if `lock` holds the array's own buffer.
  nanobind::object owner;
};

/// A new array, and the address of its elements.
struct NewArray {
  /// The array itself if `convert` is null. Otherwise an object that `convert`
  /// converts to the array. `convert` may copy the elements, so call `get` only
  /// after they have been written.
  nanobind::object object;
  void *data = nullptr;
  nanobind::object convert;

  nanobind::object get() {
    return convert.is_valid() ? convert(object) : object;
  }
};

/// Creates an uninitialized array of `type` in the library of `likeness`.
/// Creates it in NumPy if `likeness` is null or its library has no from_dlpack.
/// `order` lists the array's dimensions in memory order, outermost first; empty
/// means row-major.
NewArray makeArray(const ArrayType &type, nanobind::handle likeness,
                   ArrayRef<unsigned> order = {});

/// Wraps the row-major array `view` as an array in the library of `likeness`,
/// chosen as in `makeArray`. The array keeps `owner` alive.
nanobind::object wrapArray(const ArrayView &view, nanobind::handle owner,
                           nanobind::handle likeness);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_ARRAY_H
