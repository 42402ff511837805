# Imports elementwise operators around pooling layers as linalg.generic. Every lowering accepts
# linalg.generic, and the vector lowering fuses it into the loops of the pooling. f16 and bf16 are
# computed in f32, and rounded once for each operator.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise nodes."""

FLOATS = ("f16", "bf16", "f32", "f64")


class Body:
    """Emits the scalar operations of one operator into `region`. They compute in `t`, a signless
    type; `unsigned` is True if its integers are unsigned."""

    def __init__(self, region, t, unsigned):
        self.region = region
        self.t = t
        self.unsigned = unsigned
        self.is_float = t.startswith("f")

    def __call__(self, op, *operands):
        return self.region.apply(op, *operands)

    def constant(self, number):
        return self.region.constant(repr(float(number)) if self.is_float else int(number), self.t)

    def pick(self, predicate, a, b, yes, no):
        """Returns `yes` if `a predicate b` holds, otherwise `no`."""
        op = "arith.cmpf" if self.is_float else "arith.cmpi"
        test = self.region.op(f"{op} {predicate}, {a.name}, {b.name} : {self.t}", "i1")
        return self.region.op(f"arith.select {test.name}, {yes.name}, {no.name} : {self.t}",
                              self.t)

    def maximum(self, a, b):
        return self._extreme("max", a, b)

    def minimum(self, a, b):
        return self._extreme("min", a, b)

    def _extreme(self, word, a, b):
        if self.is_float:
            return self(f"arith.{word}imumf", a, b)
        return self(f"arith.{word}{'u' if self.unsigned else 's'}i", a, b)

    def add(self, a, b):
        return self("arith.addf" if self.is_float else "arith.addi", a, b)

    def sub(self, a, b):
        return self("arith.subf" if self.is_float else "arith.subi", a, b)

    def mul(self, a, b):
        return self("arith.mulf" if self.is_float else "arith.muli", a, b)

    def div(self, a, b):
        """Returns the quotient. For integers it is rounded toward zero, x / 0 is 0, and the least
        integer divided by -1 is itself: processors may trap on the last two."""
        if self.is_float:
            return self("arith.divf", a, b)
        zero, one = self.constant(0), self.constant(1)
        divisor = self.pick("eq", b, zero, one, b)
        if self.unsigned:
            return self.pick("eq", b, zero, zero, self("arith.divui", a, divisor))
        minus = self.constant(-1)
        divisor = self.pick("eq", b, minus, one, divisor)
        quotient = self.pick("eq", b, minus, self.neg(a), self("arith.divsi", a, divisor))
        return self.pick("eq", b, zero, zero, quotient)

    def neg(self, a):
        return self("arith.negf", a) if self.is_float else self.sub(self.constant(0), a)

    def abs(self, a):
        if self.is_float:
            return self("math.absf", a)
        return a if self.unsigned else self("math.absi", a)


def _sigmoid(b, x):
    one = b.constant(1)
    return b.div(one, b.add(one, b("math.exp", b.neg(x))))


def _exponential(b, x, alpha):
    return b.mul(b.constant(alpha), b("math.expm1", x))


def _below_zero(b, x, value, otherwise=None):
    return b.pick("olt" if b.is_float else "slt", x, b.constant(0), value,
                  x if otherwise is None else otherwise)


def _hard(b, x, alpha, beta):
    line = b.add(b.mul(b.constant(alpha), x), b.constant(beta))
    return b.minimum(b.maximum(line, b.constant(0)), b.constant(1))


def _softplus(b, x):
    # log(1 + e^x) without overflow: max(x, 0) + log1p(e^-|x|).
    tail = b("math.log1p", b("math.exp", b.neg(b.abs(x))))
    return b.add(b.maximum(x, b.constant(0)), tail)


