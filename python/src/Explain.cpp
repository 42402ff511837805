// Explains calls whose arguments fit no parameter. nanobind's own message lists
// the whole signature and does not name the argument at fault.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Functions.h"

#include "llvm/ADT/StringRef.h"

#include <array>
#include <string>
#include <utility>

namespace nb = nanobind;

/// True if nanobind raised `error` because the arguments fit no signature. In
/// this case nanobind has not called the function.
static bool isMismatch(const nb::python_error &error) {
  return error.matches(PyExc_TypeError) &&
         llvm::StringRef(nb::str(error.value()).c_str())
             .contains("(): incompatible function arguments");
}

/// Calls pool_mlir._arguments, which raises the reason why `function` does not
/// accept the arguments. Returns if it finds no reason.
static void explain(nb::handle function, PyObject *const *arguments,
                    Py_ssize_t numPositional, nb::handle names) {
  nb::list positional;
  for (Py_ssize_t i = 0; i < numPositional; ++i)
    positional.append(nb::handle(arguments[i]));
  nb::dict named;
  if (names.is_valid())
    for (nb::handle name : nb::borrow<nb::tuple>(names))
      named[name] = nb::handle(arguments[numPositional++]);
  nb::module_::import_("pool_mlir._arguments")
      .attr("explain")(function, positional, named);
}

/// Maximum number of functions in the module.
static constexpr size_t kMaxFunctions = 64;
/// The functions that nanobind made, in the order of the module. Neither they
/// nor the Python functions that call them are ever released.
static std::array<nb::handle, kMaxFunctions> functions;

/// Calls functions[I]. If nanobind says that the arguments do not fit, raises
/// the reason that explain() finds.
template <size_t I>
static PyObject *callExplained(PyObject *, PyObject *const *arguments,
                               Py_ssize_t numPositional, PyObject *names) {
  nb::handle function = functions[I];
  PyObject *result =
      PyObject_Vectorcall(function.ptr(), arguments, numPositional, names);
  if (result || !PyErr_ExceptionMatches(PyExc_TypeError))
    return result;
  nb::python_error error;
  try {
    if (isMismatch(error))
      explain(function, arguments, numPositional, names);
    error.restore();
  } catch (nb::python_error &reason) {
    reason.restore();
  }
  return nullptr;
}

using Call = PyObject *(*)(PyObject *, PyObject *const *, Py_ssize_t,
                           PyObject *);
template <size_t... I>
static constexpr std::array<Call, sizeof...(I)>
makeCalls(std::index_sequence<I...>) {
  return {callExplained<I>...};
}
/// `kCalls[i]` is a C function that calls `functions[i]`. One shared C function
/// is not possible. Its `self` would have to tell which function to call, but
/// `self` must be the module: otherwise Python does not pickle the function by
/// its name.
static constexpr std::array<Call, kMaxFunctions> kCalls =
    makeCalls(std::make_index_sequence<kMaxFunctions>());

/// Converts the first line of nanobind's docstring, the signature, to the form
/// that inspect and help() read. This form has no types.
static std::string setSignature(llvm::StringRef doc) {
  auto [signature, text] = doc.split('\n');
  std::string plain;
  bool isInType = false;
  for (char c : signature.rsplit(" -> ").first) {
    if (c == ':')
      isInType = true;
    else if (c == ',' || c == '=' || c == ')')
      isInType = false;
    if (!isInType)
      plain.push_back(c);
  }
  return plain + "\n--\n\n" + text.ltrim('\n').str();
}

void mlir::pool::python::explainCalls(nb::module_ &module) {
  struct Definition {
    std::string name, doc;
    PyMethodDef method;
  };
  // Python keeps pointers to the definitions.
  static std::array<Definition, kMaxFunctions> definitions;
  size_t count = 0;
  for (nb::handle key : nb::list(module.attr("__dict__").attr("keys")())) {
    nb::object function = module.attr(key);
    if (llvm::StringRef(nb::str(function.type().attr("__name__")).c_str()) !=
        "nb_func")
      continue;
    if (count == kMaxFunctions)
      nb::raise("more functions than kMaxFunctions");
    Definition &definition = definitions[count];
    definition.name = nb::str(key).c_str();
    definition.doc =
        setSignature(nb::str(nb::object(function.attr("__doc__"))).c_str());
    definition.method = {definition.name.c_str(),
                         reinterpret_cast<PyCFunction>(
                             reinterpret_cast<void (*)()>(kCalls[count])),
                         METH_FASTCALL | METH_KEYWORDS, definition.doc.c_str()};
    // Pickles name a function by its module: pool_mlir for public functions.
    nb::str home(definition.name.front() == '_' ? "pool_mlir._pool_mlir"
                                                : "pool_mlir");
    module.attr(key) = nb::steal(
        PyCFunction_NewEx(&definition.method, module.ptr(), home.ptr()));
    functions[count++] = function.release();
  }
}
