#!/usr/bin/env python3
# Runs the steps of .devcontainer in a bare root of Debian, without a container engine.
# First it runs the Dockerfile's instructions. Then, as the container's user in a copy of
# the source tree, it runs postCreateCommand of devcontainer.json and builds targets.
#
# usage: try-devcontainer.py --list
#        try-devcontainer.py ROOT [TARGET...]
#   --list  prints the steps and runs nothing
#   ROOT    made by `bare-root.sh make`, as the superuser. It is changed.
#   TARGET  of CMake, built by the preset `release`
#
# Exit code 0 if all steps succeed, 1 if one fails, 2 for a wrong command line or an unknown
# instruction.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent
CONFIG = SOURCE / ".devcontainer" / "devcontainer.json"
# Place of the source tree in a container, as editors choose it
WORKSPACE = "/workspaces/pool-mlir"


class Unknown(Exception):
    """An instruction of Docker that this script does not know."""


def instructions(text):
    """Yields (word, rest of the line) of the Dockerfile's instructions, with continued
    lines joined."""
    text = re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE)
    for line in re.sub(r"\\\n", " ", text).splitlines():
        if line.strip():
            word, _, rest = line.strip().partition(" ")
            yield word.upper(), rest.strip()


def release(root):
    """Returns the release number of the Debian in `root`."""
    return re.search(r'VERSION_ID="(\d+)"', (root / "etc/os-release").read_text())[1]


class Container:
    """Runs commands in a root, as Docker does in an image. Without a root, only prints
    them."""

    def __init__(self, root, config):
        self.root = root
        self.arguments = dict(config["build"].get("args", {}))
        if root:
            self.arguments["DEBIAN"] = release(root)
        self.directory = "/"

    def run(self, command, user="root"):
        print(f"{user}:{self.directory}$ {command}", flush=True)
        if not self.root:
            return
        start = time.monotonic()
        shell = ["sh", "-c", command]
        if user != "root":
            shell = ["setpriv", "--reuid", user, "--regid", user, "--init-groups", *shell]
        subprocess.run([SOURCE / "scripts" / "bare-root.sh", "run", self.root, self.directory,
                        *shell], check=True)
        print(f"  took {time.monotonic() - start:.0f} s", flush=True)

    def place(self, path):
        inside = pathlib.PurePosixPath(self.directory, path)
        return self.root / inside.relative_to("/")

    def begin(self, image):
        image = re.sub(r"\$\{(\w+)\}", lambda match: self.arguments[match[1]], image)
        print(f"FROM {image}")
        if self.root and image != f"debian:{release(self.root)}":
            raise Unknown(f"FROM {image} for {self.root}")

    def execute(self, word, rest):
        if word == "ARG" and re.fullmatch(r"\w+=\w+", rest):
            name, _, value = rest.partition("=")
            self.arguments.setdefault(name, value)
        elif word == "FROM":
            self.begin(rest)
        elif word == "WORKDIR":
            self.directory = str(pathlib.PurePosixPath(self.directory, rest))
            if self.root:
                self.place(".").mkdir(parents=True, exist_ok=True)
        elif word == "COPY" and not rest.startswith(("-", "[")):
            *sources, target = rest.split()
            for name in sources:
                print(f"COPY {name} {target}")
                if self.root:
                    self.place(target).mkdir(parents=True, exist_ok=True)
                    shutil.copy(SOURCE / name, self.place(target))
        elif word == "RUN" and not rest.startswith(("-", "[")):
            self.run(rest)
        else:
            raise Unknown(f"{word} {rest}")


def copy_tree(target):
    """Copies the files that git tracks, as they are in the work tree."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=SOURCE, capture_output=True, check=True)
    archive = subprocess.run(["tar", "-c", "--null", "--files-from=-"], cwd=SOURCE,
                             input=listing.stdout, capture_output=True, check=True)
    target.mkdir(parents=True, exist_ok=True)
    subprocess.run(["tar", "-x"], cwd=target, input=archive.stdout, check=True)


def main():
    parser = argparse.ArgumentParser(description="Tries .devcontainer in a bare root.")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("root", nargs="?", type=pathlib.Path)
    parser.add_argument("targets", nargs="*")
    options = parser.parse_args()
    if options.list == bool(options.root):
        parser.error("either --list or ROOT is needed")
    config = json.loads(CONFIG.read_text())
    user = config["remoteUser"]
    container = Container(options.root, config)
    try:
        for word, rest in instructions((CONFIG.parent / config["build"]["dockerfile"]).read_text()):
            container.execute(word, rest)
        container.directory = WORKSPACE
        if options.root:
            copy_tree(container.place("."))
            container.run(f"chown -R {user}:{user} .")
        container.run(config["postCreateCommand"], user)
        if options.targets:
            container.run(f"cmake --build --preset release --target {' '.join(options.targets)}",
                          user)
    except Unknown as error:
        print(f"try-devcontainer.py: does not know '{error}'", file=sys.stderr)
        return 2
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"try-devcontainer.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
