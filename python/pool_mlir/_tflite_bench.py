"""`python -m pool_mlir bench model.tflite`: times a TFLite model beside LiteRT."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np

from . import _timing, compile
from ._advice import need_tflite
from ._extents import allocate, read_tflite, set_shapes


def prepare(content, options):
    """Returns LiteRT's interpreter of the model in the bytes `content`, with random inputs set, and
    a list of these inputs."""
    from ai_edge_litert.interpreter import Interpreter

    interpreter = Interpreter(model_content=content, num_threads=options.threads)
    allocate(interpreter, options.batch, options.unknown)
    rng, inputs = np.random.default_rng(0), []
    for detail in interpreter.get_input_details():
        shape, dtype = detail["shape"], np.dtype(detail["dtype"])
        if dtype.kind == "f":
            inputs.append(rng.standard_normal(shape).astype(dtype))
        else:
            limits = np.iinfo(dtype)
            inputs.append(rng.integers(limits.min, limits.max + 1, shape).astype(dtype))
        interpreter.set_tensor(detail["index"], inputs[-1])
    return interpreter, inputs


def prepare_layers(model, options):
    """Yields the first four arguments of time_pair() for each layer whose name contains
    `options.only`. Prepares each layer only when the previous one has been timed, so that only one
    layer uses memory."""
    from ._tflite import import_layers

    for name, node in model.layers():
        if options.only in name:
            interpreter, inputs = prepare(node.alone(), options)
            # The model may lack these shapes if LiteRT cannot run it as a whole. LiteRT can run
            # this layer, and so knows them.
            set_shapes(interpreter, [*node.inputs, *node.outputs])
            yield name, compile(import_layers(model, [(name, node)])), interpreter, inputs


def time_pair(name, compiled, interpreter, inputs, options):
    """Returns a row of the table: layer, type, input, our time, LiteRT's time and their ratio.
    LiteRT's time excludes the copies of inputs and results. Raises RuntimeError if the results
    differ."""
    interpreter.invoke()
    expected = [interpreter.get_tensor(d["index"]) for d in interpreter.get_output_details()]
    results = compiled(*inputs)
    results = results if isinstance(results, tuple) else (results,)
    for result, other in zip(results, expected):
        # Allow a difference of one for integers: XNNPACK rounds their averages in another way.
        if not np.allclose(result, other, rtol=1e-5, atol=1e-6 if other.dtype.kind == "f" else 1):
            raise RuntimeError(f"{name}: LiteRT computes other numbers")
    shape = "x".join(map(str, inputs[0].shape))
    out = results if len(results) > 1 else results[0]
    ours, theirs = _timing.time_in_turns([lambda: compiled(*inputs, out=out), interpreter.invoke],
                                         options.seconds, runs=50)
    return [name, inputs[0].dtype.name, shape, f"{ours:.2f}", f"{theirs:.2f}",
            f"{theirs / ours:.2f}"]


def run(options):
    path = options.model
    need_tflite()
    from ._tflite import import_tflite

    model = read_tflite(path, options.batch, options.unknown)
    rows = [time_pair(*layer, options) for layer in prepare_layers(model, options)]
    try:
        whole = compile(import_tflite(model))
    except (ValueError, ModuleNotFoundError) as error:
        why = f"the whole graph is not timed: {error}"
    else:
        why = ""
        with open(path, "rb") as file:
            rows.append(time_pair("whole graph", whole, *prepare(file.read(), options), options))
    print(_timing.table(["layer", "type", "input", "pool_mlir us", "LiteRT us", "LiteRT / pool"],
                        rows))
    if why:
        print(why.replace("pool_layers=True", "--pool-layers"))
