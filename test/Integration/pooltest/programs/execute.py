"""Runs a program in each way that its plan lists, and compares the results with the
interpreter's.

A failure has a signature: its message without numbers and names. A smaller program fails in
the same way if its failure has the same signature.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .. import compare
from ..tools import Batch, run, tool
from . import facts
from .buffers import Buffers, wrap
from .plan import Run, Tile

# A program takes about a second. One that takes longer than this limit hangs.
LIMIT_SECONDS = 60
# Legitimate rejections of a program's steps: a part of the message, and a test for the steps
# that are then left out. The report counts each rejection.
REFUSALS = (
    ("cannot be converted to TOSA", lambda step: step == "convert-pool-to-tosa"),
    ("op cannot be cut: the grid has", lambda step: str(step).startswith("pool-tile-chains")),
    # Tiles that earlier passes made may have unknown extents.
    ("op cannot be cut by bytes: all extents must be known",
     lambda step: str(step).startswith("pool-tile-chains")),
    ("op cannot be tiled in dimension", lambda step: isinstance(step, Tile)),
    # Earlier passes have removed or split the operation to tile.
    ("requires exactly one containing_op handle",
     lambda step: isinstance(step, Tile) and step.producer),
)
# Legitimate failures of runs: a part of the message, and a test for a step that may cause the
# failure.
RUN_REFUSALS = (
    # A plan was chosen for the operation's types. Later passes may infer more extents, and
    # then the plan may not fit.
    ("op cannot be lowered by pool.plan", lambda step: str(step).startswith("pool-select-plan")),
    # Upstream does not lower copies of views that own their memory.
    ("failed to legalize operation 'bufferization.clone'",
     lambda step: isinstance(step, Buffers)),
)


@dataclass
class Failure:
    stage: str
    what: str
    details: str = ""

    @property
    def signature(self):
        return self.stage, self.what


def first_error(stderr):
    """Returns the first error, without the program's names and numbers."""
    for line in stderr.splitlines():
        if "error: " in line:
            text = line.split("error: ", 1)[1]
            text = re.sub(r"tensor<[^ ]*|memref<[^ ]*|@\w+|%\w+|\S*/\S+", "_", text)
            return re.sub(r"-?\d+", "N", text)[:160]
    return stderr.strip().splitlines()[-1][:160] if stderr.strip() else "no message"


def command_of(program, script):
    """Returns pool-opt's option for the pass pipeline of all steps, and the text of the
    transform script, which is empty if no step tiles."""
    passes, sequences = [], []
    for place, step in enumerate(program.steps):
        if step is None:
            continue
        if isinstance(step, Tile):
            sequences.append(step.script(f"step{place}"))
            passes.append(f"transform-interpreter{{entry-point=step{place}}}")
        elif isinstance(step, Buffers):
            passes += step.pipeline()
        else:
            passes.append(step)
    if sequences:
        passes.insert(0, f"transform-preload-library{{transform-library-paths={script}}}")
    text = f"module attributes {{transform.with_named_sequence}} {{\n{''.join(sequences)}}}\n"
    return f"--pass-pipeline=builtin.module({','.join(passes)})", text if sequences else ""


