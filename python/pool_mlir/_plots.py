"""Loads matplotlib for the options `--plot`."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception


def load(path):
    """Returns pyplot of matplotlib, ready to write the file `path`. Raises ImportError if
    matplotlib is missing, so call it before any long measurement."""
    try:
        import matplotlib
    except ImportError as error:
        raise ImportError("--plot needs the package matplotlib: pip install matplotlib") from error
    matplotlib.use("svg" if path.endswith(".svg") else "agg")
    from matplotlib import pyplot

    return pyplot
