# RUN: %peers_python %s
"""pool_mlir's functions on torch's tensors must return tensors. Writing to a tensor must raise
its version, so that autograd refuses to use overwritten values."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch

import pool_mlir
from pooltest.errors import raises
from pooltest.report import Report, main


def run():
    report = Report("torch arrays")
    x = torch.rand(1, 2, 4, 4)
    out, indices = torch.rand(1, 2, 2, 2), torch.zeros(1, 2, 2, 2, dtype=torch.int64)
    weights = torch.rand(1, 2, 2, 2, requires_grad=True)
    saved = weights * out
    before, view = out._version, out[:, 1:]
    pool_mlir.max_pool(x, 2, 2, out=out)
    report.expect(out._version == before + 1 and view._version == before + 1,
                  "the version of a result, and of its view", actual=out._version)
    report.expect(torch.equal(out, torch.nn.functional.max_pool2d(x, 2)), "values")
    try:
        saved.sum().backward()
        report.mismatch("a gradient by what is no longer there")
    except RuntimeError as error:
        report.expect("modified by an inplace operation" in str(error), "the error", str(error))

    pool_mlir.max_pool(x, 2, 2, return_indices=True, index_element_type="i64",
                       out=(out, indices))
    report.expect(out._version == before + 2 and indices._version == 1, "two results")
    compiled = pool_mlir.compile("""
      func.func @main(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32> {
        %y = pool.max_pool %x kernel [2, 2] strides [2, 2]
          : tensor<1x2x4x4xf32> -> tensor<1x2x2x2xf32>
        return %y : tensor<1x2x2x2xf32>
      }""")
    compiled(x, out=out)
    report.expect(out._version == before + 3, "a compiled module's result")
    report.expect(x._version == 0, "what is read alone")

    negative = torch.ones(1, 1, 2, 2, dtype=torch.complex64).conj().imag
    raises(report, TypeError, "x has torch's negative bit set, which DLPack cannot pass: pass what "
           "its resolve_neg() gives", lambda: pool_mlir.max_pool(negative, 2))
    report.expect(pool_mlir.max_pool(negative.resolve_neg(), 2).shape == (1, 1, 1, 1),
                  "without the negative bit")
    with torch.inference_mode():
        constant = torch.zeros(1, 2, 2, 2)
        pool_mlir.max_pool(x, 2, 2, out=constant)
    report.expect(torch.equal(constant, out), "in inference mode")
    check_equal_keys(x, report)
    return report.finish()


def check_equal_keys(x, report):
    """pool_mlir.torch must refuse True and accept 1 afterwards, as torch does. The two are equal
    as keys of a cache, so a cached answer could be wrong."""
    import pool_mlir.torch as ours  # pylint: disable=import-outside-toplevel
    for name, arguments in (("max_pool2d", (True,)), ("max_pool2d", (3, 2, True)),
                            ("avg_pool2d", (2, 2, 0, False, True, True)),
                            ("adaptive_avg_pool2d", (True,)), ("max_pool2d", ([True, 2],)),
                            ("avg_pool2d", ([2, 2], [2, True])),
                            ("adaptive_avg_pool2d", ([True, 2],))):
        function, own = getattr(ours, name), getattr(torch.nn.functional, name)

        def as_integers(value):
            if isinstance(value, list):
                return [int(element) for element in value]
            return int(value) if value is True else value

        for given in (arguments, tuple(map(as_integers, arguments))):
            results = []
            for call in (function, own):
                try:
                    results.append(call(x, *given))
                except (TypeError, RuntimeError) as error:
                    results.append(type(error))
            good = (torch.allclose(*results) if isinstance(results[0], torch.Tensor)
                    and isinstance(results[1], torch.Tensor) else results[0] == results[1])
            report.expect(good, f"{name}{given}", str(results))


if __name__ == "__main__":
    main(run)
