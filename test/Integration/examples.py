# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Every numeric example of the five source documents (in test/data) must give exactly its
numbers.

Each example of test/data/examples.json is written in the generic form. pool-opt prints the pretty
form, which must parse back to the same operations. Both run in the reference interpreter and on
every path, and all numbers must equal the document's. For the documents' XML layers, the verifier
must accept the result type of the document and reject another.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import re
import tempfile
from pathlib import Path

import numpy as np

from pooltest import rules
from pooltest.case import Case
from pooltest.report import Report, main
from pooltest.tools import Batch, pool_opt

PATHS = ("reference", "linalg", "affine", "vector")
DATA = Path(__file__).resolve().parent.parent / "data" / "examples.json"
NAMES = ("kernel", "strides", "dilations", "pads_begin", "pads_end", "rounding_type",
         "auto_pad", "axis")


UNPOOLED = "max_pool+max_unpool"


def case_of(example):
    """Returns the example as a case of max_pool or avg_pool. An unpooling example
    becomes a maximum with indices."""
    attributes = {name: example[name] for name in NAMES if name in example}
    shape = np.array(example["input"]).shape
    if example["op"] == UNPOOLED:
        return Case("max_pool", shape, index_type="i64", **attributes)
    if example["op"] == "max_pool":
        if "pad_value" in example:
            attributes["pad_value"] = {0: "zero"}[example["pad_value"]]
        if "indices" in example:
            attributes["index_type"] = "i64"
        return Case("max_pool", shape, **attributes)
    assert example["op"] == "avg_pool", example["op"]
    divisor = "kernel" if example["count_include_pad"] else "valid"
    return Case("avg_pool", shape, divisor=divisor, **attributes)


def function_of(example, case, name, shape):
    """Returns the example in the generic form; `shape` is the pooling's output."""
    if example["op"] != UNPOOLED:
        return case.function(name, shape)
    whole, types = case.input_type(), case.result_types(shape)
    return (f"func.func @{name}(%x: {whole}) -> {whole} {{\n"
            f"  %v, %i = {case.generic_op(types)}\n"
            f'  %r = "pool.max_unpool"(%v, %i) : ({", ".join(types)}) -> {whole}\n'
            f"  return %r : {whole}\n}}\n")


def pretty_of(text, report, name):
    """Returns the pretty form of a generic text, after a round trip through both forms."""
    pretty = pool_opt(text)
    back = pool_opt(pretty.stdout, "--mlir-print-op-generic")
    forth = pool_opt(text, "--mlir-print-op-generic")
    report.expect(pretty.returncode == 0 and re.search(r"= pool\.(max|avg)_pool ", pretty.stdout)
                  and '"pool.' not in pretty.stdout,
                  f"{name}: pretty form", text, stdout=pretty.stdout, stderr=pretty.stderr)
    if report.expect(back.returncode == 0 and back.stdout == forth.stdout,
                     f"{name}: the pretty form parses back to another operation", text,
                     pretty=pretty.stdout, back=back.stdout or back.stderr):
        report.count("pretty form parses back to the same operation")
    return pretty.stdout


def functions_of(pretty):
    """Returns the functions inside the module that pool-opt prints."""
    return "\n".join(line for line in pretty.splitlines()
                     if not line.startswith("module") and line != "}")


def check(report, example, outputs, title, text):
    values = outputs[0]
    if "top_left" in example:
        report.expect(values.flat[0] == np.float32(example["top_left"]), title, text,
                      expected=example["top_left"], values=values)
    else:
        expected = np.array(example.get("values", example.get("unpooled")), np.float32)
        report.expect(values.shape == expected.shape and (values == expected).all(),
                      title, text, expected=expected, values=values)
    if "indices" in example:
        expected = np.array(example["indices"], np.int64)
        report.expect(outputs[1].shape == expected.shape and (outputs[1] == expected).all(),
                      f"{title}: indices", text, expected=expected, indices=outputs[1])


def run_examples(report, examples, directory):
    batch = Batch(directory)
    runs = []
    for number, example in enumerate(examples):
        case = case_of(example)
        x = np.array(example["input"], np.float32)
        shape = rules.output_shape(case)
        if "values" in example:
            report.expect(list(np.array(example["values"]).shape) == shape,
                          f"{example['name']}: shape by the oracle", str(case))
        types = [np.dtype(np.float32)]
        if case.index_type and example["op"] != UNPOOLED:
            types.append(np.dtype(np.int64))
        generic = function_of(example, case, f"generic{number}", shape)
        pretty = functions_of(pretty_of(function_of(example, case, f"pretty{number}", shape),
                                        report, example["name"]))
        for form, text in (("generic", generic), ("pretty", pretty)):
            batch.add(f"{form}{number}", text, [x], types)
            runs.append((example, form, text))
    for path in PATHS:
        outputs, process = batch.run("--path", path)
        report.expect(process.returncode == 0, f"pool-run --path {path}", process.stderr[:4000])
        for (example, form, text), arrays in zip(runs, outputs):
            title = f"{example['name']}, {form} form, {path}"
            if report.expect(arrays is not None, f"{title}: no output", text):
                check(report, example, arrays, title, text)
                report.count(f"examples in {form} form through {path}")


def check_layers(report, layers):
    """Checks the output ports of the XML layers with one result, like MaxPool-1, and with two,
    like MaxPool-8."""
    for layer in layers:
        attributes = {name: value if name == "auto_pad" else tuple(map(int, value.split(",")))
                      for name, value in layer["data"].items()}
        for index_type in ("i64", None):
            case = Case("max_pool", tuple(layer["input"]), index_type=index_type, **attributes)
            output = layer["output"]
            accepted = pool_opt(case.function("f", output))
            report.expect(accepted.returncode == 0, "the document's port is refused",
                          case.function("f", output), stderr=accepted.stderr)
            for wrong in (output[:3] + [output[3] + 1], [1, 4] + output[2:]):
                refused = pool_opt(case.function("f", wrong))
                report.expect(refused.returncode == 1 and "error:" in refused.stderr,
                              "a wrong port is accepted", case.function("f", wrong))
            report.count("XML layers: right type verified, two wrong ones refused")


def run():
    document = json.loads(DATA.read_text())
    report = Report("examples")
    with tempfile.TemporaryDirectory() as directory:
        run_examples(report, document["cases"], directory)
    check_layers(report, document["layers"])
    report.require_counted("XML layers: right type verified, two wrong ones refused")
    for form in ("generic", "pretty"):
        for path in PATHS:
            ran = report.counts[f"examples in {form} form through {path}"]
            report.expect(ran == len(document["cases"]), f"{form} form, {path}: {ran} examples ran")
    return report.finish()


if __name__ == "__main__":
    main(run)
