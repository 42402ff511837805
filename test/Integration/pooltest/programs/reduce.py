"""Reduces a failing program while it fails in the same way.

A change is written as a word, so a reduced program is named by its seed, its number and a
list of words. The words are applied in order to the program as drawn:

    function:f1       without a public function
    return:f0.2       without a result of a function
    step:3            without a step of the plan
    run:2             without a run
    use:12=0          the results of operation 12 are its operand 0
    inline:12         the one call of a private function becomes its operations
    argument:12       the results of operation 12 are arguments
    trips:12=1        a loop runs so often
    extent:4.2=3      dimension 2 of argument 4 has extent 3
    static:4          argument 4 has no unknown extents
    data:4=ties       argument 4 holds data of another kind
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import tempfile
import time

import numpy as np

from ..case import FLOAT_TYPES
from ..rules import Refused
from . import arguments, execute, facts, generate
from .control import Loop
from .model import Value

LIMIT_SECONDS = 240
# Simple kinds of data, the simplest last
PLAIN_KINDS = ("whole numbers", "ties")


class CannotReduce(Exception):
    """Raised if a change does not apply, for instance because its target was removed."""


def build(seed, index, changes=()):
    """Returns the program with some changes made. Raises CannotReduce or Refused."""
    program = generate.make(seed, index)
    for change in changes:
        apply(program, change)
    if changes:
        program.prune()
        program.drop_arguments()
        if not program.entries():
            raise CannotReduce("nothing is left")
        program.infer()
    return program


def apply(program, change):
    kind, _, rest = change.partition(":")
    name, _, value = rest.partition("=")
    globals()[f"change_{kind}"](program, name, value)


def find(items, accept):
    for item in items:
        if accept(item):
            return item
    raise CannotReduce("gone")


def find_op(program, number):
    return find(program.walk(), lambda op: op.number == int(number))


def change_function(program, name, _):
    function = find(program.functions, lambda f: f.name == name and not f.is_private)
    if any(getattr(op, "function", None) is function for op in program.walk()):
        raise CannotReduce("is called")
    program.functions.remove(function)


def change_return(program, name, _):
    name, place = name.split(".")
    function = find(program.functions, lambda f: f.name == name)
    calls = [op for op in program.walk() if getattr(op, "function", None) is function]
    if int(place) >= len(function.returns) or len(function.returns) == 1:
        raise CannotReduce("gone")
    for op in calls:
        if any(op.results[int(place)] in other.used() for other in program.walk()) or any(
                op.results[int(place)] in f.returns for f in program.functions):
            raise CannotReduce("is used")
    for owner in [function.returns] + [op.results for op in calls]:
        del owner[int(place)]


def change_step(program, place, _):
    """Sets a removed step to None, so that the numbers of the other steps stay the same."""
    if int(place) >= len(program.steps) or program.steps[int(place)] is None:
        raise CannotReduce("gone")
    program.steps[int(place)] = None


def change_run(program, place, _):
    if int(place) >= len(program.runs) or program.runs[int(place)] is None:
        raise CannotReduce("gone")
    program.runs[int(place)] = None


def replace(program, op, values):
    for old, new in zip(op.results, values):
        for function in program.functions:
            function.returns = [new if v is old else v for v in function.returns]
            for other in function.walk():
                if other is not op:
                    other.replace(old, new)


def change_use(program, number, operand):
    op = find_op(program, number)
    if int(operand) >= len(op.operands):
        raise CannotReduce("gone")
    value = op.operands[int(operand)]
    if value.type.shape is None:
        raise CannotReduce("a scalar")
    replace(program, op, [value] * len(op.results))


def change_inline(program, number, _):
    op = find_op(program, number)
    callee = getattr(op, "function", None)
    calls = [o for o in program.walk() if getattr(o, "function", None) is callee]
    if callee is None or not callee.is_private or len(calls) > 1:
        raise CannotReduce("no private function's one call")
    lists = [f.ops for f in program.functions] + [ops for o in program.walk()
                                                 for ops in o.nested()]
    ops = find(lists, lambda ops: any(o is op for o in ops))
    replace(program, op, callee.returns)
    for arg, value in zip(callee.args, op.operands):
        callee.returns = [value if v is arg else v for v in callee.returns]
        for function in program.functions:
            function.returns = [value if v is arg else v for v in function.returns]
            for other in function.walk():
                other.replace(arg, value)
    place = ops.index(op)
    ops[place:place + 1] = callee.ops
    program.functions.remove(callee)


def change_argument(program, number, _):
    op = find_op(program, number)
    function = find(program.functions, lambda f: any(op is o for o in f.ops))
    if function.is_private or any(getattr(o, "function", None) is function
                                  for o in program.walk()):
        raise CannotReduce("is called")
    values = []
    for result in op.results:
        value = Value(result.number * 1000, result.type)
        refill(program, value, PLAIN_KINDS[0])
        function.args.append(value)
        values.append(value)
    replace(program, op, values)


def change_trips(program, number, trips):
    op = find_op(program, number)
    if not isinstance(op, Loop) or op.trips <= int(trips) and not op.bound:
        raise CannotReduce("gone")
    op.trips, op.bound = int(trips), None


def refill(program, value, kind):
    rng = np.random.default_rng([program.seed, program.index, value.number])
    if value.type.shape is None:
        raise CannotReduce("a scalar")
    if kind not in (arguments.FLOAT_KINDS if value.type.element in FLOAT_TYPES
                    else arguments.INTEGER_KINDS):
        raise CannotReduce("no such kind")
    program.data[value.number] = arguments.fill(rng, value.type, kind)
    program.kinds[value.number] = kind
    value.facts = facts.of_data(value.type.element, program.data[value.number])


def find_argument(program, number):
    return find((v for f in program.entries() for v in f.args),
                lambda v: v.number == int(number))


def change_extent(program, name, extent):
    number, d = name.split(".")
    value = find_argument(program, number)
    if value.type.shape is None or int(d) >= value.type.rank or \
            value.type.shape[int(d)] <= int(extent):
        raise CannotReduce("gone")
    shape = list(value.type.shape)
    shape[int(d)] = int(extent)
    value.type = value.type.with_(shape=tuple(shape))
    refill(program, value, program.kinds[value.number])


def change_static(program, number, _):
    value = find_argument(program, number)
    if not value.type.dynamic:
        raise CannotReduce("gone")
    value.type = value.type.with_(dynamic=frozenset())


def change_data(program, number, kind):
    value = find_argument(program, number)
    kind = kind.replace("_", " ")
    if program.kinds[value.number] in PLAIN_KINDS[PLAIN_KINDS.index(kind):]:
        raise CannotReduce("is plain")
    refill(program, value, kind)


def candidates(program):
    """Yields changes to try, the largest ones first."""
    for function in program.entries():
        yield f"function:{function.name}"
    for place, step in enumerate(program.steps):
        if step is not None:
            yield f"step:{place}"
    for function in program.functions:
        for place in range(len(function.returns)):
            yield f"return:{function.name}.{place}"
    ops = list(program.walk())
    for op in reversed(ops):
        for place in range(len(op.operands)):
            yield f"use:{op.number}={place}"
    for op in reversed(ops):
        yield f"argument:{op.number}"
        if getattr(op, "function", None):
            yield f"inline:{op.number}"
        if isinstance(op, Loop):
            yield f"trips:{op.number}=1"
    for function in program.entries():
        for value in function.args:
            yield f"static:{value.number}"
            for d, extent in enumerate(value.type.shape or ()):
                for smaller in sorted({1, 2, 3, extent // 2, extent - 1}):
                    if 0 < smaller < extent:
                        yield f"extent:{value.number}.{d}={smaller}"
            for kind in PLAIN_KINDS:
                yield f"data:{value.number}={kind.replace(' ', '_')}"


def fails(seed, index, changes, failure, check):
    """True if the changed program has the failure."""
    try:
        program = build(seed, index, changes)
    except (CannotReduce, Refused):
        return False
    with tempfile.TemporaryDirectory() as directory:
        found = check(program, directory, failure.stage)
    return any(f.signature == failure.signature for f in found)


def minimise(seed, index, failure, check=execute.check, limit=LIMIT_SECONDS):
    """Returns changes after which the program still fails in the same way. Unless the time
    runs out, no other candidate can be added."""
    changes, end = [], time.monotonic() + limit
    progress = True
    while progress and time.monotonic() < end:
        progress = False
        for change in list(candidates(build(seed, index, changes))):
            if time.monotonic() >= end:
                break
            if change not in changes and fails(seed, index, [*changes, change], failure, check):
                changes.append(change)
                progress = True
    return changes
