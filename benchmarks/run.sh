#!/usr/bin/env bash
# Runs the benchmarks that this machine supports. `make bench` calls it.
#
# usage: run.sh [BUILD [ARGUMENT...]]
#   ARGUMENT  of compare.py. With arguments, only compare.py runs, so that
#             `--only resnet_stem` measures that row and nothing else. Without, all
#             benchmarks run, and compare.py measures benchmarks/workloads.json.
#
# Results go to BUILD/benchmarks. Peers come from build/peers-venv, which `make
# bench-peers` makes, or else from the tests' environment.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
shift || true

python=build/peers-venv/bin/python
[ -x "$python" ] || python=build/venv/bin/python
results=$build/benchmarks
mkdir -p "$results"

compare() {
  "$python" benchmarks/compare.py --build "$build" --json "$results/compare.json" \
    --markdown "$results/compare.md" --plot "$results/compare.png" "$@"
}

# group NAME [ARGUMENT...]: runs a group by the Python in $with
group() {
  "${with:-build/venv/bin/python}" benchmarks/run.py "$@" --build "$build" \
    --json "$results/$1.json" --markdown "$results/$1.md"
  echo
}

if [ $# -gt 0 ]; then
  compare "$@"
  exit
fi

for name in parse_verify convert raised_cnn plans steady_loops; do
  group "$name"
done
group many_ops --rounds 1 --only chain --only averages --only shapes --only functions
with=$python group scatter
compare benchmarks/workloads.json
group holes --plot "$results/holes.png"
# All problems with all plans and all registers would take a night.
build/venv/bin/python benchmarks/tune.py --build "$build" --kinds workloads \
  --plans 60 --json "$results/tune.json" --markdown "$results/tune.md" \
  --plot "$results/tune.png"
group latency --plot "$results/latency.png"
if [ -x "$build/bin/pool-benchmark" ]; then
  with=$python group costs
else
  echo "no pool-benchmark: Google Benchmark is not installed" >&2
fi
echo "all figures: $results"
