# The extension modules of the bindings are linked into one shared object, the file of `_mlir`.
# Python finds only `_mlir` by its file name; `load` imports the other modules from that file.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import importlib.util
import sys
from importlib.machinery import ExtensionFileLoader

from . import _mlir


def load(name):
    """Imports the extension module `name`, and puts it into sys.modules in place of the Python
    module of that name, which calls this function."""
    loader = ExtensionFileLoader(name, _mlir.__file__)
    spec = importlib.util.spec_from_file_location(name, _mlir.__file__, loader=loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    sys.modules[name] = module