def transform(program, directory):
    """Applies the steps. If a step is rejected legitimately, starts again without it. Returns
    (module after the steps or None, failure or None, legitimate rejections)."""
    script = Path(directory) / "script.mlir"
    refusals = []
    while True:
        pipeline, text = command_of(program, script)
        if text:
            script.write_text(text)
        try:
            process = run([tool("pool-opt"), pipeline], stdin=program.emit(),
                          timeout=LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            return None, Failure("pool-opt", "hang"), refusals
        if process.returncode == 0:
            module = process.stdout
            if any(isinstance(step, Buffers) for step in program.steps):
                for function in program.entries():
                    module = wrap(module, function.name)
            return module, None, refusals
        said = first_error(process.stderr)
        refused = next((r for r in REFUSALS if process.returncode == 1 and r[0] in said), None)
        if refused is None or not any(step and refused[1](step) for step in program.steps):
            what = said if process.returncode == 1 else f"exit code {process.returncode}"
            return None, Failure("pool-opt", what, process.stderr[:3000]), refusals
        refusals.append(refused[0])
        program.steps = [None if step and refused[1](step) else step for step in program.steps]


def make_batch(program, text, directory, name):
    batch = Batch(directory, name)
    batch.texts.append(text)
    for function in program.entries():
        batch.add(function.name, "", [program.data[v.number] for v in function.args],
                  [v.type.dtype for v in function.returns])
    return batch


def execute(batch, stage, options):
    """Runs the batch. Returns (arrays of each entry or None, failure or None)."""
    try:
        outputs, process = batch.run(*options, timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        return None, Failure(stage, "hang")
    if process.returncode:
        what = first_error(process.stderr) if process.returncode == 1 else \
            f"exit code {process.returncode}"
        return None, Failure(stage, what, process.stderr[:3000])
    return outputs, None


def difference(value, expected, actual):
    """Returns why two results of a value do not agree, or None if they agree."""
    kind = value.type
    if not compare.same_shape_and_type(actual, kind.shape, kind.dtype):
        return f"shape {actual.shape} {actual.dtype}, not {kind.shape} {kind.dtype}"
    if tuple(expected.shape) != tuple(kind.shape):
        return f"the interpreter's shape {expected.shape}, not {kind.shape}"
    equal = compare.same_values(actual, expected)
    if facts.is_float(kind.element) and value.facts.err:
        a, b = actual.astype(np.float64), expected.astype(np.float64)
        with np.errstate(invalid="ignore"):
            equal = equal | (np.abs(a - b) <= value.facts.err)
    if equal.all():
        return None
    where = np.argwhere(~equal)
    place = tuple(int(i) for i in where[0])
    return (f"{len(where)} of {equal.size} differ, at {place}: {actual[place]}, "
            f"not {expected[place]} (bound {value.facts.err:.3g})")


def compare_all(program, stage, expected, outputs):
    for function, wanted, given in zip(program.entries(), expected, outputs):
        if given is None or wanted is None:
            return Failure(stage, "no output", function.name)
        for place, (value, e, a) in enumerate(zip(function.returns, wanted, given)):
            why = difference(value, e, a)
            if why:
                return Failure(stage, "differs", f"@{function.name}, result {place}: {why}")
    return None


def is_refused(program, failure):
    """Returns the legitimate rejection that explains a failed run, or None."""
    return next((text for text, makes in RUN_REFUSALS if text in failure.what
                 and any(step and makes(step) for step in program.steps)), None)


def check(program, directory, only=None, alter=None, refusals=None):
    """Returns a list of the program's failures, or only of the failures of stage `only`.
    `alter` changes the text before a run; tests of the comparison use it. Legitimate
    rejections are added to `refusals`."""
    text = program.emit()
    batch = make_batch(program, text, directory, "plain")
    expected, failure = execute(batch, "reference", ["--path=reference"])
    if failure:
        return [failure]
    failures, transformed = [], None
    if only is None or only == "pool-opt" or only.startswith("transformed"):
        module, failure, refused = transform(program, directory)
        if refusals is not None:
            refusals += refused
        if failure:
            failures.append(failure)
        elif module:
            transformed = make_batch(program, module, directory, "transformed")
    for way in filter(None, program.runs):
        stage = str(way)
        chosen = transformed if way.transformed else batch
        if chosen is None or only not in (None, stage):
            continue
        if alter:
            chosen = make_batch(program, alter(stage, chosen.texts[0]), directory, "altered")
        outputs, failure = execute(chosen, stage, way.options)
        refused = is_refused(program, failure) if way.transformed and failure else None
        if refused:
            if refusals is not None:
                refusals.append(refused)
            continue
        failure = failure or compare_all(program, stage, expected, outputs)
        if failure:
            failures.append(failure)
    return failures


__all__ = ["Failure", "Run", "check", "command_of"]
