#!/usr/bin/env python3
"""Lists the third-party parts inside the wheels and the tools' archive, for their licences
and the bill of materials. A new part needs an entry here, and its licence file one in
check-wheel.py.

    shipped-parts.py --licenses DIRECTORY    a licence file for every part
    ... --without libomp pugixml             but not for these
    shipped-parts.py --bill FILE.json        the parts, as CycloneDX

Versions and licences come from the Debian packages of the files, and for nanobind from its
Python package. The exit code is 1 if a part or its licence is not found.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
APACHE = "Apache-2.0 WITH LLVM-exception"
# (name, SPDX expression, a file of the Debian package). Of several matches of a pattern, the
# last one counts.
DEBIAN = [
    ("LLVM and MLIR", APACHE, "/usr/lib/llvm-22/lib/libMLIRIR.a"),
    ("libomp", APACHE, "/usr/lib/llvm-22/lib/libomp.so"),
    ("libstdc++", "GPL-3.0-or-later WITH GCC-exception-3.1", "/usr/lib/gcc/*/*/libstdc++.a"),
    ("pugixml", "MIT", "/usr/lib/*/libpugixml.a"),
    ("zlib", "Zlib", "/usr/lib/*/libz.a"),
    ("zstd", "BSD-3-Clause", "/usr/lib/*/libzstd.a"),
]
# Texts that the licence of libstdc++ refers to
TEXTS = ["/usr/share/common-licenses/GPL-3"]


class NotFound(Exception):
    """A part or its licence was not found."""


class Part:
    def __init__(self, name, spdx, version, licence):
        self.name, self.spdx, self.version, self.licence = name, spdx, version, licence
        if not licence.strip():
            raise NotFound(f"{name} has no licence file")

    @property
    def file_name(self):
        return re.sub(r"[^A-Za-z0-9+]+", "-", self.name) + ".txt"


def debian_part(name, spdx, pattern):
    files = [os.path.realpath(path) for path in sorted(glob.glob(pattern))]
    if not files:
        raise NotFound(f"{name}: there is no {pattern}")

    def query(*arguments):
        return subprocess.run(["dpkg-query", *arguments], check=True, text=True,
                              stdout=subprocess.PIPE).stdout

    package = query("-S", files[-1]).split(": ")[0]
    version = query("-W", "-f", "${Version}", package)
    doc = Path("/usr/share/doc", package.split(":")[0], "copyright")
    return Part(name, spdx, version, doc.read_text(encoding="utf-8"))


def nanobind_parts():
    """Yields nanobind, and the hash map inside it. The hash map's header has its licence."""
    package = metadata.distribution("nanobind")
    texts = {path.name: path for path in package.files or []}
    if "LICENSE" not in texts or "robin_map.h" not in texts:
        raise NotFound("nanobind without LICENSE or robin_map.h")
    read = {name: texts[name].locate().read_text(encoding="utf-8") for name in
            ("LICENSE", "robin_map.h")}
    yield Part("nanobind", "BSD-3-Clause", package.version, read["LICENSE"])
    header = re.match(r"\s*/\*.*?\*/", read["robin_map.h"], re.DOTALL)
    yield Part("robin-map", "MIT", f"nanobind {package.version}",
               header.group() if header else "")


def parts(with_nanobind, without):
    for row in DEBIAN:
        if row[0] not in without:
            yield debian_part(*row)
    if with_nanobind:
        yield from nanobind_parts()


def write_licenses(directory, found):
    directory.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "LICENSE", directory / "LICENSE")
    for part in found:
        (directory / part.file_name).write_text(part.licence, encoding="utf-8")
    for text in TEXTS:
        shutil.copy(text, directory / (Path(text).name + ".txt"))


def bindings_parts(found):
    """Yields nanobind's parts in the wheel of MLIR's bindings, which pins another version."""
    pins = (ROOT / "scripts/requirements-bindings.txt").read_text(encoding="utf-8")
    pinned = re.search(r"^nanobind==(\S+)", pins, re.MULTILINE).group(1)
    for part in found:
        if part.name in ("nanobind", "robin-map") and not part.version.endswith(pinned):
            version = re.sub(r"[0-9.]+$", pinned, part.version)
            yield Part(part.name, part.spdx, version, part.licence)


def write_bill(path, found):
    cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    version = re.search(r"^project\(Pool VERSION ([0-9.]+)", cmake, re.MULTILINE).group(1)
    bill = {
        "bomFormat": "CycloneDX", "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {"type": "library", "name": "pool-mlir", "version": version,
                                   "licenses": [{"expression": APACHE}]}},
        "components": [{"type": "library", "name": part.name, "version": part.version,
                        "licenses": [{"expression": part.spdx}]} for part in found],
    }
    path.write_text(json.dumps(bill, indent=2) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--licenses", type=Path, metavar="DIRECTORY")
    parser.add_argument("--bill", type=Path, metavar="FILE.json")
    parser.add_argument("--no-nanobind", action="store_true",
                        help="without the Python module, as for the tools")
    parser.add_argument("--without", nargs="+", default=[], metavar="PART",
                        choices=[row[0] for row in DEBIAN], help="parts that are not inside")
    options = parser.parse_args()
    if not options.licenses and not options.bill:
        parser.error("nothing to do: --licenses or --bill")
    try:
        found = list(parts(not options.no_nanobind, options.without))
        if options.licenses:
            write_licenses(options.licenses, found)
        if options.bill:
            write_bill(options.bill, [*found, *bindings_parts(found)])
    except (NotFound, OSError, metadata.PackageNotFoundError,
            subprocess.CalledProcessError) as error:
        sys.exit(f"shipped-parts.py: {error}")


if __name__ == "__main__":
    main()
