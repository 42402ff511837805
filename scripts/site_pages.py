"""Gives mkdocs the pages as GitHub shows them; a hook of mkdocs.yml.

Pages outside docs become pages of the site. Links to other files of the source tree
begin with `extra.source_url`, or are plain text if that is empty. Lists and blocks of
code are written as Python's Markdown needs them.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[1]
# Source file -> its page on the site, for files whose page is not their path in docs
PAGES = {"README.md": "index.md", "docs/README.md": "Pages.md",
         "CONTRIBUTING.md": "Contributing.md", "CHANGELOG.md": "Changelog.md"}
# Matches a block of code, or a link to a file with the groups text, path and section.
CODE_OR_LINK = re.compile(r"^ *```.*?^ *```$|\[([^]]*)\]\((?!\w+:)([^)\s#]+)(#[^)\s]*)?\)",
                          re.MULTILINE | re.DOTALL)
ITEM = re.compile(r"([-*]|\d+\.) +")


def on_files(files, config):
    files.remove(files.get_file_from_path("README.md"))
    for source, page in PAGES.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    return files


def move_links(markdown, page, source_url, files):
    """Returns the Markdown with links relative to its page of the site. Links to files without
    a page go to `source_url`."""
    def replace(match):
        text, path, section = match.groups(default="")
        if not path:
            return match[0]
        target = (Path(page.abs_src_path).parent / path).resolve().relative_to(ROOT).as_posix()
        file = files.get_file_from_path(PAGES.get(target, target.removeprefix("docs/")))
        if file:
            return f"[{text}]({'../' * page.src_uri.count('/')}{file.src_uri}{section})"
        return f"[{text}]({source_url}/{target})" if source_url else text

    return CODE_OR_LINK.sub(replace, markdown)


def indent_lists(markdown):
    """Returns the Markdown with four spaces a level of a list, and empty lines where needed."""
    lines, columns, last_level, gap, fenced = [""], [0], 0, False, False
    for line in markdown.split("\n"):
        text = line.lstrip(" ")
        fence = text.startswith("```")
        if text and (fence or not fenced):
            while len(line) - len(text) < columns[-1]:
                columns.pop()
        level = len(columns) - 1
        item = None if fence or fenced else ITEM.match(text)
        if item:
            # GitHub begins a list within a paragraph by a bullet or 1 only. An item of
            # several paragraphs ends at the next item.
            begins = level == last_level == 0 and item[1] in "-*1."
            if lines[-1] and (begins or level < last_level and gap):
                lines.append("")
            columns.append(len(line) - len(text) + item.end())
        lines.append("    " * level + (text if item else line[columns[-1]:]))
        last_level = len(columns) - 1
        gap = not item and (gap or not text)
        fenced ^= fence
    return "\n".join(lines[1:])


def on_page_markdown(markdown, page, config, files):
    markdown = move_links(markdown, page.file, config.extra["source_url"], files)
    # The second word of a block's first line is for the tests of the pages, so drop it.
    return indent_lists(re.sub(r"^( *```\w+) .*$", r"\1", markdown, flags=re.MULTILINE))
