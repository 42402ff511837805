"""Workloads: a JSON file of pooling problems, which is checked before anything runs.

A file is `{"workloads": [...]}`. An entry has a `name`, an `op` (max_pool, avg_pool or
lp_pool), the `input` extents as stored, and the operation's attributes by their own names.
docs/Results/Benchmarks.md has the rest.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

import numpy as np

from pooltest import rules
from pooltest.case import ENUMS, LISTS, NUMPY_TYPES, Case

from .native import Failure

FILES = [Path(__file__).resolve().parents[1] / name for name in ("workloads.json", "others.json")]
OPS = ("max_pool", "avg_pool", "lp_pool")
# Key of an entry -> field of Case, if they differ
RENAMED = {"input": "shape", "type": "element_type", "indices": "index_type"}
CASE_KEYS = {field.name for field in dataclasses.fields(Case)}
CASE_KEYS = (CASE_KEYS - set(RENAMED.values())) | set(RENAMED)
OTHER_KEYS = {"name", "note", "at_least", "within_limit", "beside",
              "within_beside"}
ONLY_FOR = {"max_pool": ("axis", "pad_value", "nan_mode", "indices"),
            "avg_pool": ("divisor", "divisor_override", "integer_rounding", "input_zp",
                         "output_zp"),
            "lp_pool": ("p",)}
# Half the number of distinct values of an input. They are few, so that some elements are
# equal, as after an activation.
TIES = 4096


class BadWorkload(Failure):
    """A file that is not a list of workloads; the message says where and why."""


@dataclass(frozen=True)
class Workload:
    """A problem with a name. `at_least` is the least ratio to the best peer, and `within_limit`
    the largest allowed multiple of the bandwidth limit. `beside` names another workload, which
    is timed in the same rounds. `within_beside` is the largest allowed multiple of its time."""

    name: str
    case: Case
    output: tuple
    at_least: Optional[float] = None
    within_limit: Optional[float] = None
    beside: Optional[str] = None
    within_beside: Optional[float] = None

    @property
    def bytes_in(self):
        return rules.product(self.case.shape) * self.case.dtype.itemsize

    @property
    def bytes_out(self):
        size = self.case.dtype.itemsize
        if self.case.index_type:
            size += NUMPY_TYPES[self.case.index_type].itemsize
        return rules.product(self.output) * size

    def function(self, name):
        """Returns the text of a function with this operation."""
        return self.case.function(name, self.case.dynamic_output_shape(self.output), pretty=True)

    def make_input(self):
        """Returns an input, aligned to 64 bytes. Each call returns the same numbers."""
        rng = np.random.default_rng(20)
        case = self.case
        x = aligned(case.shape, case.dtype)
        if case.is_float:
            x[...] = (rng.integers(-TIES, TIES, case.shape) / 256).astype(case.dtype)
        else:
            limits = np.iinfo(case.dtype)
            x[...] = rng.integers(max(limits.min, -TIES), min(limits.max, TIES) + 1,
                                  case.shape).astype(case.dtype)
        return x


def named(items, parts):
    """Returns the items whose names contain one of `parts`, or all items if `parts` is empty."""
    return {name: item for name, item in items.items()
            if not parts or any(part in name for part in parts)}


def only_named(items, parts, kind):
    """Returns named(items, parts). Raises BadWorkload if there is none."""
    chosen = named(items, parts)
    if not chosen:
        raise BadWorkload(f"no {kind}'s name contains {' or '.join(parts)}")
    return chosen


def aligned(shape, dtype, alignment=64):
    """Returns an array of zeros whose first element is aligned."""
    size = rules.product(shape) * np.dtype(dtype).itemsize
    raw = np.zeros(size + alignment, np.uint8)
    start = -raw.ctypes.data % alignment
    return raw[start:start + size].view(dtype).reshape(shape)


def read_files(paths=()):
    """Returns the workloads of the files `paths` by name, or of FILES if `paths` is empty.
    Raises BadWorkload."""
    workloads = {}
    for path in paths or FILES:
        for name, workload in read_workloads(path).items():
            if name in workloads:
                raise BadWorkload(f"{path}: workload '{name}' is in another file already")
            workloads[name] = workload
    return workloads


def read_workloads(path):
    """Returns the workloads of a file by name; raises BadWorkload."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise BadWorkload(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise BadWorkload(f"{path}: not JSON: {error}") from error
    entries = data.get("workloads") if isinstance(data, dict) else None
    if not isinstance(entries, list) or not entries:
        raise BadWorkload(f'{path}: expected {{"workloads": [...]}} with at least one entry')
    workloads = {}
    for number, entry in enumerate(entries):
        name = entry.get("name") if isinstance(entry, dict) else None
        where = f"{path}: workload {number}" + (f" ({name})" if name else "")
        try:
            workload = read_entry(entry)
        except rules.Refused as refusal:
            raise BadWorkload(f"{where}: refused by the rules: {refusal}") from refusal
        except BadWorkload as error:
            raise BadWorkload(f"{where}: {error}") from error
        if name in workloads:
            raise BadWorkload(f"{where}: the name is taken")
        workloads[name] = workload
    return workloads


def read_entry(entry):
    if not isinstance(entry, dict):
        raise BadWorkload("expected an object")
    name = entry.get("name")
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9_.-]+", name):
        raise BadWorkload("expected a name of letters, digits, _ . and -")
    for key in ("op", "input", "kernel"):
        if key not in entry:
            raise BadWorkload(f"'{key}' is missing")
    if entry["op"] not in OPS:
        raise BadWorkload(f"op '{entry['op']}' is none of {', '.join(OPS)}")
    attributes = {}
    for key, value in entry.items():
        if key in OTHER_KEYS:
            continue
        owner = next((op for op, keys in ONLY_FOR.items() if key in keys), entry["op"])
        if key not in CASE_KEYS or owner != entry["op"]:
            raise BadWorkload(f"{entry['op']} has no attribute '{key}'")
        attributes[RENAMED.get(key, key)] = checked(key, value)
    case = Case(**attributes)
    if case.op == "lp_pool" and not case.is_float:
        raise BadWorkload("lp_pool is for floats only")
    if any(not 0 <= d < case.rank for d in case.dynamic):
        raise BadWorkload(f"'dynamic' names a dimension outside 0 to {case.rank - 1}")
    output = tuple(rules.output_shape(case))
    for key in ("at_least", "within_limit", "within_beside"):
        if not isinstance(entry.get(key, 0), (int, float)):
            raise BadWorkload(f"'{key}' is no number")
    return Workload(name, case, output, entry.get("at_least"), entry.get("within_limit"),
                    entry.get("beside"), entry.get("within_beside"))


def checked(key, value):
    """Returns `value` in the form of Case's field, or raises BadWorkload."""
    if key in LISTS or key in ("input", "dynamic"):
        if not isinstance(value, list) or not all(type(v) is int for v in value):
            raise BadWorkload(f"'{key}' is no list of integers")
        return tuple(value)
    if key == "type" and value not in NUMPY_TYPES:
        raise BadWorkload(f"type '{value}' is none of {', '.join(NUMPY_TYPES)}")
    if key in ENUMS and not (isinstance(value, str) and re.fullmatch("[a-z_]+", value)):
        raise BadWorkload(f"'{key}' is no keyword")
    if key in ("axis", "divisor_override", "input_zp", "output_zp", "p") \
            and type(value) is not int:
        raise BadWorkload(f"'{key}' is no integer")
    return value
