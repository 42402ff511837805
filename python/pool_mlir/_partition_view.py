"""`python -m pool_mlir partition`: a table of parts, and a picture of the elements they read."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools
import math

import numpy as np

from . import _plots
from ._partition import partition

# Limits of the command: parts in a dimension, rows of the table, boxes in the picture.
MOST_PARTS = 100_000
MOST_LISTED = 100
MOST_DRAWN = 400


def parse_number(text):
    try:
        return int(text)
    except ValueError:
        return text


def parse_attribute(text):
    """Returns (name, value) of a text `name=value`. The value is True, False, a number, a list (if
    the text has commas), or any other word as a str. Raises ValueError for another text."""
    name, equals, value = text.partition("=")
    if not equals or not name or not value:
        raise ValueError(f"'{text}' is not name=value")
    if value in ("True", "False"):
        return name, value == "True"
    numbers = [parse_number(word) for word in value.split(",") if word]
    return name, numbers if "," in value else numbers[0]


def parse_shape(text):
    words = text.replace("x", ",").split(",")
    if not all(word.isdigit() for word in words):
        raise ValueError(f"'{text}' is no shape: extents with x between them, like 1x3x64x64")
    return tuple(map(int, words))


def parse_cut(text):
    """Returns None for `-`, an int for a number of parts, and a list for sizes with commas. Raises
    ValueError for another text."""
    if text == "-":
        return None
    numbers = [parse_number(word) for word in text.split(",") if word]
    if any(isinstance(number, str) for number in numbers) or not numbers:
        raise ValueError(f"'{text}' is no cut: -, a number of parts, or their sizes with commas")
    return numbers if "," in text else numbers[0]


def make_plan(options):
    attributes = dict(map(parse_attribute, options.attributes))
    for name in ("output_shape",):
        if isinstance(attributes.get(name), str):
            attributes[name] = parse_shape(attributes[name])
    shape = parse_shape(options.shape)
    cuts = [parse_cut(text) for text in options.cuts or ["-"] * len(shape)]
    blocks = [parse_cut(text) for text in options.input_cuts] if options.input_cuts else None
    for name, given in (("--cuts", cuts), ("--input-cuts", blocks or [])):
        for d, cut in enumerate(given):
            if isinstance(cut, int) and cut > MOST_PARTS:
                raise ValueError(f"{name}: dimension {d} is cut into {cut} parts, the command "
                                 f"takes at most {MOST_PARTS}; pool_mlir.partition takes more")
    return partition(options.operation, shape, output_cuts=cuts, input_cuts=blocks,
                     dtype=options.dtype, **attributes)


def show_box(box):
    return "[" + ", ".join(f"{bounds.start}:{bounds.stop}" for bounds in box) + "]"


def show_index(index):
    return ",".join(map(str, index))


def list_parts(plan):
    """Yields the header, and then a row of texts for each of the first MOST_LISTED parts."""
    yield ("part", "result", *(f"needs of {name}" for name in plan.operands), "pads", "bytes",
           "of others", "from blocks")
    for part in map(plan.__getitem__, range(min(len(plan), MOST_LISTED))):
        pads = " ".join(f"{begin}+{end}" for begin, end in zip(part.pads_begin, part.pads_end))
        blocks = [show_index(source.block) for source in part.sources()
                  if source.block != part.index]
        yield (show_index(part.index), show_box(part.output),
               *(show_box(part.inputs[name]) for name in plan.operands),
               "nothing to do" if part.is_empty else pads, str(part.nbytes),
               str(part.get_moved_bytes()), " ".join(blocks))


def print_table(plan):
    rows = list(list_parts(plan))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(field.ljust(width) for field, width in zip(row, widths)).rstrip())
    if len(plan) > MOST_LISTED:
        print(f"... and {len(plan) - MOST_LISTED} more")
    parts = [plan[k] for k in range(min(len(plan), MOST_LISTED))]
    moved, total = (sum(part.get_moved_bytes() for part in parts),
                    sum(part.nbytes for part in parts))
    print(f"{plan.op}: {len(plan)} parts of {plan.output_shape}; "
          f"{'those listed' if len(plan) > MOST_LISTED else 'they'} need {total} bytes, "
          f"{moved} of them of other blocks")
    if plan.needs_all:
        print("each part reads all values from the axis on: a kernel would say where they can be")


def choose_dims(plan):
    """Returns the dimensions to draw: the last one or two that are cut, or the last dimension if
    none is cut."""
    cut = [d for d in range(plan.rank) if plan.grid[d] > 1]
    return cut[-2:] or [plan.rank - 1]


def choose_parts(plan, dims):
    """Returns the parts to draw: those that are not empty and have coordinate 0 in all dimensions
    that are not drawn. Raises ValueError if there are more than MOST_DRAWN."""
    drawn = [[i for i, size in enumerate(sizes) if size] if d in dims else [0]
             for d, sizes in enumerate(plan.output_cuts)]
    # Check the number before making parts, because a plan may have millions.
    count = math.prod(map(len, drawn))
    if count > MOST_DRAWN:
        raise ValueError(f"--plot draws at most {MOST_DRAWN} parts, there are {count}")
    parts = map(plan.__getitem__, itertools.product(*drawn))
    return [part for part in parts if not part.is_empty]


def plot(plan, path):
    dims, name = choose_dims(plan), plan.operands[0]
    parts = choose_parts(plan, dims)
    pyplot = _plots.load(path)
    colors = pyplot.get_cmap("tab10")(np.arange(len(parts)) % 10)
    figure, axes = pyplot.subplots(figsize=(9, 2 + 0.35 * len(parts) if len(dims) == 1 else 8),
                                   layout="constrained")
    (draw_lines if len(dims) == 1 else draw_boxes)(axes, plan, parts, dims, name, colors)
    axes.set_title(f"{plan.op} of {plan.shapes[name]}: what each part needs of {name}")
    for place in ("top", "right"):
        axes.spines[place].set_visible(False)
    figure.savefig(path)
    pyplot.close(figure)


def get_padded(plan, part, d, name):
    """Returns two ranges (begin, end) in dimension `d` of operand `name`: the elements that the
    part reads, and the same range extended by the part's pads. For gradients, max_unpool and
    dimensions that are not spatial, both are equal."""
    bounds = part.inputs[name][d]
    spatial = list(plan.spatial)
    if plan.op.endswith("_grad") or plan.op == "max_unpool" or d not in spatial:
        return (bounds.start, bounds.stop), (bounds.start, bounds.stop)
    i = spatial.index(d)
    return ((bounds.start, bounds.stop),
            (bounds.start - part.pads_begin[i], bounds.stop + part.pads_end[i]))


def draw_lines(axes, plan, parts, dims, name, colors):
    """Draws a bar for each part, in one dimension. Elements of the part's own block have a full
    color, elements of other blocks a light color, and padding is hatched."""
    (d,) = dims
    for row, (part, color) in enumerate(zip(parts, colors)):
        (begin, end), (first, last) = get_padded(plan, part, d, name)
        axes.barh(row, last - first, left=first, color="none", edgecolor="0.6", hatch="////")
        axes.barh(row, end - begin, left=begin, color="white")
        axes.barh(row, end - begin, left=begin, color=color, alpha=0.35)
        for block, start, stop in plan.sources_of(name, d, part.index[d]):
            if block == part.index[d]:
                axes.barh(row, stop - start, left=start, color=color)
    for begin in np.cumsum([0, *plan.input_cuts[name][d]]):
        axes.axvline(begin, color="0.3", linewidth=0.8, linestyle=":")
    axes.set_yticks(range(len(parts)), [f"part {show_index(part.index)}" for part in parts])
    axes.invert_yaxis()
    axes.set_xlabel(f"dimension {d} of {name}; full: the part's own block, light: of others, "
                    "hatched: padding")


def draw_boxes(axes, plan, parts, dims, name, colors):
    """Draws a box for each part, in two dimensions. Elements that several parts read are darker,
    and padding is hatched."""
    from matplotlib.patches import Rectangle

    bounds = [[get_padded(plan, part, d, name) for d in dims] for part in parts]
    white = [(1, 1, 1)] * len(parts)
    # Draw in four passes over all parts, so that padding never covers the elements of another part.
    for padded, style in ((1, {"fill": False, "edgecolor": "0.6", "hatch": "////"}),
                          (0, {}), (0, {"alpha": 0.35}), (0, {"fill": False, "linewidth": 1.5})):
        inks = colors if "alpha" in style or "linewidth" in style else white
        for ((y0, y1), (x0, x1)), ink in zip(
                [(rows[padded], columns[padded]) for rows, columns in bounds], inks):
            axes.add_patch(Rectangle((x0, y0), x1 - x0, y1 - y0, **{"color": ink, **style}
                                     if "hatch" not in style else style))
    for part, (rows, columns) in zip(parts, bounds):
        axes.text(sum(columns[0]) / 2, sum(rows[0]) / 2, show_index(part.index[d] for d in dims),
                  ha="center", va="center")
    for d, draw in zip(dims, (axes.axhline, axes.axvline)):
        for begin in np.cumsum([0, *plan.input_cuts[name][d]]):
            draw(begin, color="0.3", linewidth=0.8, linestyle=":")
    axes.autoscale_view()
    axes.set_aspect("equal", "datalim")
    axes.invert_yaxis()
    axes.set_xlabel(f"dimension {dims[1]} of {name}; dotted: its blocks, hatched: padding")
    axes.set_ylabel(f"dimension {dims[0]}")


def run(options):
    plan = make_plan(options)
    if options.plot:
        plot(plan, options.plot)
    print_table(plan)
