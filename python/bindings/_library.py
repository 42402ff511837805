# All extension modules of the bindings are in one shared object, the file of `_mlir`.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import importlib.util
import sys
from importlib.machinery import ExtensionFileLoader

from . import _mlir


def load(name):
    """Replaces the module `name` by the extension module of that name."""
    loader = ExtensionFileLoader(name, _mlir.__file__)
    spec = importlib.util.spec_from_file_location(name, _mlir.__file__, loader=loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    sys.modules[name] = module
