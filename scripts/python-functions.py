#!/usr/bin/env python3
# Generates the pooling functions of the Python package from the definitions of the
# operations. It writes the table that python/src/PoolingFunctions.cpp includes, with
# signatures and docstrings, and the type stubs of the compiled module.
#
# usage: python-functions.py RECORDS STUBS-TEMPLATE OUT-TABLE OUT-STUBS
#   RECORDS         the output of llvm-tblgen --dump-json for Pool.td
#   STUBS-TEMPLATE  the stubs of all other functions
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ast
import dataclasses
import pathlib
import re
import sys
import textwrap

from operations import read_operations

# window_reduce is an operation for lowerings, without a function.
FUNCTIONS = ["max_pool", "min_pool", "avg_pool", "lp_pool", "adaptive_max_pool",
             "adaptive_avg_pool", "max_unpool", "max_pool_grad", "min_pool_grad",
             "avg_pool_grad"]
ANNOTATIONS = {"Array": "array", "OptionalArray": "array | None", "List": "list | None",
               "Shape": "list", "Integer": "int", "OptionalInteger": "int | None",
               "Name": "str", "ReturnIndices": "bool", "IndexType": "str",
               "Out": "object | None"}
STUB_TYPES = {"Array": "_Array", "OptionalArray": "_Array | None", "Shape": "Sequence[int]",
              "Integer": "int", "OptionalInteger": "int | None"}
# Overloads by the type of return_indices: its type, the type of out, and of the result. Indices
# have another element type than the values, which no type checker can name for all libraries.
OVERLOADS = {
    "Literal[False]": ("_Array | None", "_Array"),
    "Literal[True]": ("tuple[_Array | None, Any] | None", "tuple[_Array, Any]"),
    "bool": ("_Array | tuple[_Array | None, Any] | None", "_Array | tuple[_Array, Any]"),
}
WINDOW_LISTS = "A list has an entry for each of the n spatial dimensions; one integer is for all."
# Sentences for help() that the definitions do not have.
NOTES = {
    "avg_pool": "Sums of integers are exact, and averages saturate.",
    "lp_pool": "The p-norm of a window is (sum |x|^p)^(1/p).",
    "adaptive_max_pool": "Window o of O covers elements floor(o * I / O) to "
                         "ceil((o + 1) * I / O) of I.",
    "max_unpool": "If several elements have one position, the last one stays. An index that "
                  "names no position raises ValueError.",
    "max_pool_grad": "Gradients of one element of x add up.",
}
NOTES["adaptive_avg_pool"] = NOTES["adaptive_max_pool"]
NOTES["min_pool_grad"] = NOTES["max_pool_grad"]
ARRAYS = """
Arrays are NumPy's, any with __dlpack__ in the memory of the CPU (torch, JAX), or buffers.
They may be read-only and strided. The result is a new array of the same library, with the
dimensions in the same order in memory. An array for out must have the result's type and
shape, be row-major or ordered like the argument, and overlap no argument.

Raises ValueError with the message of the verifier for arguments that are not valid, and
TypeError for an object that is no array or has elements of another type.
"""


@dataclasses.dataclass
class Parameter:
    """A parameter; `default` is Python's text for it, None if the caller must give it."""

    name: str
    kind: str
    default: str | None
    words: str
    cases: tuple = ()


def plain(words):
    """Returns words of the definitions without Markdown."""
    return words.replace("`", "")


def make_operand(operand, name):
    kind = "OptionalArray" if operand.is_optional else "Array"
    elements = operand.type.replace("tensor of ", "").replace(" values", "")
    elements = elements.replace(" or uniform quantised (8, 16, 32 bits)", "")
    words = f"array of {elements} elements"
    if name == "x":
        words = f"array of rank n + 2, of {elements} elements"
    if operand.words:
        words = f"{plain(operand.words)}; {words}"
    return Parameter(name, kind, "None" if operand.is_optional else None, words)


def make_attribute(attribute):
    words = plain(attribute.words)
    if attribute.kind == "list":
        default = None if attribute.default == "required" else "None"
        return Parameter(attribute.name, "List", default, words)
    if attribute.kind == "integer":
        if attribute.default == "none":
            return Parameter(attribute.name, "OptionalInteger", "None", words)
        return Parameter(attribute.name, "Integer", attribute.default, words)
    cases = attribute.cases
    if attribute.name == "pad_value":
        # By Extremum.C4 an operation allows its default, an infinity, and zero.
        cases = {case: cases[case] for case in (attribute.default, "zero")}
    texts = [f"'{case}'" + ("" if case == meaning else f" ({plain(meaning)})")
             for case, meaning in cases.items()]
    return Parameter(attribute.name, "Name", f"'{attribute.default}'",
                     f"{words}: {', '.join(texts[:-1])} or {texts[-1]}", tuple(cases))


def make_parameters(op):
    operands = [operand for operand in op.operands if not operand.is_variadic]
    parameters = [make_operand(operand, "x" if operand.name == "input" else operand.name)
                  for operand in operands]
    optional = [each for each in parameters if each.default is not None]
    parameters = [each for each in parameters if each.default is None]
    if len(operands) != len(op.operands):
        # No operand determines the extents of the result, so the caller gives its shape.
        name = op.results[0].name.replace("_grad", "") + "_shape"
        parameters.append(Parameter(name, "Shape", None, "shape of the result"))
    attributes = [make_attribute(attribute) for attribute in op.attributes]
    # Put the lists first, and dilations last among them. The operations have dilations before
    # the pads.
    attributes.sort(key=lambda each: 1 if each.kind == "List" and each.name == "dilations" else
                    0 if each.kind == "List" else 2)
    parameters += attributes
    if len(op.results) > 1:
        parameters.append(Parameter("return_indices", "ReturnIndices", "False",
                                    "True to return the pair of values and indices"))
        parameters.append(Parameter("index_element_type", "IndexType", "'i64'",
                                    "element type of the indices: 'i32' or 'i64'",
                                    ("i32", "i64")))
    return [*parameters, *optional,
            Parameter("out", "Out", "None", "array to write and to return"
                      + ("; with indices a pair of arrays or None" if len(op.results) > 1 else ""))]


