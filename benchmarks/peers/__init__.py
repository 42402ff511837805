"""The contestants of benchmarks/compare.py: one class for each peer, found by name.

A peer's library is imported only on request. If it is missing, it is reported and left out.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import importlib
from dataclasses import dataclass

# Name on the command line -> (module, class).
PEERS = {
    "openvino": ("openvino_peer", "OpenVINO"),
    "onnxruntime": ("onnxruntime_peer", "OnnxRuntime"),
    "torch": ("torch_peer", "Torch"),
    "jax": ("jax_peer", "Jax"),
    "iree": ("iree_peer", "Iree"),
    "onednn": ("onednn_peer", "OneDNN"),
    "opencv": ("opencv_peer", "OpenCV"),
    "ipp": ("ipp_peer", "Ipp"),
    "litert": ("litert_peer", "LiteRT"),
}


@dataclass(frozen=True)
class Isa:
    """A limit on the instructions that contestants may use."""

    # Compilers' name of a processor with exactly these instructions
    cpu: str
    # Environment variables that limit the peers whose `obeys_isa` is true
    environment: dict


ISAS = {"avx2": Isa("x86-64-v3", {"ONEDNN_MAX_CPU_ISA": "AVX2", "ATEN_CPU_CAPABILITY": "avx2",
                                  "XLA_FLAGS": "--xla_cpu_max_isa=AVX2",
                                  "OPENCV_CPU_DISABLE": "AVX512-SKX", "OPENCV_IPP": "avx2"})}


def load(name, context):
    """Returns the peer, or raises ImportError, OSError or Unsupported."""
    module, cls = PEERS[name]
    return getattr(importlib.import_module(f"{__name__}.{module}"), cls)(context)
