# Configures lit for test/, and defines what RUN lines may use.
#
# RUN lines may name pool-opt and the other tools of the build, and LLVM's tools, such as
# FileCheck and mlir-opt. If a tool of the build has not been built, its tests are unsupported
# (pool_format.py).
# FileCheck runs with -enable-var-scope: a variable [[X]] is undefined after the next
# CHECK-LABEL, while [[$X]] keeps its value.
#
# %python              the interpreter of the tests' environment
# %doors_python        the interpreter of build/doors-venv, which `make test` makes
# %peers_python        the interpreter of build/peers-venv, which `make bench-peers` makes,
#                      or $POOL_PEERS_PYTHON
# %peers_packages      a glob pattern of the site-packages of %peers_python
# %pool_plugin         PoolPlugin.so, for the stock tools
# %pool_lib_dir        the directory of PoolPlugin.so
# %build_dir %src_root the build tree and the source tree
# %pool_version        the version of this project
# %pool_c              a C compiler's options for a program that uses libPoolC
# %pool_mlir_c         %pool_c, and the options for MLIR's C API
# %static_tools        the tools of the build by the preset `static`
# %mpirun              starts several ranks of a program: %mpirun -n 4 ...
# %lit                 lit itself, of LLVM
# %cmake %cxx %host_cc the CMake and the compilers of this build
# %mlir_dir            the directory of MLIRConfig.cmake
# %mlir_include        upstream's headers and .td files
# %mkdocs              the generator of the site, which `make site` installs
# %fuzz_runs           the tier's number of mutated models
#
# lit -D tier=quick|land|all (or $POOL_TEST_TIER; default land) sets how much a test does. The
# Python tests read the tier in pooltest/tier.py. With $POOL_TEST_SEED, they draw other samples
# than with the fixed seed. Each tier has a time limit for a single test.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Features for REQUIRES and UNSUPPORTED:
#
# - roundtrip: the suite runs again with --verify-roundtrip
# - sanitizer: a sanitized build
# - google-benchmark: pool-benchmark is built
# - python-module: the Python module is built
# - static-build: the preset `static` has been built
# - wheel: `make wheel` has run
# - valgrind, chromium: the program is installed
# - mkdocs: `make site` has run
# - mlir-bindings: `make bindings` has run
# - avx2: an x86-64 processor with AVX2
# - tflite: %python has ai-edge-litert and tosa-converter-for-tflite
# - jax, dask, xdsl: %doors_python has the package
# - vulkan: %doors_python has the package, and Mesa's Vulkan driver for CPUs is installed
# - mpi: %doors_python has mpi4py, and mpirun and mpicc are installed
# - torch, opencv, mypy: %peers_python has the package
# - tier-land, tier-all: for tests that are too slow for lower tiers

import glob
import os
import platform
import shutil
import sys

from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.test_source_root = os.path.dirname(__file__)
config.excludes = ["CMakeLists.txt", "lit.cfg.py", "pool_format.py", "Inputs", "pooltest"]

# Lets lit's worker processes import the module of the format.
sys.path.insert(0, config.test_source_root)
from pool_format import LIBRARIES, PoolTest  # noqa: E402

TOOLS = ("pool-compile", "pool-fuzz-openvino", "pool-lsp-server", "pool-opt", "pool-query",
         "pool-reduce", "pool-run", "pool-test-opt", "pool-translate")
config.test_format = PoolTest(TOOLS)
for directory, names in ((config.pool_tools_dir, TOOLS),
                         (config.pool_lib_dir, LIBRARIES.values())):
    config.available_features.update(
        name for name in names if os.path.exists(os.path.join(directory, name)))

if config.pool_roundtrip:
    # The second run tests something new only if pool-opt reads a file of MLIR, so leave the
    # other tests out.
    config.name = "Pool-Roundtrip"
    config.suffixes = [".mlir"]
    config.test_exec_root = os.path.join(config.pool_build_dir, "test-roundtrip")
    config.excludes += ["Benchmarks", "Import", "Integration", "MPI", "Package", "Plugin",
                        "Python", "Tools", "Torch", "Dask"]
    config.available_features.add("roundtrip")
    pool_opt_arguments = ["--verify-roundtrip"]
else:
    config.name = "Pool"
    config.suffixes = [".mlir", ".py", ".test", ".c"]
    config.test_exec_root = os.path.join(config.pool_build_dir, "test")
    pool_opt_arguments = []

if config.pool_sanitize:
    config.available_features.add("sanitizer")
    lit_config.load_config(config, os.path.join(os.path.dirname(__file__), "sanitizers.cfg"))
if os.path.exists(os.path.join(config.pool_tools_dir, "pool-benchmark")):
    config.available_features.add("google-benchmark")
if config.pool_python_module and glob.glob(
        os.path.join(config.pool_build_dir, "python", "pool_mlir", "_pool_mlir*.so")):
    config.available_features.add("python-module")
if os.path.exists(os.path.join(
        config.pool_build_dir, "python", "pool_mlir", "mlir", "dialects", "pool.py")):
    config.available_features.add("mlir-bindings")
static_tools = os.path.join(config.pool_src_root, "build-static", "bin")
if os.path.exists(os.path.join(static_tools, "pool-run")):
    config.available_features.add("static-build")
if glob.glob(os.path.join(config.pool_src_root, "dist", "*.whl")):
    config.available_features.add("wheel")


def get_packages(python):
    """Returns a glob pattern of the site-packages of a virtual environment's interpreter."""
    return os.path.join(os.path.dirname(os.path.dirname(python)), "lib", "python*",
                        "site-packages")


def has_packages(python, *names):
    return all(glob.glob(os.path.join(get_packages(python), name, "__init__.py"))
               for name in names)


