// What a call of a pooling function asks for, without the data: operation,
// attributes, and the types and layouts of the arrays. It is the key of the
// compiled code, and the module to compile is made from it.
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
  /// What is not there has its default.
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

  /// Of the operation in the dialect, a literal.
  StringRef operation;
  SmallVector<Operand, 3> operands;
  SmallVector<List, 5> lists;
  SmallVector<Integer, 4> integers;
  SmallVector<Enumeration, 6> enumerations;
  /// Bits of the indices of a second result, 0 without one.
  unsigned indexBits = 0;
  /// The result's shape, where no operand says it.
  std::optional<Extents> resultShape;
  unsigned threads = 1;

  void add(StringRef name, const std::optional<Extents> &values) {
    if (values)
      lists.push_back({name, *values});
  }

  /// Bytes that are the same for two requests if and only if these are.
  void appendKey(SmallVectorImpl<char> &key) const;
};

/// The function that every module of a request has.
constexpr StringLiteral kEntry = "main";

/// A verified module with one function that does what is asked. Errors go to
/// the context's diagnostic handler, in the verifier's words; null then.
OwningOpRef<ModuleOp> buildModule(const Request &request, MLIRContext *context);

/// The element type of MLIR for `dtype`. Signed integers are signless.
Type getElementType(const DType &dtype, MLIRContext *context);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_REQUEST_H
