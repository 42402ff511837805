"""Checks exceptions of the Python package: type and message."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception


def raises(report, kind, words, function):
    """Checks that `function` raises exactly `kind`, with `words` in its text."""
    try:
        function()
    except BaseException as error:  # pylint: disable=broad-except
        text = f"{type(error).__name__}: {error}"
        report.expect(type(error) is kind and words in str(error), f"error: {words}", text)
    else:
        report.expect(False, f"no error: {words}")
    report.count("errors")
