"""The contestants of benchmarks/compare.py, one class a peer, found by name.

A peer's library is imported only when it is asked for; one that is not there
is reported and left out.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import importlib

# Name on the command line -> (module, class).
PEERS = {
    "openvino": ("openvino_peer", "OpenVINO"),
    "onnxruntime": ("onnxruntime_peer", "OnnxRuntime"),
    "torch": ("torch_peer", "Torch"),
    "jax": ("jax_peer", "Jax"),
    "iree": ("iree_peer", "Iree"),
    "onednn": ("onednn_peer", "OneDNN"),
}


def load(name, context):
    """The peer, or raises ImportError, OSError or Unsupported."""
    module, cls = PEERS[name]
    return getattr(importlib.import_module(f"{__name__}.{module}"), cls)(context)
