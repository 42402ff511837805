"""Changes the time of a plan in a file that tune.py wrote: set-time.py FILE PLAN
MICROSECONDS."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import pathlib
import sys

path = pathlib.Path(sys.argv[1])
results = json.loads(path.read_text(encoding="utf-8"))
for result in results:
    result["times"][sys.argv[2]] = float(sys.argv[3])
path.write_text(json.dumps(results), encoding="utf-8")
