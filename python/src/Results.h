// Result arrays of a call: new arrays, or the caller's.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_RESULTS_H
#define POOL_PYTHON_RESULTS_H

#include "Array.h"

#include <deque>

namespace mlir::pool::python {

class Results {
public:
  /// `out` is None, or an array if `count` is 1. Otherwise it may be a tuple
  /// with an array or None for each of `count` results. Raises TypeError for
  /// another object. New arrays belong to the library of the first of `inputs`
  /// that was borrowed by DLPack, or to NumPy if there is none.
  Results(nanobind::handle out, size_t count,
          ArrayRef<const BorrowedArray *> inputs);

  /// Adds the next result: the caller's array, or a new array. `type` has the
  /// dimensions in memory order, and `order[i]` is the dimension of the array
  /// that is dimension i in memory. An empty `order` means row-major. Raises
  /// ValueError if the caller's array has another type or shape, is not
  /// row-major in memory order, is read-only, or overlaps an input or another
  /// result.
  void add(const ArrayType &type, ArrayRef<unsigned> order = {});

  /// Adds the next result, whose array is not known yet: set() sets it. If the
  /// caller gave an array for it, raises ValueError with the reason `what`.
  void addLater(const char *what);
  void set(size_t i, nanobind::object object) {
    arrays[i].object = std::move(object);
  }

  /// Returns the array whose library creates new arrays, or null for NumPy.
  nanobind::handle getLikeness() const { return likeness; }
  /// Returns the address of each result. It is null for a result that
  /// addLater() added.
  ArrayRef<void *> getPointers() const { return pointers; }

  /// Returns the result, or a tuple if there is not exactly one. Call it after
  /// the results have been written, because it may copy them.
  nanobind::object getObject();

private:
  /// Returns the caller's array for the next result, or null if there is none.
  nanobind::handle getOut() const;
  std::string getOutName() const;

  nanobind::handle out;
  size_t count;
  ArrayRef<const BorrowedArray *> inputs;
  nanobind::handle likeness;
  SmallVector<void *, 2> pointers;
  SmallVector<NewArray, 2> arrays;
  std::deque<BorrowedArray> borrowed;
};

} // namespace mlir::pool::python

#endif // POOL_PYTHON_RESULTS_H
