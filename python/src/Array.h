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

/// Raises `error` as ValueError if makeInvalid made it, as MemoryError if
/// memory ran out, and else as `other`.
[[noreturn]] void raise(llvm::Error error, PyObject *other);

/// str(object).
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
/// other libraries by DLPack. For reading, NumPy first converts an array of its
/// own with foreign byte order, and an object that has only __array__.
class BorrowedArray {
public:
  /// `ReadDetached` also accepts arrays that require a gradient; the caller
  /// handles the gradient.
  enum class Access { Read, ReadDetached, Write };

  /// Raises TypeError if `object` is no array or no kernel supports its element
  /// type. Raises ValueError if the array is on another device, is read-only
  /// with `Write`, or requires a gradient without `ReadDetached`. `name` is the
  /// argument's name in messages.
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
  /// Strides in elements; none if an element or a stride is not aligned.
  std::optional<Extents> getElementStrides() const;
  /// Address range from the first element to one past the last.
  std::pair<const char *, const char *> getRange() const;

  /// The array whose library creates results; null for NumPy.
  nanobind::handle getLikeness() const { return likeness; }

private:
  /// A buffer, held until it is released.
  struct Lock {
    ~Lock() { release(); }
    /// Returns false, with a Python error set, if the object has no such
    /// buffer.
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
  /// If `lock` holds a buffer of a view or copy of the caller's object, that
  /// view or copy.
  nanobind::object owner;
};

/// A new array, and the address of its elements.
struct NewArray {
  /// The array, or an object that `convert` converts to it. `convert` may copy,
  /// so it is called after the elements have been written.
  nanobind::object object;
  void *data = nullptr;
  nanobind::object convert;

  nanobind::object get() {
    return convert.is_valid() ? convert(object) : object;
  }
};

/// Creates an uninitialised array in the library of `likeness`. Creates it in
/// NumPy if `likeness` is null or its library has no from_dlpack. `order` lists
/// the array's dimensions in memory order; empty means row-major.
NewArray makeArray(const ArrayType &type, nanobind::handle likeness,
                   ArrayRef<unsigned> order = {});

/// Wraps the row-major array `view` as an array in the library of `likeness`,
/// chosen as in `makeArray`. The array keeps `owner` alive.
nanobind::object wrapArray(const ArrayView &view, nanobind::handle owner,
                           nanobind::handle likeness);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_ARRAY_H
