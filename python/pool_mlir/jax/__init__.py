# Pooling for JAX: jitted programs call one handler through XLA's foreign function
# interface, on the CPU. See docs/Guides/UseInJAX.md.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pooling as JAX functions: jittable, differentiable, with vmap and jax.export.

`max_pool`, `min_pool`, `avg_pool`, `lp_pool`, `adaptive_max_pool`, `adaptive_avg_pool`
and `max_unpool` have nearly the arguments of the functions of `pool_mlir`, but `nan_mode` is
"propagate" by default, as in lax. They run on the CPU. An exported program holds the
operation as text, so a process that runs it must import `pool_mlir.jax` first.
"""

from .._advice import need_extra

need_extra("jax", "jax")

from ._functions import (adaptive_avg_pool, adaptive_max_pool, avg_pool, avg_pool_grad, lp_pool,
                         max_pool, max_pool_grad, max_unpool, min_pool, min_pool_grad)
from ._text import TARGET

__all__ = ["TARGET", "adaptive_avg_pool", "adaptive_max_pool", "avg_pool", "avg_pool_grad",
           "lp_pool", "max_pool", "max_pool_grad", "max_unpool", "min_pool", "min_pool_grad"]
