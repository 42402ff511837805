"""`python -m pool_mlir bench model.tflite`: times a TFLite model beside LiteRT."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import time

import numpy as np

from . import _timing, compile, import_tflite


def prepare(content, threads):
    """Returns LiteRT's interpreter of a model, with random inputs set, and these inputs.
    Unknown extents are 1, as in the file."""
    from ai_edge_litert.interpreter import Interpreter

    interpreter = Interpreter(model_content=content, num_threads=threads)
    interpreter.allocate_tensors()
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


def least(calls, seconds):
    """Returns the least time of each function. The functions take turns, in all for `seconds`
    times their number."""
    times = [[] for _ in calls]
    start = time.perf_counter()
    while not times[0] or time.perf_counter() - start < seconds * len(calls):
        for call, taken in zip(calls, times):
            taken += _timing.calls(call, 20)
    return [min(taken) for taken in times]


def time_pair(name, content, compiled, options):
    """Returns a row of the table. LiteRT's time excludes the copies of inputs and results."""
    interpreter, inputs = prepare(content, options.threads)
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
    ours, theirs = least([lambda: compiled(*inputs, out=out), interpreter.invoke],
                         options.seconds)
    return [name, inputs[0].dtype.name, shape, f"{ours * 1e6:.2f}", f"{theirs * 1e6:.2f}",
            f"{theirs / ours:.2f}"]


def run(options):
    path = options.model
    if not path.lower().endswith(".tflite"):
        raise ValueError(f"{path}: expected a .tflite file; inspect times the layers of others")
    layers = compile(import_tflite(path, pool_layers=True))
    from ._tflite import Model

    rows = [time_pair(name, node.alone(), layers[name], options)
            for name, node in zip(layers.entries, Model(path).pools()) if options.only in name]
    try:
        whole = compile(import_tflite(path))
    except (ValueError, ModuleNotFoundError) as error:
        why = f"the whole graph is not timed: {error}"
    else:
        why = ""
        with open(path, "rb") as file:
            rows.append(time_pair("whole graph", file.read(), whole, options))
    print(_timing.table(["layer", "type", "input", "pool_mlir us", "LiteRT us", "LiteRT / pool"],
                        rows))
    if why:
        print(why.replace("pool_layers=True", "--pool-layers"))
