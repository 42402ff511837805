# Imports quantized nodes: DequantizeLinear and QuantizeLinear with one scale for the whole tensor,
# and ONNX Runtime's averages of quantized tensors.
#
# A maximum of dequantized numbers is the dequantized maximum of the stored integers. So
# DequantizeLinear emits nothing if its result is read only by maxima, and by QuantizeLinear with
# the same parameters. An average is computed in f32, as in ONNX Runtime. The vector lowering fuses
# dequantization and quantization into its loops.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantized nodes."""

from dataclasses import dataclass, replace
from functools import cached_property

from onnx import TensorProto

from .._writer import RANGES, Function, Value, tensor_type
from . import pooling

OPERATORS = ("DequantizeLinear", "QuantizeLinear", "QLinearAveragePool",
             "QLinearGlobalAveragePool")


@dataclass(frozen=True)
class Parameters:
    """Quantization parameters of a tensor. `number` is the type of the real numbers, and `integer`
    the type of the integers that are stored for them."""

    scale: float
    zero_point: int
    number: str
    integer: str

    @property
    def is_exact(self):
        """True if quantization exactly inverts dequantization: different integers stand for
        different finite numbers, and quantizing such a number gives its integer."""
        return (self.number == "f32" and self.integer in RANGES
                and 2.0**-126 <= self.scale <= 2.0**110)


@dataclass(frozen=True)
class Dequantized:
    """A tensor of real numbers that are stored as integers. It can be used like a _writer.Value.
    The conversion to real numbers is emitted when `name` is first read."""

    function: Function
    stored: Value
    parameters: Parameters
    title: str

    @property
    def element(self):
        return self.parameters.number

    @property
    def dims(self):
        return self.stored.dims

    @property
    def type(self):
        return tensor_type(self.dims, self.element)

    @cached_property
    def name(self):
        return _dequantize(self.function, self.stored, self.parameters, self.title).name

    def with_stored(self, stored, title):
        return replace(self, stored=stored, title=title)


def emit(function, node, operands, constants):
    """Emits a quantized node, and returns the list of its results."""
    x = operands[0]
    if node.attribute("precision", 0) not in (0, TensorProto.FLOAT):
        node.fail(f"precision {node.attribute('precision')} is not supported")
    if node.op_type == "DequantizeLinear":
        if node.target_element not in (None, operands[1].element):
            node.fail(f"output_dtype {node.target_element} is supported with an x_scale of that "
                      "type")
        parameters = _parameters(node, operands, constants, 1, x.element)
        make = Dequantized if parameters.is_exact else _dequantize
        return [make(function, x, parameters, node.outputs[0])]
    if node.op_type == "QuantizeLinear":
        if x.element != operands[1].element:
            node.fail(f"its input has elements of type {x.element}, its scale of type "
                      f"{operands[1].element}")
        parameters = _parameters(node, operands, constants, 1, node.target_element)
        return [_quantize(function, x, parameters, node.outputs[0])]
    source = _parameters(node, operands, constants, 1, x.element)
    target = _parameters(node, operands, constants, 3, x.element)
    numbers = _dequantize(function, x, source, "numbers")
    pool = (pooling.emit_global if node.op_type == "QLinearGlobalAveragePool"
            else pooling.emit_window)
    [average] = pool(function, node, [numbers])
    return [_quantize(function, average, target, node.outputs[0])]


# ---------------------------------------------------------------------------
# Parameters
# ---------------------------------------------------------------------------


def _parameters(node, operands, constants, position, integer):
    """Returns the parameters of a tensor. The input at `position` is the scale, and the next one
    the zero point. `integer` is the type of the integers; if it is None, it is the type of the zero
    point, or ui8 without one. Raises ValueError if the parameters are not constant or not
    supported."""
    name = node.input_name(position)
    scale = _scalar(node, operands, constants, position)
    if not 0 < scale < float("inf"):
        node.fail(f"{name} is {scale}; positive finite numbers are supported")
    if node.attribute("block_size", 0):
        node.fail(f"block_size {node.attribute('block_size')} is not supported")
    zero_point, given = 0, None
    if len(operands) > position + 1 and operands[position + 1] is not None:
        zero_point = _scalar(node, operands, constants, position + 1)
        given = operands[position + 1].element
        name = node.input_name(position + 1)
    if integer and given and integer != given:
        node.fail(f"{name} has elements of type {given}, not {integer}")
    integer = integer or given or "ui8"
    if zero_point and integer not in RANGES:
        node.fail(f"{name} is {zero_point}; elements of type {integer} have none but 0")
    return Parameters(scale, zero_point, operands[position].element, integer)


def _scalar(node, operands, constants, position):
    """Returns the only element of the input at `position`. Raises ValueError unless it is a
    constant of one element."""
    value = constants.get(node.inputs[position])
    name = node.input_name(position)
    if value is None:
        node.fail(f"{name} is supported as a constant")
    if value.size != 1:
        node.fail(f"{name} is a {operands[position].type}; one for the whole tensor is supported")
    return value.reshape(()).item()


# ---------------------------------------------------------------------------
# Conversions
# ---------------------------------------------------------------------------


def _dequantize(function, x, parameters, name):
    """Emits `(x - zero_point) * scale`, computed in f32 and rounded to the type of the numbers."""
    def body(region, value):
        value = region.signless(value)
        if value.element != "i32":
            op = "arith.extui" if x.element.startswith("ui") else "arith.extsi"
            value = region.convert(op, value, "i32")
        if parameters.zero_point:
            value = region.apply("arith.subi", value,
                                 region.constant(parameters.zero_point, "i32"))
        value = region.convert("arith.sitofp", value, "f32")
        value = region.apply("arith.mulf", value, region.constant(repr(parameters.scale), "f32"))
        if parameters.number != "f32":
            value = region.convert("arith.truncf", value, parameters.number)
        return value

    return function.each(x, parameters.number, body, name)


def _quantize(function, x, parameters, name):
    """Emits `saturate(roundeven(x / scale) + zero_point)`. NaN becomes the least integer. If `x`
    was dequantized with the same parameters, emits nothing and returns its stored integers."""
    if isinstance(x, Dequantized) and x.parameters == parameters:
        return x.stored
    signless = parameters.integer.removeprefix("u")
    least, greatest = RANGES[parameters.integer]

    def number(region, value):
        return region.constant(repr(float(value)), "f32")

    def body(region, value):
        if value.element != "f32":
            value = region.convert("arith.extf", value, "f32")
        value = region.apply("arith.divf", value, number(region, parameters.scale))
        value = region.apply("math.roundeven", value)
        if parameters.zero_point:
            value = region.apply("arith.addf", value, number(region, parameters.zero_point))
        for predicate, bound in (("ogt", least), ("olt", greatest)):
            bound = number(region, bound)
            inside = region.op(f"arith.cmpf {predicate}, {value.name}, {bound.name} : f32", "i1")
            value = region.op(f"arith.select {inside.name}, {value.name}, {bound.name} : f32",
                              "f32")
        op = "arith.fptosi" if signless == parameters.integer else "arith.fptoui"
        value = region.convert(op, value, signless)
        if signless != parameters.integer:
            value = region.convert("builtin.unrealized_conversion_cast", value, parameters.integer)
        return value

    return function.each(x, parameters.integer, body, name)
