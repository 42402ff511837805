"""torch's pooling, by kernels of pool_mlir: functions and modules with the names,
arguments and exceptions of torch's. docs/Guides/UseInPyTorch.md has examples and times."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from ._functional import fallbacks, functions
from ._modules import convert, modules, unconvert
from ._patch import patch

globals().update(functions)
globals().update(modules)
__all__ = ["convert", "fallbacks", "patch", "unconvert", *functions, *modules]
