# RUN: %peers_python %s
# UNEXPLORED: its data only has to differ from element to element.
"""pool_mlir.torch's modules in models, and `convert`, `unconvert` and `patch`, which exchange
torch's modules and functions for ours. Results must stay the same. A call that is not supported
must fall back to torch's own function, and be counted."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import copy
import inspect
import io
import itertools
import pickle
import warnings

import torch
from torch import nn
from torch.nn import functional

from pool_mlir import torch as ours
from pool_mlir._advice import TORCH
from pooltest.errors import raises
from pooltest.report import Report, main

SHAPES = {1: (2, 3, 12), 2: (2, 3, 8, 8), 3: (1, 2, 6, 6, 6)}
NAMES = {"MaxPool": "max_pool", "AvgPool": "avg_pool", "LPPool": "lp_pool",
         "AdaptiveMaxPool": "adaptive_max_pool", "AdaptiveAvgPool": "adaptive_avg_pool"}
ARGUMENTS = {"MaxPool": (2,), "AvgPool": (2,), "LPPool": (2, 2), "AdaptiveMaxPool": (3,),
             "AdaptiveAvgPool": (3,)}


class Model(nn.Module):
    """A model with pools in a sequence, in a nested sequence and in a list. The pools of the
    sequences are in the list too."""

    def __init__(self, n):
        super().__init__()
        pools = [getattr(nn, f"{name}{n}d")(*arguments) for name, arguments in ARGUMENTS.items()]
        convolution = getattr(nn, f"Conv{n}d")(SHAPES[n][1], 4, 1)
        self.body = nn.Sequential(convolution, pools[2], nn.Sequential(pools[4]), pools[0])
        self.others = nn.ModuleList(pools)

    def forward(self, x):
        return self.body(x)


def check_model(report, n):
    model = Model(n)
    reference = copy.deepcopy(model)
    x = torch.rand(SHAPES[n])
    state = model.state_dict()
    calls = []
    model.others[0].register_forward_hook(lambda *_: calls.append(1))
    converted = ours.convert(model)
    report.expect(converted is model and model.body[3] is model.others[0], "identity")
    expected = [name for name, module in reference.named_modules(remove_duplicate=False)
                if type(module).__name__ in ours.modules]
    report.expect(model.pool_mlir_swapped == sorted(expected), "swapped",
                  actual=model.pool_mlir_swapped, expected=expected)
    report.expect(torch.allclose(model(x), reference(x), rtol=1e-5), "values")
    report.expect(bool(calls), "hooks")
    report.expect(list(model.state_dict()) == list(state), "state_dict")
    model.load_state_dict(state)
    report.expect(str(model) == str(reference), "printed alike", actual=model)
    del model.others[0]._forward_hooks[next(iter(model.others[0]._forward_hooks))]
    file = io.BytesIO()
    torch.save(model, file)
    file.seek(0)
    for copied in (copy.deepcopy(model), pickle.loads(pickle.dumps(model)),
                   torch.load(file, weights_only=False)):
        report.expect(torch.equal(copied(x), model(x))
                      and type(copied.body[3]) is type(model.body[3])
                      and copied.pool_mlir_swapped == model.pool_mlir_swapped, "copies")
    ours.convert(model)
    report.expect(len(model.pool_mlir_swapped) == len(expected), "converted twice")
    ours.unconvert(model)
    report.expect([type(module) for module in model.modules()]
                  == [type(module) for module in reference.modules()]
                  and not hasattr(model, "pool_mlir_swapped"), "unconvert")
    pool = ours.convert(getattr(nn, f"MaxPool{n}d")(2))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ours.convert(nn.Sequential(nn.ReLU()))
        report.expect(len(caught) == 1 and "with patch():" in str(caught[0].message)
                      and caught[0].filename == __file__, "a model without a pool")
        ours.convert(pool)
        report.expect(len(caught) == 1, "a model that has been converted")
    report.expect(type(pool) is ours.modules[f"MaxPool{n}d"]
                  and pool.pool_mlir_swapped == [""], "a model that is a pool")
    report.count("models")


def check_unpool(report, n):
    pool = getattr(ours, f"MaxPool{n}d")(2, return_indices=True)
    unpool = getattr(ours, f"MaxUnpool{n}d")(2)
    x = torch.rand(SHAPES[n])
    plain = getattr(nn, f"MaxUnpool{n}d")(2)
    report.expect(torch.equal(unpool(*pool(x)), plain(*pool(x))), "unpooling")


def check_patch(report, n):
    early = getattr(functional, f"max_pool{n}d")
    x = torch.rand(SHAPES[n])
    model = Model(n)
    expected = model(x)
    seen = []

    from pool_mlir.torch import _patch

    table = dict(_patch.TABLE)
    try:
        for key, function in table.items():
            _patch.TABLE[key] = (lambda f: lambda *a, **k: (seen.append(f.__name__),
                                                            f(*a, **k))[1])(function)
        with ours.patch():
            report.expect(torch.allclose(model(x), expected, rtol=1e-5), "patched model")
            both = early(x, 2, return_indices=True)
            report.expect(isinstance(both, tuple), "early import")
            getattr(torch, f"max_pool{n}d")(x, 2)
            getattr(functional, f"avg_pool{n}d")(x, 2)
            inside = len(seen)
    finally:
        _patch.TABLE.update(table)
    model(x)
    check_names(report, n)
    report.expect(inside == 6 and len(seen) == 6, "patched calls", actual=seen)
    for name in ours.functions:
        own = getattr(functional, name)
        report.expect(own in _patch.TABLE, f"{name} is patched")


def check_names(report, n):
    """Checks torch's names for maxima, averages and adaptive pooling, in three modules."""
    ours.fallbacks.clear()
    meta = torch.empty(SHAPES[n], device="meta")
    for module in (torch, torch._C._nn, functional):
        for name in ("max_pool", "max_pool_with_indices", "avg_pool", "adaptive_max_pool",
                     "adaptive_avg_pool"):
            own = getattr(module, name.replace("_pool", f"_pool{n}d"), None)
            if own is None:
                continue
            before = sum(ours.fallbacks.values())
            with ours.patch():
                result = own(meta, [2] * n)
            # A tensor outside the CPU falls back to torch; the counter shows the call.
            report.expect(sum(ours.fallbacks.values()) == before + 1
                          and type(result) is type(own(meta, [2] * n)),
                          f"{own} is patched", actual=ours.fallbacks)
            report.count("patched names")
    if n > 1:
        x = torch.rand(SHAPES[n])
        out = torch.empty(0)
        average = getattr(functional, f"avg_pool{n}d")
        with ours.patch():
            result = average(x, 2, out=out)
        report.expect(result is out and torch.equal(out, average(x, 2)), "out")


