"""Advice in the errors of imports, and of names that other libraries have."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import importlib.machinery
import importlib.util
import pathlib
import re
import sys

# Names of pooling in torch, Keras, TensorFlow, Flax, ONNX and OpenVINO, without underscores.
NAME = re.compile(
    r"(global|adaptive)?(max|avg|average|min|lp)(un)?pool(ing)?([123]d)?(withindices)?")
# Names in pool_mlir.torch.
TORCH = re.compile(r"((adaptive_)?(max|avg)_pool|lp_pool|max_unpool|"
                   r"(Adaptive)?(Max|Avg)Pool|LPPool|MaxUnpool)[123]d")
# The rule by which CPython names the files of compiled modules, for one version.
TAG = re.compile(r"\.cpython-(\d)(\d+)(t?)")


def need(package, message):
    """Raises ModuleNotFoundError with `message` if there is no module `package`."""
    if sys.modules.get(package) is None and importlib.util.find_spec(package) is None:
        raise ModuleNotFoundError(message, name=package)


def need_onnx():
    need("onnx", "ONNX models need the package onnx: pip install onnx")


def need_tflite():
    need("ai_edge_litert",
         "TFLite models need the package ai-edge-litert: pip install ai-edge-litert")


def need_extra(extra, *packages):
    """Raises ModuleNotFoundError, which names the extra to install, if the module
    `pool_mlir.<extra>` lacks one of `packages`."""
    for package in packages:
        need(package, f"pool_mlir.{extra} needs the package {package}: "
                      f'pip install "pool-mlir[{extra}]"')


def _name_python(major, minor, is_free):
    return f"{'free-threaded ' if is_free else ''}Python {major}.{minor}"


def explain_import(directory, error):
    """Raises ImportError with the reason why `directory` has no compiled module for this Python.
    Returns if there is one, which then failed for another reason."""
    names = sorted(path.name for path in pathlib.Path(directory).glob("_pool_mlir.*so"))
    own = _name_python(*sys.version_info[:2], "t" in sys.abiflags)
    found = []
    for name in names:
        tag = TAG.search(name)
        is_stable = name.endswith(".abi3.so")
        # Python without the GIL loads no .abi3.so.
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
    """Returns advice for a name of pooling in other libraries, or an empty string."""
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