# Maps operators of one operand to f(body, node, operand), which returns the result.
UNARY = {
    "Abs": lambda b, n, x: b.abs(x),
    "Neg": lambda b, n, x: b.neg(x),
    "Relu": lambda b, n, x: b.maximum(x, b.constant(0)),
    "Sigmoid": lambda b, n, x: _sigmoid(b, x),
    "Softplus": lambda b, n, x: _softplus(b, x),
    "Softsign": lambda b, n, x: b.div(x, b.add(b.constant(1), b.abs(x))),
    "Reciprocal": lambda b, n, x: b.div(b.constant(1), x),
    "LeakyRelu": lambda b, n, x: _below_zero(
        b, x, b.mul(b.constant(n.attribute("alpha")), x)),
    "Elu": lambda b, n, x: _below_zero(b, x, _exponential(b, x, n.attribute("alpha"))),
    "Selu": lambda b, n, x: b.mul(b.constant(n.attribute("gamma")), _below_zero(
        b, x, _exponential(b, x, n.attribute("alpha")))),
    "HardSigmoid": lambda b, n, x: _hard(b, x, n.attribute("alpha"), n.attribute("beta")),
    "HardSwish": lambda b, n, x: b.mul(x, _hard(b, x, 1 / 6, 0.5)),
    "ThresholdedRelu": lambda b, n, x: b.pick(
        "ogt", x, b.constant(n.attribute("alpha")), x, b.constant(0)),
    **{name: (lambda op: lambda b, n, x: b(op, x))(f"math.{op}") for name, op in {
        "Sqrt": "sqrt", "Exp": "exp", "Log": "log", "Tanh": "tanh", "Floor": "floor",
        "Ceil": "ceil", "Round": "roundeven", "Erf": "erf", "Sin": "sin", "Cos": "cos"}.items()},
}
FLOAT_ONLY = set(UNARY) - {"Abs", "Neg", "Relu"}

# Maps operators to f(body, lhs, rhs). More than two operands are combined from the left.
BINARY = {
    "Add": lambda b, x, y: b.add(x, y),
    "Sub": lambda b, x, y: b.sub(x, y),
    "Mul": lambda b, x, y: b.mul(x, y),
    "Div": lambda b, x, y: b.div(x, y),
    "Pow": lambda b, x, y: b("math.powf", x, y),
    "PRelu": lambda b, x, y: _below_zero(b, x, b.mul(y, x)),
    "Max": lambda b, x, y: b.maximum(x, y),
    "Min": lambda b, x, y: b.minimum(x, y),
    "Sum": lambda b, x, y: b.add(x, y),
    "Mean": lambda b, x, y: b.add(x, y),
}
VARIADIC = ("Max", "Mean", "Min", "Sum")
SAME = ("Identity", "Dropout")
OPERATORS = {*UNARY, *BINARY, "Clip", "Cast", *SAME}


def emit(function, node, operands, constants):
    """Emits an elementwise node, and returns the list of its results. Raises ValueError for an
    unsupported node. `constants` are the tensors that the file stores."""
    # Ignore `consumed_inputs` of opsets 1 to 5, which only permits working in place.
    if node.op_type in SAME:
        return [_same(node, operands, constants)]
    if node.op_type == "Cast":
        return [_cast(function, node, operands[0])]
    kinds = {v.element for v in operands if v is not None}
    if len(kinds) > 1:
        node.fail(f"operands of different types: {', '.join(sorted(kinds))}")
    element = kinds.pop()
    if element not in FLOATS and (node.op_type in FLOAT_ONLY or node.op_type in ("Pow", "Mean")):
        node.fail(f"elements of type {element} are not supported")
    if element.startswith("ui") and node.op_type in ("Neg", "PRelu"):
        node.fail(f"elements of type {element} are not supported")
    if node.op_type == "Clip":
        return [_clip(function, node, operands, constants)]
    if node.op_type in UNARY:
        def body(b, values):
            return UNARY[node.op_type](b, node, values[0])
    else:
        def body(b, values):
            total = values[0]
            for value in values[1:]:
                total = BINARY[node.op_type](b, total, value)
            if node.op_type == "Mean":
                total = b.div(total, b.constant(len(values)))
            return total
    return [_map(function, node, operands, element, body)]


