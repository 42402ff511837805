# ONNX Runtime's own operators, which the onnx package does not know: schemas of its quantized
# pooling, and rules for the result types of operators that may precede pooling.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Schemas and types of the domain com.microsoft."""

from onnx import TensorProto, defs, helper

DOMAIN = "com.microsoft"
# Domain of the operators on blocked channels (NCHWc), which ONNX Runtime writes at ORT_ENABLE_ALL.
BLOCKED = "com.microsoft.nchwc"
# Maps an operator to a standard operator whose result has the same type, and the slice of the
# node's inputs that the standard operator takes. Only type inference uses it, so the values of the
# results may differ.
STAND_INS = {
    "DequantizeLinear": ("DequantizeLinear", slice(3)),
    "FusedConv": ("Conv", slice(3)),
    "QLinearAdd": ("Add", slice(0, 4, 3)),
    "QLinearAveragePool": ("AveragePool", slice(1)),
    "QLinearConcat": ("Concat", slice(2, None, 3)),
    "QLinearGlobalAveragePool": ("GlobalAveragePool", slice(1)),
    "QLinearMul": ("Mul", slice(0, 4, 3)),
    "QuantizeLinear": ("QuantizeLinear", slice(3)),
    **dict.fromkeys(("BiasGelu", "FastGelu", "Gelu", "QLinearLeakyRelu", "QLinearSigmoid",
                     "QLinearSoftmax", "QuickGelu"), ("Identity", slice(1))),
}
# Maps an operator to the position of the input that is the zero point of its result.
ZERO_POINTS = {"QLinearAdd": 7, "QLinearAveragePool": 4, "QLinearConcat": 1,
               "QLinearConv": 7, "QLinearGlobalAveragePool": 4, "QLinearLeakyRelu": 4,
               "QLinearMul": 7, "QLinearReduceMean": 4, "QLinearSigmoid": 4, "QLinearSoftmax": 4,
               "QLinearWhere": 8}


def _schema(name, inputs, ints=(), **defaults):
    """Returns the schema of an operator of DOMAIN. `inputs` has names, with `?` after the name of
    an optional input. `ints` are the list attributes, and `defaults` all other attributes with
    their defaults."""
    formal, attribute = defs.OpSchema.FormalParameter, defs.OpSchema.Attribute
    option = defs.OpSchema.FormalParameterOption
    parameters = [formal(word.rstrip("?"), "tensor(float)" if "scale" in word else "T",
                         param_option=option.Optional if "?" in word else option.Single)
                  for word in inputs.split()]
    attributes = [attribute(word, defs.OpSchema.AttrType.INTS, required=word == "kernel_shape")
                  for word in ints]
    attributes += [attribute(word, helper.make_attribute(word, value))
                   for word, value in defaults.items()]
    return defs.OpSchema(name, DOMAIN, 1, inputs=parameters, outputs=[formal("Y", "T")],
                         type_constraints=[("T", ["tensor(int8)", "tensor(uint8)"], "")],
                         attributes=attributes)


SCHEMAS = {schema.name: schema for schema in (
    _schema("QLinearAveragePool", "X x_scale x_zero_point? y_scale y_zero_point?",
            ("kernel_shape", "strides", "pads"), auto_pad="NOTSET", ceil_mode=0,
            count_include_pad=0, channels_last=0),
    _schema("QLinearGlobalAveragePool", "X x_scale x_zero_point y_scale y_zero_point",
            channels_last=0),
    _schema("NhwcMaxPool", "x", ("kernel_shape", "strides", "pads", "dilations"),
            auto_pad="NOTSET", ceil_mode=0))}


def infer_element(proto, tensors):
    """Returns a ValueInfoProto for the result of `proto`, without a shape. Its element type is the
    type of the result's zero point. Returns None if the zero point is not in `tensors`, the known
    constants."""
    position = ZERO_POINTS.get(proto.op_type, len(proto.input))
    if position >= len(proto.input) or proto.input[position] not in tensors:
        return None
    return helper.make_tensor_value_info(
        proto.output[0], tensors[proto.input[position]].data_type, None)


def infer_reordered(proto):
    """Returns the type of the result of a ReorderOutput that writes channels first and has the
    attribute `channels`: f32 of rank 4, and only the number of channels is known. Returns None for
    any other node."""
    given = {attribute.name: attribute.i for attribute in proto.attribute}
    if ((proto.domain, proto.op_type) != (BLOCKED, "ReorderOutput") or "channels" not in given
            or given.get("channels_last", 0)):
        return None
    return helper.make_tensor_value_info(
        proto.output[0], TensorProto.FLOAT, [None, given["channels"], None, None])
