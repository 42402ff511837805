"""SciPy's filters of scipy.ndimage."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

from ..adapter import Adapter, Results, Unsupported
from ..tensor import is_float
from ..vector import Vector
from ._view import View, assignments, imports, python_call

FUNCTIONS = {"max_pool": "maximum_filter", "min_pool": "minimum_filter",
             "avg_pool": "uniform_filter"}


def make_call(vector: Vector) -> str:
    """Returns the call of the filter.

    SciPy's document states: the result has the input's extents; the window's centre is its
    element `k // 2`, so an even window has the larger pad in front; outside the input all
    elements have the value `cval`.
    """
    op = vector.operation
    if op not in FUNCTIONS:
        raise Unsupported(f"SciPy has no {op}")
    if vector["index_type"]:
        raise Unsupported("SciPy has no indices")
    if any(stride != 1 for stride in vector["strides"]):
        raise Unsupported("SciPy's filters have no strides")
    if any(dilation != 1 for dilation in vector["dilations"]):
        raise Unsupported("SciPy's filters have no dilations")
    if vector.type in ("f16", "bf16", "f8E4M3FN", "f8E5M2"):
        raise Unsupported(f"scipy.ndimage has no {vector.type}")
    if not vector.means_same(auto_pad="same_lower", rounding_type="floor"):
        raise Unsupported("SciPy's filters have only pads that keep the input's extents")
    size = (1, 1, *vector["kernel"])
    if op == "avg_pool":
        Adapter.only(vector, divisor_override=None, input_zp=0, output_zp=0)
        Adapter.check_nan(vector, "propagate")
        Adapter.choose(vector, "divisor", "kernel")
        if not is_float(vector.type):
            raise Unsupported("no document says how averages of integers are rounded")
        return python_call("ndimage.uniform_filter", ["x"],
                           {"size": size, "mode": "constant", "cval": 0.0})
    Adapter.check_nan(vector, None)
    if vector["pad_value"] == "zero":
        value = "0"
    elif is_float(vector.type):
        value = "-np.inf" if op == "max_pool" else "np.inf"
    else:
        value = f"np.iinfo(x.dtype).{'min' if op == 'max_pool' else 'max'}"
    return f"ndimage.{FUNCTIONS[op]}(x, size={size}, mode='constant', cval={value})"


class SciPy(Adapter):
    """Windows with stride 1 and as many results as elements."""

    title = "SciPy"
    requirements = ("scipy", "numpy")
    documents = ()
    tracker = "https://github.com/scipy/scipy/issues"

    def __init__(self) -> None:
        import numpy
        import scipy
        import scipy.ndimage
        self.scipy = scipy
        self.names = {"ndimage": scipy.ndimage, "np": numpy}

    def version(self) -> str:
        return self.scipy.__version__

    def run(self, vector: Vector) -> Results:
        view = View(vector, "channels_first", range(1, 9))
        call = make_call(view.vector)
        with self.system():
            return view.back({"values": eval(call, {**self.names, "x": view.vector.x.array})})

    def reproduce(self, vector: Vector) -> str:
        view = View(vector, "channels_first", range(1, 9))
        call = make_call(view.vector)
        return "\n".join([*imports(view.vector, "from scipy import ndimage"), "",
                          *assignments(view.vector), f"print({call})"]) + "\n"


ADAPTERS = {"scipy": SciPy}
