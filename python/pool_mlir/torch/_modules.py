"""Modules that replace torch's pooling modules and take over their attributes."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools
import warnings

import torch
from torch.nn import functional as F  # for torch.jit.script, see make_class

from ._functional import functions


def max_forward(function):
    def forward(self, input):
        return function(input, self.kernel_size, self.stride, self.padding, self.dilation,
                        self.ceil_mode, self.return_indices)

    return forward


def avg_forward(function):
    def forward(self, input):
        return function(input, self.kernel_size, self.stride, self.padding, self.ceil_mode,
                        self.count_include_pad, self.divisor_override)

    return forward


def avg1d_forward(function):
    def forward(self, input):
        return function(input, self.kernel_size, self.stride, self.padding, self.ceil_mode,
                        self.count_include_pad)

    return forward


def lp_forward(function):
    def forward(self, input):
        return function(input, float(self.norm_type), self.kernel_size, self.stride,
                        self.ceil_mode)

    return forward


def adaptive_max_forward(function):
    def forward(self, input):
        return function(input, self.output_size, self.return_indices)

    return forward


def adaptive_avg_forward(function):
    def forward(self, input):
        return function(input, self.output_size)

    return forward


def unpool_forward(function):
    def forward(self, input, indices, output_size=None):
        return function(input, indices, self.kernel_size, self.stride, self.padding,
                        output_size)

    return forward


FORWARDS = {
    "MaxPool": ("max_pool", max_forward), "AvgPool": ("avg_pool", avg_forward),
    "LPPool": ("lp_pool", lp_forward), "MaxUnpool": ("max_unpool", unpool_forward),
    "AdaptiveMaxPool": ("adaptive_max_pool", adaptive_max_forward),
    "AdaptiveAvgPool": ("adaptive_avg_pool", adaptive_avg_forward),
}


def make_class(name, n):
    base = getattr(torch.nn, f"{name}{n}d")
    function_name, forward = FORWARDS[name]
    if (name, n) == ("AvgPool", 1):
        forward = avg1d_forward
    # torch.jit.script compiles the source of the wrapped function, torch's own `forward`. This
    # source uses the name F, which torch.jit.script looks up in this module.
    forward = functools.wraps(base.forward)(forward(functions[f"{function_name}{n}d"]))
    return type(base.__name__, (base,), {
        "__module__": __package__, "__doc__": f"torch.nn.{base.__name__}, by pool_mlir.",
        "forward": forward})


modules = {f"{name}{n}d": make_class(name, n) for name in FORWARDS for n in (1, 2, 3)}
OURS = {getattr(torch.nn, name): ours for name, ours in modules.items()}
TORCHS = {ours: torchs for torchs, ours in OURS.items()}


def swap(model, classes):
    """Replaces modules of `model` in place. `classes` maps a module's class to the class of its
    replacement, which takes over the module's attributes, hooks and parameters. Returns the model,
    and the names of the replaced modules. Raises TypeError if `model` is not a module."""
    if not isinstance(model, torch.nn.Module):
        raise TypeError(f"the model must be a torch.nn.Module, not {type(model).__name__}")
    replaced, names = {}, []

    def replace(module):
        if type(module) not in classes:
            return module
        if id(module) not in replaced:
            other = classes[type(module)].__new__(classes[type(module)])
            other.__dict__.update(module.__dict__)
            # Keep the old module alive, so that no new object gets its id.
            replaced[id(module)] = (other, module)
        return replaced[id(module)][0]

    for path, parent in list(model.named_modules(remove_duplicate=False)):
        for name, child in list(parent._modules.items()):
            if child is not None and type(child) in classes:
                names.append(f"{path}.{name}" if path else name)
                parent._modules[name] = replace(child)
    if type(model) in classes:
        names.append("")
        model = replace(model)
    return model, list(dict.fromkeys(names))


def convert(model):
    """Swaps torch's pooling modules in `model` for ours, in place, and returns the model.

    If the model itself is a pooling module, returns a new object. The attribute `pool_mlir_swapped`
    has the names of the swapped modules, as in `named_modules`. Subclasses of torch's modules are
    not swapped. Warns if there is nothing to swap."""
    model, names = swap(model, OURS)
    if not names and not hasattr(model, "pool_mlir_swapped"):
        warnings.warn("convert() has found no pooling module of torch.nn to swap; "
                      "with patch(): sends calls of torch.nn.functional's pooling to "
                      "pool_mlir", stacklevel=2)
    model.pool_mlir_swapped = sorted({*getattr(model, "pool_mlir_swapped", ()), *names})
    return model


def unconvert(model):
    """Undoes `convert`: swaps our modules in `model` for torch's, and returns the model."""
    model, _ = swap(model, TORCHS)
    model.__dict__.pop("pool_mlir_swapped", None)
    return model
