"""Turns measured times into ratios, a geometric mean and tables.

A workload's ratio is the least time of its fastest opponent divided by our least time. The
two take turns in the rounds of one run. An opponent is a peer with right results that
reads the data in the workload's layout. If --isa is given, the peer must obey it.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math
import statistics

# The workload with next to no data, which measures the call itself
FLOOR = "call_floor"


def usable(row):
    return row.get("status") == "ok" and "min_us" in row


def opponents(workload):
    """Returns {name: row} of the peers that compete."""
    return {name: row for name, row in workload["contestants"].items()
            if usable(row) and not row["own"] and not row["limit"] and row["same_layout"]
            and row["kept_to_isa"]}


def floors_of(run):
    """Returns the time of a call of each contestant on next to no data."""
    floor = next((w for w in run["workloads"] if w["name"] == FLOOR), None)
    return {name: row["min_us"] for name, row in floor["contestants"].items()
            if usable(row)} if floor else {}


def evaluate(run, own):
    """Adds `limit_us`, `best_peer`, `ratio` and related values to each workload of a
    run. For `ratio_less_floor`, the cost of a peer's empty call is subtracted from its time."""
    floors = floors_of(run)
    for workload in run["workloads"]:
        rows = workload["contestants"]
        limits = [row["min_us"] for row in rows.values() if row.get("limit") and usable(row)]
        workload["limit_us"] = min(limits) if limits else None
        mine = rows.get(own, {})
        workload["own_us"] = mine["min_us"] if usable(mine) else None
        peers = opponents(workload)
        best = min(peers, key=lambda name: peers[name]["min_us"], default=None)
        workload["best_peer"] = best
        time = workload["own_us"]
        workload["ratio"] = workload["ratio_median"] = workload["ratio_less_floor"] = None
        if best and time:
            workload["ratio"] = peers[best]["min_us"] / time
            workload["ratio_median"] = (min(row["median_us"] for row in peers.values())
                                        / mine["median_us"])
            if floors and workload["name"] != FLOOR:
                workload["ratio_less_floor"] = max(
                    0, min(row["min_us"] - floors.get(name, 0)
                           for name, row in peers.items())) / time
        workload["times_limit"] = (time / workload["limit_us"]
                                   if time and workload["limit_us"] else None)
        beside = [row["min_us"] for row in rows.values() if row.get("beside") and usable(row)]
        workload["times_beside"] = time / beside[0] if time and beside else None
    real = [w for w in run["workloads"] if w["name"] != FLOOR]
    run["geometric_mean"] = geometric_mean(w["ratio"] for w in real)
    run["geometric_mean_less_floor"] = geometric_mean(w["ratio_less_floor"] for w in real)


def geometric_mean(ratios):
    ratios = [ratio for ratio in ratios if ratio]
    if not ratios:
        return None
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def number(value, digits=None):
    if value is None:
        return "-"
    if digits is None:
        digits = 2 if value < 10 else 1 if value < 1000 else 0
    return f"{value:,.{digits}f}"


def summary_table(run, own):
    """Yields the lines of a markdown table with one row for each workload."""
    yield (f"| workload | limit us | {own} us | median | x limit | best peer | us | "
           "ratio | less call floor | asked |")
    yield "|---|--:|--:|--:|--:|---|--:|--:|--:|---|"
    for workload in run["workloads"]:
        rows = workload["contestants"]
        best = workload["best_peer"]
        yield (f"| {workload['name']} | {number(workload['limit_us'])} "
               f"| {number(workload['own_us'])} "
               f"| {number(rows.get(own, {}).get('median_us'))} "
               f"| {number(workload['times_limit'], 2)} | {best or '-'} "
               f"| {number(rows[best]['min_us']) if best else '-'} "
               f"| {number(workload['ratio'], 2)} "
               f"| {number(workload['ratio_less_floor'], 2)} | {asked(workload)} |")
    if run["geometric_mean"]:
        yield (f"| **geometric mean** | | | | | | | **{number(run['geometric_mean'], 2)}** "
               f"| {number(run['geometric_mean_less_floor'], 2)} | |")


def demands(workload):
    """Yields each demand on a workload as a pair: its words, and True if it is not met."""
    ratio, least = workload["ratio"], workload["at_least"]
    if least:
        yield f">= {least:g}", ratio is not None and ratio < least
    for key, name in (("limit", "limit"), ("beside", workload["beside"])):
        times, most = workload[f"times_{key}"], workload[f"within_{key}"]
        if most:
            yield f"<= {most:g} x {name}", times is not None and times > most


def asked(workload):
    """The demands in words; unmet ones are marked."""
    return ", ".join(words + (" **short**" if short else "")
                     for words, short in demands(workload))


def short_lines(run):
    """Yields a line with the number of demands, and the unmet ones."""
    every = [(workload["name"], *demand) for workload in run["workloads"]
             for demand in demands(workload)]
    missed = [f"{name} ({words})" for name, words, short in every if short]
    if every:
        yield ""
        yield (f"Asked: {len(every)}; short: {len(missed)}"
               + (": " + ", ".join(missed) if missed else "") + ".")


