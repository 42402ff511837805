#!/usr/bin/env python3
"""Checks how the libraries depend on one another, and the strategies of the vector lowering.

- A file of lib or include/pool includes public headers of its own library and of earlier layers.
- A private header, which is beside the sources, is for its own library.
- An installed header includes no header that cmake/CMakeLists.txt does not install.
- A library's CMakeLists.txt links only libraries of its own folder and of earlier layers.
- The dialect includes none of the dialects that its lowerings build.
- In lib/Conversion/PoolToVector the same holds for its folders. Only one file there creates
  operations of the scf dialect, and only one defines limits.

Prints file:line: message for each violation, and fails if there is any.

usage: check-layers.py [ROOT]
       check-layers.py --plot FILE [ROOT]     draw the libraries and their includes
       check-layers.py --plot-vector FILE [ROOT]     draw the folders of the vector lowering
Drawing needs matplotlib.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import collections
import pathlib
import re
import sys

# From the bottom to the top; libraries of one layer do not include each other. A folder stands
# for all folders below it that are not named themselves.
LIBRARIES = [
    {"Support", "StaticLLVM"},
    {"Dialect/Pool/IR", "Target"},
    {"Dialect/Pool/Utils"},
    {"Dialect/Pool/Transforms"},
    {"Conversion", "Partition", "Reference", "Upstream"},
    {"Conversion/PoolToLinalg", "Conversion/GPUPlans", "Conversion/LinalgToPool",
     "Conversion/PoolToAffine", "Conversion/PoolToLoops", "Conversion/PoolToStablehlo",
     "Conversion/PoolToTosa", "Conversion/StablehloExtents", "Conversion/StablehloToPool",
     "Conversion/TosaToPool"},
    {"Conversion/PoolToVector"},
    {"Conversion/SelectPlan"},
    {"Pipelines"},
    {"GPU"},
    {"ExecutionEngine", "Import/OpenVINO", "Import/StableHLO"},
    {"InitAll"},
    {"CAPI", "Tools"},
]
# Includes the headers of all conversions, as upstream's mlir/Conversion/Passes.h does.
UMBRELLA = "include/pool/Conversion/Passes.h"
VECTOR = "lib/Conversion/PoolToVector"
# The folders of VECTOR likewise. The passes and the tables of strategies, which know all
# layers, have no folder.
FOLDERS = [
    {"Emit"},
    {"Problem"},
    {"Fusion"},
    {"Reduce"},
    {"Adaptive", "Channels", "Gather", "Planes", "Scatter", "Separate", "Staged"},
    {"."},
]
BUILT = re.compile(r'#include "mlir/Dialect/(Affine|ControlFlow|Linalg|Math|MemRef|SCF|Vector)/')
INCLUDE = re.compile(r'#include "([\w/]+\.h)"')
BUILDER = "Emit/KernelBuilder.cpp"
CREATION = re.compile(r"\bscf::(\w+::create|build\w+)\(|create\w*<scf::")
LIMITS = "Problem/Limits.h"
LIMIT = re.compile(r"\bconstexpr (int64_t|double) k\w+ = [\d.]+;")
LINKED = re.compile(r"add_pool_library\((\w+)(.*?)\n\)", re.S)


def levels(layers):
    return {name: level for level, names in enumerate(layers) for name in names}


LEVELS, FOLDER_LEVELS = levels(LIBRARIES), levels(FOLDERS)


def library_of(folder):
    """Returns the library that `folder`, below lib or include/pool, belongs to, or None."""
    while folder not in LEVELS:
        if "/" not in folder:
            return None
        folder = folder.rpartition("/")[0]
    return folder


def may_use(own, other):
    return own == other or LEVELS[other] < LEVELS[own]


def lines_of(path):
    return enumerate(path.read_text(encoding="utf-8").splitlines(), 1)


class Tree:
    def __init__(self, root):
        self.root = root
        self.sources = sorted(p for top in ("lib", "include/pool") for ext in ("h", "cpp")
                              for p in (root / top).rglob(f"*.{ext}"))

    def place(self, path):
        """Returns (library, folder) of a source; the folder is below lib or include/pool."""
        name = path.relative_to(self.root).as_posix()
        folder = re.sub(r"^(lib|include/pool)/?", "", name).rpartition("/")[0]
        # include/pool/InitAll.h is the header of lib/InitAll.
        folder = folder or path.stem
        return library_of(folder), folder

    def includes(self, path):
        """Yields (line, header, library) of each include of ours; the library of a private
        header that is not in `path`'s own library is None."""
        own, folder = self.place(path)
        for number, line in lines_of(path):
            match = INCLUDE.match(line)
            if not match:
                continue
            header = match[1]
            if header.startswith("pool/"):
                folder_of = header.removeprefix("pool/").rpartition("/")[0]
                yield number, header, library_of(folder_of or header[5:-2])
            elif not header.startswith(("mlir/", "llvm/", "pool-c/", "mlir-c/", "gtest/")):
                yield number, header, self.private(own, folder, header)

    def private(self, own, folder, header):
        """Returns `own` if the header is of that library, or of the folder above that its
        conversions share."""
        while True:
            if (self.root / "lib" / folder / header).exists():
                owner = library_of((folder + "/" + header).rpartition("/")[0])
                return owner if owner == own or owner == "Conversion" else None
            if "/" not in folder:
                return None
            folder = folder.rpartition("/")[0]

    def check_libraries(self):
        for path in self.sources:
            name = path.relative_to(self.root)
            own, folder = self.place(path)
            if own is None:
                yield name, 1, f"{folder or '.'} is in no layer of scripts/check-layers.py"
                continue
            for number, header, other in self.includes(path):
                if other is None:
                    yield name, number, f"{own} must not include the private header {header}"
                elif not may_use(own, other) and name.as_posix() != UMBRELLA:
                    yield name, number, (f"{own} must not include {other}, which is not in an "
                                         "earlier layer")
            if own == "Dialect/Pool/IR":
                for number, line in lines_of(path):
                    if match := BUILT.match(line):
                        yield name, number, (f"the dialect must not include {match[1]}; models "
                                             "of interfaces are in Dialect/Pool/Transforms")

    def check_installed(self):
        path = self.root / "cmake/CMakeLists.txt"
        if not path.exists():
            return
        pattern = re.search(r'POOL_PRIVATE_HEADERS "(.*?)"', path.read_text(encoding="utf-8"),
                            re.S)[1].replace("\\\n", "")
        private = re.compile(pattern)
        headers = [(source, source.relative_to(self.root / "include/pool").as_posix())
                   for source in self.sources if source.is_relative_to(self.root / "include/pool")]
        # A name that CMake's regular expression spells wrongly hides nothing.
        found = {source.stem for source, inner in headers if private.match(inner)}
        for name in re.findall(r"\w+(?=[|)])", pattern):
            if name not in found:
                yield path.relative_to(self.root), 1, f"there is no private header {name}.h"
        for source, inner in headers:
            if private.match(inner):
                continue
            for number, header, _ in self.includes(source):
                if private.match(header.removeprefix("pool/")):
                    yield (source.relative_to(self.root), number,
                           f"an installed header must not include {header}")

    def check_links(self):
        owners, links = {}, []
        for path in sorted((self.root / "lib").rglob("CMakeLists.txt")):
            text = path.read_text(encoding="utf-8")
            for match in LINKED.finditer(text):
                folder = path.parent.relative_to(self.root / "lib").as_posix()
                owners[match[1]] = library_of(folder)
                after = match[2].partition("LINK_LIBS")[2]
                number = text[:match.start()].count("\n") + 1
                links += [(path.relative_to(self.root), number, match[1], other)
                          for other in after.split()]
        for name, number, library, other in links:
            if other in owners and not may_use(owners[library], owners[other]):
                yield name, number, f"{library} must not link {other}, which is above it"

    def check_vector(self):
        folder = self.root / VECTOR
        for path in sorted([*folder.rglob("*.h"), *folder.rglob("*.cpp")]):
            inner = path.relative_to(folder)
            own = inner.parent.as_posix()
            name = path.relative_to(self.root)
            if own not in FOLDER_LEVELS:
                yield name, 1, f"{own} is in no layer of scripts/check-layers.py"
                continue
            for number, line in lines_of(path):
                match = INCLUDE.match(line)
                other = match[1].rpartition("/")[0] if match else own
                if other in FOLDER_LEVELS and other != own \
                        and FOLDER_LEVELS[other] >= FOLDER_LEVELS[own]:
                    yield name, number, (f"{own} must not include {other}, which is not in an "
                                         "earlier layer")
                if CREATION.search(line) and inner.as_posix() != BUILDER:
                    yield name, number, f"only {BUILDER} creates operations of scf"
                if LIMIT.search(line) and inner.as_posix() != LIMITS:
                    yield name, number, f"only {LIMITS} defines limits"

    def count_libraries(self):
        """Returns {(user, used): number of includes} of the libraries."""
        counts = collections.Counter()
        for path in self.sources:
            own, _ = self.place(path)
            counts.update((own, other) for _, _, other in self.includes(path))
        return counts

    def count_folders(self):
        counts = collections.Counter()
        folder = self.root / VECTOR
        for path in [*folder.rglob("*.h"), *folder.rglob("*.cpp")]:
            own = path.parent.relative_to(folder).as_posix()
            for _, line in lines_of(path):
                match = INCLUDE.match(line)
                if match and (other := match[1].rpartition("/")[0]) in FOLDER_LEVELS:
                    counts[own, other] += 1
        return counts


