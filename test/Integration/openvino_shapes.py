# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""pool-opt's shape inference must agree with OpenVINO's on tens of thousands of windows, or the
difference must be documented.

`pool-opt --canonicalize` infers our shape for an operation whose declared result type has
unknown extents (`tensor<?x..>`). With the static type, the operation must verify; an
operation that violates a rule must fail with an error. OpenVINO's node constructors
(MaxPool-8 and -14, AvgPool-1, -14 and -16) infer OpenVINO's shape. OpenVINO's same_*
corresponds to our `same_output = strided`.

If the two shapes differ, docs/Reference/Semantics.md must name the difference. `openvino_rule`
describes OpenVINO's behaviour, and `known_difference` lists the differences. Any other
difference is a mismatch.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import re

import numpy as np

from pooltest import openvino_nodes as peer, tier
from pooltest import rules, shape_cases
from pooltest.report import Report, main
from pooltest.tools import pool_opt

SEPARATOR = "\n// -----\n"
CHUNKS_PER_FILE = 1000
WRONG_TYPE_EVERY = 40


def ours_by_rules(case):
    """Applies the rules in Python. Returns (shape, None), or (None, reason) if they reject the
    case."""
    try:
        return rules.output_shape(case), None
    except rules.Refused as refusal:
        return None, refusal.reason


def openvino_rule(case):
    """Applies OpenVINO's own rule as we know it; returns the output shape, or None if
    refused."""
    if case.shape[0] == 0 or case.shape[1] == 0:
        return None
    if case.op == "max_pool" and not -case.rank <= case.axis < case.rank:
        return None
    shape = list(case.shape)
    for i, position in enumerate(case.spatial_dims):
        extent = case.shape[position]
        k, s, d, pb, pe = case.window(i)
        if k < 1 or s < 1 or d < 1:
            return None
        window_extent = (k - 1) * d + 1
        if case.auto_pad == "valid":
            pb = pe = 0
        elif case.auto_pad != "explicit":
            out = rules.ceil_divide(extent, s)
            total = max(0, (out - 1) * s + window_extent - extent)
            pb, pe = total // 2, total - total // 2
        elif (case.op == "avg_pool" and case.divisor == "valid"
              and window_extent <= max(pb, pe)):
            return None
        padded = extent + pb + pe
        if window_extent > padded:
            return None
        if case.rounding_type == "floor":
            out = (padded - window_extent) // s + 1
        else:
            out = rules.ceil_divide(padded - window_extent, s) + 1
        # OpenVINO compares unsigned numbers, so `extent + begin == 0` never reduces the
        # extent.
        if case.rounding_type == "ceil_torch" and (out - 1) * s >= extent + pb > 0:
            out -= 1
        shape[position] = out
    return shape


def known_difference(case, ours, reason):
    """Returns the name of the documented difference that applies to the case, or None."""
    windows = [(case.shape[d], case.window(i)) for i, d in enumerate(case.spatial_dims)]
    extents = [(w[0] - 1) * w[2] + 1 for _, w in windows]
    explicit = case.auto_pad == "explicit"
    if ours is None:
        if reason == "ill-defined":
            return "average over a window that counts nothing: we refuse it when static"
        if reason == "extent" and any(extent == 0 for extent, _ in windows):
            return "spatial extent of 0: we refuse it"
        if reason == "pad":
            return "negative pad: we refuse it, as the documents do"
        if reason == "index bound":
            return "i32 indices that the bound does not fit: we refuse them"
        return None
    if case.shape[0] == 0:
        return "empty batch: OpenVINO refuses it"
    if case.rounding_type == "ceil_torch" and any(
            e > extent + (w[3] + w[4] if explicit else 0)
            for e, (extent, w) in zip(extents, windows)):
        return "ceil_torch with E > padded extent: OpenVINO refuses it"
    if (case.op == "avg_pool" and case.divisor == "valid" and explicit
            and any(e <= max(w[3], w[4]) for e, (_, w) in zip(extents, windows))):
        return "exclude-pad with a pad >= E: OpenVINO refuses it"
    if case.auto_pad.startswith("same") and case.rounding_type == "ceil" and any(
            (rules.ceil_divide(extent, w[1]) - 1) * w[1] + e < extent
            for e, (extent, w) in zip(extents, windows)):
        return "same_* with ceil and negative total pad: OpenVINO rounds again"
    return None


def compare_with_openvino(cases, report):
    """Compares our rules with OpenVINO's nodes. Returns a shape or None for each case."""
    shapes = []
    for case in cases:
        ours, reason = ours_by_rules(case)
        shapes.append(ours)
        report.count(f"{case.op} {case.num_spatial}-D {case.auto_pad} {case.rounding_type}")
        expected = openvino_rule(case)
        for version in peer.VERSIONS[case.op]:
            if not peer.can_say(case, version):
                continue
            theirs, message = peer.infer(case, version)
            name = f"{case.op}-{version}".replace("max_pool", "MaxPool").replace(
                "avg_pool", "AvgPool")
            report.count(f"compared with OpenVINO's {name}")
            if theirs == ours:
                report.count("equal: " + ("shape" if ours else "both refuse"))
                continue
            difference = known_difference(case, ours, reason)
            if report.expect(difference and theirs == expected,
                             f"{name} and the rules differ", str(case), ours=ours or reason,
                             openvino=theirs or message, known=difference):
                report.difference(difference)
    return shapes


