"""The command line `pool-mlir version | run | bench | inspect | partition | cache`, which can also
be called as `python -m pool_mlir`."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import os
import sys

from . import __version__, cache_clear, cache_info, set_num_threads
from ._errors import ERRORS, show_error


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is not at least 1")
    return number


def make_parser():
    script = os.path.basename(sys.argv[0])
    parser = argparse.ArgumentParser(
        prog="pool-mlir" if script == "pool-mlir" else "python -m pool_mlir",
        description="Pooling, compiled by MLIR.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("version", help="print the version")

    run = commands.add_parser(
        "run", help="run a model or module on .npy files",
        description="Runs a function of a .mlir, .onnx, .tflite or .xml file on .npy files, and "
        "writes its results to others, or prints them.")
    run.add_argument("model", metavar="FILE", help="a .mlir, .onnx, .tflite or .xml file")
    run.add_argument("inputs", metavar="INPUT.npy", nargs="*", help="the arguments in order")
    run.add_argument("--entry", metavar="NAME", help="the function, if there are several")
    run.add_argument("--pool-layers", action="store_true",
                     help="take each pooling layer of the model as a function of its own, "
                     "whatever else is in the model; --entry names one")
    run.add_argument("--output", metavar="Y.npy", action="append", default=[],
                     help="one for each result, in order")
    run.add_argument("--repeat", metavar="N", type=positive,
                     help="call as often and print the least and the median time")

    bench = commands.add_parser(
        "bench", help="time pooling beside other libraries",
        description="Times pooling of common sizes beside NumPy and beside torch and "
        "onnxruntime where they are installed, each on the same number of threads. With a "
        ".tflite file, times its pooling layers, and it as a whole if it can be imported, beside "
        "LiteRT. With another model or module, times its pooling layers beside a copy.")
    bench.add_argument("model", metavar="MODEL", nargs="?",
                       help="a .tflite, .onnx, .xml or .mlir file")
    bench.add_argument("--seconds", metavar="S", type=float, default=0.2,
                       help="for each number of the table (default: 0.2)")
    bench.add_argument("--only", metavar="TEXT", default="",
                       help="only sizes or layers whose name has TEXT in it")
    bench.add_argument("--calls", action="store_true",
                       help="time what a call costs instead, also with --framework torch")
    bench.add_argument("--framework", metavar="torch|jax", action="append",
                       choices=("torch", "jax"),
                       help="time pool_mlir.torch beside torch, or pool_mlir.jax beside lax, also "
                       "with gradients")
    for name in ("torch", "jax"):
        # The spelling of 0.3.0
        bench.add_argument(f"--{name}", dest="framework", action="append_const", const=name,
                           help=argparse.SUPPRESS)
    bench.add_argument("--plot", metavar="FILE",
                       help="with --framework, plot the ratios to a file")

    inspect = commands.add_parser(
        "inspect", help="list the pooling layers of a model, or the plans for them",
        description="Lists the pooling layers of a .mlir, .onnx, .tflite or .xml file: attributes, "
        "shapes, bytes read and written, the time that moving those takes at the "
        "bandwidth of a copy as large, and the time measured here on random data. "
        "With --plans, how each operation is lowered instead: its plan, which can be "
        "pinned as the attribute pool.plan, what it costs, and which strategies were "
        "rejected and why, or why it is left to linalg.")
    inspect.add_argument("models", metavar="FILE_OR_TEXT", nargs="+",
                         help="a .mlir, .onnx, .tflite or .xml file, the text of a module, or of "
                         "one operation: 'pool.max_pool %%x kernel [2, 2] : tensor<1x1x4x4xf32> -> "
                         "tensor<1x1x3x3xf32>'")
    inspect.add_argument("--json", action="store_true", help="print a list of objects")
    inspect.add_argument("--plot", metavar="FILE", help="plot the times to a file")
    inspect.add_argument("--plans", action="store_true",
                         help="show how operations are lowered; nothing is run")
    machine = inspect.add_argument_group("the machine of --plans (default: this one)")
    machine.add_argument("--target", metavar="TRIPLE", default="",
                         help="the triple, like aarch64-linux-gnu")
    machine.add_argument("--cpu", default="", help="the processor, like x86-64-v3")
    machine.add_argument("--features", default="",
                         help="features that it has or lacks, like +avx2,-fma")
    machine.add_argument("--vector-bits", metavar="N", type=positive, default=0,
                         help="bits of its vector registers; alone they make a generic machine")

    partition = commands.add_parser(
        "partition", help="cut an operation into parts, and show what they need",
        description="Cuts the result of a pooling operation into parts, and lists for each "
        "what it needs of the operands, halo included, its pads, its bytes, and how many of "
        "them lie in other parts' blocks of the input, and in which.")
    partition.add_argument("operation", metavar="OP", help="max_pool, avg_pool, ...")
    partition.add_argument("shape", metavar="SHAPE", help="of the input, like 1x3x64x64")
    partition.add_argument("attributes", metavar="NAME=VALUE", nargs="*",
                           help="arguments of that function, like kernel=3,3 strides=2")
    partition.add_argument("--cuts", metavar="CUT", nargs="+",
                           help="one for each dimension: - for none, a number of parts, or "
                           "their sizes, like 20,12")
    partition.add_argument("--input-cuts", metavar="CUT", nargs="+",
                           help="the blocks in which the input is stored, in the same way")
    partition.add_argument("--dtype", default="float32", help="of the input (default: float32)")
    partition.add_argument("--plot", metavar="FILE", help="draw what parts need to a file")

    cache = commands.add_parser(
        "cache", help="show or empty the cache of machine code",
        description="Shows the directory in which machine code is kept for later "
        "processes, the number of its files and their bytes. The directory is "
        "POOL_CACHE_DIR, or pool-mlir in $XDG_CACHE_HOME or ~/.cache; an empty "
        "POOL_CACHE_DIR turns the cache off.")
    cache.add_argument("--clear", action="store_true", help="remove the files")

    for command, without in ((inspect, "layers that have one are not timed"),
                             (bench, "they are what LiteRT allocates, if that is more than 1")):
        command.add_argument("--batch", metavar="N", type=positive,
                             help="the batch, if the model does not know it (default: what LiteRT "
                             "allocates, or 1)")
        command.add_argument("--unknown", metavar="N", type=positive,
                             help="every other extent of its inputs that the model does not know; "
                             f"without it, {without}")
    for command in (run, bench, inspect):
        command.add_argument("--threads", metavar="N", type=positive, default=1,
                             help="threads of each call (default: 1)")
    return parser


def cache(options):
    if options.clear:
        cache_clear(disk=True)
    disk = cache_info()["disk"]
    if disk is None:
        print("no cache: POOL_CACHE_DIR is empty, or no directory can be used")
    else:
        print(f"{disk['directory']}: {disk['files']} files, {disk['bytes'] / 2**20:.1f} of "
              f"{disk['maxbytes'] / 2**20:.0f} MiB")
    return 0


def main(arguments=None):
    options = make_parser().parse_args(arguments)
    if options.command == "version":
        print(f"pool-mlir {__version__}")
        return 0
    try:
        if options.command == "cache":
            return cache(options)
        if options.command == "partition":
            from ._partition_view import run as command
            command(options)
            return 0
        set_num_threads(options.threads)
        if options.command == "run":
            from ._run import run as command
        elif options.command == "bench":
            from ._bench import run as command
        else:
            from ._inspect import run as command
        return command(options) or 0
    except ERRORS as error:
        show_error(error)
        return 1


if __name__ == "__main__":
    sys.exit(main())
