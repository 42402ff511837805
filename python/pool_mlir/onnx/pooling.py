# Imports ONNX's pooling operators as operations of the pool dialect. Three cases have no equal
# operation, so the import emits others too: column-major indices, an output_shape of MaxUnpool that
# is not the inferred one, and a global norm over unknown extents.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pooling nodes."""

from math import prod

from .._writer import Value, identity_map, tensor_type
from .windows import INT64_MAX, Window


def emit_window(function, node, operands):
    """Emits MaxPool, AveragePool, LpPool, or an operator of ONNX Runtime like one of these. Returns
    the list of results."""
    x = operands[0]
    window = Window.of(node)
    _check_rank(node, x, len(window.kernel))
    spatial = _spatial(node, x)
    source = x.dims[spatial]
    target = window.output_dims(node, source)
    dims = (*x.dims[:spatial.start], *target, *x.dims[spatial.stop:])
    outputs = node.outputs
    clauses = window.clauses() + _layout_clause(node)
    if "MaxPool" not in node.op_type:
        if "Average" in node.op_type:
            divisor = "padded" if node.flag("count_include_pad") else "valid"
            _check_counts(node, window, source, target, divisor)
            if divisor == "padded" and node.op_type == "QLinearAveragePool":
                # For this operator ONNX Runtime divides by the kernel's size, even if a window
                # reaches beyond the padding.
                divisor = "kernel"
            if divisor != "valid":
                clauses += f" divisor {divisor}"
            op = "pool.avg_pool"
        else:
            clauses += _power_clause(node)
            op = "pool.lp_pool"
        return [_unary(function, op, x, clauses, dims, outputs[0])]

    column_major = node.flag("storage_order")
    if len(outputs) == 1:
        return [_unary(function, "pool.max_pool", x, clauses, dims, outputs[0])]
    values = Value(function.fresh(outputs[0] or "values"), x.element, dims)
    indices = Value(function.fresh(outputs[1]), "i64", dims)
    function.line(f"{values.name}, {indices.name} = pool.max_pool {x.name} {clauses} "
                  f": {x.type} -> {values.type}, {indices.type}")
    if column_major and len(window.kernel) > 1:
        indices = _column_major(function, x, indices)
    return [values, indices]


def emit_global(function, node, operands):
    """Emits GlobalMaxPool, GlobalAveragePool, GlobalLpPool, or a reduction that is global pooling.
    Returns the list of results."""
    x = operands[0]
    if len(x.dims) < 3:
        node.fail(f"its input has rank {len(x.dims)}, less than 3")
    spatial = _spatial(node, x)
    for d, extent in enumerate(x.dims[spatial]):
        if extent == 0:
            node.fail(f"spatial dimension {d} has the extent 0, less than 1")
    _check_image(node, x)
    ones = (1,) * (len(x.dims) - 2)
    dims = (*x.dims[:spatial.start], *ones, *x.dims[spatial.stop:])
    name = node.outputs[0]
    if node.op_type == "GlobalLpPool":
        power = _power(node)
        if any(isinstance(d, str) for d in x.dims[2:]):
            return [_norm_of_unknown_extents(function, node, x, power, dims)]
        clauses = f"kernel {list(x.dims[2:])}" + _power_clause(node)
        return [_unary(function, "pool.lp_pool", x, clauses, dims, name)]
    op = f"pool.adaptive_{'max' if 'Max' in node.op_type else 'avg'}_pool"
    clauses = f"output_size {list(ones)}" + _layout_clause(node)
    return [_unary(function, op, x, clauses, dims, name)]


