# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""The importer of OpenVINO IR must reject faulty models and name the layer, the line and the
reason.

Most cases are a small change to a valid model. The message must point to the faulty line and
contain the text that the case lists.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from pooltest import openvino_ir as ir
from pooltest.tools import TIMEOUT_SECONDS, tool

# Limits for the tool's memory: a constant, with room for sanitizers, and an amount per byte of
# the file, for the tree of XML elements.
BASE_BYTES, BYTES_PER_BYTE = 1 << 30, 64
SHAPE, OUT = [1, 2, 8, 8], [1, 2, 4, 4]
WINDOW = 'kernel="2,2" strides="2,2" pads_begin="0,0" pads_end="0,0"'
MAX = ir.layer(1, "MaxPool", WINDOW, [SHAPE], [OUT], name="pool")
AVG = ir.layer(1, "AvgPool", WINDOW + ' exclude-pad="true"', [SHAPE], [OUT], name="pool")
MAX8 = ir.layer(1, "MaxPool", WINDOW, [SHAPE], [OUT, OUT], name="pool", opset=8)
ADAPTIVE = ir.net(
    [ir.parameter(0, SHAPE),
     ir.layer(1, "Const", 'element_type="i64" shape="2" offset="0" size="16"',
              outputs=[[2]], name="size"),
     ir.layer(2, "AdaptiveAvgPool", "", [SHAPE, [2]], [OUT], name="pool", opset=8),
     ir.layer(3, "Result", inputs=[OUT])],
    [ir.edge(0, 0, 2, 0), ir.edge(1, 0, 2, 1), ir.edge(2, 2, 3, 0)])
GLOBAL = ir.net(
    [ir.parameter(0, SHAPE),
     ir.layer(1, "Const", 'element_type="i64" shape="2" offset="0" size="16"',
              outputs=[[2]], name="axes"),
     ir.layer(2, "ReduceMean", 'keep_dims="true"', [SHAPE, [2]], [[1, 2, 1, 1]], name="pool"),
     ir.layer(3, "Result", inputs=[[1, 2, 1, 1]])],
    [ir.edge(0, 0, 2, 0), ir.edge(1, 0, 2, 1), ir.edge(2, 2, 3, 0)])
M = ir.chain(MAX, SHAPE, OUT)
A = ir.chain(AVG, SHAPE, OUT)
M8 = ir.chain(MAX8, SHAPE, OUT, outputs=2)
POOL = "layer 'pool' (MaxPool): "


def quantization(layer_type, data="", others=(), element_type="f32", shape=SHAPE):
    """A model of a pooling layer and one of quantisation, whose further inputs have the shapes
    `others`."""
    shapes = [shape, *others]
    last, pool = len(shapes), len(shapes) + 1
    return ir.net(
        [*(ir.parameter(i, s, element_type) for i, s in enumerate(shapes)),
         ir.layer(last, layer_type, data, shapes, [shape], name="q"),
         ir.layer(pool, "MaxPool", WINDOW.replace("2,2", "1,1"), [shape], [shape], name="pool"),
         ir.layer(pool + 1, "Result", inputs=[shape])],
        [*(ir.edge(i, 0, last, i) for i in range(last)), ir.edge(last, last, pool, 0),
         ir.edge(pool, 1, pool + 1, 0)])


CONVERT = quantization("Convert", 'destination_type="f16"')
FAKE = quantization("FakeQuantize", 'levels="256"', [[1], [1], [2, 1, 1], [2, 1, 1]])
# The ranges' extents are known only at run time.
UNKNOWN = quantization("FakeQuantize", 'levels="2"', [[], [8], [-1], [2, 1, 1]],
                       shape=[1, -1, 8, 8])

