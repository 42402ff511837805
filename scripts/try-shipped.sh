#!/bin/sh
# Tries the wheels and the tools' archive of a release like a user without LLVM, compiler
# and CMake. It needs python3 with venv, and NumPy by pip. make-release.sh also runs it in
# bare roots. It tries the wheel of pool-mlir-python-bindings if there is one for this Python.
#
# usage: try-shipped.sh [--tools] DIRECTORY
#   DIRECTORY  with the wheels, pool-mlir-VERSION-linux-*.tar.gz and README.md
#   --tools    DIRECTORY has the four tools; tries nothing but them
#
# Exit code 0 if everything works, 1 if not, 2 for a wrong command line.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

set -eu

only_tools=
[ "${1-}" != --tools ] || { only_tools=1 && shift; }
if [ $# != 1 ] || [ ! -d "$1" ]; then
  sed -n 's/^# usage: /usage: /p' "$0" >&2
  exit 2
fi
from=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# Turn the code cache off, so that no earlier run has an effect.
export POOL_CACHE_DIR=

cat >pool.mlir <<'END'
func.func @main() -> tensor<1x64x112x112xf32> {
  %x = arith.constant dense<2.0> : tensor<1x64x224x224xf32>
  %y = pool.avg_pool %x kernel [2, 2] strides [2, 2]
    : tensor<1x64x224x224xf32> -> tensor<1x64x112x112xf32>
  return %y : tensor<1x64x112x112xf32>
}
END

# Tries the four tools in the directory $1.
try_tools() {
  "$1/pool-opt" pool.mlir --pool-to-llvm >/dev/null
  "$1/pool-run" pool.mlir --output one.npy
  "$1/pool-run" pool.mlir --output two.npy --threads 2
  cmp one.npy two.npy
  for target in x86_64-linux-gnu aarch64-linux-gnu; do
    "$1/pool-compile" pool.mlir -o pool.o --emit-header=pool.h --target=$target
  done
  "$1/pool-translate" --version >/dev/null
}
# Tries the four tools with LLVM inside.
try_shipped_tools() {
  try_tools "$1"
  if "$1/pool-opt" pool.mlir --load-pass-plugin=none.so >/dev/null 2>&1; then
    echo "pool-mlir: pool-opt takes plugins" >&2
    exit 1
  fi
}

if [ "$only_tools" ]; then
  try_tools "$from"
  exit
fi
tar xzf "$from"/pool-mlir-*-linux-*.tar.gz
try_shipped_tools pool-mlir-*/bin
echo "the tools' archive: works"

begin=$(date +%s)
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
  --only-binary :all: --find-links "$from" pool-mlir
venv/bin/python -m doctest "$from/README.md"
echo "the wheel, with $(python3 --version): README's lines work, in $(($(date +%s) - begin)) s"
try_shipped_tools venv/bin
echo "the wheel's commands: work"

# A wheel of the bindings is for one version of Python, and some versions have none.
tag=$(python3 -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
if ! ls "$from"/pool_mlir_python_bindings-*-"$tag"-*.whl >/dev/null 2>&1; then
  echo "the bindings: no wheel for $tag"
  exit
fi
begin=$(date +%s)
venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
  --only-binary :all: --find-links "$from" pool-mlir-python-bindings
venv/bin/python - <<'END'
import numpy
import pool_mlir
from pool_mlir.mlir.dialects import func, pool
from pool_mlir.mlir.ir import Context, InsertionPoint, Location, MLIRError, Module, Type

with Context(), Location.unknown():
    module = Module.create()
    with InsertionPoint(module.body):
        @func.FuncOp.from_py_func(Type.parse("tensor<1x2x6x6xf32>"))
        def main(x):
            try:
                pool.max_pool(x, kernel=[2, 9])
            except MLIRError:
                return pool.max_pool(x, kernel=[2, 2])
x = numpy.arange(72, dtype=numpy.float32).reshape(1, 2, 6, 6)
assert numpy.array_equal(pool_mlir.compile(module)(x), pool_mlir.max_pool(x, 2))
END
echo "the bindings: a module is built and runs, $(($(date +%s) - begin)) s after pool-mlir"
