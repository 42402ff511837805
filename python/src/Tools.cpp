// _run_tool(), which runs the tools for the commands of the package.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Functions.h"

#include "pool/Tools/Tools.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace mlir::pool;

static constexpr char kRunToolDoc[] =
    R"(Runs pool-compile, pool-opt, pool-run or pool-translate, and returns its exit
code. The first argument is the tool's name. May be called once in a process, and may
end it.)";

static int runTool(std::vector<std::string> arguments) {
  ToolMain *tool = arguments.empty() ? nullptr : findTool(arguments.front());
  if (!tool)
    throw nb::value_error("no such tool");
  std::vector<char *> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  nb::gil_scoped_release release;
  int code = tool(arguments.size(), pointers.data());
  llvm::outs().flush();
  return code;
}

void mlir::pool::python::addTools(nb::module_ &module) {
  module.def("_run_tool", &runTool, "arguments"_a, kRunToolDoc);
}
