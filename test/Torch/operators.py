# RUN: %peers_python %s
"""The operators of pool_mlir.torch must pass torch's own checks (opcheck, gradcheck,
gradgradcheck) and work through vmap, compile, export, autocast, inference mode, threads, and
changing shapes."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math
import subprocess
import sys
import tempfile
import warnings
from unittest import mock

import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn import functional

import pool_mlir
from pool_mlir import torch as ours
from pooltest import tier
from pooltest.report import Report, main

OPERATORS = torch.ops.pool_mlir


def last(x):
    """The tensor with channels last in memory."""
    return x.detach().movedim(1, -1).contiguous().movedim(-1, 1).requires_grad_()


def distinct(shape):
    """Random numbers between 0 and 1. Any two differ by more than a step of gradcheck,
    which would otherwise change the maximum."""
    count = math.prod(shape)
    x = (torch.randperm(count, dtype=torch.float64) + 1) / (count + 1)
    return x.reshape(shape).requires_grad_()


def samples(n):
    """Yields (operator, its arguments) for `n` dimensions."""
    x = distinct((2, 2) + (6,) * n)
    g = torch.rand((2, 2) + (3,) * n, dtype=torch.float64, requires_grad=True)
    window = ([3] * n, [2] * n, [1] * n)
    ones = [1] * n
    for image in (x, last(x)):
        yield OPERATORS.max_pool.default, (image, *window, ones, False)
        yield OPERATORS.max_pool_indices.default, (image, *window, ones, True)
        yield OPERATORS.avg_pool.default, (image, *window, False, True, None if n == 1 else -3)
        yield OPERATORS.avg_pool.default, (image, *window, True, False, None)
        yield OPERATORS.adaptive_avg_pool.default, (image, [4] * n)
        yield OPERATORS.adaptive_avg_pool.default, (image, [3] * n)
        yield OPERATORS.adaptive_max_pool.default, (image, [4] * n)
    yield OPERATORS.max_pool_grad.default, (x.detach(), g, *window, ones, False)
    yield OPERATORS.avg_pool_grad.default, (g, list(x.shape), *window, False, True, None)
    values, indices = OPERATORS.max_pool_indices(x.detach(), [2] * n, [2] * n, [0] * n, ones,
                                                 False)
    for image in (values.requires_grad_(), last(values)):
        yield OPERATORS.max_unpool.default, (image, indices, [6] * n)


def first(result):
    return result[0] if isinstance(result, tuple) else result


def check_operator(report, operator, arguments):
    place = next(i for i, a in enumerate(arguments)
                 if isinstance(a, torch.Tensor) and a.requires_grad)

    def call(x):
        return first(operator(*arguments[:place], x, *arguments[place + 1:]))

    for name, check in (("opcheck", lambda: torch.library.opcheck(operator, arguments)),
                        ("gradcheck", lambda: torch.autograd.gradcheck(call, arguments[place])),
                        ("gradgradcheck",
                         lambda: torch.autograd.gradgradcheck(call, arguments[place]))):
        try:
            check()
        except Exception as error:  # each check has its own exceptions
            report.mismatch(f"{name}: {operator}", str(error)[:2000],
                            shape=arguments[place].shape)
        report.count(name)


FUNCTIONS = (("max_pool", (3, 2, 1)), ("avg_pool", (3, 2, 1)), ("adaptive_max_pool", (4,)),
             ("adaptive_avg_pool", (4,)), ("lp_pool", (2, 3)), ("lp_pool", (3, 2)))


def check_functions(report, n, name, arguments):
    """Tests the functions on plain tensors: such calls go to kernels, past the operators."""
    our = getattr(ours, f"{name}{n}d")
    x = distinct((2, 2) + (6,) * n)
    for image in (x, last(x), x[0]):
        image = image.detach().requires_grad_()
        for title, check in (("gradcheck of functions", lambda: torch.autograd.gradcheck(
                lambda y: first(our(y, *arguments)), image, check_batched_grad=True)),
                             ("gradgradcheck of functions", lambda: torch.autograd.gradgradcheck(
                lambda y: first(our(y, *arguments)), image))):
            try:
                check()
            except Exception as error:  # each check has its own exceptions
                report.mismatch(f"{title}: {name}{n}d", str(error)[:2000], shape=image.shape)
            report.count(title)
    y = first(our(x, *arguments))
    with torch.autograd.graph.saved_tensors_hooks(lambda z: z.numpy(force=True).copy(),
                                                  torch.from_numpy):
        z = first(our(x, *arguments))
    weights = torch.rand_like(y)
    a, b = (torch.autograd.grad(value, x, weights)[0] for value in (y, z))
    report.expect(torch.equal(a, b), f"saved tensors' hooks: {name}{n}d", expected=a, actual=b)


def same(report, title, actual, expected):
    report.expect(actual.dtype == expected.dtype and
                  torch.allclose(actual, expected, rtol=1e-5, atol=1e-6), title,
                  expected=expected, actual=actual)
    report.count(title.split(":")[0])


def check_transforms(report, n, name, arguments):
    own, our = getattr(functional, f"{name}{n}d"), getattr(ours, f"{name}{n}d")
    x = torch.rand((3, 2, 4) + (7,) * n)
    title = f"{name}{n}d"
    for dims in (0, 1):
        same(report, f"vmap: {title}", torch.vmap(lambda y: our(y, *arguments), dims)(x),
             torch.vmap(lambda y: own(y, *arguments), dims)(x))
    def gradient(function):
        return torch.func.grad(lambda y: function(y, *arguments).square().sum())

    same(report, f"vmap of grad: {title}", torch.vmap(gradient(our))(x),
         torch.vmap(gradient(own))(x))
    with torch.inference_mode():
        y = our(x[0], *arguments)
        report.expect(y.is_inference(), f"inference mode: {title}")
        same(report, f"inference mode: {title}", y, own(x[0], *arguments))
    for dtype in (torch.bfloat16, torch.float32):
        with torch.autocast("cpu", torch.bfloat16):
            y, z = our(x[0].to(dtype), *arguments), own(x[0].to(dtype), *arguments)
        report.expect(y.dtype == z.dtype, f"autocast: {title} {dtype}", actual=y.dtype,
                      expected=z.dtype)
        report.count("autocast")


class Net(torch.nn.Module):
    def __init__(self, functions, n, name, arguments):
        super().__init__()
        self.call = getattr(functions, f"{name}{n}d")
        self.arguments = arguments

    def forward(self, x):
        return self.call(x * 2, *self.arguments) + 1


def pooling(graph):
    """Returns the names of pooling operators in a graph."""
    return [str(node.target) for node in graph.nodes
            if node.op == "call_function" and "pool" in str(node.target)]


def expect_ours(report, title, graph):
    names = pooling(graph)
    report.expect(names and all(name.startswith("pool_mlir.") for name in names), title,
                  actual=names)
    report.count(title.split(":")[0])


def check_graphs(report, n, name, arguments):
    """torch.compile without a graph break, with gradients; torch.export; make_fx."""
    our, own = Net(ours, n, name, arguments), Net(functional, n, name, arguments)
    title = f"{name}{n}d"
    x = torch.rand((2, 3) + (8,) * n, requires_grad=True)
    torch._dynamo.reset()
    compiled = torch.compile(our, backend="aot_eager", fullgraph=True)
    same(report, f"compile: {title}", compiled(x), own(x))
    same(report, f"compile, gradient: {title}",
         torch.autograd.grad(compiled(x).square().sum(), x)[0],
         torch.autograd.grad(own(x).square().sum(), x)[0])
    x = x.detach()
    for strict in (False, True):
        exported = torch.export.export(our, (x,), strict=strict,
                                       dynamic_shapes=({0: torch.export.Dim("batch")},))
        expect_ours(report, f"exported graph: {title}, strict={strict}", exported.graph)
        more = torch.rand((5, 3) + (8,) * n)
        same(report, f"export: {title}", exported.module()(more), own(more))
    for mode in ("real", "fake", "symbolic"):
        expect_ours(report, f"make_fx: {title}, {mode}",
                    make_fx(our, tracing_mode=mode)(x).graph)


def check_saved_program(report):
    """Another process, which imports only pool_mlir.torch, runs an exported model."""
    program = """
