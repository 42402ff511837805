// The pooling functions of the module. scripts/python-functions.py generates
// the table of their parameters and their docstrings from the definitions of
// the operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Array.h"
#include "Call.h"
#include "Functions.h"

#include <cstring>
#include <optional>
#include <vector>

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::python;

namespace {
/// Kinds of parameters. A `List` is one integer for all spatial dimensions, or
/// a list with one for each. A `Shape` is the shape of the result. A `Name` is
/// the keyword of an enumeration.
enum class Kind {
  Array,
  OptionalArray,
  List,
  Shape,
  Integer,
  OptionalInteger,
  Name,
  ReturnIndices,
  IndexType,
  Out
};

struct Parameter {
  /// Name of the parameter. If the parameter sets an attribute, that has the
  /// same name.
  const char *name;
  Kind kind;
  bool isRequired;
  /// Defaults: `keyword` for the kinds `Name` and `IndexType`, and `number` for
  /// `Integer`.
  const char *keyword = "";
  int64_t number = 0;
};

struct Function {
  const char *name, *operation, *signature, *doc;
  std::vector<Parameter> parameters;
};

/// An array to read, of any type but bool.
struct InputArray : BorrowedArray {
  InputArray(nb::handle object, const char *name)
      : BorrowedArray(object, name, Access::Read) {
    refuseBools(name);
  }
};
} // namespace

/// Returns the functions in the order of help().
static ArrayRef<Function> getFunctions() {
  static const Function functions[] = {
#include "PoolingFunctions.inc"
  };
  return functions;
}

/// Converts `object` to a T. If it has another type, makes nanobind raise
/// TypeError. Explain.cpp then finds the argument at fault.
template <typename T>
static T convert(nb::handle object) {
  T value;
  if (!nb::try_cast(object, value))
    throw nb::next_overload();
  return value;
}

/// Like `convert`, but for a string. Also refuses a string with a null
/// character, at which C would end the string.
static StringRef convertName(nb::handle object) {
  Py_ssize_t size = 0;
  const char *text = PyUnicode_Check(object.ptr())
                         ? PyUnicode_AsUTF8AndSize(object.ptr(), &size)
                         : nullptr;
  if (!text)
    PyErr_Clear();
  if (!text || std::strlen(text) != size_t(size))
    throw nb::next_overload();
  return text;
}

/// Returns the argument of each parameter, or null for a parameter without an
/// argument. If arguments and parameters do not fit, makes nanobind raise
/// TypeError, as `convert` does.
static SmallVector<nb::handle, 16> bind(ArrayRef<Parameter> parameters,
                                        const nb::args &positional,
                                        const nb::kwargs &named) {
  SmallVector<nb::handle, 16> values(parameters.size());
  if (positional.size() > parameters.size())
    throw nb::next_overload();
  size_t numPositional = 0;
  for (nb::handle argument : positional)
    values[numPositional++] = argument;
  for (auto [key, argument] : named) {
    StringRef name = convertName(key);
    const Parameter *parameter = llvm::find_if(
        parameters, [&](const Parameter &each) { return each.name == name; });
    if (parameter == parameters.end() || values[parameter - parameters.begin()])
      throw nb::next_overload();
    values[parameter - parameters.begin()] = argument;
  }
  for (auto [parameter, value] : llvm::zip(parameters, values))
    if (parameter.isRequired && !value)
      throw nb::next_overload();
  return values;
}

/// Returns the number of bits of the index type `name`. Raises ValueError
/// unless it is i32 or i64.
static unsigned getIndexBits(StringRef name) {
  if (name == "i32")
    return 32;
  if (name == "i64")
    return 64;
  raise(PyExc_ValueError,
        "index_element_type is '" + name + "', but must be i32 or i64");
}

/// Adds the attributes that are numbers or keywords to `request`, and sets its
/// `indexBits`. Makes nanobind raise TypeError if a required array or list is
/// None.
static void addScalars(Request &request, ArrayRef<Parameter> parameters,
                       ArrayRef<nb::handle> values) {
  bool returnsIndices = false;
  StringRef indexType = "i64";
  for (auto [parameter, value] : llvm::zip(parameters, values)) {
    switch (parameter.kind) {
    case Kind::Array:
    case Kind::List:
      if (parameter.isRequired && value.is_none())
        throw nb::next_overload();
      break;
    case Kind::Integer:
      request.integers.push_back(
          {parameter.name, value ? convert<int64_t>(value) : parameter.number});
      break;
    case Kind::OptionalInteger:
      if (value && !value.is_none())
        request.integers.push_back({parameter.name, convert<int64_t>(value)});
      break;
    case Kind::Name:
      request.enumerations.push_back(
          {parameter.name,
           value ? convertName(value) : StringRef(parameter.keyword)});
      break;
    case Kind::ReturnIndices:
      returnsIndices = value && convert<bool>(value);
      break;
    case Kind::IndexType:
      indexType = value ? convertName(value) : StringRef(parameter.keyword);
      break;
    case Kind::OptionalArray:
    case Kind::Shape:
    case Kind::Out:
      break;
    }
  }
  unsigned bits = getIndexBits(indexType);
  request.indexBits = returnsIndices ? bits : 0;
}

/// Adds the attributes that are lists to `request`, and sets its `resultShape`.
/// `rank` is the rank of the first array. One integer becomes a list for all
/// spatial dimensions. If `rank` is below 3, it becomes a list of one integer,
/// and the verifier refuses the rank later.
static void addLists(Request &request, ArrayRef<Parameter> parameters,
                     ArrayRef<nb::handle> values, size_t rank) {
  for (auto [parameter, value] : llvm::zip(parameters, values)) {
    if (parameter.kind == Kind::List && value) {
      request.add(parameter.name,
                  getIntegers(value, parameter.name, rank > 3 ? rank - 2 : 1));
    } else if (parameter.kind == Kind::Shape) {
      request.resultShape = getIntegers(value, parameter.name, /*count=*/0);
      if (!request.resultShape)
        raise(PyExc_TypeError,
              llvm::Twine(parameter.name) + " must be a list of integers");
    }
  }
}

static nb::object callFunction(const Function &function,
                               const nb::args &positional,
                               const nb::kwargs &named) {
  ArrayRef<Parameter> parameters = function.parameters;
  SmallVector<nb::handle, 16> values = bind(parameters, positional, named);
  Request request;
  request.operation = function.operation;
  addScalars(request, parameters, values);
  // The operations have at most three operands.
  std::optional<InputArray> arrays[3];
  SmallVector<const BorrowedArray *, 3> operands;
  nb::handle out = nb::none();
  for (auto [parameter, value] : llvm::zip(parameters, values)) {
    bool isArray =
        parameter.kind == Kind::Array || parameter.kind == Kind::OptionalArray;
    if (isArray && value && !value.is_none())
      operands.push_back(
          &arrays[operands.size()].emplace(value, parameter.name));
    else if (parameter.kind == Kind::Out && value)
      out = value;
  }
  addLists(request, parameters, values, operands.front()->shape.size());
  return call(request, operands, out);
}

void mlir::pool::python::addPoolingFunctions(nb::module_ &module) {
  for (const Function &function : getFunctions())
    module.def(
        function.name,
        [&function](const nb::args &positional, const nb::kwargs &named) {
          return callFunction(function, positional, named);
        },
        nb::sig(function.signature), function.doc);
}
