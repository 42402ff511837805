// Request of a pooling function, without data: operation, attributes, types and
// layouts of the arrays. It gives the key of the compiled code and the module
// to compile.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_REQUEST_H
#define POOL_PYTHON_REQUEST_H

#include "Layout.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "pool/ExecutionEngine/ArrayType.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace mlir::pool::python {

struct Request {
  struct Operand {
    DType dtype;
    Extents shape;
    Part part;
  };
  /// Attributes by their names in the dialect, which outlive the request.
  /// Absent ones have their defaults.
  struct List {
    StringRef name;
    Extents values;
  };
  struct Integer {
    StringRef name;
    int64_t value;
  };
  struct Enumeration {
    StringRef name;
    StringRef value;
  };

  /// Name of the operation in the dialect, a literal.
  StringRef operation;
  SmallVector<Operand, 3> operands;
  SmallVector<List, 5> lists;
  SmallVector<Integer, 4> integers;
  SmallVector<Enumeration, 6> enumerations;
  /// Bits of the indices, the second result; 0 without indices.
  unsigned indexBits = 0;
  /// True for sums whose order depends on the kernel alone.
  bool hasUniformSums = false;
  /// Shape of the result, if no operand determines it.
  std::optional<Extents> resultShape;
  /// Its element type, where that is not the first operand's.
  std::optional<DType> resultType;
  /// Threads of a call; 0 for what set_num_threads() said.
  unsigned threads = 0;

  void add(StringRef name, const std::optional<Extents> &values) {
    if (values)
      lists.push_back({name, *values});
  }

  /// Appends bytes that are equal for two requests exactly if the requests are.
  void appendKey(SmallVectorImpl<char> &key) const;
};

/// Name of the function in every request's module.
constexpr StringLiteral kEntry = "main";

/// Builds a verified module with one function for the request. On failure it is
/// null and the errors, in the verifier's words, are sent to the context's
/// diagnostic handler.
OwningOpRef<ModuleOp> buildModule(const Request &request, MLIRContext *context);

/// MLIR element type of `dtype`. Signed integers are signless.
Type getElementType(const DType &dtype, MLIRContext *context);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_REQUEST_H
