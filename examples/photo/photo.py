#!/usr/bin/env python3
"""Pools a photograph with code that pool-run lowers to loops over vectors.

Compares every number with OpenVINO's, and draws the results beside the
photograph. Exits with 1 if a number differs.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import pathlib
import shlex
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent


def load_photo(path):
    """Returns the photograph as bytes [1, height, width, 3]."""
    from matplotlib import image
    from matplotlib.cbook import get_sample_data

    if path is None:
        with get_sample_data("grace_hopper.jpg") as file:
            pixels = image.imread(file, format="jpg")
    else:
        pixels = image.imread(path)
    if pixels.dtype != np.uint8:  # PNG arrives as floats in [0, 1]
        pixels = np.round(pixels * 255).astype(np.uint8)
    if pixels.ndim != 3 or pixels.shape[2] < 3:
        sys.exit(f"photo.py: {path}: not a colour photograph")
    return np.ascontiguousarray(pixels[None, :, :, :3])


def pool(pool_run, entry, array, num_results):
    """Runs a function of photo.mlir; returns its results."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        np.save(folder / "photo.npy", array)
        outputs = [folder / f"result{i}.npy" for i in range(num_results)]
        command = [str(pool_run), str(HERE / "photo.mlir"), "--entry", entry,
                   "--input", str(folder / "photo.npy"), "--repeat", "5"]
        for output in outputs:
            command += ["--output", str(output)]
        shown = [pathlib.Path(word).name if "/" in word else word
                 for word in command]
        print("$ " + shlex.join(shown), flush=True)
        ran = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if ran.returncode != 0:
            sys.exit(f"photo.py: pool-run failed with {ran.returncode}")
        print("  " + ran.stdout.strip())
        return [np.load(output) for output in outputs]


def openvino_results(photo):
    """Computes the same poolings with OpenVINO, which takes channels first."""
    import openvino as ov
    from openvino import opset8, opset14

    core = ov.Core()

    def run(build, planes):
        parameter = opset14.parameter(planes.shape, planes.dtype.type)
        node = build(parameter)
        model = ov.Model([node.output(i) for i in range(node.get_output_size())],
                         [parameter], "photo")
        config = {"INFERENCE_PRECISION_HINT": "f32"}
        results = core.compile_model(model, "CPU", config)(planes)
        return [np.array(results[i]) for i in range(len(results))]

    planes = np.ascontiguousarray(photo.transpose(0, 3, 1, 2))
    maximum, positions = run(
        lambda x: opset8.max_pool(x, [8, 8], [1, 1], [4, 4], [4, 4], [9, 9],
                                  "floor", "explicit", "i32", 2), planes)
    dilated = run(
        lambda x: opset8.max_pool(x, [1, 1], [4, 4], [8, 8], [8, 8], [5, 5],
                                  "floor", "explicit", "i32", 2), planes)[0]
    average = run(
        lambda x: opset14.avg_pool(x, [1, 1], [7, 7], [7, 7], [15, 15], True,
                                   "floor", "explicit"),
        planes.astype(np.float32))[0]
    last = lambda array: array.transpose(0, 2, 3, 1)
    # Turn a position in a plane into an index in [height, width, 3].
    indices = last(positions) * 3 + np.arange(3, dtype=np.int32)
    return last(maximum), indices, last(dilated), last(average)


def compare(name, ours, theirs, bound=0.0):
    """Prints how the numbers compare; returns True if they agree."""
    if ours.shape != theirs.shape:
        print(f"{name}: shape {ours.shape}, OpenVINO has {theirs.shape}")
        return False
    difference = np.abs(ours.astype(np.float64) - theirs.astype(np.float64))
    wrong = int(np.count_nonzero(difference > bound))
    how = "equal" if bound == 0 else f"within {bound:.2g}"
    print(f"{name}: {ours.size - wrong:,} of {ours.size:,} numbers {how}"
          f" (largest difference {difference.max():.2g})")
    return wrong == 0


def draw(path, photo, maximum, indices, dilated, average):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    size = "{} x {}".format(*photo.shape[2:0:-1])
    pictures = [
        (f"photograph, {size}", photo),
        ("maximum, kernel 9, stride 8, pads 4", maximum),
        ("... and where its indices found the greenest", np.ones_like(photo)),
        ("maximum, kernel 5, dilation 4, pads 8", dilated),
        ("average, kernel 15, same_upper", np.round(average).astype(np.uint8)),
    ]
    figure, axes = pyplot.subplots(1, 5, figsize=(20, 5.2))
    for axis, (title, picture) in zip(axes, pictures):
        axis.imshow(picture[0])
        axis.set_title(title, fontsize=10)
        axis.axis("off")
    # Index i of [height, width, 3] is row i // (3 width), column i // 3 % width.
    width = photo.shape[2]
    greenest = indices[0, :, :, 1].reshape(-1)
    colours = photo[0].reshape(-1, 3)[greenest // 3] / 255
    axes[2].scatter(greenest // 3 % width, greenest // (3 * width), s=7,
                    c=colours, marker="s", linewidths=0)
    figure.tight_layout()
    figure.savefig(path, dpi=100)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pool-run", required=True, type=pathlib.Path,
                        help="the pool-run program")
    parser.add_argument("--photo", help="a colour photograph; default: "
                        "Grace Hopper, from matplotlib's sample data")
    parser.add_argument("--output", default="pooling.png", type=pathlib.Path,
                        help="the picture to write (default %(default)s)")
    options = parser.parse_args()

    photo = load_photo(options.photo)
    maximum, indices = pool(options.pool_run, "maximum", photo, 2)
    dilated, = pool(options.pool_run, "dilated", photo, 1)
    average, = pool(options.pool_run, "average", photo.astype(np.float32), 1)

    theirs = openvino_results(photo)
    # A window sums 225 whole numbers, which is exact in f32 in any order. The only
    # difference is the rounding of one division, or of a product with 1 / 225.
    bound = 255 * 2.0 ** -23
    agree = [
        compare("maximum", maximum, theirs[0]),
        compare("indices", indices, theirs[1]),
        compare("dilated maximum", dilated, theirs[2]),
        compare("average", average, theirs[3], bound),
    ]
    options.output.parent.mkdir(parents=True, exist_ok=True)
    draw(options.output, photo, maximum, indices, dilated, average)
    print(f"wrote {options.output}")
    return 0 if all(agree) else 1


if __name__ == "__main__":
    sys.exit(main())