def emit_unpool(function, node, operands, constants, convention):
    """Emits MaxUnpool, and returns the list of results. `constants` are the tensors that the file
    stores. If output_shape is given, `convention` says to which shape indices refer: the "inferred"
    one (the standard) or the "given" one (ONNX Runtime)."""
    values, indices = operands[:2]
    window = Window.of(node)
    n = len(window.kernel)
    _check_rank(node, values, n)
    if len(indices.dims) != len(values.dims) or any(
            isinstance(a, int) and isinstance(b, int) and a != b
            for a, b in zip(values.dims, indices.dims)):
        node.fail(f"its values are a {values.type}, its indices a {indices.type}")
    for operand in (values, indices):
        _check_image(node, operand)
        if 0 in operand.dims[2:]:
            node.fail(f"a spatial extent of its {operand.type} is 0, less than 1")
    inferred = [function.extent(values, d) for d in range(2)]
    for d in range(n):
        extent = function.arith("subi", function.extent(values, d + 2), 1)
        extent = function.arith("muli", extent, window.strides[d])
        rest = window.kernel[d] - window.pads_begin[d] - window.pads_end[d]
        if abs(rest) > INT64_MAX:
            node.fail(f"pads {window.pads_begin[d]} and {window.pads_end[d]} leave 64 bits")
        inferred.append(function.arith("addi", extent, rest))
    _check_extents(node, "inferred shape", inferred)
    dims = tuple(extent if isinstance(extent, int) else "?" for extent in inferred)

    if len(operands) < 3:
        return [_unpool(function, node, values, indices, inferred, dims)]
    given = constants.get(node.inputs[2])
    if given is None:
        given = _given_at_run_time(function, node, operands[2], n + 2)
        dims = (*values.dims[:2], *["?"] * n)
    else:
        given = [int(extent) for extent in given.reshape(-1)]
        dims = tuple(given)
        _check_given(node, inferred, given, convention)
        if given == inferred:
            return [_unpool(function, node, values, indices, inferred, dims)]
    _require_given(function, node, inferred, given, convention)
    if convention == "inferred":
        indices = _renumbered(function, indices, inferred, given)
    return [_unpool(function, node, values, indices, given, dims)]


# ---------------------------------------------------------------------------
# Checks
# ---------------------------------------------------------------------------


def _check_image(node, x):
    """Raises ValueError if the input has no channels, or too many elements for 64 bits as far as
    extents are known."""
    if x.dims[_channels(node)] == 0:
        node.fail("its input has no channels")
    # The number of elements of one image must fit int64, even if the batch is empty. Indices count
    # the batch too, so with indices the number of elements of all images must fit.
    for dims in (x.dims[1:], x.dims)[:len(node.outputs)]:
        if prod(d for d in dims if isinstance(d, int)) > INT64_MAX:
            node.fail(f"the elements of its {x.type} leave 64 bits")


def _check_rank(node, x, n):
    if len(x.dims) != n + 2:
        node.fail(f"kernel_shape has {n} entries, its input of rank {len(x.dims)} asks for "
                  f"{max(len(x.dims) - 2, 0)}")
    _check_image(node, x)


def _check_extents(node, what, extents):
    for d, extent in enumerate(extents):
        if isinstance(extent, int) and (extent < 1 if d else extent < 0):
            node.fail(f"dimension {d} of its {what} would be {extent}")
    known = [e for e in extents if isinstance(e, int)]
    if max(prod(known), *known, 0) > INT64_MAX:
        node.fail(f"its {what}, of extents {known}, leaves 64 bits")


