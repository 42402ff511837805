"""Times adaptive pooling: loops over vectors, loops from linalg, PyTorch, OpenVINO.

Windows have several sizes. Each workload runs on one thread by pool-run with path=vector and
path=linalg, and by the libraries that this Python has. Results are compared with path=linalg, and
the largest difference of path=vector is printed. If the results of a library differ by more than
TOLERANCE, the table has `wrong` in place of its ratio. (For wide rows, OpenVINO computes the
windows' bounds in f32.)
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import contextlib

import numpy as np

from .scatter import add_options, import_torch, race  # noqa: F401  add_options is for run.py

ROUNDS = 5
# Absolute tolerance for f32 elements around 1
TOLERANCE = 1e-4

# (name, average or maximum, input, outputs, special property)
WORKLOADS = (
    ("vgg_10_to_7", "avg", (1, 512, 10, 10), (7, 7), ""),
    ("vgg_10_to_7_max", "max", (1, 512, 10, 10), (7, 7), ""),
    ("alexnet_14_to_6", "avg", (1, 256, 14, 14), (6, 6), ""),
    ("one_apart_13_to_6", "avg", (1, 256, 13, 13), (6, 6), ""),
    ("image_100_to_7", "avg", (1, 64, 100, 100), (7, 7), ""),
    ("image_100_to_7_max", "max", (1, 64, 100, 100), (7, 7), ""),
    ("more_outputs_7_to_10", "avg", (1, 512, 7, 7), (10, 10), ""),
    ("wide_200_to_30", "avg", (1, 64, 111, 200), (30, 30), ""),
    ("wave_16000_to_3001", "avg", (1, 64, 16000), (3001,), ""),
    ("indices_10_to_7", "max", (1, 512, 10, 10), (7, 7), "indices"),
    ("dynamic_10_to_7", "avg", (1, 512, 10, 10), (7, 7), "dynamic"),
    ("dynamic_100_to_7", "avg", (1, 64, 100, 100), (7, 7), "dynamic"),
    ("channels_last_10_to_7", "avg", (1, 10, 10, 512), (7, 7), "channels_last"),
)


class Workload:
    """A module, and calls of the libraries."""

    def __init__(self, name, kind, shape, size, special):
        self.name, self.kind, self.shape, self.size = name, kind, shape, size
        self.special = special

    def module(self):
        last = self.special == "channels_last"
        shape = [self.shape[0], *self.size, self.shape[-1]] if last else \
            [*self.shape[:2], *self.size]
        extents = list(self.shape)
        if self.special == "dynamic":
            extents = ["?"] * len(extents)
            shape[:2] = "??"
        x, y, i = ("x".join(map(str, e)) for e in (extents + ["f32"], shape + ["f32"],
                                                   shape + ["i64"]))
        results = [f"tensor<{y}>"] + [f"tensor<{i}>"] * (self.special == "indices")
        types = ", ".join(results)
        names = "%y, %i" if self.special == "indices" else "%y"
        attributes = f"output_size [{', '.join(map(str, self.size))}]"
        if last:
            attributes += " layout channels_last"
        if self.special == "indices":
            attributes += " axis 2"
        return (f"func.func @main(%x: tensor<{x}>) -> ({types}) {{\n"
                f"  {names} = pool.adaptive_{self.kind}_pool %x {attributes}\n"
                f"    : tensor<{x}> -> {types}\n  return {names} : {types}\n}}\n")

    def peers(self, x):
        """Returns {library: call that returns the values}."""
        peers = {}
        last = self.special == "channels_last"
        if torch := import_torch():
            tensor = torch.from_numpy(x)
            tensor = tensor.movedim(-1, 1) if last else tensor
            pool = getattr(torch.nn.functional, f"adaptive_{self.kind}_pool{len(self.size)}d")
            options = {"return_indices": True} if self.special == "indices" else {}
            peers["torch"] = lambda: pool(tensor, self.size, **options)
        with contextlib.suppress(ImportError, OSError):
            if not last:
                peers["openvino"] = self.ask_openvino(x)
        return peers

    def ask_openvino(self, x):
        import openvino  # pylint: disable=import-outside-toplevel
        from openvino import opset8  # pylint: disable=import-outside-toplevel
        parameter = opset8.parameter(list(x.shape), x.dtype)
        size = np.array(self.size, np.int64)
        node = (opset8.adaptive_avg_pool(parameter, size) if self.kind == "avg"
                else opset8.adaptive_max_pool(parameter, size, "i32"))
        compiled = openvino.Core().compile_model(
            openvino.Model([node.output(0)], [parameter]), "CPU",
            {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1})
        request = compiled.create_infer_request()
        request.set_input_tensor(openvino.Tensor(x, shared_memory=True))

        def call():
            request.infer()
            return request.get_output_tensor(0).data
        return call

    def read(self, answer):
        values = np.asarray(answer[0] if self.special == "indices" and isinstance(answer, tuple)
                            else answer)
        return np.moveaxis(values, 1, -1) if self.special == "channels_last" else values


def rows(_):
    return {arguments[0]: Workload(*arguments) for arguments in WORKLOADS}


def compare(least, differences, other):
    if other not in least:
        return "-"
    if differences[other] > TOLERANCE:
        return "wrong"
    return f"{least[other] / least['vector']:.1f}"


def run(chosen, options, report):
    others = ("linalg", "torch", "openvino")
    report.header("workload", "vector us", *(f"{other} / vector" for other in others),
                  "largest difference")
    for name, workload in chosen.items():
        module, file = options.directory / f"{name}.mlir", options.directory / "x.npy"
        module.write_text(workload.module(), encoding="utf-8")
        x = np.random.default_rng(1).standard_normal(workload.shape).astype(np.float32)
        np.save(file, x)
        peers = workload.peers(x)
        least, values = race(options, module, [file], peers, workload.special == "indices")
        values.update((peer, workload.read(call())) for peer, call in peers.items())
        differences = {who: np.abs(y - values["linalg"]).max() for who, y in values.items()}
        report.row(name, f"{least['vector']:.1f}",
                   *(compare(least, differences, other) for other in others),
                   f"{differences['vector']:.1e}", **least)
