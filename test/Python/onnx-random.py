# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Random models of every pooling operator, opset, attribute and element type that import_onnx
imports must compute ONNX Runtime's results.

Some models have another reference: the oracle for a window that ONNX Runtime refuses, and the
onnx package's reference implementation for a MaxUnpool with output_shape as the standard reads
it. If a peer is known to differ, the test checks that it differs in exactly that way, and counts
it.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Integration"))
from pooltest import onnx_import, oracle, tier  # noqa: E402
from pooltest import onnx_models as models  # noqa: E402
from pooltest.report import Report, main  # noqa: E402
from pooltest.rules import Refused, ceil_divide, resolve  # noqa: E402

# Relative tolerance: float sums in any order, or in f32 instead of f64, and one rounding to
# the element type.
TOLERANCE = {"float16": 2.0**-9, "bfloat16": 2.0**-6, "float32": 1e-5, "float64": 1e-5}


def close(got, expected, where=True):
    """True if integers are equal and floats within the tolerance, wherever `where` is true."""
    if got is None or got.dtype != expected.dtype or got.shape != expected.shape:
        return False
    a, b = got.astype(np.float64), expected.astype(np.float64)
    tolerance = TOLERANCE.get(expected.dtype.name, 0.0)
    with np.errstate(invalid="ignore"):
        near = (a == b) | (np.abs(a - b) <= tolerance * (1 + np.abs(b)))
    return bool((near | ~np.broadcast_to(where, near.shape)).all())


def trunc_fits(model):
    """True if ONNX Runtime computes one output for a window that does not fit, because
    it divides a negative span towards zero."""
    attributes, shape = model.attributes, model.arrays[0].shape[2:]
    n = len(shape)
    pads = attributes.get("pads", [0] * 2 * n)
    if attributes.get("ceil_mode"):
        return False
    spans = [x + pads[d] + pads[d + n]
             - ((k - 1) * attributes.get("dilations", [1] * n)[d] + 1)
             for d, (x, k) in enumerate(zip(shape, attributes["kernel_shape"]))]
    strides = attributes.get("strides", [1] * n)
    return any(s < 0 for s in spans) and all(
        span > -stride for span, stride in zip(spans, strides))


class Jobs:
    """Functions with their expected results."""

    def __init__(self, report):
        self.report = report
        self.runs = onnx_import.Runs()
        self.expected = []

    def add(self, model, text, arrays, where=True):
        self.runs.add(text, model.feeds(), [a.dtype for a in arrays])
        self.expected.append((model, text, arrays, where))

    def run(self, path, *options):
        results, process = self.runs.run(path, *options)
        self.report.expect(process.returncode == 0, f"pool-run fails on path {path}",
                           stderr=process.stderr[:2000])
        for (model, text, arrays, where), got in zip(self.expected, results):
            good = got is not None and len(got) == len(arrays) and all(
                close(a, b, where) for a, b in zip(got, arrays))
            if self.report.expect(good, f"{model.op} on path {path}: {model}", text,
                                  data=model.feeds(), expected=arrays, got=got):
                self.report.count(f"equal on path {path}: {model.op}")


def add_unpool(jobs, report, import_onnx, model):
    """Tests both meanings of output_shape, each with its own reference."""
    text = import_onnx(model.proto())
    jobs.add(model, text, models.reference(model))
    report.count("judged by onnx.reference: MaxUnpool with output_shape")
    given, how = models.runtime(model)
    jobs.add(model, import_onnx(model.proto(), unpool_indices="given"), given)
    report.count(f"judged by ONNX Runtime, {how}: MaxUnpool with output_shape")
    if not np.array_equal(given[0], models.reference(model)[0]):
        report.difference("ONNX Runtime reads the indices of a MaxUnpool against output_shape, "
                          "the standard against the inferred shape")


def check_refused(report, model, message, arrays):
    """Checks that the message names the rules' reason. `arrays` are the results if ONNX
    Runtime computes the model nevertheless, or None."""
    try:
        resolve(models.case_of(model))
        reason = "none"
    except Refused as error:
        reason = error.reason
    words = {"window": "does not fit", "output": "does not fit",
             "ill-defined": "counts no element"}.get(reason, "by no rule")
    report.expect("node 'pool'" in message and words in message, f"refused: {model}",
                  message=message, reason=reason)
    if arrays is None:
        report.count(f"refused by both: {reason}")
    elif reason == "ill-defined":
        report.difference("ONNX Runtime computes averages of windows that count no element")
    elif 0 in arrays[0].shape:
        report.difference("ONNX Runtime gives an empty tensor for a window larger than the "
                          "padded extent")
    elif report.expect(trunc_fits(model), f"ONNX Runtime computes: {model}", message=message):
        report.difference("ONNX Runtime rounds the quotient of a negative span towards zero: "
                          "a window larger than the padded extent has an output")


