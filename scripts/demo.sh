#!/usr/bin/env bash
# Pools a photograph (PHOTO=file, or one from a package) and writes a picture of the
# results to demo-output/. `make demo` calls it.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}

exec build/venv/bin/python examples/photo/photo.py \
  --pool-run "$build/bin/pool-run" --output demo-output/pooling.png \
  ${PHOTO:+--photo "$PHOTO"}
