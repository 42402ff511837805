# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""What PyTorch answers where it is the only peer, as committed vectors.

test/data/torch/make_vectors.py made them: averages with divisor_override, maxima
with NaN (nan_mode = propagate), ceil_mode (rounding_type = ceil_torch), windows
beyond the padded input included. Inputs are whole numbers, so that every sum is
exact and averages are equal, not merely close.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import tempfile
from pathlib import Path

import numpy as np

from pooltest.report import Report, main
from pooltest.tools import Batch

VECTORS = Path(__file__).resolve().parent.parent / "data" / "torch" / "vectors.json"


def function(name, case):
    lists = {"kernel": case["kernel"], "strides": case["strides"],
             "pads_begin": case["pads"], "pads_end": case["pads"]}
    if "dilations" in case:
        lists["dilations"] = case["dilations"]
    words = [f"{key} {value}" for key, value in lists.items()]
    order = ("kernel", "strides", "dilations", "pads_begin", "pads_end")
    words.sort(key=lambda word: order.index(word.split()[0]))
    if case["ceil"]:
        words.append("rounding_type ceil_torch")
    if case["op"] == "max_pool":
        words.append("nan_mode propagate")
    else:
        words.append(f"divisor_override {case['divisor_override']}")
    source, target = ("tensor<" + "x".join(map(str, shape)) + "xf32>"
                      for shape in (case["shape"], case["output"]))
    return (f"func.func @{name}(%x: {source}) -> {target} {{\n"
            f"  %y = pool.{case['op']} %x {' '.join(words)} : {source} -> {target}\n"
            f"  return %y : {target}\n}}\n")


def run():
    report = Report("torch_vectors")
    cases = json.loads(VECTORS.read_text())["cases"]
    for path, options in (("linalg", ["-O0"]), ("reference", [])):
        with tempfile.TemporaryDirectory() as directory:
            batch = Batch(directory)
            for number, case in enumerate(cases):
                x = np.array(case["x"], np.float32).reshape(case["shape"])
                batch.add(f"f{number}", function(f"f{number}", case), [x], [np.float32])
            outputs, process = batch.run(f"--path={path}", *options)
        report.expect(process.returncode == 0, f"pool-run --path={path}",
                      stderr=process.stderr[:2000])
        for case, output in zip(cases, outputs):
            expected = np.array(case["y"], np.float32).reshape(case["output"])
            equal = output is not None and np.array_equal(output[0], expected, equal_nan=True)
            report.expect(equal, f"PyTorch, --path={path}", function("f", case),
                          data=case["x"], expected=case["y"])
            report.count(f"{path}: {case['op']}")
    return report.finish()


if __name__ == "__main__":
    main(run)
