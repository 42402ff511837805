"""Times the kernels of `--pool-to-gpu` on an NVIDIA GPU, or counts their instructions.

Without a mode, this compiles each workload for the GPU of this machine and compares the
results with NumPy's. It prints the time, the least bytes that must move, and the share of a
copy's bandwidth. If this Python has PyTorch with CUDA, its operator runs in
turns with the kernel. Consecutive launches use different buffers, which together exceed the
second-level cache. Without a GPU this ends with exit code 1.

Two modes need no GPU. --emit-only writes the PTX of each workload, and its cubin if
`ptxas` is in PATH. --count runs the threads of an output in the middle in an interpreter
of PTX. It prints their number, the instructions of the longest, the bytes of all, and the
least bytes. --plan pins a plan. Wrong results are an error.

    run.py gpu --emit-only kernels --chip sm_90
    run.py gpu --count --first 19 --markdown counts.md
    run.py gpu --count --only stem --plan '"gpu-output"'
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools
import platform
import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from measure import cuda, native
from measure.truth import Truth
from measure.turns import least_in_turns
from measure.workloads import read_files
from pooltest import ptx, rules
from pooltest.gpu_code import address_of, kernel_arguments, signed_as
from pooltest.host_program import Module

try:
    import torch
    from peers import torch_peer
except (ImportError, OSError):
    torch = None

ROUNDS = 5
TAKES_FILES = True
MICROSECONDS = 20_000


@dataclass
class Launch:
    module: str
    kernel: str
    grid: tuple
    block: tuple
    # Arrays, and numbers for index arguments
    operands: list


class Program:
    """A workload's kernels and launches. The host function runs here, on arrays; launches are
    recorded only."""

    def __init__(self, workload, options, chip, assemble):
        text = workload.function("main")
        if options.plan:
            text = text.replace(" : ", f" {{pool.plan = #pool.plan<{options.plan}>}} : ", 1)
        self.ptx = self.compile(text, options, chip, "isa")
        self.objects = self.compile(text, options, chip, "bin") if assemble else self.ptx
        self.kernels = {name: ptx.parse(code.decode("ascii").rstrip("\0"))
                        for name, code in self.ptx.items()}
        self.launches = []
        self.x = workload.make_input()
        self.results, _ = self.module.run(
            "main", [self.x], lambda *launch: self.launches.append(Launch(*launch)))

    def compile(self, text, options, chip, form):
        pipeline = f"--pool-to-gpu=target=nvvm chip={chip} format={form}"
        printed = native.run([options.build / "bin" / "pool-opt", pipeline,
                              "--mlir-print-op-generic"], text)
        self.module = Module(printed)
        return self.module.objects()

    def arrays(self):
        """Returns the arrays of the launches and of the results by address; views of one
        array are one."""
        found = {}
        for array in [a for launch in self.launches for a in launch.operands] + self.results:
            if isinstance(array, np.ndarray):
                found.setdefault(address_of(array), array)
        return found

    def values(self, launch, addresses):
        """Returns the numbers that the kernel gets."""
        count = len(self.kernels[launch.module][launch.kernel].parameters)
        return kernel_arguments(launch.operands, addresses, count)


def count(program, workload):
    """Returns a row of counts, for each output, over all launches."""
    arrays = program.arrays()
    addresses = {address: (i + 1) << ptx.BUFFER_BITS for i, address in enumerate(arrays)}
    buffers = [bytearray(array.tobytes()) for array in arrays.values()]
    outputs = rules.product(workload.output)
    row = {"instructions": 0, "loaded": 0, "stored": 0, "launches": len(program.launches),
           "threads": 1}
    for launch in program.launches:
        size, groups = rules.product(launch.block), rules.product(launch.grid)
        kernel = program.kernels[launch.module][launch.kernel]
        values = program.values(launch, addresses)
        # An output in the middle of a plane has its whole window within the input.
        middle = np.ravel_multi_index(tuple(extent // 2 for extent in workload.output),
                                      workload.output)
        width = ptx.WARP if kernel.has_warps else 1
        threads = size * groups
        first = int(middle) * width % threads
        group = np.unravel_index(first // size, launch.grid, "F")
        warp = [ptx.Thread(kernel, values, buffers, launch.grid, group, size, first % size + lane)
                for lane in range(width)]
        ptx.run_warp(warp)
        share = min(threads // width, outputs) / outputs
        row["threads"] = max(row["threads"], width)
        row["instructions"] += share * max(thread.counts.instructions for thread in warp)
        row["loaded"] += share * sum(thread.counts.loaded for thread in warp)
        row["stored"] += share * sum(thread.counts.stored for thread in warp)
    row["least"] = (workload.bytes_in + workload.bytes_out) / outputs
    return row


def measure(program, workload, driver, limit, rounds):
    """Returns a row of times."""
    modules = {name: driver.load(code) for name, code in program.objects.items()}
    functions = [driver.function(modules[l.module], l.kernel) for l in program.launches]
    arrays = program.arrays()
    size = sum(array.nbytes for array in arrays.values())
    copies = 1 + 2 * driver.attribute(cuda.L2_BYTES) // max(size, 1)
    sets = []
    for _ in range(min(copies, 64)):
        addresses = {address: driver.allocate(array.nbytes) for address, array in arrays.items()}
        for address, pointer in addresses.items():
            driver.upload(pointer, arrays[address])
        plain = {address: pointer.value for address, pointer in addresses.items()}
        sets.append((addresses, [program.values(l, plain) for l in program.launches]))

    def work(i):
        for launch, function, values in zip(program.launches, functions, sets[i % len(sets)][1]):
            driver.launch(function, launch.grid, launch.block, values)

    work(0)
    driver.synchronize()
    kind = workload.case.index_type
    for result in program.results:
        driver.download(sets[0][0][address_of(result)], result)
    values, *indices = signed_as(program.results, [
        workload.case.dtype, *([np.dtype(f"int{kind[1:]}")] if kind else [])])
    fault = Truth(workload.case, program.x).fault(values, indices[0] if indices else None)
    if fault:
        raise native.Failure(f"{workload.name} is wrong on the GPU: {fault}")
    contestants = {"us": (driver.time, work)}
    if other := torch_work(workload, program.x, len(sets)):
        contestants["torch_us"] = (torch_time, other)
    row = {}
    for name, (timer, call) in contestants.items():
        once = timer(call, 3)
        row[name] = (max(1, int(MICROSECONDS / max(once, 1))), timer, call)
    best = least_in_turns({name: functools.partial(timer, call, times)
                           for name, (times, timer, call) in row.items()}, rounds)
    for addresses, _ in sets:
        for pointer in addresses.values():
            driver.free(pointer)
    least = workload.bytes_in + workload.bytes_out
    return {**best, "bytes": least, "share": least / best["us"] / limit}


def torch_work(workload, x, sets):
    """Returns a function of the number of a call that runs PyTorch's operator, or None."""
    if torch is None or not torch.cuda.is_available():
        return None
    try:
        function = torch_peer.expression(workload.case)
    except torch_peer.Unsupported:
        return None
    first = torch_peer.to_tensor(torch_peer.input_to_first(workload.case, x))
    tensors = [first.cuda() for _ in range(sets)]
    try:
        function(tensors[0])
    except (RuntimeError, NotImplementedError):
        return None
    return lambda i: function(tensors[i % sets])


