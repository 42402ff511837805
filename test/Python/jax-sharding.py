# REQUIRES: python-module, tier-all, jax
# RUN: %doors_python %s %src_root/docs/Guides/UseInJAX.md
# UNEXPLORED: its data only has to differ from element to element.
"""pool_mlir.jax on arrays that four devices of the host share. Results must equal those on one
device and be sharded along batch and channels, and the program must gather nothing that need not
be gathered. Also runs the program of docs/Guides/UseInJAX.md.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import re
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import export, lax  # noqa: E402
from jax.sharding import AxisType, Mesh, NamedSharding  # noqa: E402
from jax.sharding import PartitionSpec as P  # noqa: E402

import pool_mlir.jax as pool  # noqa: E402
from pooltest.errors import raises  # noqa: E402
from pooltest.report import Report, main  # noqa: E402

MESH = Mesh(np.array(jax.devices()).reshape(2, 2), ("b", "c"))
EXPLICIT = Mesh(MESH.devices, ("b", "c"), axis_types=(AxisType.Explicit,) * 2)
SHAPES = {"channels_first": (4, 6, 8, 10), "channels_last": (4, 8, 10, 6)}
# Shardings of the operand whose results are sharded in the same way.
KEPT = {"channels_first": (P("b"), P("b", "c"), P(("c", "b")), P(None, ("b",))),
        "channels_last": (P("b"), P("b", None, None, "c"), P(None, None, None, "c"))}


def list_axes(spec):
    """Returns {dimension: its axes} of the dimensions that are sharded."""
    return {d: axes if isinstance(axes, tuple) else (axes,) for d, axes in enumerate(spec) if axes}


def list_functions(layout):
    """Yields (title, function of an image). The window's sums of whole numbers are exact."""
    window = dict(kernel=3, strides=2, pads_begin=1, pads_end=1, layout=layout)
    pools = {"max_pool": lambda x: pool.max_pool(x, **window),
             "min_pool": lambda x: pool.min_pool(x, **window),
             "avg_pool": lambda x: pool.avg_pool(x, divisor_override=1, **window),
             "lp_pool": lambda x: pool.lp_pool(x, p=1, **window),
             "adaptive_avg_pool": lambda x: pool.adaptive_avg_pool(x, (2, 5), layout),
             "adaptive_max_pool": lambda x: pool.adaptive_max_pool(x, (3, 4), layout)}
    for name, function in pools.items():
        yield name, function
        if name != "adaptive_max_pool":
            yield f"gradient of {name}", jax.grad(lambda x, f=function: (f(x)**2).sum())
    yield "second derivative", jax.grad(
        lambda x: (jax.grad(lambda y: (pools["avg_pool"](y)**2).sum())(x)**2).sum() / 64)


def compile_on(function, *operands):
    program = jax.jit(function).lower(*operands).compile()
    return program, program.as_text().count("all-gather")


def check(report, title, function, arrays, specs, expected, gathers=0, mesh=MESH):
    """Compares the function of sharded arrays with that of whole ones. `expected` are the axes
    by which the result is sharded."""
    whole = jax.tree.leaves(jax.jit(function)(*arrays))
    with jax.set_mesh(mesh):
        operands = [jax.device_put(array, NamedSharding(mesh, spec))
                    for array, spec in zip(arrays, specs)]
        program, count = compile_on(function, *operands)
        parts = jax.tree.leaves(program(*operands))
        eager = jax.tree.leaves(function(*operands))
    for a, b, c in zip(whole, parts, eager):
        report.expect(np.array_equal(a, b) and np.array_equal(a, c), f"{title}: numbers",
                      str(specs), expected=a, actual=b)
        for result in (b, c):
            report.expect(list_axes(result.sharding.spec) == list_axes(expected),
                          f"{title}: {specs} gives {result.sharding.spec}", str(expected))
    report.expect(count == 0 if gathers == 0 else count >= 1, f"{title}: {count} gathers",
                  str(specs))
    report.count("explicit shardings" if mesh is EXPLICIT else "shardings")


def make(shape):
    size = int(np.prod(shape))
    return np.random.default_rng(7).permutation(size).reshape(shape).astype(np.float32)


def check_indices(report):
    """Dimensions that indices count are gathered, others are not."""
    for layout, axis, spec, expected in (
            ("channels_first", 2, P("b", "c"), P("b", "c")),
            ("channels_first", 1, P("b", "c"), P("b")), ("channels_first", 0, P("b"), P()),
            ("channels_last", 1, P("b", None, None, "c"), P("b"))):
        x = make(SHAPES[layout])
        check(report, f"indices from dimension {axis} on", lambda x: pool.max_pool(
            x, 3, 2, 1, 1, layout=layout, return_indices=True, axis=axis), [x], [spec], expected,
            gathers=int(spec != expected))
    values, indices = pool.max_pool(make((4, 6, 8, 10)), 2, 2, return_indices=True, axis=2)
    for axis, expected in ((2, P("b", "c")), (1, P("b"))):
        check(report, f"max_unpool from dimension {axis} on",
              lambda v, i: pool.max_unpool(v, i, (4, 6, 8, 10), axis=axis),
              [np.asarray(values), np.asarray(indices)], [P("b", "c")] * 2, expected,
              gathers=int(axis == 1))