import sys
import torch
import pool_mlir.torch
from pool_mlir.torch import _kernels

calls, call = [], _kernels.Kernels.__call__
_kernels.Kernels.__call__ = lambda self, *a, **k: (calls.append(self.name),
                                                   call(self, *a, **k))[1]
x, expected = torch.load(sys.argv[1] + "/tensors")
actual = torch.export.load(sys.argv[1] + "/model.pt2").module()(x)
assert torch.allclose(actual, expected) and calls == ["max_pool", "avg_pool"], calls
"""
    model = torch.nn.Sequential(torch.nn.MaxPool2d(3, 2, 1), torch.nn.AvgPool2d(2))
    x = torch.rand(2, 3, 8, 8)
    y = torch.rand(5, 3, 8, 8)
    expected = model(y)
    exported = torch.export.export(ours.convert(model), (x,),
                                   dynamic_shapes=({0: torch.export.Dim("batch")},))
    with tempfile.TemporaryDirectory() as folder:
        torch.export.save(exported, f"{folder}/model.pt2")
        torch.save((y, expected), f"{folder}/tensors")
        done = subprocess.run([sys.executable, "-c", program, folder], capture_output=True,
                              text=True, check=False)
    report.expect(done.returncode == 0, "a saved program", done.stderr[-2000:])


def check_onnx(report):
    """torch.onnx.export gets torch's operators, which ONNX knows. The package for the
    export may be missing, so the test only pretends that an export runs."""
    model = ours.convert(torch.nn.Sequential(torch.nn.MaxPool2d(2), torch.nn.LPPool2d(2, 2)))
    with mock.patch.object(torch.onnx, "is_in_onnx_export", lambda: True):
        graph = torch.export.export(model, (torch.rand(1, 2, 8, 8),)).graph
    report.expect(not any("pool_mlir" in name for name in pooling(graph)), "ONNX",
                  actual=pooling(graph))
    report.expect(set(ours.fallbacks) == {"max_pool2d: torch.onnx.export",
                                          "lp_pool2d: torch.onnx.export"},
                  "ONNX is counted", actual=ours.fallbacks)
    ours.fallbacks.clear()


def check_short_way(report):
    """Calls on plain tensors go directly to kernels, with or without a batch, and with an int, a
    tuple or a list as argument. They do not check for torch's overrides."""
    from pool_mlir.torch import _functional

    x = torch.rand(1, 3, 8, 8)
    values, indices = functional.max_pool2d(x, 2, return_indices=True)
    calls = [(name, inputs, size) for size in (2, (2, 2), [2, 2]) for name, inputs in (
        ("max_pool2d", (x,)), ("avg_pool2d", (x,)), ("lp_pool2d", (x, 2)),
        ("adaptive_max_pool2d", (x,)), ("adaptive_avg_pool2d", (x,)),
        ("max_unpool2d", (values, indices)))]
    for name, inputs, size in calls:
        for given in (inputs, [a[0] if isinstance(a, torch.Tensor) else a for a in inputs]):
            with mock.patch.object(_functional, "reason_for_torch",
                                   side_effect=AssertionError("the long way")):
                actual = getattr(ours, name)(*given, size)
            same(report, f"short way: {name}", actual, getattr(functional, name)(*given, size))


