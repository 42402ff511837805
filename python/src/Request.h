// Describes a call of a pooling function without its data: the operation, its
// attributes, and the types and layouts of the arrays. A request gives the key
// under which the compiled code is cached, and the module to compile.
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
  /// An attribute that is a list of integers. In List, Integer and Enumeration,
  /// `name` is the attribute's name in the dialect. All texts must outlive the
  /// request. An attribute that the request does not have gets its default.
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
  /// Number of bits of an index: 32 or 64 if the operation returns indices as
  /// its second result, otherwise 0.
  unsigned indexBits = 0;
  /// True if the order in which floats are added may depend only on the
  /// window's extents. Then a part of an operation gives the same bits as the
  /// whole operation.
  bool hasUniformSums = false;
  /// Shape of the result, for operations whose operands and attributes do not
  /// determine it.
  std::optional<Extents> resultShape;
  /// Element type of the result, if it differs from the first operand's. Has an
  /// effect only together with `resultShape`.
  std::optional<DType> resultType;
  /// Maximum number of threads of a call. 0 means the number of
  /// set_num_threads(): call() in Call.h replaces the 0 by this number.
  unsigned threads = 0;

  void add(StringRef name, const std::optional<Extents> &values) {
    if (values)
      lists.push_back({name, *values});
  }

  /// Appends a key to `key`. Two requests have the same key exactly if they are
  /// equal.
  void appendKey(SmallVectorImpl<char> &key) const;
};

/// Name of the function in the module that buildModule() returns.
constexpr StringLiteral kEntry = "main";

/// Builds a verified module with one function for the request. Returns null on
/// failure, after sending the verifier's errors to the context's diagnostic
/// handler.
OwningOpRef<ModuleOp> buildModule(const Request &request, MLIRContext *context);

/// Creates the operation on the values `operands`, at the insertion point of
/// `b`. Does not use the request's own operands, and does not verify the
/// operation. Returns null after emitting an error.
Operation *createOperation(OpBuilder &b, Location loc, const Request &request,
                           SmallVector<Value> operands);

/// Returns the MLIR type for `dtype`. Signed integers become signless.
Type getElementType(const DType &dtype, MLIRContext *context);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_REQUEST_H
