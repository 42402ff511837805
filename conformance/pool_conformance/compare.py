"""Judges the answer of a system to one vector.

An answer is an object with one of these members: `outputs`, the tensors by name; `shapes`, the
shapes by name, for vectors with `shape_only`; `refused`, `unsupported`, `broken`, `crash` or
`hang`, each with a message.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

from typing import Any

import numpy as np

from .tensor import Tensor, is_float
from .vector import Expected, Vector

# The results of a vector, with one sentence each
STATUSES = {
    "pass": "The result is one that the vector expects.",
    "differs": "The system computed another result.",
    "refused": "The system says with an error that it does not compute this.",
    "unsupported": "The adapter has no translation: the system has no such attribute or type.",
    "crash": "The system's process died.",
    "hang": "The system did not answer in time.",
    "broken": "The adapter or the program failed, not the system; or the answer has no sense.",
}
# The results that make the exit code 1
FAULTS = ("differs", "crash", "hang")


def difference(expected: Expected, answer: dict[str, Any]) -> str:
    """Returns how an answer with outputs or shapes differs from an expected result, or an empty
    string."""
    if expected.refused:
        return f"computed a result; an error is right: {expected.refused}"
    actual = answer.get("shapes") if "shapes" in answer else answer["outputs"]
    for name, tensor in expected.outputs.items():
        if name not in actual:
            return f"no output '{name}'"
        if "shapes" in answer:
            shape = tuple(actual[name])
            if shape != tensor.shape:
                return f"{name}: shape {list(shape)}, expected {list(tensor.shape)}"
            continue
        other = Tensor.from_json(actual[name])
        if other.shape != tensor.shape:
            return f"{name}: shape {list(other.shape)}, expected {list(tensor.shape)}"
        if other.type != tensor.type:
            return f"{name}: type {other.type}, expected {tensor.type}"
        wrong = ~same(tensor, other, expected.bounds.get(name))
        if wrong.any():
            where = tuple(map(int, np.argwhere(wrong)[0]))
            return (f"{name}{list(where)} is {other.values()[where]!s}, "
                    f"expected {tensor.values()[where]!s}"
                    + (f"; {int(wrong.sum())} of {wrong.size} differ" if wrong.size > 1 else ""))
    return ""


def same(expected: Tensor, actual: Tensor, bound: Any) -> np.ndarray:
    """Compares elements. -0 equals +0 and all NaN are equal."""
    a, b = expected.values(), actual.values()
    if not is_float(expected.type):
        return a == b
    limit = np.broadcast_to(np.array(bound or 0, np.float64).reshape(
        a.shape if isinstance(bound, list) else ()), a.shape)
    with np.errstate(invalid="ignore"):
        close = np.abs(a - b) <= limit
    return (a == b) | (np.isnan(a) & np.isnan(b)) | close


def judge(vector: Vector, answer: dict[str, Any]) -> tuple[str, str]:
    """Returns a status of STATUSES and a message, which is empty for most passes."""
    for status in ("unsupported", "broken", "crash", "hang"):
        if status in answer:
            return status, str(answer[status])
    if "refused" in answer:
        if any(expected.refused for expected in vector.expected):
            return "pass", f"an error: {answer['refused']}"
        return "refused", str(answer["refused"])
    if "outputs" not in answer and "shapes" not in answer:
        return "broken", "the answer has neither outputs nor an error"
    messages = []
    try:
        for expected in vector.expected:
            message = difference(expected, answer)
            if not message:
                return "pass", f"as {expected.name}" if expected.name else ""
            messages.append(f"{expected.name}: {message}" if expected.name else message)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        return "broken", f"the answer cannot be read: {type(error).__name__}: {error}"
    return "differs", "; ".join(messages)
