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
  /// `out` is None, an array for a single result, or a tuple with an array or
  /// None for each of `count` results; raises TypeError for other objects. New
  /// arrays belong to the library of the first of `inputs` that is not NumPy's,
  /// or to NumPy if there is none.
  Results(nanobind::handle out, size_t count,
          ArrayRef<const BorrowedArray *> inputs);

  /// Adds a result. `type` has the dimensions in the order of memory, and
  /// `order[i]` is the array's dimension at place `i` in memory. An empty
  /// `order` is the identity. Raises ValueError if the caller's array has
  /// another type, is not row-major in the order of memory, is read-only, or
  /// overlaps an input or another result.
  void add(const ArrayType &type, ArrayRef<unsigned> order = {});

  /// Adds a result whose array is not known yet; set() sets it. If the caller
  /// gave an array for it, raises ValueError with the reason `what`.
  void addLater(const char *what);
  void set(size_t i, nanobind::object object) {
    arrays[i].object = std::move(object);
  }

  /// The array whose library creates new arrays; null for NumPy.
  nanobind::handle getLikeness() const { return likeness; }
  /// Addresses of the results; null for a result of addLater().
  ArrayRef<void *> getPointers() const { return pointers; }

  /// Returns the result, or a tuple if there is not exactly one. Must be called
  /// after the results have been written.
  nanobind::object getObject();

private:
  /// The caller's array for the next result; null if there is none.
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
