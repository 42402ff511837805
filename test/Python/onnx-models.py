# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Pooling layers of trained models in packages must compute ONNX Runtime's results, on the
activations that ONNX Runtime computes for a photograph.

import_onnx imports each layer from the original file and from one with the picture's extents.
Each layer is also imported from OpenVINO's conversion to IR. Maxima must equal ONNX Runtime's bit
for bit; averages must lie within the bound of their sums.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys
import tempfile
from pathlib import Path

import onnx
import openvino

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Integration"))
from pooltest import onnx_import, real_models, tier, tools  # noqa: E402
from pooltest.report import Report, main  # noqa: E402


def from_openvino(known, directory):
    """Returns [(function, module, names in its locations)] of OpenVINO's conversion, and
    the process."""
    path = Path(directory) / "model.xml"
    onnx.save(known, path.with_suffix(".onnx"))
    openvino.save_model(openvino.convert_model(path.with_suffix(".onnx")), path,
                        compress_to_fp16=False)
    process = tools.run([tools.tool("pool-translate"), "--import-openvino", "--pool-layers",
                         "--mlir-print-debuginfo", "--mlir-print-local-scope", str(path)])
    functions = []
    for text in re.split(r"(?m)^(?=  func\.func )", process.stdout)[1:]:
        text = text[:text.index("\n  } ")] + "\n  }"
        functions.append((re.search(r"@\"?([^\s\"(]+)", text)[1], text,
                          set(re.findall(r'loc\("([^"]*)"', text))))
    return functions, process


def paired(layers, functions):
    """Pairs each layer with the function of its name. If there is none, takes the next function
    that has no layer's name: OpenVINO may give a layer the name of a reshape that it drops."""
    names = {layer.name for layer in layers}
    unnamed = iter([f for f in functions if not f[2] & names])
    for layer in layers:
        named = next((f for f in functions if layer.name in f[2]), None)
        yield layer, named or next(unnamed, None)


def check_model(report, source, import_onnx, runs):
    path = source.locate()
    if not report.expect(path is not None, f"{source.name} is not installed"):
        return
    proto = onnx.load(path)
    known, layers = real_models.activations(source, proto)
    report.expect(layers, f"{source.name} has no pooling")
    # Reductions are left out: importers treat them as pooling only if they know the shapes.
    reductions = {n.name for n in proto.graph.node if n.op_type.startswith("Reduce")}
    for how, model in (("as the file has it", proto), ("of known extents", known)):
        text = import_onnx(model, pool_layers=True)
        names = [name for name, title in onnx_import.titles(text) if title not in reductions]
        if report.expect(len(names) == len(layers), f"{source.name}: a function a layer", text):
            for name, layer in zip(names, layers):
                add(runs[0], f"ONNX {how}", source, layer, text, name)
                if model is known:
                    add(runs[1], f"ONNX {how}", source, layer, text, name)
    with tempfile.TemporaryDirectory() as directory:
        functions, process = from_openvino(known, directory)
    functions = [f for f in functions if not f[2] & reductions]
    if not report.expect(process.returncode == 0 and len(functions) == len(layers),
                         f"{source.name}: a function for each layer of the IR",
                         stderr=process.stderr, functions=[f[0] for f in functions]):
        return
    for layer, (name, text, _) in paired(layers, functions):
        add(runs[0], "OpenVINO IR", source, layer, f"module {{\n{text}\n}}", name)


def add(runs, how, source, layer, text, name):
    """Adds one function of the module `text`, which contains all layers."""
    function = re.search(rf"(?ms)^ *func\.func @\"?{re.escape(name)}\"?\(.*?^ *}}[^\n]*", text)[0]
    function = function.replace(f'@"{name}"(', f"@{name}(")
    number = len(runs[0].cases)
    runs[0].add(f"module {{\n{function}\n}}", layer.inputs, [o.dtype for o in layer.outputs], name)
    runs[1].append((how, source, layer, function, number))


def run():
    report = Report("pooling layers of trained models")
    import_onnx = onnx_import.importer().import_onnx
    installed = [s for s in real_models.OPTIONAL if s.locate()]
    runs = [(onnx_import.Runs(), []), (onnx_import.Runs(), [])]
    required = tier.sample(real_models.REQUIRED, tier.size(None, None, 2))
    for source in (*required, *tier.size(installed, installed, [])):
        check_model(report, source, import_onnx, runs)
    for path, (functions, jobs) in zip(("vector", "linalg"), runs):
        results, process = functions.run(path, *(["-O0"] if path == "linalg" else []))
        report.expect(process.returncode == 0, f"pool-run fails on path {path}",
                      stderr=process.stderr[:2000])
        for how, source, layer, function, number in jobs:
            if report.expect(real_models.equal(layer, results[number]),
                             f"{source.name}: {layer.name} ({how}, {path})", function):
                report.count(f"equal on path {path}, {how}: {source.name}")
    report.require_counted(
        *(f"equal on path {path}, ONNX of known extents: {source.name}"
          for path in ("vector", "linalg") for source in required),
        *(f"equal on path vector, ONNX as the file has it: {source.name}"
          for source in required))
    return report.finish()


if __name__ == "__main__":
    main(run)