# (model, replaced text, replacement, message, text of the line of the message)
CASES = [
    # Attributes
    (M, 'kernel="2,2" ', "", POOL + "the required attribute kernel is missing", 'name="pool"'),
    (M, 'strides="2,2" ', "", POOL + "the required attribute strides is missing", 'name="pool"'),
    (M, 'pads_begin="0,0" ', "", POOL + "the required attribute pads_begin is missing",
     'name="pool"'),
    (M, 'pads_end="0,0"', "", POOL + "the required attribute pads_end is missing", 'name="pool"'),
    (A, ' exclude-pad="true"', "",
     "layer 'pool' (AvgPool): the required attribute exclude-pad is missing", 'name="pool"'),
    (M, 'strides="2,2"', 'strides="2,2" stride="2"',
     POOL + "the attribute stride is not known in opset1", "stride="),
    (M, 'strides="2,2"', 'strides="2,2" dilations="1,1"',
     POOL + "the attribute dilations is not known in opset1", "dilations="),
    (M, 'strides="2,2"', 'strides="2,2" strides="2,2"',
     POOL + "a second attribute strides", "strides="),
    (M, 'strides="2,2"', 'strides="2"',
     POOL + "strides is '2', which has 1 entries, kernel 2", "strides="),
    (M, 'strides="2,2"', 'strides=""',
     POOL + "strides is '', which has 0 entries, kernel 2", "strides="),
    (M, 'strides="2,2"', 'strides="2,x"',
     POOL + "strides is '2,x', not a list of 64-bit integers", "strides="),
    (M, 'strides="2,2"', 'strides="2,2,"', "strides is '2,2,', not a list", "strides="),
    (M, 'strides="2,2"', 'strides="2,9223372036854775808"', "not a list of 64-bit integers",
     "strides="),
    (M, WINDOW, 'kernel="2,2,2,2,2" strides="2,2,2,2,2" pads_begin="0,0,0,0,0" '
     'pads_end="0,0,0,0,0" auto_pad="same_upper"', POOL + "(Window.C1)", 'name="pool"'),
    (M, 'strides="2,2"', 'strides="0,2"', POOL + "(Window.C5)", 'name="pool"'),
    (M, 'kernel="2,2"', 'kernel="0,2"', POOL + "(Window.C3)", 'name="pool"'),
    (M, 'kernel="2,2"', 'kernel="9,2"', POOL + "(Window.C8)", 'name="pool"'),
    (M, 'kernel="2,2"', 'kernel="9223372036854775807,2"', POOL + "(Window.C8)", 'name="pool"'),
    (M, 'pads_end="0,0"', 'pads_end="9223372036854775807,0"', POOL + "(Window.C10)", 'name="pool"'),
    (M, 'pads_end="0,0"', 'pads_end="0,-1"', POOL + "(Window.C6)", 'name="pool"'),
    (M, 'strides="2,2"', 'strides="2,2" rounding_type="up"',
     POOL + "rounding_type is 'up', not one of floor, ceil", "rounding_type="),
    (M, 'strides="2,2"', 'strides="2,2" rounding_type="ceil_torch"',
     "not one of floor, ceil", "rounding_type="),
    (M, 'strides="2,2"', 'strides="2,2" auto_pad="same"',
     "auto_pad is 'same', not one of explicit, notset, same_upper, same_lower, valid",
     "auto_pad="),
    (A, 'exclude-pad="true"', 'exclude-pad="yes"',
     "exclude-pad is 'yes', not true or false", "exclude-pad="),
    (M8, 'strides="2,2"', 'strides="2,2" axis="4"', POOL + "(Extremum.C1) axis is 4",
     'name="pool"'),
    (M8, 'strides="2,2"', 'strides="2,2" axis="1.5"', "axis is '1.5', not a 64-bit integer",
     "axis="),
    (M8, 'strides="2,2"', 'strides="2,2" index_element_type="i8"',
     "index_element_type is 'i8', not one of i32, i64", "index_element_type="),
    # Versions
    (M, 'type="MaxPool" version="opset1"', 'type="MaxPool" version="opset17"',
     POOL + "its version 'opset17' is none of opset1 to opset16", 'name="pool"'),
    (M, 'type="MaxPool" version="opset1"', 'type="MaxPool" version="extension"',
     "its version 'extension' is none of", 'name="pool"'),
    (M, 'type="MaxPool" version="opset1"', 'type="MaxPool" version="opset8"',
     POOL + "it has 1 outputs, must have 2 in opset8", 'name="pool"'),
    (M8, 'type="MaxPool" version="opset8"', 'type="MaxPool" version="opset7"',
     POOL + "it has 2 outputs, must have 1 in opset7", 'name="pool"'),
    (ADAPTIVE, 'version="opset8"', 'version="opset7"',
     "its version 'opset7' is none of opset8 to opset16", 'name="pool"'),
    (M, 'version="11"', 'version="7"', "version 7 of the format is not 10 or 11", "<net"),
    # Ports
    (M, "<dim>4</dim></port>", "<dim>5</dim></port>",
     POOL + "(Window.C11) port 1, dimension 3: the extent is 5, the rule gives 4", '<port id="1"'),
    (M, "<dim>4</dim></port>", "</port>", POOL + "(Window.C11) port 1 has rank 3, must have rank 4",
     '<port id="1"'),
    (M.replace('strides="2,2"', 'strides="2,2" auto_pad="same_upper"'),
     "<dim>4</dim></port>", "<dim>5</dim></port>",
     POOL + "(Window.C11) port 1, dimension 3: the extent is 5, the rule gives 4", '<port id="1"'),
    (M, '<port id="1">', '<port id="1" precision="FP16">',
     POOL + "port 1 has the precision FP16, but its value is FP32", '<port id="1"'),
    (M, '<input>\n<port id="0">', '<input>\n<port id="0" precision="I8">',
     POOL + "port 0 has the precision I8, but its value is FP32", '<port id="0" precision="I8"'),
    (M, '<input>\n<port id="0"><dim>1</dim>', '<input>\n<port id="0"><dim>3</dim>',
     POOL + "port 0 has 3 in dimension 0, what comes to it 1", '<port id="0"><dim>3</dim>'),
    (M, '<input>\n<port id="0"><dim>1</dim>', '<input>\n<port id="0">',
     POOL + "port 0 has 3 dimensions, what comes to it 4", '<port id="0"><dim>2</dim>'),
    (M, '<port id="1"><dim>1</dim>', '<port id="1"><dim>one</dim>',
     POOL + "dimension 0 of port 1 is 'one', not a number from -1 to 2^63 - 1",
     '<port id="1"'),
    (M, '<port id="1"><dim>1</dim>', '<port id="1"><dim>-2</dim>', "is '-2', not a number",
     '<port id="1"'),
    (M, '<port id="1"><dim>1</dim>', '<port id="1">' + 65 * "<dim>1</dim>",
     "port 1 has more than 64 dimensions", '<port id="1"'),
    (M, '<port id="1">', '<port id="0">', POOL + "it has a second port 0", '<port id="0">'),
    (M, 'shape="1,2,8,8"', 'shape="1,2,8,9"',
     "layer 'input' (Parameter): shape is '1,2,8,9', whose dimension 3 is 9, but port 0 has 8",
     "shape="),
    (M, 'shape="1,2,8,8"', 'shape="1,2,8"', "which has 3 dimensions, port 0 4", "shape="),
    (M, 'shape="1,2,8,8"', 'shape="1,2,1..8,8"', "whose dimension 2 is 1..8, but port 0 has 8",
     "shape="),
    (M, 'shape="1,2,8,8"', 'shape="1,2,a..b,8"', "whose dimension 2 is no number", "shape="),
    (M, 'shape="1,2,8,8"', 'shape="..."', "which has 1 dimensions, port 0 4", "shape="),
    (M, 'element_type="f32"', 'element_type="u4"',
     "element_type is 'u4', which is not supported", "element_type="),
    (M, 'element_type="f32"', 'element_type="boolean"', POOL + "boolean is not pooled",
     'name="pool"'),
    # The graph
    (M, 'from-layer="0"', 'from-layer="7"', "but there is no layer 7", 'from-layer="7"'),
    (M, 'from-layer="0" from-port="0"', 'from-layer="0" from-port="5"',
     "layer 'input' (Parameter): an edge leaves its port 5, which is none of its outputs",
     'from-port="5"'),
    (M, 'to-layer="1" to-port="0"', 'to-layer="1" to-port="1"',
     POOL + "an edge leads to its port 1, which is none of its inputs", 'to-port="1"'),
    (M, ir.edge(0, 0, 1, 0), 2 * ir.edge(0, 0, 1, 0), POOL + "a second edge leads to its port 0",
     "from-layer"),
    (M, ir.edge(0, 0, 1, 0), "", POOL + "no edge leads to its port 0", '<port id="0">'),
    (M, ir.edge(0, 0, 1, 0), ir.edge(1, 1, 1, 0), POOL + "it depends on its own output",
     'name="pool"'),
    (M, 'id="1" name="pool"', 'id="0" name="pool"', POOL + "its id 0 is that of layer 'input'",
     'name="pool"'),
    (M, 'id="1" name="pool"', 'name="pool"', "<layer> has no id", 'name="pool"'),
    (M, 'id="1" name="pool"', 'id="99999999999" name="pool"',
     "id of <layer> is '99999999999', not a number from 0 to 2^31 - 1", 'name="pool"'),
    (M, 'type="MaxPool"', 'type="Convolution"', "layer 'pool' (Convolution): layers of this type "
     "are not imported, and the model has no pooling layer", 'name="pool"'),
    (M, "</layers>", "</layers><layers/>", "<net> has a second <layers>", "<layers/>"),
    # Constants
    (ADAPTIVE, 'type="Const"', 'type="ShapeOf"', "layer 'size' (ShapeOf): layers of this type",
     'name="size"'),
    (ADAPTIVE, 'size="16"', 'size="15"', "shape is '2', which in i64 is not the 15 bytes",
     "shape="),
    (ADAPTIVE, 'offset="0"', 'offset="1"',
     "its 16 bytes at offset 1 are not within the 16 bytes of the weights file", 'name="size"'),
    (ADAPTIVE, 'offset="0"', 'offset="-1"', "its 16 bytes at offset -1 are not within",
     'name="size"'),
    (ADAPTIVE, 'offset="0"', 'offset="9223372036854775807"', "are not within the 16 bytes",
     'name="size"'),
    (ADAPTIVE, 'shape="2" offset="0" size="16"',
     'shape="9223372036854775807,4" offset="0" size="9223372036854775807"',
     "is not the 9223372036854775807 bytes of its size", "shape="),
    (ADAPTIVE, 'shape="2" offset="0" size="16"', 'shape="4,-1" offset="0" size="16"',
     "shape is '4,-1', which in i64 is not the 16 bytes", "shape="),
    (ADAPTIVE, 'element_type="i64" shape="2"', 'element_type="f64" shape="2"',
     "layer 'pool' (AdaptiveAvgPool): its input 1 has element type f64, must have i32 or i64",
     'name="pool"'),
    (ADAPTIVE, 'element_type="i64" shape="2"', 'element_type="i64" shape="1,2"',
     "its input 1 has rank 2, must have rank 1", 'name="pool"'),
    (ADAPTIVE, 'shape="2" offset="0" size="16"', 'shape="1" offset="0" size="8"',
     "its output size has 1 entries, the input 2 spatial dimensions", 'name="pool"'),
    # Reductions. Their axes are read from the weights file, which holds 2 and 2 in every case.
    (GLOBAL, 'keep_dims="true"', 'keep_dims="true" a="b"',
     "layer 'pool' (ReduceMean): the attribute a is not known in opset1", "a="),
    (GLOBAL, 'keep_dims="true"', 'keep_dims="false"', "its axes do not make it global pooling: "
     "dimension 3 is not reduced", 'name="pool"'),
    (GLOBAL, 'type="Const"', 'type="Parameter"', "layer 'axes' (Parameter): ", "element_type="),
    (GLOBAL.replace("<dim>8</dim></port>", "<dim>1</dim></port>").replace("8,8", "8,1"),
     'keep_dims="true"', 'keep_dims="false"', "keep_dims is 'false', but port 2 has all dimensions",
     "keep_dims="),
    (GLOBAL.replace("<dim>8</dim></port>", "<dim>1</dim></port>").replace("8,8", "8,1"),
     'element_type="f32"', 'element_type="i32"',
     "layer 'pool' (ReduceMean): it is not imported for elements of type i32", 'name="pool"'),
    # Layers of quantisation
    (CONVERT, ' destination_type="f16"', "",
     "layer 'q' (Convert): the required attribute destination_type is missing", 'name="q"'),
    (CONVERT, 'destination_type="f16"', 'destination_type="u4"',
     "destination_type is 'u4', which is not supported", "destination_type="),
    (quantization("FakeQuantize", 'levels="256"', [[3], [1], [1], [1]]), "", "",
     "layer 'q' (FakeQuantize): extent 3 of input 1 does not broadcast to 8 in dimension 3 of "
     "input 0", 'name="q"'),
    (quantization("FakeQuantize", 'levels="256"', [[1], [1, 1, 1, 1, 1], [1], [1]]), "", "",
     "layer 'q' (FakeQuantize): input 2 has rank 5, input 0 4", 'name="q"'),
    (quantization("FakeQuantize", 'levels="256"', [[1]] * 4, "i32"), "", "",
     "layer 'q' (FakeQuantize): it is not imported for elements of type i32", 'name="q"'),
    (quantization("FakeQuantize", 'levels="256"'), "", "",
     "layer 'q' (FakeQuantize): it has 1 inputs, must have 5", 'name="q"'),
    (FAKE, 'shape="1" element_type="f32"', 'shape="1" element_type="f16"',
     "layer 'q' (FakeQuantize): its inputs have elements of type f32 and f16", 'name="q"'),
    *((FAKE, 'levels="256"', f'levels="{levels}"',
       f"layer 'q' (FakeQuantize): levels is '{levels}', must be from 2 to 16777216", "levels=")
      for levels in (1, -1, 2**24 + 1)),
    (FAKE, 'levels="256"', 'levels="256" auto_broadcast="none"',
     "auto_broadcast is 'none', which is not imported for these inputs", "auto_broadcast="),
    # Layers of elements
    (quantization("ReLU"), "", "", "layer 'q' (ReLU): layers of this type are not imported; "
     "--pool-layers imports the pooling layers of any model", 'name="q"'),
    # Files that are not models
    (M, "</net>", "", "the file is not well-formed XML", ""),
    (M, "<net", "<!DOCTYPE net [<!ENTITY a 'aaaa'>]>\n<net",
     "a document type (DOCTYPE) is refused", "<?xml"),
    (M, "</net>", "</net><net/>", "a second root element <net>", "<net/>"),
    (M, '<?xml version="1.0"?>', '<?xml version="1.0" encoding="UTF-16"?>',
     "the encoding 'UTF-16' is not UTF-8", "<?xml"),
    (M, 'name="pool"', 'name="po\0ol"', "it holds a zero byte", 'name="po'),
    (M, 'name="pool"', 'name="po\udcffol"', "the file is not UTF-8 text", 'name="po'),
    (M, M, "", "the file is not well-formed XML", ""),
    (M, M, "<html/>", "the root element is <html>, not the <net>", "<html"),
    (M, "</net>", 300 * "<a>" + 300 * "</a>" + "</net>", "nested deeper than 256 levels", "<a>"),
]


