"""Writes what runs found: a table, a picture, Markdown, HTML, JSON and badges.

Everything comes from the files that `pool-conformance run` writes; no system is needed.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

from . import __version__, files
from .compare import FAULTS, STATUSES
from .picture import draw
from .vector import Vector

Results = list[dict[str, Any]]


def size(vector: Vector) -> tuple[int, int, int, str]:
    """Returns a key that sorts vectors from small to large."""
    elements = sum(len(t.get("data", [0] * 64)) for t in vector.json["inputs"].values())
    return elements, len(vector.shape), len(vector.json["attributes"]), vector.name


def verdict(result: dict[str, Any], vector: Vector) -> str:
    """Returns what the documents that the system follows say of a vector, a short sentence."""
    said = {name: vector.json["documents"].get(name, "silent")
            for name in result.get("documents", [])}
    for name, position in said.items():
        if position == "agree":
            return f"against its own document ({name})"
    return "its own document is silent" if said else "no document of its own"


def cells(result: dict[str, Any], vectors: list[Vector]) -> dict[str, dict[str, int]]:
    """Returns the number of vectors of each status by trap."""
    table: dict[str, dict[str, int]] = {}
    for vector in vectors:
        entry = result["results"].get(vector.name)
        if entry is not None:
            row = table.setdefault(vector.trap, {})
            row[entry["status"]] = row.get(entry["status"], 0) + 1
    return table


def text_of(counts: dict[str, int]) -> str:
    """Returns a cell of the table: passes of those computed, and what went wrong."""
    faults = sum(counts.get(status, 0) for status in FAULTS)
    passed = counts.get("pass", 0)
    if not faults and not passed:
        if counts.get("refused"):
            return "refused"
        return "broken" if counts.get("broken") else "-"
    text = f"{passed}/{passed + faults}"
    for status in ("crash", "hang"):
        if counts.get(status):
            text += f", {counts[status]} {status}"
    return text


def faults_by_trap(result: dict[str, Any], vectors: list[Vector]) -> dict[str, list[Vector]]:
    """Returns the vectors that went wrong by trap, the smallest first."""
    table: dict[str, list[Vector]] = {}
    for vector in sorted(vectors, key=size):
        entry = result["results"].get(vector.name)
        if entry is not None and entry["status"] in FAULTS:
            table.setdefault(vector.trap, []).append(vector)
    return dict(sorted(table.items()))


def title(result: dict[str, Any]) -> str:
    return f"{result['title']} {result['version']}".strip()


def markdown_table(results: Results, vectors: list[Vector]) -> list[str]:
    traps = sorted({vector.trap for vector in vectors
                    if any(vector.name in r["results"] for r in results)})
    tables = [cells(result, vectors) for result in results]
    lines = ["| trap | " + " | ".join(title(result) for result in results) + " |",
             "|---|" + "---|" * len(results)]
    lines += [f"| {trap} | " + " | ".join(text_of(table.get(trap, {})) for table in tables)
              + " |" for trap in traps]
    return lines


def bug_report(result: dict[str, Any], vector: Vector) -> str:
    """Returns the text of a bug report for one vector, as Markdown."""
    entry = result["results"][vector.name]
    attributes = json.dumps(vector.json["attributes"])
    inputs = "; ".join(f"{name} = {t.get('data', t.get('generate', 'any'))} ({t['type']}, shape "
                       f"{t['shape']})" for name, t in vector.json["inputs"].items())
    rule = vector.json["rule"]
    what = {"differs": "gives a wrong result", "crash": "crashes", "hang": "does not return"}
    lines = [f"### {vector.operation}: {what[entry['status']]} ({vector.trap})", "",
             f"{title(result)} {what[entry['status']]} for {vector.operation} with "
             f"`{attributes}` on {inputs}.", "",
             f"- Observed: {entry.get('message', '')}",
             f"- Decided by {rule['document']}: \"{rule['sentence']}\"",
             f"- {verdict(result, vector)[0].upper()}{verdict(result, vector)[1:]}."]
    if "by" in vector.json.get("confirmed", {}):
        others = [name for name in vector.json["confirmed"]["by"]
                  if name.split(" ")[0] not in ("reference", result["system"])]
        if others:
            lines.append(f"- These compute the expected result: {', '.join(others)}.")
    if vector.json["threads"]:
        lines.append(f"- Related: {', '.join(vector.json['threads'])}.")
    if entry.get("script"):
        lines += ["", "```python", entry["script"].rstrip(), "```"]
    return "\n".join(lines) + "\n"


def extent_of(result: dict[str, Any], vectors: list[Vector]) -> str:
    """Returns how many of the vectors a result has, as text."""
    number = sum(vector.name in result["results"] for vector in vectors)
    if number == len(vectors):
        return f"all {number} vectors"
    # A system that needs long runs a sample; or vectors are newer than the run.
    return f"{number} of {len(vectors)} vectors, " + (
        "a sample" if number < 0.8 * len(vectors) else "those of the day of the run")


def summary_table(results: Results, vectors: list[Vector], links: bool) -> list[str]:
    """Returns a table with one line for each system. With `links`, a system's name is a link to
    its page."""
    shown = [status for status in STATUSES
             if any(e["status"] == status for r in results for e in r["results"].values())]
    lines = ["| system | version | date | vectors | " + " | ".join(shown) + " |",
             "|---|---|---|---|" + "---|" * len(shown)]
    for result in results:
        statuses = [entry["status"] for entry in result["results"].values()]
        number = f"{len(statuses)} of {len(vectors)}"
        name = f"[{result['title']}]({result['system']}.md)" if links else result["title"]
        lines.append(f"| {name} | {result['version']} | {result['date']} | {number} | "
                     + " | ".join(str(statuses.count(status)) for status in shown) + " |")
    return lines


def page(result: dict[str, Any], vectors: list[Vector]) -> str:
    """Returns the Markdown page of one system."""
    counts: dict[str, int] = {}
    for entry in result["results"].values():
        counts[entry["status"]] = counts.get(entry["status"], 0) + 1
    lines = [f"# {title(result)}", "",
             f"Run on {result['date']} with pool-conformance {result['kit']}, "
             f"{extent_of(result, vectors)}. Documents that it follows: "
             f"{', '.join(result['documents']) or 'none'}.", "", "| result | vectors | meaning |",
             "|---|---|---|"]
    lines += [f"| {status} | {counts[status]} | {text} |"
              for status, text in STATUSES.items() if status in counts]
    lines += ["", *markdown_table([result], vectors), ""]
    broken = faults_by_trap(result, vectors)
    lines += ["## Differences", "", "The smallest vector of each trap; the list has all.", ""] \
        if broken else ["No differences.", ""]
    for trap, wrong in broken.items():
        lines += [bug_report(result, wrong[0]), f"Vectors: "
                  + ", ".join(f"`{vector.name}` ({result['results'][vector.name]['status']})"
                              for vector in wrong), ""]
    lines += messages(result, vectors, "refused", "## Refused",
                      "Vectors that the system answers with an error.")
    lines += messages(result, vectors, "pass", "## Errors that pass",
                      "Vectors whose right result is an error. Any error passes, so the words "
                      "of the system stand here: they say if it refuses for the right reason.")
    return "\n".join(lines).rstrip() + "\n"


def messages(result: dict[str, Any], vectors: list[Vector], status: str, heading: str,
             text: str) -> list[str]:
    """Returns a list of the system's own words for its vectors with a status, under a heading.
    Vectors without words are left out."""
    words: dict[str, list[str]] = {}
    for vector in sorted(vectors, key=size):
        entry = result["results"].get(vector.name, {})
        message = entry.get("message", "").removeprefix("an error: ")
        named = any(expected.name for expected in vector.expected)
        if entry.get("status") == status and message and not (status == "pass" and named):
            words.setdefault(message, []).append(vector.name)
    if not words:
        return []
    return [heading, "", text, "",
            *(f"- {message}: " + ", ".join(f"`{name}`" for name in names[:4])
              + (f" and {len(names) - 4} more" if len(names) > 4 else "")
              for message, names in list(words.items())[:40]), ""]


def markdown(results: Results, vectors: list[Vector], links: bool = False) -> str:
    """Returns the report of all systems. With `links`, pages of the systems and report.svg are
    beside it."""
    more = ["More: [faults that our pages claim](claims.md), [public threads](threads.md), "
            "[our own status](status.md), [one HTML file](report.html), "
            "[data](report.json).", ""] if links else []
    meanings = [f"- {status}: {text}" for status, text in STATUSES.items()]
    lines = ["# Conformance of pooling", "",
             f"Results of [pool-conformance](../README.md) {__version__}."
             if links else f"Results of pool-conformance {__version__}.", "",
             *more, *summary_table(results, vectors, links), "", *meanings, "",
             "## Traps", "",
             *(["![Traps by systems](report.svg)", ""] if links else []),
             "A cell says how many of the vectors that the system computes have the right "
             "result. A dash: the system has no such operation, attribute or type.", "",
             *markdown_table(results, vectors), ""]
    for result in results:
        broken = faults_by_trap(result, vectors)
        lines += [f"## {title(result)}", ""]
        if not broken:
            lines += ["No differences.", ""]
        for trap, wrong in broken.items():
            first = wrong[0]
            lines.append(f"- {trap} ({len(wrong)}; {verdict(result, first)}): `{first.name}`: "
                         f"{result['results'][first.name].get('message', '')}")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


STYLE = """body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em}
table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.2em .5em;text-align:left}
td.bad{background:#f8d0d0}td.good{background:#d6f0d6}td.refused{background:#f4ecc8}
pre{background:#f4f4f4;padding:.6em;overflow-x:auto}summary{cursor:pointer}"""


def page_html(results: Results, vectors: list[Vector], picture: str) -> str:
    """Returns the report as one HTML file that needs no other file."""
    escape = html.escape
    traps = sorted({vector.trap for vector in vectors
                    if any(vector.name in r["results"] for r in results)})
    tables = [cells(result, vectors) for result in results]
    rows = []
    for trap in traps:
        row = [f"<tr><td>{escape(trap)}</td>"]
        for table in tables:
            counts = table.get(trap, {})
            text = text_of(counts)
            kind = "bad" if any(counts.get(s) for s in FAULTS) else \
                "good" if counts.get("pass") else "refused" if counts.get("refused") else ""
            row.append(f'<td class="{kind}">{escape(text)}</td>')
        rows.append("".join(row) + "</tr>")
    parts = ['<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
             f"<title>Conformance of pooling</title><style>{STYLE}</style></head><body>",
             "<h1>Conformance of pooling</h1>",
             f"<p>pool-conformance {__version__}. A cell says how many of the vectors that the "
             "system computes have the right result. A dash: the system has no such operation, "
             "attribute or type.</p>", picture, "<table><tr><th>trap</th>"
             + "".join(f"<th>{escape(title(result))}</th>" for result in results) + "</tr>",
             *rows, "</table>"]
    for result in results:
        parts.append(f"<h2>{escape(title(result))}</h2>")
        broken = faults_by_trap(result, vectors)
        if not broken:
            parts.append("<p>No differences.</p>")
        for trap, wrong in broken.items():
            entry = result["results"][wrong[0].name]
            parts.append(
                f"<details><summary>{escape(trap)}: {len(wrong)}; "
                f"{escape(verdict(result, wrong[0]))}; {escape(entry.get('message', ''))}"
                f"</summary><pre>{escape(bug_report(result, wrong[0]))}</pre>"
                f"<pre>{escape(files.vector_text(wrong[0].json))}</pre></details>")
    return "\n".join(parts) + "\n</body></html>\n"


def badge(result: dict[str, Any]) -> dict[str, Any]:
    """Returns a badge in the format of shields.io's endpoints."""
    statuses = [entry["status"] for entry in result["results"].values()]
    passed, faults = statuses.count("pass"), sum(s in FAULTS for s in statuses)
    color = "brightgreen" if not faults else "yellow" if faults * 20 < passed else "red"
    return {"schemaVersion": 1, "label": "pool-conformance",
            "message": f"{passed} of {passed + faults}", "color": color if passed else "lightgrey"}


def report_json(results: Results, vectors: list[Vector]) -> dict[str, Any]:
    """Returns the report as data."""
    return {"kit": __version__, "systems": [
        {**{key: result[key] for key in ("system", "title", "version", "date", "documents")},
         "traps": cells(result, vectors),
         "differences": [
             {"trap": trap, "smallest": wrong[0].name, "vectors": [v.name for v in wrong],
              "status": result["results"][wrong[0].name]["status"],
              "message": result["results"][wrong[0].name].get("message", ""),
              "verdict": verdict(result, wrong[0]),
              "script": result["results"][wrong[0].name].get("script", ""),
              "report": bug_report(result, wrong[0])}
             for trap, wrong in faults_by_trap(result, vectors).items()]}
        for result in results]}


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def write_all(results: Results, vectors: list[Vector], directory: Path) -> list[Path]:
    """Writes the report in all forms. Returns the files."""
    results = sorted(results, key=lambda result: result["system"])
    picture = draw([title(r) for r in results], [cells(r, vectors) for r in results])
    paths = [write(directory / "report.md", markdown(results, vectors)),
             write(directory / "report.svg", picture),
             write(directory / "report.html", page_html(results, vectors, picture)),
             write(directory / "report.json",
                   json.dumps(report_json(results, vectors), indent=1) + "\n")]
    paths += [write(directory / f"badge-{result['system']}.json",
                    json.dumps(badge(result)) + "\n") for result in results]
    return paths


def write_pages(results: Results, vectors: list[Vector], directory: Path) -> list[Path]:
    """Writes a page for each system, and the table of all of them as README.md."""
    results = sorted(results, key=lambda result: result["system"])
    return [write(directory / f"{result['system']}.md", page(result, vectors))
            for result in results] + [write(directory / "README.md",
                                            markdown(results, vectors, True))]
