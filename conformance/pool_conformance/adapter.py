"""The interface of an adapter: what one file of `adapters/` must have.

An adapter lets one system compute vectors. Its module stands in `pool_conformance/adapters/`
and defines `ADAPTERS`, a dictionary from the system's name on the command line to its class:

    ADAPTERS = {"onnxruntime": OnnxRuntime}

A module may define several systems, such as two ways into one compiler. Importing the module
must not import the system, because `pool-conformance list` imports all modules. The class
imports the system in `__init__`. `adapters/onnxruntime.py` is a complete example.

The runner starts a process for each system, makes one instance there and calls `run` once a
vector. If the process dies or hangs, the runner notes `crash` or `hang` for that vector and
starts another process. So an adapter needs no protection against its system.

How an adapter translates:

- Write an attribute of the vector as the attribute of the system that means the same by the
  system's own document. Then the vector tests the system's rule.
- If the system's rule is another one by its document, raise Unsupported, unless
  `Vector.means_same` says that both rules are equal for this vector.
- Never compute in the adapter what the system should compute: no padding of the input by hand,
  no resolved pads in place of the system's own SAME, no conversion of wrong indices. A transpose
  between layouts is allowed.
- Every attribute must be looked at. An attribute that is silently ignored is the bug that this
  package looks for. `Adapter.only` helps with that.
- nan_mode matters only if `vector.has_nan`. `ignore` and `propagate` ask for one rule: accept
  only the one that the system's document states. `either` asks for any rule that does not
  depend on the order: accept it always.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Union

import numpy as np

from .tensor import Tensor
from .vector import Vector

# The results by name. Arrays of NumPy's types and of the package ml_dtypes are accepted.
Results = Mapping[str, Union[np.ndarray, Tensor]]


class Unsupported(Exception):
    """The adapter has no translation for the vector; the message says what is missing, such
    as "ONNX has no minimum pooling". Raise it before the system is called."""


class Refused(Exception):
    """The system refused the vector with an error; the message is the system's own words."""


