"""The stub of a module of kinds.

An object inside a kind is a TypedDict, which types keywords and dicts alike, and a class whose attributes are what can
be read of a reference to it. They are two, for a union of both would hide from who reads an error which field is wrong.
"""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING, Final

from msgspec.json import encode

from kro_ls.authoring.kind_modules.module_names import PACKAGE
from kro_ls.authoring.kind_modules.shapes import dict_name, reference_name
from kro_ls.authoring.python_fields import python_field
from kro_ls.authoring.stubs.python_types import Annotations
from kro_ls.openapi.sources.pack.stripping import first_sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.authoring.kind_modules.shapes import Shape, ShapeReader

_HEAD: Final = """\
import builtins
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Literal, Required, TypedDict, Unpack

from kro_ls.authoring import ApiObject, ResourceOptions
"""
_OPTIONS: Final = "**options: Unpack[ResourceOptions]"
_NOT_GIVEN: Final = frozenset({"apiVersion", "kind", "status"})
"""What the author of an object of the API does not say: the class does, and a controller."""
_WIDTH: Final = 110
_BUILTINS: Final = frozenset({"str", "int", "float", "bool", "bytes", "list", "dict"})


def module_stub(reader: ShapeReader) -> str:
    """Return the text of the stub of a module with all its shapes. Those that are alike are one with several names."""
    annotations = Annotations(reader.module)
    first: dict[bytes, str] = {}
    shapes: list[str] = []
    for name, shape in sorted(reader.shapes.items()):
        schema = {keyword: value for keyword, value in reader.schemas[name].items() if keyword != "description"}
        known = name if shape.kind else first.setdefault(encode(schema), name)
        shapes.append(_shape(shape, annotations) if known == name else _alias(name, known))
    imports = [
        f"from {PACKAGE}.{each.group} import {each.version} as {each.alias}\n" for each in sorted(annotations.others)
    ]
    return "\n".join(["".join([_HEAD, *imports]), *shapes])


def _alias(name: str, known: str) -> str:
    return f"{name} = {known}\n{reference_name(name)} = {reference_name(known)}\n"


def _shape(shape: Shape, annotations: Annotations) -> str:
    given = {name: annotations.given(type_) for name, type_ in shape.fields.items()}
    lines = [f"class {shape.name}(ApiObject):" if shape.kind else f"class {reference_name(shape.name)}:"]
    lines += _docstring(shape.description)
    for name, type_ in shape.fields.items():
        attribute, read = python_field(name), annotations.read(type_)
        if attribute and read:
            lines += [f"    {attribute}: {_visible(read, shape)}", *_docstring(shape.descriptions[name])]
    if shape.is_open:
        lines.append("    def __getattr__(self, name: str) -> Any: ...")
    if shape.kind:
        lines.append(_constructor(shape, given))
    elif len(lines) == 1:
        lines.append("    ...")
    return "\n".join([*lines, "", *_typed_dict(shape, given), ""])


def _visible(annotation: str, shape: Shape) -> str:
    """Return an annotation that means the same beside an attribute with the name of a type."""
    hidden = _BUILTINS & shape.fields.keys()
    return re.sub(rf"\b({'|'.join(hidden)})\b", r"builtins.\1", annotation) if hidden else annotation


def _constructor(shape: Shape, given: dict[str, str]) -> str:
    required = shape.required | {"metadata"}
    arguments = ["self", "*"]
    for name, annotation in given.items():
        keyword = python_field(name)
        if keyword and name not in _NOT_GIVEN:
            arguments.append(f"{keyword}: {annotation}" + ("" if name in required else " = ..."))
    return f"    def __init__({', '.join([*arguments, _OPTIONS])}) -> None: ..."


def _typed_dict(shape: Shape, given: dict[str, str]) -> Iterator[str]:
    """Yield the lines of the TypedDict: as a class, which has documentation, where Python can name all fields."""
    fields = {name: f"Required[{each}]" if name in shape.required else each for name, each in given.items()}
    name = dict_name(shape.name) if shape.kind else shape.name
    if all(python_field(each) == each for each in fields):
        yield f"class {name}(TypedDict, total=False):"
        described = _docstring(shape.description)
        yield from described
        for each, annotation in fields.items():
            yield from (f"    {each}: {_visible(annotation, shape)}", *_docstring(shape.descriptions[each]))
        if not fields and not described:
            yield "    ..."
    else:
        entries = ", ".join(f'"{each}": {annotation!r}' for each, annotation in fields.items())
        yield f'{name} = TypedDict("{name}", {{{entries}}}, total=False)'


def _docstring(description: str) -> list[str]:
    text = " ".join(first_sentence(description).split()).replace("\\", r"\\").replace('"""', "'''")
    if not text:
        return []
    if text.endswith('"'):
        text += " "
    lines = textwrap.wrap(f'"""{text}"""', _WIDTH)
    return textwrap.indent("\n".join(lines), "    ").split("\n")
