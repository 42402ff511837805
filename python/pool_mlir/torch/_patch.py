"""Redirects calls of torch's pooling functions in code that cannot be changed."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools

import torch
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from ._functional import functions, torch_functions


def with_indices(function):
    """Returns a replacement for a variant of torch's function that always returns indices. It calls
    `function` with return_indices=True."""
    @functools.wraps(function)
    def call(*args, **kwargs):
        kwargs.pop("return_indices", None)
        return function(*args, **kwargs, return_indices=True)

    return call


def make_table():
    """Returns a dict from each of torch's functions, under all its names, to ours."""
    table = {}
    # Modules with torch's built-in functions, and with the functions that torch.nn.functional
    # passes to modes.
    modules = (torch, torch._C._nn, functional)
    for name, function in functions.items():
        table[torch_functions[name]] = function
        for module in modules:
            if hasattr(module, name):
                table[getattr(module, name)] = function
            if hasattr(module, f"{name}_with_indices"):
                table[getattr(module, f"{name}_with_indices")] = with_indices(function)
    # These functions always return indices, and have no argument that asks for indices.
    for n, module in ((1, torch), (2, torch._C._nn), (3, torch._C._nn)):
        name = f"adaptive_max_pool{n}d"
        table[getattr(module, name)] = with_indices(functions[name])
    # These functions take the result's extents and no window, so ours cannot replace them.
    for n in (2, 3):
        del table[getattr(torch._C._nn, f"max_unpool{n}d")]
    return table


TABLE = make_table()


class patch(TorchFunctionMode):
    """`with patch():` sends this thread's calls of torch's pooling functions to ours.

    It does not matter under which name a function was imported. Calls with the argument `out` still
    go to torch, and so do torch._C._nn.max_unpool2d and max_unpool3d, which have no window."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        if not kwargs:
            return TABLE.get(function, function)(*args)
        return (function if "out" in kwargs else TABLE.get(function, function))(*args, **kwargs)
