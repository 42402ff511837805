#!/bin/sh
# Runs one of the jobs that test what `make test` has no time for. .ci/run runs the one
# that CI_JOB names, and a workflow runs all of them every night.
#
# usage: run-job.sh JOB     a number or a name; `make job JOB=...` installs what jobs need first
#        run-job.sh --list
#   0 sanitize    the quick tier with AddressSanitizer and UndefinedBehaviorSanitizer
#   1 frameworks  PyTorch, JAX and other bindings of MLIR, in full; mypy on a script of every door
#   2 release     the files of a release, tried in bare roots; projects that use the package
#   3 analyse     clang-tidy on a sample of the sources, and the site in Chromium
#   4 explore     new seeds for ten minutes; every pass twice over every test module
#   5 scale       dask and MPI, in full
#
# Environment:
#   JOBS          number of processes at a time (default: the number of processors)
#   EXPLORE_TIME  seconds of the job `explore` (default: 600)
#   FULL          if not empty, clang-tidy reads all sources
#
# Prints each step with its time, and a line `not run: STEP: REASON` for a step that this machine
# forbids. The last line is `N passed, N failed`: the sum of lit's tests, and one for each other
# step. Exit code 0 if nothing failed, 1 if something did, 2 for a wrong command line.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

set -u
cd "$(dirname "$0")/.." || exit 1

names='sanitize frameworks release analyse explore scale'
usage() { sed -n '/^# usage/,/^#$/s/^# \{0,1\}//p' scripts/run-job.sh; }
[ $# = 1 ] || { usage >&2 && exit 2; }
job=
number=0
for name in $names; do
  case $1 in "$name" | "$number") job=$name ;; esac
  number=$((number + 1))
done
case $1 in
-h | --help) usage && exit 0 ;;
--list) echo "$names" | tr ' ' '\n' && exit 0 ;;
esac
[ "$job" ] || { usage >&2 && exit 2; }

jobs=${JOBS:-$(nproc)}
. scripts/steps.sh

# full PATTERN PATH...: runs the tests below these paths of build/test whose names match, in full
# sizes.
full() {
  pattern=$1
  shift
  for path; do
    set -- "$@" "build/test/$path"
    shift
  done
  build/venv/bin/python scripts/run-tests.py --tier all --lit "$(lit)" -- \
    -sv "-j$jobs" --no-progress-bar --filter "$pattern" "$@"
}
lit() { sed -n 's/^POOL_LIT:[A-Z]*=//p' build/CMakeCache.txt; }

run_sanitize() {
  step 'quick tier, sanitized' make PRESET=asan JOBS="$jobs" check
}

run_frameworks() {
  step 'environment' make bench-peers || return
  step 'tests' full '(Torch/|Python/(jax|pool-to-jax|ops|types)|compare-filters)' \
    Torch Python Benchmarks
}

run_release() {
  # pyenv's shims run a version only if it is chosen.
  if command -v pyenv >/dev/null; then
    PYENV_VERSION=$({ pyenv version-name && pyenv versions --bare; } | paste -sd:)
    export PYENV_VERSION
  fi
  set --
  if [ "$(id -u)" != 0 ]; then
    not_run 'bare roots' 'only root may make and enter a root directory'
  elif ! unshare --mount true 2>/dev/null; then
    not_run 'bare roots' 'this machine lets nobody mount'
  else
    bare_root bookworm && set -- "$@" --bare build/roots/bookworm
    if python3.12 -c '' 2>/dev/null; then
      bare_root trixie && set -- "$@" --bare build/roots/trixie
    else
      not_run 'root of trixie' 'its Python needs the wheel of Python 3.12, which is not here'
    fi
  fi
  # Tests find the wheels in dist. Do not remove those of somebody else.
  if [ -n "$(ls -A dist 2>/dev/null)" ] && [ ! -e dist/.of-job ]; then
    step 'dist' sh -c 'echo "dist is not empty: move its files away" && false'
    return
  fi
  rm -rf dist
  step 'release' scripts/make-release.sh --output dist "$@"
  touch dist/.of-job
  step 'tests' full '(wheel|static-build|Package)' Release Tools Package
}

# bare_root SUITE: makes a root directory of Debian, unless it is there.
bare_root() {
  [ -e "build/roots/$1" ] && return
  rm -rf "build/roots/$1.new"
  mkdir -p build/roots
  step "root of $1" scripts/bare-root.sh make "$PWD/build/roots/$1.new" "$1" python3-venv &&
    mv "build/roots/$1.new" "build/roots/$1"
}

run_analyse() {
  set -- --sample
  [ -z "${FULL-}" ] || set --
  step 'clang-tidy' env JOBS="$jobs" scripts/lint.sh build "$@"
  step 'site' make site
  step 'tests' full 'browse-site' Docs
}

run_explore() {
  step 'new seeds' make JOBS="$jobs" TIME="${EXPLORE_TIME:-600}" explore
  step 'passes' full 'passes_twice' Integration
}

run_scale() {
  step 'tests' full '.' Dask MPI
}

begin_all=$(date +%s)
# The job `sanitize` has a build of its own.
if [ "$job" = sanitize ] || step 'build' make JOBS="$jobs" all doors-venv; then
  "run_$job"
fi
echo "job '$job': $(($(date +%s) - begin_all)) s"
finish
