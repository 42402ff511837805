// Explains calls whose arguments fit no parameter. nanobind's own message lists
// the whole signature and does not name the argument at fault.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Functions.h"

#include "llvm/ADT/StringRef.h"

#include <deque>
#include <string>

namespace nb = nanobind;

/// True if nanobind raised `error` because the arguments fit no function. Then
/// nanobind has called no function.
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

/// Calls `self`, a function of nanobind. If the arguments do not fit, raises
/// the reason that explain() finds.
static PyObject *callExplained(PyObject *self, PyObject *const *arguments,
                               Py_ssize_t numPositional, PyObject *names) {
  PyObject *result = PyObject_Vectorcall(self, arguments, numPositional, names);
  if (result || !PyErr_ExceptionMatches(PyExc_TypeError))
    return result;
  nb::python_error error;
  try {
    if (isMismatch(error))
      explain(self, arguments, numPositional, names);
    error.restore();
  } catch (nb::python_error &reason) {
    reason.restore();
  }
  return nullptr;
}

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
  // Never free the definitions, since Python keeps pointers to them.
  static auto *definitions = new std::deque<Definition>;
  nb::object moduleName = module.attr("__name__");
  for (nb::handle key : nb::list(module.attr("__dict__").attr("keys")())) {
    nb::object function = module.attr(key);
    if (llvm::StringRef(nb::str(function.type().attr("__name__")).c_str()) !=
        "nb_func")
      continue;
    Definition &definition = definitions->emplace_back();
    definition.name = nb::str(key).c_str();
    definition.doc =
        setSignature(nb::str(nb::object(function.attr("__doc__"))).c_str());
    definition.method = {definition.name.c_str(),
                         reinterpret_cast<PyCFunction>(
                             reinterpret_cast<void (*)()>(callExplained)),
                         METH_FASTCALL | METH_KEYWORDS, definition.doc.c_str()};
    module.attr(key) = nb::steal(PyCFunction_NewEx(
        &definition.method, function.ptr(), moduleName.ptr()));
  }
}
