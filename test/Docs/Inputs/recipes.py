"""Lists what the pages' examples need, and examples that are not run, with the reason.

A block or a command is named by its page and its first words. An entry that matches nothing
fails the test. So does a block that neither this file nor examples.py knows how to run.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import shutil
from pathlib import Path

import numpy as np
from blocks import blocks

# Pages with programs that need an installed package. test/Package/pages.test runs these pages.
PACKAGE_PAGES = ("docs/Start/Compiler.md", "docs/Guides/CppByExample.md")

# Blocks that another test runs, by (page, language), with that test's path.
ELSEWHERE = {
    (r"docs/Reference/FrontEnds/\w+\.md", "mlir"): "test/Docs/front-ends.py",
    (r"docs/Reference/FrontEnds/\w+\.md", "values.*"): "test/Docs/front-ends.py",
    (r"docs/Reference/Semantics\.md", "mlir"): "test/Docs/front-ends.py",
    (r"docs/Reference/Semantics\.md", "values.*"): "test/Docs/front-ends.py",
    (r"docs/Guides/ImportOpenVINO\.md", "xml"): "test/Docs/openvino.py",
}

# Blocks that are not run, with the reason.
NOT_RUN = {
    ("README.md", "find_package(Pool REQUIRED)"):
        "needs an installed package; examples/standalone has the same two lines",
    ("docs/Reference/CAPI.md", "target_link_libraries(compiler"):
        "needs an installed package; test/Package/consumer does it with the static libraries",
    ("docs/Reference/CAPI.md", "o_desc.size[1]"):
        "a message; unittests/CAPI/LayerFieldsTest.cpp has it",
    ("docs/Reference/Operations.md", "operation ::="): "a syntax that mlir-tblgen wrote",
    ("docs/Reference/Operations.md", "#pool."): "a syntax that mlir-tblgen wrote",
    ("docs/Reference/Passes.md", "-"): "a list of options that mlir-tblgen wrote",
    ("docs/Guides/UseInPyTorch.md", "import torch"): "needs PyTorch; test/Torch/page.py runs it",
    ("docs/Guides/AddAnOperation.md", "/// The type of the first result"): "lib/Dialect/Pool/IR has them",
    ("docs/Guides/AddAnOperation.md", "const auto [axis, padValue"): "the exporters have it",
    ("docs/Guides/AddAnOperation.md", "struct DirectPlan"): "Separate/TapLoops.cpp has it",
    ("README.md", "import pool_mlir.jax"): "needs JAX; test/Python/jax-functions.py",
    ("docs/Guides/BuildInPython.md", ""): "needs IREE; test/Python/ops.py runs it",
    ("docs/Reference/IRDL.md", "from pathlib"): "needs xDSL; test/Docs/irdl-in-xdsl.py runs it",
    ("docs/Reference/IRDL.md", "adaptive_avg_pool"): "its output; test/Docs/irdl-in-xdsl.py compares it",
    ("docs/Guides/UseInJAX.md", "import jax, numpy"): "needs JAX; test/Python/jax-functions.py",
    ("docs/Guides/UseInJAX.md", "from jax import export"): "needs JAX; test/Python/jax-functions.py",
    ("docs/Guides/UseInJAX.md", "import os"): "needs JAX; test/Python/jax-sharding.py runs it",
    ("docs/Guides/UseInJAX.md", "import flax.linen"): "needs JAX; test/Python/jax-import.py",
    ("docs/Guides/ImportTFLite.md", "import pool_mlir"): "needs packages for TFLite; "
        "test/Python/tflite-models.py imports this model",
    ("docs/Guides/ScaleOut.md", "import dask.array"): "needs dask; test/Dask/page.py runs it",
    ("docs/Guides/ScaleOverMPI.md", "import numpy"): "needs MPI; test/MPI/page.py runs it",
    ("docs/Glossary.md", ""): "drawings",
    ("docs/Internals/Plans.md", "position"): "a drawing",
    ("docs/Internals/upstream/shard.md", "shard.grid"): "docs/Internals/upstream/shard-halo.mlir has it",
    ("docs/Internals/upstream/shard.md", "error: 'tosa.abs'"): "a message of mlir-opt",
    ("docs/Internals/upstream/shard.md", "func.func @columns"): "what mlir-opt prints",
    ("docs/Internals/upstream/shard.md", "%5 = llvm.call"): "what mlir-opt prints",
    ("docs/Reference/Passes.md", "error: 'spirv.Undef'"):
        "a message; test/Pipelines/require-llvm.mlir has it",
    ("docs/Reference/Passes.md", "error: 'tanf'"):
        "a message; test/Pipelines/invalid-entry-points.mlir has its words",
}
# Matches the first line of a list of statistics that mlir-tblgen wrote.
STATISTIC = re.compile(r"[\w-]+ *: \w")

# Commands that are not run, with the reason.
INSTALLS = "installs packages"
TFLITE = "needs packages for TFLite; test/Python/tflite-refusals.py has such commands"
HOURS = "takes long, and its figures belong to a machine; "
CLONES = "fetches the repository; scripts/addresses.py checks the address"
COMMANDS_NOT_RUN = {
    ("README.md", "git clone"): CLONES,
    ("docs/Start/C.md", "git clone"): CLONES,
    ("docs/Start/Compiler.md", "git clone"): CLONES,
    ("docs/Start/Contributor.md", "git clone"): CLONES,
    ("docs/Start/Models.md", "git clone"): CLONES,
    ("docs/Start/Research.md", "git clone"): CLONES,
    ("README.md", "make demo"): INSTALLS + ", and draws a picture for somebody to look at",
    ("README.md", "make test"): "runs this test",
    ("CONTRIBUTING.md", "make"): "builds, or runs this test",
    ("CONTRIBUTING.md", "cmake --preset"): "builds, and runs this test",
    ("CONTRIBUTING.md", "/usr/lib/llvm-22/bin/lit"): "runs this test",
    ("CONTRIBUTING.md", "POOL_TEST_"): "runs this test, and one that lit runs",
    ("CONTRIBUTING.md", "build/unittests/"): "lit runs it with all its tests",
    ("docs/Guides/UseInPyTorch.md", "python -m pool_mlir bench"): "needs PyTorch; test/Torch/page.py",
    ("docs/Guides/UseInPyTorch.md", "benchmarks/run.py torch_training"): "needs PyTorch; test/Torch/page.py",
    ("docs/Results/Benchmarks.md", "make"): HOURS + "test/Benchmarks has small runs",
    ("docs/Results/Benchmarks.md", "build/peers-venv/"): HOURS + "test/Benchmarks/compare.test",
    ("docs/Results/Benchmarks.md", "benchmarks/compare.py"): HOURS + "test/Benchmarks/compare.test",
    ("docs/Results/Benchmarks.md", "benchmarks/run.py costs"): HOURS + "test/Benchmarks/costs.test",
    ("docs/Results/Benchmarks.md", "benchmarks/run.py latency"): HOURS + "test/Benchmarks/latency.test",
    ("docs/Results/Benchmarks.md", "benchmarks/run.py many_ops"): HOURS + "test/Benchmarks/many-ops.test",
    ("docs/Results/Benchmarks.md", "benchmarks/tune.py"): HOURS + "test/Benchmarks/tune.test",
    ("docs/Results/Comparison.md", "benchmarks/tune.py"): HOURS + "test/Benchmarks/tune.test",
    ("docs/Results/Comparison.md", "benchmarks/refit.py"): HOURS + "test/Benchmarks/refit.test",
    ("docs/Results/Benchmarks.md", "benchmarks/refit.py"): HOURS + "test/Benchmarks/refit.test",
    ("docs/Results/Benchmarks.md", "benchmarks/run.py holes"): HOURS + "test/Benchmarks/holes.test",
    ("docs/Results/Benchmarks.md", "benchmarks/run.py chain_tiles"): HOURS + "test/Benchmarks/chain-tiles.test",
    ("docs/Results/Benchmarks.md", "benchmarks/run.py uniform_sums"):
        HOURS + "test/Benchmarks/uniform-sums.test",
    ("docs/Results/Benchmarks.md", "build/bin/pool-benchmark"): "test/Benchmarks/pool-benchmark.mlir",
    ("docs/Results/Benchmarks.md", "benchmarks/run.py scatter"): HOURS + "`make bench` runs it",
    ("docs/Results/Benchmarks.md", "benchmarks/run.py adaptive"): HOURS + "its results are compared there",
    ("docs/Results/Benchmarks.md", "benchmarks/run.py real_models"): HOURS + "test/Benchmarks/real-models.test",
    ("docs/Guides/AddAnOperation.md", "benchmarks/compare.py"): HOURS + "test/Benchmarks/compare.test",
    ("docs/Internals/Plans.md", "benchmarks/compare.py"): HOURS + "test/Benchmarks/compare.test",
    ("docs/Guides/ImportONNX.md", "benchmarks/run.py real_models"): HOURS + "test/Benchmarks/real-models.test",
    ("docs/Results/Benchmarks.md", "benchmarks/run.py steady_loops"):
        HOURS + "test/Benchmarks/steady-loops.test",
    ("docs/Results/Comparison.md", "build/venv/bin/python benchmarks/run.py steady_loops"):
        HOURS + "test/Benchmarks/steady-loops.test",
    ("docs/Results/Comparison.md", "make bench-peers"): INSTALLS,
    ("docs/Guides/GPU.md", "build/peers-venv/"): "needs a GPU; test/Benchmarks/gpu.test runs all but "
        "the driver's calls",
    ("docs/Guides/ScaleOut.md", "build/peers-venv/"): HOURS + "test/Dask has small runs",
    ("docs/Results/ComparisonAVX2.md", "build/peers-venv/"): HOURS + "test/Benchmarks/compare.test",
    ("docs/Results/ComparisonAVX2.md", "benchmarks/tune.py"): HOURS + "test/Benchmarks/tune.test",
    ("docs/Results/Comparison.md", "build/peers-venv/"): HOURS + "test/Benchmarks/compare.test",
    ("docs/Reference/Bytecode.md", "scripts/make-bytecode-fixture.sh"):
        "writes into the source tree; test/Release/prepare.test runs it",
    ("docs/Internals/LLVMVersions.md", "python3 -m timeit"):
        "needs a static build; test/Tools/static-build.test runs one",
    ("docs/Internals/Release.md", "scripts/prepare-release.sh"):
        "writes into the source tree; test/Release/prepare.test runs it",
    ("docs/Internals/Release.md", "git tag"): "writes into the repository",
    ("docs/Internals/Release.md", "scripts/make-release.sh"): HOURS + "test/Release/ship.test",
    ("docs/Internals/Release.md", "python test/Release/Inputs/coexist.py"):
        INSTALLS + "; test/Release/wheel.test runs it",
    ("docs/Start/C.md", "make"): "builds, as for this test",
    ("docs/Start/Compiler.md", "make"): "builds; test/Package/install-and-use.test installs",
    ("docs/Start/Compiler.md", "ninja -C build doxygen"):
        "doxygen may not be installed; test/Docs/doxygen.test",
    ("docs/Start/Research.md", "make"): INSTALLS,
    ("docs/Start/Models.md", "make wheel"): HOURS + "test/Release/wheel.test tries what it made",
    ("docs/Start/Models.md", "pip install"): INSTALLS + "; test/Release/wheel.test does it",
    ("docs/Start/Contributor.md", "make"): "builds, or lints",
    ("docs/Start/Contributor.md", "ninja -C build"): "builds, or runs this test",
    ("docs/Start/Contributor.md", "/usr/lib/llvm-22/bin/lit"): "runs this test's suite",
    ("docs/Guides/ImportOpenVINO.md", "build/bin/pool-fuzz-openvino"):
        "takes minutes; test/Import/OpenVINO/fuzz.test runs a twentieth",
    ("docs/Reference/Python.md", "scripts/install-toolchain.sh"): INSTALLS,
    ("docs/Reference/Python.md", "python3 -m venv"): INSTALLS,
    ("docs/Reference/Python.md", "pip install pool_mlir-"): INSTALLS + "; test/Release/wheel.test does it",
    ("docs/Reference/Python.md", "make wheel"): HOURS + "test/Release/wheel.test tries what it made",
    ("docs/Reference/Python.md", "pip install ."): INSTALLS + "; test/Package/python.test does it",
    ("README.md", "python -m pool_mlir bench model.tflite"): TFLITE,
    ("docs/Guides/ImportTFLite.md", "pip install"): INSTALLS,
    ("docs/Guides/ImportTFLite.md", "cp "): INSTALLS,
    ("docs/Guides/ImportTFLite.md", "python -m pool_mlir"): TFLITE,
    ("docs/Guides/ImportTFLite.md", "PYTHONPATH="): TFLITE,
    ("docs/Guides/UseInJAX.md", "python -m pool_mlir bench"): HOURS + "and needs JAX",
    ("docs/Reference/Python.md", "python -m pool_mlir bench"):
        HOURS + "test/Python/command-line.test has short runs",
}

# Pass -> options with which it is run
PASS_OPTIONS = {"pool-tile-chains": "grid=1,4",
                "pool-lower-assertions": "handler=handler",
                "pool-check-gpu-target": "target=vulkan",
                "pool-expand-math": "target=vulkan",
                "pool-emit-kernels": "target=nvvm"}

# Patterns of figures that vary, such as times. The comparison of outputs ignores these figures
# and the number of blanks.
FIGURES = {
    ("docs/Internals/LLVMVersions.md", "build/bin/pool-opt --version"): r"(?<=22\.1\.)\d+",
    ("docs/Internals/Release.md", "build/bin/pool-opt --version"): r"\d+\.\d+\.\d+",
    ("docs/Reference/Tools.md", "pool-run pool.mlir"): r"\d+\.\d+",
    # The planner chooses the first column and the number of rows by the machine.
    ("docs/Guides/PinAPlan.md", "python times.py"): r"[\d.]+ us|(?<=first_column = )-?\d+, rows = \d+",
    ("docs/Guides/TileAndFuse.md", "build/bin/pool-run"): r"[\d.]+(?= (median|calls))",
    ("docs/Start/Models.md", "python -m pool_mlir inspect"): r"[\d.,]+ +[\d.,]+$",
    ("docs/Start/Models.md", "python -m pool_mlir run pooling.onnx"): r"\d+\.\d+",
}

# Blocks that are written to a file for later blocks, by page and beginning.
SAVED = {
    ("docs/Reference/CAPI.md", '#include "pool-c/Layer.h"'): "program.c",
    ("docs/Start/C.md", '#include "pool.h"'): "main.c",
    ("docs/Guides/PinAPlan.md", "# Times a module"): "times.py",
    ("docs/Reference/Tools.md", "#!/bin/sh"): "fails-to-lower.sh",
}
# Blocks that are part of a file which an earlier command of the page makes.
SHOWN = {("docs/Guides/CallFromC.md", "/* half:"): "pool.h"}

# Code around a fragment of C or C++ that makes it compile.
AROUND = {
    ("README.md", "PoolLayer *layer;"): """\
