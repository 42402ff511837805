// Docstrings of the functions that compile and import modules.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_DOCSTRINGS_H
#define POOL_PYTHON_DOCSTRINGS_H

namespace mlir::pool::python {

inline constexpr char kCompileDoc[] =
    R"(Compiles functions of an MLIR module for this machine, and returns a Compiled.
The module may contain any upstream operations.

source: the text of a module (a str with a line break or a brace), its bytecode
    (bytes), the path of a file with either (any other str, or os.PathLike), or a module
    of any MLIR's Python bindings.
entry: the name of a public function, a list of names, or None for all.
cpu: a processor of LLVM that this machine can run code for, like x86-64-v3; this
    machine's if empty.
threads: the number of threads of each call, by default set_num_threads' number.

Raises ValueError for an error in the module, with MLIR's diagnostics, which begin
with file:line:column; and for a cpu that is unknown or needs more than this machine
has. Raises OSError for a file that cannot be read.)";

inline constexpr char kCompiledDoc[] =
    R"(Compiled functions of a module, made by compile(). Threads may call them at
the same time.)";

inline constexpr char kPlanDoc[] =
    R"(The plans of all pooling operations of the functions, in the order of the
module: a list of dicts with

function, operation, location: the operation.
plan: the attribute pool.plan, which pins the plan if it is written into the module;
    None if the operation is lowered by way of Linalg.
pinned: True if the module has the attribute.
cycles: the cost of an output by the model; None if the plan is pinned.
reason: the reason why there is no plan, or None.
rejected: the strategies that were not chosen, with the reasons: {name: reason}.

An adaptive operation whose windows have one size counts as the ordinary operation.
Each access plans the module again, in about a millisecond.)";

inline constexpr char kCallDoc[] =
    R"(Calls the only function. If there are several, call compiled['name'].

args: an array for each tensor, with its element type and shape, and a number for
    each scalar. A row-major array is read in place; any other is copied first.
out: an array for a result of static shape, or a tuple of arrays and None.

Returns an array or a number, or a tuple if there is not exactly one result. Arrays
are of the first argument's library.

Raises ValueError for arguments that do not fit, and for a check that failed at run
time; the contents of out are then undefined. Raises MemoryError if memory ran
out.)";

inline constexpr char kSaveObjectDoc[] =
    R"(Writes a relocatable object with a C interface, as pool-compile does: each
function is called pool_NAME.

header: the path for the declarations, or None.
target: a triple of LLVM, this machine's if empty.
cpu: a processor of LLVM. By default it is compile's; with a target it is the
    target's least processor.

Writes both files or none. Raises ValueError if the module cannot be compiled, and
OSError if a file cannot be written.)";

inline constexpr char kImportOpenVINODoc[] =
    R"(Imports a model of OpenVINO, and returns the text of a module, for compile().

path: the model's .xml file.
pool_layers: False makes one function of the whole model, which may have only the
    layers in docs/Guides/ImportOpenVINO.md. True makes a function of each pooling layer, named
    after it, and skips all other layers.
weights: the file of the constants; by default it stands beside the model and ends in
    .bin.

Raises ValueError, with the layer's name and line, for an invalid model or an unknown
layer. Raises OSError if the model cannot be read.)";

} // namespace mlir::pool::python

#endif // POOL_PYTHON_DOCSTRINGS_H
