# Reads and edits the texts of operations, which the primitive takes and compiled programs hold.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads and edits texts such as `pool.max_pool kernel=3,3, axis=2`."""

from .. import _pool_mlir

# Name of the handler that compiled programs call.
TARGET = _pool_mlir._ffi_target


def get_field(operation, name, default=None):
    """Returns the value of attribute `name` in the text `operation`, or `default` if it is
    absent."""
    for word in operation.split(" ")[1:]:
        key, _, value = word.partition("=")
        if key == name:
            return value
    return default


def get_name(operation):
    """Returns the operation's name: max_pool for `pool.max_pool kernel=3,3,`."""
    return operation.partition(" ")[0].removeprefix("pool.")


def edit(operation, name, without=(), more=""):
    """Returns the text with the operation's name replaced by `name`, without the attributes in the
    list `without`, and with the words `more` added."""
    words = [word for word in operation.split(" ")[1:] if word.partition("=")[0] not in without]
    return " ".join([f"pool.{name}", *words, *more.split()])


def get_spatial(operation, rank):
    """Returns the spatial dimensions of the operands. For max_unpool, which has no layout, these
    are all dimensions except the batch."""
    if get_name(operation) == "max_unpool":
        return range(1, rank)
    last = get_field(operation, "layout") == "channels_last"
    return range(1, rank - 1) if last else range(2, rank)


def list_extents(extents):
    """Formats integers for a text, each with a comma after it: without the comma, one integer would
    not be a list."""
    return f"{','.join(map(str, extents))},"