def check_orders(report, n, name, arguments):
    """Results and gradients have the same memory order as torch's."""
    def strides(functions, image):
        image = image.detach().requires_grad_()
        y = first(getattr(functions, f"{name}{n}d")(image, *arguments))
        # The gradient of a sum is a single element that all positions share.
        grads = (torch.ones_like(y), torch.ones(()).expand(y.shape))
        return [y.stride()] + [torch.autograd.grad(y, image, grad, retain_graph=True)[0].stride()
                               for grad in grads]

    x = torch.rand((2, 3) + (8,) * n)
    for title, image in (("row-major", x), ("channels last", last(x)), ("part", x[..., 1:])):
        expected, actual = strides(functional, image), strides(ours, image)
        report.expect(actual == expected, f"memory order: {title}, {name}{n}d",
                      expected=expected, actual=actual)
        report.count("memory orders")


def check_dynamic_graphs(report, n):
    """Compiles a maximum that is unpooled again, as one graph without breaks for all
    extents."""
    def make(functions, with_size):
        pool, unpool = (getattr(functions, f"max_{kind}{n}d") for kind in ("pool", "unpool"))

        def call(x):
            values, indices = pool(x, 2, return_indices=True)
            return unpool(values, indices, 2, output_size=x.shape if with_size else None)
        return call

    for with_size in (False, True):
        torch._dynamo.reset()
        compiled = torch.compile(make(ours, with_size), backend="aot_eager", fullgraph=True,
                                 dynamic=True)
        for extents in ((8, 6, 10), (12, 8, 4)):
            x = torch.rand((2, 3) + extents[:n])
            same(report, f"compile, dynamic: max_unpool{n}d", compiled(x),
                 make(functional, with_size)(x))


