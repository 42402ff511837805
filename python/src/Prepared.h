// An operation with its attributes, read once and called many times. Operators
// for other libraries, such as pool_mlir.torch, use such objects.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_PREPARED_H
#define POOL_PYTHON_PREPARED_H

#include "Request.h"

#include <nanobind/nanobind.h>

#include <deque>
#include <optional>
#include <string>

namespace mlir::pool::python {

class Prepared {
public:
  /// `attributes` maps names in the dialect to values: a list of integers, an
  /// integer or a keyword. If `indexBits` is not 0, the operation also returns
  /// indices of this many bits. `hasUniformSums`: see Request. `resultType` is
  /// NumPy's name of the element type of the result of pool.window_reduce.
  /// Without it, the result has the operand's type.
  Prepared(const std::string &name, const nanobind::dict &attributes,
           unsigned indexBits, bool hasUniformSums,
           const std::optional<std::string> &resultType);
  Prepared(const Prepared &) = delete;

  nanobind::object call(nanobind::handle x, nanobind::handle y,
                        nanobind::handle z, unsigned threads,
                        nanobind::handle shape) const;

  /// Returns the request, without operands. Its texts belong to this object.
  const Request &getRequest() const { return request; }

private:
  const std::string &keep(std::string text) {
    return texts.emplace_back(std::move(text));
  }

  Request request;
  /// The texts to which `request` refers. Elements of a deque do not move.
  std::deque<std::string> texts;
};

} // namespace mlir::pool::python

#endif // POOL_PYTHON_PREPARED_H
