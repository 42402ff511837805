#!/bin/sh
# Checks the sources: format, house rules, layers, addresses, shell scripts, workflows, and, if
# there is a build, clang-tidy. Runs all checks and fails if one fails.
#
# usage: lint.sh --fast            all but clang-tidy, in seconds and without a build
#        lint.sh BUILD-DIRECTORY [--sample]
#
# A build directory has compile_commands.json and the generated headers. With --sample,
# clang-tidy reads the 60 sources that changed last, within the last 20 commits, and a third of
# the others, which the commit's hash chooses.
#
# check-jsonschema comes from PyPI. Without it the other checks run, and the last lines
# list the missing checks; with CI=true that is a failure. actionlint runs only if it is
# installed, as in the workflow's lint job.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

set -eu
cd "$(dirname "$0")/.."
build=${1:?usage: lint.sh --fast | BUILD-DIRECTORY [--sample]}
sample=${2-}
status=0
unchecked=

shell_scripts() {
  find scripts .ci benchmarks examples -type f |
    while read -r file; do
      case $(head -n 1 "$file") in
      '#!/bin/sh'* | '#!/bin/bash'* | '#!/usr/bin/env bash'*) echo "$file" ;;
      esac
    done | xargs shellcheck -x
}

# valid SCHEMA FILE...: checks files by one of the schemas of check-jsonschema.
valid() {
  schema=$1
  shift
  output=$("$venv/bin/check-jsonschema" --builtin-schema "$schema" "$@" 2>&1) || {
    echo "$output"
    return 1
  }
}

# Checks workflows and forms by check-jsonschema's schemas, and workflows also by
# actionlint if it is installed.
workflows() {
  venv=build/lint-venv
  if ! scripts/setup-python.sh "$PWD/$venv" scripts/requirements-lint.txt; then
    unchecked="$unchecked
  workflows and issue forms: $venv cannot be made"
    return
  fi
  forms=.github/ISSUE_TEMPLATE
  valid vendor.github-workflows .github/workflows/*.yml &&
    valid custom.github-workflows-require-timeout .github/workflows/*.yml &&
    valid vendor.github-actions .github/actions/*/action.yml &&
    valid vendor.github-issue-config "$forms/config.yml" &&
    valid vendor.github-issue-forms "$forms"/[!c]*.yml || return
  ! command -v actionlint >/dev/null || actionlint
}

# sources: prints the sources that clang-tidy reads, changed ones first.
sources() {
  set -- 'lib/*.cpp' 'tools/*.cpp'
  # The Python module is not built everywhere.
  if grep -q python/src "$build/compile_commands.json"; then
    set -- "$@" 'python/*.cpp'
  fi
  # A build with POOL_STATIC_LLVM has a few more sources.
  set -- "$@" ':!lib/StaticLLVM'
  [ "$sample" ] || {
    git ls-files "$@"
    return
  }
  changed=$(git log -20 --format= --name-only HEAD -- "$@" | awk '!seen[$0]++' |
    while read -r file; do [ ! -e "$file" ] || echo "$file"; done | head -n 60)
  echo "$changed"
  third=$((0x$(git rev-parse HEAD | cut -c 1-7) % 3))
  git ls-files "$@" | grep -vxF "$changed" | awk -v third=$third 'NR % 3 == third'
}

tidy() {
  # clang-tidy needs the generated headers that sources include.
  cmake --build "$build" || return
  list=$(sources)
  [ -z "$sample" ] || echo "a sample of $(echo "$list" | wc -l) sources, which" \
    "$(git rev-parse --short HEAD) chooses:"
  [ -z "$sample" ] || echo "$list"
  echo "$list" | xargs -d '\n' -n 1 -P "${JOBS:-$(nproc)}" clang-tidy-22 --quiet -p "$build"
}

echo "format"
scripts/format.sh --check || status=1
echo "house rules"
python3 scripts/check-style.py || status=1
echo "layers"
python3 scripts/check-layers.py || status=1
echo "addresses"
python3 scripts/addresses.py || status=1
echo "shell scripts"
shell_scripts || status=1
echo "workflows"
workflows || status=1
if [ "$build" != --fast ]; then
  echo "clang-tidy"
  tidy || status=1
fi

if [ "$unchecked" ]; then
  echo "not checked:$unchecked"
  case ${CI-} in '' | 0 | false) ;; *) status=1 ;; esac
fi
exit $status
