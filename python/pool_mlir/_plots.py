"""Loads matplotlib for the options `--plot`."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception


def load(path):
    """Returns pyplot, for a file of this name. Raises ImportError without matplotlib, so it
    is called before anything is measured."""
    try:
        import matplotlib
    except ImportError as error:
        raise ImportError("--plot needs the package matplotlib: pip install matplotlib") from error
    matplotlib.use("svg" if path.endswith(".svg") else "agg")
    from matplotlib import pyplot

    return pyplot
