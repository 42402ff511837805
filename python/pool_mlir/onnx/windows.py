# Translates the window attributes of ONNX pooling nodes to clauses of pool operations. Also
# computes the output extents, because the text of an operation states them. The verifier later
# checks every stated extent.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Windows of ONNX pooling nodes."""

from dataclasses import dataclass
from math import prod

INT64_MAX = 2**63 - 1
AUTO_PAD = {"NOTSET": "explicit", "VALID": "valid",
            "SAME_UPPER": "same_upper", "SAME_LOWER": "same_lower"}


@dataclass(frozen=True)
class Window:
    """The window of a node. Each tuple has one entry for each spatial dimension.

    `rounding` is "floor" or, for ceil_mode, "ceil_torch". Like "ceil_torch", ONNX omits a last
    window that would begin in the padding at the end. `auto_pad` is a keyword of the dialect.
    """

    kernel: tuple
    strides: tuple
    dilations: tuple
    pads_begin: tuple
    pads_end: tuple
    rounding: str
    auto_pad: str

    @classmethod
    def of(cls, node):
        """Returns the window of `node`, a nodes.Node. Raises ValueError if its attributes are not
        valid."""
        kernel = tuple(node.attribute("kernel_shape", ()))
        n = len(kernel)
        if n == 0:
            node.fail("kernel_shape is missing or empty")
        strides = node.ints("strides", n, 1)
        dilations = node.ints("dilations", n, 1)
        pads = node.ints("pads", 2 * n, 0)
        for name, values, least in (("kernel_shape", kernel, 1), ("strides", strides, 1),
                                    ("dilations", dilations, 1), ("pads", pads, 0)):
            for d, value in enumerate(values):
                if value < least:
                    node.fail(f"{name}[{d}] is {value}, less than {least}")
        if prod(kernel) > INT64_MAX:
            node.fail(f"kernel_shape {list(kernel)} leaves 64 bits")
        word = node.attribute("auto_pad", "NOTSET")
        if word not in AUTO_PAD:
            node.fail(f"auto_pad is '{word}', none of {', '.join(AUTO_PAD)}")
        if word != "NOTSET" and any(pads):
            node.fail(f"auto_pad {word} and pads {list(pads)} cannot be used together")
        rounding = "ceil_torch" if node.flag("ceil_mode") else "floor"
        return cls(kernel, strides, dilations, pads[:n], pads[n:], rounding, AUTO_PAD[word])

    @property
    def reads_input(self):
        """True if no window can lie entirely in padding, for any extents. False if that is not
        certain."""
        return all(d == 1 for d in self.dilations) and all(
            pad < k for pad, k in zip(self.pads_begin + self.pads_end, self.kernel * 2))

    def clauses(self):
        """Returns the attributes in the syntax of the operation. Leaves out attributes that have
        their default values."""
        n = len(self.kernel)
        words = [f"kernel {list(self.kernel)}"]
        for name, default in (("strides", 1), ("dilations", 1),
                              ("pads_begin", 0), ("pads_end", 0)):
            values = getattr(self, name)
            if values != (default,) * n:
                words.append(f"{name} {list(values)}")
        if self.rounding != "floor":
            words.append(f"rounding_type {self.rounding}")
        if self.auto_pad != "explicit":
            words.append(f"auto_pad {self.auto_pad}")
        if self.auto_pad.startswith("same"):
            words.append("same_output strided")
        return " ".join(words)

    def output_dims(self, node, dims):
        """Returns the spatial extents of the output; `dims` has the spatial extents of the input.
        An unknown extent is a string. Raises ValueError if the window does not fit."""
        return tuple(self._output_dim(node, d, extent) for d, extent in enumerate(dims))

    def resolved_pads(self, d, extent, out):
        """Returns the numbers of padding elements before and after spatial dimension `d`, which has
        `extent` elements and `out` windows."""
        if self.auto_pad == "explicit":
            return self.pads_begin[d], self.pads_end[d]
        if self.auto_pad == "valid":
            return 0, 0
        effective = (self.kernel[d] - 1) * self.dilations[d] + 1
        total = max(0, (out - 1) * self.strides[d] + effective - extent)
        small, large = total // 2, total - total // 2
        return (small, large) if self.auto_pad == "same_upper" else (large, small)

    def _output_dim(self, node, d, extent):
        k, s, dilation = self.kernel[d], self.strides[d], self.dilations[d]
        same = self.auto_pad.startswith("same")
        explicit = self.auto_pad == "explicit"
        begin = self.pads_begin[d] if explicit else 0
        end = self.pads_end[d] if explicit else 0
        effective = (k - 1) * dilation + 1
        known = 0 if isinstance(extent, str) else extent
        if known + begin + end + effective + s > INT64_MAX:
            node.fail(f"spatial dimension {d}: a window of {effective} elements and stride {s} "
                      f"over {known + begin + end} leaves 64 bits")
        if isinstance(extent, str):
            return "?"
        if extent < 1:
            node.fail(f"spatial dimension {d} has the extent {extent}, less than 1")
        if same:
            return -(-extent // s)
        padded = extent + begin + end
        span = padded - effective
        if self.rounding == "floor":
            out = span // s + 1
        else:
            out = -(-span // s) + 1
            if (out - 1) * s >= extent + begin:
                out -= 1
        if out < 1 or (span < 0 and self.rounding == "floor"):
            node.fail(f"spatial dimension {d}: a window of {effective} elements does not fit "
                      f"the padded extent {padded}")
        return out
