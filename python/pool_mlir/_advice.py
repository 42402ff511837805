"""Advice in messages about missing packages, and about names that other libraries have."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import importlib.machinery
import importlib.util
import pathlib
import re
import sys

# Matches the names of pooling in torch, Keras, TensorFlow, Flax, ONNX and OpenVINO, in lower case
# and without underscores.
NAME = re.compile(
    r"(global|adaptive)?(max|avg|average|min|lp)(un)?pool(ing)?([123]d)?(withindices)?")
# Matches the names that pool_mlir.torch has.
TORCH = re.compile(r"((adaptive_)?(max|avg)_pool|lp_pool|max_unpool|"
                   r"(Adaptive)?(Max|Avg)Pool|LPPool|MaxUnpool)[123]d")
# Matches the Python version in the file name of a compiled module. A `t` marks the free-threaded
# build.
TAG = re.compile(r"\.cpython-(\d)(\d+)(t?)")


def need(package, message):
    """Raises ModuleNotFoundError with `message` if no module `package` is installed."""
    if sys.modules.get(package) is None and importlib.util.find_spec(package) is None:
        raise ModuleNotFoundError(message, name=package)


def need_onnx():
    need("onnx", "ONNX models need the package onnx: pip install onnx")


def need_tflite():
    need("ai_edge_litert",
         "TFLite models need the package ai-edge-litert: pip install ai-edge-litert")


def need_extra(extra, *packages):
    """Raises ModuleNotFoundError if one of `packages`, which `pool_mlir.<extra>` needs, is not
    installed. The message says which extra of pool-mlir to install."""
    for package in packages:
        need(package, f"pool_mlir.{extra} needs the package {package}: "
                      f'pip install "pool-mlir[{extra}]"')


def _name_python(major, minor, is_free):
    return f"{'free-threaded ' if is_free else ''}Python {major}.{minor}"


def explain_import(directory, error):
    """Raises ImportError if `directory` has no compiled module for this Python. The message names
    the Pythons of the compiled modules that are there. Returns if there is a module for this
    Python: then its import failed for another reason. `error` is the failure of the import."""
    names = sorted(path.name for path in pathlib.Path(directory).glob("_pool_mlir.*so"))
    own = _name_python(*sys.version_info[:2], "t" in sys.abiflags)
    found = []
    for name in names:
        tag = TAG.search(name)
        is_stable = name.endswith(".abi3.so")
        # EXTENSION_SUFFIXES has .abi3.so except in free-threaded Python. The package's .abi3.so
        # needs Python 3.12.
        fits = any(name == f"_pool_mlir{suffix}"
                   for suffix in importlib.machinery.EXTENSION_SUFFIXES)
        if fits and (not is_stable or sys.version_info >= (3, 12)):
            return
        found.append("Python 3.12 and later" if is_stable else
                     _name_python(*tag.groups()) if tag else "another Python")
    if found:
        message = (f"pool_mlir in {directory} was built for {' and '.join(found)}, this is {own} "
                   f"({sys.executable}): run it with that Python, or install pool-mlir for this "
                   "one")
    else:
        message = (f"pool_mlir in {directory} has no compiled part, _pool_mlir: install the "
                   "package, for example with pip install . in the source tree")
    raise ImportError(message, name="pool_mlir._pool_mlir", path=error.path) from error


def explain_name(name):
    """Returns advice to append to an error message: the function to use instead of `name`, a
    pooling name of another library. Returns an empty string for any other name."""
    words = NAME.fullmatch(name.lower().replace("_", ""))
    if not words:
        return ""
    prefix, kind, un = words.groups()[:3]
    kind = "avg" if kind == "average" else kind
    if un:
        advice = "pool_mlir.max_unpool unpools any number of dimensions"
    elif prefix and kind in ("max", "avg"):
        advice = (f"pool_mlir.adaptive_{kind}_pool pools any number of dimensions; output_size 1 "
                  "is global pooling")
    else:
        advice = f"pool_mlir.{kind}_pool pools any number of dimensions"
    if TORCH.fullmatch(name):
        advice += f"; pool_mlir.torch.{name} has torch's arguments"
    return f": {advice}"