def times_table(run):
    """Yields the lines of a markdown table of all least times, with a column for each
    contestant."""
    names = []
    for workload in run["workloads"]:
        names += [n for n, row in workload["contestants"].items()
                  if n not in names and not row.get("beside")
                  and any(n in w["contestants"] and "min_us" in w["contestants"][n]
                          for w in run["workloads"])]
    yield "| workload | " + " | ".join(names) + " |"
    yield "|---|" + "--:|" * len(names)
    for workload in run["workloads"]:
        rows = workload["contestants"]
        yield f"| {workload['name']} | " + " | ".join(cell(rows.get(n)) for n in names) + " |"


def cell(row):
    if row is None:
        return ""
    if row["status"] == "wrong":
        return "wrong"
    if "min_us" not in row:
        return "-"
    return (number(row["min_us"]) + ("" if row.get("same_layout", True) else " (other layout)")
            + ("" if row.get("kept_to_isa", True) else " (any instructions)"))


def beside_lines(run):
    for workload in run["workloads"]:
        if workload["times_beside"]:
            yield (f"- {workload['name']}: {number(workload['times_beside'], 2)} times "
                   f"{workload['beside']}")


def fault_lines(run):
    """Yields the contestants without a valid time, with the reason. Workloads with an equal
    reason share a line."""
    for status, title in (("wrong", "Wrong results"), ("failed", "Failures"),
                          ("unsupported", "Not supported")):
        reasons = {}
        for workload in run["workloads"]:
            for name, row in workload["contestants"].items():
                if row["status"] == status:
                    detail = row["detail"].split("\n")[0][:200].replace("|", "\\|")
                    reasons.setdefault((name, detail), []).append(workload["name"])
        if reasons:
            yield ""
            yield f"{title}:"
            yield ""
            for (name, detail), workloads in reasons.items():
                yield f"- {name}: {detail} ({', '.join(workloads)})"


def first_call_lines(run):
    """Yields each contestant's median times of preparation and of the first call."""
    rows = {}
    for workload in run["workloads"]:
        for name, row in workload["contestants"].items():
            if "first_call_us" in row and not row["limit"] and not row.get("beside"):
                rows.setdefault(name, []).append(row)
    if not rows:
        return
    yield ""
    yield "| contestant | workloads | preparing ms | first call us |"
    yield "|---|--:|--:|--:|"
    for name, those in rows.items():
        prepare = statistics.median(row["prepare_ms"] for row in those)
        first = statistics.median(row["first_call_us"] for row in those)
        yield f"| {name} | {len(those)} | {number(prepare)} | {number(first)} |"


def scaling_lines(runs):
    """Yields tables that compare each run of several threads with the run of one thread."""
    single = next((r for r in runs if r["threads"] == 1), None)
    for run in runs:
        if single is None or run is single or not any(w["own_us"] for w in run["workloads"]):
            continue
        yield ""
        yield (f"| workload | 1 thread us | {run['threads']} threads us | times faster "
               "| the limit's |")
        yield "|---|--:|--:|--:|--:|"
        first = {w["name"]: w for w in single["workloads"]}
        for workload in run["workloads"]:
            one = first.get(workload["name"])
            if not one or not one["own_us"] or not workload["own_us"]:
                continue
            limit = (one["limit_us"] / workload["limit_us"]
                     if one["limit_us"] and workload["limit_us"] else None)
            yield (f"| {workload['name']} | {number(one['own_us'])} "
                   f"| {number(workload['own_us'])} "
                   f"| {number(one['own_us'] / workload['own_us'], 2)} | {number(limit, 2)} |")


def markdown(results):
    """Yields the whole report."""
    own = results["own"]
    yield "Made by"
    yield ""
    yield f"    {results['command']}"
    yield ""
    yield (f"on {results['machine']['processor']}, {results['machine']['cpus']} CPUs, "
           f"{results['date']}. Least of {results['rounds']} interleaved rounds, microseconds "
           "a call; a ratio is the best peer's time over this project's in the same layout.")
    for run in results["runs"]:
        versions = ", ".join(f"{n} {v}" for n, v in run["versions"].items())
        yield ""
        yield f"## {run['threads']} thread{'s' if run['threads'] > 1 else ''}"
        yield ""
        if versions:
            yield versions + "."
            yield ""
        if run["absent"]:
            yield f"Not there: {', '.join(run['absent'])}."
            yield ""
        yield from summary_table(run, own)
        yield from short_lines(run)
        beside = list(beside_lines(run))
        if beside:
            yield ""
            yield from beside
        yield ""
        yield from times_table(run)
        yield from first_call_lines(run)
        yield from fault_lines(run)
        if "ended_early" in run:
            yield ""
            yield (f"The process ended with {run['ended_early']} after the last of these: a "
                   "contestant of the next workload brought it down.")
    yield from scaling_lines(results["runs"])
    for name, lines in results.get("costs_text", {}).items():
        yield ""
        yield f"## {name}"
        yield ""
        yield from lines