def add_window(jobs, report, import_onnx, model):
    """If the importer refuses a model, the oracle's rules must refuse it too. If only ONNX
    Runtime refuses the model, the oracle is the reference."""
    try:
        import_onnx(model.proto(known=True))
        refused = None
    except ValueError as error:
        refused = str(error)
    try:
        arrays, how = models.runtime(model)
    except models.Refusal as error:
        arrays, how = None, str(error)
    if refused is not None:
        check_refused(report, model, refused, arrays)
        return
    where = True
    case = None if model.op in models.GLOBAL or model.op == "MaxUnpool" else models.case_of(model)
    if arrays is None:
        arrays = judged_by_oracle(report, model, case, how)
        if arrays is None:
            return
    else:
        report.count(f"judged by ONNX Runtime, {how}: {model.op}")
        if model.op == "MaxPool" and "dilations" in model.attributes:
            padding = oracle.run(case, model.arrays[0]).padding_only
            where = ~padding
            if padding.any():
                report.difference("ONNX Runtime: a window of padding alone is the lowest finite "
                                  "number, its index any", int(padding.sum()))
        if other_same_pads(model):
            expected = of_oracle(model, case)
            if not (len(arrays) == len(expected) and all(map(close, arrays, expected))):
                check_same_pads(report, model, case, arrays)
                arrays, where = expected, True
    text = import_onnx(model.proto())
    check_inferred_shape(report, model, import_onnx(model.proto(known=True)))
    jobs.add(model, text, arrays, where)


def other_same_pads(model):
    """True if ONNX Runtime may use other pads for auto_pad SAME than ours."""
    a = model.attributes
    return a.get("auto_pad", "").startswith("SAME") and (
        any(d > 1 for d in a.get("dilations", []))
        or any(s > k for s, k in zip(a.get("strides", []), a["kernel_shape"])))