#include "pool-c/Layer.h"
#include <stdio.h>
void f(PoolLayerParameters parameters, size_t count, const float *in, size_t in_stride,
       float *out, size_t out_stride, int64_t *indices, size_t indices_stride);
void f(PoolLayerParameters parameters, size_t count, const float *in, size_t in_stride,
       float *out, size_t out_stride, int64_t *indices, size_t indices_stride) {
%s}
""",
    ("README.md", '#include "pool/InitAll.h"'): """\
#include "mlir/IR/DialectRegistry.h"
%s
""",
    ("docs/Reference/CAPI.md", "MlirNamedAttribute properties[]"): """\
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/IR.h"
#include "pool-c/Dialect.h"
MlirContext context;
MlirLocation location;
MlirValue input;
MlirStringRef kernelName, roundingTypeName, maxPoolName, names[1];
const int64_t *kernel;
MlirOperation f(void) {
MlirStringRef ceil = names[0];
%sreturn max;
}
""",
}
# Matches statements that belong into a function.
STATEMENTS = re.compile(r"^(mlir::pool::register\w+\(.*\);\n)+", re.MULTILINE)

POOL = """\
func.func @main(%x: tensor<1x1x6x6xf32>) -> tensor<1x1x3x3xf32> {
  %y = pool.max_pool %x kernel [2, 2] strides [2, 2] : tensor<1x1x6x6xf32> -> tensor<1x1x3x3xf32>
  return %y : tensor<1x1x3x3xf32>
}
"""
# Comments put the maximum on the line that the remark in docs/Reference/Tools.md names.
REMARKED = "// The operation that is asked about.\n" * 12 + POOL
UNRANKED = """\
func.func private @unrelated(%x: tensor<1x1x6x6xf32>) -> tensor<1x1x3x3xf32> {
  %y = pool.max_pool %x kernel [2, 2] strides [2, 2] : tensor<1x1x6x6xf32> -> tensor<1x1x3x3xf32>
  return %y : tensor<1x1x3x3xf32>
}
func.func @wanted(%x: tensor<*xf32>) -> tensor<*xf32> {
  %y = pool.max_pool %x kernel [2, 2] : tensor<*xf32> -> tensor<*xf32>
  return %y : tensor<*xf32>
}
"""
MAIN = """\
#include "pool.h"
#include <stdlib.h>
int main(void) {
  static float image[3 * 8 * 8];
  const int64_t shape[4] = {1, 3, 8, 8};
  float *result;
  int64_t result_shape[4];
  pool_half(image, shape, &result, result_shape);
  free(result);
  return (int)result_shape[3] != 4;
}
"""


def save_onnx(path, name="pool"):
    """Saves a model of one maximum, whose node is called `name`."""
    from onnx import TensorProto, helper, save  # slow import, seldom needed
    node = helper.make_node("MaxPool", ["x"], ["y"], name=name, kernel_shape=[2, 2], strides=[2, 2])
    graph = helper.make_graph(
        [node], "graph", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 8, 8])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 3, 4, 4])])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9), path)


def save_images(path, *shapes):
    for name, shape in zip("xyz", shapes):
        np.save(path / f"{name}.npy", np.ones(shape, np.float32))


def prepare(page, folder, root, first_of_openvino):
    """Writes the files that the commands of a page read into `folder`."""
    xml = folder / "model.xml"
    if page == "README.md":
        xml.write_text(first_of_openvino)
        save_onnx(folder / "yolov8.onnx", "/model.9/m/MaxPool")
    elif page == "docs/Reference/Tools.md":
        (folder / "model.mlir").write_text(REMARKED)
        save_images(folder, (1, 1, 6, 6))
        (folder / "pool.mlir").write_text(POOL)
    elif page == "docs/Guides/CallFromC.md":
        (folder / "main.c").write_text(MAIN)
    elif page == "docs/Reference/CAPI.md":
        (folder / "pool-c.pc").write_text(
            f"Name: pool-c\nDescription: as built\nVersion: 0\n"
            f"Cflags: -I{root}/include -I{folder}/build/include\n"
            f"Libs: -L{folder}/build/lib -Wl,-rpath,{folder}/build/lib -lPoolC\n")
    elif page == "docs/Guides/ImportOpenVINO.md":
        xml.write_text(first_of_openvino)
        (folder / "model.mlir").write_text(POOL)
    elif page == "docs/Start/C.md":
        program = next(block for block in blocks(root, "docs/Reference/CAPI.md") if block.language == "c")
        (folder / "layer.c").write_text(program.text)
    elif page == "docs/Start/Models.md":
        save_onnx(folder / "pooling.onnx")
        save_images(folder, (1, 3, 8, 8))
        import onnx  # slow import
        shutil.copy(Path(onnx.__file__).parent / "backend/test/data/light/light_squeezenet.onnx",
                    folder / "squeezenet.onnx")
    elif page == "docs/Guides/ImportONNX.md":
        save_onnx(folder / "model.onnx")
    elif page == "docs/Reference/Python.md":
        save_onnx(folder / "model.onnx")
        save_images(folder, (1, 3, 8, 8))
        (folder / "model.mlir").write_text(POOL)
        shutil.copy(root / "test/Import/OpenVINO/Inputs/pooling.xml", xml)
        shutil.copy(root / "test/Import/OpenVINO/Inputs/pooling.bin", folder / "model.bin")


# Files that replace the prepared ones for a single block.
FILES = {("docs/Reference/Tools.md", "pool-reduce"): {"model.mlir": UNRANKED}}


def namespace(page):
    """Returns the names that the Python blocks of a page use without defining them."""
    import pool_mlir  # exists only where the module is built
    images = {"x": np.ones((1, 1, 6, 6), np.float32), "y": np.empty((1, 1, 3, 3), np.float32)}
    return {"pool_mlir": pool_mlir, "np": np, **(images if page == "docs/Reference/Python.md" else {})}