def check_shapes(report):
    """The fourth shape compiles a kernel with dynamic extents, which serves all later
    shapes."""
    pool_mlir.cache_clear()
    from pool_mlir.torch import _kernels

    # Other tests may have used more than three shapes of the same operations.
    _kernels.compile_dynamic.cache_clear()
    for extent in range(20, 32):
        for form in (torch.contiguous_format, torch.channels_last):
            x = torch.rand(1, 4, extent, 19).contiguous(memory_format=form).requires_grad_()
            for name, arguments in (("max_pool2d", (3, 2, 1)), ("avg_pool2d", (3, 3))):
                y, z = (getattr(module, name)(x, *arguments) for module in (ours, functional))
                same(report, "changing shapes", y, z)
                same(report, "changing shapes", *(torch.autograd.grad(v.sum(), x)[0]
                                                  for v in (y, z)))
    # Two operations and two layouts, each forward and backward
    report.expect(pool_mlir.cache_info()["currsize"] <= 3 * 8, "static kernels",
                  actual=pool_mlir.cache_info())
    report.expect(_kernels.compile_dynamic.cache_info().currsize == 8,
                  "dynamic kernels", actual=_kernels.compile_dynamic.cache_info())


def check_threads(report):
    before = torch.get_num_threads()
    x = torch.rand(8, 16, 64, 64)
    for threads in (1, 2):
        torch.set_num_threads(threads)
        pool_mlir.cache_clear()
        same(report, "threads", ours.max_pool2d(x, 2), functional.max_pool2d(x, 2))
        misses = pool_mlir.cache_info()["misses"]
        ours.max_pool2d(x, 2)
        report.expect(pool_mlir.cache_info()["misses"] == misses, "a kernel for each number")
    check_without_openmp(report)
    torch.set_num_threads(before)


def check_without_openmp(report):
    """Without LLVM's OpenMP library: a warning, and from then on one thread."""
    from pool_mlir.torch import _kernels

    asked = []

    def plain(x, y, z, threads, shape):
        asked.append(threads)
        if threads > 1:
            raise RuntimeError("OpenMP's run-time library cannot be loaded")
        return x

    kernels = _kernels.Kernels("max_pool", {"kernel": [1]})
    kernels.plain = plain
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        kernels(torch.rand(1, 1, 4))
        kernels(torch.rand(1, 1, 4))
    _kernels.without_openmp = False
    report.expect(asked == [2, 1, 1] and len(caught) == 1, "without OpenMP", actual=asked)


def run():
    report = Report("torch operators")
    torch.manual_seed(0)
    ours.fallbacks.clear()
    for n in (1, 2, 3):
        for operator, arguments in tier.sample(samples(n), tier.size(None, 4, 1), n):
            check_operator(report, operator, arguments)
        for name, arguments in tier.sample(FUNCTIONS, tier.size(None, 2, 1), n):
            check_functions(report, n, name, arguments)
            check_transforms(report, n, name, arguments)
            check_graphs(report, n, name, arguments)
            if n == 2:  # in 3-D, torch's averages are row-major; ours have the image's order
                check_orders(report, n, name, arguments)
    # Test results with a single position. Adaptive averages are left out: torch computes them
    # as a mean, whose result is row-major.
    for name, arguments in (("avg_pool", (7,)), ("max_pool", (7,))):
        check_orders(report, 2, name, arguments)
        check_dynamic_graphs(report, n)
    check_shapes(report)
    check_threads(report)
    check_saved_program(report)
    check_short_way(report)
    report.expect(not ours.fallbacks, "calls went to torch", actual=ours.fallbacks)
    check_onnx(report)
    return report.finish()


if __name__ == "__main__":
    main(run)
