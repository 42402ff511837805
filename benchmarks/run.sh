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

if [ $# -gt 0 ]; then
  compare "$@"
  exit
fi

for benchmark in parse_verify convert raised_cnn; do
  build/venv/bin/python "benchmarks/$benchmark.py" --build "$build"
  echo
done
build/venv/bin/python benchmarks/plans.py --build "$build" --markdown "$results/plans.md" \
  > /dev/null
build/venv/bin/python benchmarks/steady_loops.py --build "$build" \
  --markdown "$results/steady_loops.md" > /dev/null
build/venv/bin/python benchmarks/many_ops.py --build "$build" --repetitions 1 \
  --only chain averages shapes functions | tee "$results/many_ops.md"
echo
"$python" benchmarks/scatter.py --build "$build" | tee "$results/scatter.md"
echo
compare benchmarks/workloads.json
build/venv/bin/python benchmarks/holes.py --build "$build" --json "$results/holes.json" \
  --markdown "$results/holes.md" --plot "$results/holes.png"
echo
# All problems with all plans and all registers would take a night.
build/venv/bin/python benchmarks/tune.py --build "$build" --kinds workloads \
  --plans 60 --json "$results/tune.json" --markdown "$results/tune.md" \
  --plot "$results/tune.png"
build/venv/bin/python benchmarks/latency.py --build "$build" \
  --markdown "$results/latency.md" --plot "$results/latency.png"
echo
if [ -x "$build/bin/pool-benchmark" ]; then
  "$python" benchmarks/costs.py --build "$build" --markdown "$results/costs.md"
else
  echo "no pool-benchmark: Google Benchmark is not installed" >&2
fi
echo "all figures: $results"
