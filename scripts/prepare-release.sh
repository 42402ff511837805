#!/bin/sh
# Makes the changes of a release in the tree: the version in CMakeLists.txt and in
# examples/standalone, the changelog's heading, the bytecode fixture. Commits nothing.
# docs/Internals/Release.md has all steps of a release.
#
# usage: prepare-release.sh POOL-OPT VERSION
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

set -eu

if [ $# -ne 2 ]; then
  sed -n 's/^# usage: /usage: /p' "$0" >&2
  exit 2
fi
pool_opt=$1
version=$2
root=$(cd "$(dirname "$0")/.." && pwd)

fail() {
  echo "$0: $1" >&2
  exit 1
}

echo "$version" | grep -qxE '[0-9]+\.[0-9]+\.[0-9]+' ||
  fail "'$version' is not a version such as 0.3.0"
grep -qF "## [$version]" "$root/CHANGELOG.md" &&
  fail "CHANGELOG.md has $version already"
awk '/^## \[Unreleased\]/ { inside = 1; next } /^## / { inside = 0 }
     inside && /^- / { found = 1 } END { exit !found }' "$root/CHANGELOG.md" ||
  fail "CHANGELOG.md says nothing under Unreleased"
[ "$(grep -c '^project(Pool VERSION ' "$root/CMakeLists.txt")" = 1 ] ||
  fail "CMakeLists.txt has no line 'project(Pool VERSION ...'"

# This step may fail, so it comes before any change of the tree.
"$root/scripts/make-bytecode-fixture.sh" "$pool_opt" "$version"

edit() {
  sed "$1" "$2" >"$2.new"
  cat "$2.new" >"$2"
  rm "$2.new"
}
edit "s/^project(Pool VERSION [0-9.]*/project(Pool VERSION $version/" \
  "$root/CMakeLists.txt"
edit "s/^find_package(Pool [0-9.]*/find_package(Pool ${version%.*}/" \
  "$root/examples/standalone/CMakeLists.txt"
edit "s/^## \\[Unreleased\\]\$/&\\
\\
## [$version] - $(date +%Y-%m-%d)/" "$root/CHANGELOG.md"

echo "prepared $version: build, test, look at it and commit (docs/Internals/Release.md)"
