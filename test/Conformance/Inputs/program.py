"""A program that speaks the kit's protocol, without the kit's code for systems.

It computes with the kit's reference, and misbehaves as its argument says: `crash` and `hang`
at vectors with a NaN, `planted` with a wrong divisor under ceil, `noise` writes no JSON.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import signal
import sys
import time

from pool_conformance import reference
from pool_conformance.vector import Vector


def answer(request, fault):
    if request["request"] == "describe":
        return {"title": "Program", "version": "1"}
    if request["request"] == "reproduce":
        return {}
    vector = Vector(request["vector"])
    if fault == "crash" and vector.has_nan:
        os.kill(os.getpid(), signal.SIGSEGV)
    if fault == "hang" and vector.has_nan:
        time.sleep(3600)
    expected = reference.compute(vector)[0]
    if expected.refused:
        return {"refused": expected.refused}
    if vector.shape_only:
        return {"shapes": {name: list(t.shape) for name, t in expected.outputs.items()}}
    outputs = {name: tensor.to_json() for name, tensor in expected.outputs.items()}
    if fault == "planted" and vector.operation == "avg_pool" and vector["divisor"] == "padded" \
            and vector["rounding_type"] != "floor":
        wrong = Vector({**vector.json,
                        "attributes": {**vector.json["attributes"], "divisor": "kernel"}})
        outputs = {"values": reference.compute(wrong)[0].outputs["values"].to_json()}
    return {"outputs": outputs}


fault = sys.argv[1] if len(sys.argv) > 1 else ""
for line in sys.stdin:
    if fault == "noise" and '"run"' in line:
        print("nonsense", flush=True)
    else:
        print(json.dumps(answer(json.loads(line), fault)), flush=True)