def run(command):
    """Runs a command. Its diagnostics quote lines of the model, which may hold any bytes."""
    return subprocess.run(command, capture_output=True, text=True, errors="replace",
                          timeout=TIMEOUT_SECONDS, check=False)


def check(folder, number, case):
    model, old, new, message, place = case
    if old not in model:
        return f"{old!r} is not in the model"
    text = model.replace(old, new, 1)
    path = folder / f"{number}.xml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    (folder / f"{number}.bin").write_bytes((2).to_bytes(8, "little") * 2)
    process = run([tool("pool-translate"), "--import-openvino", str(path)])
    if process.returncode != 1:
        return f"exit code {process.returncode}: {process.stderr}"
    if process.stdout:
        return "it wrote something"
    if message not in process.stderr:
        return f"{message!r} is not in {process.stderr!r}"
    line = int(re.search(rf"{number}\.xml:(\d+):", process.stderr).group(1))
    stands = (text.split("\n") + [""])[line - 1]
    return None if place in stands else f"the error stands at line {line}: {stands!r}"


def accept(folder, text, *options):
    path = folder / "accepted.xml"
    path.write_text(text)
    (folder / "accepted.bin").write_bytes((4).to_bytes(8, "little") * 2)
    return run([tool("pool-translate"), "--import-openvino", *options, str(path)])


