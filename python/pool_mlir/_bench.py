"""`python -m pool_mlir bench`: times common sizes beside other libraries, a framework's functions,
or a model.

By default prints a table of least times in microseconds, of calls in turns. Each timed call
allocates its result. docs/Results/Benchmarks.md has the full comparison.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import statistics
from dataclasses import dataclass

import numpy as np

from . import _plots, _timing, avg_pool, compile, max_pool


@dataclass
class Size:
    """A pooling of an f32 image with a square window. Every library here supports it."""

    name: str
    operation: str
    shape: tuple
    kernel: int
    stride: int
    pad: int = 0


SIZES = (
    Size("small maximum", "max", (1, 8, 16, 16), 2, 2),
    Size("ResNet stem", "max", (1, 64, 112, 112), 3, 2, 1),
    Size("VGG 2x2", "max", (1, 64, 224, 224), 2, 2),
    Size("YOLO 5x5", "max", (1, 256, 20, 20), 5, 1, 2),
    Size("Inception 3x3", "avg", (1, 192, 35, 35), 3, 1, 1),
    Size("DenseNet 2x2", "avg", (1, 128, 56, 56), 2, 2),
    Size("global average", "avg", (1, 2048, 7, 7), 7, 7),
)


def with_numpy(size, x, threads):
    """Returns a call that pools `x` with NumPy: it reduces windows, which are views of a padded
    copy. NumPy uses one thread whatever `threads` is."""
    reduce = np.max if size.operation == "max" else np.mean
    fill = -np.inf if size.operation == "max" else 0
    pads = [(0, 0), (0, 0), (size.pad, size.pad), (size.pad, size.pad)]

    def call():
        padded = np.pad(x, pads, constant_values=fill) if size.pad else x
        windows = np.lib.stride_tricks.sliding_window_view(padded, (size.kernel,) * 2, (2, 3))
        return reduce(windows[:, :, ::size.stride, ::size.stride], axis=(4, 5))

    return call


def with_torch(size, x, threads):
    import torch
    import torch.nn.functional as functional

    torch.set_num_threads(threads)
    tensor = torch.from_numpy(x)
    function = functional.max_pool2d if size.operation == "max" else functional.avg_pool2d

    def call():
        with torch.no_grad():
            return function(tensor, size.kernel, size.stride, size.pad).numpy()

    return call


def with_onnxruntime(size, x, threads):
    import onnx
    import onnxruntime
    from onnx import helper

    attributes = {"kernel_shape": [size.kernel] * 2, "strides": [size.stride] * 2,
                  "pads": [size.pad] * 4}
    if size.operation == "avg":
        attributes["count_include_pad"] = 1
    node = helper.make_node("MaxPool" if size.operation == "max" else "AveragePool",
                            ["x"], ["y"], **attributes)
    kind = onnx.TensorProto.FLOAT
    graph = helper.make_graph([node], "pool", [helper.make_tensor_value_info("x", kind, x.shape)],
                              [helper.make_tensor_value_info("y", kind, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(model.SerializeToString(), options,
                                           providers=["CPUExecutionProvider"])
    return lambda: session.run(None, {"x": x})[0]


def with_pool_mlir(size, x, threads):
    given = {"kernel": size.kernel, "strides": size.stride, "pads_begin": size.pad,
             "pads_end": size.pad}
    if size.operation == "max":
        return lambda: max_pool(x, **given)
    return lambda: avg_pool(x, **given, divisor="padded")


PEERS = {"NumPy": with_numpy, "torch": with_torch, "onnxruntime": with_onnxruntime}


def find_peers():
    """Returns a dict and a list. The dict maps pool_mlir and each installed library to its function
    above. The list has the names of the libraries that are not installed."""
    found, missing = {"pool_mlir": with_pool_mlir}, []
    for name, peer in PEERS.items():
        try:
            peer(SIZES[0], np.zeros(SIZES[0].shape, np.float32), 1)()
            found[name] = peer
        except ImportError:
            missing.append(name)
    return found, missing


def time_calls(seconds):
    """Prints how long a call takes on an image so small that the pooling itself is negligible.
    Times each kind of call for about `seconds`."""
    x = np.random.default_rng(0).random((1, 3, 8, 8), np.float32)
    out = max_pool(x, 2, 2)
    window = [2, 2]
    given = {"strides": [2, 2], "pads_begin": [0, 0], "pads_end": [0, 0], "layout":
             "channels_first"}
    compiled = compile("""
        func.func @main(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32> {
          %y = pool.max_pool %x kernel [2, 2] strides [2, 2]
             : tensor<1x3x8x8xf32> -> tensor<1x3x4x4xf32>
          return %y : tensor<1x3x4x4xf32>
        }""")
    ways = {
        "max_pool(x, kernel, strides, out=y)": lambda: max_pool(x, window, window, out=out),
        "max_pool(x, kernel, strides)": lambda: max_pool(x, window, window),
        "max_pool with five keywords": lambda: max_pool(x, window, **given, out=out),
        "max_pool with indices": lambda: max_pool(x, window, window, return_indices=True),
        "compiled(x, out=y)": lambda: compiled(x, out=out),
    }
    rows = []
    for name, way in ways.items():
        # Time a hundred calls together: reading the clock takes a notable part of one call.
        taken = _timing.times(lambda: [way() for _ in range(100)], seconds)
        rows.append([name, f"{min(taken) * 1e4:.2f}", f"{statistics.median(taken) * 1e4:.2f}"])
    print(_timing.table(["call", "least us", "median us"], rows))


def time_model(options):
    """Times a TFLite model beside LiteRT, and the layers of any other model beside a copy."""
    if options.model.lower().endswith(".tflite"):
        from ._tflite_bench import run as run_tflite

        run_tflite(options)
        return
    from ._inspect import inspect, print_times, read

    options.plans = False
    text, _, is_whole = read(options.model, options)
    layers = inspect(text, is_whole, options.batch or 1, options.unknown, options.seconds,
                     options.only)
    if not layers:
        raise ValueError(f"{options.model} has no pooling layer"
                         + (f" with {options.only!r} in its name" if options.only else ""))
    print_times(layers, options.unknown)


def run(options):
    """Dispatches by the kind of input: a model, a framework, or common sizes."""
    frameworks = options.framework or []
    if options.model:
        if frameworks or options.calls or options.plot:
            raise ValueError("--framework, --calls and --plot are not for a model")
        time_model(options)
        return
    if options.batch or options.unknown:
        raise ValueError("--batch and --unknown are extents of a model, and none is given")
    if options.plot and len(frameworks) != 1:
        raise ValueError("--plot is for one --framework")
    if options.plot:
        _plots.load(options.plot)
    if frameworks:
        from ._framework_bench import run as run_framework

        for name in frameworks:
            run_framework(name, options)
    elif options.calls:
        time_calls(options.seconds)
    else:
        time_sizes(options)


def time_sizes(options):
    named = _timing.select([(size.name, size) for size in SIZES], options.only)
    peers, missing = find_peers()
    rows = []
    for _, size in named:
        x = np.random.default_rng(0).random(size.shape, np.float32)
        row = [size.name, f"{size.operation} {size.kernel}x{size.kernel} stride {size.stride} "
               f"pad {size.pad}", "x".join(map(str, size.shape))]
        calls = [peer(size, x, options.threads) for peer in peers.values()]
        expected, *results = [call() for call in calls]
        for name, result in zip(list(peers)[1:], results):
            if not np.allclose(result, expected, rtol=1e-5, atol=1e-6):
                raise RuntimeError(f"{size.name}: {name} computes other numbers")
        row += [_timing.microseconds(us / 1e6)
                for us in _timing.time_in_turns(calls, options.seconds)]
        rows.append(row)
    print(_timing.table(["size", "window", "image", *(f"{name} us" for name in peers)], rows))
    if missing:
        print("not installed: " + ", ".join(missing))
