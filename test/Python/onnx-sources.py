# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""import_onnx must find pooling in files, bytes, models with external data, local functions,
branches and loop bodies. Errors that can be found only at run time must come at run time.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Integration"))
from pooltest import onnx_import  # noqa: E402
from pooltest.report import Report, main  # noqa: E402

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
# Message of compiled code for a bad index, which it reports without the value. The path
# `reference` is an interpreter, and its message has the value.
COMPILED = "an index is negative or not below the number of positions"
info = helper.make_tensor_value_info
OPSET = [helper.make_opsetid("", 17)]
SHAPE = (1, 2, 6, 6)


def pool(source, target, name, op="MaxPool"):
    return helper.make_node(op, [source], [target], name=name, kernel_shape=[2, 2])


def model(nodes, outputs, initializers=(), functions=(), opsets=OPSET):
    graph = helper.make_graph(nodes, "graph", [info("x", FLOAT, SHAPE)], outputs, initializers)
    return helper.make_model(graph, opset_imports=opsets, functions=functions, ir_version=9)


def refused(call):
    try:
        return f"accepted: {call()}"
    except ValueError as error:
        return str(error)


def check_files(report, import_onnx, directory):
    weights = numpy_helper.from_array(np.arange(25, dtype=np.float32).reshape(1, 1, 5, 5), "w")
    proto = model([pool("x", "y", "p"), pool("w", "z", "constant")],
                  [info("y", FLOAT, None), info("z", FLOAT, None)], [weights])
    path = directory / "model.onnx"
    onnx.save(proto, path)
    text = import_onnx(proto)
    for source in (path, str(path), path.read_bytes(), bytearray(path.read_bytes())):
        report.expect(import_onnx(source) == text, f"import from {type(source).__name__}")

    outside = directory / "outside.onnx"
    onnx.save(proto, outside, save_as_external_data=True, location="outside.bin",
              size_threshold=0)
    report.expect(import_onnx(outside) == text, "weights in a file beside the model")
    report.expect("external data is not loaded" in refused(
        lambda: import_onnx(outside.read_bytes())), "bytes without their weights",
                  got=refused(lambda: import_onnx(outside.read_bytes())))
    (directory / "outside.bin").unlink()
    report.expect(onnx_import.functions(import_onnx(outside, pool_layers=True))
                  == ["p", "constant"], "layers need no weights")
    report.expect("not an ONNX model" in refused(lambda: import_onnx(outside)),
                  "weights that are gone", got=refused(lambda: import_onnx(outside)))
    climbing = onnx.load(outside, load_external_data=False)
    for entry in climbing.graph.initializer[0].external_data:
        if entry.key == "location":
            entry.value = "../../outside.bin"
    onnx.save(climbing, outside)
    report.expect("not an ONNX model" in refused(lambda: import_onnx(outside)),
                  "weights outside the folder", got=refused(lambda: import_onnx(outside)))
    report.count("sources", 9)


def check_insides(report, import_onnx):
    """Pooling in a function, in branches and in a loop."""
    local = helper.make_function("own", "Block", ["a"], ["b"], [pool("a", "b", "inner")], OPSET)
    proto = model([helper.make_node("Block", ["x"], ["y"], name="block", domain="own"),
                   pool("y", "z", "outer")], [info("z", FLOAT, None)], functions=[local],
                  opsets=[*OPSET, helper.make_opsetid("own", 1)])
    text = import_onnx(proto, pool_layers=True)
    report.expect(len(onnx_import.functions(text)) == 2 and "tensor<1x2x5x5xf32> loc" in text,
                  "pooling in a local function", text)

    branches = [helper.make_graph([pool("x", f"{word}_y", word, op)], word, [],
                                  [info(f"{word}_y", FLOAT, None)])
                for word, op in (("then", "MaxPool"), ("else", "AveragePool"))]
    choice = helper.make_node("If", ["c"], ["y"], name="choice", then_branch=branches[0],
                              else_branch=branches[1])
    condition = numpy_helper.from_array(np.array(True), "c")
    proto = model([choice, pool("y", "z", "after")], [info("z", FLOAT, None)], [condition])
    text = import_onnx(proto, pool_layers=True)
    names = onnx_import.functions(text)
    report.expect(sorted(names) == ["after", "else", "then"], "pooling in branches", text)
    report.expect("@then(%x: tensor<1x2x6x6xf32>" in text, "an operand from outside", text)

    body = helper.make_graph(
        [helper.make_node("Identity", ["on"], ["still"]), pool("state", "smaller", "step")],
        "body", [info("i", INT64, []), info("on", BOOL, []), info("state", FLOAT, None)],
        [info("still", BOOL, []), info("smaller", FLOAT, None)])
    loop = helper.make_node("Loop", ["n", "c", "x"], ["y"], name="loop", body=body)
    proto = model([loop], [info("y", FLOAT, None)],
                  [numpy_helper.from_array(np.array(2), "n"), condition])
    text = import_onnx(proto, pool_layers=True)
    report.expect(onnx_import.functions(text) == ["step"] and "%state: tensor<?x?x?x?xf32>" in text,
                  "pooling in a loop, of unknown extents", text)
    report.count("layers inside others", 3)


