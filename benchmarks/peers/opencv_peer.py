"""OpenCV's `dilate` and `boxFilter`, called for each plane, or for an image with its channels
last."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import cv2
import numpy as np
from measure.workloads import aligned

from .base import Function, Peer, Unsupported
from .images import correction, images, windows


class OpenCV(Peer):
    names = ("opencv",)
    obeys_isa = True

    def __init__(self, context):
        super().__init__(context)
        cv2.setNumThreads(context.threads)

    def version(self):
        return cv2.__version__

    def prepare(self, name, workload, x):
        case = workload.case
        rows, columns = windows(case)
        factors = correction(case)
        result = aligned(workload.output, case.dtype)
        pairs = list(zip(images(case, x), images(case, result)))
        anchor = (columns.pad_begin, rows.pad_begin)
        element = np.ones((rows.kernel, columns.kernel), np.uint8)

        def maxima():
            # A repeated edge cannot be above the window's elements.
            for source, target in pairs:
                cv2.dilate(source, element, target, anchor, 1, cv2.BORDER_REPLICATE)

        def averages():
            for source, target in pairs:
                cv2.boxFilter(source, -1, element.shape[::-1], target, anchor, True,
                              cv2.BORDER_CONSTANT)
                if factors is not None:
                    cv2.multiply(target, factors, target)

        function = maxima if case.op == "max_pool" else averages
        try:
            function()
        except cv2.error as error:
            raise Unsupported(f"has no such image: {error.err}") from error
        return Function(function, lambda _: (result, None))
