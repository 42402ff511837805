"""torch's pooling functions and modules, computed by kernels of pool_mlir. Names, arguments and
exceptions are torch's. See docs/Guides/UseInPyTorch.md for examples and times."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from .._advice import need_extra

need_extra("torch", "torch")

from ._functional import fallbacks, functions
from ._modules import convert, modules, unconvert
from ._patch import patch

globals().update(functions)
globals().update(modules)
__all__ = ["convert", "fallbacks", "patch", "unconvert", *functions, *modules]
