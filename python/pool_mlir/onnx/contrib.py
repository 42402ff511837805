# Schemas of ONNX Runtime's own operators, which the onnx package does not know.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Schemas of the domain com.microsoft."""

from onnx import defs, helper

DOMAIN = "com.microsoft"


def _schema(name, inputs, ints=(), **defaults):
    """Makes a schema. `inputs` are names, with `?` behind an optional one; `ints` are list
    attributes, `defaults` the other attributes."""
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
