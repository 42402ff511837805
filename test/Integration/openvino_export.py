# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Exporting to OpenVINO IR and importing again must give the same text and the same results.

Random graphs of pooling are exported and imported; the text must not change. OpenVINO loads the
exported models, and its results must match compiled code: maxima, indices and integers exactly,
float averages within a bound.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
import openvino as ov

from pooltest import tier
from pooltest.case import FLOAT_TYPES, NUMPY_TYPES
from pooltest.pool_graphs import Graph
from pooltest.report import Report
from pooltest.tools import Batch, pool_opt, run, tool

SEED = 61
# Tolerance relative to the result. OpenVINO computes f16 and f64 in f32, and up to five
# averages follow each other.
RELATIVE = {"f32": 1e-5, "f64": 1e-5, "f16": 5e-3}


def why_not_run(graph):
    """Returns why the CPU plugin cannot compute what the model says, or None if it can. If
    there is a reason, the test only loads the model and compares its shapes."""
    if graph.element_type == "bf16":
        return "bf16 is rounded where the plugin can"
    if graph.element_type not in FLOAT_TYPES and any(v.averaged for v in graph.results):
        return "integer averages are not rounded before the next layer"
    if any("adaptive_max" in line and "xi64>" in line for line in graph.lines):
        return "the plugin refuses i64 indices of AdaptiveMaxPool"
    return None


def round_trip(folder, number, graph, report):
    """Exports the graph; returns the model's path, or None."""
    source = folder / f"{number}.mlir"
    source.write_text(graph.text)
    model = folder / f"{number}.xml"
    process = run([tool("pool-translate"), "--export-openvino", str(source), "-o", str(model)])
    if not report.expect(process.returncode == 0, "not exported", graph.text,
                         error=process.stderr):
        return None
    back = run([tool("pool-translate"), "--import-openvino", str(model)])
    before = pool_opt(graph.text).stdout
    if report.expect(back.stdout.strip() == before.strip(), "not the same after export and import",
                     graph.text, after=back.stdout, error=back.stderr):
        report.count("graphs exported and imported again, the same")
    return model


def compare_shapes(graph, model, report):
    for value, output in zip(graph.results, model.outputs):
        extents = [-1 if d.is_dynamic else d.get_length() for d in output.partial_shape]
        mine = [-1 if i in value.dynamic else extent for i, extent in enumerate(value.shape)]
        report.expect(extents == mine, "OpenVINO has another shape", graph.text, value=value,
                      openvino=output)
    report.count("graphs loaded by OpenVINO")


def by_openvino(core, model, inputs):
    """Runs the model with static extents. With unknown extents, OpenVINO's CPU plugin
    computes MaxPool-8 with same_* differently."""
    model.reshape({port: list(array.shape) for port, array in zip(model.inputs, inputs)})
    compiled = core.compile_model(model, "CPU",
                                  {"INFERENCE_PRECISION_HINT": "f32"})
    return list(compiled(inputs).to_tuple())


def compare(graph, ours, theirs, report):
    for value, mine, other in zip(graph.results, ours, theirs):
        if value.element_type in FLOAT_TYPES and value.averaged:
            tolerance = RELATIVE[value.element_type]
            equal = np.allclose(mine.astype(np.float64), other.astype(np.float64),
                                rtol=tolerance, atol=40 * tolerance)
            report.count("averages compared")
        else:
            equal = np.array_equal(mine, other)
            report.count("maxima, indices and integers compared")
        if not report.expect(equal, f"OpenVINO differs in {value.element_type}", graph.text,
                             value=value, ours=mine, openvino=other):
            return


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--graphs", type=int, default=tier.size(300, 150, 20))
    parser.add_argument("--seed", type=int, default=tier.seed(SEED))
    arguments = parser.parse_args()
    report = Report("openvino export")
    rng = np.random.default_rng(arguments.seed)
    core = ov.Core()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        batch = Batch(folder)
        asked = []
        for number in range(arguments.graphs):
            graph = Graph(rng)
            inputs = graph.inputs()
            path = round_trip(folder, number, graph, report)
            if path is None:
                continue
            model = core.read_model(path)
            compare_shapes(graph, model, report)
            report.count(f"graphs of {graph.element_type}")
            reason = why_not_run(graph)
            if reason:
                report.count(f"graphs not run by OpenVINO: {reason}")
                continue
            batch.add(f"graph{number}", graph.text.replace("@graph", f"@graph{number}"), inputs,
                      [NUMPY_TYPES[v.element_type] for v in graph.results])
            asked.append((graph, model, inputs))
        outputs, process = batch.run("-O0")
        for (graph, model, inputs), ours in zip(asked, outputs):
            if report.expect(ours is not None, "pool-run failed", graph.text,
                             error=process.stderr[:2000]):
                try:
                    theirs = by_openvino(core, model, inputs)
                except RuntimeError as error:
                    report.mismatch("OpenVINO fails", graph.text, error=error)
                    continue
                compare(graph, ours, theirs, report)
    report.require_counted("averages compared", "maxima, indices and integers compared")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