def _same(node, operands, constants):
    if node.op_type == "Dropout":
        if len(node.outputs) > 1:
            node.fail("its mask is not supported")
        training = constants.get(node.inputs[2]) if len(node.inputs) > 2 else None
        if len(node.inputs) > 2 and (training is None or training.any()):
            node.fail("training_mode is not supported")
        if node.opset < 7 and not node.attribute("is_test", 0):
            node.fail("is_test = 0 is not supported")
    return operands[0]


def _clip(function, node, operands, constants):
    """Emits Clip. Its bounds are attributes up to opset 10. Later they are operands, which must be
    constant scalars."""
    x = operands[0]
    bounds = [node.attribute("min"), node.attribute("max")]
    for i, operand in enumerate(operands[1:]):
        if operand is None:
            continue
        value = constants.get(node.inputs[i + 1])
        if value is None or value.size != 1:
            node.fail(f"input '{('min', 'max')[i]}' is supported as a constant scalar")
        bounds[i] = value.reshape(()).item()

    def body(b, values):
        result = values[0]
        if bounds[0] is not None and bounds[0] != float("-inf"):
            result = b.maximum(result, b.constant(bounds[0]))
        if bounds[1] is not None and bounds[1] != float("inf"):
            result = b.minimum(result, b.constant(bounds[1]))
        return result

    return _map(function, node, [x], x.element, body)


def _map(function, node, operands, element, body):
    """Emits a linalg.generic that applies `body(b, values)` to the operands' elements, broadcast to
    one shape. `b` is a Body, and `element` the element type of the result."""
    offsets = _offsets(node, operands)
    dims, sources = _broadcast(node, operands, offsets)
    if node.op_type == "PRelu" and dims != operands[0].dims:
        node.fail(f"its slope, a {operands[1].type}, does not broadcast to its input, a "
                  f"{operands[0].type}")
    extents = [function.extent(operands[i], d) for i, d in sources]
    init = function.empty(dims, extents, element)
    unsigned = element.startswith("ui")
    t = {"f16": "f32", "bf16": "f32"}.get(element, element.removeprefix("u"))

    def region_body(region, arguments):
        values = [_widened(region, a, t) for a in arguments[:-1]]
        result = body(Body(region, t, unsigned), values)
        if element in ("f16", "bf16"):
            return region.convert("arith.truncf", result, element)
        if unsigned:
            return region.convert("builtin.unrealized_conversion_cast", result, element)
        return result

    maps = [_map_of(v.dims, dims, offset) for v, offset in zip(operands, offsets)]
    identity = _map_of(dims, dims)
    return function.generic(operands, maps, init, identity, ["parallel"] * len(dims),
                            region_body, node.outputs[0])


def _widened(region, value, t):
    if value.element in ("f16", "bf16") and t == "f32":
        return region.convert("arith.extf", value, t)
    return region.signless(value)


def _offsets(node, operands):
    """Returns, for each operand, the dimension of the result with which its first dimension aligns.
    The last dimensions align, unless the attributes of a node before opset 7 say otherwise."""
    rank = max(len(v.dims) for v in operands)
    offsets = [rank - len(v.dims) for v in operands]
    if node.op_type in VARIADIC:
        if node.opset < 8:
            _check_equal(node, operands, f"opset {node.opset} does not broadcast")
    elif len(operands) == 2 and node.opset < 7:
        offsets[1] = _old_offset(node, *operands)
    return offsets


