"""Searches at random for problems on which two systems differ, and shrinks them."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import copy
import random
import shlex
import time
from collections.abc import Callable, Iterator
from math import prod
from typing import Any, Optional, Protocol

from . import files, reference, rules
from .compare import judge
from .runner import REFERENCE, System, system_command
from .tensor import Tensor, is_float
from .vector import GRADIENTS, Vector

OPERATIONS = ("max_pool", "avg_pool", "lp_pool", "adaptive_max_pool", "adaptive_avg_pool",
              "min_pool", "sum_pool", "max_pool_grad", "avg_pool_grad",
              "adaptive_max_pool_grad", "adaptive_avg_pool_grad")
LISTS = ("kernel", "strides", "dilations", "pads_begin", "pads_end")


class Answers(Protocol):
    """A system, or the reference."""

    name: str

    def answer(self, vector: Vector) -> dict[str, Any]: ...

    def close(self) -> None: ...


class Reference:
    """The package's reference as a system."""

    name = REFERENCE

    def answer(self, vector: Vector) -> dict[str, Any]:
        expected = reference.compute(vector)[0]
        if expected.refused:
            return {"refused": expected.refused}
        return {"outputs": {name: tensor.to_json() for name, tensor in expected.outputs.items()}}

    def close(self) -> None:
        """Has nothing to close."""


def open_system(name: str, python: str = "", timeout: float = 30) -> Answers:
    """Opens `reference`, a system by its name, or a program: a text that contains a blank or a
    slash is its command."""
    if name == REFERENCE:
        return Reference()
    command = shlex.split(name) if " " in name or "/" in name else system_command(name, python)
    return System(name, command, timeout)


def random_problem(rng: random.Random, operations: tuple[str, ...]) -> dict[str, Any]:
    """Returns a random problem in the form of a vector, without expected results."""
    operation = rng.choice(operations)
    rank = rng.choice([1, 1, 2, 2, 3])
    type_name = rng.choice(["f32", "f32", "f32", "f64", "f16", "i8", "ui8", "i32"])
    if operation == "lp_pool":
        type_name = "f32"
    if operation in GRADIENTS and not is_float(type_name):
        type_name = "f64"
    shape = [rng.randint(1, 2), rng.randint(1, 2)] + [rng.randint(1, 7) for _ in range(rank)]
    attributes: dict[str, Any] = {}
    if operation.startswith("adaptive"):
        attributes["output_size"] = [rng.randint(1, 5) for _ in range(rank)]
    else:
        attributes = {"kernel": [rng.randint(1, 4) for _ in range(rank)],
                      "strides": [rng.randint(1, 3) for _ in range(rank)]}
        if rng.random() < 0.3:
            attributes["dilations"] = [rng.randint(1, 3) for _ in range(rank)]
        if rng.random() < 0.6:
            attributes["pads_begin"] = [rng.randint(0, 2) for _ in range(rank)]
            attributes["pads_end"] = [rng.randint(0, 2) for _ in range(rank)] \
                if rng.random() < 0.5 else list(attributes["pads_begin"])
        elif rng.random() < 0.4:
            attributes |= {"auto_pad": rng.choice(["same_upper", "same_lower", "valid"]),
                           "same_output": "strided"}
        attributes["rounding_type"] = rng.choice(["floor", "ceil", "ceil_torch"])
    if "avg" in operation and not operation.startswith("adaptive"):
        attributes["divisor"] = rng.choice(["valid", "padded", "kernel"])
    if "max" in operation or "min" in operation:
        if rng.random() < 0.5 and operation not in GRADIENTS:
            attributes |= {"index_type": "i64", "axis": rng.choice([0, 2])}
        attributes["nan_mode"] = "either"
    return {"name": "hunt/found", "trap": "basics", "operation": operation,
            "attributes": attributes,
            "inputs": {"x": random_tensor(rng, type_name, shape, attributes.get("nan_mode")
                                          == "either")}}


def random_tensor(rng: random.Random, type_name: str, shape: list[int],
                  special: bool) -> dict[str, Any]:
    count = 1
    for extent in shape:
        count *= extent
    if not is_float(type_name):
        low, high = reference.lowest(type_name), reference.highest(type_name)
        if rng.random() < 0.7:
            low, high = max(low, -9), 9
        data: list[Any] = [rng.randint(low, high) for _ in range(count)]
    else:
        data = [rng.randint(-9, 9) for _ in range(count)]
        if special and rng.random() < 0.3:
            some = rng.choice([["nan"], ["-inf"], ["inf", "-inf"], ["nan", "-inf"]])
            share = rng.choice([0.2, 0.9, 1.0])
            data = [rng.choice(some) if rng.random() < share else x for x in data]
    values = [float(x) if is_float(type_name) else x for x in data]
    return {**Tensor.from_values(type_name, values).to_json(), "shape": shape}


def complete(problem: dict[str, Any]) -> Optional[dict[str, Any]]:
    """Returns the problem as a vector with the reference's results, or None if the reference
    refuses it."""
    if problem["operation"] in GRADIENTS:
        # The gradient of the result: 1, 2, 3, ...
        empty = Vector({**problem, "expected": []})
        outputs = empty["output_size"] or [d.output for d in empty.dimensions()]
        shape = [*empty.shape[:2], *outputs]
        grad = Tensor.from_values(empty.type, [1 + i % 9 for i in range(prod(shape))])
        inputs = {"x": problem["inputs"]["x"], "output_grad": {**grad.to_json(),
                                                               "shape": shape}}
        problem = {**problem, "inputs": inputs}
    vector = files.make_vector({**problem, "expected": []})
    return None if any("refused" in e for e in vector["expected"]) else vector


