#!/bin/sh
# Makes and tries the files of a release from the current commit: wheels, source
# distribution, source archive, the tools' archive, checksums and a bill of materials.
# prepare-release.sh must have set the version. docs/Internals/Release.md has all steps of a
# release.
#
# usage: make-release.sh [--output DIRECTORY] [--bare ROOT]... [PYTHON...]
#   --output DIRECTORY  directory for all files, new or empty (default: dist)
#   --bare ROOT         a root of another system with python3-venv, where chroot tries
#                       wheels and tools; may be repeated
#   PYTHON              as for make-wheels.sh
#
# Exit code 0 if all files are made and work, 1 if something failed, 2 for a wrong command
# line.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

set -eu

usage() { sed -n '2,/SPDX/s/^# \{0,1\}//p' "$0" | sed '/SPDX/d'; }
fail() {
  echo "pool-mlir: $1" >&2
  exit 1
}
root=$(cd "$(dirname "$0")/.." && pwd)
output=$root/dist
bare=
while [ $# -gt 0 ]; do
  case $1 in
  --output) output=${2:?} && shift 2 ;;
  --bare) bare="$bare ${2:?}" && shift 2 ;;
  -h | --help) usage && exit 0 ;;
  -*) usage >&2 && exit 2 ;;
  *) break ;;
  esac
done
for system in $bare; do
  [ -x "$system/usr/bin/python3" ] || fail "$system has no python3"
done
[ -z "$(git -C "$root" status --porcelain)" ] || fail "the tree is not clean"
[ -z "$(ls -A "$output" 2>/dev/null)" ] || fail "$output is not empty"
mkdir -p "$output"
output=$(cd "$output" && pwd)
version=$(sed -n 's/^project(Pool VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
build=$root/build-static
name=pool-mlir-$version
machine=linux-$(uname -m)

"$root/scripts/make-wheels.sh" --bindings --output "$output" "$@"
# The next steps run in the environment of a pool_mlir wheel. The pattern skips the environments
# of the bindings, which have another nanobind.
for python in "$build"/cp3??/bin/python; do :; done

(cd "$root" && "$python" -c "import sys
from scikit_build_core.build import build_sdist
build_sdist(sys.argv[1])" "$output")
git -C "$root" archive --format=tar.gz --prefix="$name/" -o "$output/$name-source.tar.gz" HEAD

tree=$build/archive/$name-$machine
rm -rf "$build/archive"
cmake --install "$build" --component Tools --prefix "$tree" >/dev/null
"$python" "$root/scripts/shipped-parts.py" --no-nanobind --licenses "$tree/licenses"
cp "$root/README.md" "$tree"
# Use the commit's time and no particular owner, so that the archive is reproducible.
date=$(git -C "$root" log -1 --format=%ct)
tar -C "$build/archive" --sort=name --mtime="@$date" --owner=0 --group=0 --numeric-owner \
  -c "$name-$machine" | gzip -9n >"$output/$name-$machine.tar.gz"
"$python" "$root/scripts/shipped-parts.py" --bill "$output/$name-bill.json"
cp "$root/README.md" "$output"
(cd "$output" && sha256sum -- *.whl *.tar.gz *.json >SHA256SUMS)

echo "made; now it is tried"
(cd "$output" && sha256sum --check --quiet SHA256SUMS)
work=$build/try
rm -rf "$work" && mkdir "$work"
"$root/scripts/try-shipped.sh" "$output"
for system in $bare; do
  place=$(mktemp -d "$system/tmp/pool-mlir.XXXXXX")
  cp "$output"/* "$root/scripts/try-shipped.sh" "$place"
  inside=${place#"$system"}
  echo "$system:"
  "$root/scripts/bare-root.sh" run "$system" "$inside" sh try-shipped.sh .
  rm -rf "$place"
done
# Build the source archive and the source distribution from scratch; only ccache may help.
tar -C "$work" -xzf "$output/$name-source.tar.gz"
(cd "$work/$name" && cmake --preset release -DPOOL_BUILD_TESTS=OFF \
  -DPOOL_BUILD_BENCHMARKS=OFF && cmake --build --preset release) >"$work/log" 2>&1 ||
  { cat "$work/log" && fail "the source archive does not build"; }
"$root/scripts/try-shipped.sh" --tools "$work/$name/build/bin"
echo "the source archive: builds, and its tools work"
"$python" -m venv "$work/venv"
env -u Pool_ROOT "$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check \
  --no-input "$output"/pool_mlir-*.tar.gz
(cd "$work" && POOL_CACHE_DIR='' venv/bin/python -m doctest "$output/README.md")
echo "the source distribution: pip builds it, and README's lines work"
rm -rf "$work" "$output/README.md"
echo "$name is in $output"
