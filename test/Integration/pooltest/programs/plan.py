"""Chooses the transformations of a program before it runs, and how it runs.

A step is one of our passes, an upstream pass, or tiling of one operation by the transform
dialect. Steps come in random order.

Upstream has faults. Therefore `draw` never uses the first three of these passes, and uses the
other two only for programs that avoid the fault (`is_sound`):
- `remove-dead-values` removes values around an scf.forall of one iteration.
- `int-range-optimizations` misinterprets affine.for.
- `scf-forall-to-for` on tensors drops the results.
- `linalg-fold-unit-extent-dims` does not update the type of a tensor.pad by constant SSA
  values, and cuts off the last elements that windows skip. It also reduces the rank of slices.
  If the sizes of such a slice are constant SSA values, `canonicalize` then drops wrong
  dimensions.
- `sccp` makes scf.while endless if the module has an scf.forall.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from dataclasses import dataclass

from ..generators import integer
from .buffers import AFFINE, Buffers
from .control import Loop
from .pools import AdaptivePool, Gradient, Pool, Unpool
from .shapes import ExtractSlice, Pad

OURS = ("pool-adaptive-to-window", "pool-decompose", "pool-resolve-windows",
        "pool-recompute-indices", "pool-insert-runtime-checks", "pool-select-plan")
UPSTREAM = ("canonicalize", "cse", "inline", "sccp", "symbol-dce",
            "loop-invariant-code-motion", "loop-invariant-subset-hoisting", "control-flow-sink",
            "linalg-fuse-elementwise-ops", "linalg-generalize-named-ops",
            "linalg-specialize-generic-ops", "linalg-fold-unit-extent-dims",
            "linalg-inline-scalar-operands", "convert-elementwise-to-linalg",
            "fold-tensor-subset-ops", "scf-for-loop-peeling", "scf-for-loop-canonicalization",
            "scf-for-to-while")
# Passes that are drawn together
CHAINS = (("convert-pool-to-linalg", "convert-linalg-to-pool"),
          ("convert-pool-to-linalg", "linalg-generalize-named-ops", "canonicalize",
           "convert-linalg-to-pool"),
          ("convert-pool-to-tosa", "convert-tosa-to-pool", "func.func(tosa-to-linalg-named)",
           "func.func(tosa-to-linalg)", "tosa-to-arith", "tosa-to-tensor"),
          ("pool-decompose", "convert-pool-to-linalg", "convert-linalg-to-pool"))
LAST = (("convert-pool-to-linalg",), ("convert-pool-to-vector",),
        ("convert-pool-to-linalg", "linalg-fuse-elementwise-ops", "cse"))
PATHS = ("linalg", "affine", "vector")


@dataclass(frozen=True)
class Run:
    """A way to run a program: as it is, or `transformed` by its steps."""

    path: str
    level: str = "-O0"
    cpu: str = ""
    transformed: bool = False

    @property
    def options(self):
        return [f"--path={self.path}", self.level, *([f"--mcpu={self.cpu}"] if self.cpu else [])]

    def __str__(self):
        return " ".join((["transformed"] if self.transformed else []) + self.options)


@dataclass(frozen=True)
class Tile:
    """A step that tiles operation `number`. `kind` is `for`, `forall` or `threads`. `producer`
    is the number of an operation that is fused into the loop, or 0."""

    number: int
    kind: str
    sizes: tuple
    producer: int = 0

    def script(self, place):
        """Returns the text of the named sequence @`place`."""
        sizes = ", ".join(map(str, self.sizes))
        any_op = "!transform.any_op"
        def match(name, number):
            return (f"    %{name} = transform.structured.match attributes {{generated_op = "
                    f'"{number}"}} in %root : ({any_op}) -> {any_op}\n')
        body = match("op", self.number)
        if self.kind == "for":
            loops = sum(map(bool, self.sizes))
            types = ", ".join([any_op] * loops)
            body += (f"    %tiled, %loops:{loops} = transform.structured.tile_using_for %op "
                     f"tile_sizes [{sizes}] : ({any_op}) -> ({any_op}, {types})\n")
        else:
            word = "num_threads" if self.kind == "threads" else "tile_sizes"
            body += (f"    %tiled, %loop = transform.structured.tile_using_forall %op {word} "
                     f"[{sizes}] : ({any_op}) -> ({any_op}, {any_op})\n")
        if self.producer:
            body += match("producer", self.producer)
            body += ("    %fused, %new = transform.structured.fuse_into_containing_op %producer "
                     f"into %loop : ({any_op}, {any_op}) -> ({any_op}, {any_op})\n")
        return (f"  transform.named_sequence @{place}(%root: {any_op} {{transform.readonly}}) {{\n"
                f"{body}    transform.yield\n  }}\n")

    def __str__(self):
        fused = f" with operation {self.producer}" if self.producer else ""
        return f"tile {self.kind} {list(self.sizes)} operation {self.number}{fused}"


def draw(g, program):
    """Sets the steps and runs of a program."""
    steps = []
    for _ in range(integer(g.rng, 1, 7)):
        kind = g.pick(("ours", "upstream", "chain", "tile", "partition"), (5, 8, 2, 5, 2))
        if kind == "ours":
            steps.append(our_pass(g))
        elif kind == "upstream":
            steps.append(g.pick([name for name in UPSTREAM if is_sound(name, program, steps)]))
        elif kind == "chain":
            steps += g.pick(CHAINS)
        elif kind == "tile":
            tile = random_tile(g, program)
            steps += [tile] if tile else []
        else:
            steps += random_partition(g, program)
    if g.chance(0.15):
        steps += g.pick(LAST)
    elif g.chance(0.2) and not has_quantized(program):
        steps.append(random_buffers(g))
    program.steps = steps
    program.runs = [Run(path) for path in PATHS]
    # A plan is chosen for this machine, so do not compile it for another processor's vectors.
    is_planned = any(str(step).startswith("pool-select-plan") for step in steps)
    cpu = "" if is_planned else g.pick(("", "x86-64-v3"), (3, 1))
    program.runs.append(Run(g.pick(PATHS), g.pick(("-O0", "-O3"), (3, 1)), cpu, transformed=True))
    if g.chance(0.3):
        program.runs.append(Run(g.pick(PATHS), "-O3", g.pick(("", "x86-64-v3"))))


def is_sound(name, program, steps):
    """False if upstream is known to get this step wrong."""
    if name == "linalg-fold-unit-extent-dims":
        return "convert-pool-to-linalg" not in steps and not any(
            isinstance(op, Pad) and op.hidden or
            isinstance(op, ExtractSlice) and op.place.dynamic() for op in program.walk())
    return name != "sccp" or not any(isinstance(op, Loop) and op.kind == "while"
                                     for op in program.walk())


def has_quantized(program):
    return any(v.type.is_quantized for op in program.walk() for v in [*op.operands, *op.results]
               ) or any(v.type.is_quantized for f in program.functions for v in f.args)


def random_buffers(g):
    conversion = g.pick(("convert-pool-to-loops", "convert-pool-to-affine",
                         "convert-pool-to-affine{by-rows}"))
    return Buffers(conversion, tuple(g.pick(AFFINE) for _ in range(integer(g.rng, 0, 3))))


def our_pass(g):
    name = g.pick(OURS)
    return f"{name}{{mcpu=native}}" if name == "pool-select-plan" else name


def is_free_to_tile(op):
    return 0 not in op.operands[0].type.shape


def random_tile(g, program):
    ops = [op for op in program.walk() if isinstance(op, (Pool, AdaptivePool, Unpool, Gradient))
           and is_free_to_tile(op)]
    if not ops:
        return None
    fused = [op for op in ops if producer_of(program, op)]
    op = g.pick(fused if fused and g.chance(0.6) else ops)
    shape = op.results[0].type.shape
    kind = g.pick(("for", "forall", "threads"))
    sizes = [g.pick((0, 1, 2, 3, 7), (4, 3, 3, 2, 1)) for _ in shape]
    limit_sizes(op, sizes)
    if not any(sizes):
        return None
    if kind != "for":
        while sizes[-1] == 0:
            sizes.pop()
    producer = producer_of(program, op) if kind != "for" and g.chance(0.7) else None
    return Tile(op.number, kind, tuple(sizes), producer.number if producer else 0)


def producer_of(program, op):
    """Returns the pooling that can be fused into the tiles of `op`, or None."""
    made_by = {value: p for p in program.walk() for value in p.results}
    source = made_by.get(op.operands[0])
    if (isinstance(op, Pool) and isinstance(source, Pool) and not source.case.index_type
            and is_alone(program, op, source)):
        return source
    return None


def is_alone(program, consumer, producer):
    """True if producer and consumer are in one list of operations, and nothing but the
    consumer reads the producer's first result."""
    users = [op for op in program.walk() if producer.results[0] in op.operands]
    lists = [f.ops for f in program.functions] + [ops for op in program.walk()
                                                 for ops in op.nested()]
    return users == [consumer] and any(consumer in ops and producer in ops for ops in lists)


