#!/usr/bin/env python3
"""Keeps the project's address in one place: [project.urls] of pyproject.toml.

Pages, the citation and the reviewers' file repeat the address. A maintainer who moves the project
changes [project.urls] and runs `--write`; the fast lint runs the check.

    addresses.py           names each place that has another address, and fails if there is one
    addresses.py --write   writes the address into all places

A place that no longer mentions its address is an error, too.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
# (file, pattern, name). The group of the pattern is the address of this name; see get_addresses().
PLACES = (
    ("README.md", r"^\$ git clone (\S+)", "Repository"),
    ("README.md", r"\[release\]\((\S+)\)", "Releases"),
    ("CONTRIBUTING.md", r"\[issues\]\((\S+)\)", "Issues"),
    ("SECURITY.md", r'\["Report a vulnerability"\]\((\S+)\)', "Advisories"),
    ("docs/Start/C.md", r"^\$ git clone (\S+)", "Repository"),
    ("docs/Start/Compiler.md", r"^\$ git clone (\S+)", "Repository"),
    ("docs/Start/Contributor.md", r"^\$ git clone (\S+)", "Repository"),
    ("docs/Start/Models.md", r"^\$ git clone (\S+)", "Repository"),
    ("docs/Start/Models.md", r"\[release\]\((\S+)\)", "Releases"),
    ("docs/Start/Research.md", r"^\$ git clone (\S+)", "Repository"),
    ("CITATION.cff", r"^repository-code: (\S+)", "Repository"),
    (".github/CODEOWNERS", r"^\* @([\w-]+)/", "Organisation"),
)


def get_addresses(root):
    """Returns the addresses by name: [project.urls], and what follows from it."""
    addresses = dict(tomllib.loads((root / "pyproject.toml").read_text())["project"]["urls"])
    repository = addresses["Repository"]
    for name, address in addresses.items():
        if not address.startswith(repository):
            sys.exit(f"pyproject.toml: {name} must begin with {repository}")
    addresses["Advisories"] = f"{repository}/security/advisories/new"
    addresses["Organisation"] = urlsplit(repository).path.split("/")[1]
    return addresses


def main(arguments):
    addresses = get_addresses(ROOT)
    problems = []
    for name, pattern, kind in PLACES:
        address, path = addresses[kind], ROOT / name
        text = path.read_text()
        found = set(re.findall(pattern, text, re.MULTILINE))
        if not found:
            problems.append(f"{name}: must mention {address}; nothing matches {pattern!r}")
        elif found == {address}:
            continue
        elif "--write" in arguments:
            path.write_text(re.sub(pattern, lambda match: match[0].replace(match[1], address), text,
                                   flags=re.MULTILINE))
        else:
            problems.append(f"{name}: {min(found - {address})} must be {address}, as in "
                            "pyproject.toml; run scripts/addresses.py --write")
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
