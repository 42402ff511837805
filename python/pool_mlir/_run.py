"""`python -m pool_mlir run`: calls a function on arrays in files."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import io
import statistics
import zipfile

import numpy as np

from . import _timing, compile
from ._models import read_module
from ._pool_mlir import _write_files


def run(options):
    compiled = compile(read_module(options.model, options.pool_layers), options.entry)
    inputs = [load(path) for path in options.inputs]
    results = compiled(*inputs)
    results = results if isinstance(results, tuple) else (results,)
    if options.output and len(options.output) != len(results):
        raise ValueError(f"there are {len(results)} result(s), but {len(options.output)} "
                         "output file(s) given")
    if options.repeat:
        taken = sorted(time for time in _timing.calls(lambda: compiled(*inputs), options.repeat))
        print(f"min_us={taken[0] * 1e6:.3f} median_us={statistics.median(taken) * 1e6:.3f} "
              f"calls={len(taken)}")
    if options.output:
        save(options.output, results)
        return
    for number, result in enumerate(results):
        if isinstance(result, np.ndarray):
            print(f"result {number}: {result.dtype} {result.shape}")
        print(result)


def load(path):
    """Loads an .npy file. Raises ValueError for any other content. NumPy saves the bf16 of
    ml_dtypes as opaque elements of two bytes, so such elements become bf16 again."""
    try:
        with open(path, "rb") as file:
            array = np.lib.format.read_array(file, allow_pickle=False)
    except ValueError as error:
        advice = "; numpy.savez made an .npz file, numpy.save makes an .npy file" if (
            zipfile.is_zipfile(path)) else ""
        raise ValueError(f"{path}: not an .npy file of numbers: {error}{advice}") from error
    if array.dtype == np.dtype("V2"):
        import ml_dtypes

        return array.view(ml_dtypes.bfloat16)
    return array


def save(paths, arrays):
    """Writes each array to the path with the same index, as .npy. If one write fails, changes no
    file."""
    contents = []
    for array in arrays:
        file = io.BytesIO()
        np.save(file, np.asarray(array), allow_pickle=False)
        contents.append(file.getvalue())
    _write_files(paths, contents)