def disagreement(first: Answers, second: Answers, vector: dict[str, Any]) -> str:
    """Returns what differs, or an empty string. Two systems differ if exactly one of them
    passes, or both fail with different answers; a system that does not support the problem
    never differs."""
    problem = Vector(vector)
    statuses = []
    for system in (first, second):
        answer = system.answer(problem)
        status, message = judge(problem, answer)
        if status in ("unsupported", "refused", "broken"):
            return ""
        statuses.append((system.name, status, message))
    wrong = [f"{name}: {status}: {message}" for name, status, message in statuses
             if status != "pass"]
    return "; ".join(wrong)


def smaller(problem: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields problems that are a step simpler: default attributes, fewer dimensions, smaller
    numbers, shorter extents, plainer elements."""
    attributes, x = problem["attributes"], problem["inputs"]["x"]
    shape = x["shape"]

    def change(new: Optional[dict[str, Any]] = None, new_shape: Optional[list[int]] = None,
               data: Optional[list[Any]] = None) -> dict[str, Any]:
        result = copy.deepcopy(problem)
        result["attributes"] = copy.deepcopy(attributes if new is None else new)
        result["inputs"]["x"]["shape"] = list(shape if new_shape is None else new_shape)
        if data is not None:
            result["inputs"]["x"]["data"] = data
        return result

    for name in attributes:
        if name not in ("kernel", "output_size"):
            yield change({key: value for key, value in attributes.items() if key != name})
    lists = [name for name in (*LISTS, "output_size") if name in attributes]
    for d in range(len(shape)):
        for extent in {1, shape[d] // 2, shape[d] - 1}:
            if 0 < extent < shape[d]:
                yield change(new_shape=[*shape[:d], extent, *shape[d + 1:]],
                             data=cut(x["data"], shape, d, extent))
    for d in range(2, len(shape)):
        if shape[d] == 1 and len(shape) > 3:
            yield change({**attributes, **{name: [v for i, v in enumerate(attributes[name])
                                                  if i != d - 2] for name in lists}},
                         [*shape[:d], *shape[d + 1:]])
    for name in lists:
        for i, value in enumerate(attributes[name]):
            least = 0 if name.startswith("pads") else 1
            if value > least:
                yield change({**attributes, name: [v - (j == i)
                                                   for j, v in enumerate(attributes[name])]})
    if x["type"] not in ("f16",):
        plain = list(range(1, len(x["data"]) + 1))
        if x["data"] != plain:
            yield change(data=plain)
        for i, value in enumerate(x["data"]):
            if value not in (0, 1, "nan", "inf", "-inf"):
                yield change(data=[*x["data"][:i], 1, *x["data"][i + 1:]])


def cut(data: list[Any], shape: list[int], dimension: int, extent: int) -> list[Any]:
    """Returns the elements of the first `extent` positions of a dimension."""
    inner = 1
    for size in shape[dimension + 1:]:
        inner *= size
    block = inner * shape[dimension]
    return [item for start in range(0, len(data), block)
            for item in data[start:start + inner * extent]]


def weight(problem: dict[str, Any]) -> tuple[int, ...]:
    """Returns how large a problem is; shrinking never increases it."""
    x = problem["inputs"]["x"]
    attributes = problem["attributes"]
    numbers = sum(sum(value) for value in attributes.values() if isinstance(value, list))
    ordered = x["data"] == list(range(1, len(x["data"]) + 1))
    plain = 0 if ordered else 1 + sum(item not in (0, 1) for item in x["data"])
    return len(x["shape"]), len(x["data"]), len(attributes), numbers, plain


def shrink(first: Answers, second: Answers, vector: dict[str, Any],
           deadline: float) -> dict[str, Any]:
    """Returns the smallest vector found by simplifying step by step that still differs."""
    progress = True
    while progress and time.monotonic() < deadline:
        progress = False
        for candidate in smaller(vector):
            if weight(candidate) >= weight(vector):
                continue
            made = attempt(candidate)
            if made is not None and disagreement(first, second, made):
                vector, progress = made, True
                break
    return vector


def attempt(problem: dict[str, Any]) -> Optional[dict[str, Any]]:
    try:
        return complete(problem)
    except (rules.Refusal, ValueError, IndexError):
        return None


def hunt(first: Answers, second: Answers, seconds: float, seed: int, count: int,
         operations: list[str], say: Callable[[str], None]) -> list[dict[str, Any]]:
    """Returns at most `count` shrunken vectors on which two systems differ. Two findings with
    the same operation, type and names of attributes count as one. `say` is told progress."""
    rng = random.Random(seed)
    deadline = time.monotonic() + seconds
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    tried = 0
    try:
        while time.monotonic() < deadline and len(found) < count:
            problem = attempt(random_problem(rng, tuple(operations) or OPERATIONS))
            tried += 1
            if problem is None or not disagreement(first, second, problem):
                continue
            small = shrink(first, second, problem, time.monotonic() + max(seconds, 10))
            special = sorted({x for x in small["inputs"]["x"]["data"] if isinstance(x, str)})
            key = (small["operation"], small["inputs"]["x"]["type"],
                   *sorted(small["attributes"]), small["attributes"].get("rounding_type"),
                   small["attributes"].get("divisor"), *special)
            if key not in found:
                found[key] = {**small, "name": f"hunt/{len(found) + 1}"}
                say(f"after {tried} problems: {disagreement(first, second, small)}")
    finally:
        first.close()
        second.close()
    say(f"{tried} problems, {len(found)} findings (seed {seed})")
    return list(found.values())
