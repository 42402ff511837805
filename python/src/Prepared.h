// An operation with its attributes, read once and called many times: what the
// operators of other libraries are made of, pool_mlir.torch's first.
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
  /// `attributes` are lists of integers, integers and the keywords of
  /// enumerations by their names in the dialect; with `indexBits` not 0 there
  /// are indices of such integers. `hasUniformSums` asks for sums whose order
  /// depends on the kernel alone. The result of pool.window_reduce has elements
  /// of `resultType`, NumPy's name, by default the operand's.
  Prepared(const std::string &name, const nanobind::dict &attributes,
           unsigned indexBits, bool hasUniformSums,
           const std::optional<std::string> &resultType);
  Prepared(const Prepared &) = delete;

  nanobind::object call(nanobind::handle x, nanobind::handle y,
                        nanobind::handle z, unsigned threads,
                        nanobind::handle shape) const;

  /// The request without operands; it refers to this object.
  const Request &getRequest() const { return request; }

private:
  const std::string &keep(std::string text) {
    return texts.emplace_back(std::move(text));
  }

  Request request;
  /// What the request refers to; its elements stay where they are.
  std::deque<std::string> texts;
};

} // namespace mlir::pool::python

#endif // POOL_PYTHON_PREPARED_H
