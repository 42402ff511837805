"""Kernels of one operation, chosen by element type, shape and layout of the tensors.

The first few shapes of an operation get kernels with static extents. All later shapes share one
kernel with dynamic extents.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools
import threading
import warnings

import torch
from torch.autograd import forward_ad

from .. import _pool_mlir

# Names of the element types in MLIR. Signed integers are signless there.
TYPES = {
    torch.float16: "f16", torch.bfloat16: "bf16", torch.float32: "f32", torch.float64: "f64",
    torch.int8: "i8", torch.int16: "i16", torch.int32: "i32", torch.int64: "i64",
    torch.uint8: "ui8", torch.uint16: "ui16", torch.uint32: "ui32", torch.uint64: "ui64",
}
# Number of shapes that get kernels with static extents, for each set of attributes, element type
# and layout.
STATIC_SHAPES = 3
# Number of checked shapes that an operation remembers, so that it does not check them again.
REMEMBERED = 1024
MOST_THREADS = 1024
# True after a kernel with threads could not be linked, because OpenMP is missing.
without_openmp = False


def warn_of_openmp(error):
    global without_openmp
    without_openmp = True
    warnings.warn(f"pool_mlir.torch runs on one thread: {error}", RuntimeWarning, stacklevel=3)


# Classes of tensors that override neither functions nor operators.
TENSORS = (torch.Tensor, torch.nn.Parameter)
# Dispatch keys of plain tensors: dense, on the CPU, not wrapped by a transform, and without a
# pending negation.
get_keys = torch._C._dispatch_keys
with torch.inference_mode():
    PLAIN_KEYS = {get_keys(torch.empty(0)).raw_repr()}
PLAIN_KEYS.add(get_keys(torch.empty(0)).raw_repr())
# These functions are called for every operation. Looking them up in their modules each time
# would double their time.
get_level = torch._C._functorch.maybe_current_level
count_modes = torch._C._len_torch_dispatch_stack
get_tracing_state = torch._C._get_tracing_state
get_num_threads = torch.get_num_threads


def is_plain(x):
    """True if `x` is a plain tensor: dense, on the CPU, with an element type in TYPES, and no
    tracing, transform or mode needs to see the operation."""
    return (type(x) in TENSORS and get_keys(x).raw_repr() in PLAIN_KEYS and x.dtype in TYPES
            and get_level() is None and not count_modes() and forward_ad._current_level < 0
            and not get_tracing_state())


def is_channels_last(x):
    """True if `x` has the channels last in memory and is not also row-major. For images of two or
    three dimensions this is torch's own rule, which also accepts slices of such images."""
    if x.is_contiguous():
        return False
    if x.dim() not in (4, 5):
        return to_last(x).is_contiguous()
    least = 0
    for d in (1, *range(x.dim() - 1, 1, -1), 0):
        if x.shape[d] == 0 or x.stride(d) < least or x.stride(1) == 0:
            return False
        if d == 0 and least == x.stride(1):
            return False
        least = x.stride(d) * x.shape[d]
    return True


def to_last(x):
    """Returns a view whose last dimension has the channels of `x`, which are its dimension 1."""
    return x.movedim(1, -1)


def to_first(x):
    """Returns a view whose dimension 1 has the channels of `x`, which are its last dimension."""
    return x.movedim(-1, 1)


class Kernels:
    """The kernels of an operation with given attributes. Call it with one to three tensors.

    `check`, if given, is called with the first tensor for each shape that is not in `known`. It
    must raise torch's exception for a shape that torch refuses.
    """

    __slots__ = ("name", "attributes", "index_bits", "check", "plain", "known", "met", "lock")

    def __init__(self, name, attributes, index_bits=0, check=None):
        self.name, self.attributes, self.index_bits = name, attributes, index_bits
        self.check = check
        self.plain = _pool_mlir._Operation(name, attributes, index_bits)
        # Maps checked shapes to the function to call: `plain` or `call_dynamic`.
        self.known = {}
        # Shapes that have a kernel of their own, by element type and layout.
        self.met = {}
        self.lock = threading.Lock()

    def __call__(self, x, y=None, z=None, shape=None):
        key = (x.dtype, x.shape, x.stride(), shape)
        run = self.known.get(key) or self.admit(key, x)
        threads = 1 if without_openmp else get_num_threads()
        if threads > MOST_THREADS:
            threads = MOST_THREADS
        try:
            return run(x, y, z, threads, shape)
        except RuntimeError as error:
            if threads == 1 or "OpenMP" not in str(error):
                raise
            warn_of_openmp(error)
            return run(x, y, z, 1, shape)

    def admit(self, key, x):
        """Checks a new shape, remembers it, and returns the function to call for this shape from
        now on. Raises torch's exception if `check` refuses the shape."""
        if self.check:
            self.check(x)
        with self.lock:
            if len(self.known) > REMEMBERED:
                self.known = {key: run for key, run in self.known.items() if run == self.plain}
            met = self.met.setdefault((x.dtype, is_channels_last(x)), set())
            if len(met) < STATIC_SHAPES:
                met.add(key)
            self.known[key] = self.plain if key in met else self.call_dynamic
            return self.known[key]

    def call_dynamic(self, x, y, z, threads, shape):
        """Calls the kernel with dynamic extents. Operands that are not contiguous are copied. With
        indices, the kernel has the channels first, because the meaning of an index depends on the
        layout."""
        operands = [operand for operand in (x, y, z) if operand is not None]
        is_last = (is_channels_last(x) and self.index_bits == 0 and z is None
                   and self.name != "max_unpool")
        if is_last:
            operands = [to_last(operand) for operand in operands]
            shape = shape and (shape[0], *shape[2:], shape[1])
        run = compile_dynamic(
            self.name, tuple(self.attributes.items()), self.index_bits, is_last, x.dim(),
            tuple(TYPES[operand.dtype] for operand in operands), shape is not None, threads)
        result = run(*(operand.detach().contiguous() for operand in operands), *(shape or ()))
        return to_first(result) if is_last else result


@functools.lru_cache(maxsize=64)
def compile_dynamic(name, attributes, index_bits, is_last, rank, types, has_shape, threads):
    """Returns the operation, compiled with unknown extents. Its arguments are tensors of `types`
    and, if `has_shape`, the result's extents."""
    attributes = dict(attributes)
    if is_last:
        attributes["layout"] = "channels_last"
    words = " ".join(f"{key} {list(value) if isinstance(value, tuple) else value}"
                     for key, value in attributes.items())
    tensors = [f"tensor<{'?x' * rank}{element}>" for element in types]
    results = tensors[:1] + [f"tensor<{'?x' * rank}i{index_bits}>"] * (index_bits > 0)
    arguments = [f"%x{i}: {tensor}" for i, tensor in enumerate(tensors)]
    extents = [f"%d{i}" for i in range(rank * has_shape)]
    arguments += [f"{extent}: index" for extent in extents]
    operands = ", ".join(f"%x{i}" for i in range(len(tensors)))
    if extents:
        operands += f" extents({', '.join(extents)})"
    values = ["%y", "%i"][:len(results)]
    return _pool_mlir.compile(f"""
func.func @main({', '.join(arguments)}) -> ({', '.join(results)}) {{
  {', '.join(values)} = pool.{name} {operands} {words}
    : {', '.join(tensors)} -> {', '.join(results)}
  return {', '.join(values)} : {', '.join(results)}
}}
""", threads=threads)
