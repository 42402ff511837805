"""Finds the wrong argument of a call. The compiled functions report only that the arguments do not
fit."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ast
import difflib
import operator
import re

WORDS = {"array": "an array", "int": "an integer", "str": "a string", "bool": "True or False",
         "list": "a list of integers or an integer"}


def read_parameters(function):
    """Returns two lists, of the positional and of the keyword-only parameters. An entry is (name,
    text of the annotation, True if there is a default). Reads the signature in the first line of
    the function's docstring."""
    signature = function.__doc__.splitlines()[0]
    given = ast.parse(f"def {signature.rpartition(' -> ')[0]}: ...").body[0].args
    required = len(given.args) - len(given.defaults)
    plain = [(one.arg, ast.unparse(one.annotation), i >= required)
             for i, one in enumerate(given.args)]
    named = [(one.arg, ast.unparse(one.annotation), default is not None)
             for one, default in zip(given.kwonlyargs, given.kw_defaults)]
    return plain, named


def check_value(what, name, annotation, value):
    """Raises TypeError if `value` is None and `annotation` has no None, or if `value` does not fit
    the annotation int, bool or str. Also refuses an int beyond 64 bits and a str with a null
    character. Does not check arrays and lists. `what` and `name` are for the message."""
    kinds = annotation.split(" | ")
    if value is None:
        if "None" not in kinds:
            raise TypeError(f"{what}: {name} must be {WORDS.get(kinds[0], 'an object')}, not None")
        return
    kind = kinds[0]
    found = f"not {type(value).__name__}"
    if kind == "int":
        try:
            number = operator.index(value)
        except TypeError:
            raise TypeError(f"{what}: {name} must be an integer, {found}") from None
        if not -2**63 <= number < 2**63:
            raise TypeError(f"{what}: {name} is {number}, which a 64-bit signed integer has no "
                            "room for")
    elif kind == "bool" and not isinstance(value, bool):
        raise TypeError(f"{what}: {name} must be True or False, {found}")
    elif kind == "str":
        if not isinstance(value, str):
            raise TypeError(f"{what}: {name} must be a string, {found}")
        if "\0" in value:
            raise TypeError(f"{what}: {name} is {value!r}, which has a null character")


def explain(function, positional, named):
    """Raises TypeError that names the wrong argument. Does not check arrays and lists, so it
    returns if only those are wrong."""
    plain, keywords = read_parameters(function)
    what = re.match(r"\w+\(", function.__doc__)[0] + ")"
    names = [name for name, _, _ in plain + keywords]
    if len(positional) > len(plain):
        raise TypeError(f"{what} takes {len(plain)} positional arguments at most, but "
                        f"{len(positional)} are given")
    for name in named:
        if name not in names:
            near = difflib.get_close_matches(name, names, 1)
            advice = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(names)}"
            raise TypeError(f"{what} has no argument {name!r}; {advice}")
    values = {name: value for (name, _, _), value in zip(plain, positional)}
    for name, value in named.items():
        if name in values:
            raise TypeError(f"{what}: {name} is given twice")
        values[name] = value
    for name, annotation, has_default in plain + keywords:
        if name in values:
            check_value(what, name, annotation, values[name])
        elif not has_default:
            raise TypeError(f"{what} needs the argument {name!r}")
