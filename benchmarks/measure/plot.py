"""Draws the ratios to the best peer."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from .report import FLOOR


def load():
    """Returns matplotlib's pyplot, which draws to files only."""
    import matplotlib  # pylint: disable=import-outside-toplevel
    matplotlib.use("Agg")
    from matplotlib import pyplot  # pylint: disable=import-outside-toplevel
    return pyplot


def plot(results, path):
    """Draws a bar from 1 to the ratio for each workload and number of threads, on a log
    scale. A bar to the right means that this project is faster than the best peer."""
    pyplot = load()
    runs = [run for run in results["runs"] if any(w["ratio"] for w in run["workloads"])]
    names = list(dict.fromkeys(w["name"] for run in runs for w in run["workloads"]
                               if w["ratio"] and w["name"] != FLOOR))
    places = {name: place for place, name in enumerate(names)}
    height = 0.8 / max(len(runs), 1)
    figure, axes = pyplot.subplots(figsize=(9, 1.5 + 0.2 * len(names) * max(len(runs), 1)))
    axes.set_xscale("log")
    for number, run in enumerate(runs):
        workloads = [w for w in run["workloads"] if w["ratio"] and w["name"] in places]
        threads = f"{run['threads']} thread{'s' if run['threads'] > 1 else ''}"
        mean = f", geometric mean {run['geometric_mean']:.2f}" if run["geometric_mean"] else ""
        shift = (number - (len(runs) - 1) / 2) * height
        axes.barh([places[w["name"]] + shift for w in workloads],
                  [w["ratio"] - 1 for w in workloads], height, left=1, label=threads + mean)
        for workload in workloads:
            axes.annotate(f" {workload['ratio']:.3g} {workload['best_peer']} ",
                          (max(workload["ratio"], 1), places[workload["name"]] + shift),
                          va="center", fontsize=6)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.margins(x=0.2, y=0.01)
    axes.set_yticks(range(len(names)), names, fontsize=7)
    axes.invert_yaxis()
    axes.set_xlabel("times faster than the best peer in the same layout")
    if runs:
        axes.legend(loc="best", fontsize=7)
    figure.tight_layout()
    figure.savefig(path, dpi=150)
    pyplot.close(figure)
