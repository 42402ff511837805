"""Converts between NumPy arrays or torch tensors and the arrays that MPI and parts accept."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys

import numpy as np

from .._parts import refuse_masked


def is_tensor(array):
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(array, torch.Tensor)


def as_numpy(array, op, name):
    """Returns a NumPy array that shares the memory of `array`, a NumPy array or torch tensor.
    Raises TypeError if that is impossible. `op` and `name` are for messages."""
    if isinstance(array, np.ndarray):
        refuse_masked(f"{op}: {name}", array)
        if not array.dtype.isnative:
            raise TypeError(f"{op}: {name} has elements of {array.dtype}, must have them in this "
                            "machine's byte order")
        return array
    if not is_tensor(array):
        raise TypeError(f"{op}: {name} is a {type(array).__name__}, must be a NumPy array or a "
                        "torch tensor")
    import torch

    if array.device.type != "cpu":
        raise TypeError(f"{op}: {name} is a tensor on {array.device}, must be on the CPU")
    if array.requires_grad:
        raise TypeError(f"{op}: {name} is a tensor that asks for a gradient: pass "
                        f"{name}.detach(), and the gradient's function backward")
    if array.dtype != torch.bfloat16:
        return array.numpy()
    import ml_dtypes

    return array.view(torch.int16).numpy().view(ml_dtypes.bfloat16)


def as_library(array, like):
    """Converts a result, a NumPy array, to the library of the argument `like`."""
    if not is_tensor(like):
        return array
    import torch

    if array.dtype.name == "bfloat16":
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)
