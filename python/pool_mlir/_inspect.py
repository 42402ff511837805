"""`python -m pool_mlir inspect`: the pooling layers of a model, with their times or their
plans."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import re
from dataclasses import asdict, dataclass
from typing import Optional

import numpy as np

from . import _plots, _timing, compile
from ._errors import ERRORS, show_error
from ._extents import import_layers
from ._models import MODELS, is_text, make_module, read_module
from ._pool_mlir import _describe, _plan

# Matches the attributes of a printed operation.
ATTRIBUTES = re.compile(r"\b(?:kernel|output_size|axis) .*?(?= : )")
HEADER = ["layer", "operation", "attributes", "type", "input", "output", "KiB", "predicted us",
          "measured us"]


@dataclass
class Layer:
    """One pooling operation, a row of the table.

    `source` and `target` are the shapes of its first operand and first result; an unknown extent is
    None. `guessed` is True if the argument `unknown` of inspect() replaced an extent of the first
    operand. `numbytes` is the size of all operands and results. Times are in seconds: `measured` is
    the time of a call, and `predicted` is the time of a copy that reads and writes `numbytes` in
    total. `numbytes`, `predicted` and `measured` are None if the operation was not run."""

    name: str
    operation: str
    attributes: str
    element_type: str
    source: list
    target: list
    guessed: bool = False
    numbytes: Optional[int] = None
    predicted: Optional[float] = None
    measured: Optional[float] = None

    def row(self):
        def shape(extents):
            return "x".join("?" if extent is None else str(extent) for extent in extents)

        def time(seconds):
            return "-" if seconds is None else _timing.microseconds(seconds)

        size = "-" if self.numbytes is None else f"{self.numbytes / 1024:,.1f}"
        mark = " guessed" if self.guessed else ""
        return [self.name, self.operation, self.attributes, self.element_type,
                shape(self.source) + mark, shape(self.target), size, time(self.predicted),
                time(self.measured)]


def dtype_of(element_type):
    """Returns NumPy's type for an element type of MLIR, or None if there is none. For bf16, needs
    the package ml_dtypes."""
    if element_type == "bf16":
        import ml_dtypes

        return np.dtype(ml_dtypes.bfloat16)
    if re.fullmatch(r"f(16|32|64)", element_type):
        return np.dtype(f"float{element_type[1:]}")
    if re.fullmatch(r"[su]?i(8|16|32|64)", element_type):
        sign = "u" if element_type[0] == "u" else ""
        return np.dtype(f"{sign}int{element_type.lstrip('sui')}")
    return None


def make_arguments(layer, batch, unknown, rng):
    """Returns random arrays for a call of `layer`, an entry of `_describe`. An unknown extent
    becomes `batch` in dimension 0, and `unknown` in all others. Returns None if `unknown` is needed
    but None, if an operand has no rank, or if NumPy lacks its element type."""
    arrays = []
    for operand in layer["operands"]:
        dtype = None if operand is None else dtype_of(operand[0])
        if dtype is None:
            return None
        extents = list(operand[1])
        if extents[0] < 0:
            extents[0] = batch
        extents = [unknown if extent < 0 else extent for extent in extents]
        if None in extents:
            return None
        # Use only zeros and ones, because these are also valid indices.
        arrays.append(rng.integers(0, 2, extents).astype(dtype))
    return arrays


def make_function(layer, operands, results):
    """Returns the text of a module with one function that has only the operation `layer`, on
    operands and results of the given shapes."""
    head = layer["text"].rsplit(" : ", 1)[0].split(" = ", 1)[1]
    # An operand may be one of several results of an operation, such as `%a#1`. An argument
    # cannot have this name, so replace the `#`.
    head = re.sub(r"(%\w+)#", r"\1_", head)
    names = re.findall(r"%\w+", head)
    kinds = [[f"tensor<{'x'.join('?' if e < 0 else str(e) for e in shape)}x{element_type}>"
              for (element_type, _), shape in zip(layer[which], shapes)]
             for which, shapes in (("operands", operands), ("results", results))]
    arguments = ", ".join(f"{name}: {kind}" for name, kind in zip(names, kinds[0]))
    types, values = ", ".join(kinds[1]), ", ".join(f"%r{i}" for i in range(len(kinds[1])))
    return (f"func.func @layer({arguments}) -> ({types}) {{\n"
            f"  {values} = {head} : {', '.join(kinds[0])} -> {types}\n"
            f"  return {values} : {types}\n}}\n")


def call(text, arguments, out=None):
    results = compile(text)(*arguments, out=out)
    return results if isinstance(results, tuple) else (results,)


def measure(row, layer, arguments, seconds):
    """Calls the operation of `layer` on `arguments` for about `seconds`, and fills in the shapes,
    bytes and times of `row`."""
    shapes = [array.shape for array in arguments]
    results = call(make_function(layer, shapes, [shape for _, shape in layer["results"]]),
                   arguments)
    row.source, row.target = list(shapes[0]), list(results[0].shape)
    row.numbytes = sum(array.nbytes for array in (*arguments, *results))
    row.predicted = row.numbytes / _timing.bandwidth(row.numbytes)
    # Measure a function with static extents, because a user who knows the size of the images would
    # compile such a function.
    function = compile(make_function(layer, shapes, [result.shape for result in results]))
    out = tuple(np.empty_like(result) for result in results)
    out = out if len(out) > 1 else out[0]
    row.measured = min(_timing.times(lambda: function(*arguments, out=out), seconds))


def inspect(text, is_whole=True, batch=1, unknown=None, seconds=0.1, only=""):
    """Returns a `Layer` for each pooling operation of a module's text in a function whose name
    contains `only`. An operation is timed if the module, `batch` and `unknown` determine all its
    extents. Raises ValueError for tensors without rank.

    batch, unknown: numbers for unknown extents, `batch` in dimension 0 and `unknown` in all others.
        They replace extents of the functions' arguments if `is_whole`, and of each operation's
        operands if not.
    is_whole: True if the extents of all operations follow from those of the functions' arguments.
        False if each function is a layer that was taken out of a larger model."""
    layers = []
    rng = np.random.default_rng(0)
    for layer in _describe(text, batch, unknown or -1) if is_whole else _describe(text):
        if only not in layer["function"]:
            continue
        if None in (layer["operands"][0], layer["results"][0]):
            raise ValueError(f"{layer['function']}: {layer['operation']} on tensors of no rank")
        (element_type, source), (_, target) = layer["operands"][0], layer["results"][0]
        found = ATTRIBUTES.search(layer["text"])
        row = Layer(layer["function"], layer["operation"], found[0] if found else "",
                    element_type, *([None if extent < 0 else extent for extent in shape]
                                    for shape in (source, target)))
        layers.append(row)
        arguments = make_arguments(layer, batch, unknown, rng)
        if arguments is not None:
            row.guessed = None in row.source[1:]
            measure(row, layer, arguments, seconds)
    return layers


def plot(layers, path):
    pyplot = _plots.load(path)
    timed = [layer for layer in layers if layer.measured is not None]
    if not timed:
        raise ValueError("there is no layer with a time to plot")
    figure, axes = pyplot.subplots(figsize=(9, 1.5 + 0.45 * len(timed)), layout="constrained")
    places = np.arange(len(timed))
    axes.barh(places - 0.2, [layer.measured * 1e6 for layer in timed], 0.4, label="measured")
    axes.barh(places + 0.2, [layer.predicted * 1e6 for layer in timed], 0.4,
              label="a copy of the same bytes")
    axes.set_yticks(places, [layer.name for layer in timed])
    axes.invert_yaxis()
    axes.set_xlabel("microseconds")
    axes.legend()
    figure.savefig(path)


def read(source, options):
    """Returns (text of the module, its name in messages, is_whole) for a file or a text. `is_whole`
    is an argument of `inspect`: False if the functions are the layers of a model file, imported to
    be timed."""
    if is_text(source):
        return make_module(source), "<string>", True
    if source.lower().endswith(MODELS) and not options.plans:
        return import_layers(source, options.batch, options.unknown), source, False
    return read_module(source, pool_layers=True), source, True


def print_times(layers, unknown):
    print(_timing.table(HEADER, [layer.row() for layer in layers]))
    untimed = sum(layer.measured is None and None in layer.source for layer in layers)
    if untimed and unknown is None:
        print(f"not timed: {untimed}, whose extents the model does not know; --unknown N is "
              "each of them")
    if any(layer.guessed for layer in layers):
        print(f"guessed: the model's input does not tell the extents of this layer, so {unknown} "
              "stands for each")


def print_plans(plans):
    for plan in plans:
        print(f"{plan['function']}: {plan['operation']} at {plan['location']}")
        print(f"  {plan['plan'] or 'no plan, lowered by way of linalg'}")
        if plan["pinned"]:
            print("  it is pinned")
        if plan["cycles"] is not None:
            print(f"  {plan['cycles']:.2f} cycles an output")
        for strategy, why in plan["rejected"].items():
            print(f"  not {strategy}: {why}")
        # If strategies were rejected, `reason` repeats the lines above.
        if plan["reason"] and not plan["rejected"]:
            print(f"  {plan['reason']}")


def run(options):
    machine = {"target": options.target, "cpu": options.cpu, "features": options.features,
               "vector_bits": options.vector_bits}
    if any(machine.values()) and not options.plans:
        raise ValueError("--target, --cpu, --features and --vector-bits need --plans: layers are "
                         "timed on this machine")
    if options.plot and options.plans:
        raise ValueError("--plot shows times, --plans has none")
    if options.plans and (options.batch or options.unknown):
        raise ValueError("--batch and --unknown are for layers that are timed, --plans takes the "
                         "extents of the model")
    if options.plot:
        _plots.load(options.plot)
    found, failed = [], False
    for source in options.models:
        try:
            text, name, is_whole = read(source, options)
            rows = (_plan(text, name, **machine) if options.plans else
                    inspect(text, is_whole, options.batch or 1, options.unknown))
            if not rows:
                raise ValueError(f"{name} has no pooling layer")
            found.append((name, rows))
        except ERRORS as error:
            if len(options.models) == 1:
                raise
            # A model that fails must not hide the results of the other models.
            failed = True
            show_error(error, "" if is_text(source) else source)
    everything = [row for _, rows in found for row in rows]
    if options.json:
        print(json.dumps([row if options.plans else asdict(row) for row in everything], indent=1))
    for name, rows in [] if options.json else found:
        if len(options.models) > 1:
            print(f"{name}:")
        if options.plans:
            print_plans(rows)
        else:
            print_times(rows, options.unknown)
    if options.plot:
        plot(everything, options.plot)
    return int(failed)
