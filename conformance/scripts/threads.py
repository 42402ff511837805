"""The public threads of the vectors, and what the system of each thread gives today.

make_reports.py writes reports/threads.md from the results. A vector names a thread if it shows
what the thread is about, so other causes may make it fail too: the page names the vectors.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import re
from typing import Any

from pool_conformance.compare import FAULTS
from pool_conformance.vector import Vector

# Project of a thread -> its systems
SYSTEMS = {"iree-org/iree": ("iree-onnx", "iree-stablehlo"), "IREE": ("iree-onnx",),
           "apache/tvm": ("tvm",), "openvinotoolkit/openvino": ("openvino",),
           "pytorch/pytorch": ("torch", "torch-inductor"),
           "llvm/torch-mlir": ("torch-mlir",), "microsoft/onnxruntime": ("onnxruntime",),
           "sonos/tract": ("tract",), "onnx/onnx": ("onnx-reference",),
           "Tencent/ncnn": ("ncnn",), "PaddlePaddle/Paddle": ("paddle",),
           "uxlfoundation/oneDNN": ("torch-mkldnn",), "openxla/stablehlo": ("iree-stablehlo",),
           "google/XNNPACK": ("litert",), "tensorflow/tflite-micro": ("litert-reference",),
           "jax-ml/jax": ("jax",)}


def project(thread: str) -> str:
    return re.split(r"#| PR | test_", thread)[0]


def link(thread: str) -> str:
    found = re.fullmatch(r"([\w.-]+/[\w.-]+)(?:#| PR )(\d+)", thread)
    if not found:
        return thread
    kind = "pull" if " PR " in thread else "issues"
    return f"[{thread}](https://github.com/{found[1]}/{kind}/{found[2]})"


def table(results: list[dict[str, Any]], vectors: list[Vector]) -> str:
    """Returns the page: threads whose project was run, then the others."""
    known = {result["system"]: result for result in results}
    threads: dict[str, list[str]] = {}
    for vector in vectors:
        for thread in vector.json["threads"]:
            threads.setdefault(thread, []).append(vector.name)
    rows, others = [], []
    for thread in sorted(threads):
        ran = [known[name] for name in SYSTEMS.get(project(thread), ()) if name in known]
        if not ran:
            others.append(f"{link(thread)} ({len(threads[thread])})")
        for result in ran:
            entries = {name: result["results"][name]["status"] for name in threads[thread]
                       if name in result["results"]}
            wrong = [name for name, status in entries.items() if status in FAULTS]
            passed = sum(status == "pass" for status in entries.values())
            refused = sum(status == "refused" for status in entries.values())
            said = "wrong" if wrong else "right" if passed else \
                "refused" if refused else "not offered"
            some = ", ".join(f"`{name}`" for name in wrong[:3])
            rows.append((said != "wrong", f"| {link(thread)} | {result['title']} "
                         f"{result['version']} | {said} | {passed} | {len(wrong)} | {refused} | "
                         f"{some}{' ...' if len(wrong) > 3 else ''} |"))
    lines = ["# Public threads", "",
             "What the newest versions that ran here give for the vectors of each public thread",
             "of their own project. *wrong*: at least one vector differs; it may have another",
             "cause than the thread. Made by `conformance/scripts/make_reports.py`.", "",
             "| thread | system | now | right | wrong | refused | vectors that differ |",
             "|---|---|---|---|---|---|---|",
             *(row for _, row in sorted(rows)), "",
             "Threads of projects that were not run, with the number of vectors: "
             + ", ".join(others) + "."]
    return "\n".join(lines) + "\n"