def check_strangers(report):
    """Code written for torch's own functions works unchanged."""
    x = torch.randn(3, 2, 12)
    with ours.patch():
        report.expect(isinstance(torch.adaptive_max_pool1d(x, 3), tuple),
                      "a builtin that always returns indices")
    check_graphs(report)
    # 2 and 2.0 are equal as keys of a cache, but not for torch.
    ours.fallbacks.clear()
    for size in (2, 2.0):
        try:
            ours.max_pool1d(x, size)
            report.expect(not isinstance(size, float), "a float is refused")
        except TypeError:
            report.expect(isinstance(size, float), f"{size} is refused")
    part = torch.randn(2, 6, 8, 8).to(memory_format=torch.channels_last)[:, :3, 1:]
    strides = [ours.max_pool2d(part[:, :, :rows], 2).stride(1) for rows in range(7, 1, -1)]
    report.expect(len(set(strides)) == 1, "a part's channels stay last", actual=strides)


def check_graphs(report):
    """torch.fx records our functions; torch.jit.script compiles torch's."""
    for n, shape in SHAPES.items():
        x = torch.rand(shape)
        values, indices = getattr(functional, f"max_pool{n}d")(x, 2, return_indices=True)
        cases = [(name, arguments, {}, (x,)) for name, arguments in ARGUMENTS.items()]
        cases += [(name, ARGUMENTS[name], {"return_indices": True}, (x,))
                  for name in ("MaxPool", "AdaptiveMaxPool")]
        cases += [("MaxUnpool", (2,), {}, (values, indices))]
        for name, arguments, more, inputs in cases:
            model = ours.convert(nn.Sequential(getattr(nn, f"{name}{n}d")(*arguments, **more)))
            pool = model[0]
            expected = pool(*inputs)
            ours.fallbacks.clear()
            graph = torch.fx.symbolic_trace(pool)
            for copied in (graph, pickle.loads(pickle.dumps(graph)),
                           torch.fx.symbolic_trace(graph)):
                nodes = [node.target for node in copied.graph.nodes
                         if node.op == "call_function"]
                report.expect(len(nodes) == 1 and nodes[0] in ours.functions.values(),
                              f"torch.fx: {name}{n}d", actual=nodes)
                torch.testing.assert_close(copied(*inputs), expected)
            report.expect(not ours.fallbacks, "torch.fx is no fallback", actual=ours.fallbacks)
            report.count("torch.fx")
            if name == "MaxUnpool":  # torch cannot script its own module either
                continue
            file = io.BytesIO()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # warnings about deprecated parts of torch
                torch.jit.save(torch.jit.script(model), file)
                file.seek(0)
                torch.testing.assert_close(torch.jit.load(file)(*inputs), expected)
            report.expect(type(model[0]) is ours.modules[f"{name}{n}d"], "scripted", name)
            report.count("torch.jit.script")


