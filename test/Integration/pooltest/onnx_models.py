"""Random models of one pooling node, and their results in ONNX Runtime.

The onnx package's own schemas say what an opset allows. ONNX Runtime may lack a kernel for
a type or an opset. Then it gets the node in f32, or in f32 and in an opset that it supports,
in which the attributes mean the same.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from dataclasses import dataclass, field, replace

import ml_dtypes
import numpy as np
import onnxruntime
from onnx import TensorProto, defs, helper
from onnx.reference import ReferenceEvaluator

from .case import Case

NEWEST = 22
WINDOW = ("MaxPool", "AveragePool", "LpPool")
GLOBAL = ("GlobalMaxPool", "GlobalAveragePool", "GlobalLpPool")
OPERATORS = (*WINDOW, *GLOBAL, "MaxUnpool")
FIRST = {"LpPool": 1, "GlobalLpPool": 1, "MaxUnpool": 9}
DTYPES = {TensorProto.FLOAT16: np.dtype(np.float16),
          TensorProto.BFLOAT16: np.dtype(ml_dtypes.bfloat16),
          TensorProto.FLOAT: np.dtype(np.float32), TensorProto.DOUBLE: np.dtype(np.float64),
          TensorProto.INT8: np.dtype(np.int8), TensorProto.UINT8: np.dtype(np.uint8)}


@dataclass
class Model:
    """A node with its operands. `proto` makes a model of it in any opset and element type."""

    op: str
    opset: int
    element: int
    arrays: list
    attributes: dict = field(default_factory=dict)
    outputs: int = 1
    # Dimensions of the input that are unknown in the model
    unknown: tuple = ()
    # True if a MaxUnpool's output_shape is an initializer.
    constant_shape: bool = False

    def proto(self, opset=None, element=None, known=False):
        element = element or self.element
        inputs = []
        for i, array in enumerate(self.arrays):
            dims = [f"d{i}_{d}" if d in self.unknown and i < 2 and not known else extent
                    for d, extent in enumerate(array.shape)]
            inputs.append(helper.make_tensor_value_info(
                f"x{i}", element if i == 0 else TensorProto.INT64, dims))
        initializers = []
        if self.constant_shape:
            inputs.pop()
            initializers.append(helper.make_tensor("x2", TensorProto.INT64, [self.arrays[2].size],
                                                   self.arrays[2]))
        node = helper.make_node(self.op, [f"x{i}" for i in range(len(self.arrays))],
                                [f"y{i}" for i in range(self.outputs)], name="pool",
                                **self.attributes)
        outputs = [helper.make_tensor_value_info(f"y{i}", TensorProto.INT64 if i else element, None)
                   for i in range(self.outputs)]
        graph = helper.make_graph([node], "random", inputs, outputs, initializers)
        return helper.make_model(graph, ir_version=10, opset_imports=[
            helper.make_opsetid("", opset or self.opset)])

    def feeds(self):
        """Returns the operands that the model gets at run time: all except initializers."""
        return self.arrays[:2] if self.constant_shape else self.arrays

    def __str__(self):
        shapes = [list(a.shape) for a in self.arrays]
        last = f" output_shape {self.arrays[2].tolist()}" if len(self.arrays) == 3 else ""
        return (f"{self.op}-{self.opset} {TensorProto.DataType.Name(self.element)} {shapes} "
                f"{self.attributes} outputs {self.outputs} unknown {self.unknown}{last}")


def schema(op, opset):
    return defs.get_schema(op, opset, "")


def random_model(rng, op):
    opset = int(rng.integers(FIRST.get(op, 1), NEWEST + 1))
    formal = schema(op, opset)
    words = {f"tensor({TensorProto.DataType.Name(t).lower()})": t for t in DTYPES}
    allowed = [words[w] for w in sorted(formal.inputs[0].types) if w in words]
    element = allowed[rng.integers(len(allowed))]
    n = int(rng.integers(1, 4))
    batch = [int(rng.integers(1, 3)), int(rng.integers(1, 4))]
    attributes = {}
    if op in GLOBAL:
        shape = batch + [int(e) for e in rng.integers(1, 8, n)]
        arrays = [data(rng, shape, element)]
    elif op == "MaxUnpool":
        arrays, attributes = unpool_operands(rng, batch, n, element)
    else:
        shape = batch + [int(e) for e in rng.integers(1, (16, 11, 7)[n - 1], n)]
        arrays = [data(rng, shape, element)]
        attributes = window_attributes(rng, formal, n)
    if "p" in formal.attributes and rng.random() < 0.7:
        p = int(rng.integers(1, 5))
        attributes["p"] = float(p) if opset == 1 else p
    outputs = int(rng.integers(1, formal.max_output + 1))
    rank = n + 2
    unknown = tuple(d for d in range(rank) if rng.random() < 0.5) if rng.random() < 0.4 else ()
    return Model(op, opset, element, arrays, attributes, outputs, unknown,
                 constant_shape=len(arrays) == 3 and rng.random() < 0.5)


def data(rng, shape, element):
    dtype = DTYPES[element]
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max + 1, shape).astype(dtype)
    if rng.random() < 0.3:
        # Use few different values, so that there are ties.
        return rng.integers(-3, 4, shape).astype(dtype)
    return rng.uniform(-4, 4, shape).astype(np.float32).astype(dtype)


def window_attributes(rng, formal, n):
    """Returns random attributes that the schema `formal` has. All except the kernel's shape may
    be absent."""
    kernel = [int(k) for k in rng.integers(1, 5, n)]
    attributes = {"kernel_shape": kernel}

    def maybe(name, probability, value):
        if name in formal.attributes and rng.random() < probability:
            attributes[name] = value

    maybe("strides", 0.7, [int(s) for s in rng.integers(1, 4, n)])
    maybe("dilations", 0.4, [int(d) for d in rng.integers(1, 4, n)])
    if rng.random() < 0.35:
        words = ("NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER")
        maybe("auto_pad", 1.0, words[rng.integers(4)])
    if attributes.get("auto_pad", "NOTSET") == "NOTSET":
        # ONNX Runtime rejects pads that are not smaller than the kernel, so draw smaller ones.
        pads = [int(rng.integers(0, k)) for k in kernel * 2]
        maybe("pads", 0.6, pads)
    maybe("ceil_mode", 0.5, int(rng.integers(2)))
    maybe("count_include_pad", 0.6, int(rng.integers(2)))
    maybe("storage_order", 0.5, int(rng.integers(2)))
    return attributes


def unpool_operands(rng, batch, n, element):
    """Returns operands (values, indices within the output, sometimes an output_shape), and
    attributes."""
    shape = batch + [int(e) for e in rng.integers(1, 5, n)]
    kernel = [int(k) for k in rng.integers(1, 4, n)]
    attributes = {"kernel_shape": kernel}
    strides = [1] * n
    if rng.random() < 0.8:
        strides = attributes["strides"] = [int(s) for s in rng.integers(1, 4, n)]
    pads = [0] * 2 * n
    if rng.random() < 0.4:
        pads = attributes["pads"] = [int(rng.integers(0, (k + 1) // 2)) for k in kernel * 2]
    inferred = batch + [(x - 1) * s + k - pads[d] - pads[d + n]
                        for d, (x, s, k) in enumerate(zip(shape[2:], strides, kernel))]
    if min(inferred) < 1:
        return unpool_operands(rng, batch, n, element)
    indices = rng.integers(0, np.prod(inferred), shape)
    arrays = [data(rng, shape, element), indices]
    if rng.random() < 0.5:
        larger = batch + [e + int(rng.integers(0, 3)) for e in inferred[2:]]
        arrays.append(np.array(larger, np.int64))
    return arrays, attributes


# ---------------------------------------------------------------------------
# ONNX Runtime
# ---------------------------------------------------------------------------


class Refusal(Exception):
    """Raised if ONNX Runtime has a kernel but refuses the node or its operands."""


def session(proto):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(proto.SerializeToString(), options,
                                        providers=["CPUExecutionProvider"])


# Parts of ONNX Runtime's messages if it has no kernel for the opset or the type.
NO_KERNEL = ("NOT_IMPLEMENTED", "Type Error", "INVALID_GRAPH")


def runtime(model):
    """Runs the node in ONNX Runtime: as it is, else in f32, else in f32 and another opset.
    Returns (arrays, which of these worked)."""
    nearest = 21 if model.op == "GlobalLpPool" else NEWEST
    tries = [("as it is", model.opset, model.element),
             ("in f32", model.opset, TensorProto.FLOAT),
             ("in f32 of another opset", nearest, TensorProto.FLOAT)]
    for how, opset, element in tries:
        asked = model
        if model.opset == 1 and opset != 1 and "p" in model.attributes:
            asked = replace(model, attributes={**model.attributes, "p": int(model.attributes["p"])})
        try:
            running = session(asked.proto(opset, element))
        except Exception as error:
            if how != tries[-1][0] and any(word in str(error) for word in NO_KERNEL):
                continue
            raise Refusal(str(error)) from error
        feeds = model.feeds()
        names = [i.name for i in running.get_inputs()]
        arrays = [feeds[0].astype(DTYPES[element]), *feeds[1:]]
        try:
            results = running.run(None, dict(zip(names, arrays)))
        except Exception as error:
            raise Refusal(str(error)) from error
        return [results[0].astype(DTYPES[model.element]), *results[1:]], how
    raise AssertionError(f"no way to ask ONNX Runtime: {model}")


# ---------------------------------------------------------------------------
# Other references
# ---------------------------------------------------------------------------


def case_of(model):
    """Returns the model's window as a Case, which the oracle needs."""
    a, n = model.attributes, model.arrays[0].ndim - 2
    pads = a.get("pads", [0] * 2 * n)
    words = {np.dtype(np.float16): "f16", np.dtype(ml_dtypes.bfloat16): "bf16",
             np.dtype(np.float32): "f32", np.dtype(np.float64): "f64",
             np.dtype(np.int8): "i8", np.dtype(np.uint8): "ui8"}
    op = {"MaxPool": "max_pool", "AveragePool": "avg_pool", "LpPool": "lp_pool"}[model.op]
    word = a.get("auto_pad", "NOTSET")
    return Case(op, model.arrays[0].shape, tuple(a["kernel_shape"]),
                strides=tuple(a.get("strides", [1] * n)),
                dilations=tuple(a.get("dilations", [1] * n)),
                pads_begin=tuple(pads[:n]), pads_end=tuple(pads[n:]),
                rounding_type="ceil_torch" if a.get("ceil_mode") else "floor",
                auto_pad="explicit" if word == "NOTSET" else word.lower(), same_output="strided",
                element_type=words[model.arrays[0].dtype],
                **({"divisor": "padded" if a.get("count_include_pad") else "valid"}
                   if op == "avg_pool" else {}),
                **({"p": int(a.get("p", 2))} if op == "lp_pool" else {}),
                **({"index_type": "i64", "axis": 0} if model.outputs == 2 else {}))


def reference(model):
    """Returns the results of the onnx package's reference implementation."""
    proto = model.proto(known=True)
    names = [i.name for i in proto.graph.input]
    return ReferenceEvaluator(proto).run(None, dict(zip(names, model.feeds())))
