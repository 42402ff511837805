# RUN: env POOL_BUILD_DIR=%build_dir %python %s %src_root/docs/Reference/FrontEnds %src_root/docs/Reference/Semantics.md
"""Examples in docs/Reference/FrontEnds and docs/Reference/Semantics.md must give the values shown.

- Every block marked `mlir` parses, verifies, and prints to text that parses back to the same.
- A block marked `values` calls functions of the `mlir` block before it. Its lines are
  `name(argument, ...) = result, ...` with nested lists. The interpreter and compiled code on
  every path must give these numbers. The word `compiled` after `values` leaves out the
  interpreter, which does not know all operations. If the word after `values` is the name of an
  example in test/data/examples.json, the numbers must also equal that example's.
- A line `<!-- OPTIONS -->` gives options of pool-opt that turn the `mlir` block before the line
  into the `mlir` block after the line.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ast
import json
import re
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Integration"))
# pylint: disable=wrong-import-position
from pooltest.case import NUMPY_TYPES  # noqa: E402
from pooltest.report import Report, main  # noqa: E402
from pooltest.tools import Batch, pool_opt  # noqa: E402

EXAMPLES = Path(__file__).resolve().parent.parent / "data" / "examples.json"
BLOCK = re.compile(r"^```(mlir|values)(?: (\S+))?\n(.*?)^```$|^<!-- (--\S.*?) -->$",
                   re.MULTILINE | re.DOTALL)
FUNCTION = re.compile(r"func\.func @(\w+)\((.*?)\)\s*->\s*(.*?) \{\n", re.DOTALL)
ELEMENT_TYPE = re.compile(r"tensor<(?:[\d?]+x)*(\w+)>")
NUMBERS = {"inf": float("inf"), "nan": float("nan")}
# Relative tolerance: the page rounds numbers to about six digits.
RELATIVE_ERROR = 1e-6

COMPILED = ("linalg", "affine", "vector")


def literal(text):
    """Parses nested lists of numbers, `inf` and `nan`, separated by commas."""
    def value(node):
        if isinstance(node, (ast.List, ast.Tuple)):
            return [value(element) for element in node.elts]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -value(node.operand)
        return NUMBERS[node.id] if isinstance(node, ast.Name) else ast.literal_eval(node)
    return value(ast.parse(f"({text},)", mode="eval").body)


def calls(text):
    """Yields (function, arguments, results) for each line. An indented line continues the line
    before it."""
    for line in re.split(r"\n(?=\S)", text.strip()):
        name, arguments, results = re.fullmatch(r"(\w+)\((.*)\)\s*=\s*(.*)", line,
                                                re.DOTALL).groups()
        yield name, literal(arguments), literal(results)


def signatures(text):
    """Returns {function: (NumPy types of the arguments, of the results)}."""
    return {name: tuple([NUMPY_TYPES[t] for t in ELEMENT_TYPE.findall(types)]
                        for types in (arguments, results))
            for name, arguments, results in FUNCTION.findall(text)}


def printed(text, report, where, *options):
    process = pool_opt(text, *options)
    report.expect(process.returncode == 0, f"{where}: refused", text, error=process.stderr)
    return process.stdout


def check_mlir(text, report, where):
    once = printed(text, report, where)
    report.expect(printed(once, report, where) == once, f"{where}: no round trip", text)
    report.count("modules parsed and verified")


def equal(actual, expected):
    expected = np.array(expected, actual.dtype)
    if actual.shape != expected.shape:
        return False
    actual, expected = actual.astype(np.float64), expected.astype(np.float64)
    return np.allclose(actual, expected, rtol=RELATIVE_ERROR, atol=0, equal_nan=True)


def check_document(name, arguments, results, report, where):
    """Checks that the numbers equal those of the example `name` in examples.json."""
    cases = {case["name"]: case for case in json.loads(EXAMPLES.read_text())["cases"]}
    if not report.expect(name in cases, f"{where}: there is no example {name}"):
        return
    case = cases[name]
    same = arguments[0] == case["input"]
    if "top_left" in case:
        same = same and np.array(results[0]).flat[0] == case["top_left"]
    else:
        same = same and results[0] == case.get("values", case.get("unpooled"))
    if "indices" in case and len(results) > 1:
        same = same and results[1] == case["indices"]
    report.expect(same, f"{where}: not the numbers of {name}", example=case)
    report.count("numbers compared with the document")


def check_values(module, text, word, report, where):
    types = signatures(module)
    runs = list(calls(text))
    for path in COMPILED if word == "compiled" else ("reference", *COMPILED):
        with tempfile.TemporaryDirectory() as directory:
            batch = Batch(directory)
            batch.texts.append(module)
            for name, arguments, _ in runs:
                if name not in types:
                    report.mismatch(f"{where}: there is no function {name}", module)
                    return
                inputs = [np.array(a, t) for a, t in zip(arguments, types[name][0])]
                batch.add(name, "", inputs, types[name][1])
            outputs, process = batch.run("--path", path)
        for (name, arguments, results), actual in zip(runs, outputs):
            if actual is None:
                report.mismatch(f"{where}: {name} does not run", module, error=process.stderr)
                continue
            report.count(f"calls compared, {path}")
            report.expect(len(actual) == len(results) and all(map(equal, actual, results)),
                          f"{where}: {name} on {path}", module, arguments=arguments,
                          claimed=results, actual=actual)
    if word not in (None, "compiled"):
        check_document(word, *runs[0][1:], report, where)


def check_page(path, report):
    text = path.read_text()
    module, options, kinds = None, None, set()
    for block in BLOCK.finditer(text):
        kind, word, body, new_options = block.groups()
        where = f"{path.name}:{text.count(chr(10), 0, block.start()) + 1}"
        if new_options:
            options = new_options.split()
        elif kind == "values":
            check_values(module, body, word, report, where)
        else:
            check_mlir(body, report, where)
            if options:
                report.count("conversions compared")
                report.expect(printed(module, report, where, *options)
                              == printed(body, report, where),
                              f"{where}: not what {' '.join(options)} gives", body)
            module, options = body, None
        kinds.add(kind)
    report.expect({"mlir", "values"} <= kinds, f"{path.name}: shows nothing")
    report.count("pages")


def run():
    report = Report("front-ends")
    directory, *pages = map(Path, sys.argv[1:])
    index = (directory / "README.md").read_text()
    for path in sorted(directory.glob("*.md")):
        if path.name != "README.md":
            report.expect(f"]({path.name})" in index, f"README.md does not name {path.name}")
            check_page(path, report)
    for path in pages:
        check_page(path, report)
    report.require_counted("pages", "conversions compared", "numbers compared with the document")
    return report.finish()


if __name__ == "__main__":
    main(run)
