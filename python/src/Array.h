// Arrays of Python: borrowed without a copy from whatever library they belong
// to, and made for results in the library of the arguments.
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

/// Raises a Python exception of `type` (PyExc_ValueError and its kin).
[[noreturn]] void raise(PyObject *type, const llvm::Twine &message);

/// Raises `error`: ValueError for what makeInvalid made, MemoryError where
/// memory ran out, `other` for all else.
[[noreturn]] void raise(llvm::Error error, PyObject *other);

/// str(object).
std::string toString(nanobind::handle object);

/// To be called once, when the module is imported.
void importNumPy();

/// An array of the caller, locked for as long as this lives: by the buffer
/// protocol for NumPy and Python's own, by DLPack for everything else.
class BorrowedArray {
public:
  enum class Access { Read, Write };

  /// Raises TypeError for what is no array, or one of elements that no kernel
  /// has; ValueError for an array that is on another device, or read-only where
  /// it is to be written. `name` says in messages which argument it is.
  BorrowedArray(nanobind::handle object, const char *name, Access access);
  BorrowedArray(const BorrowedArray &) = delete;
  BorrowedArray &operator=(const BorrowedArray &) = delete;

  DType dtype;
  Extents shape;
  /// In bytes.
  Extents strides;
  char *data = nullptr;

  /// Strides in elements; none if an element or a stride is not aligned.
  std::optional<Extents> getElementStrides() const;
  /// The bytes from the first to behind the last element.
  std::pair<const char *, const char *> getRange() const;

  /// The array whose library results are made in; none for NumPy.
  nanobind::handle getLikeness() const { return likeness; }

private:
  /// A buffer, until it is released.
  struct Lock {
    ~Lock() { release(); }
    /// False with a Python error set if there is none of this kind.
    bool acquire(nanobind::handle object, int flags);
    void release();

    Py_buffer buffer;
    bool isHeld = false;
  };

  void borrowBuffer(nanobind::handle object, const char *name, Access access);
  void borrowDLPack(nanobind::handle object, const char *name, Access access);

  Lock lock;
  nanobind::ndarray<nanobind::ro> tensor;
  nanobind::handle likeness;
  /// Views made on the way to the data.
  nanobind::object owner;
};

/// A new array and where its elements are.
struct NewArray {
  /// The array, or what `convert` makes it of. That may copy: it is for when
  /// the elements have been written.
  nanobind::object object;
  void *data = nullptr;
  nanobind::object convert;

  nanobind::object get() {
    return convert.is_valid() ? convert(object) : object;
  }
};

/// Makes an uninitialised array in the library of `likeness`, in NumPy for none
/// and for libraries without from_dlpack. Its dimensions are in memory in the
/// order `order`, row-major if that is empty.
NewArray makeArray(const ArrayType &type, nanobind::handle likeness,
                   ArrayRef<unsigned> order = {});

/// The row-major array `view` in the library of `likeness`, as `makeArray`.
/// `owner` lives as long as the array does.
nanobind::object wrapArray(const ArrayView &view, nanobind::handle owner,
                           nanobind::handle likeness);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_ARRAY_H