class Adapter:
    """One system. Subclasses set the members and define the methods.

    Exceptions decide the result of a vector:

    - Unsupported: the result is `unsupported`.
    - Refused: the result is `refused`, or `pass` if the vector expects an error.
    - Any other exception: the result is `broken`, a fault of the adapter. Therefore call the
      system inside `with self.system():`, which turns its exceptions into Refused.
    """

    # The name that people know, such as "ONNX Runtime"
    title = ""
    # What `pip install` needs for this system, one requirement a string
    requirements: tuple[str, ...] = ()
    # The documents whose rules the system follows, names of vector.DOCUMENTS. A difference
    # counts as a fault by its own document where one of them agrees with the vector.
    documents: tuple[str, ...] = ()
    # Where faults are reported, such as "https://github.com/microsoft/onnxruntime/issues"
    tracker = ""
    # Seconds that one vector may take; None for the runner's own limit. Systems that compile
    # need more.
    timeout: float | None = None

    def __init__(self) -> None:
        """Imports the system. Raises ImportError if it is not installed. Limit threads to one
        or two here, and switch off the system's own messages."""

    def version(self) -> str:
        """Returns the version of the system, such as "1.31.1"."""
        raise NotImplementedError

    def run(self, vector: Vector) -> Results:
        """Computes one vector that has data (`vector.shape_only` is false).

        Returns the results by the names of `vector.outputs`. An array that has another element
        type or shape than the vector expects is a difference, so return the system's own types.
        One exception: convert indices to `vector["index_type"]` if the system's document fixes
        the index type.
        """
        raise NotImplementedError

    def infer(self, vector: Vector) -> Mapping[str, tuple[int, ...]]:
        """Returns only the shapes of the results of a vector with `vector.shape_only`, by the
        names of `vector.outputs`. The system must infer them without data. The inputs have no
        arrays then. Systems without shape inference keep this default."""
        raise Unsupported("the adapter infers no shapes without data")

    def reproduce(self, vector: Vector) -> str:
        """Returns a short Python script that shows the vector's result in this system alone,
        without this package. It ends in a newline and prints the results. `literal` writes
        arrays. For a vector that `run` does not support it raises Unsupported."""
        raise Unsupported("the adapter writes no scripts")

    # Help for subclasses

    @contextmanager
    def system(self) -> Iterator[None]:
        """Turns every exception of the block, except Unsupported, into Refused with its
        message."""
        try:
            yield
        except (Unsupported, Refused):
            raise
        except Exception as error:
            raise Refused(first_line(error)) from error

    @staticmethod
    def only(vector: Vector, **allowed: Any) -> None:
        """Raises Unsupported if an attribute is none of its allowed values, such as
        `only(vector, layout="channels_first", divisor=("valid", "padded"))`. Attributes that
        the operation lacks are not looked at. Give each attribute the system cannot say."""
        for name, values in allowed.items():
            if name not in vector.attributes:
                continue
            options = values if isinstance(values, (tuple, set, frozenset)) else (values,)
            if vector[name] not in options:
                raise Unsupported(f"no {name} {vector[name]}")

    @staticmethod
    def choose(vector: Vector, attribute: str, *sayable: str) -> str:
        """Returns the vector's value of an attribute if it is one of `sayable`, the values
        that the system has. Otherwise returns the first of `sayable` that means the same for
        this vector. Raises Unsupported if there is none. For a divisor whose document is silent
        about ceil's overhang, use `counts_padding` of adapters/_view.py."""
        for value in sorted(sayable, key=lambda v: v != vector[attribute]):
            if value == vector[attribute] or vector.means_same(**{attribute: value}):
                return value
        raise Unsupported(f"no {attribute} {vector[attribute]}")

    @staticmethod
    def check_nan(vector: Vector, rule: str | None) -> None:
        """Raises Unsupported if the vector has a NaN and asks for another rule than the
        system's. `rule` is "ignore", "propagate", or None if its document is silent."""
        if vector.has_nan and vector["nan_mode"] not in ("either", rule, None):
            raise Unsupported(f"no document says that NaN is treated as in "
                              f"nan_mode {vector['nan_mode']}")

    @staticmethod
    def check_axis(vector: Vector, axis: int) -> None:
        """Raises Unsupported if indices are asked for, or given to max_unpool, whose convention
        is not that of `axis`, the first dimension that the system's indices count."""
        if not vector["index_type"] and vector.operation != "max_unpool":
            return
        rank = len(vector.shape)
        if not -rank <= vector["axis"] < rank:
            raise Unsupported("the system has no attribute axis")
        if axis % rank not in vector.index_axes() or vector["index_base"] != "input":
            raise Unsupported(f"indices count from axis {axis}")


def first_line(error: BaseException) -> str:
    """Returns the type and the first line of an exception's message, at most 300 characters."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0] if lines else ''}"[:300]


def literal(tensor: Tensor) -> str:
    """Returns a Python expression of a NumPy array with the tensor's elements. Scripts that use
    it begin with `import numpy as np`, and `import ml_dtypes` for bf16 and 8-bit floats."""
    assert tensor.array is not None, "the tensor has only a shape"
    if tensor.array.size > 4096:
        raise Unsupported("the input is too large for a script")
    if tensor.type in ("f16", "bf16", "f8E4M3FN", "f8E5M2"):
        bits = "uint16" if tensor.array.itemsize == 2 else "uint8"
        name = {"f16": "np.float16", "bf16": "ml_dtypes.bfloat16",
                "f8E4M3FN": "ml_dtypes.float8_e4m3fn",
                "f8E5M2": "ml_dtypes.float8_e5m2"}[tensor.type]
        items = np.ascontiguousarray(tensor.array).view(bits).reshape(-1).tolist()
        return (f"np.array([{', '.join(map(hex, items))}], np.{bits}).view({name})"
                f".reshape({tensor.shape})")
    text = repr(tensor.array.reshape(-1).tolist())
    text = text.replace("nan", "np.nan").replace("inf", "np.inf")
    return f"np.array({text}, np.{tensor.array.dtype}).reshape({tensor.shape})"
