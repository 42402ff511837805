# RUN: env POOL_BUILD_DIR=%build_dir %python %s %src_root/docs/Guides/ImportOpenVINO.md
"""The examples of docs/Guides/ImportOpenVINO.md must match pool-translate's output.

Every block marked `xml` is a model. `--import-openvino` must turn it into the block marked `mlir`
after it.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Integration"))
# pylint: disable=wrong-import-position
from pooltest.tools import run, tool  # noqa: E402

BLOCK = re.compile(r"^```xml\n(.*?)^```\n+```mlir\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def main(page):
    examples = BLOCK.findall(Path(page).read_text())
    if not examples:
        sys.exit("no examples")
    with tempfile.TemporaryDirectory() as folder:
        for xml, mlir in examples:
            model = Path(folder) / "model.xml"
            model.write_text(xml)
            process = run([tool("pool-translate"), "--import-openvino", str(model)])
            if process.stdout.strip() != mlir.strip():
                sys.exit(f"not as the page says:\n{process.stdout}{process.stderr}")


if __name__ == "__main__":
    main(sys.argv[1])
