// Request of a pooling function, without data: operation, attributes, types and
// layouts of the arrays. A request gives the key of the compiled code, and the
// module to compile.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_REQUEST_H
#define POOL_PYTHON_REQUEST_H

#include "Layout.h"

#include "mlir/IR/Builders.h"
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
  /// An attribute that is a list. Here and in Integer and Enumeration, `name`
  /// is the attribute's name in the dialect. The texts must outlive the
  /// request. An attribute that the request lacks has its default.
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

  /// Name of the operation, such as pool.max_pool. The text must outlive the
  /// request.
  StringRef operation;
  SmallVector<Operand, 3> operands;
  SmallVector<List, 5> lists;
  SmallVector<Integer, 4> integers;
  SmallVector<Enumeration, 6> enumerations;
  /// Bits of the indices, the second result; 0 without indices.
  unsigned indexBits = 0;
  /// True if the order of sums must depend on the kernel alone.
  bool hasUniformSums = false;
  /// Shape of the result, if no operand determines it.
  std::optional<Extents> resultShape;
  /// Element type of the result, if it is not the first operand's.
  std::optional<DType> resultType;
  /// Threads of a call; 0 for the number of set_num_threads().
  unsigned threads = 0;

  void add(StringRef name, const std::optional<Extents> &values) {
    if (values)
      lists.push_back({name, *values});
  }

  /// Appends bytes that are equal for two requests exactly if the requests are
  /// equal.
  void appendKey(SmallVectorImpl<char> &key) const;
};

/// Name of the function in every request's module.
constexpr StringLiteral kEntry = "main";

/// Builds a verified module with one function for the request. Returns null on
/// failure, after sending the verifier's errors to the context's diagnostic
/// handler.
OwningOpRef<ModuleOp> buildModule(const Request &request, MLIRContext *context);

/// Creates the operation on the values `operands`, at the insertion point of
/// `b`. Ignores the request's own operands. Returns null after an error.
Operation *createOperation(OpBuilder &b, Location loc, const Request &request,
                           SmallVector<Value> operands);

/// MLIR element type of `dtype`. Signed integers are signless.
Type getElementType(const DType &dtype, MLIRContext *context);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_REQUEST_H