def _check_counts(node, window, input_dims, output_dims, divisor):
    """Raises ValueError if a window counts no element, because its average would be 0/0. Such a
    window can only be near an end of a dimension. Tests at most 4096 windows at each end."""
    for d, (extent, out) in enumerate(zip(input_dims, output_dims)):
        if isinstance(extent, str):
            continue
        k, s, dilation = window.kernel[d], window.strides[d], window.dilations[d]
        begin, end = window.resolved_pads(d, extent, out)
        low, high = (-begin, extent + end) if divisor == "padded" else (0, extent)
        before = range(min(out, -(-begin // s), 4096))
        after = range(max(0, out - 1 - (end + k * dilation) // s, out - 4096), out)
        for o in (*before, *after):
            start = o * s - begin
            first = max(0, -(-(low - start) // dilation))
            last = min(k - 1, (high - 1 - start) // dilation)
            if first > last:
                node.fail(f"window {o} of spatial dimension {d} counts no element, its average "
                          "is not defined")


def _check_given(node, inferred, given, convention):
    if len(given) != len(inferred):
        node.fail(f"output_shape has {len(given)} entries, not {len(inferred)}")
    _check_extents(node, "output_shape", given)
    for d in range(2):
        if isinstance(inferred[d], int) and given[d] != inferred[d]:
            node.fail(f"output_shape[{d}] is {given[d]}, its input has {inferred[d]}")
    known = all(isinstance(e, int) for e in inferred)
    if convention == "inferred":
        for d, (a, b) in enumerate(zip(inferred, given)):
            if isinstance(a, int) and b < a:
                node.fail(f"output_shape[{d}] is {b}, less than the inferred {a}")
    elif known and prod(given) < prod(inferred):
        node.fail(f"output_shape {given} holds less than the inferred {inferred}")


# ---------------------------------------------------------------------------
# Helpers
# ---------------------------------------------------------------------------


def _unary(function, op, x, clauses, dims, name):
    target = tensor_type(dims, x.element)
    return function.op(f"{op} {x.name} {clauses} : {x.type} -> {target}", x.element, dims, name)


def _channels(node):
    """Returns the dimension of the channels: 1, or -1 if they are last. Only ONNX Runtime's own
    nodes can have the channels last."""
    return -1 if node.op_type == "NhwcMaxPool" or node.flag("channels_last") else 1


def _spatial(node, x):
    """Returns the slice of `x.dims` that has the spatial extents."""
    first = 2 if _channels(node) == 1 else 1
    return slice(first, first + len(x.dims) - 2)


def _layout_clause(node):
    return "" if _channels(node) == 1 else " layout channels_last"


def _power(node):
    """Returns attribute `p` as an int. Raises ValueError unless it is an integer of at least 1,
    although old opsets declare a float."""
    p = node.attribute("p")
    if p > INT64_MAX:
        node.fail(f"p is {p}, which leaves 64 bits")
    if not p >= 1 or p != int(p):
        node.fail(f"p is {p}; integers from 1 are supported")
    return int(p)


def _power_clause(node):
    p = _power(node)
    return "" if p == 2 else f" p {p}"


def _column_major(function, x, indices):
    """Converts row-major indices to indices in which the first spatial dimension varies fastest.
    Batch and channels count as before."""
    extents = [function.scalar(function.extent(x, d), "i64") for d in range(2, len(x.dims))]
    plane = extents[0]
    for extent in extents[1:]:
        plane = function.arith("muli", plane, extent, "i64")

    def body(region, position):
        rest = region.apply("arith.remsi", position, plane)
        result = region.apply("arith.subi", position, rest)
        places = []
        for extent in reversed(extents[1:]):
            places.append(region.apply("arith.remsi", rest, extent))
            rest = region.apply("arith.divsi", rest, extent)
        places.append(rest)
        # In column-major order, the last spatial dimension varies slowest. `places` begins with its
        # coordinate, so Horner's rule starts at places[0].
        column = places[0]
        for place, extent in zip(places[1:], reversed(extents[:-1])):
            column = region.apply("arith.addi", region.apply("arith.muli", column, extent), place)
        return region.apply("arith.addi", result, column)

    return function.each(indices, "i64", body, "column_major")


def _unpool(function, node, values, indices, extents, dims):
    sizes = [function.scalar(e).name for e, d in zip(extents, dims) if isinstance(d, str)]
    clause = f" extents({', '.join(sizes)})" if sizes else ""
    target = tensor_type(dims, values.element)
    return function.op(f"pool.max_unpool {values.name}, {indices.name}{clause} : {values.type}, "
                       f"{indices.type} -> {target}", values.element, dims, node.outputs[0])


def _given_at_run_time(function, node, shape, rank):
    """Emits loads of the entries of an output_shape that is computed at run time. Returns them as
    scalars of type index. Raises ValueError unless the shape is a tensor of `rank` entries."""
    if len(shape.dims) != 1 or shape.dims[0] != rank:
        node.fail(f"output_shape is a {shape.type}; a tensor<{rank}xi64> is supported")
    given = []
    for d in range(rank):
        place = function.constant(d)
        entry = function.op(f"tensor.extract {shape.name}[{place.name}] : {shape.type}", "i64",
                            hint="given")
        given.append(function.scalar(entry))
    return given


def _require_given(function, node, inferred, given, convention):
    """Emits run-time checks of output_shape, for extents that are unknown at import. `_check_given`
    checks the known extents."""
    def require(predicate, a, b, message):
        if not (isinstance(a, int) and isinstance(b, int)):
            function.require(predicate, a, b, f"{node.title}: MaxUnpool: {message}")

    for d in range(2):
        require("eq", given[d], inferred[d], f"output_shape[{d}] is not the input's extent")
    for d in range(2, len(given)):
        if convention == "inferred":
            require("sge", given[d], inferred[d], f"output_shape[{d}] is less than inferred")
        else:
            require("sge", given[d], 1, f"output_shape[{d}] is less than 1")
    if convention == "given":
        total, least = given[2], inferred[2]
        for a, b in zip(given[3:], inferred[3:]):
            total, least = function.arith("muli", total, a), function.arith("muli", least, b)
        require("sge", total, least, "output_shape holds less than the inferred shape")


def _renumbered(function, indices, old, new):
    """Converts indices into a tensor of extents `old` to indices into a tensor of extents `new`, so
    that elements keep their coordinates. An index outside the old tensor becomes -1, which
    max_unpool refuses."""
    old = [function.scalar(e, "i64") for e in old]
    new = [function.scalar(e, "i64") for e in new]
    total = old[0]
    for extent in old[1:]:
        total = function.arith("muli", total, extent, "i64")

    def body(region, position):
        places, rest = [], position
        for extent in reversed(old[1:]):
            places.append(region.apply("arith.remsi", rest, extent))
            rest = region.apply("arith.divsi", rest, extent)
        result = rest
        for place, extent in zip(reversed(places), new[1:]):
            result = region.apply("arith.addi", region.apply("arith.muli", result, extent), place)
        # The unsigned comparison refuses negative positions too.
        inside = region.op(f"arith.cmpi ult, {position.name}, {total.name} : i64", "i1")
        nowhere = region.constant(-1, "i64")
        return region.op(f"arith.select {inside.name}, {result.name}, {nowhere.name} : i64", "i64")

    return function.each(indices, "i64", body, "renumbered")


def _norm_of_unknown_extents(function, node, x, p, dims):
    """Emits GlobalLpPool on unknown extents, which the attribute `kernel` cannot express: a
    reduction to the sum of |x|^p, and then the p-th root. f16 and bf16 are computed in f32, as in
    lp_pool."""
    rank = len(x.dims)
    wide = "f64" if x.element == "f64" else "f32"
    extents = [function.extent(x, 0), function.extent(x, 1), *[1] * (rank - 2)]
    zero = function.constant("0.0", wide)
    empty = function.empty(dims, extents, wide)
    init = function.op(f"linalg.fill ins({zero.name} : {wide}) outs({empty.name} : {empty.type}) "
                       f"-> {empty.type}", wide, dims, "zeros")
    names = ", ".join(f"d{i}" for i in range(rank))
    one_per_plane = f"({names}) -> (d0, d1{', 0' * (rank - 2)})"

    def add(region, arguments):
        element, total = arguments
        if element.element != wide:
            element = region.convert("arith.extf", element, wide)
        element = region.apply("math.absf", element)
        power = element
        for _ in range(p - 1 if p <= 8 else 0):
            power = region.apply("arith.mulf", power, element)
        if p > 8:
            power = region.apply("math.powf", element, region.constant(f"{p}.0", wide))
        return region.apply("arith.addf", total, power)

    total = function.generic([x], [identity_map(rank)], init, one_per_plane,
                             ["parallel"] * 2 + ["reduction"] * (rank - 2), add, "power_sum")

    def root(region, value):
        if p == 2:
            value = region.apply("math.sqrt", value)
        elif p > 2:
            value = region.apply("math.powf", value, region.constant(repr(1.0 / p), wide))
        if x.element != wide:
            value = region.convert("arith.truncf", value, x.element)
        return value

    return function.each(total, x.element, root, node.outputs[0])
