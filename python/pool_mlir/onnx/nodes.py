# Checks the attributes and operands of a node. The schemas of the onnx package, for the
# model's opset, know the history of each operator.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nodes and their attributes."""

import onnx
from onnx import AttributeProto, defs, helper

from . import contrib

# The importer refuses an operator that an opset after NEWEST_OPSET has changed. NEWEST_OPSETS has
# other limits for some operators.
NEWEST_OPSET = 22
NEWEST_OPSETS = {"DequantizeLinear": 28, "QuantizeLinear": 28}


def describe(proto):
    """Returns a description of a node for messages: its name, or the names of its results if it has
    no name."""
    if proto.name:
        return f"node '{proto.name}' ({proto.op_type})"
    outputs = ", ".join(f"'{name}'" for name in proto.output if name)
    return f"node of {outputs or 'no output'} ({proto.op_type})"


class Node:
    """A node of a graph, checked against the schema of its operator except for the types of its
    operands; see `check_type`.

    Raises ValueError with the node's name if the schema forbids something.
    """

    def __init__(self, proto, opset):
        self.proto = proto
        self.opset = opset
        self.op_type = proto.op_type
        self.title = proto.name or f"{proto.op_type}:{next(filter(None, proto.output), '')}"
        try:
            self.schema = (contrib.SCHEMAS[proto.op_type] if proto.domain == contrib.DOMAIN
                           else defs.get_schema(proto.op_type, opset, ""))
        except defs.SchemaError:
            self.fail(f"opset {opset} of ONNX has no such operator")
        if proto.domain == contrib.DOMAIN:
            self.opset = self.schema.since_version
        newest = NEWEST_OPSETS.get(proto.op_type, NEWEST_OPSET)
        if self.schema.since_version > newest:
            self.fail(f"opset {self.schema.since_version} changed this operator, "
                      f"up to {newest} is supported")
        self._check_arity("inputs", proto.input, self.schema.min_input, self.schema.max_input)
        self._check_present()
        self._check_arity("outputs", proto.output, self.schema.min_output,
                          self.schema.max_output)
        self._values = self._read_attributes()

    def fail(self, message):
        """Raises ValueError with the node's description before `message`."""
        raise ValueError(f"{describe(self.proto)}: {message}")

    @property
    def inputs(self):
        """Names of the operands up to the last present one. The name of an absent operand is ''."""
        names = list(self.proto.input)
        while names and not names[-1]:
            names.pop()
        return names

    @property
    def outputs(self):
        names = list(self.proto.output)
        while names and not names[-1]:
            names.pop()
        return names

    def attribute(self, name, default=None):
        """Returns the value of attribute `name`. If it is absent, returns the schema's default, or
        `default` if the schema has none."""
        value = self._values.get(name)
        return default if value is None else value

    def ints(self, name, length, default):
        """Returns list attribute `name` as a tuple of `length` integers. If it is absent or empty,
        all of them are `default`. Raises ValueError if it has another length."""
        values = tuple(self.attribute(name, ()))
        if not values:
            return (default,) * length
        if len(values) != length:
            self.fail(f"{name} has {len(values)} entries, kernel_shape asks for {length}")
        return values

    def flag(self, name):
        """Returns integer attribute `name` as a bool, False if it is absent. Raises ValueError
        unless it is 0 or 1."""
        value = self.attribute(name, 0)
        if value not in (0, 1):
            self.fail(f"{name} is {value}, neither 0 nor 1")
        return bool(value)

    def check_type(self, position, element_type):
        """Raises ValueError unless the schema allows elements of this TensorProto type in the input
        at `position`."""
        formal = self._formal(position)
        word = f"tensor({onnx.TensorProto.DataType.Name(element_type).lower()})"
        if word not in formal.types:
            self.fail(f"input '{formal.name}' is a {word}, which opset {self.opset} "
                      "does not allow")

    def _check_arity(self, what, names, least, most):
        count = len(names)
        while count and not names[count - 1]:
            count -= 1
        if not least <= count <= most:
            bounds = least if least == most else f"{least} to {most}"
            self.fail(f"has {count} {what}, opset {self.opset} asks for {bounds}")

    def _check_present(self):
        """Raises ValueError if an operand before the last present one is absent and not
        optional."""
        for position, name in enumerate(self.inputs):
            formal = self._formal(position)
            if not name and formal.option != defs.OpSchema.FormalParameterOption.Optional:
                self.fail(f"input '{formal.name}' is missing")

    def input_name(self, position):
        """Returns the name of the input at `position` in the schema."""
        return self._formal(position).name

    def _formal(self, position):
        """Returns the schema's description of the input at `position`."""
        return self.schema.inputs[position]

    def _read_attributes(self):
        values = {}
        for proto in self.proto.attribute:
            name = proto.name
            formal = self.schema.attributes.get(name)
            if formal is None:
                self.fail(f"opset {self.opset} has no attribute '{name}' here")
            if name in values:
                self.fail(f"attribute '{name}' is given twice")
            if proto.ref_attr_name:
                self.fail(f"attribute '{name}' refers to an attribute of a function")
            if proto.type != int(formal.type):
                kind = AttributeProto.AttributeType.Name
                self.fail(f"attribute '{name}' is of type {kind(proto.type)}, "
                          f"not {kind(int(formal.type))}")
            values[name] = _decoded(self, name, helper.get_attribute_value(proto))
        for name, formal in self.schema.attributes.items():
            if name in values:
                continue
            if formal.required:
                self.fail(f"the required attribute '{name}' is missing")
            if formal.default_value.name:
                values[name] = _decoded(self, name,
                                        helper.get_attribute_value(formal.default_value))
        return values


def _decoded(node, name, value):
    if not isinstance(value, bytes):
        return value
    try:
        return value.decode()
    except UnicodeDecodeError:
        node.fail(f"attribute '{name}' is not UTF-8: {value!r}")
