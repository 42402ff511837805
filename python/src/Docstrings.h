// Docstrings of the pooling functions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_DOCSTRINGS_H
#define POOL_PYTHON_DOCSTRINGS_H

#include <string>

namespace mlir::pool::python {

/// Wraps `own` text in the part that all window functions share.
inline std::string makeWindowDoc(const char *head, const char *own) {
  return std::string(head) + R"(
kernel, strides, pads_begin, pads_end, dilations: one integer for each of the n
spatial dimensions, or one for all; strides and dilations are 1 and pads 0 where
they are not given. rounding_type: 'floor', 'ceil' or 'ceil_torch'. auto_pad:
'explicit', 'valid', 'same_upper' or 'same_lower'. same_output: 'input' or
'strided', the output's extent under the two last. layout: 'channels_first',
x is [N, C, d1..dn], or 'channels_last', [N, d1..dn, C].
)" + own;
}

/// End of every function's docstring.
inline constexpr char kArraysDoc[] = R"(
Arrays are NumPy's, any with __dlpack__ in the CPU's memory (torch, JAX), or any
buffer; they may be read-only and strided. The result is a new array of the same
library, with the dimensions in the same order in memory; or out, which has to
have its type and shape, be row-major like it and not overlap an argument.

Raises ValueError, in the verifier's words, for what is not valid, TypeError for
what is no array or has elements of another type.)";

/// Docstring of the function that chooses the `chosen` ("largest") element;
/// `neverChosen` is the pad_value that never wins.
inline std::string getExtremumPoolDoc(const std::string &chosen,
                                      const std::string &neverChosen) {
  std::string head = "The " + chosen +
                     R"( element of each window, and where it is.

x: array of rank n + 2, floats (f16, bf16, f32, f64) or integers (8 to 64 bits).
)";
  std::string own =
      "pad_value: '" + neverChosen +
      R"(' or 'zero', what padding counts as. nan_mode: 'ignore' or
'propagate'. With return_indices a pair is returned, values and indices: of the
first )" +
      chosen + R"( element in x, flattened over its dimensions from axis on, as
index_element_type, 'i32' or 'i64'.
)";
  return makeWindowDoc(head.c_str(), own.c_str()) + kArraysDoc;
}

inline std::string getAvgPoolDoc() {
  return makeWindowDoc(
             R"(The average of each window.

x: array of rank n + 2, floats (f16, bf16, f32, f64) or integers (8 to 64 bits).
)",
             R"(divisor: 'valid', elements inside x; 'padded', those and the padding; 'kernel',
all. divisor_override: this number instead. Integers are summed exactly, without
input_zp, rounded by integer_rounding ('half_even', 'half_up' or 'half_away'),
moved by output_zp and saturated.
)") + kArraysDoc;
}

inline std::string getLpPoolDoc() {
  return makeWindowDoc(R"((sum |x|^p)^(1/p) of each window, p at least 1.

x: array of rank n + 2, floats (f16, bf16, f32, f64).
)",
                       "") +
         kArraysDoc;
}

inline std::string getAdaptiveMaxPoolDoc() {
  return std::string(
             R"(The largest elements of a given number of windows, and where they are.

x: array of rank n + 2, floats (f16, bf16, f32, f64) or integers (8 to 64 bits).
output_size: the number of windows in each of the n spatial dimensions, or one
for all; window o of O covers [floor(o * I / O), ceil((o + 1) * I / O)) of I
elements, so that 1 is global pooling. layout, axis, nan_mode, return_indices and
index_element_type are those of max_pool.
)") + kArraysDoc;
}

inline std::string getAdaptiveAvgPoolDoc() {
  return std::string(R"(The averages of a given number of windows.

x: array of rank n + 2, floats (f16, bf16, f32, f64) or integers (8 to 64 bits).
output_size: the number of windows in each of the n spatial dimensions, or one
for all; window o of O covers [floor(o * I / O), ceil((o + 1) * I / O)) of I
elements, so that 1 is global pooling. layout, integer_rounding, input_zp and
output_zp are those of avg_pool.
)") + kArraysDoc;
}