def large_texts():
    """Returns (text, message) for large texts of one line. Each would expose an algorithm
    that needs more than linear time or memory."""
    many = 200000
    layer = "<net version='11'><layers><layer id='0' name='p' type='MaxPool' version='opset1'>"
    end = "</layer></layers></net>"
    numbers = ",".join(["1"] * many)
    ports = "".join(f"<port id='{i}'/>" for i in range(many))
    return [
        ("<net version='11'>" + "<a>" * many, "not well-formed"),
        ("<net version='11'>" + "<a>" * many + "</a>" * many + "</net>", "nested deeper than"),
        ("<net version='11'>" + "<a/>" * many + "</net>", "<net> has no <layers>"),
        (layer + "<data " + " ".join(f"a{i}='1'" for i in range(many)) + "/>" + end,
         "it has no input"),
        (layer + f"<input>{ports}</input>" + end, "no edge leads to its port 0"),
        (layer + f"<data kernel='{numbers}'/><output>{ports}</output>" + end, "it has no input"),
        (layer + f"<data {'a' * many}='{numbers}' {'a' * many}='1'/>" + end, "a second attribute a"),
        ("<net version='11' name='" + "a" * many + "'>" + end, "not well-formed"),
    ]


def check_large(folder):
    """Large texts are rejected fast, with a short message, in memory proportional to
    their size."""
    path = folder / "large.xml"
    largest = 0
    for text, message in large_texts():
        largest = max(largest, len(text))
        path.write_text(text)
        for options in ([], ["--pool-layers"]):
            process = run([tool("pool-translate"), "--import-openvino", *options, str(path)])
            if process.returncode != 1 or message not in process.stderr:
                yield f"{message!r} is not in {process.stderr[:500]!r}"
            if len(process.stderr) > 1000:
                yield f"{message!r} comes with {len(process.stderr)} characters"
    kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    if kilobytes * 1024 > BASE_BYTES + BYTES_PER_BYTE * largest:
        yield f"{kilobytes} kB for files of at most {largest} bytes"


