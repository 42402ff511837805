# Pooling for JAX on the CPU. Jitted programs call one handler through XLA's foreign function
# interface (FFI). See docs/Guides/UseInJAX.md.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pooling as JAX functions: jittable, differentiable, with vmap and jax.export.

`max_pool`, `min_pool`, `avg_pool`, `lp_pool`, `adaptive_max_pool`, `adaptive_avg_pool`,
`max_unpool` and the gradients of the first three have the names of functions of `pool_mlir`. Their
arguments differ in four ways. `nan_mode` is "propagate" by default, as in lax. `index_type`
replaces `index_element_type`, and is int32 by default. `out` and the zero points of averages are
missing. Attributes that are not part of the window must be named.

The functions run on the CPU. An exported program calls a handler that importing `pool_mlir.jax`
registers. So import it in each process that runs such a program.
"""

from .._advice import need_extra

need_extra("jax", "jax")

from ._functions import (adaptive_avg_pool, adaptive_max_pool, avg_pool, avg_pool_grad, lp_pool,
                         max_pool, max_pool_grad, max_unpool, min_pool, min_pool_grad)
from ._text import TARGET

__all__ = ["TARGET", "adaptive_avg_pool", "adaptive_max_pool", "avg_pool", "avg_pool_grad",
           "lp_pool", "max_pool", "max_pool_grad", "max_unpool", "min_pool", "min_pool_grad"]
