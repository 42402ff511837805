"""The process of one system: reads requests, one JSON line each, and writes one JSON line each.

The runner starts `python -m pool_conformance.worker SYSTEM`. README.md describes the protocol,
which any other program may speak. What the system prints on its standard output goes to
standard error, so that it cannot disturb the protocol.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import traceback
from typing import Any

from .adapter import Adapter, Refused, Unsupported
from .registry import find
from .tensor import Tensor
from .vector import Vector


def describe(adapter: Adapter) -> dict[str, Any]:
    """Returns the answer to the request `describe`."""
    return {"title": adapter.title, "version": adapter.version(),
            "documents": list(adapter.documents), "tracker": adapter.tracker,
            "requirements": list(adapter.requirements), "timeout": adapter.timeout}


def answer(adapter: Adapter, request: dict[str, Any]) -> dict[str, Any]:
    """Returns the answer to one request."""
    if request["request"] == "describe":
        return describe(adapter)
    vector = Vector(request["vector"])
    try:
        if request["request"] == "reproduce":
            return {"script": adapter.reproduce(vector)}
        if vector.shape_only:
            return {"shapes": {name: [int(d) for d in shape]
                               for name, shape in adapter.infer(vector).items()}}
        return {"outputs": {name: Tensor.of(array).to_json()
                            for name, array in adapter.run(vector).items()}}
    except Unsupported as error:
        return {"unsupported": str(error)}
    except Refused as error:
        return {"refused": str(error)}
    except Exception:
        return {"broken": traceback.format_exc(limit=-4)}


def end_with_runner() -> None:
    """Asks Linux to end this process if the runner ends, which then watches its memory no
    more."""
    if sys.platform == "linux":
        set_death_signal = 1
        ctypes.CDLL(None).prctl(set_death_signal, int(signal.SIGKILL))


def main(arguments: list[str]) -> int:
    """Serves the system whose name is the only argument."""
    end_with_runner()
    protocol = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    adapter, reason = None, ""
    try:
        adapter = find(arguments[0])()
    except ImportError as error:
        reason = f"{type(error).__name__}: {error}"
    for line in sys.stdin:
        request = json.loads(line)
        result = {"missing": reason} if adapter is None else answer(adapter, request)
        print(json.dumps(result), file=protocol, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
