"""Calls of torch's pooling functions by code that one cannot change."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools

import torch
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from ._functional import functions, torch_functions


def with_indices(function):
    """torch's variants that always return indices."""
    @functools.wraps(function)
    def call(*args, **kwargs):
        kwargs.pop("return_indices", None)
        return function(*args, **kwargs, return_indices=True)

    return call


def make_table():
    """Our function for each of torch's, under all names that it has."""
    table = {}
    for name, function in functions.items():
        table[torch_functions[name]] = function
        # Built-in functions, and what torch.nn.functional's hand over to modes.
        for module in (torch, functional):
            if hasattr(module, name):
                table[getattr(module, name)] = function
        indexed = getattr(functional, f"{name}_with_indices", None)
        if indexed is not None:
            table[indexed] = with_indices(function)
    # This one has no argument for it: it always returns indices.
    table[torch.adaptive_max_pool1d] = with_indices(functions["adaptive_max_pool1d"])
    return table


TABLE = make_table()


class patch(TorchFunctionMode):
    """`with patch():` sends this thread's calls of torch's pooling functions to ours,
    under whatever name they were imported."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        return TABLE.get(function, function)(*args, **(kwargs or {}))