def check_signatures(report):
    for name, function in ours.functions.items():
        own = getattr(functional, name)
        if name.startswith(("max_pool", "adaptive_max_pool")):
            own = getattr(functional, f"_{name}")
        try:
            expected = list(inspect.signature(own).parameters)
        except ValueError:
            # The documentation of a built-in function contains its signature.
            line = next(line for line in own.__doc__.splitlines() if "->" in line)
            names = line.split("(")[1].split(")")[0].split(",")
            expected = [item.split("=")[0].strip() for item in names]
        report.expect(list(inspect.signature(function).parameters) == expected,
                      f"arguments of {name}", actual=inspect.signature(function),
                      expected=expected)
        report.count("signatures")


def check_fallbacks(report):
    """Unsupported calls return torch's result, and the counter grows by one."""
    x = torch.rand(1, 2, 6, 6)
    ours.fallbacks.clear()
    cases = ((torch.zeros(1, 2, 6, 6, device="meta"), "max_pool2d: device meta"),
             ((x * 100).long(), "avg_pool2d: elements torch.int64"))
    for value, key in cases:
        name = key.split(":")[0]
        expected = getattr(functional, name)(value, 2)
        actual = getattr(ours, name)(value, 2)
        report.expect(actual.shape == expected.shape
                      and (value.is_meta or torch.equal(actual, expected)), key)
        report.expect(ours.fallbacks[key] == 1, key, actual=ours.fallbacks)
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(x, torch.ones_like(x))
        tangent = torch.autograd.forward_ad.unpack_dual(ours.avg_pool2d(dual, 2)).tangent
        report.expect(torch.allclose(tangent, torch.ones(1, 2, 3, 3)), "forward mode")
    report.expect(sum(ours.fallbacks.values()) == 3, "counter", actual=ours.fallbacks)
    negated = torch.imag(torch.view_as_complex(torch.rand(1, 2, 6, 6, 2)).conj())
    report.expect(torch.equal(ours.max_pool2d(negated, 2), functional.max_pool2d(negated, 2)),
                  "a negative view")
    refused = ((dict(kernel_size=3, padding=2)), dict(kernel_size=0), dict(kernel_size=20),
               dict(kernel_size=2, stride=0), dict(kernel_size="a"), dict(kernel_size=[2] * 3))
    for arguments in refused:
        for name in ("max_pool2d", "avg_pool2d"):
            errors = []
            for module in (ours, functional):
                try:
                    getattr(module, name)(x, **arguments)
                except Exception as error:  # whichever type torch raises
                    errors.append(type(error))
            report.expect(len(errors) == 2 and errors[0] is errors[1], f"{name} {arguments}",
                          actual=errors)
            report.count("refused")
    for function in (ours.convert, ours.unconvert):
        for value in (5, nn.MaxPool2d):
            raises(report, TypeError, "the model must be a torch.nn.Module, not "
                   f"{type(value).__name__}", lambda f=function, v=value: f(v))


def check_empty(report):
    """An image without channels or a batch of no images has torch's result or torch's error,
    with a batch and without."""
    for (name, arguments), n in itertools.product(ARGUMENTS.items(), (1, 2, 3)):
        function = f"{NAMES[name]}{n}d"
        for shape in ((0, *[6] * n), (0, 2, *[6] * n), (2, 0, *[6] * n), (0, 0, *[6] * n)):
            outcomes = []
            for module in (functional, ours):
                try:
                    outcomes.append(getattr(module, function)(torch.rand(shape), *arguments).shape)
                except Exception as error:  # whichever type torch raises
                    outcomes.append(f"{type(error).__name__}: {error}")
            report.expect(outcomes[0] == outcomes[1], f"{function} of {shape}",
                          expected=outcomes[0], actual=outcomes[1])
            report.count("empty tensors")


def check_advised(report):
    """pool_mlir's advice names a function or module of pool_mlir.torch only if it is there."""
    parts = itertools.product(("", "adaptive_", "Adaptive"),
                              ("max", "avg", "lp", "Max", "Avg", "LP"),
                              ("_pool", "_unpool", "Pool", "Unpool"), ("1d", "2d", "3d"))
    for name in map("".join, parts):
        report.expect(bool(TORCH.fullmatch(name)) == hasattr(ours, name), f"advice for {name}")
        report.count("names")


def run():
    report = Report("torch modules")
    torch.manual_seed(0)
    for n in (1, 2, 3):
        check_model(report, n)
        check_unpool(report, n)
        check_patch(report, n)
    check_strangers(report)
    check_signatures(report)
    check_fallbacks(report)
    check_empty(report)
    check_advised(report)
    return report.finish()


if __name__ == "__main__":
    main(run)