def torch_time(work, times):
    events = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
    events[0].record()
    for i in range(times):
        work(i)
    events[1].record()
    events[1].synchronize()
    return events[0].elapsed_time(events[1]) * 1000 / times


def emit(program, name, directory):
    """Writes the code of each kernel, and returns the names of the files."""
    directory.mkdir(parents=True, exist_ok=True)
    written = []
    for suffix, objects in (("ptx", program.ptx), ("cubin", program.objects)):
        if suffix == "cubin" and objects is program.ptx:
            continue
        for module, code in objects.items():
            path = directory / f"{name}.{module}.{suffix}"
            path.write_bytes(code.rstrip(b"\0") if suffix == "ptx" else code)
            written.append(path.name)
    return written


COUNTED = ("kernels", "threads", "PTX instructions", "bytes loaded", "bytes stored", "least bytes")
TIMED = ("time, us", "least MB", "share of a copy's bandwidth", "PyTorch, us")


def cells(row):
    if "instructions" in row:
        return [row["launches"], row["threads"], f"{row['instructions']:.0f}",
                f"{row['loaded']:.1f}", f"{row['stored']:.1f}", f"{row['least']:.1f}"]
    other = f"{row['torch_us']:.1f}" if "torch_us" in row else "-"
    return [f"{row['us']:.1f}", f"{row['bytes'] / 1e6:.2f}", f"{row['share']:.2f}", other]


def add_options(parser):
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--emit-only", type=Path, metavar="DIRECTORY",
                      help="write PTX and cubins there, and run nothing")
    mode.add_argument("--count", action="store_true",
                      help="count instructions and bytes without a GPU")
    parser.add_argument("--plan", help="plan to pin, without #pool.plan<>")
    parser.add_argument("--chip", help="default: the GPU's, or sm_90 without a GPU")
    parser.add_argument("--first", type=int, help="only the first workloads of the files")


def rows(options):
    return dict(list(read_files(options.files).items())[:options.first])


def make_driver():
    """Returns the driver, and a copy's bytes in a microsecond."""
    try:
        driver = cuda.Driver()
        return driver, driver.copy_bandwidth()
    except cuda.NoGPU as reason:
        raise native.Failure(f"no GPU to run on: {reason}\n"
                             "run.py gpu: --emit-only and --count need none") from reason
    except cuda.CudaError as error:
        raise native.Failure(str(error)) from error


def run(chosen, options, report):
    driver, limit = (None, None) if options.emit_only or options.count else make_driver()
    chip = options.chip or (driver.chip if driver else "sm_90")
    assemble = not options.count and shutil.which("ptxas") is not None
    report.figures["chip"] = chip
    if driver:
        report.figures.update(gpu=driver.name, driver=driver.version, host=platform.processor(),
                              copy_bytes_per_us=limit, code="cubin" if assemble else "PTX",
                              torch=torch.__version__ if torch else None)
    if not options.emit_only:
        report.header("workload", *(COUNTED if options.count else TIMED))
    for name, workload in chosen.items():
        try:
            program = Program(workload, options, chip, assemble)
            if options.emit_only:
                report.figures[name] = emit(program, name, options.emit_only)
                report.line(f"{name}: {', '.join(report.figures[name])}")
                continue
            row = (count(program, workload) if options.count
                   else measure(program, workload, driver, limit, options.rounds))
        except (native.Failure, ptx.UnknownPTX, cuda.CudaError) as error:
            raise native.Failure(f"{name}: {error}") from error
        report.row(name, *cells(row), **row)
