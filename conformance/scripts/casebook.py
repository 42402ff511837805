"""Collects the cases from which the vectors are made.

A case is a problem without its results. `add` gives it a name, a trap, the sentence of the
document that decides, and the public threads where the field met it. make_vectors.py computes
the results by the package's reference.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from documents import RULES, positions

from pool_conformance.tensor import Tensor, encode, is_float
from pool_conformance.vector import GRADIENTS, Vector

CASES: list[dict[str, Any]] = []
_names: set[str] = set()


def shaped(data: Any) -> np.ndarray:
    """Returns an array of at least three dimensions. A flat list is one channel of one image,
    and so is a list of lists; a shape before the spatial dimensions is (1, 1)."""
    array = np.array(data, object)
    return array.reshape((1, 1) + array.shape) if array.ndim < 3 else array


def tensor(data: Any, type_name: str, bits: bool = False,
           at_least_3d: bool = True) -> dict[str, Any]:
    """Returns a tensor in JSON. `data` is a nested list, a tuple as a shape without data, or a
    dictionary with `shape` and `generate`. With `bits`, the numbers are stored bits."""
    if isinstance(data, dict):
        return {"type": type_name, **data}
    if isinstance(data, tuple):
        return {"type": type_name, "shape": list(data)}
    array = shaped(data) if at_least_3d else np.array(data, object)
    if bits:
        unsigned = np.uint16 if type_name in ("f16", "bf16") else np.uint8
        stored = array.astype(unsigned)
        stored = stored.view(np.float16) if type_name == "f16" else stored
    else:
        stored = encode(type_name, array.astype(np.float64) if is_float(type_name) else array)
    return Tensor.of(stored, type_name).to_json()


def add(trap: str, name: str, operation: str, x: Any, *, type: str = "f32", rule: str,
        threads: tuple[str, ...] = (), ruled: str = "", bits: bool = False,
        documents: Optional[dict[str, str]] = None, grad: Any = None, indices: Any = None,
        indices_type: str = "i64", **attributes: Any) -> None:
    """Adds a case. `ruled` says why the project decides if no other implementation confirms it.
    `documents` overrides what `documents.positions` derives. `rule` is a key of RULES."""
    full = f"{trap}/{name}"
    assert full not in _names, f"two cases have the name {full}"
    _names.add(full)
    inputs = {"x": tensor(x, type, bits, operation != "reduce_window")}
    if indices is not None:
        inputs["indices"] = tensor(indices, indices_type)
    if operation in GRADIENTS:
        inputs["output_grad"] = tensor(grad, type)
    document, sentence = RULES[rule]
    case = {"name": full, "trap": trap, "operation": operation,
            "attributes": {key: value for key, value in attributes.items()
                           if value is not None},
            "inputs": inputs, "rule": {"document": document, "sentence": sentence},
            "threads": list(threads), "ruled": ruled}
    if isinstance(x, tuple):
        case["shape_only"] = True
    case["documents"] = positions(Vector({**case, "expected": []})) | (documents or {})
    CASES.append(case)


def has_case(operation: str, type_name: str, layout: str) -> bool:
    """True if a case has the operation, the type and the layout."""
    return any(case["operation"] == operation and case["inputs"]["x"]["type"] == type_name
               and case["attributes"].get("layout", "channels_first") == layout
               and "shape_only" not in case for case in CASES)


def ramp(*shape: int, step: int = 1, start: int = 1, wrap: int = 0) -> np.ndarray:
    """Returns the numbers start, start + step, ... in row-major order; modulo `wrap`."""
    count = int(np.prod(shape))
    flat = [start + step * i for i in range(count)]
    return np.array([value % wrap if wrap else value for value in flat], object).reshape(shape)


def mixed(*shape: int) -> np.ndarray:
    """Returns small integers of both signs in an order without a pattern; no two neighbours of
    a row are equal."""
    count = int(np.prod(shape))
    return np.array([(i * 7 + 3) % 11 - 5 for i in range(count)], object).reshape(shape)