def check_same_pads(report, model, case, arrays):
    """For auto_pad SAME, ONNX Runtime computes the pads without the kernel's dilation.
    They may be negative, which drops elements. So its result must equal an explicit window
    over the remaining elements."""
    begins, ends = [], []
    for x, k, s in zip(model.arrays[0].shape[2:], case.kernel, case.strides):
        total = (-(-x // s) - 1) * s + k - x
        # ONNX Runtime rounds halves towards zero.
        begin = int(total / 2) if case.auto_pad == "same_upper" else int((total + 1) / 2)
        begins.append(begin)
        ends.append(total - begin)
    crop = tuple(slice(max(0, -b), x - max(0, -e) or None)
                 for b, e, x in zip(begins, ends, model.arrays[0].shape[2:]))
    left = replace(model, arrays=[np.ascontiguousarray(model.arrays[0][(..., *crop)])])
    explicit = case.with_(auto_pad="explicit", same_output="input", shape=left.arrays[0].shape,
                          pads_begin=tuple(max(0, b) for b in begins),
                          pads_end=tuple(max(0, e) for e in ends))
    if any(d > 1 for d in case.dilations):
        report.difference("ONNX Runtime computes the pads of auto_pad SAME without the dilation")
    if min(begins + ends) < 0:
        report.difference("ONNX Runtime has negative pads for auto_pad SAME where the stride is "
                          "beyond the kernel")
    try:
        expected = of_oracle(left, explicit)
    except Refused:
        # With so small pads, the dilated window does not even fit.
        report.difference("... and computes a window that does not fit those pads")
        return
    where = True
    if case.op == "max_pool":
        where = ~oracle.run(explicit, left.arrays[0]).padding_only
    # ONNX Runtime's indices count the dropped elements, too, so they are not compared then.
    compared = 1 if min(begins + ends) < 0 else len(arrays)
    good = len(arrays) == len(expected) and all(
        close(a, b, where) for a, b in list(zip(arrays, expected))[:compared])
    report.expect(good, f"ONNX Runtime's pads of SAME: {model}", theirs=arrays, expected=expected)


def of_oracle(model, case):
    """Returns the outputs of a window as the oracle computes them."""
    truth = oracle.run(case, model.arrays[0])
    if model.op == "MaxPool":
        indices = [] if truth.indices is None else [truth.indices.astype(np.int64)]
        if indices and model.attributes.get("storage_order"):
            indices = [column_major(indices[0], model.arrays[0].shape)]
        return [truth.values, *indices]
    return [np.array([float(e) for e in truth.exact.flat]).reshape(truth.exact.shape)
            .astype(model.arrays[0].dtype)]


def judged_by_oracle(report, model, case, message):
    """Returns the oracle's result if ONNX Runtime refuses for a known reason, else None."""
    reasons = {
        "padding values must be non-negative":
            "ONNX Runtime refuses the negative pads of auto_pad SAME in some kernels",
        "ComputeOutputSize": "ONNX Runtime refuses a window larger than the padded extent, which "
                             "ceil_mode makes fit"}
    reason = next((text for word, text in reasons.items() if word in message), None)
    if not report.expect(case is not None and reason is not None, f"ONNX Runtime refuses: {model}",
                         message=message):
        return None
    report.difference(reason)
    report.count(f"judged by the oracle: {model.op}")
    return of_oracle(model, case)


def column_major(indices, shape):
    """Converts flat row-major positions to ONNX's storage_order 1."""
    places = np.unravel_index(indices, shape)
    plane = int(np.prod(shape[2:]))
    column = np.ravel_multi_index(places[2:], shape[2:], order="F")
    return (places[0] * shape[1] + places[1]) * plane + column


def check_inferred_shape(report, model, text):
    """Compares the output shape of onnx.shape_inference with ours."""
    inferred = onnx.shape_inference.infer_shapes(model.proto(known=True))
    tensor = inferred.graph.output[0].type.tensor_type
    if not tensor.HasField("shape") or model.op == "MaxUnpool":
        return
    theirs = [d.dim_value for d in tensor.shape.dim]
    ours = [int(e) for e in text.split("-> (tensor<")[1].split(">")[0].split("x")[:-1]]
    if theirs == ours:
        report.count("shape equals onnx.shape_inference's")
        return
    # Up to opset 21, shape inference rounds up and keeps a window that starts in the
    # padding, even after it has resolved auto_pad. It does not check that the window fits.
    spans = [(d, d.input + d.pad_begin + d.pad_end - (d.kernel - 1) * d.dilation - 1)
             for d in resolve(models.case_of(model))]
    plain = [ceil_divide(span, d.stride) + 1 for d, span in spans]
    report.expect(model.opset < 22 and model.attributes.get("ceil_mode") and theirs[2:] == plain,
                  f"onnx.shape_inference: {model}", theirs=theirs, ours=ours, plain=plain)
    report.difference("onnx.shape_inference keeps a last window that starts in the end padding")


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=tier.size(420, 210, 30))
    parser.add_argument("--seed", type=int, default=tier.seed(22))
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    report = Report("random ONNX models")
    import_onnx = onnx_import.importer().import_onnx
    jobs = Jobs(report)
    for number in range(options.cases):
        model = models.random_model(rng, models.OPERATORS[number % len(models.OPERATORS)])
        report.count(f"opset {model.opset:2d}")
        report.count(f"element type {model.arrays[0].dtype}")
        for name, value in model.attributes.items():
            report.count(f"attribute {name}{f' {value}' if isinstance(value, str) else ''}")
        if len(model.arrays) == 3:
            add_unpool(jobs, report, import_onnx, model)
        else:
            add_window(jobs, report, import_onnx, model)
    jobs.run("vector")
    jobs.run("linalg", "-O0")
    jobs.run("reference")
    report.require_counted(
        *(f"equal on path {path}: {op}" for path in onnx_import.PATHS for op in models.OPERATORS),
        *(f"opset {opset:2d}" for opset in range(1, models.NEWEST + 1)),
        *(f"element type {dtype}" for dtype in models.DTYPES.values()),
        *(f"attribute auto_pad {word}" for word in ("NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER")),
        *(f"attribute {name}" for name in ("kernel_shape", "strides", "dilations", "pads", "p",
                                           "ceil_mode", "count_include_pad", "storage_order")))
    return report.finish()


if __name__ == "__main__":
    main(run)
