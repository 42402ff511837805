// What help() says about the pooling functions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_DOCSTRINGS_H
#define POOL_PYTHON_DOCSTRINGS_H

namespace mlir::pool::python {

#define POOL_WINDOW_DOC                                                        \
  R"(
kernel, strides, pads_begin, pads_end, dilations: one integer for each of the n
spatial dimensions, or one for all; strides and dilations are 1 and pads 0 where
they are not given. rounding_type: 'floor', 'ceil' or 'ceil_torch'. auto_pad:
'explicit', 'valid', 'same_upper' or 'same_lower'. same_output: 'input' or
'strided', the output's extent under the two last. layout: 'channels_first',
x is [N, C, d1..dn], or 'channels_last', [N, d1..dn, C].
)"

#define POOL_RESULT_DOC                                                        \
  R"(
x is NumPy's, any array with __dlpack__ in the CPU's memory (torch, JAX), or any
buffer; it may be read-only and strided. The result is a new array of the same
library, with the dimensions in the same order in memory; or out, which has to
have its type and shape, be row-major like it and not overlap x.

Raises ValueError, in the verifier's words, for what is not valid, TypeError for
what is no array or has elements of another type.)"

inline constexpr char kMaxPoolDoc[] =
    R"(The largest element of each window, and where it is.

x: array of rank n + 2, floats (f16, bf16, f32, f64) or integers (8 to 64 bits).
)" POOL_WINDOW_DOC
    R"(pad_value: 'neg_inf' or 'zero', what padding counts as. nan_mode: 'ignore' or
'propagate'. With return_indices a pair is returned, values and indices: of the
first largest element in x, flattened over its dimensions from axis on, as
index_element_type, 'i32' or 'i64'.
)" POOL_RESULT_DOC;

inline constexpr char kAvgPoolDoc[] =
    R"(The average of each window.

x: array of rank n + 2, floats (f16, bf16, f32, f64) or integers (8 to 64 bits).
)" POOL_WINDOW_DOC
    R"(divisor: 'valid', elements inside x; 'padded', those and the padding; 'kernel',
all. divisor_override: this number instead. Integers are summed exactly, without
input_zp, rounded by integer_rounding ('half_even', 'half_up' or 'half_away'),
moved by output_zp and saturated.
)" POOL_RESULT_DOC;

inline constexpr char kLpPoolDoc[] =
    R"((sum |x|^p)^(1/p) of each window, p at least 1.

x: array of rank n + 2, floats (f16, bf16, f32, f64).
)" POOL_WINDOW_DOC POOL_RESULT_DOC;

inline constexpr char kCompileDoc[] =
    R"(Compiles functions of an MLIR module, with any upstream operations, for this
machine.

source: the text of a module (a str with a line break or a brace), its bytecode
(bytes), or the path of a file with either (any other str, or os.PathLike).
entry: the name of a public function, a list of names, or None for all. Threads
are as many as set_num_threads says now.

Raises ValueError with the diagnostics of parser, verifier and passes as MLIR
prints them, file:line:column first, and OSError for a file that cannot be read.)";

inline constexpr char kCompiledDoc[] =
    R"(Compiled functions of a module, made by compile(). Threads may call it at
the same time.)";

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
machine's if empty. cpu: a processor of LLVM; if empty, this machine's, or the
least that a given target has. Writes both files or none; raises ValueError for
what cannot be compiled and OSError for what cannot be written.)";

} // namespace mlir::pool::python

#endif // POOL_PYTHON_DOCSTRINGS_H