doors_python = os.path.join(config.pool_src_root, "build", "doors-venv", "bin", "python")
peers_python = os.environ.get("POOL_PEERS_PYTHON") or os.path.join(
    config.pool_build_dir, "peers-venv", "bin", "python")
if has_packages(config.pool_python, "ai_edge_litert", "tosa_converter_for_tflite"):
    config.available_features.add("tflite")
for feature, python, package in (("jax", doors_python, "jaxlib"), ("dask", doors_python, "dask"),
                                 ("xdsl", doors_python, "xdsl"),
                                 ("torch", peers_python, "torch"),
                                 ("opencv", peers_python, "cv2"),
                                 ("mypy", peers_python, "mypy")):
    if has_packages(python, package):
        config.available_features.add(feature)
if all(map(shutil.which, ("mpirun", "mpicc"))) and has_packages(doors_python, "mpi4py"):
    config.available_features.add("mpi")
if has_packages(doors_python, "vulkan") and glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json"):
    config.available_features.add("vulkan")
config.available_features.update(filter(shutil.which, ("chromium", "valgrind")))
mkdocs = os.path.join(config.pool_src_root, "build", "site-venv", "bin", "mkdocs")
if os.path.exists(mkdocs):
    config.available_features.add("mkdocs")
if platform.machine() == "x86_64":
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as cpuinfo:
        if " avx2 " in cpuinfo.read():
            config.available_features.add("avx2")
if not os.path.exists(config.pool_python):
    lit_config.fatal(
        "no Python environment for the tests: run scripts/setup-python.sh"
    )

tiers = ("quick", "land", "all")
tier = lit_config.params.get("tier") or os.environ.get("POOL_TEST_TIER") or "land"
if tier not in tiers:
    lit_config.fatal(f"tier is '{tier}', not one of {', '.join(tiers)}")
config.environment["POOL_TEST_TIER"] = tier
if "POOL_TEST_SEED" in os.environ:
    config.environment["POOL_TEST_SEED"] = os.environ["POOL_TEST_SEED"]
config.available_features |= {f"tier-{name}" for name in tiers[1 : tiers.index(tier) + 1]}
# Tier -> time limit of a test in seconds, to end tests that hang. The tier's slowest test
# needs a fraction of the limit on one of two quiet cores. lit needs psutil for limits.
config.pool_time_limits = {
    name: seconds * (3 if config.pool_sanitize else 1)
    for name, seconds in {"quick": 600, "land": 1800, "all": 4 * 3600}.items()
}
if lit_config.maxIndividualTestTimeIsSupported[0]:
    lit_config.maxIndividualTestTime = config.pool_time_limits[tier]

config.environment["FILECHECK_OPTS"] = "-enable-var-scope"
# Keep the source tree clean.
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
# Turn the code cache off: tests must compile.
config.environment["POOL_CACHE_DIR"] = ""
llvm_config.with_system_environment(
    ["HOME", "TMPDIR", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS"]
)
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
llvm_config.with_environment("PATH", config.pool_tools_dir, append_path=True)

pool_c = ["-I" + config.pool_src_root + "/include", "-I" + config.pool_build_dir + "/include",
          "-L" + config.pool_lib_dir, "-Wl,-rpath," + config.pool_lib_dir, "-lPoolC"]
if config.pool_sanitize:
    pool_c.append("-fsanitize=address,undefined")
pool_mlir_c = pool_c + ["-isystem", config.mlir_include_dir, "-L" + config.llvm_lib_dir]
pool_mlir_c += ["-Wl,--start-group", "-lMLIRCAPIRegisterEverything", "-lMLIRCAPIIR",
                "-Wl,--end-group", "-lMLIR", "-lLLVM", "-lstdc++", "-lm",
                "-Wl,-rpath," + config.llvm_lib_dir]

config.substitutions += [
    # Turns a test of maxima into the same test of minima, which reverse the order.
    ("%to_minima", r"sed 's/pool\.max_pool/pool.min_pool/g; s/<max>/<min>/g; s/neg_inf/pos_inf/g'"),
    ("%doors_python", doors_python),
    ("%peers_python", peers_python),
    ("%peers_packages", get_packages(peers_python)),
    ("%mpirun", "mpirun --oversubscribe"),
    ("%python", config.pool_python),
    ("%pool_mlir_c", " ".join(pool_mlir_c)),
    ("%pool_c", " ".join(pool_c)),
    ("%pool_plugin", os.path.join(config.pool_lib_dir, "PoolPlugin.so")),
    ("%pool_lib_dir", config.pool_lib_dir),
    ("%build_dir", config.pool_build_dir),
    ("%src_root", config.pool_src_root),
    ("%static_tools", static_tools),
    ("%pool_version", config.pool_version),
    ("%mkdocs", mkdocs),
    ("%lit", os.path.join(config.llvm_tools_dir, "lit")),
    ("%cmake", config.cmake),
    ("%cxx", config.host_cxx),
    ("%host_cc", config.host_cc),
    ("%mlir_dir", config.mlir_dir),
    ("%mlir_include", config.mlir_include_dir),
    ("%fuzz_runs", {"quick": "500", "land": "5000", "all": "100000"}[tier]),
]

llvm_config.add_tool_substitutions(
    [ToolSubst(name, extra_args=pool_opt_arguments if name == "pool-opt" else [],
               unresolved="ignore") for name in TOOLS],
    [config.pool_tools_dir],
)
llvm_config.add_tool_substitutions(
    [
        ToolSubst(name, unresolved="fatal")
        for name in (
            "FileCheck",
            "count",
            "mlir-opt",
            "mlir-runner",
            "mlir-tblgen",
            "mlir-translate",
            "not",
            "split-file",
        )
    ],
    [config.llvm_tools_dir],
)