def without_shortcuts(includes):
    """Returns the includes of which no other path of includes leads to the same library."""
    used = collections.defaultdict(set)
    for user, other in includes:
        used[user].add(other)
    reached = {}

    def reach(name):
        if name not in reached:
            reached[name] = set()
            for other in used[name] - {name}:
                reached[name] |= {other} | reach(other)
        return reached[name]

    return {(user, other): count for (user, other), count in includes.items()
            if not any(other in reach(between) for between in used[user] - {user, other})}


def plot(layers, includes, labels, output):
    """Draws a box for each name and a line for its includes of another, which is as wide as
    they are many."""
    import matplotlib  # pylint: disable=import-outside-toplevel
    matplotlib.use("Agg")
    from matplotlib import pyplot  # pylint: disable=import-outside-toplevel

    # Layers of one box step aside in turns, so that lines past them are seen.
    places = {name: ((i + 0.5) / len(names) + (len(names) == 1) * 0.12 * (-1) ** level, level)
              for level, names in enumerate(layers) for i, name in enumerate(sorted(names))}
    widest = max(map(len, layers))
    figure, axes = pyplot.subplots(figsize=(max(10, 1.6 * widest), 0.9 * len(layers) + 1))
    for (user, used), count in includes.items():
        if user != used:
            (x0, y0), (x1, y1) = places[user], places[used]
            # Lines that skip layers pass beside the boxes between.
            bend = 0 if y0 - y1 == 1 else 0.15 if x0 >= 0.5 else -0.15
            axes.annotate("", (x1, y1 + 0.17), (x0, y0 - 0.17), arrowprops={
                "arrowstyle": "-|>", "color": "tab:blue", "alpha": 0.5,
                "linewidth": 0.5 + count / 6, "connectionstyle": f"arc3,rad={bend}"})
    for name, (x, y) in places.items():
        axes.text(x, y, labels.get(name, name), ha="center", va="center", fontsize=8,
                  bbox={"boxstyle": "round", "facecolor": "white"})
    axes.set_xlim(0, 1)
    axes.set_ylim(-0.5, len(layers) - 0.5)
    axes.axis("off")
    figure.tight_layout()
    figure.savefig(output, dpi=80)
    pyplot.close(figure)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n\n")[0],
                                     add_help=True)
    parser.add_argument("root", nargs="?", default=".", type=pathlib.Path)
    parser.add_argument("--plot")
    parser.add_argument("--plot-vector")
    options = parser.parse_args()
    tree = Tree(options.root)
    if options.plot:
        shorter = {name: name.replace("Conversion/", "").replace("Dialect/Pool/", "dialect: ")
                   for name in LEVELS}
        plot(LIBRARIES, without_shortcuts(tree.count_libraries()), shorter, options.plot)
    if options.plot_vector:
        plot(FOLDERS, tree.count_folders(), {".": "the folder itself"}, options.plot_vector)
    status = 0
    for check in (tree.check_libraries, tree.check_installed, tree.check_links,
                  tree.check_vector):
        for name, number, message in check():
            print(f"{name}:{number}: {message}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