def make_signature(op, parameters):
    texts = [f"{each.name}: {ANNOTATIONS[each.kind].removesuffix(' | None')}"
             if each.default is None else
             f"{each.name}: {ANNOTATIONS[each.kind]} = {each.default}"
             for each in parameters]
    return f"def {op.name}({', '.join(texts)}) -> object"


def wrap(text, indent=""):
    """Wraps text, but not within brackets."""
    text = re.sub(r"\[.*?\]", lambda match: match[0].replace(" ", "\u00a0"), text)
    return textwrap.fill(text, 88, subsequent_indent=indent).replace("\u00a0", " ")


def make_doc(op, parameters):
    summary = op.summary if op.summary.startswith("each") else f"the {op.summary}"
    if op.name.endswith("_grad"):
        summary = f"the gradient of {op.name.removesuffix('_grad')} with respect to x"
    blocks = [summary[0].upper() + summary[1:] + ".",
              "\n".join(wrap(f"{each.name}: {each.words}.", "    ") for each in parameters)]
    if any(each.kind == "List" for each in parameters):
        blocks.append(WINDOW_LISTS)
    if op.name in NOTES:
        blocks.append(wrap(NOTES[op.name]))
    return "\n\n".join([*blocks, ARRAYS.strip()])


def make_row(op, parameters):
    """Returns the function as an entry of the table in C++."""
    rows = []
    for each in parameters:
        fields = [f'"{each.name}"', f"Kind::{each.kind}",
                  "true" if each.default is None else "false"]
        if each.kind in ("Name", "IndexType"):
            fields.append(each.default.replace("'", '"'))
        elif each.kind == "Integer":
            fields += ['""', each.default]
        rows.append(f"  {{{', '.join(fields)}}},")
    return "\n".join([f'{{"{op.name}", "pool.{op.name}",', f' "{make_signature(op, parameters)}",',
                      f' R"doc({make_doc(op, parameters)})doc",', " {", *rows, " }},", ""])


def make_literal(cases):
    return f"Literal[{', '.join(f'{chr(34)}{case}{chr(34)}' for case in cases)}]"


def make_aliases(functions):
    """Returns the types of keywords by the names of their parameters. A parameter whose keywords
    depend on the function has none."""
    found = {}
    for _, parameters in functions:
        for each in parameters:
            if each.kind in ("Name", "IndexType"):
                found.setdefault(each.name, set()).add(make_literal(each.cases))
    return {name: min(types) for name, types in found.items() if len(types) == 1}


def make_alias_name(parameter):
    return "_" + parameter.title().replace("_", "")


def make_stub(op, parameters, aliases):
    """Returns the stub of the function, or of its overloads if it may return indices."""
    def write(returns_indices):
        out, result = OVERLOADS[returns_indices]
        lines = []
        for each in parameters:
            stub_type = STUB_TYPES.get(each.kind)
            default = each.default.replace("'", '"') if each.default is not None else None
            if each.name == "indices":
                stub_type = "Any"
            elif each.kind == "List":
                stub_type = "_Integers" if default is None else "_Integers | None"
            elif each.kind in ("Name", "IndexType"):
                stub_type = (make_alias_name(each.name) if each.name in aliases else
                             make_literal(each.cases))
            elif each.kind == "ReturnIndices":
                stub_type = returns_indices
                if returns_indices != "Literal[False]":
                    lines.append("    *,")
                    default = None
            elif each.kind == "Out":
                stub_type = out
            lines.append(f"    {each.name}: {stub_type}"
                         + (f" = {default}," if default is not None else ","))
        return "\n".join([f"def {op.name}(", *lines, f") -> {result}: ...", ""])

    if len(op.results) > 1:
        return "".join(f"@overload\n{write(kind)}" for kind in OVERLOADS)
    return write("Literal[False]")


def list_public(text):
    """Returns the statement of `__all__` for a stub's functions and classes."""
    names = sorted({node.name for node in ast.parse(text).body
                    if isinstance(node, (ast.FunctionDef, ast.ClassDef))
                    and not node.name.startswith("_")})
    return textwrap.fill(f"__all__ = [{', '.join(map(repr, names))}]", 88,
                         subsequent_indent="    ") + "\n"


def main(records, template, table, stubs):
    with open(records, encoding="utf-8") as file:
        operations = {op.name: op for op in read_operations(file)}
    functions = [(operations[name], make_parameters(operations[name])) for name in FUNCTIONS]
    pathlib.Path(table).write_text("".join(make_row(*each) for each in functions),
                                   encoding="utf-8")
    text = pathlib.Path(template).read_text(encoding="utf-8")
    aliases = make_aliases(functions)
    text = text.replace("# The pooling functions.\n", "".join([
        *(f"{make_alias_name(name)} = {literal}\n" for name, literal in aliases.items()),
        *(make_stub(*each, aliases) for each in functions)]))
    text = text.replace("# The public names.\n", list_public(text))
    pathlib.Path(stubs).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
