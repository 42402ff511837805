// Where the results of a call go: new arrays, or the caller's.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_RESULTS_H
#define POOL_PYTHON_RESULTS_H

#include "Array.h"

#include <deque>

namespace mlir::pool::python {

class Results {
public:
  /// `out` is None, an array for the one of `count` results, or a tuple of one
  /// for each. Raises TypeError for anything else. New arrays are made in the
  /// library of the first of `inputs` that has one.
  Results(nanobind::handle out, size_t count,
          ArrayRef<const BorrowedArray *> inputs);

  /// Adds a result of `type`, which is that in memory; `order` says which
  /// dimension of the array each of it is, empty for its own. Raises ValueError
  /// if the caller's array is another, is not row-major like it, is read-only,
  /// or overlaps an input or another result.
  void add(const ArrayType &type, ArrayRef<unsigned> order = {});

  /// Adds a result that is no array in memory that is known now; `what` is the
  /// reason for which it cannot be the caller's. Its object is set later.
  void addLater(const char *what);
  void set(size_t i, nanobind::object object) {
    arrays[i].object = std::move(object);
  }

  /// The library that new arrays are made in, none for NumPy.
  nanobind::handle getLikeness() const { return likeness; }
  /// Where each result is to be written; null for those that come later.
  ArrayRef<void *> getPointers() const { return pointers; }

  /// The result, or a tuple of all if there is not exactly one; when they have
  /// been written.
  nanobind::object getObject();

private:
  /// The caller's array for the next result; none if there is none.
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
