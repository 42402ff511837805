# Functions of .ci/run and run-job.sh, which count what their commands test. Source this file.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=sh

passed=0
failed=0
steps_log=$(mktemp) || exit 1
steps_code=$(mktemp) || exit 1
trap 'rm -f "$steps_log" "$steps_code"' EXIT

# step NAME COMMAND...: runs a command and counts its result. If the command prints a line
# `N passed, N failed`, the last one counts, else the exit code counts as one test. A command that
# fails without a failed test counts as one failure. Returns the command's exit code.
step() {
  step_name=$1
  shift
  echo "== $step_name: $*"
  step_begin=$(date +%s)
  # A plain sh has no pipefail: the exit code goes through a file.
  echo 1 >"$steps_code"
  {
    "$@" </dev/null 2>&1
    echo $? >"$steps_code"
  } | tee "$steps_log"
  step_code=$(cat "$steps_code")
  sums=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$steps_log" | tail -n 1)
  : "${sums:=$((step_code == 0)) 0}"
  [ "$step_code" = 0 ] || [ "${sums#* }" != 0 ] || sums="${sums% *} 1"
  passed=$((passed + ${sums% *}))
  failed=$((failed + ${sums#* }))
  echo "== $step_name took $(($(date +%s) - step_begin)) s"
  return "$step_code"
}

# not_run STEP REASON: names a step that this machine forbids.
not_run() { echo "not run: $1: $2"; }

# Prints the sums of all steps. Fails if one failed, or if nothing ran.
finish() {
  if [ "$passed" = 0 ] && [ "$failed" = 0 ]; then
    echo "no test ran"
    failed=1
  fi
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}
