#!/usr/bin/env python3
"""Checks a wheel: its size and tags, the libraries and exports of its binaries, licences
and entry points. No file may contain the path of the build tree.

    check-wheel.py WHEEL...

Exit code 0 if all checks pass, else 1 with a line for each failure. Needs pyelftools
(scripts/requirements-wheel.txt).
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import io
import re
import sys
import zipfile
from pathlib import Path

from elftools.elf.elffile import ELFFile

ROOT = Path(__file__).resolve().parent.parent
# Package -> (most bytes of its wheel, number of shared libraries in it)
WHEELS = {"pool_mlir": (35_000_000, 2), "pool_mlir_python_bindings": (45_000_000, 1)}
# Libraries that LLVM needs and that the manylinux policies assume on every system
SYSTEM = {"libc.so.6", "libgcc_s.so.1", "libm.so.6", "ld-linux-x86-64.so.2"}
LICENSES = {"LICENSE", "LLVM-and-MLIR.txt", "libomp.txt", "libstdc++.txt", "pugixml.txt",
            "zlib.txt", "zstd.txt", "nanobind.txt", "robin-map.txt"}
TOOLS = {"pool-compile", "pool-mlir", "pool-opt", "pool-run", "pool-translate"}
NEWEST_GLIBC = (2, 35)


def binary_problems(name, data):
    elf = ELFFile(io.BytesIO(data))
    dynamic = elf.get_section_by_name(".dynamic")
    tags = list(dynamic.iter_tags())
    needed = {tag.needed for tag in tags if tag.entry.d_tag == "DT_NEEDED"}
    if needed - SYSTEM:
        yield f"{name} needs {', '.join(sorted(needed - SYSTEM))}"
    if any(tag.entry.d_tag in ("DT_RPATH", "DT_RUNPATH") for tag in tags):
        yield f"{name} has a search path"
    if str(ROOT).encode() in data:
        yield f"{name} names the tree it was built in"
    if Path(name).name.startswith(("_pool_mlir", "_mlir")):
        exported = {symbol.name for symbol in elf.get_section_by_name(".dynsym").iter_symbols()
                    if symbol.entry.st_shndx != "SHN_UNDEF" and symbol.name}
        foreign = {symbol for symbol in exported if not symbol.startswith("PyInit_")}
        if foreign or not exported:
            yield f"{name} exports {', '.join(sorted(foreign)[:5])}, ..."


def problems(path):
    package = path.stem.split("-")[0]
    most_bytes, num_binaries = WHEELS[package]
    if path.stat().st_size > most_bytes:
        yield f"it has {path.stat().st_size} bytes, more than {most_bytes}"
    python, abi, platform = path.stem.split("-")[-3:]
    if (python, abi) != ("cp312", "abi3") and python != abi:
        yield f"its tags are {python}-{abi}"
    glibc = [tuple(map(int, found)) for found in re.findall(r"manylinux_(\d+)_(\d+)_", platform)]
    if not glibc or min(glibc) > NEWEST_GLIBC:
        yield f"its platform is {platform}"
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        binaries = [name for name in names if re.search(r"\.so(\.|$)", name)]
        if len(binaries) != num_binaries:
            yield f"its binaries are {', '.join(binaries)}"
        for name in binaries:
            yield from binary_problems(name, archive.read(name))
        found = {Path(name).name for name in names if ".dist-info/licenses/" in name}
        whole = package == "pool_mlir"
        missing = LICENSES - found - (set() if whole else {"libomp.txt", "pugixml.txt"})
        if missing:
            yield f"no licences of {', '.join(sorted(missing))}"
        scripts = [name for name in names if name.endswith("/entry_points.txt")]
        text = archive.read(scripts[0]).decode() if scripts else ""
        missing = (TOOLS if whole else set()) - set(re.findall(r"^([\w-]+)\s*=", text, re.MULTILINE))
        if missing:
            yield f"no command {', '.join(sorted(missing))}"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheels", metavar="WHEEL", type=Path, nargs="+")
    failed = False
    for path in parser.parse_args().wheels:
        wrong = list(problems(path))
        for problem in wrong:
            print(f"check-wheel.py: {path.name}: {problem}", file=sys.stderr)
        failed |= bool(wrong)
        if not wrong:
            print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB, as it should be")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
