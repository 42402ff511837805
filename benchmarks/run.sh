#!/usr/bin/env bash
# Runs the benchmarks that this machine can. Called by `make bench`.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}

for benchmark in parse_verify convert raised_cnn; do
  "$build/venv/bin/python" "benchmarks/$benchmark.py" --build "$build"
  echo
done