def inferred_text(case, name):
    """Returns the case as a function whose result type has only unknown extents."""
    return case.function(name, [None] * case.rank)


def check_inference(cases, shapes, report):
    """Compares the types that pool-opt infers and verifies with the rules' shapes."""
    texts, legal = [], []
    for number, (case, shape) in enumerate(zip(cases, shapes)):
        if shape is not None:
            legal.append(number)
            texts.append(inferred_text(case, f"c{number}"))
            texts.append(case.function(f"s{number}", shape))
    process = pool_opt("\n".join(texts), "--canonicalize")
    if not report.expect(process.returncode == 0, "pool-opt refused a legal case",
                         process.stderr[:4000]):
        return
    results = parse_results(process.stdout)
    for number in legal:
        case = cases[number]
        wanted = case.result_types(shapes[number])
        got = results.get(number)
        if got is None and identity(case):
            report.count("pool-opt: folded, a window of one")
            continue
        if report.expect(got == wanted, "inferred type", inferred_text(case, "f"),
                         expected=wanted, inferred=got):
            report.count("pool-opt: type inferred and static type verified")


def identity(case):
    """True if the operation returns its input, so that folding removes it."""
    return (case.index_type is None and all(
        case.window(i)[:2] == (1, 1) for i in range(case.num_spatial)))


def parse_results(text):
    """Returns {number: result types} of the pool operations in the functions @c<number>."""
    results = {}
    number = None
    for line in text.splitlines():
        function = re.match(r"\s*func\.func @([cs])(\d+)\(", line)
        if function:
            number = int(function.group(2)) if function.group(1) == "c" else None
        elif number is not None and re.search(r"= pool\.(max|avg)_pool ", line):
            results[number] = re.findall(r"tensor<[^>]*>", line.split("->")[1])
    return results


def check_refusals(cases, shapes, report):
    """Checks that each case that the rules reject, and each wrong result type, gives an
    error."""
    texts = {n: inferred_text(cases[n], f"c{n}")
             for n, shape in enumerate(shapes) if shape is None}
    check_refused(texts, report, "refused with an error at its line")
    texts = {}
    for n, shape in list(enumerate(shapes))[::WRONG_TYPE_EVERY]:
        if shape is not None:
            wrong = list(shape)
            wrong[n % len(wrong)] += 1
            texts[n] = cases[n].function(f"c{n}", wrong)
    check_refused(texts, report, "a type off by one is refused")


def check_refused(texts, report, counter):
    """Checks that pool-opt reports an error in each of the functions @c<number>."""
    numbers = list(texts)
    # The time for each chunk of a split file grows with the number of chunks, so use several
    # files.
    for start in range(0, len(numbers), CHUNKS_PER_FILE):
        chunk = numbers[start:start + CHUNKS_PER_FILE]
        text = SEPARATOR.join(texts[n] for n in chunk)
        process = pool_opt(text, "--split-input-file")
        report.expect(process.returncode == 1, "pool-opt's exit code",
                      str(process.returncode))
        accepted = {int(n) for n in re.findall(r"func\.func @c(\d+)\(", process.stdout)}
        owner, current = [], None
        for line in text.splitlines():
            function = re.match(r"func\.func @c(\d+)\(", line)
            current = int(function.group(1)) if function else current
            owner.append(current)
        reported = {owner[int(n) - 1] for n in
                    re.findall(r"<stdin>:(\d+):\d+: error: ", process.stderr)}
        for n in chunk:
            if report.expect(n not in accepted and n in reported, "not refused", texts[n]):
                report.count(f"pool-opt: {counter}")


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--random", type=int, default=tier.size(28000, 14000, 1000))
    parser.add_argument("--large", type=int, default=tier.size(6000, 3000, 300))
    parser.add_argument("--seed", type=int, default=tier.seed(3))
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    cases = tier.sample(shape_cases.grid(), tier.size(None, 9000, 1000))
    cases += [shape_cases.random_small(rng) for _ in range(options.random)]
    cases += [shape_cases.random_large(rng) for _ in range(options.large)]
    cases = list(dict.fromkeys(cases))
    report = Report("openvino_shapes")
    report.count("distinct configurations", len(cases))
    shapes = compare_with_openvino(cases, report)
    check_inference(cases, shapes, report)
    check_refusals(cases, shapes, report)
    report.require_counted("pool-opt: type inferred and static type verified",
                           "pool-opt: refused with an error at its line",
                           "pool-opt: a type off by one is refused")
    return report.finish()


if __name__ == "__main__":
    main(run)