inline std::string getMaxUnpoolDoc() {
  return std::string(R"(An array of zeros with each value written at its index.

values: array of rank 3 or more, floats or integers. indices: array of int32 or
int64 of the same shape, positions in the result flattened over its dimensions
from axis on, as max_pool returns them; in those before axis a value keeps its
own. output_shape: the shape of the result. The last of several values for one
position counts. An index that names no position raises ValueError.
)") + kArraysDoc;
}

/// Docstring of the gradient of `pool` ("max_pool").
inline std::string getExtremumGradDoc(const std::string &pool) {
  std::string head = "The gradient of " + pool +
                     R"( with respect to x, of the shape of x.

x, output_grad: arrays of floats (f16, bf16, f32, f64), what )" +
                     pool + R"( took and
the gradient of what it gave. indices: what it gave with return_indices and this
axis, which saves choosing again.
)";
  std::string own = "nan_mode is that of " + pool +
                    R"(. Gradients of one element of x add up.
)";
  return makeWindowDoc(head.c_str(), own.c_str()) + kArraysDoc;
}

inline std::string getAvgPoolGradDoc() {
  return makeWindowDoc(R"(The gradient of avg_pool with respect to x.

output_grad: array of floats (f16, bf16, f32, f64), the gradient of what avg_pool
gave. input_shape: the shape of x, which is the result's.
)",
                       R"(divisor and divisor_override are those of avg_pool.
)") + kArraysDoc;
}

inline constexpr char kCompileDoc[] =
    R"(Compiles functions of an MLIR module, with any upstream operations, for this
machine.

source: the text of a module (a str with a line break or a brace), its bytecode
(bytes), or the path of a file with either (any other str, or os.PathLike).
entry: the name of a public function, a list of names, or None for all. Threads
are as many as set_num_threads says now.
cpu: a processor of LLVM that this machine can stand in for, like x86-64-v3; this
machine's if empty.

Raises ValueError with the diagnostics of parser, verifier and passes as MLIR
prints them, file:line:column first, and for a cpu that is unknown or has what
this machine lacks; OSError for a file that cannot be read.)";

inline constexpr char kCompiledDoc[] =
    R"(Compiled functions of a module, made by compile(). Threads may call it at
the same time.)";

inline constexpr char kPlanDoc[] =
    R"(How each pooling operation of the functions is lowered, in the order of the
module: a list of dicts with

function, operation, location: which it is. plan: the attribute pool.plan, which
may be written into the module to pin it; None where the operation is left to
Linalg. pinned: whether the module had it. cycles: what it costs by the model, for
an output; None if it is pinned. reason: why there is no plan, or None. rejected:
the strategies that were not chosen, and why, {name: reason}.

An adaptive operation with the windows of an ordinary one is given as that. The
module is planned anew by each access, in about a millisecond.)";

inline constexpr char kCallDoc[] =
    R"(Calls the function; the one there is, name others as compiled['name'].

Arguments are arrays of the element types and shapes of its tensors, read where
they are if they are row-major and from a copy if not, and numbers for its
scalars. The result is an array, a number, or a tuple if there is not exactly
one. Arrays are of the first argument's library.

out: an array for a result of static shape, or a tuple of arrays and None.

Raises ValueError for arguments that do not fit, and with the message of a check
that failed at run time; what out holds then is not defined. Raises MemoryError
where memory ran out.)";

inline constexpr char kSaveObjectDoc[] =
    R"(Writes a relocatable object with a C interface: a function pool_NAME for each
function, as pool-compile does.

header: where to write the declarations. target: a triple of LLVM, this
machine's if empty. cpu: a processor of LLVM; if empty, the one of compile, or the
least that a given target has. Writes both files or none; raises ValueError for
what cannot be compiled and OSError for what cannot be written.)";

inline constexpr char kImportOpenVINODoc[] =
    R"(The text of a module for a model of OpenVINO, for compile().

path: its .xml file. pool_layers: one function for each pooling layer of any
model, named after it, instead of one for the whole model, whose layers all have
to be known: docs/Guides/ImportOpenVINO.md has them. weights: the file of the constants; beside
the model, ending in .bin, if None.

Raises ValueError with the layer's name and line for what is not valid or not
known, and OSError for a model that cannot be read.)";

} // namespace mlir::pool::python

#endif // POOL_PYTHON_DOCSTRINGS_H