def check_shard_map(report):
    """In jax.shard_map the devices' data differ, so the gradient of what they share is a sum
    over them."""
    x = make((4, 8, 10, 6)) / 64

    def loss(pooling, w, x):
        return lax.psum(pooling(x * w).sum(), "b")

    def own(x):
        return pool.max_pool(x, 3, 2, 1, 1, layout="channels_last")

    def lax_pool(x):
        return lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1),
                                 ((0, 0), (1, 1), (1, 1), (0, 0)))

    for axes in (None, {"b"}):
        more = {} if axes is None else {"axis_names": axes}
        gradients = [jax.jit(jax.shard_map(
            lambda w, x, p=pooling: jax.grad(lambda w: loss(p, w, x))(w), mesh=MESH,
            in_specs=(P(), P("b")), out_specs=P(), **more))(2.0, x)
                     for pooling in (own, lax_pool)]
        report.expect(np.allclose(*gradients), "the gradient in shard_map", str(gradients))
        report.count("gradients in shard_map")


def check_two_operands(report):
    """In jax.shard_map a result differs over the devices if any operand does. A specification
    by which it does not is refused, and not filled with one device's result."""
    x, y = make((2, 6, 8, 10)), make((4, 6, 4, 5))
    values, indices = pool.max_pool(make((4, 6, 8, 10)), 2, 2, return_indices=True, axis=2)

    def grad(x, y):
        return pool.max_pool_grad(x, y, 2, 2)

    def tangent(x, t):
        return jax.jvp(lambda x: pool.max_pool(x, 2, 2), (x,), (t,))[1]

    def unpool(v, i):
        return pool.max_unpool(v, i, (2, 6, 8, 10), axis=2)

    for title, function, operands, parts in (
            ("gradient", grad, (x, y), (0, 1)), ("tangent", tangent, (x, make((4, 6, 8, 10))),
                                                 (0, 1)),
            ("max_unpool", unpool, (values[:2], indices), (0, 1)),
            ("max_unpool of values", unpool, (values, indices[:2]), (1, 0))):
        specs = tuple(P("b") if cut else P() for cut in parts)
        mapped = jax.jit(jax.shard_map(function, mesh=MESH, in_specs=specs, out_specs=P("b")))
        expected = np.concatenate([
            function(*(a[2 * d:2 * d + 2] if cut else a for a, cut in zip(operands, parts)))
            for d in range(2)])
        report.expect(np.array_equal(mapped(*operands), expected), f"{title} in shard_map",
                      expected=expected)
        raises(report, ValueError, "out_specs", lambda: jax.shard_map(
            function, mesh=MESH, in_specs=specs, out_specs=P())(*operands))
        report.count("pairs of operands in shard_map")
    # The cotangent of what the devices share is a sum over them.
    got = jax.jit(jax.shard_map(
        lambda v, i: jax.grad(lambda v: lax.psum((unpool(v, i)**2).sum(), "b"))(v), mesh=MESH,
        in_specs=(P(), P("b")), out_specs=P()))(values[:2], indices)
    report.expect(np.allclose(got, 4 * values[:2]), "the gradient of shared values", str(got))


def check_export(report):
    """A file of jax.export is partitioned where it runs."""
    def function(x):
        return jax.grad(lambda x: (pool.max_pool(x, 3, 2, 1, 1) * 3).sum())(x)

    x = make((4, 6, 8, 10))
    sharding = NamedSharding(MESH, P("b", "c"))
    data = export.export(
        jax.jit(function, in_shardings=sharding, out_shardings=sharding),
        disabled_checks=[export.DisabledSafetyCheck.custom_call(pool.TARGET)])(x).serialize()
    program, count = compile_on(export.deserialize(data).call, jax.device_put(x, sharding))
    report.expect(count == 0 and np.array_equal(program(jax.device_put(x, sharding)),
                                                function(x)), f"an exported program: {count}")
    report.count("exported programs")


def check_page(report):
    with open(sys.argv[1], encoding="utf-8") as page:
        programs = re.findall(r"```python\n(import os\n.*?)```", page.read(), re.DOTALL)
    for program in programs:
        exec(compile(program, sys.argv[1], "exec"), {})
    report.count("programs of the page", len(programs))
    report.require_counted("programs of the page")


def run():
    report = Report("sharding")
    for layout, shape in SHAPES.items():
        x = make(shape)
        for title, function in list_functions(layout):
            for spec in KEPT[layout]:
                check(report, f"{title} of {layout}", function, [x], [spec], spec)
            check(report, f"{title} of {layout}", function, [x], [KEPT[layout][1]],
                  KEPT[layout][1], mesh=EXPLICIT)
        # A spatial dimension is gathered, and the other shardings stay.
        spatial = P("b", None, "c") if layout == "channels_first" else P("b", "c")
        check(report, f"rows of {layout}", lambda x: pool.max_pool(x, 3, 2, 1, 1, layout=layout),
              [x], [spatial], P("b"), gathers=1)
        check(report, f"vmap of {layout}", jax.vmap(
            lambda x: pool.max_pool(x, 3, 2, 1, 1, layout=layout)), [np.stack([x, -x])],
              [P("b", None, *KEPT[layout][1][1:])], P("b", None, *KEPT[layout][1][1:]))
    check_indices(report)
    check_shard_map(report)
    check_two_operands(report)
    check_export(report)
    check_page(report)
    return report.finish()


if __name__ == "__main__":
    main(run)