def check_run_time(report, import_onnx):
    """Tests shapes and indices that are known only at run time."""
    node = helper.make_node("MaxUnpool", ["v", "i", "s"], ["y"], name="up", kernel_shape=[2, 2],
                            strides=[2, 2])
    graph = helper.make_graph(
        [node], "graph", [info("v", FLOAT, ("n", 1, 2, "w")), info("i", INT64, ("n", 1, 2, "w")),
                          info("s", INT64, (4,))], [info("y", FLOAT, (1, 1, 5, "given"))])
    proto = helper.make_model(graph, opset_imports=OPSET)
    values = np.arange(1, 5, dtype=np.float32).reshape(1, 1, 2, 2)
    indices = np.array([5, 7, 13, 15]).reshape(values.shape)
    cases = [  # (meaning of output_shape, output_shape, offset of the indices, message)
        ("inferred", (1, 1, 5, 4), 0, None),
        ("inferred", (2, 1, 5, 4), 0, "output_shape[0] is not the input's extent"),
        ("inferred", (1, 3, 5, 4), 0, "output_shape[1] is not the input's extent"),
        ("inferred", (1, 1, 5, 3), 0, "output_shape[3] is less than inferred"),
        ("inferred", (1, 1, 6, 4), 0, "dimension 2 of 'y' is not the declared 5"),
        ("inferred", (1, 1, 5, 9), 1, f"the index at [0, 0, 1, 1] is -1|{COMPILED}"),
        ("inferred", (1, 1, 5, 9), 2**62, f"the index at [0, 0, 0, 0] is -1|{COMPILED}"),
        ("inferred", (1, 1, 5, 9), -8, f"the index at [0, 0, 0, 0] is -1|{COMPILED}"),
        ("given", (1, 1, 5, 4), 0, None),
        ("given", (1, 1, 5, 3), 0, "output_shape holds less than the inferred shape"),
        ("given", (1, 1, 5, 0), 0, "output_shape[3] is less than 1"),
        ("given", (1, 1, 5, 4), 5, f"the index at [0, 0, 1, 1] is 20|{COMPILED}"),
    ]
    # Add the cases with output_shape in the file, unless the import rejects them.
    stored = [(*case, True) for case in cases if case[3] is None
              or "[3] is less than inf" in case[3] or "output_shape[0]" in case[3]]
    for convention, shape, added, message, constant in [(*c, False) for c in cases] + stored:
        asked = proto
        if constant:
            asked = onnx.ModelProto()
            asked.CopyFrom(proto)
            del asked.graph.input[2]
            asked.graph.initializer.append(numpy_helper.from_array(np.array(shape), "s"))
            if shape[0] == 2:
                asked.graph.output[0].type.tensor_type.shape.dim[0].dim_value = 2
        text = import_onnx(asked, unpool_indices=convention)
        operands = [values, indices + added] + ([] if constant else [np.array(shape)])
        for path in onnx_import.PATHS:
            runs = onnx_import.Runs()
            runs.add(text, operands, [np.float32])
            results, process = runs.run(path)
            if message is None:
                expected = np.zeros((1, 1, 5, 4), np.float32)
                expected.reshape(-1)[indices.reshape(-1)] = values.reshape(-1)
                good = results[0] is not None and np.array_equal(results[0][0], expected)
            else:
                good = process.returncode == 1 and results[0] is None and any(
                    part in process.stderr for part in message.split("|"))
            if report.expect(good, f"{convention} {shape} {added} on path {path}", text,
                             message=process.stderr, results=results):
                report.count("run-time checks")


def check_shared_names(report, import_onnx):
    """Two inputs whose extents have the same name must agree."""
    nodes = [pool(name, f"{name}_pooled", f"pool_{name}") for name in "xb"]
    graph = helper.make_graph(
        nodes, "graph", [info("x", FLOAT, ("n", 1, 3, 3)), info("b", FLOAT, ("n", 1, 2, 2))],
        [info(f"{name}_pooled", FLOAT, None) for name in "xb"])
    text = import_onnx(helper.make_model(graph, opset_imports=OPSET))
    x = np.arange(9, dtype=np.float32).reshape(1, 1, 3, 3)
    for path in onnx_import.PATHS:
        for batch in (1, 2):
            runs = onnx_import.Runs()
            runs.add(text, [x, np.ones((batch, 1, 2, 2), np.float32)], [np.float32] * 2)
            results, process = runs.run(path)
            message = "dimension 0 of 'b' is not dimension 0 of 'x', both are called"
            good = (results[0] is not None and results[0][0].sum() == 24) if batch == 1 else (
                results[0] is None and message in process.stderr)
            report.expect(good, f"extents of one name on path {path}", text,
                          message=process.stderr, results=results)
            report.count("shared names")


def run():
    report = Report("sources of import_onnx")
    import_onnx = onnx_import.importer().import_onnx
    with tempfile.TemporaryDirectory() as directory:
        check_files(report, import_onnx, Path(directory))
    check_insides(report, import_onnx)
    check_run_time(report, import_onnx)
    check_shared_names(report, import_onnx)
    return report.finish()


if __name__ == "__main__":
    main(run)