def limit_sizes(op, sizes):
    """Sets the sizes of dimensions that cannot be cut to 0: dimensions over which indices
    count, and dimensions whose automatic pads are known only at run time."""
    rank = len(sizes)
    if isinstance(op, Unpool):
        axis = op.axis % rank
        sizes[axis:] = [0] * (rank - axis)
    if isinstance(op, Gradient):
        if len(op.operands) == 3:
            axis = op.case.axis % rank
            sizes[axis:] = [0] * (rank - axis)
        if op.case.auto_pad.startswith("same") and \
                op.operands[0].type.dynamic & set(op.case.spatial_dims):
            for d in op.case.spatial_dims:
                sizes[d] = 0


def random_partition(g, program):
    kinds = [v.type for op in program.walk() for v in op.operands if v.type.shape is not None]
    if "07" in g.avoided and any(0 in k.shape for k in kinds):
        return []
    if g.chance(0.7) or any(k.dynamic for k in kinds):
        grid = [g.pick((1, 2, 3)) for _ in range(integer(g.rng, 2, 4))]
        return [f"pool-tile-chains{{grid={','.join(map(str, grid))}}}"]
    return [f"pool-tile-chains{{bytes={g.pick((512, 2048, 8192))}}}"]


def categories(program):
    keys = []
    for step in filter(None, program.steps):
        if isinstance(step, Tile):
            keys.append({"for": "tile_using_for", "forall": "tile_using_forall",
                         "threads": "tile_using_forall num_threads"}[step.kind])
            if step.producer:
                keys.append("fuse_into_containing_op")
        elif isinstance(step, Buffers):
            keys += ["on buffers", *(f"step {name}" for name in (step.conversion, *step.passes))]
        else:
            keys.append(f"step {step.split('{')[0]}")
    return keys + [f"run {run}" for run in filter(None, program.runs)]
