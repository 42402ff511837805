# Configures lit for the GoogleTests: every executable named *Tests below the build
# directory is a suite, and each of its tests counts.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os

import lit.formats

config.name = "Pool-Unit"
config.test_format = lit.formats.GoogleTest(".", "Tests")
config.test_source_root = config.pool_unittests_dir
config.test_exec_root = config.pool_unittests_dir
config.excludes = ["CMakeFiles"]
# Turn the code cache off, so that tests compile their code.
config.environment["POOL_CACHE_DIR"] = ""
if config.pool_sanitize:
    here = os.path.dirname(__file__)
    lit_config.load_config(config, os.path.join(here, os.pardir, "test", "sanitizers.cfg"))
    suppressions = os.path.join(here, "lsan-suppressions.txt")
    os.environ.setdefault("LSAN_OPTIONS", f"suppressions={suppressions}")
# Sets the number of structures that LayerFuzz mutates. LayerFuzzTest.cpp has the default.
if (lit_config.params.get("tier") or os.environ.get("POOL_TEST_TIER")) == "all":
    config.environment["POOL_FUZZ_RUNS"] = "14000"
# The sanitizers read these variables, if they are set.
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
