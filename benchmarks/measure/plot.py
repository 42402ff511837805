"""The ratios to the best peer as a picture."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception


def plot(results, path):
    """Writes a bar for each workload and number of threads, on a log scale."""
    import matplotlib  # pylint: disable=import-outside-toplevel
    matplotlib.use("Agg")
    from matplotlib import pyplot  # pylint: disable=import-outside-toplevel

    runs = results["runs"]
    names = [w["name"] for w in runs[0]["workloads"] if w["ratio"]]
    height = 0.8 / len(runs)
    figure, axes = pyplot.subplots(figsize=(9, 1.5 + 0.28 * max(len(names), 1) * len(runs) ** 0.5))
    for number, run in enumerate(runs):
        ratios = {w["name"]: w for w in run["workloads"]}
        rows = [(i, ratios[n]) for i, n in enumerate(names)
                if n in ratios and ratios[n]["ratio"]]
        bars = axes.barh([i + number * height for i, _ in rows], [w["ratio"] for _, w in rows],
                         height, label=f"{run['threads']} thread{'s'[:run['threads'] - 1]}")
        axes.bar_label(bars, [f"{w['ratio']:.1f} {w['best_peer']}" for _, w in rows],
                       padding=2, fontsize=6)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.margins(x=0.15, y=0.01)
    axes.set_yticks([i + 0.4 - height / 2 for i in range(len(names))], names, fontsize=7)
    axes.invert_yaxis()
    axes.set_xlabel("times faster than the best peer in the same layout")
    axes.legend(loc="best", fontsize=7)
    figure.tight_layout()
    figure.savefig(path, dpi=150)
    pyplot.close(figure)
