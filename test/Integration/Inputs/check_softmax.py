"""Compares the results of softmax.mlir on every path with NumPy's softmax: check_softmax.py
FOLDER.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import sys
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])
x = np.load(folder / "x.npy").astype("f8")
with np.errstate(invalid="ignore"):
    shares = np.exp(x - np.nanmax(x, axis=2, keepdims=True))
expected = shares / shares.sum(axis=2, keepdims=True)
assert np.isnan(expected[0, 1]).all() and np.isnan(expected[1, 1]).all()
for path in ("linalg", "affine", "vector", "threads"):
    result = np.load(folder / f"{path}.npy")
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-30, err_msg=path)