def main():
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for model in (M, A, M8, ADAPTIVE, CONVERT, FAKE, UNKNOWN):
            process = accept(folder, model)
            if process.returncode:
                wrong.append(f"refused: {process.stderr}")
        wrong += check_large(folder)
        for number, case in enumerate(CASES):
            reason = check(folder, number, case)
            if reason:
                wrong.append(f"case {number}, {case[2][:60]!r} for {case[1][:60]!r}: {reason}")

        # The weights file is missing, lies in another folder, is a link out of the folder, or
        # is a folder.
        beside = folder / "accepted.bin"
        elsewhere = folder / "other" / "weights"
        elsewhere.parent.mkdir()
        elsewhere.write_bytes(beside.read_bytes())
        beside.unlink()
        (folder / "accepted.xml").write_text(ADAPTIVE)
        command = [tool("pool-translate"), "--import-openvino", str(folder / "accepted.xml")]
        if "accepted.bin' cannot be opened" not in run(command).stderr:
            wrong.append("missing weights are not missed")
        if run([*command, f"--weights={elsewhere}"]).returncode:
            wrong.append("--weights is not read")
        beside.symlink_to(elsewhere)
        if "is a link that leads out of the model's folder" not in run(command).stderr:
            wrong.append("a link out of the folder is followed")
        beside.unlink()
        beside.mkdir()
        if "is not a regular file" not in run(command).stderr:
            wrong.append("a folder is read")
        if run([tool("pool-translate"), "--import-openvino", str(folder / "none.xml")]).returncode != 1:
            wrong.append("a missing model is not missed")
    for reason in wrong:
        print(reason)
    print(f"{len(CASES)} refusals, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
