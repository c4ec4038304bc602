"""The stubs of modules of kinds: Kubernetes' own beside the package of kinds, others in a folder of the user's.

An object inside a kind is a TypedDict, which types keywords and dicts alike, and a class whose attributes are what can
be read of a reference to it. They are two because a union of both would hide which field is wrong in an error.
"""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING, Final

from msgspec.json import encode

from kro_ls.authoring.kind_modules.module_names import PACKAGE, kinds_by_module, module_name
from kro_ls.authoring.kind_modules.shapes import OwnShapes, ShapeReader, custom_shapes, dict_name, reference_name
from kro_ls.authoring.python_fields import python_field
from kro_ls.authoring.stubs.python_types import Annotations
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.pack.stripping import first_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.authoring.kind_modules.module_names import ModuleName
    from kro_ls.authoring.kind_modules.shapes import Shape
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kind_schema import GroupVersionKind


_HEAD: Final = """\
import builtins
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Literal, Required, TypedDict, Unpack

from kro_ls.authoring import ApiObject, ResourceOptions
"""
_OPTIONS: Final = "**options: Unpack[ResourceOptions]"
_NOT_GIVEN: Final = frozenset({"apiVersion", "kind", "status"})
"""Fields that the author of an object does not give: the class has them, or a controller writes them."""
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
        alias = f"{name} = {known}\n{reference_name(name)} = {reference_name(known)}\n"
        shapes.append(_shape(shape, annotations) if known == name else alias)
    imports = [
        f"from {PACKAGE}.{each.group} import {each.version} as {each.alias}\n" for each in sorted(annotations.others)
    ]
    return "\n".join(["".join([_HEAD, *imports]), *shapes])


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


FOLDER: Final = PACKAGE.replace(".", "/")
_SOURCE: Final = '"""Kinds of {0.group}/{0.version}, made on import by `{1}`. Pyright needs this file."""\n'
"""Without a source beside it, pyright would report each import of a stub."""


def own_stub_files() -> dict[str, str]:
    """Return the text of each file of Kubernetes' own kinds, by its path in the package of kinds."""
    files: dict[str, str] = {}
    for module, reader in OwnShapes(kubernetes()).read_all().items():
        files[f"{module.group}/{module.version}.pyi"] = module_stub(reader)
        files[f"{module.group}/{module.version}.py"] = _SOURCE.format(module, PACKAGE)
    return files


def custom_stub_files(index: SchemaIndex, kinds: Iterable[GroupVersionKind]) -> dict[str, str]:
    """Return the text of each file of some other kinds, by its path in a folder of stubs.

    The folders have no file that makes them packages, so that type checkers look there and in the installed package.
    """
    by_module: dict[ModuleName, list[GroupVersionKind]] = {}
    for kind in kinds:
        by_module.setdefault(module_name(kind), []).append(kind)
    files: dict[str, str] = {}
    for module, names in sorted(by_module.items()):
        taken = frozenset(kinds_by_module(index)[module])
        merged = ShapeReader(module)
        for kind in names:
            schema = index.find(kind.group, kind.version, kind.kind)
            if schema is not None:
                found = custom_shapes(module, schema, taken)
                merged.shapes = found.shapes | merged.shapes
                merged.schemas = found.schemas | merged.schemas
        files[f"{FOLDER}/{module.group}/{module.version}.pyi"] = module_stub(merged)
    return files
