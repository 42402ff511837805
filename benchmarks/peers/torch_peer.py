"""PyTorch: its own kernels, its copy of oneDNN, and torch.compile."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools
import warnings

import ml_dtypes
import numpy as np
import torch
import torch.nn.functional as F
from pooltest import rules
from pooltest.peer_view import (first_case, indices_from_first, input_to_first,
                                output_from_first, with_explicit_pads)

from .base import Function, Peer, Unsupported, same_divisors, same_rounding


def to_tensor(x):
    if x.dtype == np.dtype(ml_dtypes.bfloat16):
        return torch.from_numpy(x.view(np.uint16)).view(torch.bfloat16)
    return torch.from_numpy(x)


def to_array(tensor, dtype):
    tensor = tensor.contiguous()
    if dtype == np.dtype(ml_dtypes.bfloat16):
        return tensor.view(torch.uint16).numpy().view(dtype)
    return tensor.numpy()


def expression(case):
    """Returns a function of a tensor with channels first. Raises Unsupported.

    Pads that the operator does not support become a `pad` before it, as users of PyTorch
    write it.
    """
    view = first_case(case)
    n = view.num_spatial
    if n > 3:
        raise Unsupported("has no more than 3 spatial dimensions")
    if case.pad_value != "neg_inf" or case.input_zp or case.output_zp:
        raise Unsupported("pads with -infinity and has no zero points")
    if view.auto_pad.startswith("same"):
        view = with_explicit_pads(view)
    ceil = not same_rounding(view, "floor")
    if ceil and not same_rounding(view, "ceil_torch"):
        raise Unsupported("its ceil_mode is ceil_torch")
    dims = rules.resolve(view)
    begin, end = [d.pad_begin for d in dims], [d.pad_end for d in dims]
    kernel = list(view.kernel)
    strides = list(view.strides or [1] * n)
    dilations = list(view.dilations or [1] * n)
    inside = begin == end and all(2 * b <= k for b, k in zip(begin, kernel))
    if view.op == "max_pool":
        pool = getattr(F, f"max_pool{n}d")
        options = {"dilation": dilations, "ceil_mode": ceil,
                   "return_indices": case.index_type is not None}
        fill = -float("inf") if case.is_float else int(np.iinfo(case.dtype).min)
        if not inside and case.index_type:
            raise Unsupported("has indices with symmetric pads of half a kernel only")
    elif view.op == "avg_pool":
        if any(d != 1 for d in dilations):
            raise Unsupported("has no dilated average")
        if not case.is_float:
            raise Unsupported("has no average of integers")
        options, fill = {"ceil_mode": ceil}, 0
        usable = same_divisors(view)
        if case.divisor_override is not None:
            options["divisor_override"] = case.divisor_override
        elif inside and ("valid" in usable or "padded" in usable):
            options["count_include_pad"] = "valid" not in usable
        elif inside or "kernel" not in usable:
            raise Unsupported(f"has no divisor '{case.divisor}' with these pads")
        if n == 1 and case.divisor_override is not None:
            raise Unsupported("has no divisor_override in one dimension")
        pool = getattr(F, f"avg_pool{n}d")
    elif view.p % 2 == 0 and not ceil and all(d == 1 for d in dilations):
        # torch's norm adds x ** p and not |x| ** p, which are equal for even p. The norm has
        # no pads, so `pad` must add them.
        inside = not any(begin + end)
        pool, options, fill = norm_of(view.p, n), {}, 0
    else:
        raise Unsupported("has norms with even p, without ceil and dilation")
    pads = [p for b, e in zip(reversed(begin), reversed(end)) for p in (b, e)]
    if inside:
        return lambda x: pool(x, kernel, strides, begin, **options)
    return lambda x: pool(F.pad(x, pads, value=fill), kernel, strides, 0, **options)


def norm_of(p, n):
    pool = getattr(F, f"lp_pool{n}d")
    return lambda x, kernel, strides, _: pool(x, p, kernel, strides)


def per_plane_to_whole(view, indices):
    """Turns PyTorch's indices within a plane into indices over the whole tensor."""
    plane = rules.product(view.shape[2:])
    planes = np.arange(rules.product(view.shape[:2])).reshape(
        list(view.shape[:2]) + [1] * view.num_spatial)
    return indices + planes * plane


class Torch(Peer):
    names = ("torch", "torch-mkldnn", "torch-inductor")
    obeys_isa = True

    def __init__(self, context):
        super().__init__(context)
        torch.set_num_threads(context.threads)
        torch.set_grad_enabled(False)
        warnings.filterwarnings("ignore")

    def version(self):
        return torch.__version__

    def prepare(self, name, workload, x):
        case = workload.case
        function = expression(case)
        if name == "torch-mkldnn":
            return self.prepare_mkldnn(case, function, x)
        tensor = to_tensor(x)
        if case.layout == "channels_last":
            # A view; the data stay in place.
            tensor = tensor.movedim(-1, 1)
        compiles = name == "torch-inductor"
        if compiles:
            torch._dynamo.reset()
            function = torch.compile(function, dynamic=False)
        return Function(functools.partial(function, tensor),
                        lambda last: self.read(case, last), compiles)

    @staticmethod
    def prepare_mkldnn(case, function, x):
        """On oneDNN's tensors, the same functions use oneDNN's operators."""
        if case.layout != "channels_first" or case.element_type != "f32":
            raise Unsupported("written here for channels first and f32")
        if case.index_type or case.op == "lp_pool" or case.num_spatial not in (2, 3) \
                or any(d != 1 for d in case.dilations or ()):
            raise Unsupported("has no indices, no norms, no dilation, and 2 and 3 dimensions")
        tensor = torch.from_numpy(input_to_first(case, x)).to_mkldnn()
        return Function(functools.partial(function, tensor),
                        lambda last: (last.to_dense().numpy(), None))

    @staticmethod
    def read(case, last):
        values = last[0] if isinstance(last, tuple) else last
        values = output_from_first(case, to_array(values, case.dtype))
        if not case.index_type:
            return values, None
        view = first_case(case)
        whole = per_plane_to_whole(view, last[1].contiguous().numpy())
        return values, indices_from_first(case, whole)