def _old_offset(node, first, second):
    """Returns the dimension of `first` with which the first dimension of `second` aligns, by the
    rules of opsets 1 to 6."""
    last = max(len(first.dims) - len(second.dims), 0)
    if node.op_type == "PRelu":
        # PRelu has one slope for each channel.
        return 1 if len(second.dims) == 1 and second.dims != (1,) and last else last
    axis = node.attribute("axis")
    if not node.flag("broadcast"):
        if axis is not None:
            node.fail(f"axis {axis} without broadcast 1 is not supported")
        _check_equal(node, [first, second], "broadcast is 0")
        return last
    if axis is None:
        axis = last
    if len(second.dims) > len(first.dims) or not 0 <= axis <= last:
        node.fail(f"axis {axis} does not put a {second.type} within a {first.type}")
    # One element broadcasts to any shape. An operand of more elements must have the same extents as
    # the dimensions that it aligns with.
    if any(d != 1 for d in second.dims) and first.dims[axis:][:len(second.dims)] != second.dims:
        node.fail(f"from axis {axis} on, a {first.type} does not have the dimensions of a "
                  f"{second.type}")
    return axis


def _check_equal(node, operands, why):
    for v in operands[1:]:
        if v.dims != operands[0].dims:
            node.fail(f"its operands are a {operands[0].type} and a {v.type}, but {why}")


def _broadcast(node, operands, offsets):
    """Returns the extents of the broadcast result, and for each of them the (operand, dimension)
    from which it comes. Raises ValueError unless aligned extents are equal or 1; unknown extents
    are equal if their names are."""
    rank = max(len(v.dims) for v in operands)
    dims, sources = [], []
    for d in range(rank):
        chosen = None
        places = [(i, d - offset) for i, offset in enumerate(offsets)
                  if 0 <= d - offset < len(operands[i].dims)]
        for i, own in places:
            extent = operands[i].dims[own]
            if extent == 1:
                continue
            if chosen is None:
                chosen = (extent, (i, own))
            elif chosen[0] != extent:
                words = [f"{x} (not known)" if isinstance(x, str) else str(x)
                         for x in (chosen[0], extent)]
                node.fail(f"dimension {d} of its operands is {words[0]} and {words[1]}: "
                          "neither equal nor broadcast")
        chosen = chosen or (1, places[0])
        dims.append(chosen[0])
        sources.append(chosen[1])
    return tuple(dims), sources


def _map_of(dims, result_dims, offset=0):
    names = ", ".join(f"d{i}" for i in range(len(result_dims)))
    reads = ", ".join("0" if own == 1 and result_dims[offset + d] != 1 else f"d{offset + d}"
                      for d, own in enumerate(dims))
    return f"({names}) -> ({reads})"


def _bits(element):
    return 16 if element == "bf16" else int(element.lstrip("uif"))


def _cast(function, node, x):
    target = node.target_element
    if target == x.element:
        return x
    from_float, to_float = x.element in FLOATS, target in FLOATS

    def body(region, value):
        value = region.signless(value)
        if from_float and to_float:
            if _bits(x.element) == _bits(target):
                value = region.convert("arith.extf", value, "f32")
                return region.convert("arith.truncf", value, target)
            wider = _bits(x.element) < _bits(target)
            return region.convert("arith.extf" if wider else "arith.truncf", value, target)
        signless = target.removeprefix("u")
        if to_float:
            op = "arith.uitofp" if x.element.startswith("ui") else "arith.sitofp"
            return region.convert(op, value, target)
        if from_float:
            op = "arith.fptoui" if target.startswith("ui") else "arith.fptosi"
            value = region.convert(op, value, signless)
        elif _bits(x.element) != _bits(target):
            if _bits(x.element) > _bits(target):
                op = "arith.trunci"
            else:
                op = "arith.extui" if x.element.startswith("ui") else "arith.extsi"
            value = region.convert(op, value, signless)
        if target.startswith("ui"):
            value = region.convert("builtin.unrealized_conversion_cast", value, target)
        return value

    return function.each(x, target, body, node.outputs[0])
